"""The derivation as a page: why √d, line by line with the numbers of the scenario."""

from attnsim.labs.lab import Lab
from attnsim.labs.walk import LAB as WALK
from attnsim.words import mark

LAB = Lab(
    key="derivation",
    title=mark("Derivation"),
    lesson=mark(
        "Why √d, line by line with the numbers of this scenario, each line beside what the simulation measures. A knob "
        "changes every line it enters, and no other."
    ),
    experiment="derivation",
    knobs=WALK.knobs,
    figures=("derivation_sum", "derivation_growth", "derivation_weights", "derivation_questions"),
    titles=(mark("Sum"), mark("Term by term"), mark("Weights"), mark("Three questions")),
    shown=("derivation_sum", "derivation_growth", "derivation_weights"),
    shares=(38, 30, 38),
    real=True,
)
