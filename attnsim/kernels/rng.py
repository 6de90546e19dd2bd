"""Random numbers as a function of (seed, stream, index) and of nothing else: Philox4x32."""

import hashlib
import math
from typing import Any

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from attnsim.kernels.compiled import compiled

LOW = uint64(0xFFFFFFFF)
MULTIPLIER_0 = uint64(0xD2511F53)
MULTIPLIER_1 = uint64(0xCD9E8D57)
WEYL_0 = uint64(0x9E3779B9)
WEYL_1 = uint64(0xBB67AE85)
HALF_WORD = uint64(32)
MANTISSA_SHIFT = uint64(11)
TO_UNIT = 2.0**-53
TWO_PI = 2.0 * math.pi


def stream_key(seed: int, stream: str) -> NDArray[np.uint64]:
    """Return the generator's key for a seed and a purpose.

    Parameters
    ----------
    seed : int
    stream : str
        Keeps draws of different purposes independent.

    Returns
    -------
    uint64 array, shape (2,)
        Two 32-bit words of a hash of both.
    """
    digest = hashlib.blake2b(f"{seed}/{stream}".encode(), digest_size=8).digest()
    return np.frombuffer(digest, dtype="<u4").astype(np.uint64)


def philox4x32(counter: NDArray[Any], key: NDArray[Any], rounds: int = 10) -> NDArray[np.uint32]:
    """Return Philox4x32 of each counter under its key.

    Parameters
    ----------
    counter : uint32 array, shape (..., 4)
    key : uint32 array, shape (..., 2)
        Broadcast against the counters.
    rounds : int
        10 is the authors' choice; 7 is the fewest that pass their tests.

    Returns
    -------
    uint32 array, shape (..., 4)

    Raises
    ------
    ValueError
        If a last axis is not 4 or 2 long, the rest does not broadcast, or `rounds` is not in 1..16.

    References
    ----------
    .. [1] J. K. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC'11, Sec. 3.3.
    """
    counter, key = np.asarray(counter, dtype=np.uint32), np.asarray(key, dtype=np.uint32)
    for name, array, wanted in (("counter", counter, 4), ("key", key, 2)):
        if array.ndim == 0 or array.shape[-1] != wanted:
            raise ValueError(f"{name} needs shape (..., {wanted}); got {array.shape}")
    if not 1 <= rounds <= 16:
        raise ValueError(f"rounds must lie in 1..16, not {rounds}")
    shape = np.broadcast_shapes(counter.shape[:-1], key.shape[:-1])
    counters = np.ascontiguousarray(np.broadcast_to(counter, (*shape, 4)).reshape(-1, 4))
    keys = np.ascontiguousarray(np.broadcast_to(key, (*shape, 2)).reshape(-1, 2))
    words = np.empty_like(counters)
    _philox_rows(counters, keys, rounds, words)
    return words.reshape(*shape, 4)


@compiled
def philox(c0, c1, c2, c3, k0, k1, rounds=10):
    """Return four random 32-bit words, held in uint64 so that the compiler emits widening multiplies."""
    c0, c1, c2, c3 = uint64(c0), uint64(c1), uint64(c2), uint64(c3)
    k0, k1 = uint64(k0), uint64(k1)
    for _ in range(rounds):
        product_0 = MULTIPLIER_0 * c0
        product_1 = MULTIPLIER_1 * c2
        c0 = (product_1 >> HALF_WORD) ^ c1 ^ k0
        c1 = product_1 & LOW
        c2 = (product_0 >> HALF_WORD) ^ c3 ^ k1
        c3 = product_0 & LOW
        k0 = (k0 + WEYL_0) & LOW
        k1 = (k1 + WEYL_1) & LOW
    return c0, c1, c2, c3


@compiled
def _philox_rows(counters, keys, rounds, out):
    for i in range(counters.shape[0]):
        c, k = counters[i], keys[i]
        out[i, 0], out[i, 1], out[i, 2], out[i, 3] = philox(c[0], c[1], c[2], c[3], k[0], k[1], rounds)


@compiled
def uniform_pair(c0, c1, c2, c3, k0, k1):
    """Return two uniforms in (0, 1), never 0 or 1, with 53 random bits each."""
    w0, w1, w2, w3 = philox(c0, c1, c2, c3, k0, k1)
    first = ((w0 << HALF_WORD) | w1) >> MANTISSA_SHIFT
    second = ((w2 << HALF_WORD) | w3) >> MANTISSA_SHIFT
    return (float(first) + 0.5) * TO_UNIT, (float(second) + 0.5) * TO_UNIT


@compiled
def normal_pair(c0, c1, c2, c3, k0, k1):
    """Return two independent standard normals (Box and Muller 1958); they reach 8.6 sigma."""
    u, v = uniform_pair(c0, c1, c2, c3, k0, k1)
    radius = math.sqrt(-2.0 * math.log(u))
    return radius * math.cos(TWO_PI * v), radius * math.sin(TWO_PI * v)


@compiled
def chi_square(df, c1, c2, c3, k0, k1):
    """Return a chi-square variate; the counter's first word counts the attempts.

    Marsaglia and Tsang, ACM TOMS 26, 2000, for the Gamma law of shape df/2; below shape 1 by their
    boost with a uniform to the power 1/shape.
    """
    if df <= 0:
        return 0.0
    shape = 0.5 * df
    boost = 1.0
    if shape < 1.0:
        u, _ = uniform_pair(LOW, c1, c2, c3, k0, k1)
        boost = u ** (1.0 / shape)
        shape += 1.0
    d = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    attempt = uint64(0)
    while True:
        x, _ = normal_pair(attempt, c1, c2, c3, k0, k1)
        u, _ = uniform_pair(attempt + uint64(1), c1, c2, c3, k0, k1)
        attempt += uint64(2)
        v = (1.0 + c * x) ** 3
        if v > 0.0 and math.log(u) < 0.5 * x * x + d * (1.0 - v + math.log(v)):
            return 2.0 * d * v * boost
