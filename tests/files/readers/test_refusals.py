"""Whatever a file holds, one sentence with its name comes back, nothing else."""

import io
import os
import pickle
import zipfile

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from attnsim.files import readers
from attnsim.files.readers import load_vectors, npz

GOOD = np.ones((2, 3, 4), np.float32)


class Trap:
    """Leaves a file behind when it is unpickled."""

    def __init__(self, mark):
        self.mark = mark

    def __reduce__(self):
        return (open, (str(self.mark), "w"))


def refusal(*paths):
    with pytest.raises(ValueError, match=r".") as caught:
        load_vectors(*paths)
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert os.sep + "tmp" not in sentence
    assert str(paths[0].parent) not in sentence
    return sentence


def npy(array):
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def header(shape="(3, 4)", descr="'<f4'", order="False", version=1):
    text = f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY" + bytes([version, 0]) + len(text).to_bytes(2 if version == 1 else 4, "little") + text


@pytest.mark.parametrize(
    ("q", "k", "words"),
    [
        (GOOD.astype(complex), GOOD, "holds complex128 values"),
        (GOOD.astype(np.int8), GOOD, r"whole numbers \(int8\), which are quantised"),
        (GOOD > 0, GOOD, "holds bool values"),
        (np.array(["a"]), GOOD, "holds str"),
        (GOOD.astype(object), GOOD, "pickled Python objects"),
        (GOOD[:, :0], GOOD, r"is empty: its shape is \(2, 0, 4\)"),
        (GOOD[0, 0], GOOD, r"has the shape \(4,\)"),
        (GOOD[None, None], GOOD, r"has the shape \(1, 1, 2, 3, 4\)"),
        (GOOD[..., :3], GOOD, "same dim, not 3 and 4"),
        (np.ones((3, 3, 4)), GOOD, "3 heads of q must be a multiple of the 2 heads"),
        (np.ones((2, 2, 3, 4)), GOOD, "same batch, not 2 and 1"),
        (np.ones((1, 65_537)), np.ones((1, 65_537)), r"dim must lie in 1\.\.65536, not 65537"),
        (np.ones((1, 1)), np.ones((65_537, 1)), r"keys must lie in 1\.\.65536, not 65537"),
    ],
)
def test_vectors_that_cannot_be_used_are_refused_with_what_came(tmp_path, q, k, words):
    path = tmp_path / "case.npz"
    np.savez(path, q=q, k=k)
    with pytest.raises(ValueError, match=rf"^case\.npz.*{words}"):
        load_vectors(path)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e200])
def test_values_that_are_not_finite_are_counted_and_the_first_is_placed(tmp_path, value):
    k = np.ones((2, 3, 4))
    k[1, 0, 2] = k[1, 2, 3] = value
    np.savez(tmp_path / "case.npz", q=GOOD, k=k)
    assert refusal(tmp_path / "case.npz").endswith("the first in batch 0, head 1, row 0, component 2")
    assert "k holds 2 values" in refusal(tmp_path / "case.npz")


@pytest.mark.parametrize(
    ("arrays", "words"),
    [
        ({"q": GOOD}, "no keys"),
        ({"k": GOOD}, "no queries"),
        ({"a": GOOD, "b": GOOD}, "no arrays named q and k"),
        ({"scores": np.ones((5, 5))}, "looks like scores"),
        ({"q": GOOD, "Q": GOOD, "k": GOOD}, "two arrays for one place: q and Q"),
        ({"l0.q_proj.weight": GOOD, "l0.k_proj.weight": GOOD}, "holds weights"),
        ({"query_key_value": GOOD}, "no arrays named"),
    ],
)
def test_arrays_that_are_not_q_and_k_are_named(tmp_path, arrays, words):
    np.savez(tmp_path / "case.npz", **arrays)
    sentence = refusal(tmp_path / "case.npz")
    assert words in sentence
    assert sentence.startswith("case.npz")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"0.1,0.2\n0.3,0.4\n", "does not begin as one"),
        (b"PK\x03\x04", "does not begin as one"),
        (b"\x93NUMPY", "does not begin as one"),
        (header()[:30], "no readable"),
        (header(version=9), "no readable"),
        (b"\x93NUMPY\x02\x00\xff\xff\xff\xff", "no readable"),
        (header("(1 << 60,)"), "no readable"),
        (header("(-3, 4)"), "no readable"),
        (header("__import__('os').abort()"), "no readable"),
        (header(descr="[('x', '<f4')]"), "no readable"),
        (header(descr="'<f3'"), "unknown type"),
        (header("(9999999999999999999,)", descr="'|S0'"), "unknown type"),
        (header("(1099511627776, 1024)"), "4503599627370496 bytes, and 0 came"),
        (header() + bytes(47), "48 bytes, and 47 came"),
        (header() + bytes(49), "48 bytes, and 49 came"),
    ],
)
def test_a_file_that_is_no_sound_npy_is_refused(tmp_path, content, words):
    (tmp_path / "q.npy").write_bytes(content)
    assert words in refusal(tmp_path / "q.npy")


