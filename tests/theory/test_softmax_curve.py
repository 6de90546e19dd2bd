import math

import numpy as np
import pytest

from attnsim.theory.random_energy import mean_maximum
from attnsim.theory.softmax_curve import LAST, interpolated_expectations
from attnsim.theory.softmax_expectations import NAMES, expectations

SPREADS = np.array([0.003, 0.2, 0.9, 1.7, 2.9, 3.6, 4.4, 5.7, 8.1, 13.0, 22.6, 29.0])


@pytest.mark.parametrize(
    ("keys", "error", "cube_error"),
    [(2, 1e-6, 1e-6), (8, 1e-6, 1e-6), (64, 2e-6, 1e-5), (512, 1e-5, 2e-5), (65536, 1e-5, 2e-4), (1e17, 2e-3, 2e-2)],
)
def test_the_curve_keeps_its_stated_error_within_spread_30(keys, error, cube_error):
    quick, exact = interpolated_expectations(keys, SPREADS), expectations(keys, SPREADS)
    for name in NAMES:
        allowed = cube_error if name == "sum_p3" else error
        np.testing.assert_allclose(getattr(quick, name), getattr(exact, name), rtol=allowed, err_msg=name)


@pytest.mark.parametrize("keys", [2, 64, 65536])
def test_beyond_spread_30_the_laws_keep_their_stated_error(keys):
    s = np.array([31.0, 40.0, 64.0, 150.0])
    quick, exact = interpolated_expectations(keys, s), expectations(keys, s)
    for name in ("sum_p2", "sum_p3", "largest_weight"):
        np.testing.assert_allclose(1 - getattr(quick, name), 1 - getattr(exact, name), rtol=1e-4, err_msg=name)
    for name in ("jacobian_norm2", "log_normaliser"):
        np.testing.assert_allclose(getattr(quick, name), getattr(exact, name), rtol=1e-4, err_msg=name)
    np.testing.assert_allclose(quick.entropy, exact.entropy, rtol=3e-4)


@pytest.mark.parametrize("keys", [2, 8, 512, 1e9, 1e17])
def test_the_curve_has_no_step_at_the_join(keys):
    at = interpolated_expectations(keys, [LAST * (1 - 1e-12), LAST, LAST * (1 + 1e-12)])
    for name in NAMES:
        if name != "sink_mass":
            values = getattr(at, name)
            assert np.ptp(values) <= 1e-9 * max(1.0, abs(values[1])), name


@pytest.mark.parametrize("keys", [2, 64, 65536])
def test_far_out_the_laws_of_the_two_largest_scores_remain(keys):
    top, s = float(mean_maximum(keys)), 1e7
    far = interpolated_expectations(keys, s)
    assert (1 - far.sum_p2) * s / top == pytest.approx(1.0, abs=1e-5)
    assert (1 - far.largest_weight) * s / top == pytest.approx(math.log(2), abs=1e-5)
    assert far.entropy * s / top == pytest.approx(math.pi**2 / 6, abs=1e-5)
    assert far.jacobian_norm2 * s / top == pytest.approx(1 / 3, abs=1e-5)


def test_the_ends_are_trivial():
    ends = interpolated_expectations(64, [0.0, math.inf])
    assert ends.entropy == pytest.approx([math.log(64), 0.0], abs=1e-12)
    assert ends.sum_p2 == pytest.approx([1 / 64, 1.0], rel=1e-12)
    assert ends.log_normaliser[1] == math.inf
    alone = interpolated_expectations(1, [0.0, 3.0, 50.0])
    assert alone.largest_weight.tolist() == [1.0, 1.0, 1.0]
    assert alone.sink_mass[:2] == pytest.approx([0.5, 0.5])


def test_between_one_and_two_keys_the_curve_refuses():
    with pytest.raises(ValueError, match=r"keys must lie in \[2, 1e\+18\], not 1\.5"):
        interpolated_expectations(1.5, 1.0)
