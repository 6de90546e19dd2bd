"""Planted key: when can attention find the one correlated key?"""

from attnsim.labs.lab import Lab, Pick
from attnsim.labs.walk import COMPONENTS
from attnsim.words import mark

LAB = Lab(
    key="planted",
    title=mark("Planted key"),
    lesson=mark(
        "One key is correlated with the query. Its score leads by ρ d; the others are noise √d wide, n of them. "
        "Some scale finds it while n < exp(ρ²d/2), and ÷ √d only while n < exp(ρ√d − ½)."
    ),
    experiment="planted",
    knobs=(
        (mark("Planted key"), ("rho", "dim", "keys", "seed")),
        (mark("Components"), COMPONENTS),
        (mark("Correlation"), ("r_q", "r_k")),
        (mark("Ensemble"), ("rows",)),
    ),
    figures=("planted_dimension", "planted_keys", "planted_rho", "planted_scale", "planted_map"),
    titles=(mark("Against d"), mark("Against n"), mark("Against ρ"), mark("Any scale"), mark("Map")),
    picks=(
        Pick(
            name="planted_against", title=mark("Map over"), options=(("dim", mark("d and n")), ("rho", mark("ρ and n")))
        ),
        Pick(
            name="planted_value",
            title=mark("Map shows"),
            options=(("weight", mark("weight")), ("found", mark("chance of the largest score"))),
        ),
    ),
    usual=(
        ("rho", 0.5),
        ("dim", 64),
        ("keys", 512),
        ("aligned", "one"),
        ("scalings", ("inverse_sqrt", "inverse_d", "log_n", "optimal")),
    ),
)
