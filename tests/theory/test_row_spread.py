import math

import numpy as np
import pytest

from attnsim.theory.exchangeable import axes, moments
from attnsim.theory.row_spread import averaged_expectations, query_norms, row_spreads
from attnsim.theory.softmax_expectations import expectations


@pytest.mark.parametrize("dim", [1, 2, 5, 64, 4096])
def test_the_norms_have_the_moments_of_a_chi_law(dim):
    norms, chances = query_norms(dim)
    assert chances.sum() == pytest.approx(1.0, abs=1e-13)
    assert chances @ norms**2 == pytest.approx(dim, rel=1e-11)
    assert chances @ norms**4 == pytest.approx(dim * (dim + 2), rel=1e-11)
    mean = math.sqrt(2) * math.exp(math.lgamma((dim + 1) / 2) - math.lgamma(dim / 2))
    assert chances @ norms == pytest.approx(mean, rel=1e-10)


@pytest.mark.parametrize("dim", [1, 2, 8, 9, 64])
@pytest.mark.parametrize("components", [
    {}, {"rho": 0.5}, {"mean_q": 0.7, "sigma_k": 0.8}, {"r_q": 0.3, "r_k": 0.2, "rho": 0.1, "mean_q": 0.4},
])  # fmt: skip
def test_the_mean_square_spread_is_the_within_row_variance(dim, components):
    spreads, chances = row_spreads(axes(dim, **components), 0.5)
    exact = 0.25 * float(moments(dim, **components).within_row_variance)
    assert chances @ spreads**2 == pytest.approx(exact, rel=1e-8)


def test_rows_of_finite_dimension_are_a_little_less_sharp():
    spreads, chances = row_spreads(axes(64), 1 / 8)
    assert float(averaged_expectations(12, spreads, chances).largest_weight) == pytest.approx(0.2888, abs=5e-5)
    assert float(expectations(12, 1.0).largest_weight) == pytest.approx(0.2898, abs=5e-5)


def test_interpolated_and_exact_averages_agree():
    spreads, chances = row_spreads(axes(16, mean_q=0.5), 0.25)
    some = np.argsort(chances)[-60:]
    quick = averaged_expectations(64, spreads[some], chances[some])
    exact = averaged_expectations(64, spreads[some], chances[some], exact=True)
    assert float(quick.entropy) == pytest.approx(float(exact.entropy), rel=1e-6)
    assert float(quick.sum_p2) == pytest.approx(float(exact.sum_p2), rel=1e-6)
    assert exact.seconds > 0.0


@pytest.mark.parametrize(("dim", "components"), [(4, {}), (16, {"mean_q": 0.6}), (12, {"r_q": 0.4, "r_k": 0.3})])
def test_simulated_rows_have_the_averaged_means(dim, components):
    rng, rows, keys = np.random.default_rng(17), 15_000, 24
    r_q, r_k = components.get("r_q", 0.0), components.get("r_k", 0.0)
    q = math.sqrt(r_q) * rng.standard_normal((rows, 1)) + math.sqrt(1 - r_q) * rng.standard_normal((rows, dim))
    q += components.get("mean_q", 0.0)
    # given q, keys enter through q . k only, which is normal
    variance = r_k * q.sum(axis=1) ** 2 + (1 - r_k) * (q**2).sum(axis=1)
    scores = np.sqrt(variance / dim)[:, None] * rng.standard_normal((rows, keys))
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    means = averaged_expectations(keys, *row_spreads(axes(dim, **components), dim**-0.5))
    for seen, exact in ((p.max(axis=1), means.largest_weight), ((p**2).sum(axis=1), means.sum_p2)):
        assert abs(seen.mean() - exact) < 5 * seen.std() / math.sqrt(rows)
