"""Rows drawn to check a derivation line by line: single terms of the sum, and the weights of whole rows."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from attnsim.choices.laws import LAWS
from attnsim.experiments.closed_forms import rules_at, score_moments
from attnsim.experiments.ensemble import tail_of
from attnsim.experiments.expectations import expected_weights, why_changed
from attnsim.experiments.requests import request_for, work_of
from attnsim.scenario import Scenario

Floats = NDArray[np.float64]

TERM_ROWS, TERM_KEYS = 8_000, 4  # of one and two components: cheap for every law
WORK = 1_000_000  # variates of the rows of weights; some 10 ms
MOST_WORK = 4_000_000  # variates drawn at a time: 32 MB
ROUNDING = 1e-9
TERM_HEAVIEST = 0.25  # kurtosis over rows
FEWEST_TELLING = 30.0  # rows in which weight is left to a second key, for a standard error to be worth its name
FEWEST_ROWS = 30  # below it a standard error is not worth its name
MOST_CELLS = 2_000_000  # scores of the rows of weights


@dataclass(frozen=True, slots=True)
class Measured:
    """A mean over independent rows.

    Attributes
    ----------
    value : float
    error : float
        Standard error; nan where nothing can be said.
    theory : float or None
        What the closed form says; None where there is none.
    """

    value: float
    error: float
    theory: float | None

    @property
    def deviation(self) -> float | None:
        """(value - theory) in standard errors; None without both."""
        if self.theory is None or not math.isfinite(self.theory):
            return None
        if not self.error > ROUNDING * max(abs(self.value), abs(self.theory)):  # nothing varies, or nothing is known
            return None
        return (self.value - self.theory) / self.error


@dataclass(frozen=True, slots=True)
class Evidence:
    """What rows of their own say about the terms of the sum and about the weights.

    Attributes
    ----------
    term : Measured
        E q_i k_i.
    square : Measured
        E (q_i k_i)^2, the terms with i = j of E S^2.
    cross : Measured or None
        E q_i k_i q_j k_j, the terms with i not j; None at dimension 1.
    rows : int
        Rows behind the weights; 0 where even two are too many to be drawn for this.
    largest_weight, entropy : tuple of Measured
        Means over these rows, one a rule; empty without rows. Theory is None where there is no closed form.
    """

    term: Measured
    square: Measured
    cross: Measured | None
    rows: int
    largest_weight: tuple[Measured, ...]
    entropy: tuple[Measured, ...]


def evidence(scenario: Scenario, work: int = WORK) -> Evidence:
    """Draw the rows.

    Parameters
    ----------
    scenario : Scenario
    work : int
        Variates to be drawn for the rows of weights.

    Returns
    -------
    Evidence
        Equal scenarios give equal bits.
    """
    term, square, cross = _terms(scenario)
    rows, largest, entropy = _weights(scenario, work)
    expected = expected_weights(scenario, [scenario.dim])
    slack = 1.0 - expected.largest_weight[:, 0]
    largest = _beside(largest, expected.largest_weight[:, 0], slack, rows)
    entropy = _beside(entropy, expected.entropy[:, 0], slack, rows)
    return Evidence(term, square, cross, rows, largest, entropy)


def _terms(scenario: Scenario) -> tuple[Measured, Measured, Measured | None]:
    dims = min(scenario.dim, 2)
    keys = min(TERM_KEYS, scenario.keys)
    request = request_for(
        scenario,
        "terms",
        np.arange(1, dims + 1, dtype=np.int64),
        rows=TERM_ROWS,
        keys=keys,
        aligned_share=keys / scenario.keys,
    )
    walks = LAWS[scenario.law].draw(request).walks
    theory = score_moments(scenario, np.array([1.0, 2.0]))
    first = np.asarray(theory.variance) + np.asarray(theory.mean) ** 2
    tail = tail_of(scenario)
    light, lighter = _light(scenario)
    one = walks[:, 0]
    term = _mean(one, float(np.asarray(theory.mean)[0]), tail > 2.0 and light)
    square = _mean(one**2, float(first[0]), tail > 4.0 and lighter)
    if dims < 2:
        return term, square, None
    between = 0.5 * (float(first[1]) - 2.0 * float(first[0]))
    return term, square, _mean(one * (walks[:, 1] - one), between, tail > 4.0 and lighter)


def _light(scenario: Scenario) -> tuple[bool, bool]:
    """Whether the tails of a product, and of its square, are light enough for the rows drawn to name an error."""
    moments = LAWS[scenario.law].moments
    if moments is None:
        return True, True
    fourth, eighth = moments(scenario)[[4, 8]]
    if not math.isfinite(eighth):
        return True, True  # where moments end, the tail has the word
    product, square = fourth**2, (eighth / fourth**2) ** 2
    if scenario.rho:
        product, square = max(product, eighth / fourth**2), square * eighth / fourth**2
    most = TERM_HEAVIEST * TERM_ROWS
    return bool(product < most), bool(square < most)


def _mean(values: Floats, theory: float, has_error: bool) -> Measured:
    """Return the mean over rows of the mean over keys."""
    rows = values.mean(axis=1)
    error = float(rows.std(ddof=1)) / math.sqrt(rows.size) if has_error and rows.size >= FEWEST_ROWS else math.nan
    return Measured(float(rows.mean()), error, theory if math.isfinite(theory) else None)


def _beside(means: tuple[Measured, ...], theory: Floats, slack: Floats, rows: int) -> tuple[Measured, ...]:
    """Put theory beside measured means; without an error where rare rows make the `slack` left to saturation."""
    found = []
    for mean, each, left in zip(means, theory, slack, strict=False):
        rare = math.isfinite(left) and left * rows < FEWEST_TELLING
        found.append(
            replace(mean, theory=float(each) if math.isfinite(each) else None, error=math.nan if rare else mean.error)
        )
    return tuple(found)


def _weights(scenario: Scenario, work: int) -> tuple[int, tuple[Measured, ...], tuple[Measured, ...]]:
    from attnsim.kernels.weight_rows import weight_rows

    rules = rules_at(scenario, scenario.dim)
    factors = [float(rule.factor(scenario.dim)) for rule in rules]
    if why_changed(scenario):
        return 0, (), ()
    found: list[list[Floats]] = [[] for _factor in factors]
    rows = 0
    for scores in _scores(scenario, work):
        rows += scores.shape[0]
        for place, factor in enumerate(factors):
            plain = np.isfinite(factor)
            found[place].append(np.stack(weight_rows(scores, factor) if plain else (np.full(len(scores), np.nan),) * 2))
    if not rows:
        return 0, (), ()
    whole = [np.concatenate(parts, axis=1) for parts in found]
    largest, entropy = (
        tuple(_mean(part[which][:, None], math.nan, has_error=True) for part in whole) for which in (0, 1)
    )
    return rows, largest, entropy


def _scores(scenario: Scenario, work: int) -> Iterator[Floats]:
    """Yield end points of rows, a chunk at a time, each of shape (rows, keys)."""
    law = LAWS[scenario.law]
    row, key = work_of(scenario, 1)
    per_row = row + scenario.keys * key
    rows = min(max(2, scenario.rows), work // per_row, MOST_CELLS // scenario.keys)
    if rows < 2:
        return
    chunk = max(1, MOST_WORK // per_row)
    steps = np.array([scenario.dim], dtype=np.int64)
    for first in range(0, rows, chunk):
        request = request_for(
            scenario, "evidence", steps, rows=min(chunk, rows - first), first_row=first, keys=scenario.keys
        )
        yield np.ascontiguousarray(law.draw(request).walks[:, 0])
