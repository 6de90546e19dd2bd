"""What a user typed, in an option or a link."""


def listed(text: str) -> list[str]:
    """Return the parts of a list with commas; those within parentheses, as in custom:max(d,n), part nothing."""
    parts, depth = [""], 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts if part.strip()]


def number(text: str) -> float | str:
    """Return a number, whole where it is written so; text that is none stays text, to be refused by its field."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
