"""The row of the last query under every mask: spread of what is seen, largest weight, entropy."""

import numpy as np
from numpy.typing import NDArray

from attnsim.choices.masks import MASKS
from attnsim.experiments.attention import attend
from attnsim.experiments.closed_forms import rules_at, score_moments
from attnsim.experiments.drawn_sums import draw_sums
from attnsim.experiments.expectations import expected_weights
from attnsim.experiments.requests import work_of
from attnsim.experiments.tally import Tally
from attnsim.scenario import Scenario
from attnsim.theory.weight_bounds import selected_sd

Floats = NDArray[np.float64]

CHUNK = 40_000  # variates drawn at a time
MOST_WORK = 1_500_000


class Rows:
    """Draws rows, and looks at each under every mask and rule."""

    def __init__(self, scenario: Scenario, masks: tuple[str, ...]) -> None:
        self.under = [scenario.but(mask=name, section=None) for name in masks]
        self.scenario, self.masks = self.under[0].but(mask="none"), masks
        self.rules = [rules_at(one, [one.dim]) for one in self.under]
        self.sight = self.scenario.sight(scenario.keys - 1)
        self.seen = np.array([MASKS[name].count(self.sight) for name in masks], dtype=np.int64)
        row, key = work_of(scenario, 1)
        self.work = row + key * scenario.keys
        self.wanted = min(scenario.rows, max(1, MOST_WORK // self.work))
        self.rows = 0
        shape = (len(masks), len(scenario.scalings))
        self.spread, self.largest, self.entropy = Tally(shape[:1]), Tally(shape), Tally(shape)

    @property
    def chunk(self) -> int:
        """Rows drawn at a time."""
        return max(1, CHUNK // self.work)

    def grow(self, most: int) -> None:
        """Draw more rows, at most so many in all."""
        rows = min(most, self.wanted) - self.rows
        if rows <= 0:
            return
        sums = draw_sums(self.scenario, "masks", self.rows, rows)
        sight = self.scenario.sight(self.scenario.keys - 1, self.rows)
        for place, name in enumerate(self.masks):
            flags = MASKS[name].visible(sums.scores, sight)
            self.spread.add((place,), seen_variance(sums.scores, flags))
            for number, rule in enumerate(self.rules[place]):
                found = attend(rule, sums, sight, name, self.scenario.format)
                self.largest.add((place, number), found.largest)
                self.entropy.add((place, number), found.entropy)
        self.rows += rows

    def ask_theory(self, place: int) -> None:
        """Take the closed forms under one mask: those of a row of as many keys, unless the mask looks at the scores."""
        one, seen, n = self.under[place], int(self.seen[place]), self.scenario.keys
        variance = score_moments(self.scenario).within_row_variance
        sd = np.nan if variance is None else float(np.sqrt(variance))
        if seen < 2:
            sd = np.nan
        elif one.mask == "top_k" and seen < n:
            sd = sd * float(selected_sd(n, seen)) if one.law in ("normal", "sign") else np.nan
        self.spread.expected[place] = sd
        if one.mask == "top_k" and seen < n:
            return
        self.largest.expected[place], self.entropy.expected[place] = like_a_row(one, seen)


def like_a_row(scenario: Scenario, seen: int) -> tuple[Floats, Floats]:
    """Return expected largest weight and entropy of a row of so many keys, under each rule; nan where unknown."""
    if seen < 1:
        nothing = np.zeros(len(scenario.scalings))
        return nothing, nothing.copy()
    found = expected_weights(scenario.but(keys=seen, mask="none"), [scenario.dim])
    return found.largest_weight[:, 0], found.entropy[:, 0]


def seen_variance(scores: Floats, flags: NDArray[np.bool_] | None) -> Floats:
    """Return the variance of the scores seen in each row, by one less than their number; nan for fewer than two."""
    if flags is None:
        flags = np.ones(scores.shape, dtype=np.bool_)
    count = flags.sum(axis=1).astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.where(flags, scores, 0.0).sum(axis=1) / count
        away = np.where(flags, scores - mean[:, None], 0.0)
        variance = np.einsum("ij,ij->i", away, away) / (count - 1.0)
    return np.where(count > 1.0, variance, np.nan)
