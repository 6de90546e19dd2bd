"""Products in which what is hidden counts for nothing."""

import numpy as np
import pytest

from attnsim.kernels.attention_arithmetic import Plain
from attnsim.kernels.attention_products import add_seen, tame


def test_a_hidden_term_is_left_out_and_a_seen_one_is_not():
    a = np.array([[0.0, 2.0, 0.0], [0.0, 1.0, 0.0]])
    b = np.array([[np.nan, 1.0], [1.0, np.inf], [np.inf, np.inf]])
    seen = np.array([[False, True, False], [False, True, True]])
    total = np.ones((2, 2))
    with np.errstate(invalid="ignore"):
        add_seen(Plain(), total, a, b, seen)
    np.testing.assert_array_equal(total, [[3.0, np.inf], [np.nan, np.nan]])  # 0 * inf where it is seen


def test_of_finite_numbers_it_is_the_product():
    draw = np.random.default_rng(1).standard_normal
    a, b, total = draw((3, 4)), draw((4, 2)), draw((3, 2))
    wanted = total + a @ b
    for seen in (None, np.ones((3, 4), bool)):
        found = total.copy()
        add_seen(Plain(), found, a, b, seen)
        np.testing.assert_allclose(found, wanted, rtol=1e-14)


@pytest.mark.parametrize("wild", [np.nan, -np.nan, np.inf, -np.inf, 1e30, -1e30])
def test_one_wild_number_is_found(wild):
    x = np.ones((3, 4), np.float32)
    assert tame(x, None, np.ones((0, 2)))
    x[1, 2] = wild
    assert not tame(np.ones(2), x)
