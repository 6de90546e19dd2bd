"""NumPy's `.npy`: a header of text, then the values.

The header is matched against the three fields it must have and never evaluated; pickled objects are never opened.

References
----------
.. [1] NumPy enhancement proposal 1, "A simple file format for NumPy arrays".
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from attnsim.files.readers.entries import Entry, Form, ReadError, printable
from attnsim.words import _

MAGIC = b"\x93NUMPY"
LONGEST_HEADER = 65_536  # bytes; a plain array needs 128
PIECE = 2**20  # bytes read at once

_TYPE = re.compile(r"""['"]descr['"]\s*:\s*['"]([<>|=]?[?bBiufcOSUV]\d{0,9})['"]""")
_ORDER = re.compile(r"""['"]fortran_order['"]\s*:\s*(True|False)""")
_SHAPE = re.compile(r"""['"]shape['"]\s*:\s*\(((?:\s*\d{1,20}L?\s*,?)*)\s*\)""")


@dataclass(frozen=True, slots=True)
class Header:
    """What stands before the values, and how many bytes it takes."""

    form: Form
    fortran: bool
    length: int


@contextmanager
def open_npy(path: Path) -> Iterator[list[Entry]]:
    """Give the one array of a file, named by the file's stem."""
    file = printable(path.name)
    size = path.stat().st_size

    def describe() -> Form:
        with path.open("rb") as stream:
            return read_header(stream, file, size).form

    def read() -> NDArray[Any]:
        with path.open("rb") as stream:
            return read_array(stream, file, size)

    yield [Entry(file, printable(path.stem), describe, read)]


def read_header(stream: IO[bytes], label: str, size: int) -> Header:
    """Read the header and hold it against the bytes there are.

    Parameters
    ----------
    stream : binary file
        At its beginning.
    label : str
        What a sentence calls the array.
    size : int
        Bytes of the whole stream, header included.

    Raises
    ------
    ReadError
        If it is no `.npy`, or claims other than `size` bytes.
    """
    if size == 0:
        raise ReadError(_("{label} is empty, where a .npy array was wanted").format(label=label))
    start = stream.read(8)
    if start[:6] != MAGIC or len(start) < 8:
        raise ReadError(_("{label} is not a .npy array: it does not begin as one").format(label=label))
    width = 2 if start[6] == 1 else 4
    length = int.from_bytes(stream.read(width), "little")
    text = stream.read(min(length, LONGEST_HEADER)).decode("latin-1")
    kind, order, shape = (pattern.search(text) for pattern in (_TYPE, _ORDER, _SHAPE))
    if start[6] not in (1, 2, 3) or len(text) < length or not (kind and order and shape):
        raise ReadError(
            _("{label} has no readable .npy header of one plain array: a version 1 to 3 header was wanted").format(
                label=label
            )
        )
    axes = tuple(int(axis) for axis in re.findall(r"\d+", shape[1]))
    header = Header(Form(axes, _type(kind[1], label)), order[1] == "True", 8 + width + length)
    _check_size(header, label, size)
    return header


def _type(text: str, label: str) -> np.dtype[Any]:
    unknown = _("{label} holds values of the unknown type {type}").format(label=label, type=printable(text))
    try:
        dtype = np.dtype(text)
    except (TypeError, ValueError) as error:
        raise ReadError(unknown) from error
    if dtype.itemsize == 0:  # any number of such values would fit into an empty file
        raise ReadError(unknown)
    return dtype


def _check_size(header: Header, label: str, size: int) -> None:
    there = size - header.length
    if not header.form.dtype.hasobject and header.form.size != there:
        raise ReadError(
            _("{label} is cut off or damaged: the shape {shape} wants {wanted} bytes, and {there} came").format(
                label=label, shape=header.form.shape, wanted=header.form.size, there=max(there, 0)
            )
        )


def read_array(stream: IO[bytes], label: str, size: int) -> NDArray[Any]:
    """Read header and values of a stream of `size` bytes.

    Returns
    -------
    array
        Of the stored type, byte order and memory layout.

    Raises
    ------
    ReadError
        As `read_header`, and for pickled objects or values that end early.
    """
    header = read_header(stream, label, size)
    form = header.form
    if form.dtype.hasobject:
        raise ReadError(
            _("{label} holds pickled Python objects, which are never opened; numbers were wanted").format(label=label)
        )
    flat = np.zeros(form.count, form.dtype)
    if form.size:
        target = flat.view(np.uint8)
        filled = 0
        while filled < form.size:
            piece = stream.read(min(PIECE, form.size - filled))
            if not piece:
                raise ReadError(_("{label} ends before its values do").format(label=label))
            target[filled : filled + len(piece)] = np.frombuffer(piece, np.uint8)
            filled += len(piece)
    return flat.reshape(form.shape, order="F" if header.fortran else "C")
