"""Masks and sparsity: what is left, and what the scale should be then."""

from attnsim.labs.lab import Lab
from attnsim.labs.walk import COMPONENTS
from attnsim.words import mark

LAB = Lab(
    key="masks",
    title=mark("Masks and sparsity"),
    lesson=mark(
        "The spread of a score depends on d and not on n: a mask that does not read the scores needs no other scale. "
        "Keeping the largest scores leaves an upper tail of small spread, and their weights become nearly alike."
    ),
    experiment="masks",
    knobs=(
        (mark("Mask"), ("mask_size", "keys", "dim", "seed")),
        (mark("Components"), COMPONENTS),
        (mark("Correlation"), ("rho", "aligned", "r_q", "r_k")),
        (mark("Softmax"), ("format",)),
        (mark("Ensemble"), ("rows",)),
    ),
    figures=("masks_pattern", "masks_weights", "masks_spread", "masks_top", "masks_position", "masks_empty"),
    titles=(
        mark("Patterns"),
        mark("Weights"),
        mark("Spread"),
        mark("Top k"),
        mark("Along the sequence"),
        mark("A row that sees nothing"),
    ),
)
