"""TensorFloat-32."""

from attnsim.choices.formats.format import NumberFormat
from attnsim.words import mark

FORMAT = NumberFormat(
    key="tf32",
    title=mark("tf32"),
    formula=r"1 + 8 + 10\ \mathrm{bits}",
    source="NVIDIA A100 white paper, 2020",
    sentences=(
        mark("The range of single precision with the 11 significant bits of half precision."),
        mark("Matrix products of some accelerators round their inputs to it."),
    ),
    digits=11,
    least_exponent=-125,
    largest=(2.0 - 2.0**-10) * 2.0**127,
)
