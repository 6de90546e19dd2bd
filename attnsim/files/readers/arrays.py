"""Which arrays of a file are queries and keys, and which belong together; the container does not matter here."""

import re
from dataclasses import dataclass

from attnsim.files.readers.entries import Entry, ReadError, listed, printable
from attnsim.words import _

ROLES = {"q": "q", "query": "q", "queries": "q", "k": "k", "key": "k", "keys": "k"}
WEIGHTS = {"weight", "bias", "kernel"}  # parameters of the projections, not vectors

_PART = re.compile(r"[A-Za-z]+")
_EDGE = " ._-:/\\"


@dataclass(frozen=True, slots=True)
class Pair:
    """Queries and keys of one layer, not read yet."""

    name: str
    q: Entry
    k: Entry


def split_name(name: str) -> tuple[str, str]:
    """Divide the name of an array into what it is and where it belongs.

    Returns
    -------
    role : str
        "q", "k", or "" when the name says neither or both.
    place : str
        The rest of the name, such as "enc-self.layer0" of "enc-self.layer0.q"; may be empty.
    """
    words = list(_PART.finditer(name))
    hits = [word for word in words if word[0].lower() in ROLES]
    roles = {ROLES[word[0].lower()] for word in hits}
    if len(roles) != 1 or any(word[0].lower() in WEIGHTS for word in words):
        return "", name
    hit = hits[-1]
    return roles.pop(), f"{name[: hit.start()]}{name[hit.end() :].lstrip(_EDGE)}".strip(_EDGE)


def natural(text: str) -> tuple[tuple[int, int, str], ...]:
    """Return a sorting key that puts layer10 after layer9."""
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in re.findall(r"\d{1,18}|\D+", text))


def pairs_of(entries: list[Entry], file: str) -> tuple[list[Pair], str]:
    """Group named arrays into layers.

    Returns
    -------
    pairs : list of Pair
        In natural order of their names.
    note : str
        Which queries or keys had no partner, or empty.

    Raises
    ------
    ReadError
        If there is no pair, or two arrays claim one place.
    """
    found: dict[str, dict[str, Entry]] = {}
    for entry in entries:
        role, place = split_name(entry.name)
        if role and found.setdefault(place, {}).setdefault(role, entry) is not entry:
            raise ReadError(
                _("{file} holds two arrays for one place: {first} and {second}").format(
                    file=file, first=printable(found[place][role].name), second=printable(entry.name)
                )
            )
    places = sorted(found, key=natural)
    pairs = [
        Pair(printable(place) or _("layer 0"), found[place]["q"], found[place]["k"])
        for place in places
        if len(found[place]) == 2
    ]
    lonely = [entry.name for place in places if len(found[place]) == 1 for entry in found[place].values()]
    if not pairs:
        raise ReadError(_why_none(entries, lonely, file))
    note = _("left out for want of a partner: {names}").format(names=listed(lonely)) if lonely else ""
    return pairs, note


def _why_none(entries: list[Entry], lonely: list[str], file: str) -> str:
    """Say what a file without a pair holds instead."""
    names = [entry.name for entry in entries]
    if any(word.lower() in WEIGHTS for name in names for word in _PART.findall(name)):
        return _("{file} holds weights ({names}); the vectors q and k of a forward pass were wanted").format(
            file=file, names=listed(names)
        )
    if lonely:
        role = split_name(lonely[0])[0]
        missing = _("no keys (k)") if role == "q" else _("no queries (q)")
        return _("{file} holds {names} but {missing} of the same name; both are wanted").format(
            file=file, names=listed(lonely), missing=missing
        )
    scores = looks_like_scores(entries[0].label, entries[0].describe().shape) if len(entries) == 1 else ""
    return scores or _("{file} holds no arrays named q and k (or query and key), but {names}").format(
        file=file, names=listed(names)
    )


def looks_like_scores(label: str, shape: tuple[int, ...]) -> str:
    """Return the sentence for a lone square array, or empty when it is not square."""
    if len(shape) < 2 or shape[-1] != shape[-2]:
        return ""
    return _("{label} is one square array of shape {shape}, which looks like scores; q and k were wanted").format(
        label=label, shape=shape
    )
