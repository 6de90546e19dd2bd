"""Masks: which keys a query may see. Adding one is a file beside this one and a line in `MASKS`."""

from attnsim.choices.masks import causal, none, random, strided, top_k, window
from attnsim.choices.masks.mask import Mask, Sight

__all__ = ["MASKS", "Mask", "Sight"]

MASKS: dict[str, Mask] = {
    mask.key: mask
    for mask in (
        none.MASK,
        causal.MASK,
        window.MASK,
        strided.MASK,
        random.MASK,
        top_k.MASK,
    )
}
