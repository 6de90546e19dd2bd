"""What a file says beside its vectors is carried over, or refused in a sentence."""

import json

import numpy as np
import pytest

from attnsim.files.readers import load_vectors

PAIR = {"l0.q": np.ones((3, 2)), "l0.k": np.ones((3, 2)), "l1.q": np.ones((3, 2)), "l1.k": np.ones((3, 2))}


def _load(folder, told=None, raw=None, **more):
    path = folder / "case.npz"
    if told is not None or raw is not None:
        more["__meta_json__"] = np.frombuffer(raw or json.dumps(told).encode(), np.uint8)
    np.savez(path, **PAIR, **more)
    return load_vectors(path)


def test_each_layer_has_its_own_scale_and_mask_before_those_of_the_file(tmp_path):
    layers = [{"key": "l1", "scale": 0.25, "causal": False}, {"key": "elsewhere", "scale": 9}]
    vectors = _load(tmp_path, {"scale": 0.5, "causal": True, "layers": layers, "tokens": ["a", "b\n", "c"]})
    assert [(layer.scale, layer.causal) for layer in vectors.layers] == [(0.5, True), (0.25, False)]
    assert vectors.tokens == ("a", "b\n", "c")


@pytest.mark.parametrize("model", ["/home/someone/tiny", "org/tiny", "C:\\models\\tiny\\", "tiny"])
def test_the_title_is_the_last_part_of_the_models_name(tmp_path, model):
    assert _load(tmp_path, {"model": model}).title == "tiny"


@pytest.mark.parametrize("model", [None, "", 3, "/"])
def test_the_title_is_the_files_stem_where_no_model_is_named(tmp_path, model):
    assert _load(tmp_path, {"model": model}).title == "case"


def test_plain_arrays_say_the_same(tmp_path):
    vectors = _load(tmp_path, scale=np.float32(0.5), causal=np.array([1]), tokens=np.array(["x", "é", "z"]), model="m")
    assert (vectors.current.scale, vectors.current.causal, vectors.title) == (0.5, True, "m")
    assert vectors.tokens == ("x", "é", "z")
    assert _load(tmp_path, tokens=np.array([b"x", b"y", b"z"])).tokens == ("x", "y", "z")


def test_tokens_that_are_not_one_a_key_are_left_out_and_said(tmp_path):
    vectors = _load(tmp_path, {"tokens": ["a", "b"]})
    assert vectors.tokens == ()
    assert "not one a key" in vectors.note


@pytest.mark.parametrize("tokens", [np.arange(3), np.array(["a", "b", None], dtype=object)])
def test_tokens_that_are_no_text_are_left_out_and_never_unpickled(tmp_path, tokens):
    vectors = _load(tmp_path, tokens=tokens)
    assert vectors.tokens == ()
    assert "no text" in vectors.note


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"{", "not readable JSON"),
        (b"\xff\xfe\x00", "not readable JSON"),
        (b"[" * 100_000, "not readable JSON"),
        (b"[1]", "must be a JSON object"),
        (b'{"scale": "big"}', "scale must be one finite number"),
        (b'{"scale": NaN}', "scale must be one finite number"),
        (b'{"scale": true}', "scale must be one finite number"),
        (b'{"scale": 1' + b"0" * 400 + b"}", "scale must be one finite number"),
        (b'{"causal": "yes"}', "causal must be true or false"),
        (b'{"causal": 2}', "causal must be true or false"),
        (b'{"tokens": [1]}', "tokens must be a list of texts"),
        (b'{"layers": {}}', "layers must be a list"),
        (b'{"layers": [3]}', "layers must be a JSON object"),
    ],
)
def test_broken_metadata_is_refused_in_a_sentence(tmp_path, raw, words):
    with pytest.raises(ValueError, match=rf"^case\.npz: .*{words}"):
        _load(tmp_path, raw=raw)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"scale": np.ones(3)}, "scale must be"),
        ({"scale": np.array(None, dtype=object)}, "scale must be"),
        ({"causal": np.complex64(1)}, "causal must be"),
        ({"__meta_json__": np.ones(3)}, "uint8"),
    ],
)
def test_plain_arrays_of_the_wrong_kind_are_refused(tmp_path, more, words):
    with pytest.raises(ValueError, match=words):
        _load(tmp_path, **more)


def test_causal_may_be_a_plain_truth_value(tmp_path):
    q = np.ones((5, 2))
    np.savez(tmp_path / "x.npz", q=q, k=q, causal=True)
    vectors = load_vectors(tmp_path / "x.npz")
    assert vectors.current.causal
    assert vectors.row == 4
