"""`attnsim run derivation`."""


def test_the_derivation_runs_without_a_window(attnsim, tmp_path):
    path = tmp_path / "why.svg"
    words = ("run", "derivation", "--dim", 16, "--keys", 8, "--rows", 50, "--json", "--out", path)
    outcome = attnsim(*words)
    assert outcome.code == 0
    assert outcome.json["figures"] == ["derivation_sum", "derivation_growth", "derivation_weights"]
    assert "The score is a sum of d products" in path.read_text()
