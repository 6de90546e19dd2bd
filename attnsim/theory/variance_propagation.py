"""Second moments through a stack of random layers: how an initialisation keeps, loses or blows up the signal.

Layers h -> f(W h) of N units without bias, weights N(0, v); the input is standard normal.
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.theory.limits import within
from attnsim.theory.softmax_curve import interpolated_expectations

Floats = NDArray[np.float64]

BATCH_NORM_RELU_GRADIENT = math.pi / (math.pi - 1.0)  # by which each layer multiplies the gradient's variance


def relu_square(depth: ArrayLike, weight_gain: float) -> Floats:
    """Return E h^2 after `depth` ReLU layers, (N v/2)^depth of a standard normal input.

    Parameters
    ----------
    depth : array_like
        0 or more.
    weight_gain : float
        N v: 1 for Xavier, 2 for Kaiming, N sigma^2 in general; above 0. The gradient's variance is multiplied by
        N v/2 per layer too.
    """
    within("weight_gain", weight_gain, 0.0, beyond_low=True)
    return np.asarray((0.5 * weight_gain) ** within("depth", depth, 0.0), dtype=np.float64)


def linear_square(depth: ArrayLike, weight_gain: float) -> Floats:
    """Return E h^2 after `depth` linear layers, (N v)^depth."""
    within("weight_gain", weight_gain, 0.0, beyond_low=True)
    return np.asarray(weight_gain ** within("depth", depth, 0.0), dtype=np.float64)


def ratio_second_moment(depth: ArrayLike, width: float, *, relu: bool = True) -> Floats:
    """Return E r^2 of the ratio r = |h_L|^2/|h_0|^2 at the gain that keeps E r = 1: (1 + 5/N)^L, linear (1 + 2/N)^L."""
    within("width", width, 1.0)
    return np.asarray((1.0 + (5.0 if relu else 2.0) / width) ** within("depth", depth, 0.0), dtype=np.float64)


def log_ratio(depth: ArrayLike, width: float, *, relu: bool = True) -> tuple[Floats, Floats]:
    """Return mean and variance of ln r, -(c/2) L/N and c L/N with c = 5 (linear: 2), to leading order.

    The relative error is below 8/N (measured).
    """
    within("width", width, 1.0)
    spread = (5.0 if relu else 2.0) * within("depth", depth, 0.0) / width
    return -0.5 * spread, spread


def tanh_squares(depth: int, weight_gain: float = 1.0) -> Floats:
    """Return E h^2 after 0..depth tanh layers of many units: q <- E tanh^2(sqrt(N v q) z), shape (depth + 1,).

    At N v = 1 it falls like 1/(2 l).
    """
    within("depth", depth, 0.0, whole=True)
    within("weight_gain", weight_gain, 0.0, beyond_low=True)
    z, chances = _normal_grid()
    squares = [1.0]
    for _layer in range(int(depth)):
        squares.append(float(chances @ np.tanh(math.sqrt(weight_gain * squares[-1]) * z) ** 2))
    return np.array(squares)


def relu_cosine(cosine: ArrayLike) -> Floats:
    """Return the cosine of two signals after one wide ReLU layer: [sqrt(1 - c^2) + c (pi - arccos c)]/pi.

    References
    ----------
    Y. Cho and L. K. Saul, "Kernel Methods for Deep Learning", NIPS 2009, the kernel of order 1.
    """
    c = within("cosine", cosine, -1.0, 1.0)
    return np.asarray((np.sqrt(1.0 - c * c) + c * (math.pi - np.arccos(c))) / math.pi, dtype=np.float64)


def relu_cosines(depth: int, start: float = 0.0) -> Floats:
    """Return the cosine after 0..depth wide ReLU layers, shape (depth + 1,); 1 - c falls like 9 pi^2/(2 l^2)."""
    within("depth", depth, 0.0, whole=True)
    cosines = [float(within("start", start, -1.0, 1.0))]
    for _layer in range(int(depth)):
        cosines.append(min(float(relu_cosine(cosines[-1])), 1.0))
    return np.array(cosines)


def normalised_relu_square() -> float:
    """Return E h^2 behind a layer norm or batch norm and a ReLU, whatever the weights' variance."""
    return 0.5


