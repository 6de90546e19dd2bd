"""Top-k: the keys of the largest scores."""

import numpy as np

from attnsim.choices.masks.mask import Flags, Floats, Mask, Sight
from attnsim.words import mark


def visible(logits: Floats, sight: Sight) -> Flags | None:
    """Return which keys are seen."""
    keys = logits.shape[1]
    if sight.size >= keys:
        return None
    # equal scores in the order of the keys, so that exactly k are seen whatever the ties
    least = np.partition(logits, keys - sight.size, axis=1)[:, keys - sight.size, None]
    above, ties = logits > least, logits == least
    room = sight.size - above.sum(axis=1, keepdims=True)
    return np.asarray(above | (ties & (np.cumsum(ties, axis=1) <= room)))


def count(sight: Sight) -> int:
    """Return how many keys are seen."""
    return min(sight.size, sight.keys)


MASK = Mask(
    key="top_k",
    title=mark("top k by score"),
    formula=r"j \in \mathrm{top}_k(x)",
    source="Gupta et al., Memory-efficient Transformers via Top-k Attention, 2021",
    sentences=(
        mark("The query sees the k keys of the largest scores."),
        mark("What is left is an upper tail with a small spread, so the weights of the k keys become nearly alike."),
    ),
    visible=visible,
    count=count,
    size_title=mark("Keys seen"),
)
