"""Compiled loops on disk: whatever is wrong with what lies there, the loop is compiled anew."""

import contextlib
import hashlib
import os
import pickle
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from attnsim.kernels.cache_folder import shipped_folder

# what a checked but foreign file may raise while it is read back
UNREADABLE = (pickle.UnpicklingError, ValueError, TypeError, AttributeError, ImportError, LookupError, EOFError)
ANY_PROCESSOR = ("generic", "")  # name and features of the code an installer brings along
DIGEST_BYTES = 32


class Counts:
    """How many loops of this process came from disk, and how many were compiled.

    Attributes
    ----------
    loaded, bridged, compiled : int
        From the user's folder, from the installer's, and by the compiler.
    bridging : bool
        Whether the installer's loops may stand in for those of this processor.
    """

    loaded = 0
    bridged = 0
    compiled = 0
    bridging = False


class DiskCache(_Cache):  # type: ignore[misc]
    """Keeps the compiled forms of one loop, a file each.

    Parameters
    ----------
    loop : function
    folder : Path
        The user's own, see `cache_folder`.

    Notes
    -----
    Numba's own cache ends the program at a truncated file, on a full disk and in a home that cannot be
    written to; it names its folder by the path of the source, which a frozen program has none of; and it
    trusts what it reads. Here a file is named by all it depends on (loop, argument types, processor,
    Python, numba), carries a digest, and is put in place in one step.
    """

    def __init__(self, loop: Callable[..., Any], folder: Path) -> None:
        self._loop = loop
        self._folder = folder
        self._enabled = True

    @property
    def cache_path(self) -> str:
        """The folder, as numba's statistics print it."""
        return str(self._folder)

    def enable(self) -> None:
        """Read and write again."""
        self._enabled = True

    def disable(self) -> None:
        """Read and write nothing."""
        self._enabled = False

    def flush(self) -> None:
        """Forget what is kept of this loop."""
        for path in self._folder.glob(f"{self._stem()}-*.nbc"):
            with contextlib.suppress(OSError):
                path.unlink()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled form for these argument types, or None."""
        target_context.refresh()
        if not self._enabled:
            return None
        for path, counter in self._places(sig, target_context.codegen().magic_tuple()):
            content = _read(path)
            if content is None:
                continue
            try:
                found = CompileResult._rebuild(target_context, *pickle.loads(content))
            except UNREADABLE:
                continue
            setattr(Counts, counter, getattr(Counts, counter) + 1)
            return found
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled form; where that fails, it is compiled again next time."""
        Counts.compiled += 1
        if not self._enabled or data.library.has_dynamic_globals or any(not part.can_cache for part in data.lifted):
            return
        # the one string among the parts is a listing of the source for readers, with paths of this machine
        content = dumps(tuple("" if isinstance(part, str) else part for part in data._reduce()))
        with contextlib.suppress(OSError):
            _write(self._folder / self._name(sig, data.codegen.magic_tuple()), content)

    def _places(self, sig: Any, processor: tuple[str, ...]) -> Iterator[tuple[Path, str]]:
        yield self._folder / self._name(sig, processor), "loaded"
        if Counts.bridging:
            yield shipped_folder() / self._name(sig, (processor[0], *ANY_PROCESSOR)), "bridged"

    def _stem(self) -> str:
        module = self._loop.__module__.rpartition(".")[2]
        return f"{module}.{self._loop.__qualname__}".replace("<locals>.", "")

    def _name(self, sig: Any, processor: tuple[str, ...]) -> str:
        python = (sys.implementation.cache_tag, getattr(sys, "abiflags", ""))
        key = (python, numba.__version__, processor, repr(sig), self._code())
        return f"{self._stem()}-{hashlib.sha256(repr(key).encode()).hexdigest()[:24]}.nbc"

    def _code(self) -> str:
        """Return what tells this loop from an earlier one of its name.

        The folder's name stands for the sources of all kernels; a loop from elsewhere answers for its file.
        """
        code = self._loop.__code__
        digest = hashlib.sha256(code.co_code)
        if not self._loop.__module__.startswith("attnsim."):
            with contextlib.suppress(OSError):
                digest.update(Path(code.co_filename).read_bytes())
        return digest.hexdigest()


def _read(path: Path) -> bytes | None:
    """Return the content of a file if it is there and whole."""
    try:
        kept = path.read_bytes()
    except OSError:
        return None
    digest, content = kept[:DIGEST_BYTES], kept[DIGEST_BYTES:]
    return content if hashlib.sha256(content).digest() == digest else None


def _write(path: Path, content: bytes) -> None:
    """Put a file in place in one step: another process may look at any moment."""
    part = path.with_name(f".{uuid.uuid4().hex[:12]}.part")
    try:
        part.write_bytes(hashlib.sha256(content).digest() + content)
        os.replace(part, path)
    except OSError:
        with contextlib.suppress(OSError):
            part.unlink()
        raise
