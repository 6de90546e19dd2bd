"""Both sides of a comparison do the same work: what numpy writes gives what our kernels give."""

import numpy as np
import pytest

from attnsim.bench import normals, rows, scores
from attnsim.bench.idioms import score_statistics, softmax_statistics

ITEMS = normals.ITEMS + scores.ITEMS + rows.ITEMS


def test_the_ids_of_the_speed_table_are_all_there():
    assert {item.id for item in ITEMS} == {
        "normals",
        "dot_components",
        "dot_components_vs_torch",
        "scores_exact_64",
        "scores_exact_512",
        "scores_exact_4096",
        "scores_exact_vs_trick",
        "dot_signs",
        "billion",
        "rows_64",
        "rows_512",
    }


@pytest.mark.parametrize("theirs", [scores._numpy, scores._trick, scores._numpy_signs])
def test_numpy_draws_scores_of_the_variance_ours_have(theirs):
    count = 4000
    mean, variance, _, kurtosis, (counts, _) = theirs(64, count)
    ours = (scores._signs if theirs is scores._numpy_signs else scores._exact)(64, 1 << 18)
    assert abs(mean) < 5 * np.sqrt(64 / count)
    assert abs(variance / ours.variance - 1.0) < 5 * np.sqrt((kurtosis - 1.0) / count)
    assert counts.sum() >= count - 5
    assert counts.size == ours.counts.size


def test_components_and_exact_scores_have_one_variance():
    one, other = scores._components(64, 1 << 16), scores._exact(64, 1 << 16)
    assert abs(one.variance / other.variance - 1.0) < 5 * np.sqrt(2 * 2.1 / (1 << 16))


def test_numpy_rows_have_the_weights_ours_have():
    count = 1 << 11
    largest, entropy, participation = rows._numpy(64, count)
    ours = rows._ours(64, 1 << 13)
    for theirs, mine in ((largest, ours.largest), (entropy, ours.entropy), (participation, ours.participation)):
        assert abs(theirs.mean() - mine.mean()) < 5 * theirs.std() * np.sqrt(1 / count + 1 / mine.size)


def test_torch_does_the_same_work():
    pytest.importorskip("torch", reason="torch is not installed")
    (variance, *_), counts = scores._torch(64, 4000)
    assert abs(float(variance) / 64 - 1.0) < 5 * np.sqrt(2.1 / 4000)
    assert counts.numel() == 200


def test_statistics_of_known_scores_are_known():
    mean, variance, skewness, kurtosis, (counts, edges) = score_statistics(np.array([-1.0, -1.0, 1.0, 1.0]), 2.0)
    assert (mean, variance, skewness, kurtosis) == (0.0, 1.0, 0.0, 1.0)
    assert counts.sum() == 4
    assert edges[0] == -2.0


def test_even_weights_have_the_statistics_of_even_weights():
    largest, entropy, participation = softmax_statistics(np.zeros((2, 8)))
    np.testing.assert_allclose(largest, 1 / 8)
    np.testing.assert_allclose(entropy, np.log(8))
    np.testing.assert_allclose(participation, 8)


def test_the_work_of_a_growth_is_counted_in_its_unit():
    for growth in scores.GROWTHS + rows.GROWTHS:
        size = growth.sizes[0]
        assert growth.run(size) % size == 0 or growth.unit == "score"
