"""Double precision."""

from attnsim.choices.formats.format import NumberFormat
from attnsim.words import mark

FORMAT = NumberFormat(
    key="fp64",
    title=mark("fp64 (double)"),
    formula=r"1 + 11 + 52\ \mathrm{bits}",
    source="IEEE 754-2008, binary64",
    sentences=(
        mark("Numbers of 53 significant bits up to 1.8 · 10³⁰⁸."),
        mark("What the program counts in: exp overflows beyond a score of 709.78."),
    ),
    digits=53,
    least_exponent=-1021,
    largest=(2.0 - 2.0**-52) * 2.0**1023,
)
