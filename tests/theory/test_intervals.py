import numpy as np
import pytest
from scipy import stats

from attnsim.theory.intervals import chi_square_interval, normal_quantile, student_quantile


def test_the_quantiles_everyone_knows_come_out():
    assert normal_quantile(0.975) == pytest.approx(1.959963984540054, rel=1e-14)
    assert student_quantile(0.975, 10) == pytest.approx(2.2281388519649385, rel=1e-10)
    assert student_quantile(0.975, np.inf) == normal_quantile(0.975)


@pytest.mark.parametrize("df", [0.5, 3.0, 100.0, 1e7])
def test_a_chi_square_misses_its_interval_equally_often_on_both_sides(df):
    low, high = chi_square_interval(df, 0.9)
    assert stats.chi2.cdf(low, df) == pytest.approx(0.05, rel=1e-9)
    assert stats.chi2.sf(high, df) == pytest.approx(0.05, rel=1e-9)


def test_a_level_in_percent_is_refused():
    with pytest.raises(ValueError, match=r"level must lie in 0\.\.1, not 95"):
        chi_square_interval(10, 95)
