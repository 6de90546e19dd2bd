"""Which d? Symptoms of right and wrong scale factors in code, and one of them as a mystery."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from attnsim.choices.sections.which_d import VARIANTS
from attnsim.experiments.records import Estimate
from attnsim.experiments.which_d.closed import weight_theory
from attnsim.experiments.which_d.draw import SymptomDraw, checkpoints
from attnsim.experiments.which_d.records import Symptoms, section_in
from attnsim.experiments.which_d.variants import factors_at, letters_of
from attnsim.scenario import Scenario
from attnsim.vectors import Vectors

Floats = NDArray[np.float64]


def run(scenario: Scenario, vectors: Vectors | None = None) -> Iterator[Symptoms]:
    """Yield the symptoms of every variant on the same rows, ever better.

    Parameters
    ----------
    scenario : Scenario
        Its mask, number format and scale rules are left out: the mistakes are about the factor alone.
    vectors : Vectors, optional
        Not used.
    """
    plain = scenario.but(mask="none", format="fp64", scalings=("none",))
    steps = checkpoints(scenario.dim)
    factors = factors_at(steps, scenario.keys, section_in(scenario).heads)
    draw = SymptomDraw(plain, factors[:, -1], steps)
    draw.grow()
    unknown = np.full(len(VARIANTS), np.nan)
    yield _result(scenario, draw, factors, dict.fromkeys(("entropy", "largest", "gradient"), unknown), last=False)
    # behind the first picture: a new number of keys asks for quadratures of some 30 ms
    closed = weight_theory(plain, factors[:, -1])
    while True:
        if draw.fraction < 1.0:
            draw.grow()
        yield _result(scenario, draw, factors, closed, last=draw.fraction >= 1.0)
        if draw.fraction >= 1.0:
            return


def _result(scenario: Scenario, draw: SymptomDraw, factors: Floats, closed: dict[str, Floats], last: bool) -> Symptoms:
    raw, (entropy, largest, gradient, median) = draw.raw(), draw.weights()
    letters, mystery = letters_of(scenario.seed)
    return Symptoms(
        scenario=scenario,
        letters=letters,
        mystery=mystery,
        rows=draw.rows,
        keys_drawn=draw.keys,
        steps=draw.steps,
        factors=factors,
        raw=raw,
        raw_theory=draw.theory.within_sd,
        spread=_scaled(raw, factors[:, -1]),
        entropy=entropy,
        largest=largest,
        gradient=gradient,
        gradient_median=median,
        theory=closed | {"spread": factors[:, -1] * draw.theory.within_sd[-1]},
        fraction=1.0 if last else min(draw.fraction, 0.999),
    )


def _scaled(raw: Estimate, factors: Floats) -> Estimate:
    """Return the raw spread at the head's dimension times each factor."""
    return Estimate(*(factors * float(part[-1]) for part in (raw.value, raw.error, raw.low, raw.high)))
