"""Weights computed in every format and way, against fp64."""

import numpy as np

from attnsim.choices.formats import FORMATS
from attnsim.experiments.estimates import NORMAL_QUANTILE
from attnsim.experiments.formats.record import NARROW, WAYS, Floats, Rounding
from attnsim.scenario import Scenario
from attnsim.theory.rounded_sums import weight_error

MOST_ROWS = 400
FEWEST_ROWS = 5  # from which an interval is named


class WeightErrors:
    """Adds up squared errors of weights, rows by rows."""

    def __init__(self, scenario: Scenario) -> None:
        rules = len(scenario.scalings)
        self.keys, self.rows = scenario.keys, np.zeros(rules, dtype=np.int64)
        self._squares, self._fourths, self._alive = np.zeros((3, rules, len(NARROW), len(WAYS)))
        self._too_large, self._predicted = np.zeros((2, rules, len(NARROW)))

    def add(self, rule: int, scores: Floats, logits: Floats) -> None:
        """Add rows under one of the rules.

        Parameters
        ----------
        rule : int
        scores, logits : float64 array, shape (rows, keys)
            Before and after the rule.
        """
        from attnsim.kernels.softmax_statistics import softmax_statistics

        self.rows[rule] += len(logits)
        exact = softmax_statistics(logits, keep_weights=True).weights
        assert exact is not None
        for place, name in enumerate(NARROW):
            kind = FORMATS[name]
            with np.errstate(over="ignore", invalid="ignore"):
                rounded = kind.round(logits)
                for way, word in enumerate(WAYS):
                    error = ((weights_in(name, word, rounded) - exact) ** 2).sum(axis=1)
                    alive = np.isfinite(error)
                    self._squares[rule, place, way] += error[alive].sum()
                    self._fourths[rule, place, way] += (error[alive] ** 2).sum()
                    self._alive[rule, place, way] += alive.sum()
            self._too_large[rule, place] += (~np.isfinite(kind.round(scores)).all(axis=1)).sum()
            held = np.abs(logits).max() <= kind.largest
            self._predicted[rule, place] += weight_error(name, logits).sum() if held else np.nan

    def result(self) -> Rounding:
        """Return what is known so far."""
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = self._squares / self._alive
            spread = np.sqrt(np.maximum(self._fourths / self._alive - mean**2, 0.0) / self._alive)
            spread = np.where(self._alive >= FEWEST_ROWS, spread, np.nan)
            low = np.sqrt(np.maximum(mean - NORMAL_QUANTILE * spread, 0.0))
            high = np.sqrt(mean + NORMAL_QUANTILE * spread)
            predicted = np.sqrt(self._predicted / self.rows[:, None])
        return Rounding(
            error=np.sqrt(mean),
            low=low,
            high=high,
            lost=1.0 - self._alive / np.maximum(1, self.rows)[:, None, None],
            lost_after=self._too_large / np.maximum(1, self.rows)[:, None],
            predicted=predicted,
            rows=int(self.rows.min()),
            keys=self.keys,
        )


def weights_in(name: str, way: str, logits: Floats) -> Floats:
    """Return the softmax of rows computed in a format.

    Parameters
    ----------
    name : str
        Id of the format.
    way : {"scores", "naive", "stable", "online", "wide"}
        Logits rounded and nothing else; or every operation rounded, by `kernels.softmax_rounded`; or as "stable" with
        the sum kept in float32 and rounded by nothing but the quotient.
    logits : float64 array, shape (rows, keys)
        Numbers of the format.

    Returns
    -------
    float64 array, shape (rows, keys)
        nan or inf where a number overflowed.
    """
    from attnsim.kernels.float_rounding import Format
    from attnsim.kernels.rounded_sums import rounded_sums
    from attnsim.kernels.softmax_rounded import rounded_rows

    kind = FORMATS[name]
    if way in ("naive", "stable", "online"):
        shape = Format(kind.digits, kind.least_exponent, kind.largest, kind.overflow)
        return rounded_rows(np.ascontiguousarray(logits), way, shape)
    below = logits - logits.max(axis=1, keepdims=True)
    if way == "scores":
        weights = np.exp(below)
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))
    terms = kind.round(np.exp(kind.round(below)))
    return kind.round(terms / rounded_sums(terms, "float32", "fp32")[:, None])
