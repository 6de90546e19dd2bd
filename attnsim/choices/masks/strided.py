"""Strided mask: every s-th key, counted back from the query."""

import numpy as np

from attnsim.choices.masks.mask import Flags, Floats, Mask, Sight, for_all_rows
from attnsim.words import mark


def visible(logits: Floats, sight: Sight) -> Flags | None:
    """Return which keys are seen."""
    place = sight.query - np.arange(logits.shape[1])
    return for_all_rows((place >= 0) & (place % sight.size == 0), logits)


def count(sight: Sight) -> int:
    """Return how many keys are seen."""
    last = min(sight.query, sight.keys - 1)
    first = sight.query - sight.query // sight.size * sight.size
    return max(0, (last - first) // sight.size + 1)


MASK = Mask(
    key="strided",
    title=mark("strided"),
    formula=r"(i - j) \bmod s = 0",
    source="Child et al., Sparse Transformers, 2019, sec. 4.2 (the second head of the strided pattern)",
    sentences=(
        mark("The query sees itself and every s-th key before it."),
        mark("A pattern that does not look at the scores leaves their spread alone."),
    ),
    visible=visible,
    count=count,
    size_title=mark("Stride"),
)
