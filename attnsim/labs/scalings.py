"""Scaling rules side by side: any of them, and one typed by the user, on the same draw."""

from attnsim.labs.lab import Control, Lab, Pick
from attnsim.labs.walk import COMPONENTS
from attnsim.words import mark

LAB = Lab(
    key="scalings",
    title=mark("Scaling rules side by side"),
    lesson=mark(
        "A rule that keeps the spread of the scores keeps the softmax alike at every d. It does not keep it alike at "
        "every n: the largest weight of a row means nothing without the number of its keys."
    ),
    experiment="scalings",
    knobs=(
        (mark("Draw"), ("dim", "keys", "seed")),
        (mark("Components"), COMPONENTS),
        (mark("Correlation"), ("rho", "aligned", "r_q", "r_k")),
        (mark("Softmax"), ("mask", "mask_size", "format", "layer_number")),
        (mark("Curves and tables"), ("up_to_dim", "up_to_keys", "seed_keys", "rows")),
    ),
    controls=(
        (
            "up_to_dim",
            Control(
                title=mark("Curves up to <i>d</i>"),
                name=mark("last dimension of the curves"),
                meaning=mark("last dimension of the curves over d"),
            ),
        ),
        (
            "up_to_keys",
            Control(
                title=mark("Curves up to <i>n</i>"),
                name=mark("last number of keys of the curves"),
                meaning=mark("last number of keys of the curves over n"),
            ),
        ),
        (
            "seed_keys",
            Control(
                title=mark("<i>n</i> of the printed table"),
                name=mark("keys of the printed table"),
                meaning=mark("keys of a row in the comparison with the printed table, which names none"),
            ),
        ),
    ),
    figures=("scalings_weights", "scalings_dimension", "scalings_keys", "scalings_table", "scalings_seed"),
    titles=(
        mark("Softmax weights"),
        mark("Against the dimension"),
        mark("Against the number of keys"),
        mark("Table over d"),
        mark("A printed table, checked"),
    ),
    shown=("scalings_weights", "scalings_dimension", "scalings_keys"),
    picks=(
        Pick(
            name="largest",
            title=mark("Largest weight"),
            options=(("mean", mark("mean over rows")), ("median", mark("median over rows"))),
        ),
    ),
)
