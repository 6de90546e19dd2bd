"""JSON that may have been cut off: what stands before the damage."""

import json
from collections import deque
from typing import Any

DEEPEST = 50  # brackets within each other; a state has four
LONGEST = 4 * 2**20  # characters


def read(text: str) -> tuple[Any, bool]:
    """Read JSON, or the longest beginning of it that can be closed.

    Parameters
    ----------
    text : str

    Returns
    -------
    value
        None where nothing can be read.
    bool
        Whether the text was whole.
    """
    if len(text) > LONGEST:
        return None, False
    try:
        return json.loads(text), True
    except (ValueError, RecursionError):
        pass
    for end, closing in reversed(_endings(text)):
        try:
            return json.loads(text[:end] + closing), False
        except (ValueError, RecursionError):
            continue
    return None, False


def _endings(text: str, most: int = 200) -> list[tuple[int, str]]:
    """Return where a value ends, with the brackets open there; the last `most` of them."""
    open_brackets: list[str] = []
    found: deque[tuple[int, str]] = deque(maxlen=most)
    quoted = escaped = False
    for place, sign in enumerate(text):
        if quoted:
            quoted, escaped = escaped or sign != '"', sign == "\\" and not escaped
        elif sign == '"':
            quoted = True
        elif sign in "{[":
            if len(open_brackets) == DEEPEST:
                break
            open_brackets.append("}" if sign == "{" else "]")
            found.append((place + 1, "".join(reversed(open_brackets))))
        elif sign in "}]":
            if not open_brackets or open_brackets.pop() != sign:
                break
            found.append((place + 1, "".join(reversed(open_brackets))))
        elif sign == ",":
            found.append((place, "".join(reversed(open_brackets))))
    return list(found)
