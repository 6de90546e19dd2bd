"""Number formats: what overflows, what is rounded, and what scaling has to do with it."""

from attnsim.labs.lab import Control, Lab, Pick
from attnsim.labs.walk import COMPONENTS
from attnsim.words import mark

LAB = Lab(
    key="formats",
    title=mark("Number formats"),
    lesson=mark(
        "exp overflows only in a softmax that does not subtract the maximum; q·k itself can, in any. What is left of "
        "the numerical argument for scaling is rounding: a score of twice the size is rounded twice as coarsely, and "
        "the weight with it."
    ),
    experiment="formats",
    knobs=(
        (mark("Draw"), ("dim", "keys", "seed")),
        (mark("Claim"), ("claim_score",)),
        (mark("Components"), COMPONENTS),
        (mark("Correlation"), ("rho", "aligned", "r_q", "r_k")),
        (mark("Rows drawn"), ("rows",)),
    ),
    figures=("formats_exp", "formats_dot", "formats_rounding", "formats_order", "formats_claim", "formats_table"),
    titles=(
        mark("Where exp overflows"),
        mark("Where q·k overflows"),
        mark("What rounding costs"),
        mark("The order of adding up"),
        mark("“exp(100) overflows”"),
        mark("All formats"),
    ),
    controls=(
        (
            "claim_score",
            Control(
                title=mark("Claimed score"),
                name=mark("Claimed score"),
                meaning=mark("the score that is said to be reached easily and to overflow exp"),
            ),
        ),
    ),
    picks=(
        Pick(
            name="format",
            title=mark("Format"),
            options=(
                ("fp16", "fp16"),
                ("bf16", "bf16"),
                ("tf32", "tf32"),
                ("fp32", "fp32"),
                ("fp64", "fp64"),
                ("fp8_e5m2", "fp8 e5m2"),
                ("fp8_e4m3", "fp8 e4m3"),
            ),
        ),
    ),
)
