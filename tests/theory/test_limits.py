import numpy as np
import pytest

from attnsim.theory.limits import within


def test_what_lies_inside_comes_back_as_numbers():
    assert within("n", [1, 2], 1.0, 2.0).dtype == np.float64
    assert float(within("n", 3, 3.0, whole=True)) == 3.0


@pytest.mark.parametrize(
    ("value", "options", "message"),
    [
        (0.5, {"low": 1.0}, r"n must lie in \[1, inf\], not 0\.5"),
        (0.0, {"low": 0.0, "beyond_low": True}, r"n must lie in \(0, inf\], not 0"),
        (1.0, {"high": 1.0, "below_high": True}, r"n must lie in \[-inf, 1\), not 1"),
        (2.5, {"low": 0.0, "whole": True}, r"n must be whole and lie in \[0, inf\], not 2\.5"),
        ([1.0, np.nan], {"low": 0.0}, "not nan"),
    ],
)
def test_what_lies_outside_is_refused_with_the_region(value, options, message):
    with pytest.raises(ValueError, match=message):
        within("n", value, **options)
