"""Lines of `name: value`, read forgivingly."""

from typing import Any

from attnsim.words import _


def mapping(text: str, line: int) -> dict[str, Any]:
    """Return the names and values of a YAML mapping; names in lower case, with _ for -.

    Parameters
    ----------
    text : str
    line : int
        Number of its first line in the file, for messages.

    Raises
    ------
    SyntaxError
        With `msg` and `lineno`: the caller knows the file.
    """
    import yaml

    try:
        found = yaml.safe_load(text.replace("\t", "  "))
    except yaml.YAMLError as error:
        place = getattr(error, "problem_mark", None)
        at = line + (place.line if place is not None else 0)
        problem = getattr(error, "problem", None) or _("it is not made of lines such as dim: 64")
        raise _wrong(_("the settings cannot be read: {problem}").format(problem=problem), at) from None
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise _wrong(_("settings are lines such as dim: 64"), line)
    return {str(name).strip().lower().replace("-", "_"): value for name, value in found.items()}


def _wrong(sentence: str, line: int) -> SyntaxError:
    error = SyntaxError(sentence)
    error.lineno = line
    return error


def text_in(found: dict[str, Any], name: str) -> str:
    """Return a value as text, empty where it is missing."""
    value = found.get(name)
    return "" if value is None else str(value).strip()


def number_in(found: dict[str, Any], name: str, usual: float) -> float:
    """Return a number.

    Raises
    ------
    ValueError
        If it is none.
    """
    value = found.get(name, usual)
    number = as_number(value)
    if not isinstance(number, (int, float)) or isinstance(number, bool):
        raise ValueError(_("{name} must be a number, not {value}").format(name=name, value=repr(value)))
    return float(number)


def as_number(value: Any) -> Any:
    """Return a number that YAML took for text, such as 1e-3 or 65_536; anything else as it is."""
    if isinstance(value, str):
        for kind in (int, float):
            try:
                return kind(value)
            except ValueError:
                continue
    return value


def words_in(value: Any) -> tuple[str, ...]:
    """Return a list of words: a YAML list, or text with commas."""
    items = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else [value]
    return tuple(str(item).strip() for item in items if str(item).strip())
