"""Which dimensions a result holds."""

import numpy as np
import pytest

from attnsim.experiments.checkpoints import ensemble_checkpoints, row_checkpoints


@pytest.mark.parametrize("dim", [1, 2, 255, 1024])
def test_a_small_row_is_known_at_every_dimension(dim):
    assert row_checkpoints(dim, 32).tolist() == list(range(1, dim + 1))


@pytest.mark.parametrize(("dim", "keys"), [(1, 1), (65_536, 1), (65_536, 65_536), (4097, 4096), (3000, 60_000)])
def test_checkpoints_ascend_to_the_dimension(dim, keys):
    steps = row_checkpoints(dim, keys)
    assert steps[0] == 1
    assert steps[-1] == dim
    assert np.all(np.diff(steps) > 0)
    assert steps.size * keys <= 6_000_000


@pytest.mark.parametrize(("dim", "keys"), [(1, 1), (64, 8), (65_536, 1), (65_536, 65_536), (4097, 4096)])
def test_the_ensemble_is_measured_at_dimensions_of_the_row(dim, keys):
    steps = row_checkpoints(dim, keys)
    chosen = ensemble_checkpoints(steps)
    assert np.isin(chosen, steps).all()
    assert chosen[-1] == dim
    assert chosen.size <= 90
