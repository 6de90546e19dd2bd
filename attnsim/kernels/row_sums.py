"""Power sums and histograms of rows of scores, checkpoint by checkpoint."""

import numpy as np
from numpy.typing import NDArray

from attnsim.kernels.compiled import compiled

Floats = NDArray[np.float64]


def row_sums(walks: Floats, center: Floats, scale: Floats, edges: Floats, counts: NDArray[np.int64]) -> Floats:
    """Return each row's mean powers of its standardised scores, and add the scores to a histogram.

    Parameters
    ----------
    walks : float64 array, shape (rows, checkpoints, keys)
    center, scale : float64 array, shape (checkpoints,)
        A score x counts as (x - center)/scale; scale is positive.
    edges : float64 array, shape (checkpoints, bins + 1)
        Equal bins; scores outside are not counted.
    counts : int64 array, shape (checkpoints, bins)
        Added to in place.

    Returns
    -------
    float64 array, shape (rows, checkpoints, 4)
        Means of the first four powers over the row's keys.
    """
    rows, checkpoints, _ = walks.shape
    if center.shape != (checkpoints,) or scale.shape != (checkpoints,):
        raise ValueError(f"center and scale need shape ({checkpoints},); got {center.shape} and {scale.shape}")
    if edges.shape != (checkpoints, counts.shape[1] + 1) or counts.shape[0] != checkpoints:
        raise ValueError(f"edges and counts need {checkpoints} lines; got {edges.shape} and {counts.shape}")
    powers = np.empty((rows, checkpoints, 4))
    _row_sums(walks, center, 1.0 / scale, edges, counts, powers)
    return powers


@compiled
def _row_sums(walks, center, inverse, edges, counts, powers):
    rows, checkpoints, keys = walks.shape
    bins = counts.shape[1]
    for b in range(rows):
        for t in range(checkpoints):
            first = edges[t, 0]
            per_unit = bins / (edges[t, bins] - first)
            one, two, three, four = 0.0, 0.0, 0.0, 0.0
            for j in range(keys):
                score = walks[b, t, j]
                place = (score - first) * per_unit
                if 0.0 <= place < bins:
                    counts[t, int(place)] += 1
                x = (score - center[t]) * inverse[t]
                square = x * x
                one += x
                two += square
                three += square * x
                four += square * square
            powers[b, t, 0] = one / keys
            powers[b, t, 1] = two / keys
            powers[b, t, 2] = three / keys
            powers[b, t, 3] = four / keys
