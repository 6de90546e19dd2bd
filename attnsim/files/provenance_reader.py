"""What an exported file says of where its figures come from: read back from every format, whatever its name."""

import io
import json
import mmap
import re
import struct
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

from attnsim.words import _

Entries = dict[str, str]
Content = mmap.mmap

PREFIX = "attnsim:"
LONGEST = 4 * 2**20  # characters of one entry
COMMENT_LINES = 100  # of a table that are looked at


def entries(path: Path) -> Entries:
    """Return what a file written by attnsim says of itself.

    Parameters
    ----------
    path : Path
        A picture, film or data file; the content decides what it is, not its name.

    Returns
    -------
    dict of str to str
        By their names, `attnsim:state` and others; empty where the file says nothing.

    Raises
    ------
    ValueError
        If there is no such file.
    """
    try:
        if path.exists() and not path.is_file():
            raise ValueError(_("{file} is no regular file").format(file=path.name))
        with path.open("rb") as stream:
            if not stream.read(1):
                return {}
            with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as content:
                return _known(_reader(content)(content))
    except OSError as error:
        raise ValueError(
            _("{file} cannot be opened: {reason}").format(file=path.name, reason=error.strerror or str(error))
        ) from error
    except (struct.error, zlib.error, ElementTree.ParseError, IndexError, KeyError, EOFError):
        return {}  # a damaged file says nothing


def _known(found: Entries) -> Entries:
    return {name: text for name, text in found.items() if name.startswith(PREFIX) and len(text) <= LONGEST}


def _reader(content: Content) -> Callable[[Content], Entries]:
    head = bytes(content[:16])
    for start, reader in _READERS.items():
        if head.startswith(start):
            return reader
    if head[4:8] == b"ftyp":
        return _film
    return _text


def _png(content: Content) -> Entries:
    found: Entries = {}
    place = 8
    while place + 8 <= len(content):
        size, kind = struct.unpack(">I4s", content[place : place + 8])
        if kind in (b"tEXt", b"iTXt", b"zTXt") and size <= LONGEST:
            name, text = _png_text(kind, content[place + 8 : place + 8 + size])
            found[name] = text
        place += size + 12
    return found


def _png_text(kind: bytes, chunk: bytes) -> tuple[str, str]:
    name, _zero, rest = chunk.partition(b"\0")
    if kind == b"tEXt":
        return name.decode("latin-1"), rest.decode("latin-1")
    if kind == b"zTXt":
        return name.decode("latin-1"), _inflated(rest[1:]).decode("latin-1")
    packed, rest = rest[0], rest[2:].split(b"\0", 2)[2]  # behind flags, language and translated name
    return name.decode("latin-1"), (_inflated(rest) if packed else rest).decode("utf-8", errors="replace")


def _inflated(packed: bytes) -> bytes:
    return zlib.decompressobj().decompress(packed, LONGEST)


def _pdf(content: Content) -> Entries:
    """Read the entries of the document information; a later one is that of a later revision."""
    found: Entries = {}
    for match in re.finditer(rb"/(attnsim:\w+)\s*(?=[(<])", content):
        text = _pdf_string(content, match.end())
        found[match[1].decode("ascii")] = (
            text[2:].decode("utf-16-be", errors="replace") if text.startswith(b"\xfe\xff") else text.decode("latin-1")
        )
    return found


_ESCAPED = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}


def _pdf_string(content: Content, place: int) -> bytes:
    """Return the string, in parentheses or in hexadecimal, that begins at a place."""
    if content[place : place + 1] == b"<":
        end = content.find(b">", place, place + 4 * LONGEST)
        return bytes.fromhex(content[place + 1 : end].decode("ascii"))
    parts, depth = [], 0
    for match in re.finditer(rb"\\(\d{1,3}|.|\r\n?)|([()])|[^\\()]+", content[place : place + 3 * LONGEST], re.S):
        escape, bracket = match[1], match[2]
        if escape is not None:
            octal = escape.isdigit()
            parts.append(bytes([int(escape, 8) & 255]) if octal else _ESCAPED.get(escape, escape.strip(b"\r\n")))
            continue
        depth += {b"(": 1, b")": -1}.get(bracket, 0)
        if bracket and depth == 0:
            break
        if not (bracket == b"(" and depth == 1):
            parts.append(match[0])
    return b"".join(parts)


