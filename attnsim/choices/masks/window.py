"""Local window: the query and the keys just before it."""

import numpy as np

from attnsim.choices.masks.mask import Flags, Floats, Mask, Sight, for_all_rows
from attnsim.words import mark


def visible(logits: Floats, sight: Sight) -> Flags | None:
    """Return which keys are seen."""
    place = sight.query - np.arange(logits.shape[1])
    return for_all_rows((place >= 0) & (place < sight.size), logits)


def count(sight: Sight) -> int:
    """Return how many keys are seen."""
    return max(0, min(sight.size, sight.query + 1, sight.keys + sight.size - sight.query - 1))


MASK = Mask(
    key="window",
    title=mark("local window"),
    formula=r"0 \leq i - j < w",
    source="Child et al., 2019, sec. 4.2; Beltagy et al., Longformer, 2020",
    sentences=(
        mark("The query sees itself and the w − 1 keys before it."),
        mark("The scores keep their spread, which depends on d and not on n: fewer keys only mean larger weights."),
    ),
    visible=visible,
    count=count,
    size_title=mark("Window"),
)
