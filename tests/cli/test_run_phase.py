"""`attnsim run phase`."""


def test_the_phase_diagram_runs_without_a_window(attnsim, tmp_path):
    page = tmp_path / "phase.png"
    out = attnsim("run", "phase", "--plane", "dimension", "--rows", "2", "--rule", "none", "--json", "--out", page).json
    numbers = out["numbers"]
    assert page.stat().st_size > 10_000
    assert (numbers["plane"], numbers["scaling"], numbers["metric"]) == ("dimension", "none", "sum_p2")
    assert len(numbers["exact"]) == len(numbers["keys"])
    assert abs(numbers["threshold_at"][5] - 8.3178) < 1e-3  # 2 ln 64


def test_an_unknown_plane_is_refused_with_the_known_ones(attnsim):
    outcome = attnsim("run", "phase", "--plane", "x")
    assert outcome.code == 2
    assert "spread, dimension" in outcome.error
