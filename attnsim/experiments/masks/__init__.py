"""Masks and sparsity: what a mask leaves of the scores, and what the scale should be then."""

from collections.abc import Callable, Iterator
from functools import partial

from attnsim.choices.masks import MASKS
from attnsim.experiments.closed_forms import rules_at
from attnsim.experiments.masks.parts import Largest, Patterns, Places, Sparse, empty_row
from attnsim.experiments.masks.records import Masks
from attnsim.experiments.masks.rows import Rows
from attnsim.experiments.pace import breaths
from attnsim.scenario import Scenario
from attnsim.vectors import Vectors

FIRST_WORK = 8_000  # variates of the first rows


def run(scenario: Scenario, vectors: Vectors | None = None) -> Iterator[Masks]:
    """Yield what each mask makes of the rows of a scenario.

    Parameters
    ----------
    scenario : Scenario
        All masks are shown side by side; its `mask_size` is that of all of them.
    vectors : Vectors, optional
        Not read: rows are drawn.

    Yields
    ------
    Masks
        The first knows a few rows.
    """
    masks = tuple(MASKS)
    rows, places, largest, sparse = Rows(scenario, masks), Places(scenario), Largest(scenario), Sparse(scenario)
    plain = scenario.but(mask="none", section=None)
    rules, pattern, empty = rules_at(plain, [plain.dim]), Patterns(plain, masks), empty_row(scenario.seed)

    def found(fraction: float) -> Masks:
        return Masks(
            scenario=scenario,
            masks=masks,
            rules=rules,
            rows=rows.rows,
            seen=rows.seen.copy(),
            spread=rows.spread.roots(),
            sparse=sparse.tally.roots(),
            largest=rows.largest.means(),
            entropy=rows.entropy.means(),
            pattern=pattern.found.copy(),
            positions=places.result(),
            selection=largest.result(),
            empty=empty,
            fraction=fraction,
        )

    rows.grow(max(1, FIRST_WORK // rows.work))
    yield found(0.02)
    for fraction in breaths(_work(rows, places, largest, sparse, pattern)):
        yield found(0.02 + 0.97 * fraction)
    yield found(1.0)


def _work(
    rows: Rows, places: Places, largest: Largest, sparse: Sparse, pattern: Patterns
) -> Iterator[Callable[[], None]]:
    """Yield the work behind the first picture, the quick parts first."""
    masks = range(len(rows.masks))
    yield from (partial(pattern.draw, place) for place in masks)
    yield from (partial(rows.ask_theory, place) for place in masks)
    yield from (largest.measure, largest.ask_theory, sparse.measure, sparse.ask_theory)
    yield from (partial(places.measure, column) for column in range(places.at.size))
    yield from (partial(rows.grow, most) for most in range(rows.chunk, rows.wanted + rows.chunk, rows.chunk))
    for place in range(len(places.seen)):
        yield from (partial(places.ask_theory, place, column) for column in range(places.at.size))
