"""Mean density of the score in histogram bins, by inverting its characteristic function."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.theory.exchangeable import axes
from attnsim.theory.random_walk import binomial
from attnsim.words import _

Floats = NDArray[np.float64]
Complex = NDArray[np.complex128]
Characteristic = Callable[[Floats], Complex]

LIMIT = 1e-9  # what the neglected end of the integral may be, relative to the peak
MOST_POINTS = 2**14  # beyond them the integrand's power law is integrated by hand
REACH = 100.0  # how many widths of the law must pass before its copies begin


def binned_density(edges: ArrayLike, characteristic: Characteristic) -> Floats:
    """Return the mean density of a score in each of a histogram's bins.

    f = (1/pi) Int_0^inf Re[phi(t) exp(-i t x)] sin(t h/2)/(t h/2) dt for a bin of centre x and width h. The
    trapezoidal sum repeats the law with a period that is chosen as a multiple of h, so that
    all bins come out of one discrete Fourier transform; what it leaves out decays exponentially.

    Parameters
    ----------
    edges : array_like, shape (bins + 1,)
        Equally spaced, ascending.
    characteristic : callable
        float64 array t -> E exp(i t S), complex128 of the same shape.

    Returns
    -------
    float64 array, shape (bins,)
        Per unit of score; within 1e-6 of the peak.

    Raises
    ------
    ValueError
        If the edges are not equally spaced and ascending.

    References
    ----------
    J. Abate and W. Whitt, "The Fourier-series method for inverting transforms of probability
    distributions", Queueing Systems 10, 1992.
    """
    walls, width = _equal_bins(edges)
    bins = walls.size - 1
    scale, mean = _scale(characteristic, walls)
    extent = 2.0 * max(abs(walls[0] - mean), abs(walls[-1] - mean)) + REACH * scale
    copies = max(bins, 2 ** math.ceil(math.log2(extent / width)))
    step = 2.0 * math.pi / (copies * width)
    wanted = _end(characteristic, scale, width) / step
    last = int(min(max(wanted, 16.0), MOST_POINTS))
    density = _trapezoid(characteristic, walls, width, step * np.arange(last + 1), copies)
    if wanted > MOST_POINTS:
        density += _power_tail(characteristic, walls, width, step * last, step)
    return np.asarray(np.maximum(density, 0.0), dtype=np.float64)


def _equal_bins(edges: ArrayLike) -> tuple[Floats, float]:
    walls = np.asarray(edges, dtype=np.float64)
    widths = np.diff(walls)
    width = (walls[-1] - walls[0]) / max(widths.size, 1) if walls.ndim == 1 and walls.size > 1 else 0.0
    if not (width > 0.0 and np.all(np.abs(widths - width) <= 1e-6 * width)):  # nan is refused too
        raise ValueError(_("edges must be ascending and equally spaced, not {value}").format(value=edges))
    return walls, float(width)


def _trapezoid(characteristic: Characteristic, walls: Floats, width: float, t: Floats, copies: int) -> Floats:
    """Return the sum over the points t, which are as many to a period as there are bins in one copy of the law."""
    terms = characteristic(t) * np.sinc(t * width / (2.0 * math.pi)) * np.exp(-1j * t * (walls[0] + 0.5 * width))
    terms[0] *= 0.5
    terms[-1] *= 0.5
    folded = np.zeros(copies * ((t.size - 1) // copies + 1), dtype=np.complex128)
    folded[: t.size] = terms
    sums = np.fft.fft(folded.reshape(-1, copies).sum(axis=0))
    return np.asarray(t[1] / math.pi * sums[: walls.size - 1].real, dtype=np.float64)


def _scale(characteristic: Characteristic, walls: Floats) -> tuple[float, float]:
    """Return a width of the law, from where |phi| has fallen to one half, and its place from the phase."""
    size = max(abs(walls[0]), abs(walls[-1]), walls[-1] - walls[0])
    t = np.geomspace(1e-6 / size, 1e6 / size, 400)
    below = np.abs(characteristic(t)) < 0.5
    half = float(t[np.argmax(below)]) if below.any() else float(t[-1])
    start = 1e-6 * half
    value = complex(characteristic(np.array([start]))[0])
    return 1.0 / half, math.atan2(value.imag, value.real) / start


def _end(characteristic: Characteristic, scale: float, width: float) -> float:
    """Return where the rest of the integral falls below the limit."""
    t = np.geomspace(0.1, 1e8, 400) / scale
    height = np.abs(characteristic(t)) * np.minimum(1.0, 2.0 / (t * width))
    peak = t[0] + float(np.sum(0.5 * (height[1:] + height[:-1]) * np.diff(t)))
    large = np.flatnonzero(height * t > LIMIT * peak)
    return float(t[min(large[-1] + 1, t.size - 1)]) if large.size else float(t[0])


def _power_tail(characteristic: Characteristic, walls: Floats, width: float, end: float, step: float) -> Floats:
    """Return the integral beyond `end`, where phi goes like a power of t times exp(i t x0).

    The law has its singular point at x0; only bins beside it notice.
    """
    near, half, last = characteristic(np.array([end * (1.0 - 0.01 * step / end), 0.5 * end, end]))
    if last == 0.0 or half == 0.0:
        return np.zeros(walls.size - 1)
    power = round(2.0 * math.log2(abs(half) / abs(last))) / 2.0
    if not 0.5 <= power <= 3.0:
        return np.zeros(walls.size - 1)
    singular = float(np.angle(last / near)) / (0.01 * step)
    delta = walls - singular
    reach = np.conj(_exponential_integral(power + 1.0, -1j * end * np.abs(delta)))
    reach = np.where(delta >= 0.0, reach, np.conj(reach))
    beyond = last * np.exp(-1j * end * singular) * reach / (1j * width)
    return np.asarray((beyond[:-1] - beyond[1:]).real / math.pi, dtype=np.float64)


def _exponential_integral(order: float, z: Complex) -> Complex:
    """Return E_s(z) = Int_1^inf exp(-z u) u^(-s) du for s = 1.5, 2, 2.5, .. and imaginary z (DLMF 8.19)."""
    from scipy.special import erfc, exp1

    far = np.abs(z) > 30.0
    close = np.where(far, 30.0, np.where(z == 0.0, 1e-30, z))
    if order == int(order):
        value, at = exp1(close), 1.0
    else:
        value, at = np.sqrt(math.pi / close) * erfc(np.sqrt(close)), 0.5
    while at < order:
        value, at = (np.exp(-close) - close * value) / at, at + 1.0
    away = np.where(far, z, 30.0)
    term, total = np.ones_like(away), np.zeros_like(away)
    for n in range(10):
        total = total + term
        term = term * -(order + n) / away
    return np.asarray(np.where(far, np.exp(-away) / away * total, value), dtype=np.complex128)


def exchangeable_characteristic(
    t: ArrayLike,
    dim: float,
    *,
    sigma_q: float = 1.0,
    sigma_k: float = 1.0,
    mean_q: float = 0.0,
    mean_k: float = 0.0,
    rho: float = 0.0,
    r_q: float = 0.0,
    r_k: float = 0.0,
    c: float = 0.0,
) -> Complex:
    """Return E exp(i t S) of two exchangeable normal vectors; parameters as in `exchangeable.axes`.

    Each factor 1 - i t lambda has a positive real part, so that the sum of the principal logarithms is the
    logarithm of the product. The result is complex128 and shaped like `t`.
    """
    a = axes(dim, sigma_q=sigma_q, sigma_k=sigma_k, mean_q=mean_q, mean_k=mean_k, rho=rho, r_q=r_q, r_k=r_k, c=c)
    it = 1j * np.asarray(t, dtype=np.float64)
    plus, minus, across_plus, across_minus = (float(pole) for pole in a.poles)
    ones = np.log1p(-it * plus) + np.log1p(-it * minus)
    across = np.log1p(-it * across_plus) + np.log1p(-it * across_minus)
    exponent = -0.5 * (ones + (float(dim) - 1.0) * across)
    if mean_q or mean_k:
        both = float(a.mean_q * a.mean_k)
        pull = 0.5 * float(a.mean_q**2 * a.ones_k + a.mean_k**2 * a.ones_q)
        exponent = exponent + it * (both * (1.0 - it * float(a.ones_cross)) + it * pull) * np.exp(-ones)
    return np.asarray(np.exp(exponent), dtype=np.complex128)


def uniform_characteristic(t: ArrayLike, dim: float, *, sigma_q: float = 1.0, sigma_k: float = 1.0) -> Complex:
    """Return E exp(i t S) of independent uniform components of mean 0: (Si(3 t sigma)/(3 t sigma))^dim.

    sigma is the product of the standard deviations. The result is complex128 and shaped like `t`.
    """
    from scipy.special import sici

    u = 3.0 * sigma_q * sigma_k * np.asarray(t, dtype=np.float64)
    safe = np.where(u == 0.0, 1.0, u)
    one = np.where(u == 0.0, 1.0, sici(safe)[0] / safe)
    return np.asarray(one**dim, dtype=np.complex128)


def sign_bins(edges: ArrayLike, dim: int, scale: float = 1.0, rho: float = 0.0) -> Floats:
    """Return the mean density in each bin of scale (2A - dim), where A counts agreeing signs.

    Parameters
    ----------
    edges : array_like, shape (bins + 1,)
        Ascending. A bin holds its lower edge, the last one its upper edge too.
    dim : int
    scale : float
        sigma_q sigma_k.
    rho : float
        P(agree) = (1 + rho)/2.

    Returns
    -------
    float64 array, shape (bins,)
        Probability over width.
    """
    walls = np.asarray(edges, dtype=np.float64)
    low, high = (math.floor((dim + wall / scale) / 2.0) for wall in (walls[0], walls[-1]))
    ups = np.arange(max(low - 1, 0), min(high + 1, dim) + 1, dtype=np.float64)
    mass = np.histogram(scale * (2.0 * ups - dim), bins=walls, weights=binomial(ups, dim, 0.5 * (1.0 + rho)))[0]
    return np.asarray(mass / np.diff(walls), dtype=np.float64)


def normal_bins(edges: ArrayLike, mean: float, sd: float) -> Floats:
    """Return the mean density of a normal law in each bin, shape (bins,); nan if `sd` is not a positive number."""
    walls = np.asarray(edges, dtype=np.float64)
    if not (sd > 0.0 and math.isfinite(sd) and math.isfinite(mean)):
        return np.full(walls.size - 1, np.nan)
    z = (walls - mean) / (sd * math.sqrt(2.0))
    beyond = np.array([math.erfc(abs(v)) for v in z])  # of each tail, so that far bins keep their digits
    low, high, same = z[:-1], z[1:], z[:-1] * z[1:] >= 0.0
    sides = np.where(same, np.abs(beyond[:-1] - beyond[1:]), 2.0 - beyond[:-1] - beyond[1:])
    return np.asarray(0.5 * np.where(high > low, sides, 0.0) / np.diff(walls), dtype=np.float64)
