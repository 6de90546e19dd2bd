"""Which keys of a row are shown, and in what order."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from attnsim.experiments.attention import Attention

Floats = NDArray[np.float64]


def largest_keys(scores: Floats, most: int) -> NDArray[np.int64]:
    """Return the keys of the largest scores, largest first; equal scores in the order of the keys."""
    if scores.size > most:
        # a partition, not a sort: a row may hold 65,536 scores on every frame
        chosen = np.sort(np.argpartition(scores, scores.size - most)[scores.size - most :])
    else:
        chosen = np.arange(scores.size)
    return chosen[np.argsort(-scores[chosen], kind="stable")].astype(np.int64)


def shown_keys(scores: Floats, found: Sequence[Attention], most: int) -> NDArray[np.int64]:
    """Return the keys of the largest scores among those that some rule's mask lets through."""
    flags = [each.visible[0] for each in found if each.visible is not None]
    if len(flags) < len(found):
        return largest_keys(scores, most)
    seen = np.flatnonzero(np.logical_or.reduce(flags))
    return seen[largest_keys(scores[seen], most)]
