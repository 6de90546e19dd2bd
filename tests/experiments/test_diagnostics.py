"""Critical scale of a row."""

import numpy as np
import pytest

from attnsim.experiments.diagnostics import diagnose
from attnsim.experiments.walk import last
from attnsim.scenario import Scenario


def test_at_the_concentration_scale_one_key_holds_half():
    result = last(Scenario(dim=64, keys=50, rows=20))
    found = diagnose(result)
    scores = result.row.scores(-1)
    weights = np.exp(found.concentration_scale * (scores - scores.max()))
    weights /= weights.sum()
    assert (weights**2).sum() == pytest.approx(0.5, rel=1e-9)


def test_the_curve_counts_from_no_competitor_to_all_of_them():
    found = diagnose(last(Scenario(dim=64, keys=50, rows=20)))
    assert found.competitors[0] == 0.0
    assert found.competitors[-1] == 49.0
    assert np.all(np.diff(found.competitors) >= 0.0)
    assert found.normal_competitors[-1] <= 49.0


def test_one_key_has_no_gaps():
    with pytest.raises(ValueError, match="keys must be 2 or more"):
        diagnose(last(Scenario(keys=1, dim=4, rows=20)))
