"""Rank collapse: tokens through a stack of attention layers become alike."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from attnsim.choices.scalings import Rule
from attnsim.choices.sections.initialisation import Depth
from attnsim.experiments.initialisation.draws import normal_matrix
from attnsim.experiments.initialisation.products import product
from attnsim.experiments.tally import Means, Tally
from attnsim.theory.variance_propagation import collapse_step

Floats = NDArray[np.float64]

LEAST = 1e-14  # of 1 - cosine; rounding is all that is left below


class Collapse:
    """Draws stacks of attention layers of one head, as wide as the tokens."""

    def __init__(self, seed: int, section: Depth, rules: tuple[Rule, ...]) -> None:
        self.seed, self.section, self.rules = seed, section, rules
        self.multipliers = np.array([float(rule.factor(section.width)) for rule in rules])
        shape = (len(rules), section.layers + 1)
        self.pure, self.skip = Tally(shape), Tally(shape)  # of logarithms

    def draw(self, net: int) -> Iterator[Callable[[], None]]:
        """Yield the layers of one stack, which all rules share, without and with skip connections."""
        section, size = self.section, self.section.width
        start = normalised(normal_matrix(self.seed, f"attention/tokens/{net}", section.tokens, size))
        usable = [place for place, factor in enumerate(self.multipliers) if np.isfinite(factor)]
        tokens = {(place, skip): start for place in usable for skip in (False, True)}
        found = {each: np.full(section.layers + 1, np.nan) for each in tokens}

        def pass_on(layer: int) -> None:
            matrices = [
                normal_matrix(self.seed, f"attention/{side}/{net}", size, size, layer) / np.sqrt(size) for side in "qkv"
            ]
            for (place, skip), before in tokens.items():
                after = attend(before, matrices, float(self.multipliers[place]), skip)
                tokens[place, skip] = normalised(after)
                found[place, skip][layer + 1] = distance(tokens[place, skip])

        def finish() -> None:
            for (place, skip), distances in found.items():
                distances[0] = distance(start)
                (self.skip if skip else self.pure).add_each((place,), np.log(distances))

        yield from (partial(pass_on, layer) for layer in range(section.layers))
        yield finish

    def ask_theory(self) -> None:
        """Follow the leading-order law for isotropic tokens; with skip connections there is none here."""
        for place, multiplier in enumerate(self.multipliers):
            if not np.isfinite(multiplier):
                continue
            sd, cosine, distances = float(multiplier) * np.sqrt(self.section.width), 0.0, [1.0]
            for _layer in range(self.section.layers):
                cosine = min(collapse_step(cosine, sd, self.section.tokens), 1.0)
                distances.append(1.0 - cosine)
            self.pure.expected[place] = np.where(np.array(distances) > LEAST, distances, np.nan)


def geometric(tally: Tally) -> Means:
    """Return geometric means over stacks, with errors by the delta method; nan where a stack has collapsed entirely."""
    logs = tally.means()
    whole = (tally.rows > 0) & (tally.rows == tally.rows[:, :1])
    value = np.where(whole, np.exp(logs.value), np.nan)
    return Means(value, value * logs.error, logs.expected)


def attend(tokens: Floats, matrices: list[Floats], multiplier: float, skip: bool) -> Floats:
    """Return one attention layer of one head, softmax(multiplier X W_Q W_K^T X^T) X W_V, plus X with a skip."""
    w_q, w_k, w_v = matrices
    scores = multiplier * product(product(tokens, w_q), product(tokens, w_k).T)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    mixed = product(weights, product(tokens, w_v))
    return np.asarray(tokens + mixed if skip else mixed)


def normalised(tokens: Floats) -> Floats:
    """Return tokens of squared length equal to their number of components."""
    square = np.einsum("ij,ij->i", tokens, tokens)[:, None]
    return np.asarray(tokens * np.sqrt(tokens.shape[1] / square))


def distance(tokens: Floats) -> float:
    """Return 1 - mean cosine of two different tokens of equal length: their distance from rank one.

    It is the spread around the mean token, so that nothing cancels where all tokens are nearly alike.
    """
    count, width = tokens.shape
    away = tokens - tokens.mean(axis=0)
    found = float(np.sum(away * away)) / (width * (count - 1))
    return found if found > LEAST else np.nan
