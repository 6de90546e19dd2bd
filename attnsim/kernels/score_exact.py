"""Gaussian scores q.k drawn exactly, at a cost that does not depend on the number of components."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from attnsim.kernels.compiled import compiled
from attnsim.kernels.lanes import LANES, draw_words, normal_pair32, philox_lane, scratch_words, unit32
from attnsim.kernels.normals import Key, check_key, uint64_of
from attnsim.kernels.polynomials import F32, log32
from attnsim.kernels.rng import HALF_WORD, LOW
from attnsim.kernels.score_sums import Grid, ScoreSums, add_block, gather

Floats = NDArray[np.float64]

GAMMA, ALONG = 8, 9  # last word of the counter: what it is for; 0 belongs to `normals`
SERIES_FROM = 32.0  # Gamma shape from which the acceptance test's argument stays within 0.42, where its series holds
ONE, HALF, THIRD, ZERO, MINUS_ONE = F32(1.0), F32(0.5), F32(1.0 / 3.0), F32(0.0), F32(-1.0)
THREE = F32(3.0)
TEST_0, TEST_1, TEST_2 = F32(-0.24999999999999986), F32(0.19999753224026767), F32(-0.1666643678134689)
TEST_3, TEST_4, TEST_5 = F32(0.14306063780797434), F32(-0.12518954878130942), F32(0.10666146172739292)
TEST_6, TEST_7, TEST_8 = F32(-0.09585637147576567), F32(0.1255906711685325), F32(-0.11560988363609657)
SLOPE, RESIDUAL = 0, 1  # of the score on chi-square: given the query, across the ones direction
MEAN_Q, SD_Q, MEAN_K, LEAN_K, RESIDUAL_K = 2, 3, 4, 5, 6  # of q along the ones direction, and of k given q there


@dataclass(frozen=True, slots=True, kw_only=True)
class GaussianPair:
    """A query and a key with exchangeable Gaussian components.

    Attributes
    ----------
    dim : int
        Components, 1 or more.
    sigma_q, sigma_k, mean_q, mean_k : float
        Standard deviation (0 or more) and mean of a component.
    rho : float
        Corr(q_i, k_i); between different components of q and k there is none.
    r_q, r_k : float
        Correlation of two components of one query, of one key: -1/(dim - 1)..1; without effect where
        dim is 1.
    """

    dim: int
    sigma_q: float = 1.0
    sigma_k: float = 1.0
    mean_q: float = 0.0
    mean_k: float = 0.0
    rho: float = 0.0
    r_q: float = 0.0
    r_k: float = 0.0

    def __post_init__(self) -> None:
        if self.dim < 1 or self.dim != int(self.dim):
            raise ValueError(f"dim must be a whole number, 1 or more, not {self.dim}")
        for name in ("sigma_q", "sigma_k"):
            if not 0.0 <= getattr(self, name) <= 1e70:
                raise ValueError(f"{name} must lie in 0..1e70, not {getattr(self, name)}")
        for name in ("mean_q", "mean_k"):
            if not -1e70 <= getattr(self, name) <= 1e70:
                raise ValueError(f"{name} must lie in -1e70..1e70, not {getattr(self, name)}")
        least = -1.0 / max(1, self.dim - 1)
        for name in ("r_q", "r_k"):
            if not least <= getattr(self, name) <= 1.0:
                raise ValueError(f"{name} must lie in {least}..1, not {getattr(self, name)}")
        (A1, A0), (B1, B0) = self.spectrum(self.r_q), self.spectrum(self.r_k)
        reach = math.sqrt(max(0.0, min(A1 * B1, A0 * B0) if self.dim > 1 else 1.0))
        if not abs(self.rho) <= reach + 1e-12:
            raise ValueError(f"rho must lie in {-reach}..{reach} with these r_q and r_k, not {self.rho}")

    def spectrum(self, r: float) -> tuple[float, float]:
        """Return the variances of a unit vector along the ones direction and across it."""
        return max(0.0, 1.0 + (self.dim - 1) * r), 1.0 - r

    @property
    def plain(self) -> bool:
        """Whether no direction differs from another: then one chi-square with dim degrees of freedom does."""
        return self.dim > 1 and self.mean_q == self.mean_k == self.r_q == self.r_k == 0.0

    @property
    def mean(self) -> float:
        """E q.k."""
        return self.dim * (self.mean_q * self.mean_k + self.rho * self.sigma_q * self.sigma_k)

    @property
    def sd(self) -> float:
        """Standard deviation of q.k."""
        d, q, k = self.dim, self.sigma_q, self.sigma_k
        (A1, _), (B1, _) = self.spectrum(self.r_q), self.spectrum(self.r_k)
        white = d * (1.0 + self.rho**2) + d * (d - 1) * self.r_q * self.r_k
        shifts = self.mean_q**2 * k**2 * B1 + self.mean_k**2 * q**2 * A1
        both = 2.0 * self.mean_q * self.mean_k * q * k * self.rho
        return math.sqrt(max(0.0, q**2 * k**2 * white + d * (shifts + both)))

    def grid(self, bins: int = 200) -> Grid:
        """Return bins over mean +- 6 standard deviations; a spread that float64 cannot resolve is widened."""
        resolved = max(self.sd, 1e-9 * abs(self.mean))
        scale = resolved if resolved > 1e-150 else 1.0
        return Grid(self.mean, scale, self.mean - 6.0 * scale, self.mean + 6.0 * scale, bins)

    @property
    def numbers(self) -> Floats:
        """What the loops need, by the names SLOPE .. RESIDUAL_K."""
        q, k = self.sigma_q, self.sigma_k
        (A1, A0), (B1, B0) = self.spectrum(self.r_q), self.spectrum(self.r_k)
        left_1, left_0 = (B - self.rho**2 / A if A > 0.0 else B for A, B in ((A1, B1), (A0, B0)))
        root, across = math.sqrt(self.dim), q * q * A0
        return np.array(
            [
                self.rho * q * k,
                max(0.0, left_0) * k * k * across,
                root * self.mean_q,
                q * math.sqrt(A1),
                root * self.mean_k,
                self.rho * k / math.sqrt(A1) if A1 > 0.0 else 0.0,
                max(0.0, left_1) * k * k,
            ]
        )


def exact_scores(key: Key, pair: GaussianPair, count: int, first: int = 0) -> Floats:
    """Return scores q.k number first, first + 1, ... of a stream, each of its own query and key.

    Parameters
    ----------
    key : uint64 array, shape (2,)
        From `rng.stream_key`.
    pair : GaussianPair
    count, first : int
        Which scores; any cut of the stream into pieces gives the same bits.

    Returns
    -------
    float64 array, shape (count,)

    Raises
    ------
    ValueError
        If the key has another shape, `count` is negative or the indices leave 0..2^62.

    Notes
    -----
    With x = e.q along e, the direction of all ones, and W the squared length of q across e, which is a
    multiple of chi-square with dim - 1 degrees of freedom, q.k given q is normal: its mean and variance
    depend on x and W alone. The chi-square is Marsaglia and Tsang's with their exact test. Variates are
    float32, what is made of them float64, but for equal directions (no means, no r), float32 until the end.

    References
    ----------
    .. [1] G. Marsaglia, W. W. Tsang, "A simple method for generating gamma variables",
       ACM TOMS 26, 2000.
    """
    check_key(key)
    if count < 0 or not 0 <= first <= 2**62 - count:
        raise ValueError(f"count must be 0 or more and first in 0..2^62 - count; got {count} and {first}")
    out = np.empty(count)
    _scores(out, key[0], key[1], uint64_of(first), pair.dim, pair.plain, pair.numbers)
    return out


def exact_score_sums(
    key: Key,
    pair: GaussianPair,
    count: int,
    grid: Grid | None = None,
    threads: int = 1,
    stop: Callable[[], bool] | None = None,
) -> ScoreSums:
    """Draw `count` scores as `exact_scores` does, and keep their moments and histogram alone.

    Parameters
    ----------
    key, pair, count
        See `exact_scores`.
    grid : Grid, optional
        Mean +- 6 standard deviations in 200 bins unless given.
    threads, stop
        See `score_sums.gather`: equal bits for any number of threads.

    Returns
    -------
    ScoreSums
    """
    check_key(key)
    grid = grid or pair.grid()
    numbers, measures = pair.numbers, grid.numbers

    def kernel(first: int, size: int, powers: Floats, tally: NDArray[np.int64]) -> None:
        _sums(size, key[0], key[1], uint64_of(first), pair.dim, pair.plain, numbers, measures, powers, tally)

    return gather(kernel, count, grid, threads, stop)


@compiled(inlined=True, freedom="fused")
def gamma_series(x, u, d, c):
    """Return v with d v of the Gamma law, or -1 where the proposal is rejected; for shapes of SERIES_FROM and more.

    ln u < x^2/2 + d - d v + d ln v is, with v = (1 + t)^3, ln u < 3 d (ln(1+t) - t + t^2/2 - t^3/3): the bracket, of
    order t^4, is taken from its series, where the difference itself would drown in rounding.
    """
    t = c * x
    p = TEST_8
    p = p * t + TEST_7
    p = p * t + TEST_6
    p = p * t + TEST_5
    p = p * t + TEST_4
    p = p * t + TEST_3
    p = p * t + TEST_2
    p = p * t + TEST_1
    p = p * t + TEST_0
    square = t * t
    root = ONE + t
    return root * root * root if log32(u) < THREE * d * square * square * p else MINUS_ONE


@compiled(inlined=True, freedom="fused")
def gamma_direct(x, u, d, c):
    """Return what `gamma_series` does, for shapes 1..SERIES_FROM."""
    t = c * x
    root = ONE + t
    safe = root if root > F32(1e-6) else F32(1e-6)
    bracket = log32(safe) - t + HALF * t * t - THIRD * t * t * t
    fits = (log32(u) < THREE * d * bracket) & (root > F32(1e-6))
    return root * root * root if fits else MINUS_ONE


@compiled(inlined=True)
def redo(place, c3, k0, k1, d, c, series):
    """Return v of the first accepted attempt after attempt 0 of a place."""
    attempt = uint64(1)
    while True:
        w0, w1, w2, _ = philox_lane(place & LOW, place >> HALF_WORD, attempt, c3, k0, k1)
        x, _ = normal_pair32(np.uint32(w0), np.uint32(w1))
        u = unit32(np.uint32(w2))
        v = gamma_series(x, u, d, c) if series else gamma_direct(x, u, d, c)
        if v > ZERO:
            return v
        attempt += uint64(1)


@compiled(inlined=True, freedom="fused")
def chi_block(chi, normal, words, first, k0, k1, degrees):
    """Fill a block with chi-squares and standard normals, both float32 of shape (LANES,), independent."""
    draw_words(words, first, uint64(0), uint64(GAMMA), k0, k1)
    series = degrees >= 2.0 * SERIES_FROM
    shape = 0.5 * degrees if degrees >= 2.0 else 1.0
    d = F32(shape - 1.0 / 3.0)
    c = F32(1.0 / math.sqrt(9.0 * (shape - 1.0 / 3.0)))
    twice = F32(2.0) * d
    if series:
        for lane in range(LANES):
            x, z = normal_pair32(words[0, lane], words[1, lane])
            normal[lane] = z
            chi[lane] = twice * gamma_series(x, unit32(words[2, lane]), d, c)
    elif degrees >= 2.0:
        for lane in range(LANES):
            x, z = normal_pair32(words[0, lane], words[1, lane])
            normal[lane] = z
            chi[lane] = twice * gamma_direct(x, unit32(words[2, lane]), d, c)
    else:
        one = F32(degrees)
        for lane in range(LANES):
            x, z = normal_pair32(words[0, lane], words[1, lane])
            normal[lane] = z
            chi[lane] = one * x * x
    rejected = 0
    for lane in range(LANES):
        rejected += chi[lane] < ZERO
    if rejected > 0:
        for lane in range(LANES):
            if chi[lane] < ZERO:
                chi[lane] = twice * redo(first + uint64(lane), uint64(GAMMA), k0, k1, d, c, series)


@compiled(inlined=True, freedom="fused")
def score_block(values, chi, normal, words, first, k0, k1, dim, plain, numbers):
    """Fill values, float64 of shape (LANES,), with the scores first .. first + LANES - 1."""
    if plain:
        chi_block(chi, normal, words, first, k0, k1, float(dim))
        slope, residual = numbers[SLOPE], numbers[RESIDUAL]
        unit = math.sqrt(residual)
        for lane in range(LANES):
            w = chi[lane]
            values[lane] = slope * w + unit * F32(F32(math.sqrt(w)) * normal[lane])
    else:
        chi_block(chi, normal, words, first, k0, k1, float(dim - 1))
        draw_words(words, first, uint64(0), uint64(ALONG), k0, k1)
        for lane in range(LANES):
            along, _ = normal_pair32(words[0, lane], words[1, lane])
            mean, variance = given_query(along, chi[lane], numbers)
            values[lane] = mean + math.sqrt(variance) * normal[lane]


@compiled(inlined=True, freedom="fused")
def given_query(along, chi, numbers):
    """Return mean and variance of a score given its query, from the query's two standardised variates."""
    x = numbers[MEAN_Q] + numbers[SD_Q] * along
    mean = x * (numbers[MEAN_K] + numbers[LEAN_K] * along) + numbers[SLOPE] * chi
    return mean, x * x * numbers[RESIDUAL_K] + numbers[RESIDUAL] * chi


@compiled(freedom="fused")
def _scores(out, k0, k1, first, dim, plain, numbers):
    words = scratch_words()
    chi, normal, values = np.empty(LANES, np.float32), np.empty(LANES, np.float32), np.empty(LANES)
    for start in range(0, out.size, LANES):
        score_block(values, chi, normal, words, first + uint64(start), k0, k1, dim, plain, numbers)
        taken = min(LANES, out.size - start)
        for lane in range(taken):
            out[start + lane] = values[lane]


@compiled(freedom="fused")
def _sums(count, k0, k1, first, dim, plain, numbers, measures, powers, tally):
    words = scratch_words()
    chi, normal, values = np.empty(LANES, np.float32), np.empty(LANES, np.float32), np.empty(LANES)
    places = np.empty(LANES, np.int32)
    for start in range(0, count, LANES):
        score_block(values, chi, normal, words, first + uint64(start), k0, k1, dim, plain, numbers)
        add_block(values, min(LANES, count - start), measures, places, powers, tally)
