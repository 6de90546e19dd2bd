"""Masks against a dense reference: every pair of a query and a key, by the definition."""

import numpy as np
import pytest

from attnsim.choices.masks import MASKS, Sight

KEYS = 23
SIZES = (1, 2, 5, 7, 22, 23, 40)
DENSE = {
    "none": lambda i, j, size: True,
    "causal": lambda i, j, size: j <= i,
    "window": lambda i, j, size: 0 <= i - j < size,
    "strided": lambda i, j, size: j <= i and (i - j) % size == 0,
}


def flags(mask, logits, sight):
    found = MASKS[mask].visible(logits, sight)
    return np.ones(logits.shape, bool) if found is None else found


@pytest.mark.parametrize("mask", list(DENSE))
@pytest.mark.parametrize("size", SIZES)
def test_a_pattern_is_its_definition_for_every_query_and_key(mask, size):
    for query in range(KEYS):
        sight = Sight(query=query, keys=KEYS, size=size)
        line = flags(mask, np.zeros((2, KEYS)), sight)
        wanted = [bool(DENSE[mask](query, key, size)) for key in range(KEYS)]
        assert line.tolist() == [wanted, wanted]
        assert MASKS[mask].count(sight) == sum(wanted)


@pytest.mark.parametrize("mask", list(MASKS))
@pytest.mark.parametrize("size", SIZES)
def test_a_mask_shows_as_many_keys_as_it_counts(mask, size):
    logits = np.random.default_rng(1).normal(size=(6, KEYS))
    sight = Sight(query=KEYS - 1, keys=KEYS, size=size)
    assert np.all(flags(mask, logits, sight).sum(axis=1) == MASKS[mask].count(sight))


@pytest.mark.parametrize("mask", [name for name in MASKS if name != "top_k"])
def test_the_first_keys_of_a_row_are_seen_alike_however_many_are_drawn(mask):
    sight = Sight(query=KEYS - 1, keys=KEYS, size=5, seed=3)
    whole, part = flags(mask, np.zeros((2, KEYS)), sight), flags(mask, np.zeros((2, 9)), sight)
    assert np.array_equal(whole[:, :9], part)


@pytest.mark.parametrize("size", SIZES)
def test_top_k_shows_the_largest_scores_and_of_equal_ones_the_first(size):
    rng = np.random.default_rng(2)
    for logits in (rng.normal(size=(5, KEYS)), rng.integers(0, 3, (5, KEYS)).astype(float), np.zeros((1, KEYS))):
        seen = flags("top_k", logits, Sight(query=KEYS - 1, keys=KEYS, size=size))
        for row, line in zip(logits, seen, strict=True):
            wanted = np.argsort(-row, kind="stable")[:size]
            assert set(np.flatnonzero(line)) == set(wanted)


def test_rows_of_a_random_mask_differ_depend_on_the_seed_and_not_on_the_cut():
    sight = Sight(query=99, keys=100, size=10, seed=1)
    whole = flags("random", np.zeros((6, 100)), sight)
    later = flags("random", np.zeros((3, 100)), Sight(query=99, keys=100, size=10, seed=1, first_row=3))
    assert np.array_equal(whole[3:], later)
    assert len({line.tobytes() for line in whole}) == 6
    other = flags("random", np.zeros((1, 100)), Sight(query=99, keys=100, size=10, seed=2))
    assert not np.array_equal(other[0], whole[0])


def test_a_random_mask_shows_every_key_equally_often():
    seen = flags("random", np.zeros((4000, 20)), Sight(query=19, keys=20, size=5, seed=4)).sum(axis=0)
    assert np.all(np.abs(seen - 1000) <= 5 * np.sqrt(4000 * 0.25 * 0.75))


@pytest.mark.parametrize("name", list(MASKS))
def test_every_mask_says_what_it_is_where_it_comes_from_and_why(name):
    mask = MASKS[name]
    assert mask.key == name
    assert mask.formula
    assert mask.source
    assert all(sentence.endswith(".") for sentence in mask.sentences)
