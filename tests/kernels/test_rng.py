"""Random numbers: known answers first, then laws of the subject, then refusal."""

import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from attnsim.kernels import rng
from attnsim.kernels.compiled import compiled

KNOWN = [  # from the paper's test vectors, computed again with exact integers below
    ((0, 0, 0, 0), (0, 0)),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2),
    ((0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344), (0xA4093822, 0x299F31D0)),
]


def exact_philox(counter, key, rounds):
    """Philox4x32 in Python's unbounded integers, straight from the paper's definition."""
    c, (k0, k1) = list(counter), key
    for _ in range(rounds):
        left, right = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(right >> 32) ^ c[1] ^ k0, right & 0xFFFFFFFF, (left >> 32) ^ c[3] ^ k1, left & 0xFFFFFFFF]
        k0, k1 = (k0 + 0x9E3779B9) & 0xFFFFFFFF, (k1 + 0xBB67AE85) & 0xFFFFFFFF
    return c


@pytest.mark.parametrize("rounds", [7, 10])
@pytest.mark.parametrize(("counter", "key"), KNOWN)
def test_words_equal_those_of_exact_integers(counter, key, rounds):
    got = rng.philox4x32(np.array(counter, np.uint32), np.array(key, np.uint32), rounds)
    assert got.tolist() == exact_philox(counter, key, rounds)


def test_words_equal_the_authors_known_answers(shared_folder):
    path = Path(shared_folder) / "reference" / "rng" / "philox_threefry_kat_public.txt"
    seen = 0
    for line in path.read_text().splitlines():
        if not line.startswith("philox4x32 "):
            continue
        rounds, *words = line.split()[1:]
        numbers = [int(word, 16) for word in words]
        got = rng.philox4x32(np.array(numbers[:4], np.uint32), np.array(numbers[4:6], np.uint32), int(rounds))
        assert got.tolist() == numbers[6:10]
        seen += 1
    assert seen >= 2


def test_counters_and_keys_broadcast():
    counters = np.arange(24, dtype=np.uint32).reshape(2, 3, 4)
    keys = np.arange(4, dtype=np.uint32).reshape(2, 1, 2)
    words = rng.philox4x32(counters, keys)
    assert words.shape == (2, 3, 4)
    assert words[1, 2].tolist() == exact_philox(counters[1, 2].tolist(), keys[1, 0].tolist(), 10)


@pytest.mark.parametrize(
    ("counter", "key", "message"), [((3,), (2,), r"counter .* \(3,\)"), ((4,), (3,), r"key .* \(3,\)")]
)
def test_a_wrong_shape_is_refused_by_name(counter, key, message):
    with pytest.raises(ValueError, match=message):
        rng.philox4x32(np.zeros(counter, np.uint32), np.zeros(key, np.uint32))


def test_streams_of_one_seed_have_different_keys():
    keys = {tuple(rng.stream_key(7, stream)) for stream in ("row/q", "row/k", "ensemble/q", "ensemble/k")}
    assert len(keys) == 4
    assert tuple(rng.stream_key(7, "row/q")) != tuple(rng.stream_key(8, "row/q"))


@compiled
def many_normals(count, k0, k1):
    out = np.empty(2 * count)
    for i in range(count):
        out[2 * i], out[2 * i + 1] = rng.normal_pair(i, 0, 0, 0, k0, k1)
    return out


@compiled
def many_chi_squares(df, count, k0, k1):
    out = np.empty(count)
    for i in range(count):
        out[i] = rng.chi_square(df, i, 0, 0, k0, k1)
    return out


def test_normals_follow_the_normal_law():
    z = many_normals(200_000, *rng.stream_key(3, "test"))
    assert stats.kstest(z, "norm").pvalue > 1e-3
    assert abs(np.corrcoef(z[::2], z[1::2])[0, 1]) < 5 / math.sqrt(200_000)


@pytest.mark.parametrize("df", [1, 2, 3, 7, 63, 4095])
def test_chi_squares_follow_their_law(df):
    values = many_chi_squares(df, 50_000, *rng.stream_key(df, "test"))
    assert stats.kstest(values, stats.chi2(df).cdf).pvalue > 1e-3


def test_a_chi_square_without_a_degree_of_freedom_is_zero():
    assert many_chi_squares(0, 3, *rng.stream_key(0, "test")).tolist() == [0.0, 0.0, 0.0]
