"""Initialisation and depth: where scores start, and what becomes of signal, gradient and rank in a deep stack."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain

from attnsim.choices.sections.initialisation import Depth
from attnsim.experiments.initialisation.collapse import Collapse, geometric
from attnsim.experiments.initialisation.records import Initialised
from attnsim.experiments.initialisation.stacks import SCHEMES, Stacks
from attnsim.experiments.initialisation.start import NAMES, Start
from attnsim.experiments.pace import breaths
from attnsim.scenario import Scenario
from attnsim.vectors import Vectors

# Squares behind many layers are products of as many factors, nearly log-normal: where nets vary by more than half of
# their mean, the interval of some two dozen of them missed the truth in a quarter of the seeds.
MOST_VARYING = 0.5
MOST_ATTENTION = 8  # stacks of attention layers, which differ little from each other


def run(scenario: Scenario, vectors: Vectors | None = None) -> Iterator[Initialised]:
    """Yield the spread of the scores at the start, and signal, gradient and rank through random stacks.

    Parameters
    ----------
    scenario : Scenario
        With the lab's section; `dim`, `d_model`, `scalings` and `seed` are read, the components' law is that of
        initialised matrices.
    vectors : Vectors, optional
        Not read: matrices are drawn.

    Yields
    ------
    Initialised
        The first knows one draw of each initialiser, and theory.
    """
    section: Depth = scenario.section if isinstance(scenario.section, Depth) else Depth()
    start, stacks = Start(scenario), Stacks(scenario.seed, section)
    wide = scenario.but(dim=section.width, keys=section.tokens, law="normal", section=None, mask="none", **_plain())
    rules = wide.rules
    collapse = Collapse(scenario.seed, section, rules)
    done = [0]

    def found(fraction: float) -> Initialised:
        return Initialised(
            scenario=scenario,
            section=section,
            names=NAMES,
            scores=start.tally.roots(),
            schemes=SCHEMES,
            signal=stacks.signal.means(MOST_VARYING),
            gradient=stacks.gradient.means(MOST_VARYING),
            rules=rules,
            pure=geometric(collapse.pure),
            skip=geometric(collapse.skip),
            nets=done[0],
            fraction=fraction,
        )

    start.draw(0)
    start.ask_theory()
    stacks.ask_theory()
    yield found(0.01)
    work: Iterable[Callable[[], None]] = chain(
        *(_net(net, start, stacks, collapse, done) for net in range(section.nets)), (collapse.ask_theory,)
    )
    for fraction in breaths(work):
        yield found(0.01 + 0.98 * fraction)
    yield found(1.0)


def _net(net: int, start: Start, stacks: Stacks, collapse: Collapse, done: list[int]) -> Iterator[Callable[[], None]]:
    """Yield the work of one draw of everything."""
    yield from (partial(stacks.draw, net, place) for place in range(len(SCHEMES)))
    if net < MOST_ATTENTION:
        yield from collapse.draw(net)
    if net:
        yield partial(start.draw, net)
    yield partial(done.__setitem__, 0, net + 1)


def _plain() -> dict[str, float]:
    return {"rho": 0.0, "r_q": 0.0, "r_k": 0.0, "mean_q": 0.0, "mean_k": 0.0, "sigma_q": 1.0, "sigma_k": 1.0}
