"""Statistics of scores against those of the scores written down."""

import numpy as np
import pytest
from attention_reference import random_problem, scores_of

from attnsim.kernels.attention import attention
from attnsim.kernels.attention_statistics import score_statistics

OPTIONS = [
    {},
    {"causal": "bottom-right", "window": 2},
    {"softcap": 0.5, "scale": 2.0},
    {"mask": np.random.default_rng(1).random((2, 5, 7)) < 0.5, "bias": np.linspace(-1.0, 1.0, 7)},
]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("options", OPTIONS)
def test_every_number_is_that_of_the_visible_scores(options, dtype):
    q, k, v, _g = random_problem(1, heads=2, kv_heads=1)
    got = score_statistics(q, k, dtype=dtype, **options)
    weights = attention(q, k, v, dtype="float64", return_weights=True, **options).weights
    for place, row in np.ndenumerate(np.empty((1, 2, 5))):
        del row
        scores, p = scores_of(q, k, **options)[place], weights[place]
        seen = scores[scores > -np.inf]
        p = p[p > 0.0]
        wanted = {"visible": seen.size, "entropy": -(p * np.log(p)).sum()}
        if seen.size:
            wanted |= {"maximum": seen.max(), "mean": seen.mean(), "variance": seen.var()}
            wanted |= {"largest_weight": p.max(), "participation": 1.0 / (p * p).sum()}
        for name, value in wanted.items():
            assert getattr(got, name)[place] == pytest.approx(value, rel=1e-5, abs=2e-6), name


def test_shapes_are_those_of_the_queries():
    q, k, _v, _g = random_problem(2)
    assert score_statistics(q, k).mean.shape == (1, 2, 5)
    assert score_statistics(q[0], k[0]).mean.shape == (2, 5)
    assert score_statistics(q[0, 0], k[0, 0]).mean.shape == (5,)


@pytest.mark.parametrize("keys", [0, 3])
def test_a_query_that_sees_nothing_has_no_mean_and_no_weight(keys):
    got = score_statistics(np.ones((2, 4)), np.ones((keys, 4)), mask=np.zeros(keys, bool))
    assert got.visible.tolist() == [0.0, 0.0]
    assert got.maximum.tolist() == [-np.inf, -np.inf]
    assert np.isnan([got.mean, got.variance]).all()
    assert not np.any([got.entropy, got.largest_weight, got.participation])


def test_equal_scores_have_no_variance_and_the_entropy_of_the_logarithm():
    got = score_statistics(np.ones((1, 4)), np.ones((1000, 4)))
    assert (got.maximum[0], got.mean[0], got.variance[0]) == (2.0, 2.0, 0.0)
    assert got.entropy[0] == pytest.approx(np.log(1000.0), rel=1e-6)
    assert got.participation[0] == pytest.approx(1000.0, rel=1e-6)


def test_nan_in_a_seen_key_is_seen_and_in_a_hidden_one_is_not():
    q, k, _v, _g = random_problem(3, heads=1, kv_heads=1, n=3, m=3)
    k[0, 0, 2] = np.nan
    got = score_statistics(q, k, causal="top-left")
    for name in ("maximum", "mean", "variance", "entropy", "largest_weight", "participation"):
        assert np.isnan(getattr(got, name)[0, 0]).tolist() == [False, False, True], name


def test_normal_scores_over_100000_keys_have_mean_0_and_variance_1_and_the_memory_of_a_block():
    draw = np.random.default_rng(4).standard_normal
    q, k = draw((4, 64)), draw((100_000, 64))
    got = score_statistics(q, k)
    sd2 = (q * q).sum(axis=1) / 64.0  # given q, scores are normal with this variance
    assert (np.abs(got.mean) < 5.0 * np.sqrt(sd2 / 1e5)).all()
    assert (np.abs(got.variance / sd2 - 1.0) < 5.0 * np.sqrt(2.0 / 1e5)).all()
    assert (got.visible == 1e5).all()


def test_in_a_format_the_statistics_are_those_of_rounded_scores():
    q, k, _v, _g = random_problem(5, heads=1, kv_heads=1)
    got = score_statistics(q, k, dtype="fp8_e4m3")
    assert set(np.unique(np.frexp(got.maximum)[0] * 16.0 % 1.0)) == {0.0}
