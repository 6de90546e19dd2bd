import math

import numpy as np
import pytest

from attnsim.theory import variance_propagation as stack


def relu(x):
    return np.maximum(x, 0.0)


@pytest.mark.parametrize("gain", [1.0, 2.0, 0.5])
def test_relu_layers_multiply_the_square_by_half_the_gain(gain):
    rng, width, draws = np.random.default_rng(83), 64, 300
    squares = []
    for _draw in range(draws):
        h = rng.standard_normal(width)
        for _layer in range(4):
            h = relu(rng.standard_normal((width, width)) @ h * math.sqrt(gain / width))
        squares.append((h**2).mean())
    assert abs(np.mean(squares) - stack.relu_square(4, gain)) < 5 * np.std(squares) / math.sqrt(draws)


@pytest.mark.parametrize("use_relu", [True, False])
def test_ratios_spread_with_depth_over_width(use_relu):
    # given |h|^2, a layer's units are independent normals: the ratio is a product of independent factors
    rng, width, depth, rows = np.random.default_rng(89), 128, 16, 20_000
    logarithm = np.zeros(rows)
    for _layer in range(depth):
        z = rng.standard_normal((rows, width))
        logarithm += np.log(((relu(z) * math.sqrt(2) if use_relu else z) ** 2).mean(axis=1))
    squares = np.exp(2 * logarithm)
    exact = stack.ratio_second_moment(depth, width, relu=use_relu)
    assert abs(squares.mean() - exact) < 5 * squares.std() / math.sqrt(rows)
    mean, variance = stack.log_ratio(depth, width, relu=use_relu)
    assert logarithm.mean() == pytest.approx(float(mean), rel=8 / width)
    assert logarithm.var() == pytest.approx(float(variance), rel=8 / width)


def test_tanh_layers_shrink_like_one_over_twice_the_depth():
    squares = stack.tanh_squares(2000)
    assert squares[1] == pytest.approx(0.3943, abs=5e-5)
    assert squares[10] == pytest.approx(0.0522, abs=5e-5)
    assert squares[30] == pytest.approx(0.0172, abs=5e-5)
    assert squares[2000] * 4000 == pytest.approx(1.0, abs=0.01)


def test_angles_close_as_published():
    cosines = stack.relu_cosines(4000)
    np.testing.assert_allclose(cosines[[1, 2, 5, 10]], [0.3183, 0.4937, 0.7359, 0.8715], atol=6e-5)
    assert (1 - cosines[4000]) * 4000**2 == pytest.approx(9 * math.pi**2 / 2, rel=0.02)
    assert stack.relu_cosine([-1.0, 1.0]).tolist() == pytest.approx([0.0, 1.0])


def test_the_angle_map_is_that_of_simulated_units():
    rng, c = np.random.default_rng(97), -0.3
    z = rng.standard_normal((2, 400_000))
    pairs = relu(z[0]) * relu(c * z[0] + math.sqrt(1 - c * c) * z[1]) * 2
    assert abs(pairs.mean() - stack.relu_cosine(c)) < 5 * pairs.std() / math.sqrt(pairs.size)


def test_normalised_layers_keep_half_the_square_and_batch_norm_blows_the_gradient_up():
    z = np.random.default_rng(101).standard_normal(400_000)
    squares = relu(z) ** 2
    assert abs(squares.mean() - stack.normalised_relu_square()) < 5 * squares.std() / math.sqrt(z.size)
    centred = 0.5 - 1 / (2 * math.pi)
    assert pytest.approx(0.5 / centred) == stack.BATCH_NORM_RELU_GRADIENT


def test_linear_layers_multiply_by_the_gain():
    assert stack.linear_square([0, 1, 10], 0.9) == pytest.approx([1.0, 0.9, 0.9**10])


def test_one_attention_layer_brings_orthogonal_tokens_to_their_participation():
    flat = stack.collapse_step(0.0, 0.0, 64)
    assert flat == pytest.approx(1.0)
    assert stack.collapse_step(0.0, 1.0, 64) == pytest.approx(0.403, abs=1e-3)
    assert stack.collapse_step(0.0, 20.0, 64) == pytest.approx(1 - 0.982, abs=1e-3)
    assert stack.collapse_step(0.5, 1.0, 64) > 0.5


def test_impossible_stacks_are_refused():
    with pytest.raises(ValueError, match=r"weight_gain must lie in \(0, inf\], not 0"):
        stack.relu_square(3, 0.0)
    with pytest.raises(ValueError, match=r"cosine must lie in \[-1, 1\], not 2"):
        stack.relu_cosine(2.0)


@pytest.mark.parametrize("gain", [0.5, 1.0, 2.0])
def test_a_wide_tanh_layer_passes_the_gradient_on_as_drawn_layers_do(gain):
    rng, width = np.random.default_rng(4), 1500
    weights = rng.standard_normal((width, width)) * np.sqrt(gain / width)
    h = rng.standard_normal((40, width))
    back = (rng.standard_normal((40, width)) * (1 - np.tanh(h @ weights) ** 2)) @ weights.T
    expected = stack.tanh_gradients(1, gain)
    assert np.mean(back**2) == pytest.approx(expected[0], rel=0.03)


def test_normalised_layers_keep_the_square_and_a_relu_behind_a_layer_norm_keeps_the_gradient():
    np.testing.assert_allclose(stack.normalised_squares(3, "relu"), [1.0, 0.5, 0.5, 0.5])
    np.testing.assert_allclose(stack.normalised_gradients(3, "relu", batch=False), [0.5, 1.0, 1.0, 1.0])
    np.testing.assert_allclose(stack.normalised_gradients(2, "linear", batch=False), 1.0)
    factor = stack.BATCH_NORM_RELU_GRADIENT
    np.testing.assert_allclose(stack.normalised_gradients(2, "relu", batch=True), [factor / 2, factor, 1])
    assert np.isnan(stack.normalised_gradients(2, "tanh", batch=True)).all()
