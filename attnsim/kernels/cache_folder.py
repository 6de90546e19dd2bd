"""Where compiled kernels are kept between runs."""

import hashlib
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from attnsim.version import __version__

PROBE_BYTES = 1 << 18  # an empty file can be made on a full disk, this one cannot


@cache
def cache_folder() -> Path | None:
    """Return the folder of this version's compiled kernels, made if need be; None where nothing can be kept.

    Notes
    -----
    The name carries a hash over all kernel sources: a kernel holds the code of those it calls, so a
    changed callee in another file would leave its callers stale. There is no way out into the folder for
    temporary files, which others can write to: what lies here is run as it is found.
    """
    name = f"kernels-{__version__}-{source_digest()[:12]}"
    for base in _bases():
        folder = base / name
        try:
            base.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder.mkdir(mode=0o700, exist_ok=True)
            if not (_own(base) and _own(folder)):
                continue
            with tempfile.TemporaryFile(dir=folder) as probe:
                probe.write(bytes(PROBE_BYTES))
        except OSError:
            continue
        return folder
    return None


@cache
def source_digest() -> str:
    """Return a hash over version and sources of all kernels; a frozen program brings the sources along for it."""
    digest = hashlib.sha256(__version__.encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def shipped_folder() -> Path:
    """Return where an installer puts kernels compiled for any processor of this kind; it need not exist."""
    return Path(__file__).parent / "shipped"


def _own(folder: Path) -> bool:
    """Whether a folder belongs to this user, and nobody else may write to it."""
    if not hasattr(os, "getuid"):
        return True
    found = folder.stat()
    return found.st_uid == os.getuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _bases() -> Iterator[Path]:
    """Yield places to try: what the user named, then the system's place for caches."""
    named = os.environ.get("NUMBA_CACHE_DIR")
    if named:
        yield Path(named)
    if sys.platform == "win32":
        if local := os.environ.get("LOCALAPPDATA"):
            yield Path(local) / "attnsim"
        return
    if (xdg := os.environ.get("XDG_CACHE_HOME")) and Path(xdg).is_absolute():
        yield Path(xdg) / "attnsim"
    try:
        home = Path.home()
    except RuntimeError:
        return
    yield home / ("Library/Caches" if sys.platform == "darwin" else ".cache") / "attnsim"
