"""How a field of a record declares what it may hold, once: slider, option and check all read it."""

from dataclasses import dataclass, field, fields
from typing import Any

from attnsim.words import _


@dataclass(frozen=True, slots=True)
class Knob:
    """What a numeric field may hold, both ends included; slider, option and check read it."""

    low: float
    high: float
    whole: bool = False
    logarithmic: bool = False

    def check(self, name: str, value: Any) -> None:
        """Raise ValueError, naming the field, unless `value` may stand in it."""
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        fits = number and self.low <= value <= self.high  # nan fails here too
        if not fits or (self.whole and value != int(value)):
            wanted = (
                _("{name} must be a whole number in {low}..{high}, not {value}")
                if self.whole
                else _("{name} must lie in {low}..{high}, not {value}")
            )
            raise ValueError(wanted.format(name=name, low=plain(self.low), high=plain(self.high), value=plain(value)))


def plain(value: Any) -> str:
    """Write a number without an exponent where it is short."""
    if isinstance(value, float):
        return f"{int(value)}" if value.is_integer() and abs(value) < 1e16 else f"{value:.6g}"
    return str(value) if isinstance(value, int) else repr(value)


def knob(default: float, low: float, high: float, *, whole: bool = False, logarithmic: bool = False) -> Any:
    """Declare a numeric field and its limits."""
    limits = Knob(low, high, whole, logarithmic)
    return field(default=default, metadata={"knob": limits})


def choice(default: str, *options: str) -> Any:
    """Declare a field that holds one of a few words."""
    return field(default=default, metadata={"options": options})


def check_fields(record: Any) -> None:
    """Check every declared field of a frozen record, and give numbers the type their knob has.

    Raises
    ------
    ValueError
        Names the field, its limits and the value.
    """
    for f in fields(record):
        value = getattr(record, f.name)
        if "knob" in f.metadata:
            f.metadata["knob"].check(f.name, value)
            object.__setattr__(record, f.name, int(value) if f.metadata["knob"].whole else float(value))
        elif "options" in f.metadata and value not in f.metadata["options"]:
            raise ValueError(
                _("{name} must be one of {options}, not {value}").format(
                    name=f.name, options=", ".join(f.metadata["options"]), value=repr(value)
                )
            )


def knobs_of(record: Any) -> dict[str, Knob]:
    """Return the numeric fields of a record or its class, and their limits, in order."""
    return {f.name: f.metadata["knob"] for f in fields(record) if "knob" in f.metadata}


def options_of(record: Any) -> dict[str, tuple[str, ...]]:
    """Return the fields of a record or its class that hold one word, and the words."""
    return {f.name: f.metadata["options"] for f in fields(record) if "options" in f.metadata}
