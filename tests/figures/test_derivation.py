"""The derivation says what the simulation does."""

import math
import re

import pytest

from attnsim.experiments.evidence import evidence
from attnsim.experiments.walk import last
from attnsim.figures.derivation import derivation
from attnsim.figures.derivation_page import page
from attnsim.figures.formula import plain, rich, rich_words
from attnsim.figures.questions import QUESTIONS, question, titles
from attnsim.scenario import Scenario

CASES = {
    "independent": {},
    "correlated": {"rho": 0.3, "r_q": 0.2, "r_k": 0.3, "mean_q": 1.0, "mean_k": -1.0},
    "one aligned": {"rho": 0.4, "aligned": "one"},
    "signs": {"law": "sign", "rho": 0.3, "mean_q": 0.5, "mean_k": 1.0},
    "uniform": {"law": "uniform", "rho": 0.3, "r_q": 0.2},
    "no variance": {"law": "student_t", "nu": 1.5},
    "no mean": {"law": "student_t", "nu": 1.0},
    "one key": {"keys": 1},
    "one component": {"dim": 1},
}


def steps_of(**fields):
    scenario = Scenario(**({"dim": 64, "keys": 8, "rows": 1000} | fields))
    return {step.key: step for step in derivation(last(scenario), evidence(scenario))}


@pytest.mark.parametrize("case", CASES)
def test_no_line_is_five_standard_errors_away(case):
    steps = steps_of(**CASES[case])
    found = {key: step.checked.deviation for key, step in steps.items() if step.checked}
    assert {key: z for key, z in found.items() if z is not None and abs(z) > 5.0} == {}


def test_the_independent_case_is_the_proof_of_the_seeds():
    steps = steps_of()
    keys = list(steps)
    order = ["score", "term", "square", "cross", "mean", "variance", "sd", "growth", "within", "threshold"]
    assert keys[: len(order)] == order
    assert steps["square"].checked.theory == pytest.approx(1.0)
    assert steps["cross"].checked.theory == pytest.approx(0.0, abs=1e-12)
    assert "64·1²·1²" in plain(steps["variance"].filled)
    assert steps["scaled:inverse_sqrt"].checked.theory == pytest.approx(1.0)


def test_the_numbers_in_the_lines_are_those_beside_them():
    steps = steps_of(rho=0.5, sigma_q=2.0)
    assert plain(steps["mean"].filled) == "= 64.00"
    assert steps["sd"].checked.theory == pytest.approx(math.sqrt(64 * 4 * 1.25))
    assert steps["within"].checked.theory == pytest.approx(math.sqrt(64 * 4 * 0.75))


def test_correlation_on_both_sides_names_the_dimension_where_the_square_takes_over():
    assert "from d = 11 on" in steps_of(r_q=0.3, r_k=0.3)["growth"].text
    assert "no d² part" in steps_of(r_q=0.3)["growth"].text
    assert "ρ alone" in steps_of(rho=0.3)["growth"].text


def test_a_law_without_variance_has_measured_numbers_and_no_theory():
    step = steps_of(law="student_t", nu=1.5)["sd"]
    assert step.checked.theory is None
    assert step.filled == ""
    assert "no variance" in step.text


def test_a_formula_reads_the_same_in_a_terminal_and_in_a_window():
    assert plain("q_{i}k_{i}^{2}") == "q_i k_i²"
    assert plain("σ_{row}") == "σ_row"
    assert rich("q_{i} < k^{2}") == "q<sub>i</sub> &lt; k<sup>2</sup>"
    assert rich_words("σ_q² of student_t") == "σ<sub>q</sub>² of student_t"


@pytest.mark.parametrize("which", QUESTIONS)
def test_each_question_has_an_answer_and_a_scenario_that_shows_it(which):
    asked = question(which)
    assert asked.title == titles()[which]
    within = last(asked.scenario.but(rows=400)).theory.within_sd[-1]
    if which != 3:  # the last rule of the scenario is the answer's own
        assert within * float(asked.scenario.rules[-1].multiplier(asked.scenario.dim)) == pytest.approx(1.0, rel=1e-4)


def test_a_mean_of_the_keys_leaves_the_weights_of_the_first_answer_alone():
    from attnsim import weights

    scenario = question(1).scenario.but(rows=20)
    with_mean, without = (weights(last(each)) for each in (scenario, scenario.but(mean_k=0.0)))
    for name in with_mean:
        assert with_mean[name] == pytest.approx(without[name], abs=1e-9)


def test_an_unknown_question_is_refused():
    with pytest.raises(ValueError, match="question must be one of 1, 2, 3, not 4"):
        question(4)


def test_the_page_links_each_question_to_its_scenario_and_leaves_no_markup_behind():
    scenario = Scenario(dim=16, keys=4, rows=50, rho=0.5)
    steps = derivation(last(scenario), evidence(scenario))
    text = page(steps, [question(which) for which in QUESTIONS], lambda role: "#123456")
    assert [f"href='question:{which}'" in text for which in QUESTIONS] == [True] * 3
    assert not re.search(r"[_^]\{", text)
