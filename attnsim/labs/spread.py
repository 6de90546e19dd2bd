"""Score spread: the law of the score, and how its spread grows with the dimension."""

from attnsim.labs.lab import Control, Lab, Pick
from attnsim.labs.walk import COMPONENTS
from attnsim.words import mark

LAB = Lab(
    key="spread",
    title=mark("Score spread"),
    lesson=mark(
        "The spread of q·k grows like √d when components are independent, when each leans on its partner in the other "
        "vector, and when a mean shifts them. It grows like d only where components within both vectors lean on common "
        "factors. And the softmax sees the spread within a row alone, which is another number."
    ),
    experiment="spread",
    knobs=(
        (mark("Draw"), ("dim", "keys", "seed")),
        (mark("Components"), COMPONENTS),
        (mark("Correlation"), ("rho", "aligned", "r_q", "r_k")),
        (mark("Cases beside it"), ("case_rho", "case_r", "case_mean", "largest_dim")),
        (mark("Ensemble"), ("rows",)),
    ),
    controls=(
        (
            "case_rho",
            Control(
                title=mark("ρ of its case"),
                name=mark("rho of its case"),
                meaning=mark("correlation of q_i and k_i in the case of correlation, where the scenario has none"),
            ),
        ),
        (
            "case_r",
            Control(
                title=mark("r of its case"),
                name=mark("r of its case"),
                meaning=mark("r_q = r_k in the case of common factors, where the scenario does not set both"),
            ),
        ),
        (
            "case_mean",
            Control(
                title=mark("μ of its case"),
                name=mark("mean of its case"),
                meaning=mark("mean of the components of q and k in the case of means, where the scenario has none"),
            ),
        ),
        (
            "largest_dim",
            Control(
                title=mark("Curves up to <i>d</i>"),
                name=mark("largest dimension of the curves"),
                meaning=mark("how far the curves over d go"),
            ),
        ),
    ),
    figures=("spread_density", "spread_qq", "spread_growth", "spread_pooled"),
    titles=(
        mark("Law of the score"),
        mark("Quantiles of the score"),
        mark("Spread against d"),
        mark("All pairs and within a row"),
    ),
    picks=(
        Pick(
            name="spread",
            title=mark("Spread against d"),
            options=(("pooled", mark("over all pairs")), ("within", mark("within a row"))),
        ),
    ),
    rules=False,
)
