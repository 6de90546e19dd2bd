"""Half precision."""

from attnsim.choices.formats.format import NumberFormat
from attnsim.words import mark

FORMAT = NumberFormat(
    key="fp16",
    title=mark("fp16 (half)"),
    formula=r"1 + 5 + 10\ \mathrm{bits}",
    source="IEEE 754-2008, binary16",
    sentences=(
        mark("Numbers of 11 significant bits up to 65,504."),
        mark("exp overflows beyond a score of 11.09, and an unscaled score itself may at a large d."),
    ),
    digits=11,
    least_exponent=-13,
    largest=65504.0,
)
