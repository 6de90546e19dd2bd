"""Rows behind a derivation."""

import math

import pytest

from attnsim.experiments.evidence import Measured, evidence
from attnsim.scenario import Scenario


def test_the_terms_are_those_of_the_formula():
    found = evidence(Scenario(dim=8, keys=4, rho=0.5, mean_q=1.0, sigma_k=2.0))
    assert found.term.theory == pytest.approx(1.0, abs=1e-12)  # rho sigma_q sigma_k
    assert found.square.theory == pytest.approx((1 + 1) * 4 + 2 * (0.5 * 2) ** 2, rel=1e-12)
    assert found.cross.theory == pytest.approx(1.0, abs=1e-9)
    assert all(abs(part.deviation) < 5.0 for part in (found.term, found.square, found.cross))


def test_one_component_has_no_pair_of_terms():
    assert evidence(Scenario(dim=1, keys=3)).cross is None


def test_what_cannot_vary_has_no_deviation():
    assert evidence(Scenario(law="sign", dim=4, keys=3)).square.deviation is None
    assert Measured(1.0, math.nan, 1.0).deviation is None
    assert Measured(1.0, 0.5, None).deviation is None
    assert Measured(1.0, 0.5, 2.0).deviation == -2.0


def test_rows_that_are_too_large_are_not_drawn():
    assert evidence(Scenario(law="uniform", dim=65_536, keys=64)).rows == 0
