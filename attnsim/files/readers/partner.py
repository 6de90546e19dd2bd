"""Which two files hold the queries and the keys, where a file holds one array."""

import re
from pathlib import Path

from attnsim.files.readers.arrays import split_name
from attnsim.files.readers.entries import ReadError, printable
from attnsim.words import _

OTHER = {"q": "k", "k": "q", "query": "key", "key": "query", "queries": "keys", "keys": "queries"}

_WORD = re.compile(r"[A-Za-z]+")


def in_order(first: Path, second: Path) -> tuple[Path, Path]:
    """Return two given files as queries, keys: by their names, else as they were given."""
    roles = (split_name(first.stem)[0], split_name(second.stem)[0])
    if roles[0] == roles[1] != "":
        raise ReadError(
            _("{first} and {second} both name {role}; one file of q and one of k were wanted").format(
                first=printable(first.name), second=printable(second.name), role=roles[0]
            )
        )
    return (second, first) if roles[0] == "k" or roles[1] == "q" else (first, second)


def beside(path: Path) -> tuple[Path, Path, str]:
    """Find the other file of a pair in the same folder.

    Returns
    -------
    q, k : Path
    note : str
        Which file was taken, where its name does not follow from the one given.

    Raises
    ------
    ReadError
        If the name says neither q nor k, or there is no partner.
    """
    role = split_name(path.stem)[0]
    if not role:
        raise ReadError(
            _("{file} says by its name neither q nor k; give two files, such as q.npy and k.npy").format(
                file=printable(path.name)
            )
        )
    exact = path.with_stem(_WORD.sub(_swapped, path.stem))
    plain = [path.with_stem(stem) for stem in (("k", "K", "key") if role == "q" else ("q", "Q", "query"))]
    for other in (exact, *plain):
        if other.is_file():
            note = (
                ""
                if other == exact
                else _("the partner of {file} is {other}").format(
                    file=printable(path.name), other=printable(other.name)
                )
            )
            return (path, other, note) if role == "q" else (other, path, note)
    raise ReadError(
        _("{file} has no partner: {other} was wanted beside it").format(
            file=printable(path.name), other=printable(exact.name)
        )
    )


def _swapped(word: re.Match[str]) -> str:
    """Return q for k and key for query, in the same case."""
    text = word[0]
    other = OTHER.get(text.lower(), "")
    if not other:
        return text
    return other.upper() if text.isupper() else other.capitalize() if text[0].isupper() else other
