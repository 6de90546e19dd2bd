"""Gradients: what the softmax lets through, over draws, and in a small training run."""

from attnsim.labs.lab import Control, Lab, Pick
from attnsim.labs.walk import COMPONENTS
from attnsim.words import mark

CONTROLS = (
    (
        "upstream",
        Control(
            title=mark("Loss"),
            name=mark("loss"),
            meaning=mark(
                "what pulls at the weights: a random direction of length 1, the weight on key 0, cross-entropy, or "
                "the same pull at every key, which the softmax ignores"
            ),
            options=(
                ("random", mark("random direction")),
                ("one_key", mark("weight on key 0")),
                ("cross_entropy", mark("cross-entropy on key 0")),
                ("cross_entropy_largest", mark("cross-entropy on the largest key")),
                ("even", mark("alike for all keys")),
            ),
        ),
    ),
    (
        "training",
        Control(
            title=mark("Training"),
            name=mark("training"),
            meaning=mark("whether the small training run is made, at one learning rate or at many"),
            options=(("rates", mark("at many learning rates")), ("run", mark("at one")), ("off", mark("off"))),
        ),
    ),
    (
        "training_loss",
        Control(
            title=mark("Trained on"),
            name=mark("training loss"),
            meaning=mark("squared error of the attention's output, or cross-entropy on the needle's weight"),
            options=(("output", mark("error of the output")), ("cross_entropy", mark("cross-entropy"))),
        ),
    ),
    (
        "optimiser",
        Control(
            title=mark("Optimiser"),
            name=mark("optimiser"),
            meaning=mark("plain gradient descent, or Adam, which takes steps of one size whatever the gradient's"),
            options=(("sgd", mark("gradient descent")), ("adam", mark("Adam"))),
        ),
    ),
    (
        "learning_rate",
        Control(
            title=mark("Learning rate"),
            name=mark("learning rate"),
            meaning=mark("by which the gradient, or Adam's step, is multiplied; the same under every rule"),
        ),
    ),
    (
        "training_steps",
        Control(title=mark("Steps"), name=mark("training steps"), meaning=mark("steps of the training run")),
    ),
    (
        "training_seeds",
        Control(
            title=mark("Runs"),
            name=mark("training runs"),
            meaning=mark("runs under each rule, each with its own first matrices and examples"),
        ),
    ),
)

LAB = Lab(
    key="gradients",
    title=mark("Gradients"),
    lesson=mark(
        "A saturated softmax lets nothing through in most rows, and much in a few: without a scale the median "
        "gradient dies while the root mean square does not, and that by the query even grows with d. So a run "
        "without a scale does learn, at small learning rates; what the scale buys is a wide range of them. All "
        "scores large together change nothing, and under cross-entropy a wrong key always pulls."
    ),
    experiment="gradients",
    knobs=(
        (mark("Draw"), ("dim", "keys", "seed")),
        (mark("Loss"), ("upstream",)),
        (
            mark("Training run"),
            ("training", "training_loss", "optimiser", "learning_rate", "training_steps", "training_seeds"),
        ),
        (mark("Components"), COMPONENTS),
        (mark("Correlation"), ("rho", "aligned", "r_q", "r_k")),
        (mark("Softmax"), ("mask", "mask_size", "format", "layer_number")),
        (mark("Ensemble"), ("rows",)),
    ),
    figures=(
        "gradients_dimension",
        "gradients_spread",
        "gradients_training",
        "gradients_rates",
        "gradients_loss",
        "gradients_row",
        "gradients_jacobian",
    ),
    titles=(
        mark("Against d"),
        mark("Over draws"),
        mark("Training run"),
        mark("Learning rates"),
        mark("Loss, scores, gradients"),
        mark("This row"),
        mark("Jacobian"),
    ),
    shown=("gradients_dimension", "gradients_spread", "gradients_training", "gradients_rates"),
    controls=CONTROLS,
    picks=(
        Pick(
            name="gradient",
            title=mark("Gradient"),
            options=(
                ("query", mark("by the query, dL/dq")),
                ("scores", mark("by the logits, dL/dx")),
                ("keys", mark("by the keys, dL/dK")),
                ("jacobian", mark("of the softmax alone, J")),
            ),
        ),
    ),
)
