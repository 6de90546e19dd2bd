"""Scores q.k with every component drawn and multiplied at once: nothing but the sums leaves the processor."""

import math
from collections.abc import Callable

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from attnsim.kernels.compiled import compiled
from attnsim.kernels.component_laws import LAWS, Law, fill_variates, law_numbers
from attnsim.kernels.lanes import LANES, TO_ANGLE, draw_words, normal_pair32, scratch_words, unit32
from attnsim.kernels.normals import Key, check_key, uint64_of
from attnsim.kernels.polynomials import F32, I32, bits_of, float_of, log32, sine_cosine32
from attnsim.kernels.score_exact import GaussianPair
from attnsim.kernels.score_sums import Grid, ScoreSums, add_block, gather

Floats = NDArray[np.float64]

COMPONENT, FACTOR = 16, 17  # last word of the counter: what it is for; none that `score_exact` uses
UNCOUPLED = -1  # normal components without means or correlations, where a product costs less than its factors
ZERO = F32(0.0)
SIGN_SHIFT, ONE_BIT, SIGN_BIT = I32(31), I32(1), I32(-0x80000000)
FLUSH = 16  # calls after which float32 partial sums go into float64
MEAN_Q, SHARED_Q, OWN_Q, MEAN_K, SHARED_K, SAME_K, OWN_K, SHAPE = 0, 1, 2, 3, 4, 5, 6, 7


def component_scores(
    key: Key, pair: GaussianPair, count: int, first: int = 0, law: Law = "normal", shape: float | None = None
) -> Floats:
    """Return scores q.k number first, first + 1, ... of a stream, drawn component by component.

    Parameters
    ----------
    key : uint64 array, shape (2,)
        From `rng.stream_key`.
    pair : GaussianPair
        Dimension, means, standard deviations and correlations, with r_q and r_k of 0 or more and
        |rho| <= sqrt((1 - r_q)(1 - r_k)).
    count, first : int
        Which scores; any cut of the stream into pieces gives the same bits.
    law : str
        Of each component's own variate, a name in `component_laws.LAWS`. Away from "normal" a correlation changes
        the marginal.
    shape : float, optional
        Of the laws "student_t" (degrees of freedom), "lognormal" (standard deviation of the logarithm) and "sparse"
        (share that is not 0).

    Returns
    -------
    float64 array, shape (count,)

    Raises
    ------
    ValueError
        If an argument is outside its limits.

    Notes
    -----
    q_i = mean_q + sigma_q (sqrt(r_q) f + sqrt(1 - r_q) a_i), and k_i likewise with tau a_i + sqrt(1 - tau^2) b_i
    for its own variate; the common factors f and g are normal. Components are float32, sums float64; normals end at
    6.76 sigma.
    """
    numbers, unit = _numbers(key, pair, law, shape)
    if count < 0 or not 0 <= first <= 2**62 - count:
        raise ValueError(f"count must be 0 or more and first in 0..2^62 - count; got {count} and {first}")
    out = np.empty(count)
    _scores(out, key[0], key[1], uint64_of(first), pair.dim, *_code(pair, law), numbers, unit)
    return out


def component_score_sums(
    key: Key,
    pair: GaussianPair,
    count: int,
    grid: Grid | None = None,
    law: Law = "normal",
    shape: float | None = None,
    threads: int = 1,
    stop: Callable[[], bool] | None = None,
) -> ScoreSums:
    """Draw scores as `component_scores` does, and keep their moments and histogram alone.

    Parameters
    ----------
    key, pair, count, law, shape
        See `component_scores`.
    grid : Grid, optional
        Mean +- 6 standard deviations in 200 bins unless given.
    threads, stop
        See `score_sums.gather`: equal bits for any number of threads.

    Returns
    -------
    ScoreSums
    """
    numbers, unit = _numbers(key, pair, law, shape)
    grid = grid or pair.grid()
    measures = grid.numbers

    def kernel(first: int, size: int, powers: Floats, tally: NDArray[np.int64]) -> None:
        place = uint64_of(first)
        _sums(size, key[0], key[1], place, pair.dim, *_code(pair, law), numbers, unit, measures, powers, tally)

    return gather(kernel, count, grid, threads, stop)


def _code(pair: GaussianPair, law: Law) -> tuple[int, bool]:
    """Return what the loops know a law by, and whether it is wide."""
    uncoupled = pair.mean_q == pair.mean_k == pair.r_q == pair.r_k == pair.rho == 0.0
    return (UNCOUPLED, False) if law == "normal" and uncoupled else (LAWS[law].code, LAWS[law].wide)


