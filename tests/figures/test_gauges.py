"""The gauges are right: over 200 seeds the 95 % band misses theory in about 5 %."""

import math

import pytest

from attnsim.experiments.walk import last
from attnsim.figures.readouts import readouts
from attnsim.scenario import Scenario
from attnsim.view import View

SEEDS = 200
FEWEST, MOST = 1, 22  # 10 expected, standard deviation 3.1: four of them to each side

CASES = {
    "normal": {},
    "correlated, with means": {"rho": 0.5, "mean_q": 0.3, "mean_k": -0.4},
    "common factors": {"r_q": 0.2, "r_k": 0.2},
    "one aligned key": {"rho": 0.6, "aligned": "one"},
    "signs": {"law": "sign"},
    "uniform": {"law": "uniform"},
    "Laplace": {"law": "laplace"},
    "Student": {"law": "student_t", "nu": 10.0},
    "log-normal": {"law": "lognormal", "shape": 0.4},
    "sparse": {"law": "sparse", "nonzero": 0.5},
    "autoregressive": {"law": "ar1", "phi_q": 0.6, "phi_k": 0.6, "rho": 0.3},
    "low rank": {"law": "low_rank"},
    "initialised": {"law": "initialised", "d_model": 16},
}


@pytest.mark.slow
@pytest.mark.parametrize("case", list(CASES))
def test_the_band_misses_theory_in_about_5_percent_of_200_seeds(case):
    missed: dict[tuple[str, int | None], int] = {}
    for seed in range(SEEDS):
        result = last(Scenario(**{"dim": 32, "keys": 24, "rows": 300, "seed": seed, **CASES[case]}))
        for playhead in (12, None):
            for card in readouts(result, View(playhead=playhead)):
                if card.low is not None:
                    place = (card.key, playhead)
                    missed[place] = missed.get(place, 0) + (not card.low <= card.theory <= card.high)
    assert {key for key, _ in missed} == {"row_mean", "row_sd", "mean", "sd", "within_sd", "scaled_sd"}
    assert all(FEWEST <= count <= MOST for count in missed.values()), missed


def test_the_deviation_is_counted_in_standard_errors_of_the_band():
    cards = {card.key: card for card in readouts(last(Scenario(dim=40, rows=400)), View())}
    for key in ("mean", "sd", "within_sd"):
        card = cards[key]
        error = (card.high - card.low) / (2 * 1.966)  # Student's quantile at 399 degrees of freedom
        assert card.deviation == pytest.approx((card.value - card.theory) / error, rel=1e-3)
        assert math.isfinite(card.deviation)
