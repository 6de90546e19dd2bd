from dataclasses import replace

import numpy as np
import pytest
from draws import real_walk, walk
from scipy import stats

from attnsim.experiments.walk import last
from attnsim.figures.readouts import readouts
from attnsim.scenario import Scenario
from attnsim.view import View


def cards(result, view=None):
    return {card.key: card for card in readouts(result, view or View())}


def test_the_row_is_compared_with_its_own_law_and_never_with_the_root_of_d():
    result = walk()
    card = cards(result)["row_sd"]
    assert card.theory == result.row.query_norm[-1]
    assert card.theory != 16.0
    assert card.theory_text.startswith("given q")
    assert card.value == pytest.approx(result.row.walks[-1].std(ddof=1))


def test_the_ensemble_is_compared_with_the_law_over_draws():
    result = walk()
    card = cards(result)["sd"]
    assert card.theory == 16.0
    assert card.theory_text == "theory 16.00"
    assert card.deviation == pytest.approx((card.value - 16.0) / result.ensemble.sd.error[-1])


def test_the_interval_of_the_rows_spread_is_the_exact_chi_square_one():
    card = cards(walk())["row_sd"]
    high, low = stats.chi2.ppf([0.975, 0.025], 31)
    assert card.low == pytest.approx(card.value * np.sqrt(31 / high), rel=1e-12)
    assert card.high == pytest.approx(card.value * np.sqrt(31 / low), rel=1e-12)


def test_before_the_ensemble_is_drawn_no_quantile_is_asked_for():
    card = cards(walk(ensemble=False))["row_sd"]
    assert card.low is None
    assert card.deviation is not None


def test_one_seed_in_twenty_lies_outside_its_interval():
    outside = sum(not (c.low <= c.theory <= c.high) for c in (cards(walk(seed=s, dim=8))["row_sd"] for s in range(400)))
    assert abs(outside - 20) < 5 * np.sqrt(400 * 0.05 * 0.95)


def test_the_scaled_spread_is_the_within_row_one_times_the_rule():
    found = cards(walk(rho=0.5), View(rule="constant:8"))
    assert found["scaled_sd"].value == pytest.approx(found["within_sd"].value / 8)
    assert "÷ 8" in found["scaled_sd"].title


def test_an_aligned_key_is_left_out_and_the_title_says_so():
    result = walk()
    one = replace(result, row=replace(result.row, aligned_key=0))
    card = cards(one)["row_mean"]
    assert card.value == pytest.approx(result.row.walks[-1, 1:].mean())
    assert "without key 0" in card.title


def test_a_single_key_has_no_spread():
    card = cards(walk(keys=1))["row_sd"]
    assert card.theory_text == "one key has no spread"
    assert card.theory is None
    assert "saturated" not in {c.deviation_text for c in cards(walk(keys=1)).values()}


def test_where_there_is_no_variance_the_card_says_so_and_has_no_gauge():
    result = walk()
    nothing = np.full(result.row.sd.size, np.nan)
    law = Scenario(law="student_t", nu=1.5)
    heavy = replace(
        result, scenario=law, row=replace(result.row, sd=nothing), theory=replace(result.theory, sd=nothing.copy())
    )
    for key in ("row_sd", "sd"):
        card = cards(heavy)[key]
        assert card.theory_text == "variance does not exist"
        assert (card.theory, card.low, card.high, card.deviation) == (None, None, None, None)


def test_real_vectors_get_a_ratio_and_no_standard_errors():
    card = cards(real_walk())["row_sd"]
    assert card.deviation_text == f"{card.value / card.theory:.2f} ×"
    assert card.deviation is None
    assert "independent" in card.theory_text
    assert not [c for c in cards(real_walk()).values() if "SE" in c.deviation_text]


def test_a_full_weight_is_called_saturated():
    found = cards(walk(dim=4096, keys=4))
    assert found["largest_weight:none"].tone == "saturated"
    assert found["largest_weight:inverse_d"].tone == "plain"


def test_at_dimension_0_there_is_neither_ensemble_nor_gauge():
    found = readouts(walk(), View(playhead=0))
    assert {card.group for card in found} == {"row", "weights"}
    assert all(card.low is None and card.deviation is None for card in found)


@pytest.mark.parametrize(("shape", "dim", "keys"), [(2.0, 256, 64), (1.5, 16, 2)])
def test_a_row_of_the_heaviest_tails_claims_no_interval_of_its_spread(shape, dim, keys):
    result = last(Scenario(law="lognormal", shape=shape, dim=dim, keys=keys, rows=50))
    for playhead in (1, None):
        found = {card.key: card for card in readouts(result, View(playhead=playhead))}
        assert found["row_sd"].low is None or found["row_sd"].low < found["row_sd"].high
