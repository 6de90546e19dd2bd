"""No mask: every key is seen."""

from attnsim.choices.masks.mask import Flags, Floats, Mask, Sight
from attnsim.words import mark


def visible(logits: Floats, sight: Sight) -> Flags | None:
    """Return which keys are seen."""
    return None


def count(sight: Sight) -> int:
    """Return how many keys are seen."""
    return sight.keys


MASK = Mask(
    key="none",
    title=mark("none (all keys)"),
    formula=r"j = 0..n-1",
    source="Vaswani et al., NeurIPS 2017, sec. 3.2.3 (encoder)",
    sentences=(
        mark("The query sees every key."),
        mark("All rules share the same n keys."),
    ),
    visible=visible,
    count=count,
)
