"""`attnsim run formats`."""


def test_the_number_formats_run_without_a_window(attnsim, tmp_path):
    page = tmp_path / "formats.png"
    out = attnsim(
        "run", "formats", "--dim", "512", "--rows", "20", "--show-format", "bf16", "--json", "--out", page
    ).json
    numbers = out["numbers"]
    assert page.stat().st_size > 10_000
    assert abs(numbers["beyond_claim"] - 1.159e-5) < 2e-8
    assert numbers["formats"]["bf16"]["sum_of_65536_ones"]["sequential"] == 256.0
    assert numbers["formats"]["fp16"]["exp_overflow"] == numbers["formats"]["fp16"]["exp_overflow_found"]


def test_an_impossible_claim_is_refused_with_its_limits(attnsim):
    outcome = attnsim("run", "formats", "--claim-score", "0")
    assert outcome.code == 2
    assert "claim_score must lie in 1..1000" in outcome.error
