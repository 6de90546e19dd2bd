"""Walk to weights: running sums, scores and softmax of one draw."""

from attnsim.labs.lab import Lab
from attnsim.words import mark

OF_THE_LAW = ("nu", "shape", "nonzero", "phi_q", "phi_k", "rank", "projections", "d_model", "initialisation")
COMPONENTS = ("law", *OF_THE_LAW, "sigma_q", "sigma_k", "mean_q", "mean_k")

LAB = Lab(
    key="walk",
    title=mark("Walk to weights"),
    lesson=mark(
        "A score adds up d random products: a random walk of d steps. The end points of the walks are the scores, "
        "and the softmax of the scores are the weights."
    ),
    experiment="walk",
    knobs=(
        (mark("Draw"), ("dim", "keys", "seed")),
        (mark("Components"), COMPONENTS),
        (mark("Correlation"), ("rho", "aligned", "r_q", "r_k")),
        (mark("Softmax"), ("mask", "mask_size", "format", "layer_number")),
        (mark("Ensemble"), ("rows",)),
    ),
    figures=("walk", "scores", "weights", "walk_distance", "walk_galton", "walk_lattice", "walk_queries"),
    shown=("walk", "scores", "weights"),
    titles=(
        mark("Walks"),
        mark("Scores"),
        mark("Weights"),
        mark("Distance"),
        mark("Galton's board"),
        mark("In the plane"),
        mark("Other queries"),
    ),
    shares=(42, 32, 32),
    real=True,
)
