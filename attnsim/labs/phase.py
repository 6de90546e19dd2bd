"""Phase diagram: from many keys that share the weight to a few that take it."""

from attnsim.labs.lab import Control, Lab, Pick
from attnsim.labs.walk import COMPONENTS
from attnsim.words import mark

LAB = Lab(
    key="phase",
    title=mark("Phase diagram"),
    lesson=mark(
        "What the softmax does to n scores depends on their spread s alone: far below √(2 ln n) the weight is shared, "
        "beyond it a few keys take it however many there are. Divided by √d the spread is 1 at every d; undivided it "
        "passes the threshold at d = 2 ln n."
    ),
    experiment="phase",
    knobs=(
        (mark("Map"), ("plane",)),
        (mark("This scenario"), ("dim", "keys", "seed")),
        (mark("Components"), COMPONENTS),
        (mark("Correlation"), ("rho", "aligned", "r_q", "r_k")),
        (mark("Softmax"), ("mask", "mask_size", "format", "layer_number")),
        (mark("Rows drawn"), ("rows",)),
    ),
    figures=("phase_map", "phase_simulated", "phase_difference", "phase_cut"),
    titles=(
        mark("Exact map"),
        mark("Simulated map"),
        mark("Simulated minus exact"),
        mark("A cut"),
    ),
    shown=("phase_map", "phase_simulated", "phase_cut"),
    controls=(
        (
            "plane",
            Control(
                title=mark("Across"),
                name=mark("Across"),
                meaning=mark("what lies across the map: the spread of the scores, or the dimension under one rule"),
                options=(("spread", mark("spread s")), ("dimension", mark("dimension d"))),
            ),
        ),
    ),
    picks=(
        Pick(
            name="metric",
            title=mark("Show"),
            options=(
                ("sum_p2", mark("Σp²")),
                ("entropy", mark("entropy / ln n")),
                ("largest_weight", mark("largest weight")),
            ),
        ),
    ),
)
