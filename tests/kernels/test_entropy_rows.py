import numpy as np
import pytest

from attnsim.kernels.entropy_rows import entropy_rows


@pytest.mark.parametrize("keys", [1, 2, 64, 4097])
def test_even_weights_have_the_entropy_of_the_logarithm(keys):
    np.testing.assert_allclose(entropy_rows(np.full((3, keys), 1.0 / keys)), np.log(keys), rtol=1e-13, atol=1e-15)


def test_zeros_count_nothing_and_nan_takes_its_row():
    weights = np.array([[0.5, 0.0, 0.5, 0.0], [0.0, np.nan, 0.0, 1.0], [0.0, 0.0, 0.0, 0.0], [5e-324, 0.0, 1.0, 0.0]])
    found = entropy_rows(weights)
    np.testing.assert_allclose(found[[0, 2, 3]], [np.log(2), 0.0, 0.0], atol=1e-15)
    assert np.isnan(found[1])


def test_weights_need_not_sum_to_1():
    weights = np.random.default_rng(1).random((5, 33))
    np.testing.assert_allclose(entropy_rows(weights), -(weights * np.log(weights)).sum(1), rtol=1e-13)


def test_one_row_alone_is_refused_by_its_shape():
    with pytest.raises(ValueError, match=r"got \(4,\)"):
        entropy_rows(np.zeros(4))
