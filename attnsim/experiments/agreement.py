"""Theory against simulation on random scenarios over all knobs: z-scores, and how often they would lie by chance."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from attnsim.choices.laws import LAWS
from attnsim.experiments.closed_forms import theory_at
from attnsim.experiments.ensemble import EnsembleDraw
from attnsim.experiments.evidence import Measured, evidence
from attnsim.experiments.records import Ensemble, Estimate
from attnsim.scenario import Scenario
from attnsim.words import mark

SEED = 20_250_601  # of the scenarios and of their draws: the table is the same everywhere
LIMIT = 5.0  # standard errors
ROWS = 4_000
WORK = 1_000_000
LARGEST_DIM, LARGEST_SLOW_DIM = 1024, 128  # of laws drawn by blocks, and component by component
MOST_KEYS = 512
QUANTITIES = ("mean", "sd", "within_sd", "term", "square", "cross", "largest_weight", "entropy")
TITLES = {
    "mean": mark("mean"),
    "sd": mark("sd"),
    "within_sd": mark("within rows"),
    "term": mark("E qk"),
    "square": mark("E q²k²"),
    "cross": mark("i ≠ j"),
    "largest_weight": mark("largest weight"),
    "entropy": mark("entropy"),
}


@dataclass(frozen=True, slots=True)
class Line:
    """One scenario and its z-scores by quantity; those without closed form or standard error are left out."""

    name: str
    z: dict[str, float]


@dataclass(frozen=True, slots=True)
class Report:
    """The whole table.

    Attributes
    ----------
    lines : tuple of Line
    count, beyond : int
        How many z-scores there are, and how many lie beyond `LIMIT`.
    mean_square, largest : float
        Of the z-scores; the first is 1 on average where everything is right.
    false_alarm : float
        An upper bound of the chance that any of them goes beyond although all closed forms are right: their number
        times the normal law's two tails (they need not be independent).
    """

    lines: tuple[Line, ...]
    count: int
    beyond: int
    mean_square: float
    largest: float
    false_alarm: float


def report(scenarios: int, seed: int = SEED) -> Report:
    """Return the table for some random scenarios.

    Parameters
    ----------
    scenarios : int
    seed : int
        Equal seeds give equal tables, and the first lines of a longer one.
    """
    lines = tuple(Line(name(scenario), scores(scenario)) for scenario in random_scenarios(scenarios, seed))
    every = np.array([z for line in lines for z in line.z.values()])
    tail = math.erfc(LIMIT / math.sqrt(2.0))
    return Report(
        lines=lines,
        count=every.size,
        beyond=int((np.abs(every) > LIMIT).sum()),
        mean_square=float((every**2).mean()) if every.size else math.nan,
        largest=float(every[np.argmax(np.abs(every))]) if every.size else math.nan,
        false_alarm=min(1.0, every.size * tail),
    )


def random_scenarios(count: int, seed: int = SEED) -> list[Scenario]:
    """Return scenarios spread over all knobs, none of which the Scenario refuses."""
    return [_scenario(np.random.default_rng((seed, place)), place) for place in range(count)]


def _scenario(random: np.random.Generator, place: int) -> Scenario:
    laws = tuple(name for name, law in LAWS.items() if set(law.reads) <= {"nu"})
    # every second one is normal: only these have all their closed forms
    law = "normal" if place % 2 == 0 else laws[place // 2 % len(laws)]
    largest = LARGEST_DIM if LAWS[law].exact_blocks else LARGEST_SLOW_DIM

    def sometimes(draw: Callable[[], float], chance: float = 0.5) -> float:
        return round(draw(), 3) if random.random() < chance else 0.0

    common = "r_q" not in LAWS[law].refuses
    r_q, r_k = (sometimes(lambda: random.uniform(0.0, 0.6)) if common else 0.0 for _side in "qk")
    reach = math.sqrt((1.0 - r_q) * (1.0 - r_k))
    rho = sometimes(lambda: random.uniform(-0.99, 0.99) * reach)
    return Scenario(
        dim=round(math.exp(random.uniform(0.0, math.log(largest)))),
        keys=round(math.exp(random.uniform(math.log(2.0), math.log(MOST_KEYS)))),
        law=law,
        nu=round(random.uniform(9.0, 40.0), 2),  # below 9 the spread has no standard error
        sigma_q=round(math.exp(random.uniform(-1.0, 1.0)), 3),
        sigma_k=round(math.exp(random.uniform(-1.0, 1.0)), 3),
        mean_q=sometimes(lambda: random.normal(0.0, 1.0)),
        mean_k=sometimes(lambda: random.normal(0.0, 1.0)),
        rho=rho,
        aligned="one" if random.random() < 0.25 else "all",
        r_q=r_q,
        r_k=r_k,
        scalings=(f"power:{random.uniform(0.0, 1.0):.3f}",),
        seed=int(random.integers(2**31)),
        rows=ROWS,
    )


def name(scenario: Scenario) -> str:
    """Return a scenario in a few words."""
    s = scenario
    parts = [s.law, f"d={s.dim}", f"n={s.keys}", f"σ={s.sigma_q:g},{s.sigma_k:g}"]
    if s.mean_q or s.mean_k:
        parts.append(f"μ={s.mean_q:g},{s.mean_k:g}")
    if s.rho:
        parts.append(f"ρ={s.rho:g}" + ("*" if s.aligned == "one" else ""))
    if s.r_q or s.r_k:
        parts.append(f"r={s.r_q:g},{s.r_k:g}")
    return " ".join((*parts, s.scalings[0]))


def scores(scenario: Scenario) -> dict[str, float]:
    """Return (simulation - theory) in standard errors, by quantity."""
    ensemble = _ensemble(scenario)
    theory = theory_at(scenario, ensemble.steps)
    found = evidence(scenario, WORK)
    pairs = {
        "mean": _of(ensemble.mean, theory.mean[-1]),
        "sd": _of(ensemble.sd, theory.sd[-1]),
        "within_sd": _of(ensemble.within_sd, theory.within_sd[-1]) if scenario.keys > 1 else None,
        "term": found.term,
        "square": found.square,
        "cross": found.cross,
        "largest_weight": found.largest_weight[0] if found.rows else None,
        "entropy": found.entropy[0] if found.rows else None,
    }
    known = {key: pair.deviation for key, pair in pairs.items() if pair is not None and scenario.keys > 1}
    return {key: z for key, z in known.items() if z is not None and math.isfinite(z)}


def _ensemble(scenario: Scenario) -> Ensemble:
    draw = EnsembleDraw(scenario, np.array([scenario.dim], dtype=np.int64))
    while draw.fraction < 1.0:
        draw.grow()
    return draw.result(whole_density=False)


def _of(estimate: Estimate, theory: float) -> Measured:
    return Measured(float(estimate.value[-1]), float(estimate.error[-1]), float(theory))