def collapse_step(cosine: float, score_sd: float, keys: float) -> float:
    """Return the cosine between tokens after one attention layer with random projections, to leading order.

    rho' = [rho + (1 - rho) o]/[rho + (1 - rho) p2] with p2 = E sum p^2 and o = e^(rho s_w^2)/n at the within-row
    spread s_w = score_sd sqrt(1 - rho); for isotropic tokens in many dimensions, not for deep stacks.

    Parameters
    ----------
    cosine : float
        0..1, of any two tokens.
    score_sd : float
        0 or more.
    keys : float
        2 or more.
    """
    rho, n = float(within("cosine", cosine, 0.0, 1.0)), float(within("keys", keys, 2.0))
    variance = float(within("score_sd", score_sd, 0.0)) ** 2 * (1.0 - rho)
    p2 = float(interpolated_expectations(n, math.sqrt(variance)).sum_p2)
    overlap = min(math.exp(min(rho * variance, 700.0)) / n, p2)
    return (rho + (1.0 - rho) * overlap) / (rho + (1.0 - rho) * p2)


def tanh_gradients(depth: int, weight_gain: float = 1.0) -> Floats:
    """Return E (dL/dh_l)^2 for l = 0..depth of a stack of wide tanh layers, in units of the last, shape (depth + 1,).

    A layer multiplies it by N v E tanh'^2(sqrt(N v q) z), q being E h^2 before it.
    """
    squares = tanh_squares(depth, weight_gain)
    z, chances = _normal_grid()
    spreads = np.sqrt(weight_gain * squares[:-1])
    slopes = (1.0 - np.tanh(spreads[:, None] * z) ** 2) ** 2 @ chances
    factors = np.append(weight_gain * slopes, 1.0)
    return np.asarray(np.cumprod(factors[::-1])[::-1])


def normalised_squares(depth: int, activation: str) -> Floats:
    """Return E h^2 after 0..depth layers f(norm(W h)): E f(z)^2 of a standard normal z behind the first.

    Parameters
    ----------
    depth : int
        0 or more.
    activation : {"relu", "linear", "tanh"}
    """
    within("depth", depth, 0.0, whole=True)
    behind = {"relu": normalised_relu_square(), "linear": 1.0}.get(activation)
    if behind is None:
        behind = float(tanh_squares(1)[1])
    return np.append(1.0, np.full(int(depth), behind))


def normalised_gradients(depth: int, activation: str, *, batch: bool) -> Floats:
    """Return E (dL/dh_l)^2 for l = 0..depth of layers f(norm(W h)), in units of the last; nan where none is known.

    A layer norm divides by the spread of W h, so that a wide layer multiplies it by E f'^2/E f^2: 1 for ReLU and
    linear layers. The first layer's input has mean square 1 and not E f^2. A batch norm of ReLUs takes the batch's
    mean off, and multiplies by `BATCH_NORM_RELU_GRADIENT`; its other cases are not known here.
    """
    squares = normalised_squares(depth, activation)
    if batch and activation != "relu":
        return np.full(squares.size, np.nan)
    if batch:
        factors = np.full(squares.size, BATCH_NORM_RELU_GRADIENT)
        factors[0] = 0.5  # the input has no mean to take off
    else:
        z, chances = _normal_grid()
        slope = {"relu": 0.5, "linear": 1.0}.get(activation)
        if slope is None:
            slope = float((1.0 - np.tanh(z) ** 2) ** 2 @ chances)
        factors = slope / squares
    factors[-1] = 1.0
    return np.asarray(np.cumprod(factors[::-1])[::-1])


def _normal_grid() -> tuple[Floats, Floats]:
    z = np.arange(-9.5, 9.55, 0.05)
    chances = np.exp(-0.5 * z * z)
    return z, chances / chances.sum()
