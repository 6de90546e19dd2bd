"""Which d? The mistakes that people make with the scale factor, told apart by their symptoms."""

from attnsim.labs.lab import Control, Lab, Pick
from attnsim.labs.walk import COMPONENTS
from attnsim.words import mark

GUESSES = (
    ("none", mark("no guess yet")),
    ("right", mark("÷ √d_head")),
    ("quartic", mark("÷ ⁴√d_head on q and on k")),
    ("one_side", mark("÷ ⁴√d_head on q alone")),
    ("missing", mark("no scale")),
    ("sqrt_d_model", mark("÷ √d_model")),
    ("sqrt_n", mark("÷ √n")),
    ("twice", mark("÷ √d_head, twice")),
)

LAB = Lab(
    key="which_d",
    title=mark("Which d?"),
    lesson=mark(
        "The d under the root is the length of the vectors that are multiplied: the head's, not the model's, not the "
        "number of keys. Seven lines of code, each behind a letter; yours is one of them. Guess which, by its symptoms."
    ),
    experiment="which_d",
    knobs=(
        (mark("Head"), ("dim", "heads", "keys", "seed")),
        (mark("Guess"), ("guess",)),
        (mark("Components"), COMPONENTS),
        (mark("Correlation"), ("rho", "aligned", "r_q", "r_k")),
        (mark("Ensemble"), ("rows",)),
    ),
    figures=("which_d_code", "which_d_symptoms", "which_d_growth", "which_d_answer", "which_d_bugs"),
    titles=(
        mark("Which line is it?"),
        mark("Symptoms"),
        mark("When d or n changes"),
        mark("Answer"),
        mark("Mistakes that were made"),
    ),
    shown=("which_d_code", "which_d_symptoms", "which_d_growth"),
    controls=(
        (
            "heads",
            Control(
                title=mark("Heads"),
                name=mark("Heads"),
                meaning=mark("heads of the layer, so that the model is heads times as wide as a head"),
            ),
        ),
        (
            "guess",
            Control(
                title=mark("Your guess"),
                name=mark("Your guess"),
                meaning=mark("which line of code you take yours for"),
                options=GUESSES,
            ),
        ),
    ),
    picks=(Pick(name="reveal", title=mark("Answer"), options=(("hidden", mark("hidden")), ("shown", mark("shown")))),),
    rules=False,
)
