"""Brain float."""

from attnsim.choices.formats.format import NumberFormat
from attnsim.words import mark

FORMAT = NumberFormat(
    key="bf16",
    title=mark("bf16"),
    formula=r"1 + 8 + 7\ \mathrm{bits}",
    source="Kalamkar et al., A study of bfloat16 for deep learning training, 2019",
    sentences=(
        mark("The range of single precision with 8 significant bits."),
        mark("Between 16 and 32 a score moves in steps of 1/8, so that its weight may be 6 % off."),
    ),
    digits=8,
    least_exponent=-125,
    largest=(2.0 - 2.0**-7) * 2.0**127,
)
