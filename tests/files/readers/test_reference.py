"""Real vectors and hostile files made by others."""

from pathlib import Path

import numpy as np
import pytest

from attnsim.files.readers import READERS, load_vectors

REFERENCE = Path(__file__).resolve().parents[4] / "shared" / "reference"
pytestmark = pytest.mark.skipif(not REFERENCE.is_dir(), reason="../shared/reference is absent")
FORMATS = REFERENCE / "formats"


def _names(folder):
    return sorted(path.name for path in folder.iterdir() if path.is_file()) if folder.is_dir() else []


@pytest.mark.parametrize(
    ("name", "layers", "q", "k", "scale", "causal"),
    [
        ("MiniLM-L6-H384", 6, (12, 67, 32), (12, 67, 32), 32**-0.5, False),
        ("stories260K", 5, (8, 180, 8), (4, 180, 8), 8**-0.5, True),
    ],
)
def test_a_models_layers_come_with_their_scale_mask_and_tokens(name, layers, q, k, scale, causal):
    vectors = load_vectors(REFERENCE / "realqk" / f"{name}_qkv.npz")
    assert (vectors.title, len(vectors.layers), vectors.note) == (name, layers, "")
    assert len(vectors.tokens) == k[1]
    for index, layer in enumerate(vectors.layers):
        assert layer.name.endswith(f"layer{index}")
        assert (layer.q.shape, layer.k.shape, layer.causal) == (q, k, causal)
        assert layer.scale == pytest.approx(scale, rel=1e-12)


def test_two_query_heads_of_the_decoder_share_a_key_head():
    vectors = load_vectors(REFERENCE / "realqk" / "stories260K_qkv.npz")
    with np.load(REFERENCE / "realqk" / "stories260K_qkv.npz", allow_pickle=False) as stored:
        for head in range(8):
            np.testing.assert_array_equal(vectors.at(layer=3, head=head).keys, stored["dec-self.layer3.k"][head // 2])
    assert vectors.at(row=6).visible == 7


@pytest.mark.parametrize("name", ["MiniLM-L6-H384", "stories260K"])
def test_the_variance_of_all_scores_is_what_the_moments_of_q_and_k_say(name):
    vectors = load_vectors(REFERENCE / "realqk" / f"{name}_qkv.npz")
    for layer in range(len(vectors.layers)):
        for head in range(vectors.layers[layer].heads):
            at = vectors.at(layer=layer, head=head)
            q, k = at.queries, at.keys
            cov_q, cov_k = (np.cov(rows, rowvar=False, ddof=0) for rows in (q, k))
            mean_q, mean_k = q.mean(axis=0), k.mean(axis=0)
            expected = np.trace(cov_q @ cov_k) + mean_q @ cov_k @ mean_q + mean_k @ cov_q @ mean_k
            assert (q @ k.T).var() == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("name", ["q", "q_4d", "q_bigendian", "q_bnhd", "q_f64", "q_fortran", "q_f16"])
def test_every_way_of_storing_the_same_queries_gives_them_back(name):
    wanted = load_vectors(FORMATS / "qkv.npz").current
    layer = load_vectors(FORMATS / f"{name}.npy", FORMATS / "k.npy").current
    rounded = 4e-4 * np.abs(wanted.q).max() if name == "q_f16" else 0.0
    np.testing.assert_allclose(layer.q, wanted.q, rtol=0.0, atol=rounded)
    np.testing.assert_array_equal(layer.k, wanted.k)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("qk_complex.npz", "complex64"),
        ("qk_dim_mismatch.npz", "not 32 and 30"),
        ("qk_empty.npz", r"\(12, 0, 32\)"),
        ("qk_gqa_bad_ratio.npz", "10 heads of q"),
        ("qk_int.npz", "int8"),
        ("qkv_nan_inf.npz", "q holds 3 values .* row 3, component 5"),
        ("hostile/npy_huge_shape.npy", "4503599627370496 bytes"),
        ("hostile/npy_truncated.npy", "wants 32256 bytes, and 32156 came"),
        ("hostile/object.npy", "pickled"),
        ("hostile/object.npz", "no keys"),
        ("hostile/path_traversal.npz", "no arrays named q and k"),
        ("hostile/zipbomb_small.npz", "no keys"),
    ],
)
def test_what_is_wrong_on_purpose_is_refused_with_the_reason(name, words):
    with pytest.raises(ValueError, match=rf"^{Path(name).name}.*{words}"):
        load_vectors(FORMATS / name)


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in _names(FORMATS) + [f"hostile/{name}" for name in _names(FORMATS / "hostile")]
        if Path(name).suffix not in READERS
    ],
)
def test_a_format_that_has_no_reader_is_refused_with_those_that_have(name):
    with pytest.raises(ValueError, match=r"formats that can be read are \.npy, \.npz"):
        load_vectors(FORMATS / name)


@pytest.mark.parametrize("name", _names(FORMATS / "hostile"))
def test_hostile_files_print_nothing_and_write_nothing(name, capfd, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=r".") as caught:
        load_vectors(FORMATS / "hostile" / name)
    assert str(REFERENCE) not in str(caught.value)
    assert capfd.readouterr() == ("", "")
    assert list(tmp_path.iterdir()) == []
