import math

import numpy as np
import pytest
from scipy.special import logsumexp

from attnsim.theory.keys_for_weight import keys_for
from attnsim.theory.softmax_expectations import expectations


@pytest.mark.parametrize(("weight", "sd"), [(0.25, 1.0), (0.6, 3.0), (0.15, 8.0), (0.8, 22.6)])
def test_rows_of_so_many_keys_have_that_mean(weight, sd):
    assert expectations(keys_for(weight, sd), sd).largest_weight == pytest.approx(weight, abs=1e-8)


def test_equal_scores_share_the_weight_evenly():
    assert keys_for(0.125, 0.0) == pytest.approx(8.0, rel=1e-6)


def test_a_simulation_of_the_keys_that_are_named_gives_the_weight():
    scores = 3.0 * np.random.default_rng(5).standard_normal((20_000, 24))
    largest = np.exp(scores.max(axis=1) - logsumexp(scores, axis=1))
    error = largest.std() / math.sqrt(20_000)
    named = [keys_for(float(largest.mean() + side * 4.5 * error), 3.0) for side in (-1.0, 1.0)]
    assert named[1] < 24.0 < named[0]


def test_a_weight_above_that_of_two_keys_is_nobodys_mean():
    assert math.isnan(keys_for(0.99, 16.0))
    assert math.isnan(keys_for(1e-30, 1.0))


def test_what_is_no_weight_is_refused():
    with pytest.raises(ValueError, match="largest_weight"):
        keys_for(1.5, 1.0)
