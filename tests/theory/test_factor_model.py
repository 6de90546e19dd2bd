import json
import math
from pathlib import Path

import numpy as np
import pytest

from attnsim.theory.factor_model import factor_correlations, factor_variance, heavy_tail_growth

GOLDEN = Path(__file__).parents[3] / "shared" / "reference" / "golden.json"
NAMES = {"sq": "sigma_q", "sk": "sigma_k", "mq": "mean_q", "mk": "mean_k", "rq": "r_q", "rk": "r_k", "om": "omega"}
CUMULANTS = {"skew_a": "skew_a", "exkurt_a": "excess_a", "skew_f": "skew_f", "exkurt_f": "excess_f"}


@pytest.mark.skipif(not GOLDEN.exists(), reason="the reference values are not beside the checkout")
def test_the_reference_variance_is_met():
    item = next(item for item in json.loads(GOLDEN.read_text()) if item["id"] == "G20")
    params = dict(item["params"])
    cumulants = {CUMULANTS[name]: params.pop(name) for name in CUMULANTS}
    variance = factor_variance(params.pop("d"), **{NAMES.get(n, n): v for n, v in params.items()}, cumulants=cumulants)
    assert abs(float(variance) - item["value"]) <= item["tolerance"]


def test_simulated_factors_of_skewed_laws_have_this_variance():
    rng, rows, dim = np.random.default_rng(157), 300_000, 5
    tau, omega, r_q, r_k, mean_q, mean_k = 0.6, 0.5, 0.3, 0.4, 0.7, -0.5
    f, h, a, b = (rng.exponential(size=(rows, n)) - 1.0 for n in (1, 1, dim, dim))
    g = omega * f + math.sqrt(1 - omega**2) * h
    q = mean_q + 1.2 * (math.sqrt(r_q) * f + math.sqrt(1 - r_q) * a)
    own = tau * a + math.sqrt(1 - tau**2) * b
    k = mean_k + 0.9 * (math.sqrt(r_k) * g + math.sqrt(1 - r_k) * own)
    scores = (q * k).sum(axis=1)
    squares = (scores - scores.mean()) ** 2
    exact = factor_variance(
        dim, sigma_q=1.2, sigma_k=0.9, mean_q=mean_q, mean_k=mean_k, r_q=r_q, r_k=r_k, tau=tau, omega=omega,
        cumulants={"skew_a": 2.0, "excess_a": 6.0, "skew_f": 2.0, "excess_f": 6.0},
    )  # fmt: skip
    assert abs(squares.mean() - exact) < 5 * squares.std() / math.sqrt(rows)
    rho, c = factor_correlations(tau=tau, omega=omega, r_q=r_q, r_k=r_k)
    seen = np.corrcoef(np.stack([q[:, 0], k[:, 0], k[:, 1]]))
    assert seen[0, 1] == pytest.approx(rho, abs=0.02)
    assert seen[0, 2] == pytest.approx(c, abs=0.02)


def test_laws_play_no_part_without_shared_parts():
    plain = factor_variance([3, 30], r_q=0.2, r_k=0.3, mean_q=0.4)
    heavy = factor_variance([3, 30], r_q=0.2, r_k=0.3, mean_q=0.4, cumulants={"excess_a": 50.0, "excess_f": 50.0})
    np.testing.assert_array_equal(plain, heavy)


def test_heavy_tails_grow_faster_than_the_root():
    assert heavy_tail_growth(1.0, 64, 1024) == pytest.approx(26.7, abs=0.05)
    assert heavy_tail_growth(1.5, 64, 1024) == pytest.approx(8.9, abs=0.05)
    assert heavy_tail_growth(5.0, 64, 1024) == pytest.approx(4.0)


def test_impossible_factors_are_refused():
    with pytest.raises(ValueError, match=r"omega must lie in \[-1, 1\], not 2"):
        factor_variance(4, omega=2.0)
    with pytest.raises(ValueError, match=r"nu must lie in \(0, inf\], not 0"):
        heavy_tail_growth(0.0, 64, 128)
