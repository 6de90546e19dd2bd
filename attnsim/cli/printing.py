"""What commands print: strict JSON for programs, aligned columns for people."""

import json
import math
import sys
from collections.abc import Iterable, Sequence
from typing import Any


def say(line: str = "") -> None:
    """Print a line to standard output."""
    sys.stdout.write(line + "\n")


def print_json(value: Any) -> None:
    """Print strict JSON: numbers in full precision, null for what is no finite number."""
    say(json.dumps(_finite(value), allow_nan=False, ensure_ascii=False, indent=2))


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(part) for key, part in value.items()}
    if hasattr(value, "tolist"):  # an array or a number of numpy
        return _finite(value.tolist())
    if isinstance(value, (list, tuple)):
        return [_finite(part) for part in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def rounded(value: float | None, digits: int = 4) -> str:
    """Return a number for people: a few significant digits, a dash for none."""
    if value is None or not math.isfinite(value):
        return "—"
    if value == 0.0:
        return "0"
    exponent = int(f"{value:.{digits - 1}e}".partition("e")[2])  # of the rounded number: 0.99999 is shown as 1.000
    places = max(0, digits - 1 - exponent)
    return f"{value:.{places}f}" if places <= 8 else f"{value:.{digits - 1}e}"


def print_columns(heads: Sequence[str], lines: Iterable[Sequence[str]], words: int = 1) -> None:
    """Print aligned columns: the first `words` of them to the left, the others, numbers, to the right."""
    rows = [list(heads), *map(list, lines)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(heads))]
    for row in rows:
        cells = [
            cell.ljust(width) if column < words else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        say("  ".join(cells).rstrip())
