"""Real vectors: places in them, sharing of key heads, refusals."""

import numpy as np
import pytest

from attnsim.vectors import Layer, Vectors


def _layer(heads=4, key_heads=2, queries=3, keys=5, dim=2, **more):
    q = np.arange(heads * queries * dim, dtype=float).reshape(heads, queries, dim)
    k = np.arange(key_heads * keys * dim, dtype=float).reshape(key_heads, keys, dim)
    return Layer("l", q, k, **more)


def test_key_heads_are_repeated_and_not_tiled():
    vectors = Vectors("t", (_layer(),))
    assert [vectors.at(head=head).keys[0, 0] for head in range(4)] == [0.0, 0.0, 10.0, 10.0]


def test_a_causal_row_sees_itself_and_what_came_before_up_to_all_keys():
    causal = Vectors("t", (_layer(queries=7, keys=5, causal=True),))
    assert [causal.visible_to(row) for row in (0, 3, 6)] == [1, 4, 5]
    assert Vectors("t", (_layer(),)).visible == 5


def test_another_layer_keeps_head_and_row_where_they_exist():
    vectors = Vectors("t", (_layer(), _layer(heads=2, queries=1)), head=3, row=2)
    moved = vectors.at(layer=1)
    assert (moved.layer, moved.head, moved.row) == (1, 1, 0)
    assert vectors.at(row=0).head == 3


@pytest.mark.parametrize("place", [{"layer": 1}, {"head": 4}, {"row": -1}])
def test_a_place_that_is_not_there_is_refused_by_name(place):
    with pytest.raises(ValueError, match=rf"{next(iter(place))} must lie in 0\.\."):
        Vectors("t", (_layer(),)).at(**place)


@pytest.mark.parametrize("wrong", [{"heads": 3}, {"queries": 0}, {"keys": 0}, {"dim": 0}])
def test_a_layer_whose_parts_do_not_fit_is_refused(wrong):
    with pytest.raises(ValueError, match="q and k must be"):
        _layer(**wrong)


def test_the_numbers_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        _layer().q[0, 0, 0] = 1.0


def test_the_hash_follows_the_numbers_and_not_the_place():
    vectors = Vectors("t", (_layer(),))
    assert vectors.content_hash == Vectors("other", (_layer(),)).at(head=1).content_hash
    changed = _layer()
    assert vectors.content_hash != Vectors("t", (Layer("l", changed.q + 1.0, changed.k),)).content_hash


def test_equal_places_of_one_file_are_equal_and_hashable():
    vectors = Vectors("t", (_layer(),))
    assert vectors.at(head=1) == vectors.at(head=1) != vectors
    assert len({vectors.at(row=1), vectors.at(row=1)}) == 1
