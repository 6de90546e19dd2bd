"""Laws of the components: the moments they name are the moments they draw."""

import math

import pytest
from scipy import stats

from attnsim.choices.laws import LAWS, student_t
from attnsim.kernels.rng import stream_key
from attnsim.kernels.variates import normal_variates, sign_variates, student_variates, uniform_variates

DRAWN = {
    "normal": normal_variates,
    "sign": sign_variates,
    "uniform": uniform_variates,
    "student_t": lambda key, rows, keys, dim: student_variates(key, rows, keys, dim, 12.0),
}
LAW_OF = {
    "normal": stats.norm(),
    "uniform": stats.uniform(-math.sqrt(3), 2 * math.sqrt(3)),
    "student_t": stats.t(12.0, scale=math.sqrt(10 / 12)),
}


@pytest.mark.parametrize("name", list(LAWS))
def test_drawn_variates_have_the_moments_the_law_names(name):
    values = DRAWN[name](stream_key(1, "test"), 4, 5, 20_001).ravel()
    named = LAWS[name].moments(12.0)
    for j in range(1, 5):
        error = math.sqrt((named[2 * j] - named[j] ** 2) / values.size)
        assert abs((values**j).mean() - named[j]) <= 5 * error + 1e-12, j


@pytest.mark.parametrize("name", list(LAW_OF))
def test_drawn_variates_follow_the_law(name):
    values = DRAWN[name](stream_key(2, "test"), 2, 3, 10_001).ravel()
    assert stats.kstest(values, LAW_OF[name].cdf).pvalue > 1e-3


def test_student_without_a_variance_is_plain_t():
    values = student_variates(stream_key(3, "test"), 1, 1, 50_000, 1.5).ravel()
    assert stats.kstest(values, stats.t(1.5).cdf).pvalue > 1e-3


@pytest.mark.parametrize("nu", [1.0, 2.0, 4.0, 9.0, 30.0])
def test_students_moments_end_where_they_cease_to_exist(nu):
    named = student_t.moments(nu)
    for j in range(2, 9, 2):
        assert math.isfinite(named[j]) == (j < nu)
    if nu > 4:
        scale = (nu - 2) / nu
        assert named[4] == pytest.approx(stats.t(nu).stats("k") + 3, rel=1e-12)
        assert named[2] == pytest.approx(scale * stats.t(nu).var(), rel=1e-12)


@pytest.mark.parametrize("name", list(LAWS))
def test_every_law_says_what_it_is_where_it_comes_from_and_why(name):
    law = LAWS[name]
    assert law.key == name
    assert law.formula
    assert law.source
    assert all(sentence.endswith(".") for sentence in law.sentences)
