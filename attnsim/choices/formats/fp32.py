"""Single precision."""

from attnsim.choices.formats.format import NumberFormat
from attnsim.words import mark

FORMAT = NumberFormat(
    key="fp32",
    title=mark("fp32 (single)"),
    formula=r"1 + 8 + 23\ \mathrm{bits}",
    source="IEEE 754-2008, binary32",
    sentences=(
        mark("Numbers of 24 significant bits up to 3.4 · 10³⁸."),
        mark("exp overflows beyond a score of 88.72, which a softmax that subtracts the maximum never meets."),
    ),
    digits=24,
    least_exponent=-125,
    largest=(2.0 - 2.0**-23) * 2.0**127,
)
