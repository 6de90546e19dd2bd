import math
from itertools import product

import numpy as np
import pytest

from attnsim.theory import exchangeable, mixture

VALUES, CHANCES = (-0.5, 2.0), (0.8, 0.2)  # mean 0, variance 1, and skewed
MOMENTS = [sum(p * v**j for v, p in zip(VALUES, CHANCES, strict=True)) for j in range(9)]
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(8)


def listed(dim, sigma_q, sigma_k, mean_q, rho, r_q, r_k):
    """Return E (M1 - M0)^2 summed over all values of the components, and over the common factor."""
    tau, total = rho / math.sqrt((1 - r_q) * (1 - r_k)), 0.0
    for picks in product(range(2), repeat=dim):
        a = np.array([VALUES[i] for i in picks])
        chance = math.prod(CHANCES[i] for i in picks)
        for f, weight in zip(NODES, WEIGHTS / WEIGHTS.sum(), strict=True):
            query = mean_q + sigma_q * (math.sqrt(r_q) * f + math.sqrt(1 - r_q) * a)
            total += chance * weight * (sigma_k * tau * math.sqrt(1 - r_k) * (a @ query)) ** 2
    return total


@pytest.mark.parametrize("dim", [1, 2, 4])
@pytest.mark.parametrize(
    "components",
    [
        {"sigma_q": 1.3, "sigma_k": 0.8, "mean_q": 0.7, "rho": -0.5, "r_q": 0.0, "r_k": 0.0},
        {"sigma_q": 1.3, "sigma_k": 0.8, "mean_q": 0.7, "rho": 0.4, "r_q": 0.3, "r_k": 0.2},
    ],
)
def test_the_gap_of_a_skewed_law_is_its_sum_over_all_values(dim, components):
    found = mixture.mean_gap_square(dim, a_moments=MOMENTS, mean_k=5.0, **components)
    assert found == pytest.approx(listed(dim, **components), rel=1e-12)


def test_the_gap_is_that_of_the_normal_law_when_the_components_are_normal():
    components = {"rho": 0.6, "mean_q": 0.5, "sigma_q": 2.0, "sigma_k": 0.3}
    normal = [1, 0, 1, 0, 3, 0, 15, 0, 105]
    np.testing.assert_allclose(
        mixture.mean_gap_square([1, 7, 512], a_moments=normal, **components),
        exchangeable.mean_gap_square([1, 7, 512], **components),
        rtol=1e-12,
    )


def test_many_keys_drown_the_aligned_one_in_all_but_the_tails():
    aligned, free = exchangeable.moments(64, rho=0.9), exchangeable.moments(64)
    found = mixture.pooled(65536, aligned, free, exchangeable.mean_gap_square(64, rho=0.9))
    assert found.variance == pytest.approx(64.0, rel=1e-3)
    assert found.excess_kurtosis - free.excess_kurtosis == pytest.approx((0.9 * 64) ** 4 / 65536 / 64**2, rel=0.25)


def test_alike_keys_make_a_mixture_of_one_law():
    free = exchangeable.moments(8, mean_q=0.4, mean_k=1.0)
    found = mixture.pooled(5, free, free, 0.0)
    for name in ("mean", "variance", "within_row_variance", "skewness", "excess_kurtosis"):
        assert getattr(found, name) == pytest.approx(float(getattr(free, name)), rel=1e-12), name
