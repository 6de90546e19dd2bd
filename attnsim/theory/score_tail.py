"""Tail of the score of any two exchangeable normal vectors, by one integral near the line of steepest descent."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.theory.exchangeable import Axes, axes
from attnsim.theory.limits import within

Floats = NDArray[np.float64]
Complex = NDArray[np.complex128]

AWAY = 0.5  # by which the line keeps off the pole at 0, in units of 1/sd
STEP, END = 0.02, 30.0  # of v in t = c + width (i sinh(v) + bend (cosh(v) - 1))
BEND = 0.7
FARTHEST = 200.0  # the line's place, in units of 1/sd
EDGE = 1.0 - 1e-9
MOST_GROWTH = 5.0  # of the logarithm of the integrand along the line


def exchangeable_tail(x: ArrayLike, dim: float, **components: float) -> Floats:
    """Return P(q . k > x) = (1/pi) Int_0^inf Re[exp(K(t) - t x)/t] du, t = c + iu, K'(c) = x.

    Parameters
    ----------
    x : array_like
        Any shape.
    dim : float
        1 or more.
    **components : float
        As in `exchangeable.axes`.

    Returns
    -------
    float64 array, shaped like `x`
        Relative error below 1e-9, in the far tail too.

    References
    ----------
    R. Lugannani and S. O. Rice, "Saddle point approximation for the distribution of the sum of independent random
    variables", Adv. Appl. Probab. 12, 1980.
    """
    within("dim", dim, 1.0)
    at = axes(dim, **components)
    places = np.asarray(x, dtype=np.float64)
    return np.array([_tail(float(one), at) for one in places.ravel()]).reshape(places.shape)


def _generator(at: Axes) -> Callable[[Complex], Complex]:
    """Return K(t) = ln E exp(t S)."""
    plus, minus, across_plus, across_minus = (float(pole) for pole in at.poles)
    others = float(at.dim) - 1.0
    both = float(at.mean_q * at.mean_k)
    pull = 0.5 * float(at.mean_q**2 * at.ones_k + at.mean_k**2 * at.ones_q)
    cross = float(at.ones_cross)

    def generator(t: Complex) -> Complex:
        ones = np.log(1.0 - t * plus) + np.log(1.0 - t * minus)
        across = np.log(1.0 - t * across_plus) + np.log(1.0 - t * across_minus)
        linear = t * (both * (1.0 - t * cross) + t * pull) * np.exp(-ones)
        return np.asarray(linear - 0.5 * (ones + others * across), dtype=np.complex128)

    return generator


def _tail(x: float, at: Axes) -> float:
    generator = _generator(at)

    def exponent(t: complex) -> float:
        return float(generator(np.array([t + 0j]))[0].real) - t.real * x

    c, scale = _line(exponent, at)
    peak = exponent(complex(c))
    v = STEP * np.arange(math.ceil(END / STEP))
    # the line bends to where exp(-t x) falls; the cuts lie on the real axis, which it leaves for good
    for lean in (BEND * np.sign(x), 0.0):
        t = c + scale * (1j * np.sinh(v) + lean * (np.cosh(v) - 1.0))
        sizes = generator(t) - t * x - peak
        if sizes.real.max() <= MOST_GROWTH:
            break
    # where a mean lies beyond x, a line that leans to x climbs before it falls, and the sum would be one of large
    # terms that cancel; upright it falls at once, as fast as a normal law of that mean has it
    with np.errstate(under="ignore"):
        terms = (np.exp(sizes) / t * (1j * np.cosh(v) + lean * np.sinh(v))).imag
    terms[0] *= 0.5
    return float(math.exp(peak) * STEP * scale * terms.sum() / math.pi + (1.0 if c < 0.0 else 0.0))


def _line(exponent: Callable[[complex], float], at: Axes) -> tuple[float, float]:
    """Return where the line crosses the real axis, off the pole at 0, and the integrand's width there."""
    from scipy.optimize import minimize_scalar

    poles = [float(pole) for pole in at.poles]
    others = float(at.dim) - 1.0
    both = float(at.mean_q * at.mean_k)
    pull = 0.5 * float(at.mean_q**2 * at.ones_k + at.mean_k**2 * at.ones_q)
    of_means = 2.0 * (both * (poles[0] + poles[1] - float(at.ones_cross)) + pull)
    sd = math.sqrt(0.5 * (poles[0] ** 2 + poles[1] ** 2 + others * (poles[2] ** 2 + poles[3] ** 2)) + of_means)
    low, high = 1.0 / min(*poles, -1e-3 / FARTHEST * sd), 1.0 / max(*poles, 1e-3 / FARTHEST * sd)
    inside = (max(low, -FARTHEST / sd) * EDGE, min(high, FARTHEST / sd) * EDGE)
    found = minimize_scalar(lambda c: exponent(complex(c)), bounds=inside, method="bounded",
                            options={"xatol": 1e-7 * (inside[1] - inside[0])})  # fmt: skip
    c = float(found.x)
    if abs(c) * sd < AWAY:
        side = 1.0 if c >= 0.0 else -1.0
        c = side * min(AWAY / sd, 0.5 * abs(inside[1] if side > 0.0 else inside[0]))
    near = 0.01 * min(c - low, high - c, 1.0 / sd)
    bend = (exponent(complex(c + near)) - 2.0 * exponent(complex(c)) + exponent(complex(c - near))) / near**2
    return c, 1.0 / math.sqrt(bend)
