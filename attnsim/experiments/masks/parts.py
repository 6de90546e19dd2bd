"""The other parts of the lab: patterns, earlier queries, the k largest scores, sparse components, an empty row."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnsim.choices.masks import MASKS
from attnsim.choices.scalings import Sums
from attnsim.experiments.attention import attend
from attnsim.experiments.closed_forms import rules_at
from attnsim.experiments.drawn_sums import draw_sums
from attnsim.experiments.masks.records import Empty, Positions, Selection
from attnsim.experiments.masks.rows import like_a_row, seen_variance
from attnsim.experiments.requests import work_of
from attnsim.experiments.tally import Tally
from attnsim.scenario import Scenario
from attnsim.theory.optimal_scale import sparse_multiplier
from attnsim.theory.weight_bounds import selected_sd

Floats = NDArray[np.float64]

SIDE = 24  # queries and keys of a pattern
POSITIONS = 9
BY_PLACE = ("causal", "window", "strided")  # masks of which the number of keys depends on the query's place
WORK = 40_000
MOST_ROWS = 200
EMPTY_KEYS, EMPTY_DIM = 4, 8


class Patterns:
    """Weights of the first queries under each mask and rule; nan where hidden, and where nothing is computed yet."""

    def __init__(self, scenario: Scenario, masks: tuple[str, ...]) -> None:
        self.side = min(scenario.keys, SIDE)
        self.small = scenario.but(
            keys=self.side, mask="none", mask_size=pattern_size(scenario, self.side), section=None
        )
        self.masks = masks
        self.found = np.full((len(masks), len(scenario.scalings), self.side, self.side), np.nan)

    def draw(self, place: int) -> None:
        """Look at rows of a few keys under one mask, each from its own place."""
        sums = draw_sums(self.small, "masks/pattern", 0, self.side)
        one = self.small.but(mask=self.masks[place])
        rules = rules_at(one, [one.dim])
        for query in range(self.side):
            sight, line = one.sight(query, query), _line(sums, query)
            for number, rule in enumerate(rules):
                row = attend(rule, line, sight, one.mask, one.format)
                hidden = np.zeros(self.side, dtype=np.bool_) if row.visible is None else ~row.visible[0]
                self.found[place, number, query] = np.where(hidden, np.nan, row.weights[0])


def pattern_size(scenario: Scenario, side: int) -> int:
    """Return the mask's number in the small picture, where it keeps its share of the keys but shows some."""
    return int(np.clip(round(scenario.mask_size * side / scenario.keys), min(4, side), side))


def _line(sums: Sums, row: int) -> Sums:
    """Return one row of some."""
    lines: dict[str, Any] = {
        name: None if getattr(sums, name) is None else getattr(sums, name)[row : row + 1]
        for name in ("scores", "query_sum", "query_square", "key_sums", "key_squares")
    }
    return Sums(dim=sums.dim, **lines)


