import numpy as np
import pytest

from attnsim.theory import critical_spreads
from attnsim.theory.random_energy import condensation_threshold


def test_the_table_of_critical_spreads_is_met():
    n = np.array([8.0, 16.0, 64.0, 512.0, 4096.0, 65536.0, 1e6])
    half = critical_spreads.half_mass_spread(n)
    np.testing.assert_allclose(half, [2.438, 3.180, 4.402, 5.854, 7.049, 8.407, 9.568], atol=6e-4)
    entropy = critical_spreads.half_entropy_spread(n)
    np.testing.assert_allclose(entropy, [2.382, 2.459, 2.623, 2.885, 3.151, 3.500, 3.830], atol=6e-4)
    spreads, norms = critical_spreads.steepest_spread(n)
    np.testing.assert_allclose(spreads, [1.24, 2.07, 3.45, 5.06, 6.36, 7.81, 9.03], atol=6e-3)
    np.testing.assert_allclose(norms, [0.1361, 0.1169, 0.1022, 0.0945, 0.0912, 0.0890, 0.0877], atol=6e-5)


def test_up_to_four_keys_the_jacobian_is_largest_for_even_weights():
    spreads, norms = critical_spreads.steepest_spread([2, 3, 4, 5])
    assert spreads[:3].tolist() == [0.0, 0.0, 0.0]
    assert spreads[3] > 0.0
    np.testing.assert_allclose(norms[:3], [1 / 4, 2 / 9, 3 / 16], rtol=1e-12)


def test_unscaled_dimensions_where_one_key_takes_half_are_those_of_the_audit():
    dims = np.ceil(critical_spreads.half_mass_spread([512, 4096, 65536]) ** 2)
    assert dims.tolist() == [35.0, 50.0, 71.0]


def test_the_steepest_place_moves_towards_twice_the_threshold():
    ratios = critical_spreads.steepest_spread([8, 512, 1e6, 1e17])[0] / condensation_threshold([8, 512, 1e6, 1e17])
    assert np.all(np.diff(ratios) > 0)
    assert ratios[-1] < 2.0


def test_a_share_that_even_weights_exceed_is_refused():
    with pytest.raises(ValueError, match=r"share must lie in \(0\.5, 1\), not 0\.5"):
        critical_spreads.half_mass_spread(2)