def _gif(content: Content) -> Entries:
    flags = content[10]
    place = 13 + (3 << ((flags & 7) + 1) if flags & 128 else 0)
    while content[place] == 0x21:  # extensions, before the first picture
        kind, place, parts = content[place + 1], place + 2, []
        while size := content[place]:
            parts.append(content[place + 1 : place + 1 + size])
            place += size + 1
        place += 1
        if kind == 0xFE and (found := _embedded(b"".join(parts))):
            return found
    return {}


def _webp(content: Content) -> Entries:
    place = 12
    while place + 8 <= len(content):
        kind, size = struct.unpack("<4sI", content[place : place + 8])
        if kind == b"XMP ":
            return _xml(io.BytesIO(content[place + 8 : place + 8 + size]))
        place += 8 + size + size % 2
    return {}


def _film(content: Content) -> Entries:
    """Find the comment of a film, which is the one JSON object whose first name is ours."""
    place = content.find(b'{"attnsim:')
    return {} if place < 0 else _embedded(content[place : place + LONGEST])


def _embedded(content: bytes) -> Entries:
    try:
        found, _end = json.JSONDecoder().raw_decode(content.decode("utf-8", errors="replace"))
    except (ValueError, RecursionError):
        return {}
    return {str(name): str(text) for name, text in found.items()} if isinstance(found, dict) else {}


def _npz(content: Content) -> Entries:
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            return _embedded(str(arrays["attnsim"]).encode()) if "attnsim" in arrays.files else {}
    except Exception:  # zipfile lets struct, index and decoding errors of damaged directories through
        return {}


def _text(content: Content) -> Entries:
    head = bytes(content[:64]).removeprefix(b"\xef\xbb\xbf").lstrip()
    if head.startswith(b"<"):
        return _xml(io.BytesIO(content))
    if head.startswith(b"#"):
        return dict(_comments(content))
    if head.startswith(b"{"):
        return _json(content)
    return {}


def _xml(stream: io.BytesIO) -> Entries:
    """Read the elements of our namespace; they stand before the drawing, which may be large."""
    found: Entries = {}
    for _event, element in ElementTree.iterparse(stream):
        space, _brace, name = element.tag.rpartition("}")
        if space == "{urn:attnsim":
            found[PREFIX + name] = element.text or ""
        elif name == "metadata":
            break
    return found


def _comments(content: Content) -> Iterator[tuple[str, str]]:
    content.seek(0)
    for _number in range(COMMENT_LINES):
        line = content.readline()
        if not line.startswith(b"#"):
            return
        name, _space, text = line[1:].decode("utf-8", errors="replace").strip().partition(" ")
        if name.startswith(PREFIX):
            yield name, text


def _json(content: Content) -> Entries:
    """Read a file of data, whose first object says where it comes from; or a session, which is a state itself."""
    text = content[:LONGEST].decode("utf-8-sig", errors="replace")
    begin = re.match(r'\s*\{\s*"attnsim"\s*:\s*(?=\{)', text)
    if begin is None:
        return {PREFIX + "state": text}
    try:
        said: dict[str, Any] = json.JSONDecoder().raw_decode(text, begin.end())[0]
    except (ValueError, RecursionError):
        return {}
    return {
        PREFIX + name: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for name, value in said.items()
    }


_READERS: dict[bytes, Callable[[Content], Entries]] = {
    b"\x89PNG\r\n\x1a\n": _png,
    b"%PDF": _pdf,
    b"GIF8": _gif,
    b"RIFF": _webp,
    b"PK\x03\x04": _npz,
    b"\x1a\x45\xdf\xa3": _film,
}
