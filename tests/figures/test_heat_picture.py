import numpy as np
import pytest

from attnsim.figures.heat_picture import heat_picture, heat_share
from attnsim.figures.marks import Axis, Heat
from attnsim.figures.palette import scale_table

LINEAR, LOG = Axis(low=0.0, high=4.0), Axis(low=1.0, high=100.0, log=True)


def test_equal_cells_are_a_pixel_each_with_the_colours_of_their_values():
    values = np.array([[0.0, 0.5], [1.0, np.nan], [2.0, -1.0]])
    pixels, rectangle = heat_picture(Heat([0, 2, 4], [0, 1, 2, 3], values, 0.0, 1.0), LINEAR, LINEAR, "light")
    table = scale_table("sequential", "light")
    expected = [[table[0], table[128]], [table[255], np.zeros(4)], [table[255], table[0]]]
    np.testing.assert_array_equal(pixels, expected)
    assert rectangle == (0.0, 1.0, 0.0, 0.75)


def test_cells_that_are_equal_in_the_logarithm_are_a_pixel_each_on_a_logarithmic_axis():
    heat = Heat([1.0, 10.0, 100.0], [0, 1], np.array([[0.0, 1.0]]), 0.0, 1.0)
    assert heat_picture(heat, LOG, LINEAR, "light")[0].shape == (1, 2, 4)
    assert heat_picture(heat, Axis(high=100.0), LINEAR, "light", 200)[0].shape == (1, 200, 4)


def test_unequal_cells_fill_pixels_by_their_size():
    heat = Heat([0.0, 1.0, 4.0], [0.0, 4.0], np.array([[0.0, 1.0]]), 0.0, 1.0)
    pixels, _ = heat_picture(heat, LINEAR, LINEAR, "dark", most=100)
    low = (pixels[0] == scale_table("sequential", "dark")[0]).all(axis=1)
    assert low.tolist() == [True] * 25 + [False] * 75


def test_zero_is_the_middle_of_a_diverging_scale_and_equal_distances_are_equally_strong():
    heat = Heat([0, 1], [0, 1], np.zeros((1, 1)), -1.0, 3.0, "diverging")
    np.testing.assert_allclose(heat_share(heat, np.array([0.0, -1.0, 1.0, 3.0, -9.0])), [0.5, 1 / 3, 2 / 3, 1.0, 1 / 3])


def test_edges_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match=r"values of shape \(1, 2\) has columns and rows, not 2 and 2"):
        heat_picture(Heat([0, 1], [0, 1], np.zeros((1, 2)), 0.0, 1.0), LINEAR, LINEAR, "light")
