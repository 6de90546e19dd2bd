"""Eight bits with five for the exponent."""

from attnsim.choices.formats.format import NumberFormat
from attnsim.words import mark

FORMAT = NumberFormat(
    key="fp8_e5m2",
    title=mark("fp8 e5m2"),
    formula=r"1 + 5 + 2\ \mathrm{bits}",
    source="Micikevicius et al., FP8 formats for deep learning, 2022, table 1",
    sentences=(
        mark("Numbers of 3 significant bits up to 57,344."),
        mark("A sum of exponentials stagnates as soon as a term is an eighth of it."),
    ),
    digits=3,
    least_exponent=-13,
    largest=57344.0,
)
