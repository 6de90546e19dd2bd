"""How numbers are written in pictures, and where ticks stand."""

import math

from attnsim.words import _, several

MINUS = "\N{MINUS SIGN}"
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def number(value: float, scale: float | None = None) -> str:
    """Write a number with about four digits.

    Parameters
    ----------
    value : float
    scale : float, optional
        A size that says how many decimals matter, such as the spread beside a mean; the value itself when left out.

    Returns
    -------
    str
        "–" for nan; with a minus sign, not a hyphen.
    """
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return ("" if value > 0 else MINUS) + "∞"
    size = abs(value if scale is None or not scale > 0.0 or math.isinf(scale) else scale)
    if size and not 1e-3 <= size < 1e7:
        return _scientific(value)
    decimals = 3 if size < 10 else 2 if size < 100 else 1 if size < 1000 else 0
    if 0.0 < size < 0.1:
        decimals = min(6, 1 - math.floor(math.log10(size)) + 1)
    return _signs(f"{value:,.{decimals}f}")


def with_last_digits(value: float, reach: float) -> str:
    """Write a number with what its last digits may be off in brackets: 0.842(9) for 0.842 ± 0.009, 15.96(13)."""
    if not (math.isfinite(value) and math.isfinite(reach) and reach > 0.0):
        return number(value)
    power = math.floor(math.log10(reach))
    leading = reach / 10.0**power
    places = -power + (1 if leading < 1.95 else 0)  # a leading 1 alone would be coarse
    if places < 0 or places > 9:
        return f"{number(value)} ± {number(reach)}"
    return _signs(f"{value:,.{places}f}({reach * 10.0**places:.0f})")


def signed(value: float, decimals: int = 1) -> str:
    """Write a difference with its sign."""
    return _signs(f"{value:+,.{decimals}f}")


def count(value: int) -> str:
    """Write a whole number with separated thousands."""
    return f"{value:,}"


def some_keys(amount: int) -> str:
    """Write "1 key" or "32 keys"."""
    return several("{count} key", "{count} keys", amount).format(count=count(amount))


def share_text(share: float) -> str:
    """Write a weight, 0..1, with three decimals, or two digits where these would say 0."""
    if share >= 0.001 or share == 0.0:
        return f"{share:.3f}"
    return _scientific(float(f"{share:.1e}"))


def entropy_text(nats: float, bits: bool) -> str:
    """Write an entropy given in nats, in the unit asked for."""
    if bits:
        return _("{value} bits").format(value=f"{abs(nats) / math.log(2.0):.2f}")
    return _("{value} nats").format(value=f"{abs(nats):.2f}")


def ticks(low: float, high: float, most: int = 5) -> tuple[tuple[float, str], ...]:
    """Return at most about `most` ticks at round numbers within a range."""
    span = high - low
    if not (span > 0.0 and math.isfinite(span)):
        return ()
    rough = span / most
    power = 10.0 ** math.floor(math.log10(rough))
    step = power * next(m for m in (1.0, 2.0, 5.0, 10.0) if m * power >= rough * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    places = max(0, -math.floor(math.log10(step) + 1e-9))
    largest = max(abs(first), abs(last)) * step
    if largest >= 1e6 or places > 4:
        return tuple((i * step, _scientific(i * step)) for i in range(first, last + 1))
    return tuple((i * step, _signs(f"{i * step:,.{places}f}") if i else "0") for i in range(first, last + 1))


def log_ticks(low: float, high: float, most: int = 6) -> tuple[tuple[float, str], ...]:
    """Return at most about `most` ticks of a logarithmic axis: powers of ten, or 1, 2 and 5 times them."""
    decades = math.log10(high / low)
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    steps = (1,) if decades > 0.45 * most else (1, 2, 5)
    every = max(1, math.ceil(decades / most))
    places = [m * 10.0**power for power in range(first, last + 1) if power % every == 0 for m in steps]
    return tuple((at, _power_of_ten(at)) for at in places if low * 0.999 <= at <= high * 1.001)


def dim_ticks(low: float, high: float, most: int = 7) -> tuple[tuple[float, str], ...]:
    """Return ticks of a logarithmic axis of dimensions or of keys: powers of 2, of 4, ..."""
    first, last = math.ceil(math.log2(low) - 1e-9), math.floor(math.log2(high) + 1e-9)
    every = max(1, math.ceil((last - first + 1) / most))
    return tuple((2.0**power, count(2**power)) for power in range(max(0, first), last + 1) if power % every == 0)


def step_ticks(dim: int) -> tuple[tuple[float, str], ...]:
    """Return ticks of the dimension: quarters of a power of two, else round numbers."""
    if dim < 8:
        every = 1 if dim <= 4 else 2
        return tuple((float(i), str(i)) for i in range(0, dim + 1, every))
    if dim & (dim - 1) == 0:
        return tuple((dim * i / 4, count(dim * i // 4)) for i in range(5))
    return ticks(0.0, float(dim), 5)


def _power_of_ten(value: float) -> str:
    if 1e-3 <= value < 1e5:
        return f"{value:,.{max(0, -math.floor(math.log10(value) + 1e-9))}f}"
    power, digit = math.floor(math.log10(value) + 1e-9), ""
    if round(value / 10.0**power) != 1:
        digit = f"{value / 10.0**power:.0f}·"
    return f"{digit}10{str(power).translate(_SUPERSCRIPT)}"


def _scientific(value: float) -> str:
    if value == 0.0:
        return "0"
    mantissa, _e, exponent = f"{value:.3g}".partition("e") if "e" in f"{value:.3g}" else f"{value:.2e}".partition("e")
    digits = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
    return _signs(f"{digits}·10") + str(int(exponent)).translate(_SUPERSCRIPT)


def _signs(text: str) -> str:
    if text.lstrip("+-").strip("0.,") == "" and text[:1] == "-":
        text = text[1:]  # no "-0.00"
    return text.replace("-", MINUS)
