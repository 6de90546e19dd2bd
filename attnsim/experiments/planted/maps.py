"""The planted key's exact mean weight over (dimension, keys) and (correlation, keys)."""

from collections.abc import Callable, Iterator

import numpy as np

from attnsim.experiments.planted.records import Map, Scale
from attnsim.experiments.planted.theory import factors, of_keys, rules_for
from attnsim.scenario import Scenario
from attnsim.theory import planted_weights as exact

FACTORS = 33
WIDEST_FACTOR = 40.0


class Chart:
    """One map, filled column by column."""

    def __init__(self, scenario: Scenario, axis: str, values: list[float], keys: list[float]) -> None:
        self.axis, self.at, self.keys = axis, np.array(values), np.array(keys)
        self.scenario = scenario.but(
            law="normal", mean_q=0.0, mean_k=0.0, r_q=0.0, r_k=0.0, rho=scenario.rho
        )  # the map is that of standard normal components, whatever the law
        shape = len(keys), len(values)
        self.weight = np.full((len(scenario.scalings), *shape), np.nan)
        self.found = np.full(shape, np.nan)

    def work(self) -> Iterator[Callable[[], None]]:
        """Yield a piece for each rule of each column."""
        for column in range(self.at.size):
            yield lambda column=column: self._find(column)  # type: ignore[misc]
            for rule in range(self.weight.shape[0]):
                yield lambda column=column, rule=rule: self._weigh(column, rule)  # type: ignore[misc]

    def _there(self, column: int, keys: float) -> Scenario | None:
        value = float(self.at[column])
        try:
            return self.scenario.but(keys=int(keys), **{self.axis: int(value) if self.axis == "dim" else value})
        except ValueError:
            return None

    def _find(self, column: int) -> None:
        there = self._there(column, self.keys[-1])
        if there is not None:
            self.found[:, column] = exact.found_chances(there.dim, self.keys, there.rho)

    def _weigh(self, column: int, rule: int) -> None:
        """Take all numbers of keys at once where the rule does not ask for them."""
        there = [self._there(column, keys) for keys in self.keys]
        multipliers = np.array([np.nan if one is None else factors(one, rules_for(one))[rule] for one in there])
        usable = np.isfinite(multipliers) & (multipliers > 0.0)
        for factor in np.unique(multipliers[usable]):
            lines = np.flatnonzero(multipliers == factor)
            one = there[lines[0]]
            assert one is not None
            self.weight[rule, lines, column] = exact.planted_weights(one.dim, self.keys[lines], one.rho, float(factor))

    def result(self) -> Map:
        """Return what is known so far."""
        return Map(self.axis, self.at.copy(), self.keys.copy(), self.weight.copy(), self.found.copy())


class Factors:
    """The scenario's own row under factors from far too small to as large as no scale at all."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        root = float(np.sqrt(scenario.dim))
        self.at = np.geomspace(min(0.25, 1.0 / root), WIDEST_FACTOR, FACTORS)
        self.weight = np.full(FACTORS, np.nan)

    def weigh(self, place: int) -> None:
        """Take the exact mean under one factor; those of the score are of components of unit variance."""
        s = self.scenario
        factor = float(self.at[place] / np.sqrt(s.dim)) * s.sigma_q * s.sigma_k
        self.weight[place] = float(of_keys(s, [s.keys], factor)[0])

    def result(self) -> Scale:
        """Return what is known so far."""
        return Scale(self.at.copy(), self.weight.copy())
