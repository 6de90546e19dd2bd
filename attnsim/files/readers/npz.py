"""NumPy's `.npz`: a zip archive of `.npy` members, read member by member and never unpacked to disk."""

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from numpy.typing import NDArray

from attnsim.files.readers.entries import Entry, Form, ReadError, printable
from attnsim.files.readers.npy import read_array, read_header
from attnsim.words import _

MOST_MEMBERS = 65_536
HARMLESS = 16 * 2**20  # bytes unpacked, below which any ratio is let through
MOST_RATIO = 200  # unpacked to packed; real q and k reach 2, and deflate can do 1032 on zeros


@contextmanager
def open_npz(path: Path) -> Iterator[list[Entry]]:
    """Give the arrays of an archive, named without the `.npy` of their members."""
    file = printable(path.name)
    try:
        archive = zipfile.ZipFile(path)
    except OSError:
        raise
    except Exception as error:  # zipfile lets struct, index and decoding errors of damaged directories through
        raise ReadError(
            _("{file} is not a readable .npz archive: a zip of .npy arrays was wanted").format(file=file)
        ) from error
    with archive:
        members = [member for member in archive.infolist() if member.filename.endswith(".npy")]
        if not 1 <= len(members) <= MOST_MEMBERS:
            raise ReadError(
                _("{file} must hold 1..{most} .npy arrays, and holds {count}").format(
                    file=file, most=MOST_MEMBERS, count=len(members)
                )
            )
        yield [_entry(archive, member, file) for member in members]


def _entry(archive: zipfile.ZipFile, member: zipfile.ZipInfo, file: str) -> Entry:
    name = member.filename.removesuffix(".npy")
    label = f"{file}: {printable(name)}"

    def describe() -> Form:
        with _unpack(archive, member, label) as stream:
            return read_header(stream, label, member.file_size).form

    def read() -> NDArray[Any]:
        with _unpack(archive, member, label) as stream:
            return read_array(stream, label, member.file_size)

    return Entry(file, name, describe, read)


@contextmanager
def _unpack(archive: zipfile.ZipFile, member: zipfile.ZipInfo, label: str) -> Iterator[IO[bytes]]:
    if member.flag_bits & 1:
        raise ReadError(_("{label} is encrypted; an open .npz was wanted").format(label=label))
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ReadError(_("{label} is packed in a way that NumPy does not write").format(label=label))
    if member.file_size > HARMLESS and member.file_size > MOST_RATIO * member.compress_size:
        raise ReadError(
            _("{label} unpacks {packed} bytes to {size}: at most {most} times as many are read").format(
                label=label, packed=member.compress_size, size=member.file_size, most=MOST_RATIO
            )
        )
    try:
        with archive.open(member) as stream:
            yield stream
    except (ReadError, OSError, MemoryError):
        raise
    except Exception as error:  # a bad checksum, a damaged stream or local header
        raise ReadError(_("{label} is damaged: the archive cannot be unpacked there").format(label=label)) from error
