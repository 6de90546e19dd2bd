"""Every layout and number type comes back as (heads, rows, dim) in native float64."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from attnsim.files.readers import load_vectors


def _numbers(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape)


def _saved(folder, **arrays):
    path = folder / "case.npz"
    np.savez(path, **arrays)
    return path


def _native(array):
    return array.dtype == np.float64 and array.dtype.isnative and array.flags.c_contiguous


@pytest.mark.parametrize("dtype", ["<f2", ">f2", "<f4", ">f4", "<f8", ">f8"])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_number_type_and_memory_order_do_not_change_the_numbers(tmp_path, dtype, order, save):
    q, k = (np.asarray(_numbers(4, n, 6, seed=n), dtype, order=order) for n in (5, 7))
    save(tmp_path / "case.npz", q=q, k=k)
    layer = load_vectors(tmp_path / "case.npz").current
    assert _native(layer.q)
    assert _native(layer.k)
    np.testing.assert_array_equal(layer.q, q.astype(float))
    np.testing.assert_array_equal(layer.k, k.astype(float))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    groups=st.integers(1, 3),
    key_heads=st.integers(1, 3),
    n=st.integers(1, 6),
    m=st.integers(1, 6),
    d=st.integers(1, 5),
    batch=st.integers(1, 3),
)
def test_any_batch_of_grouped_heads_is_read_back(tmp_path, groups, key_heads, n, m, d, batch):
    q, k = _numbers(batch, groups * key_heads, n, d), _numbers(batch, key_heads, m, d, seed=1)
    vectors = load_vectors(_saved(tmp_path, q_bhnd=q, k_bhnd=k))
    assert len(vectors.layers) == batch
    for layer, its_q, its_k in zip(vectors.layers, q, k, strict=True):
        np.testing.assert_array_equal(layer.q, its_q)
        np.testing.assert_array_equal(layer.k, its_k)
    assert not vectors.note


@pytest.mark.parametrize(("q", "k"), [("q", "k"), ("Q", "K"), ("query", "key"), ("Query", "Key"), ("queries", "keys")])
def test_the_usual_names_are_understood(tmp_path, q, k):
    vectors = load_vectors(_saved(tmp_path, **{q: _numbers(3, 2), k: _numbers(4, 2), "v": _numbers(9)}))
    assert (vectors.current.q.shape, vectors.current.k.shape) == ((1, 3, 2), (1, 4, 2))
    assert vectors.title == "case"


def test_layers_come_in_natural_order_with_their_own_names(tmp_path):
    arrays = {f"enc.layer{i}.{role}": np.full((2, 3), i + 1.0) for i in (10, 9, 0) for role in "qkv"}
    vectors = load_vectors(_saved(tmp_path, **arrays))
    assert [layer.name for layer in vectors.layers] == ["enc.layer0", "enc.layer9", "enc.layer10"]
    assert [layer.q[0, 0, 0] for layer in vectors.layers] == [1.0, 10.0, 11.0]


def test_rows_first_is_read_when_it_is_the_only_reading_that_fits(tmp_path):
    q, k = _numbers(12, 21, 4), _numbers(12, 21, 4, seed=1)
    vectors = load_vectors(_saved(tmp_path, q=q.transpose(1, 0, 2)[None], k=k))
    np.testing.assert_array_equal(vectors.current.q, q)
    assert _native(vectors.current.q)
    assert "q was read as batch, rows, heads" in vectors.note


def test_rows_first_is_read_when_the_names_say_so(tmp_path):
    q, k = _numbers(1, 21, 12, 4), _numbers(1, 21, 4, 4, seed=1)
    vectors = load_vectors(_saved(tmp_path, q_bnhd=q, k_bnhd=k))
    np.testing.assert_array_equal(vectors.current.k, k[0].transpose(1, 0, 2))


def test_an_undecided_order_of_four_axes_is_heads_first_and_said(tmp_path):
    vectors = load_vectors(_saved(tmp_path, q=_numbers(1, 3, 5, 2), k=_numbers(1, 3, 5, 2)))
    assert vectors.current.q.shape == (3, 5, 2)
    assert "batch, heads, rows, components, though" in vectors.note


def test_each_batch_of_each_layer_becomes_a_layer(tmp_path):
    arrays = {f"l{i}.{role}": _numbers(2, 1, 3, 2) for i in range(2) for role in "qk"}
    names = [layer.name for layer in load_vectors(_saved(tmp_path, **arrays)).layers]
    assert names == ["l0, batch 0", "l0, batch 1", "l1, batch 0", "l1, batch 1"]


@pytest.mark.parametrize(
    ("q", "k"),
    [("q", "k"), ("Q", "K"), ("query", "key"), ("head3_q", "head3_k"), ("q_head3", "k_head3"), ("a.Query", "a.Key")],
)
def test_a_single_array_finds_its_partner_from_either_side(tmp_path, q, k):
    np.save(tmp_path / f"{q}.npy", np.full((3, 2), 1.0))
    np.save(tmp_path / f"{k}.npy", np.full((4, 2), 2.0))
    for given_name in (q, k):
        vectors = load_vectors(tmp_path / f"{given_name}.npy")
        assert (vectors.query[0], vectors.keys[0, 0], vectors.title, vectors.note) == (1.0, 2.0, q, "")


def test_a_partner_with_another_name_is_said(tmp_path):
    np.save(tmp_path / "q_f16.npy", np.ones((3, 2), np.float16))
    np.save(tmp_path / "k.npy", np.ones((3, 2)))
    assert load_vectors(tmp_path / "q_f16.npy").note == "the partner of q_f16.npy is k.npy"


def test_two_given_files_are_ordered_by_name_else_as_given(tmp_path):
    for name, value in (("q", 1.0), ("k", 2.0), ("left", 3.0)):
        np.save(tmp_path / f"{name}.npy", np.full((3, 2), value))

    def firsts(*names):
        vectors = load_vectors(*(tmp_path / f"{name}.npy" for name in names))
        return vectors.query[0], vectors.keys[0, 0]

    assert firsts("k", "q") == (1.0, 2.0)
    assert firsts("left", "k") == (3.0, 2.0)
    assert firsts("k", "left") == (3.0, 2.0)
    assert firsts("left", "left") == (3.0, 3.0)
    with pytest.raises(ValueError, match="both name q"):
        firsts("q", "q")


def test_queries_without_a_partner_are_left_out_and_said(tmp_path):
    vectors = load_vectors(_saved(tmp_path, q=_numbers(3, 2), k=_numbers(3, 2), past_key=_numbers(1, 2)))
    assert vectors.note == "left out for want of a partner: past_key"
