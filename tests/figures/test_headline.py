from dataclasses import replace

import numpy as np
import pytest
from draws import real_walk, walk

from attnsim.experiments.walk import last
from attnsim.figures import FIGURES
from attnsim.figures.headline import describe, headline
from attnsim.figures.readouts import readouts
from attnsim.scenario import Scenario
from attnsim.view import View


def test_independent_components_spread_like_the_root():
    assert headline(walk(), View()) == ("Scores spread like √d", "d = 256 → σ ≈ 16.0")
    assert headline(walk(), View(playhead=64))[1] == "d = 64 → σ ≈ 8.00"


def test_correlation_names_the_mean_and_what_softmax_sees():
    title, detail = headline(walk(rho=0.5), View())
    assert title == "Scores spread like √d, their mean like d"
    assert detail == "d = 256 → mean 128.0, σ ≈ 17.9, softmax sees 13.9"


@pytest.mark.parametrize(
    ("exponent", "said"),
    [(0.5, "like √d"), (0.7, "faster than √d"), (0.99, "like d"), (0.3, "slower than √d"), (np.nan, "with d")],
)
def test_the_sentence_follows_the_exponent(exponent, said):
    result = walk()
    other = replace(result, theory=replace(result.theory, exponent=np.full(257, exponent)))
    assert headline(other, View())[0].endswith(said)


def test_at_dimension_0_no_spread_is_claimed():
    assert headline(walk(), View(playhead=0))[1] == "d = 0: nothing is summed yet"


def test_real_vectors_are_measured_against_independence():
    title, detail = headline(real_walk(), View())
    assert "√d" not in title
    assert "2.12 ×" in title
    assert "head 1, query 5" in detail


def test_the_caption_names_the_draw():
    assert "32 keys" in describe(walk())
    assert "seed 7" in describe(walk())
    assert "tiny model" in describe(real_walk())


@pytest.mark.parametrize("rho", [1.0, -1.0])
def test_scores_that_are_all_equal_are_called_so(rho):
    result = last(Scenario(law="sign", rho=rho, dim=16, keys=4, rows=20))
    assert headline(result, View()) == ("All scores are equal", f"d = 16 → {'−' if rho < 0 else ''}16.00")
    assert readouts(result, View())
    assert all(FIGURES[key](result, View()).summary for key in ("walk", "scores", "weights"))
