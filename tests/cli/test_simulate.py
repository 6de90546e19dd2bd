"""`attnsim simulate`."""

import math

import numpy as np
import pytest

SMALL = ("--dim", 64, "--keys", 8, "--rows", 400, "--seed", 7)


def test_json_holds_the_contract_s_keys(attnsim):
    found = attnsim("simulate", "--json", *SMALL).json
    assert set(found) >= {"scenario", "row", "ensemble", "theory", "marginal_changed"}
    assert set(found["row"]) >= {"scores", "weights", "query_norm"}
    quantities = {"mean", "sd", "within_row_sd", "skewness", "excess_kurtosis"}
    ends = {name + end for name in quantities for end in ("", "_low", "_high")}
    assert set(found["ensemble"]) == ends | {"rows", "keys_per_row"}
    assert set(found["theory"]) >= quantities
    assert found["scenario"]["dim"] == 64


def test_the_weights_are_the_softmax_of_the_scaled_scores(attnsim):
    found = attnsim("simulate", "--json", "--scalings", "none,inverse_sqrt,power:0.25", *SMALL).json["row"]
    scores = np.array(found["scores"])
    assert list(found["weights"]) == ["none", "inverse_sqrt", "power:0.25"]
    for name, exponent in (("none", 0.0), ("inverse_sqrt", 0.5), ("power:0.25", 0.25)):
        powers = np.exp((scores - scores.max()) * 64.0**-exponent)
        np.testing.assert_allclose(found["weights"][name], powers / powers.sum(), rtol=1e-12)


def test_theory_of_unit_normals_is_the_root_of_the_dimension(attnsim):
    found = attnsim("simulate", "--json", *SMALL).json
    assert found["theory"]["sd"] == pytest.approx(8.0, rel=1e-12)
    # five standard errors; the interval's half width is 1.96 of them
    error = (found["ensemble"]["sd_high"] - found["ensemble"]["sd_low"]) / 3.92
    assert abs(found["ensemble"]["sd"] - 8.0) < 5.0 * error


def test_equal_seeds_print_equal_bytes_and_other_seeds_do_not(attnsim):
    first, second, other = (attnsim("simulate", "--json", *SMALL[:-1], seed).out for seed in (3, 3, 4))
    assert first == second != other


def test_what_has_no_finite_value_is_null(attnsim):
    found = attnsim("simulate", "--json", "--law", "student_t", "--nu", 1.5, *SMALL).json
    assert found["theory"]["sd"] is None


def test_numbers_survive_the_way_through_text_in_full(attnsim):
    from attnsim import Scenario, run

    exact = run(Scenario(dim=64, keys=8, rows=400, seed=7)).row.scores(-1)
    assert attnsim("simulate", "--json", *SMALL).json["row"]["scores"] == exact.tolist()


def test_correlation_that_changes_the_law_is_said(attnsim):
    words = ("simulate", "--law", "uniform", "--rho", 0.5, *SMALL)
    assert attnsim(*words, "--json").json["marginal_changed"] is True
    assert "no longer follow the law" in attnsim(*words).out


def test_people_read_dimension_keys_seed_rows_and_every_rule(attnsim):
    out = attnsim("simulate", *SMALL).out
    assert out.startswith("d = 64, keys n = 8, law normal, seed 7, rows 400\n")
    assert all(rule in out for rule in ("none", "inverse_sqrt", "inverse_d", "constant:8"))
    assert "entropy in nats" in out


def test_real_vectors_take_the_place_of_drawn_ones(attnsim, head):
    found = attnsim("simulate", "--json", "--file", head, "--head", 1, "--row", 2).json
    with np.load(head) as arrays:
        exact = arrays["k"][1] @ arrays["q"][1, 2]
    np.testing.assert_allclose(found["row"]["scores"], exact, rtol=1e-12)
    assert found["row"]["query_norm"] == pytest.approx(math.sqrt(square_of_the_query(head)), rel=1e-12)


def square_of_the_query(head):
    with np.load(head) as arrays:
        return float((arrays["q"][1, 2] ** 2).sum())


def test_a_place_that_the_file_lacks_is_refused(attnsim, head):
    outcome = attnsim("simulate", "--file", head, "--head", 9)
    assert (outcome.code, outcome.error) == (2, "attnsim: head must lie in 0..1, not 9\n")


@pytest.mark.parametrize("option", ["--dim", "--seed", "--rho", "--rows"])
def test_fields_of_drawn_vectors_are_refused_beside_a_file(attnsim, tmp_path, option):
    np.savez(tmp_path / "x.npz", q=np.ones((3, 2)), k=np.ones((3, 2)))
    outcome = attnsim("simulate", "--file", str(tmp_path / "x.npz"), option, "1")
    assert outcome.code == 2
    assert outcome.error == f"attnsim: {option} is for drawn vectors: leave it out, or leave out --file\n"


def test_a_causal_file_is_looked_at_from_its_last_query(attnsim, tmp_path):
    np.savez(tmp_path / "x.npz", q=np.ones((5, 2)), k=np.ones((5, 2)), causal=True)
    outcome = attnsim("simulate", "--json", "--file", str(tmp_path / "x.npz"))
    assert len(outcome.json["row"]["scores"]) == 5


def test_a_mask_and_a_format_reach_the_weights_and_are_told(attnsim):
    rules = "none,softmax1,layernorm_qk,custom:max(d,n)**-0.5"
    found = attnsim(
        "simulate", "--json", "--scalings", rules, "--mask", "window", "--mask-size", 3, "--format", "bf16", *SMALL
    ).json
    row = found["row"]
    assert list(row["weights"]) == ["none", "softmax1", "layernorm_qk", "custom:max(d,n)**-0.5"]
    for weights in row["weights"].values():
        assert weights[:5] == [0.0] * 5
    assert set(row["keys_seen"].values()) == {3}
    assert row["sink"]["softmax1"] > 0.0 == row["sink"]["none"]
    assert (found["scenario"]["mask"], found["scenario"]["format"]) == ("window", "bf16")


def test_an_overflow_is_null_and_said(attnsim):
    given = ("--scalings", "none", "--sigma-q", 1000, "--sigma-k", 100, "--format", "fp16", *SMALL)
    row = attnsim("simulate", "--json", *given).json["row"]
    assert row["overflowed"] == {"none": True}
    assert None in row["weights"]["none"]
    assert "none: fp16 overflows." in attnsim("simulate", *given).out
