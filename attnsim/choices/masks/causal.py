"""Causal mask: no key after the query."""

import numpy as np

from attnsim.choices.masks.mask import Flags, Floats, Mask, Sight, for_all_rows
from attnsim.words import mark


def visible(logits: Floats, sight: Sight) -> Flags | None:
    """Return which keys are seen."""
    return for_all_rows(np.arange(logits.shape[1]) <= sight.query, logits)


def count(sight: Sight) -> int:
    """Return how many keys are seen."""
    return min(sight.query + 1, sight.keys)


MASK = Mask(
    key="causal",
    title=mark("causal"),
    formula=r"j \leq i",
    source="Vaswani et al., NeurIPS 2017, sec. 3.2.3 (decoder)",
    sentences=(
        mark("The query sees itself and the keys before it."),
        mark("The row that is drawn is that of the last query, which sees all; an earlier query of a head sees fewer."),
    ),
    visible=visible,
    count=count,
)