@pytest.mark.parametrize("version", [1, 2, 3])
def test_every_version_of_the_header_is_read(tmp_path, version):
    for name in "qk":
        (tmp_path / f"{name}.npy").write_bytes(header(version=version) + np.arange(12, dtype="<f4").tobytes())
    np.testing.assert_array_equal(load_vectors(tmp_path / "q.npy").keys, np.arange(12.0).reshape(3, 4))


def test_a_lone_array_is_refused_by_what_is_missing(tmp_path):
    np.save(tmp_path / "scores.npy", np.ones((5, 5)))
    np.save(tmp_path / "data.npy", GOOD)
    np.save(tmp_path / "head_q.npy", GOOD)
    assert "looks like scores" in refusal(tmp_path / "scores.npy")
    assert "neither q nor k" in refusal(tmp_path / "data.npy")
    assert "head_k.npy was wanted beside it" in refusal(tmp_path / "head_q.npy")


def test_files_that_cannot_go_together_are_refused(tmp_path):
    np.savez(tmp_path / "a.npz", q=GOOD, k=GOOD)
    np.save(tmp_path / "q.npy", GOOD)
    np.save(tmp_path / "k.npy", GOOD)
    assert "came with 1 more" in refusal(tmp_path / "a.npz", tmp_path / "q.npy")
    assert "came with 2 more" in refusal(tmp_path / "q.npy", tmp_path / "k.npy", tmp_path / "k.npy")


def test_what_is_no_file_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe.npy")
    assert refusal(tmp_path / "none.npz") == "none.npz cannot be opened: No such file or directory"
    assert refusal(tmp_path) == f"{tmp_path.name} is a folder, where a file was wanted"
    assert "no regular file" in refusal(tmp_path / "pipe.npy")
    assert "damaged" in refusal(tmp_path / "nul\0.npy")
    assert "cannot be opened" in refusal(tmp_path / ("x" * 5000 + ".npz"))


@pytest.mark.parametrize("name", ["a.safetensors", "a.pt", "a.pkl", "a.txt", "a"])
def test_other_formats_are_refused_with_those_that_can_be_read(tmp_path, name):
    (tmp_path / name).write_bytes(b"anything")
    assert refusal(tmp_path / name).endswith(".npy, .npz")


@pytest.mark.parametrize(
    ("error", "words"),
    [(PermissionError(13, "Permission denied"), "Permission denied"), (MemoryError(), "more memory")],
)
def test_trouble_of_the_machine_is_a_sentence(tmp_path, monkeypatch, error, words):
    np.savez(tmp_path / "case.npz", q=GOOD, k=GOOD)

    def fail(*_):
        raise error

    monkeypatch.setattr(npz, "read_array", fail)
    assert words in refusal(tmp_path / "case.npz")


