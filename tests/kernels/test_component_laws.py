"""Variates drawn in lanes against the laws they are named after."""

import numpy as np
import pytest
from scipy import stats

from attnsim.kernels.compiled import compiled
from attnsim.kernels.component_laws import LAWS, fill_variates, law_numbers
from attnsim.kernels.lanes import LANES
from attnsim.kernels.normals import random_words
from attnsim.kernels.rng import stream_key

SHAPES = {"student_t": 3.0, "lognormal": 0.7, "sparse": 0.3}
W = np.exp(0.49)
FROZEN = {
    "normal": stats.norm(),
    "uniform": stats.uniform(-np.sqrt(3.0), np.sqrt(12.0)),
    "laplace": stats.laplace(scale=np.sqrt(0.5)),
    "student_t": stats.t(3.0, scale=np.sqrt(1.0 / 3.0)),
    "lognormal": stats.lognorm(0.7, loc=-1.0 / np.sqrt(W - 1.0), scale=1.0 / np.sqrt((W - 1.0) * W)),
}


@compiled
def _fill(x, y, words, law, shape):
    for i in range(x.shape[0]):
        fill_variates(x[i], y[i], words[i], 0, law, shape)


def pairs(law, shape, blocks=400):
    """Both variates of every pair, float64 of shape (blocks * LANES,) each."""
    words = random_words(stream_key(4, law), blocks * 4 * LANES).reshape(blocks, 4, LANES)
    x, y = np.empty((2, blocks, LANES), np.float32)
    _fill(x, y, words, LAWS[law].code, law_numbers(law, shape))
    return x.ravel().astype(float), y.ravel().astype(float)


@pytest.mark.parametrize("law", list(FROZEN))
def test_both_variates_follow_the_law_and_do_not_follow_each_other(law):
    x, y = pairs(law, SHAPES.get(law))
    for sample in (x, y):
        assert stats.kstest(sample, FROZEN[law].cdf).pvalue > 1e-3
    ranks = np.corrcoef(stats.rankdata(x), stats.rankdata(y))[0, 1]
    sizes = np.corrcoef(stats.rankdata(np.abs(x)), stats.rankdata(np.abs(y)))[0, 1]
    assert max(abs(ranks), abs(sizes)) < 5 / np.sqrt(x.size)


@pytest.mark.parametrize("nu", [0.6, 1.0, 2.0, 30.0, 1e6])
def test_student_variates_have_the_right_tails_from_wild_to_normal(nu):
    x, _ = pairs("student_t", nu)
    scale = np.sqrt((nu - 2.0) / nu) if nu > 2.0 else 1.0
    assert np.isfinite(x).all()
    assert stats.kstest(x, stats.t(nu, scale=scale).cdf).pvalue > 1e-3


def test_signs_are_fair_and_sparse_variates_are_mostly_nothing():
    x, y = pairs("sign", None)
    assert set(np.unique(x)) == {-1.0, 1.0}
    assert abs(np.mean(x * y)) < 5 / np.sqrt(x.size)
    x, y = pairs("sparse", 0.3)
    for sample in (x, y):
        there = sample != 0.0
        assert abs(there.mean() - 0.3) < 5 * np.sqrt(0.21 / x.size)
        assert stats.kstest(sample[there] * np.sqrt(0.3), "norm").pvalue > 1e-3
    assert abs(np.corrcoef(x != 0.0, y != 0.0)[0, 1]) < 5 / np.sqrt(x.size)


@pytest.mark.parametrize(
    ("law", "shape", "named"),
    [
        ("normal", 2.0, "shape must be left out for the law normal"),
        ("student_t", None, "shape must lie in 0.6"),
        ("student_t", 0.1, "shape must lie in 0.6"),
        ("lognormal", 9.0, "shape must lie in 0.01"),
        ("sparse", 0.0, "shape must lie in 0.0001"),
        ("cauchy", None, "law must be one of"),
    ],
)
def test_refusals_name_the_argument(law, shape, named):
    with pytest.raises(ValueError, match=named):
        law_numbers(law, shape)
