"""What the softmax makes of a row: from raw scores through rule, mask and number format to weights."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from attnsim.choices.formats import FORMATS, NumberFormat
from attnsim.choices.masks import MASKS, Sight
from attnsim.choices.scalings import Rule, Sums
from attnsim.experiments.records import Floats, Walk, freeze

KEPT = 8  # a rule's weights each: figures and read-outs of one frame ask for the same


@dataclass(frozen=True, slots=True, eq=False)
class Attention:
    """Weights of rows, and what they say.

    Attributes
    ----------
    logits : float64 array, shape (rows, keys)
        What enters the softmax: numbers of the format, -inf where a key is hidden.
    weights : float64 array, shape (rows, keys)
        0 where a key is hidden, and throughout a row that is hidden entirely; nan where a number overflowed.
    largest, entropy : float64 array, shape (rows,)
        Largest weight of a key, and the entropy in nats, a sink counted as one more key.
    sink : float64 array, shape (rows,)
        Share of the sink; 0 without one.
    visible : bool array, shape (rows, keys), or None
        None where every key is seen.
    """

    logits: Floats
    weights: Floats
    largest: Floats
    entropy: Floats
    sink: Floats
    visible: NDArray[np.bool_] | None = None

    def __post_init__(self) -> None:
        freeze(self)

    @property
    def count(self) -> NDArray[np.int64]:
        """How many keys are seen, shape (rows,)."""
        rows, keys = self.weights.shape
        return np.full(rows, keys) if self.visible is None else np.asarray(self.visible.sum(axis=1))

    @property
    def overflowed(self) -> NDArray[np.bool_]:
        """Whether the format could not hold a number of the row, shape (rows,)."""
        return np.isnan(self.largest)


def attend(rule: Rule, sums: Sums, sight: Sight, mask: str, number_format: str) -> Attention:
    """Return the weights of rows of raw scores under a rule, a mask and a number format.

    Parameters
    ----------
    rule : Rule
    sums : Sums
        Of shape (rows, keys).
    sight : Sight
    mask, number_format : str
        Ids of `choices.masks` and `choices.formats`.

    Returns
    -------
    Attention

    Notes
    -----
    In a format narrower than fp64 every operation is rounded to nearest, one after the other: the score, summed
    exactly as an accumulator wide enough would; the logit that the rule makes of it, in one rounding; the difference
    to the row's maximum; its exponential; the running sum, key by key, a sink last; and the quotient. A score or
    logit beyond the format's range becomes what the format has for it, inf or nan, and takes the row with it.
    """
    kind = FORMATS[number_format]
    narrow = kind.digits < FORMATS["fp64"].digits
    if narrow:
        rounded = kind.round(sums.scores)
        sums = Sums(**{name: getattr(sums, name) for name in Sums.__slots__} | {"scores": rounded})
    with np.errstate(invalid="ignore", over="ignore"):  # a score that overflowed
        logits = rule.logits(sums)
        logits = kind.round(logits) if narrow else logits
    visible = MASKS[mask].visible(logits, sight)
    if visible is not None:
        logits = np.where(visible, logits, -np.inf)
    if narrow:
        weights, sink, entropy = _rounded(logits, rule.scaling.sink, kind)
    else:
        weights, sink, entropy = _softmax(logits, rule.scaling.sink, masked=visible is not None)
    return Attention(logits, weights, weights.max(axis=1), entropy, sink, visible)


def _softmax(logits: Floats, sink: bool, masked: bool) -> tuple[Floats, Floats, Floats]:
    """Return weights, the sink's share and the entropy, ln Z - sum p x: nothing cancels near one-hot."""
    top = logits.max(axis=1, keepdims=True)
    if sink:
        top = np.maximum(top, 0.0)
    empty = np.isneginf(top) if masked else np.zeros(top.shape, dtype=np.bool_)
    below = logits - (np.where(empty, 0.0, top) if masked else top)
    weights = np.exp(below)
    rest = np.exp(-top) if sink else empty.astype(np.float64)  # 1, so that 0 over 0 is 0 where all is hidden
    total = weights.sum(axis=1, keepdims=True) + rest
    if masked:
        below[np.isneginf(below)] = 0.0  # their weight is 0, and 0 times inf is nan
    lean = np.einsum("ij,ij->i", weights, below)
    if sink:
        lean -= (rest * top)[:, 0]
    entropy = np.log(total[:, 0]) - lean / total[:, 0]
    weights /= total
    share = (rest / total)[:, 0] if sink else np.zeros(len(logits))
    return weights, share, np.clip(entropy, 0.0, np.log(logits.shape[1] + sink))


def _rounded(logits: Floats, sink: bool, kind: NumberFormat) -> tuple[Floats, Floats, Floats]:
    """Return the same with every operation rounded."""
    from attnsim.kernels.entropy_rows import entropy_rows
    from attnsim.kernels.float_rounding import Format
    from attnsim.kernels.softmax_rounded import rounded_rows

    rows = np.append(logits, np.zeros((len(logits), 1)), axis=1) if sink else logits
    shares = rounded_rows(rows, "stable", Format(kind.digits, kind.least_exponent, kind.largest, kind.overflow))
    entropy = entropy_rows(shares)
    keys = logits.shape[1]
    return shares[:, :keys], shares[:, keys] if sink else np.zeros(len(rows)), np.abs(entropy)


@lru_cache(maxsize=KEPT)
def row_attention(result: Walk, index: int, place: int) -> Attention:
    """Return the weights of the one row on screen.

    Parameters
    ----------
    result : Walk
    index : int
        Checkpoint of the row.
    place : int
        Which of the result's rules.

    Returns
    -------
    Attention
        Of one row.
    """
    sums, scenario = as_rows(result.row.sums(index)), result.scenario
    return attend(result.rules[place], sums, result.sight, scenario.mask, scenario.format)


def as_rows(sums: Sums) -> Sums:
    """Return what a rule may read of one row, as that of a matrix with one row."""
    across = {name: getattr(sums, name) for name in ("scores", "key_sums", "key_squares")}
    lines = {name: None if line is None else line[None, :] for name, line in across.items()}
    return Sums(dim=sums.dim, query_sum=sums.query_sum, query_square=sums.query_square, **lines)  # type: ignore[arg-type]