class Places:
    """Weights of queries along the sequence."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario.but(mask="none", section=None)
        last = scenario.keys - 1
        even = np.round(np.geomspace(1.0, last + 1.0, POSITIONS)) - 1.0
        self.at = np.unique(even).astype(np.int64)
        shape = (len(BY_PLACE), len(scenario.scalings), self.at.size)
        self.largest, self.entropy = Tally(shape), Tally(shape)
        self.seen = np.array(
            [[MASKS[name].count(self.scenario.sight(int(i))) for i in self.at] for name in BY_PLACE], dtype=np.int64
        )

    def measure(self, column: int) -> None:
        """Draw rows, and look at them from one place."""
        row, key = work_of(self.scenario, 1)
        rows = min(MOST_ROWS, self.scenario.rows, max(1, WORK // (row + key * self.scenario.keys)))
        sums = draw_sums(self.scenario, f"masks/place/{column}", 0, rows)
        sight = self.scenario.sight(int(self.at[column]))
        for place, name in enumerate(BY_PLACE):
            one = self.scenario.but(mask=name)
            for number, rule in enumerate(one.rules_of(sight, **self._known())):
                found = attend(rule, sums, sight, name, one.format)
                self.largest.add((place, number, column), found.largest)
                self.entropy.add((place, number, column), found.entropy)

    def _known(self) -> dict[str, Floats]:
        setting = rules_at(self.scenario, [self.scenario.dim])[0].setting
        return {} if setting.spread is None else {"steps": setting.steps, "spread": setting.spread}

    def ask_theory(self, place: int, column: int) -> None:
        """Take the closed forms of a row of as many keys."""
        largest, entropy = like_a_row(self.scenario, int(self.seen[place, column]))
        self.largest.expected[place, :, column], self.entropy.expected[place, :, column] = largest, entropy

    def result(self) -> Positions:
        """Return what is known so far."""
        return Positions(BY_PLACE, self.at.copy(), self.seen.copy(), self.largest.means(), self.entropy.means())


class Largest:
    """The k largest scores of a row, for several k."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario.but(mask="none", section=None)
        points = np.unique(np.round(np.geomspace(min(2, scenario.keys), scenario.keys, 12)))
        self.at = points.astype(np.int64)
        self.spread, self.shared, self.rescaled = (Tally(self.at.shape) for _each in range(3))

    def measure(self) -> None:
        """Draw rows of unit spread, and keep the largest of each."""
        from attnsim.kernels.softmax_statistics import softmax_statistics

        row, key = work_of(self.scenario, 1)
        rows = min(MOST_ROWS, self.scenario.rows, max(1, 2 * WORK // (row + key * self.scenario.keys)))
        scores = draw_sums(self.scenario, "masks/top", 0, rows).scores
        ordered = -np.sort(-scores, axis=1)
        spread = np.sqrt(seen_variance(ordered, None))[:, None]
        if self.scenario.keys < 2 or not np.all(spread > 0.0):
            return
        ordered = ordered / spread
        for place, k in enumerate(self.at):
            kept = np.ascontiguousarray(ordered[:, :k])
            self.spread.add((place,), seen_variance(kept, None))
            self.shared.add((place,), softmax_statistics(kept).participation / k)
            own = np.sqrt(np.mean(seen_variance(kept, None)))
            self.rescaled.add(
                (place,), softmax_statistics(kept / own).participation / k if own > 0.0 else np.full(1, np.nan)
            )

    def ask_theory(self) -> None:
        """Take the spread beyond a quantile of a normal law."""
        if self.scenario.keys > 1 and self.scenario.law in ("normal", "sign"):
            self.spread.expected[:] = selected_sd(self.scenario.keys, self.at)

    def result(self) -> Selection:
        """Return what is known so far."""
        return Selection(self.at.copy(), self.spread.roots(), self.shared.means(), self.rescaled.means())


class Sparse:
    """Scores of vectors of which a share of the components is not zero."""

    def __init__(self, scenario: Scenario) -> None:
        plain: dict[str, Any] = dict.fromkeys(("rho", "r_q", "r_k", "mean_q", "mean_k"), 0.0)
        self.scenario = scenario.but(
            law="sparse", mask="none", format="fp64", section=None, scalings=("inverse_sqrt",), **plain
        )
        self.tally = Tally((2,))

    def measure(self) -> None:
        """Draw rows; those left as they are have scores smaller by the share."""
        row, key = work_of(self.scenario, 1)
        keys = int(np.clip(4 * WORK // (16 * key), 2, min(64, max(2, self.scenario.keys))))
        rows = int(np.clip(4 * WORK // (row + key * keys), 2, self.scenario.rows if self.scenario.rows > 1 else 2))
        scores = draw_sums(self.scenario.but(keys=keys), "masks/sparse", 0, rows).scores
        variance = seen_variance(scores, None)
        self.tally.add((0,), variance)
        self.tally.add((1,), variance * self.scenario.nonzero**2)

    def ask_theory(self) -> None:
        """Take the reciprocals of the factors that bring the spread to 1."""
        s = self.scenario
        scale, shares = s.sigma_q * s.sigma_k, (1.0, s.nonzero)
        self.tally.expected[:] = [scale / float(sparse_multiplier(s.dim, share)) for share in shares]


def empty_row(seed: int) -> Empty:
    """Return what three conventions make of a query that sees no key.

    Parameters
    ----------
    seed : int

    Returns
    -------
    Empty
        The zeros come from this program's attention, the others from its softmax in the usual formulas.
    """
    from attnsim.kernels.attention import attention

    rng = np.random.default_rng(seed)
    q, k, v = rng.standard_normal((1, EMPTY_DIM)), *rng.standard_normal((2, EMPTY_KEYS, EMPTY_DIM))
    hidden = np.zeros((1, EMPTY_KEYS), dtype=np.bool_)
    ours = attention(q, k, v, mask=hidden, dtype="float64", return_weights=True)
    lowest = attention(
        q, k, v, bias=np.full((1, EMPTY_KEYS), np.finfo(np.float64).min), dtype="float64", return_weights=True
    )
    scores = np.where(hidden, (q @ k.T) / np.sqrt(EMPTY_DIM), -np.inf)
    with np.errstate(invalid="ignore"):
        grown = np.exp(scores - scores.max(axis=1, keepdims=True))
        undefined = grown / grown.sum(axis=1, keepdims=True)
    assert ours.weights is not None
    assert lowest.weights is not None
    outputs = np.stack([np.asarray(ours.output)[0], (undefined @ v)[0], np.asarray(lowest.output)[0]])
    return Empty(np.array(ours.weights[0]), undefined[0], np.array(lowest.weights[0]), outputs)