def _numbers(key: Key, pair: GaussianPair, law: Law, shape: float | None) -> tuple[NDArray[np.float32], float]:
    """Return the coefficients of q and k in units in which they fit float32, with the law's, and the score's unit."""
    check_key(key)
    of_law = law_numbers(law, shape)
    if min(pair.r_q, pair.r_k) < 0.0:
        raise ValueError(f"r_q and r_k must be 0 or more to be drawn by factors; got {pair.r_q} and {pair.r_k}")
    reach = math.sqrt((1.0 - pair.r_q) * (1.0 - pair.r_k))
    tau = pair.rho / reach if reach > 0.0 else 0.0
    if abs(tau) > 1.0 + 1e-12 or (reach == 0.0 and pair.rho != 0.0):
        raise ValueError(f"rho must lie in {-reach}..{reach} with these r_q and r_k, not {pair.rho}")
    unit_q = max(pair.sigma_q, abs(pair.mean_q)) or 1.0
    unit_k = max(pair.sigma_k, abs(pair.mean_k)) or 1.0
    q, k = pair.sigma_q / unit_q, pair.sigma_k / unit_k
    own_k = k * math.sqrt(1.0 - pair.r_k)
    numbers = [
        pair.mean_q / unit_q,
        q * math.sqrt(pair.r_q),
        q * math.sqrt(1.0 - pair.r_q),
        pair.mean_k / unit_k,
        k * math.sqrt(pair.r_k),
        own_k * tau,
        own_k * math.sqrt(max(0.0, 1.0 - tau * tau)),
    ]
    return np.concatenate((np.array(numbers, dtype=np.float32), of_law)), unit_q * unit_k


@compiled(inlined=True, freedom="fused")
def add_component(partial, a, b, base_q, base_k, numbers):
    """Add the product of one component, made of the variates a and b, to each lane of partial, float32."""
    own_q, same_k, own_k = numbers[OWN_Q], numbers[SAME_K], numbers[OWN_K]
    for lane in range(LANES):
        partial[lane] += (base_q[lane] + own_q * a[lane]) * (base_k[lane] + same_k * a[lane] + own_k * b[lane])


@compiled(inlined=True, freedom="fused")
def add_uncoupled(partial, first, second):
    """Add the product of the two normals of a pair, R cos a R sin a = -ln u sin 2a, to each lane of partial.

    Doubling the angle's word leaves 2a up to half a turn, which was lost where the two topmost bits differ.
    """
    for lane in range(LANES):
        turn = I32(second[lane])
        doubled = I32(turn << ONE_BIT)
        sine, _ = sine_cosine32(F32(doubled) * TO_ANGLE)
        sine = float_of(I32(bits_of(sine) ^ I32(I32(turn ^ doubled) & SIGN_BIT)))
        partial[lane] -= log32(unit32(first[lane])) * sine


@compiled(inlined=True, freedom="fused")
def base_block(base_q, base_k, words, first, k0, k1, numbers):
    """Fill in what all components of a vector share: its mean and its common factor."""
    draw_words(words, first, uint64(0), uint64(FACTOR), k0, k1)
    for lane in range(LANES):
        f, g = normal_pair32(words[0, lane], words[1, lane])
        base_q[lane] = numbers[MEAN_Q] + numbers[SHARED_Q] * f
        base_k[lane] = numbers[MEAN_K] + numbers[SHARED_K] * g


@compiled(inlined=True, freedom="fused")
def dot_block(values, lanes, words, first, k0, k1, dim, law, wide, numbers, unit):
    """Fill values, float64 of shape (LANES,), with the scores first .. ; lanes, float32 (5, LANES), is scratch."""
    partial, base_q, base_k, a, b = lanes[0], lanes[1], lanes[2], lanes[3], lanes[4]
    if law != UNCOUPLED:
        base_block(base_q, base_k, words, first, k0, k1, numbers)
    for lane in range(LANES):
        values[lane] = 0.0
        partial[lane] = ZERO
    at_once = 1 if wide else 2
    calls = (dim + at_once - 1) // at_once
    for call in range(calls):
        draw_words(words, first, uint64(call), uint64(COMPONENT), k0, k1)
        for half in range(min(at_once, dim - at_once * call)):
            if law == UNCOUPLED:
                add_uncoupled(partial, words[2 * half], words[2 * half + 1])
            else:
                fill_variates(a, b, words, half, law, numbers[SHAPE:])
                add_component(partial, a, b, base_q, base_k, numbers)
        if call % FLUSH == FLUSH - 1 or call == calls - 1:
            for lane in range(LANES):
                values[lane] += unit * partial[lane]
                partial[lane] = ZERO


@compiled(freedom="fused")
def _scores(out, k0, k1, first, dim, law, wide, numbers, unit):
    words, lanes, values = scratch_words(), np.empty((5, LANES), np.float32), np.empty(LANES)
    for start in range(0, out.size, LANES):
        dot_block(values, lanes, words, first + uint64(start), k0, k1, dim, law, wide, numbers, unit)
        taken = min(LANES, out.size - start)
        for lane in range(taken):
            out[start + lane] = values[lane]


@compiled(freedom="fused")
def _sums(count, k0, k1, first, dim, law, wide, numbers, unit, measures, powers, tally):
    words, lanes, values = scratch_words(), np.empty((5, LANES), np.float32), np.empty(LANES)
    places = np.empty(LANES, np.int32)
    for start in range(0, count, LANES):
        dot_block(values, lanes, words, first + uint64(start), k0, k1, dim, law, wide, numbers, unit)
        add_block(values, min(LANES, count - start), measures, places, powers, tally)
