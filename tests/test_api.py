"""What `import attnsim` offers."""

import dataclasses
import json

import numpy as np
import pytest

import attnsim
from attnsim import api
from attnsim.figures.marks import Figure

SMALL = attnsim.Scenario(dim=64, keys=8, rows=400)


@pytest.fixture(scope="module")
def result():
    return attnsim.run(SMALL)


def test_every_name_offered_exists():
    assert set(attnsim.__all__) <= set(dir(attnsim))
    assert all(getattr(attnsim, name) is not None for name in attnsim.__all__)


def test_the_names_are_those_of_the_facade():
    assert set(attnsim.__all__) - {"__version__", "theory"} <= set(api.__all__)


def test_an_unknown_name_is_refused_as_by_any_module():
    with pytest.raises(AttributeError, match="module 'attnsim' has no attribute 'attend'"):
        attnsim.attend  # noqa: B018


def test_a_run_is_the_last_of_the_iteration_and_complete(result):
    *_, last = attnsim.iterate(SMALL)
    assert result.complete
    np.testing.assert_array_equal(last.row.walks, result.row.walks)
    np.testing.assert_array_equal(last.ensemble.counts, result.ensemble.counts)


def test_an_iteration_starts_before_it_is_complete():
    first = next(iter(attnsim.iterate(SMALL)))
    assert not first.complete


def test_score_moments_of_unit_normals_are_those_of_the_textbook():
    moments = attnsim.score_moments(SMALL)
    assert (moments.mean, moments.skewness) == (0.0, 0.0)
    assert moments.variance == pytest.approx(64.0, rel=1e-12)
    assert moments.within_row_variance == pytest.approx(64.0, rel=1e-12)
    assert moments.excess_kurtosis == pytest.approx(6.0 / 64.0, rel=1e-12)


def test_score_moments_without_a_closed_form_are_none():
    assert attnsim.score_moments(SMALL.but(law="student_t", nu=1.5)).variance is None


def test_the_table_takes_plain_arguments_and_other_fields():
    records = attnsim.table([16, 64], 8, scalings=["none"], seed=3, rows=100, law="sign")
    assert [(r["dim"], r["keys"], r["seed"], r["rows"], r["scaling"]) for r in records] == [
        (16, 8, 3, 100, "none"), (64, 8, 3, 100, "none"),
    ]  # fmt: skip


def test_a_table_with_an_unknown_field_is_refused():
    with pytest.raises(TypeError, match="heads"):
        attnsim.table([16], 8, heads=2)


def test_weights_are_the_softmax_at_the_playhead(result):
    found = attnsim.weights(result, playhead=16)
    scores = result.row.scores(result.row.index(16))
    for name, factor in (("none", 1.0), ("inverse_sqrt", 0.25), ("inverse_d", 1 / 16), ("constant:8", 1 / 8)):
        powers = np.exp((scores - scores.max()) * factor)
        np.testing.assert_allclose(found[name], powers / powers.sum(), rtol=1e-12)


def test_a_figure_is_plain_data_that_can_be_saved(result, tmp_path):
    picture = attnsim.figure(result, "weights", attnsim.View(playhead=16))
    assert isinstance(picture, Figure)
    assert picture.key == "weights"
    assert picture.save(tmp_path / "weights.svg").read_text(encoding="utf-8").startswith("<?xml")


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_the_same_result_saves_the_same_bytes(result, tmp_path, suffix):
    first, second = (attnsim.save(result, tmp_path / f"{n}.{suffix}", width_mm=90, dpi=60).read_bytes() for n in "ab")
    assert first == second


def test_a_file_tells_which_scenario_made_it(result, tmp_path):
    text = attnsim.save(result, tmp_path / "a.svg").read_text(encoding="utf-8")
    kept = api.provenance(result, attnsim.View())
    assert attnsim.Scenario(**json.loads(kept["attnsim:scenario"])) == SMALL
    assert kept["attnsim:scenario"] in text
    assert f"seed {SMALL.seed}" in kept["attnsim:footer"]


def test_real_vectors_are_named_by_their_content(tmp_path):
    random = np.random.default_rng(3)
    np.savez(tmp_path / "head.npz", q=random.normal(size=(5, 8)), k=random.normal(size=(7, 8)))
    vectors = attnsim.load_vectors(tmp_path / "head.npz").at(row=2)
    result = attnsim.run(attnsim.Scenario(), vectors)
    np.testing.assert_allclose(result.row.scores(-1), vectors.keys @ vectors.query, rtol=1e-12)
    kept = json.loads(api.provenance(result, attnsim.View())["attnsim:vectors"])
    assert (kept["sha256"], kept["row"]) == (vectors.content_hash, 2)
    assert str(tmp_path) not in json.dumps(kept)


@pytest.mark.parametrize(
    ("name", "view", "sentence"),
    [
        ("heatmap", {}, "figure must be one of walk, scores, weights, .*, not 'heatmap'"),
        ("walk", {"playhead": 65}, "playhead must lie in 0..64, not 65"),
        ("walk", {"playhead": -1}, "playhead must lie in 0..64, not -1"),
        ("walk", {"marked": (8,)}, "marked must lie in 0..7, not 8"),
    ],
)
def test_what_cannot_be_shown_is_refused_by_name(result, name, view, sentence):
    with pytest.raises(ValueError, match=sentence):
        attnsim.figure(result, name, attnsim.View(**view))


def test_results_are_frozen(result):
    with pytest.raises(ValueError, match="read-only"):
        result.row.walks[0, 0] = 1.0
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.fraction = 0.0
