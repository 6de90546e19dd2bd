"""What the loss asks of the weights of a row: its derivative by each weight, and what of it reaches the logits."""

import numpy as np

from attnsim.experiments.gradients.softmax_gradient import of_cross_entropy, through_softmax
from attnsim.experiments.records import Floats, Whole
from attnsim.scenario import Scenario

NEEDLE = 0  # the key the loss speaks of; it is the aligned one where only one is


class Upstream:
    """The upstream gradient that a scenario's section names, for any row.

    Parameters
    ----------
    scenario : Scenario
    stream : str
        Keeps the random directions of different purposes apart.
    """

    def __init__(self, scenario: Scenario, stream: str) -> None:
        self._kind, self._seed, self._stream = scenario.section.upstream, scenario.seed, stream
        self._keys = scenario.keys

    def through(self, weights: Floats, first_row: int) -> tuple[Floats, Whole]:
        """Return the gradient by the logits of each row, and the key that the loss speaks of.

        Parameters
        ----------
        weights : float64 array, shape (rows, keys)
        first_row : int
            Number of the first row, on which a random direction depends.

        Returns
        -------
        gradient : float64 array, shape (rows, keys)
        target : int64 array, shape (rows,)
        """
        rows = len(weights)
        target = np.full(rows, NEEDLE, dtype=np.int64)
        if self._kind == "cross_entropy_largest":
            target = np.argmax(weights, axis=1)
        if self._kind in ("cross_entropy", "cross_entropy_largest"):
            return of_cross_entropy(weights, target), target
        return through_softmax(weights, self.directions(rows, weights.shape[1], first_row)), target

    def directions(self, rows: int, keys: int, first_row: int) -> Floats:
        """Return the loss's derivative by the weights, of length 1, shape (rows, keys)."""
        if self._kind == "one_key":
            one = np.zeros((rows, keys))
            one[:, NEEDLE] = -1.0
            return one
        if self._kind == "even":
            return np.full((rows, keys), 1.0 / np.sqrt(keys))
        from attnsim.kernels.normals import normals
        from attnsim.kernels.rng import stream_key

        key = stream_key(self._seed, f"gradients/{self._stream}")
        drawn = normals(key, rows * self._keys, first_row * self._keys).astype(np.float64)
        drawn = drawn.reshape(rows, self._keys)[:, :keys]
        return np.asarray(drawn / np.sqrt((drawn**2).sum(axis=1, keepdims=True)))