def test_pickles_are_never_opened(tmp_path):
    mark = tmp_path / "mark"
    trap = np.array([Trap(mark)], dtype=object)
    np.savez(tmp_path / "case.npz", q=trap, k=trap, tokens=trap)
    np.save(tmp_path / "q.npy", trap)
    np.save(tmp_path / "k.npy", GOOD)
    (tmp_path / "plain.npy").write_bytes(pickle.dumps(Trap(mark)))
    for name in ("case.npz", "q.npy", "plain.npy"):
        refusal(tmp_path / name)
    assert not mark.exists()


def test_names_that_lead_out_of_the_folder_write_nothing(tmp_path):
    inner = tmp_path / "inner"
    inner.mkdir()
    with zipfile.ZipFile(inner / "case.npz", "w") as archive:
        for name in ("../q.npy", "../k.npy"):
            archive.writestr(name, npy(GOOD))
    assert load_vectors(inner / "case.npz").current.name == "layer 0"
    assert sorted(tmp_path.rglob("*.npy")) == []


def test_a_bomb_is_refused_before_it_is_unpacked_and_small_zeros_are_read(tmp_path):
    np.savez_compressed(tmp_path / "small.npz", q=np.zeros((1024, 256)), k=np.zeros((1024, 256)))
    assert load_vectors(tmp_path / "small.npz").dim == 256
    bomb = np.zeros((17, 1024, 256), np.float32)
    np.savez_compressed(tmp_path / "bomb.npz", q=bomb, k=bomb)
    assert "at most 200 times" in refusal(tmp_path / "bomb.npz")


def test_more_than_the_limit_in_all_is_refused_from_the_headers(tmp_path, monkeypatch):
    np.savez(tmp_path / "case.npz", q=GOOD, k=GOOD)
    monkeypatch.setattr(readers, "MOST_BYTES", 2 * GOOD.size * 8 - 1)
    assert "384 bytes as float64; at most 383" in refusal(tmp_path / "case.npz")
    monkeypatch.setattr(readers, "MOST_BYTES", 2 * GOOD.size * 8)
    assert load_vectors(tmp_path / "case.npz").dim == 4


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_packings_that_numpy_does_not_write_are_refused(tmp_path, packing):
    with zipfile.ZipFile(tmp_path / "case.npz", "w", packing) as archive:
        for name in "qk":
            archive.writestr(f"{name}.npy", npy(GOOD))
    assert "NumPy does not write" in refusal(tmp_path / "case.npz")


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x05\x06" + bytes(18), b"PK\x05\x06" + b"\xff" * 18])
def test_a_file_that_is_no_archive_of_arrays_is_refused(tmp_path, content):
    (tmp_path / "case.npz").write_bytes(content)
    assert refusal(tmp_path / "case.npz").startswith("case.npz")


def test_control_characters_of_a_name_do_not_reach_the_sentence(tmp_path):
    np.savez(tmp_path / "case.npz", **{"a\nb\x1b[31m": GOOD, "z" * 200: GOOD})
    assert "a?b?[31m" in refusal(tmp_path / "case.npz")
    assert len(refusal(tmp_path / "case.npz")) < 200


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), packed=st.booleans())
def test_a_damaged_archive_is_read_or_refused_but_never_crashes(tmp_path, data, packed):
    buffer = io.BytesIO()
    tokens = np.array(["a", "b", "c"])
    (np.savez_compressed if packed else np.savez)(buffer, q=GOOD, k=GOOD, tokens=tokens, scale=0.5)
    content = bytearray(buffer.getvalue())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path / "case.npz"
    path.write_bytes(bytes(content[: data.draw(st.sampled_from([len(content), len(content) // 2]))]))
    try:
        load_vectors(path)
    except ValueError as error:
        assert str(error).startswith("case.npz")  # noqa: PT017 - either outcome is right


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_damaged_array_is_read_or_refused_but_never_crashes(tmp_path, data):
    content = bytearray(npy(GOOD))
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, 130))] = data.draw(st.integers(0, 255))
    (tmp_path / "q.npy").write_bytes(bytes(content))
    (tmp_path / "k.npy").write_bytes(npy(GOOD))
    try:
        load_vectors(tmp_path / "q.npy")
    except ValueError as error:
        assert str(error).startswith("q.npy")  # noqa: PT017 - either outcome is right
