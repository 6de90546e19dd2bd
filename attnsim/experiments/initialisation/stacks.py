"""Signal and gradient through deep stacks of random layers: a forward and a backward pass in numpy."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attnsim.choices.sections.initialisation import Depth
from attnsim.experiments.initialisation.draws import normal_matrix
from attnsim.experiments.initialisation.products import product
from attnsim.experiments.tally import Tally
from attnsim.theory import variance_propagation as theory

Floats = NDArray[np.float64]

BATCH = 64
SCHEMES = ("none", "xavier", "kaiming", "layer_norm", "batch_norm")
TINY = 1e-12  # added to a variance, so that a dead layer is no division by 0


@dataclass(frozen=True, slots=True)
class Activation:
    """A function of a unit and its derivative."""

    value: Callable[[Floats], Floats]
    slope: Callable[[Floats], Floats]


ACTIVATIONS = {
    "relu": Activation(lambda z: np.maximum(z, 0.0), lambda z: (z > 0.0).astype(np.float64)),
    "linear": Activation(lambda z: z, np.ones_like),
    "tanh": Activation(np.tanh, lambda z: 1.0 - np.tanh(z) ** 2),
}


def weight_gain(scheme: str, section: Depth) -> float:
    """Return N Var(W): by how much a layer's weights multiply the mean square."""
    if scheme == "none":
        return section.width * section.weight_sd**2
    return 2.0 if scheme == "kaiming" else 1.0


def pass_through(
    h: Floats, weights: list[Floats], activation: Activation, axis: int | None, upstream: Floats
) -> tuple[list[float], list[float]]:
    """Return mean squares of the signal and of the gradient behind each layer, the input first.

    Parameters
    ----------
    h : float64 array, shape (batch, width)
        The input.
    weights : list of float64 array, shape (width, width)
        A layer is activation(norm(h W)).
    activation : Activation
    axis : int or None
        Along which each layer is brought to mean 0 and variance 1: 1 over the units (layer norm), 0 over the batch
        (batch norm); None for neither.
    upstream : float64 array, shape (batch, width)
        Derivative of the loss by the last layer's output.
    """
    kept, squares = [], [_mean_square(h)]
    for matrix in weights:
        z, sd = _normalised(product(h, matrix), axis)
        h = activation.value(z)
        kept.append((z, sd))
        squares.append(_mean_square(h))
    gradient, slopes = upstream, [_mean_square(upstream)]
    for matrix, (z, sd) in zip(reversed(weights), reversed(kept), strict=True):
        inner = gradient * activation.slope(z)
        if axis is not None:
            lean = np.mean(inner * z, axis=axis, keepdims=True)
            inner = (inner - inner.mean(axis=axis, keepdims=True) - z * lean) / sd
        gradient = product(inner, np.ascontiguousarray(matrix.T))
        slopes.append(_mean_square(gradient))
    return squares, slopes[::-1]


def _normalised(y: Floats, axis: int | None) -> tuple[Floats, Floats]:
    if axis is None:
        return y, np.ones(1)
    away = y - y.mean(axis=axis, keepdims=True)
    sd = np.sqrt(np.mean(away**2, axis=axis, keepdims=True) + TINY)
    return away / sd, sd


def _mean_square(x: Floats) -> float:
    return float(np.mean(x * x))


class Stacks:
    """Draws stacks, and sends a batch forth and a gradient back."""

    def __init__(self, seed: int, section: Depth) -> None:
        self.seed, self.section = seed, section
        shape = (len(SCHEMES), section.layers + 1)
        self.signal, self.gradient = Tally(shape), Tally(shape)
        self._kept: tuple[int, list[Floats]] = (-1, [])

    def draw(self, net: int, place: int) -> None:
        """Draw one stack under one scheme; all schemes share the draws and differ by their scale."""
        section, scheme = self.section, SCHEMES[place]
        scale = np.sqrt(weight_gain(scheme, section) / section.width)
        weights = [scale * matrix for matrix in self._drawn(net)]
        h, upstream = (normal_matrix(self.seed, f"{what}/{net}", BATCH, section.width) for what in ("input", "loss"))
        axis = {"layer_norm": 1, "batch_norm": 0}.get(scheme)
        squares, slopes = pass_through(h, weights, ACTIVATIONS[section.activation], axis, upstream)
        self.signal.add_each((place,), np.array(squares))
        self.gradient.add_each((place,), np.array(slopes) / slopes[-1])

    def _drawn(self, net: int) -> list[Floats]:
        """Return the standard normal matrices of one stack, kept for the next scheme."""
        if self._kept[0] != net:
            size = self.section.width
            drawn = [normal_matrix(self.seed, f"weights/{net}", size, size, n) for n in range(self.section.layers)]
            self._kept = (net, drawn)
        return self._kept[1]

    def ask_theory(self) -> None:
        """Take the closed forms of wide layers; nan where there is none."""
        layers, activation = self.section.layers, self.section.activation
        for place, scheme in enumerate(SCHEMES):
            gain = weight_gain(scheme, self.section)
            forth, back = expected_squares(scheme, activation, layers, gain)
            self.signal.expected[place], self.gradient.expected[place] = forth, back


def expected_squares(scheme: str, activation: str, layers: int, gain: float) -> tuple[Floats, Floats]:
    """Return theory's mean squares of signal and gradient behind 0..layers wide layers."""
    depth = np.arange(layers + 1.0)
    if scheme in ("layer_norm", "batch_norm"):
        batch = scheme == "batch_norm"
        forth = theory.normalised_squares(layers, activation)
        if batch and activation == "tanh":
            forth[2:] = np.nan  # what a batch norm gives the next layer is far from normal there
        return forth, theory.normalised_gradients(layers, activation, batch=batch)
    if activation == "relu":
        return theory.relu_square(depth, gain), theory.relu_square(depth[::-1], gain)
    if activation == "linear":
        return theory.linear_square(depth, gain), theory.linear_square(depth[::-1], gain)
    return theory.tanh_squares(layers, gain), theory.tanh_gradients(layers, gain)
