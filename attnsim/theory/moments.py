"""The record in which every theory of the score hands over its moments."""

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Moments:
    """Moments of the raw score q . k; nan where one does not exist or has no closed form.

    Attributes
    ----------
    mean, variance, skewness, excess_kurtosis : float64 array
        Over draws of the query and of the key; the shape is that of the dimensions asked for.
    within_row_variance : float64 array
        Mean variance among keys that share one query: the part softmax sees.
    between_row_variance : float64 array
        The rest of the variance, a shift of the whole row, which softmax does not see.
    """

    mean: Floats
    variance: Floats
    within_row_variance: Floats
    between_row_variance: Floats
    skewness: Floats
    excess_kurtosis: Floats

    def __post_init__(self) -> None:
        for f in fields(self):
            getattr(self, f.name).flags.writeable = False


def existing(values: ArrayLike) -> Floats:
    """Return float64 values with nan in place of infinities."""
    array = np.array(values, dtype=np.float64)
    array[~np.isfinite(array)] = np.nan
    return array


def moments(
    *, mean: ArrayLike, variance: ArrayLike, within: ArrayLike, skewness: ArrayLike, excess_kurtosis: ArrayLike
) -> Moments:
    """Return the record, with the between-row part as what is left of the variance."""
    total, inside = existing(variance), existing(within)
    return Moments(
        mean=existing(mean),
        variance=total,
        within_row_variance=inside,
        between_row_variance=np.asarray(total - inside),
        skewness=existing(skewness),
        excess_kurtosis=existing(excess_kurtosis),
    )
