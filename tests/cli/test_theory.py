"""`attnsim theory`, `explain` and `diagnose`."""

import math

import pytest

KEYS = {
    "mean", "variance", "within_row_variance", "skewness", "excess_kurtosis", "score_sd", "entropy_mean",
    "largest_weight_mean", "sum_p2_mean", "jacobian_norm2_mean", "condensation_threshold", "optimal_scale",
}  # fmt: skip


def test_json_holds_the_contract_s_keys_of_the_one_rule(attnsim):
    found = attnsim("theory", "--dim", 512, "--keys", 64, "--scaling", "inverse_sqrt", "--json").json
    assert set(found) >= KEYS
    assert found["variance"] == 512.0
    assert found["score_sd"] == pytest.approx(1.0, rel=1e-15)
    assert "rules" not in found


def test_several_rules_give_a_record_each_and_the_first_on_top(attnsim):
    found = attnsim("theory", "--dim", 64, "--keys", 16, "--scaling", "none", "inverse_sqrt,power:0.25", "--json").json
    assert [each["scaling"] for each in found["rules"]] == ["none", "inverse_sqrt", "power:0.25"]
    assert found["score_sd"] == found["rules"][0]["score_sd"] == pytest.approx(8.0)
    assert found["largest_weight_mean"] == pytest.approx(0.846, abs=5e-3)


def test_a_spread_stands_for_dimension_and_rule(attnsim):
    found = attnsim("theory", "--score-sd", 4, "--keys", 64, "--json").json
    assert set(found) >= KEYS
    assert found["largest_weight_mean"] == pytest.approx(0.59359, abs=1e-5)
    refused = attnsim("theory", "--score-sd", 4, "--dim", 8)
    assert refused.code == 2
    assert "--dim cannot go with --score-sd" in refused.error


def test_what_has_no_closed_form_is_null_with_a_note(attnsim):
    found = attnsim("theory", "--law", "uniform", "--json").json
    assert found["entropy_mean"] is None
    assert found["variance"] == 256.0
    assert any("no closed form" in note for note in found["notes"])
    assert "no closed form" in attnsim("theory", "--law", "uniform").out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--rho", 0.9, "--r-q", 0.5), "rho must lie in -0.7071..0.7071"),
        (("--law", "student_t", "--nu", 0), "nu must lie in 1..1000"),
        (("--dim", 0), "dim must be a whole number in 1..65536"),
        (("--score-sd", -1), "score_sd must lie in [0, inf]"),
        (("--score-sd", "wide"), "score_sd must be a number"),
    ],
)
def test_impossible_parameters_are_refused_with_the_allowed_region(attnsim, options, said):
    outcome = attnsim("theory", *options)
    assert outcome.code == 2
    assert said in outcome.error


def test_explain_prints_lines_with_measured_and_exact_numbers(attnsim):
    words = ("explain", "--dim", 16, "--keys", 4, "--rows", 200, "--rho", 0.3)
    steps = {step["key"]: step for step in attnsim(*words, "--json").json["steps"]}
    assert steps["mean"]["theory"] == pytest.approx(4.8)
    assert abs(steps["mean"]["deviation"]) < 5.0
    printed = attnsim(*words).out
    assert "E[q_i k_i]" in printed
    assert "theory 4.800" in printed


@pytest.mark.parametrize("which", [1, 2, 3])
def test_explain_answers_the_three_questions(attnsim, which):
    found = attnsim("explain", "--question", which, "--json").json
    assert found["question"]["number"] == which
    assert found["question"]["answer"]
    assert "To see it: attnsim simulate" in attnsim("explain", "--question", which).out


def test_a_fourth_question_is_refused(attnsim):
    assert "question must be a whole number in 1..3" in attnsim("explain", "--question", 4).error


def test_explain_of_real_vectors_claims_no_law(attnsim, head):
    steps = attnsim("explain", "--file", head, "--json").json["steps"]
    assert steps[0]["key"] == "real"
    assert all(step["deviation"] is None for step in steps)


def test_check_prints_z_scores_and_the_false_alarm_rate(attnsim):
    outcome = attnsim("explain", "--check", 3)
    assert outcome.code == 0
    assert "by chance with probability" in outcome.out
    assert len(attnsim("explain", "--check", 3, "--json").json["lines"]) == 3


def test_diagnose_reads_drawn_and_real_rows(attnsim, head):
    drawn = attnsim("diagnose", "--dim", 64, "--keys", 32, "--rows", 20, "--json").json
    assert drawn["competitors"][-1] == 31.0
    assert drawn["rules"]["none"]["concentrated"] == (drawn["concentration_scale"] <= 1.0)
    real = attnsim("diagnose", "--file", head, "--json").json
    assert len(real["gaps"]) == len(real["competitors"])
    assert "One key holds half" in attnsim("diagnose", "--file", head).out


def test_a_mask_that_hides_nothing_changes_no_closed_form(attnsim):
    given = ("theory", "--json", "--dim", 64, "--keys", 16)
    plain, causal = (attnsim(*given, *mask).json for mask in ((), ("--mask", "causal")))
    assert causal["largest_weight_mean"] == plain["largest_weight_mean"]


def test_what_a_mask_hides_is_not_competed_with(attnsim):
    given = ("--dim", 64, "--keys", 64)
    two = attnsim("theory", "--json", *given, "--mask", "window", "--mask-size", 2).json
    assert two["condensation_threshold"] == pytest.approx((2 * math.log(2)) ** 0.5)
    assert two["largest_weight_mean"] is None
    one = attnsim("diagnose", *given, "--mask", "window", "--mask-size", 1)
    assert (one.code, "2 or more that are seen" in one.error) == (2, True)


@pytest.mark.parametrize("initialisation", ["t5", "xavier_per_head", "xavier_fused"])
def test_the_derivation_of_initialised_vectors_agrees_with_the_draw(attnsim, initialisation):
    given = ("--law", "initialised", "--initialisation", initialisation, "--dim", 64, "--d-model", 96, "--keys", 8)
    steps = attnsim("explain", "--json", *given, "--rows", 400).json["steps"]
    z = [step["deviation"] for step in steps if step["deviation"] is not None]
    assert z
    assert max(map(abs, z)) < 5
