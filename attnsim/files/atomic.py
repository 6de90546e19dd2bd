"""A file that is there whole or not at all."""

import contextlib
import os
import tempfile
from pathlib import Path

from attnsim.words import _

READABLE = 0o666  # before the user's mask


def put(target: Path, content: bytes) -> None:
    """Put content in place in one step: a full disk, or an end in the middle, leaves the old file as it was.

    Parameters
    ----------
    target : Path
    content : bytes

    Raises
    ------
    ValueError
        One sentence with the file's name, never a path. Nothing half-written stays.
    """
    check(target)
    target = Path(os.path.realpath(target))  # a link stays a link
    part = None
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name[:40]}.", suffix=".part", dir=target.parent)
        part = Path(name)
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        part.chmod(_mode(target))
        os.replace(part, target)
    except OSError as error:
        if part is not None:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
        raise ValueError(
            _("{name} cannot be written: {reason}").format(name=target.name, reason=error.strerror or str(error))
        ) from error


def check(target: Path) -> None:
    """Raise ValueError where no file can be put, before the work for it is done."""
    if not target.parent.is_dir():
        raise ValueError(
            _("{name} cannot be written: its folder {folder} does not exist").format(
                name=target.name, folder=repr(target.parent.name)
            )
        )
    if target.is_dir():
        raise ValueError(_("{name} cannot be written: it is a folder").format(name=target.name))
    if target.exists() and not target.is_file():
        raise ValueError(_("{name} cannot be written: it is no regular file").format(name=target.name))


def _mode(target: Path) -> int:
    """Return the permissions of the old file, or those of a new one."""
    with contextlib.suppress(OSError):
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return READABLE & ~mask
