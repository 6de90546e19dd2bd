import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy import integrate, special

from attnsim.theory.score_law import score_pdf, tail_probability

GOLDEN = Path(__file__).parents[3] / "shared" / "reference" / "golden.json"
REFERENCE = {
    "G06": lambda: score_pdf(10.0, 64, 0.3),
    "G07": lambda: tail_probability(100.0, 512),
    "G08": lambda: tail_probability(0.0, 64, 0.2),
}


@pytest.mark.skipif(not GOLDEN.exists(), reason="the reference values are not beside the checkout")
@pytest.mark.parametrize("name", REFERENCE)
def test_the_reference_probabilities_are_met(name):
    item = next(item for item in json.loads(GOLDEN.read_text()) if item["id"] == name)
    assert abs(float(REFERENCE[name]()) - item["value"]) <= item["tolerance"]


def test_the_first_two_dimensions_are_the_laws_of_the_textbook():
    x = np.array([-3.0, -0.2, 1e-6, 0.7, 12.0])
    np.testing.assert_allclose(score_pdf(x, 1), special.k0(np.abs(x)) / math.pi, rtol=1e-13)
    np.testing.assert_allclose(score_pdf(x, 2), 0.5 * np.exp(-np.abs(x)), rtol=1e-13)
    np.testing.assert_allclose(tail_probability(x[x > 0], 2), 0.5 * np.exp(-x[x > 0]), rtol=1e-13)


@pytest.mark.parametrize("dim", [2, 3, 64, 119, 120, 121, 122, 512, 65536])
def test_the_density_at_zero_is_the_ratio_of_gammas_and_is_continuous_there(dim):
    at_zero = math.exp(math.lgamma(dim / 2 - 0.5) - math.lgamma(dim / 2)) / (2 * math.sqrt(math.pi))
    assert score_pdf(0.0, dim) == pytest.approx(at_zero, rel=1e-9)
    assert score_pdf(1e-9, dim) == pytest.approx(at_zero, rel=1e-7)


@pytest.mark.parametrize(("dim", "rho"), [(2, 0.5), (8, -0.7), (64, 0.3), (122, 0.9), (512, 0.0), (4096, 0.2)])
def test_the_tail_is_the_integral_of_the_density(dim, rho):
    sd = math.sqrt(dim * (1 + rho**2))
    low, high = dim * rho + 0.7 * sd, dim * rho + 1.1 * sd
    mass = integrate.quad(lambda x: float(score_pdf(x, dim, rho)), low, high, epsabs=0, epsrel=1e-11)[0]
    ends = tail_probability(np.array([low, high]), dim, rho)
    assert ends[0] - ends[1] == pytest.approx(mass, rel=1e-9)


def test_both_tails_add_up_to_one():
    x = np.linspace(-30, 30, 13)
    np.testing.assert_allclose(tail_probability(x, 64, 0.3) + tail_probability(-x, 64, -0.3), 1.0, rtol=1e-12)


def test_an_odd_dimension_and_a_full_alignment_are_refused():
    with pytest.raises(ValueError, match="even and at least 2, not 3"):
        tail_probability(0.0, 3)
    with pytest.raises(ValueError, match=r"strictly between -1 and 1, not 1\.0"):
        score_pdf(0.0, 4, 1.0)
