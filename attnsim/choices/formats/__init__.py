"""Number formats. Adding one is a file beside this one and a line in `FORMATS`."""

from attnsim.choices.formats import bf16, fp8_e4m3, fp8_e5m2, fp16, fp32, fp64, tf32
from attnsim.choices.formats.format import NumberFormat

__all__ = ["FORMATS", "NumberFormat"]

FORMATS: dict[str, NumberFormat] = {
    number_format.key: number_format
    for number_format in (
        fp64.FORMAT,
        fp32.FORMAT,
        tf32.FORMAT,
        bf16.FORMAT,
        fp16.FORMAT,
        fp8_e4m3.FORMAT,
        fp8_e5m2.FORMAT,
    )
}
