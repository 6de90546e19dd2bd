"""What the parameters of the closed forms may be."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.words import _

Floats = NDArray[np.float64]


def within(
    name: str,
    value: ArrayLike,
    low: float = -np.inf,
    high: float = np.inf,
    *,
    beyond_low: bool = False,
    below_high: bool = False,
    whole: bool = False,
) -> Floats:
    """Return `value` as float64, or refuse it with the region it must lie in.

    Parameters
    ----------
    name : str
        Of the parameter, for the message.
    value : array_like
        Any shape; nan is refused.
    low, high : float
        Limits, included unless `beyond_low` or `below_high` says otherwise.
    beyond_low, below_high : bool
        Whether a limit itself is left out.
    whole : bool
        Whether only whole numbers may stand here.

    Raises
    ------
    ValueError
        If any entry lies outside.
    """
    array = np.asarray(value, dtype=np.float64)
    fits = (array > low if beyond_low else array >= low) & (array < high if below_high else array <= high)
    if whole:
        fits &= array == np.floor(array)
    if np.all(fits):
        return array
    allowed = f"{'(' if beyond_low else '['}{low:g}, {high:g}{')' if below_high else ']'}"
    text = (
        _("{name} must be whole and lie in {allowed}, not {value}")
        if whole
        else _("{name} must lie in {allowed}, not {value}")
    )
    raise ValueError(text.format(name=name, allowed=allowed, value=_shown(array[~fits])))


def _shown(wrong: Floats) -> str:
    return f"{float(wrong.flat[0]):g}"
