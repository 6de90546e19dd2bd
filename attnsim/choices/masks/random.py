"""Random mask: a few keys that the seed chooses."""

import hashlib
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from attnsim.choices.masks.mask import Flags, Floats, Mask, Sight
from attnsim.words import mark


def visible(logits: Floats, sight: Sight) -> Flags | None:
    """Return which keys are seen."""
    flags = np.zeros((logits.shape[0], sight.keys), dtype=np.bool_)
    for line in range(logits.shape[0]):
        flags[line, _chosen(sight, sight.first_row + line)] = True
    return flags[:, : logits.shape[1]]


@lru_cache(maxsize=8)  # every frame that plays asks for the same row
def _chosen(sight: Sight, row: int) -> NDArray[np.intp]:
    """Return the keys of the smallest of one random word a key, a function of seed, row and key alone."""
    digest = hashlib.blake2b(f"{sight.seed}/mask/{row}".encode(), digest_size=16).digest()
    words = np.random.Philox(key=int.from_bytes(digest, "little")).random_raw(sight.keys)
    few = min(sight.size, sight.keys)
    return np.argpartition(words, few - 1)[:few]


def count(sight: Sight) -> int:
    """Return how many keys are seen."""
    return min(sight.size, sight.keys)


MASK = Mask(
    key="random",
    title=mark("random"),
    formula=r"j \in J,\quad |J| = k",
    source="Zaheer et al., BigBird, NeurIPS 2020, sec. 2 (random attention)",
    sentences=(
        mark("The query sees k keys that the seed chooses."),
        mark("The weights are those of a row of k keys: the spread stays and the dilution is smaller."),
    ),
    visible=visible,
    count=count,
    size_title=mark("Keys seen"),
)
