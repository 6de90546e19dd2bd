"""Eight bits with four for the exponent."""

import math

from attnsim.choices.formats.format import NumberFormat
from attnsim.words import mark

FORMAT = NumberFormat(
    key="fp8_e4m3",
    title=mark("fp8 e4m3"),
    formula=r"1 + 4 + 3\ \mathrm{bits}",
    source="Micikevicius et al., FP8 formats for deep learning, 2022, table 1",
    sentences=(
        mark("Numbers of 4 significant bits up to 448, without infinities."),
        mark("What is larger becomes nan, and one nan takes the whole row with it."),
    ),
    digits=4,
    least_exponent=-5,
    largest=448.0,
    overflow=math.nan,
)
