"""Symptoms of right and wrong scale factors."""

import math

import numpy as np
import pytest
from scipy.special import logsumexp

from attnsim.choices.laws import LAWS
from attnsim.choices.sections.which_d import VARIANTS, WhichD
from attnsim.experiments.expectations import spread_theory
from attnsim.experiments.requests import request_for
from attnsim.experiments.which_d import run
from attnsim.experiments.which_d.records import SYMPTOMS
from attnsim.experiments.which_d.variants import factors_at, letters_of
from attnsim.scenario import Scenario


def last(heads=8, **fields):
    *_before, result = run(Scenario(**({"rows": 1000} | fields), section=WhichD(heads=heads)))
    return result


def deviations(result):
    return {
        (name, variant): (measured.value[place] - theory[place]) / measured.error[place]
        for name in SYMPTOMS
        for measured, theory in [(getattr(result, name), result.theory[name])]
        for place, variant in enumerate(VARIANTS)
        if np.isfinite(measured.error[place]) and np.isfinite(theory[place])
    }


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"dim": 64, "keys": 512, "rows": 400},
        {"dim": 65_536, "keys": 16},
        {"dim": 1, "keys": 8},
        {"dim": 32, "keys": 65_536, "rows": 24},
        {"rho": 0.6, "mean_q": 1.0, "mean_k": 2.0, "sigma_k": 0.5},
        {"law": "sign", "dim": 16, "keys": 8},
    ],
)
def test_no_symptom_is_five_standard_errors_from_theory(fields):
    found = deviations(last(**fields))
    assert len(found) >= 4
    assert {key: z for key, z in found.items() if abs(z) > 5.0} == {}


def test_the_spreads_are_those_of_the_table_in_the_text():
    spread = dict(zip(VARIANTS, last(heads=8, dim=64, keys=512).theory["spread"], strict=True))
    expected = {"right": 1, "quartic": 1, "one_side": 8**0.5, "missing": 8, "sqrt_d_model": 8**-0.5, "twice": 1 / 8}
    assert {name: spread[name] for name in expected} == pytest.approx(expected)
    assert spread["sqrt_n"] == pytest.approx(8.0 / math.sqrt(512.0))


def test_weights_are_the_softmax_of_scipy():
    scenario = Scenario(dim=48, keys=9, rows=30, section=WhichD())
    *_before, result = run(scenario)
    request = request_for(scenario, "which_d", result.steps, rows=30, keys=9, aligned_share=1.0, norms=False)
    scores = LAWS["normal"].draw(request).walks[:, -1]
    for place, factor in enumerate(result.factors[:, -1]):
        logits = factor * scores
        logarithm = logits - logsumexp(logits, axis=1, keepdims=True)
        p = np.exp(logarithm)
        jacobian = np.einsum("ri,ij->rij", p, np.eye(9)) - np.einsum("ri,rj->rij", p, p)
        norm2 = factor**2 * (jacobian**2).sum(axis=(1, 2))
        assert result.largest.value[place] == pytest.approx(p.max(axis=1).mean(), rel=1e-9)
        assert result.entropy.value[place] == pytest.approx(-(p * logarithm).sum(axis=1).mean(), rel=1e-9)
        assert result.gradient.value[place] == pytest.approx(math.sqrt(norm2.mean()), rel=1e-9)
        assert result.gradient_median[place] == pytest.approx(np.median(np.sqrt(norm2)), rel=1e-9)


def test_at_one_large_dimension_theory_is_that_of_independent_normal_scores():
    result = last(dim=65_536, keys=64, rows=10)
    at = VARIANTS.index("sqrt_d_model")
    plain = spread_theory(64, result.theory["spread"][at])
    assert result.theory["largest"][at] == pytest.approx(plain.largest_weight_mean, rel=1e-4)
    assert result.theory["entropy"][at] == pytest.approx(plain.entropy_mean, rel=1e-4)
    assert result.theory["gradient"][at] == pytest.approx(
        result.factors[at, -1] * math.sqrt(plain.jacobian_norm2_mean), rel=1e-3
    )


def test_the_fourth_root_on_both_sides_is_right_at_every_dimension():
    dims = np.array([1, 2, 63, 64, 1000, 65_536])
    both, once = factors_at(dims, 7, 3)[[VARIANTS.index("quartic"), VARIANTS.index("right")]]
    np.testing.assert_allclose(both, once, rtol=1e-15)


def test_with_one_key_no_symptom_tells_the_lines_apart():
    result = last(keys=1)
    assert np.all(result.largest.value == 1.0)
    assert np.all(result.entropy.value == 0.0)
    assert np.all(result.gradient.value == 0.0)


def test_the_seed_shuffles_letters_and_picks_every_line_as_the_mystery_for_some_seed():
    drawn = [letters_of(seed) for seed in range(80)]
    assert {mystery for _letters, mystery in drawn} == set(VARIANTS)
    assert len({letters for letters, _mystery in drawn}) > 40
    assert all(sorted(letters) == sorted(VARIANTS) for letters, _mystery in drawn)


def test_coinciding_factors_are_called_alike():
    result = last(heads=1, dim=64, keys=64, rows=10)
    same = {name for name in VARIANTS if result.alike(name)}
    everything_right = {"right", "quartic", "sqrt_d_model", "sqrt_n"}
    assert same == (everything_right if result.mystery in everything_right else {result.mystery})


def test_a_law_that_is_drawn_component_by_component_shows_fewer_keys_and_no_weights():
    first = next(run(Scenario(law="laplace", dim=65_536, keys=4096, rows=4, section=WhichD())))
    assert first.keys_drawn < 4096
    assert np.all(np.isnan(first.largest.value))
    assert first.spread.value[0] == pytest.approx(1.0, abs=0.6)


def test_equal_scenarios_give_equal_bits_whatever_the_guess():
    one, other = (
        list(run(Scenario(dim=16, keys=8, rows=500, section=WhichD(guess=guess))))[-1] for guess in ("none", "twice")
    )
    assert one.mystery == other.mystery
    np.testing.assert_array_equal(one.entropy.value, other.entropy.value)


def test_saturated_rows_name_no_standard_error():
    result = last(dim=65_536, keys=4, rows=100)
    assert np.isnan(result.largest.error[VARIANTS.index("missing")])
    assert np.isfinite(result.largest.error[VARIANTS.index("right")])
