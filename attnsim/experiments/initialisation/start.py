"""Spread of the scores at the start, for each initialiser: layer-normalised tokens through drawn W_Q and W_K."""

import math

import numpy as np

from attnsim.experiments.initialisation.draws import normal_matrix, uniform_matrix
from attnsim.experiments.initialisation.products import product
from attnsim.experiments.tally import Tally
from attnsim.scenario import Scenario
from attnsim.theory.initialisation import WEIGHT_VARIANCES, initialisation

T5 = "t5"
NAMES = (*WEIGHT_VARIANCES, T5)
UNIFORM = ("xavier_square", "xavier_per_head", "xavier_fused", "xavier_gain_inverse_sqrt_2", "linear_default")
TOKENS = 24
MOST_ENTRIES = 200_000  # of a matrix; a head beyond it is measured with its first components, which all are alike


class Start:
    """Draws tokens and matrices, one pair of matrices at a time."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.width, self.dim = scenario.d_model, scenario.dim
        self.drawn = max(1, min(self.dim, MOST_ENTRIES // self.width))
        self.tally = Tally((len(NAMES),))

    def draw(self, net: int) -> None:
        """Draw one pair of matrices of each kind, and score tokens against each other."""
        seed = self.scenario.seed
        tokens = normal_matrix(seed, f"tokens/{net}", 2 * TOKENS, self.width)
        length = np.sqrt(np.einsum("ij,ij->i", tokens, tokens) / self.width)
        tokens /= length[:, None]
        products = {}
        for kind, draw in (("normal", normal_matrix), ("uniform", uniform_matrix)):
            w_q, w_k = (draw(seed, f"{kind}/{side}/{net}", self.width, self.drawn) for side in "qk")
            q, k = product(tokens[:TOKENS], w_q), product(tokens[TOKENS:], w_k)
            scores = product(q, k.T)
            products[kind] = float(np.mean(scores**2)) / self.drawn
        for place, name in enumerate(NAMES):
            of_q, of_k = self.variances(name)
            square = products["uniform" if name in UNIFORM else "normal"] * of_q * of_k
            self.tally.add((place,), np.array([square]))

    def variances(self, name: str) -> tuple[float, float]:
        """Return the variance of an entry of W_Q, and of one of W_K."""
        if name == T5:
            return 1.0 / (self.width * self.dim), 1.0 / self.width
        variance = WEIGHT_VARIANCES[name](self.width, self.dim)
        return variance, variance

    def ask_theory(self) -> None:
        """Take the closed forms."""
        for place, name in enumerate(NAMES):
            known = 1.0 / math.sqrt(self.dim) if name == T5 else initialisation(name, self.width, self.dim).score_sd
            self.tally.expected[place] = known
