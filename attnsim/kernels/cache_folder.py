"""Where compiled kernels are kept between runs."""

import hashlib
import os
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from attnsim.version import __version__


@cache
def cache_folder() -> Path | None:
    """Return the folder of this version's compiled kernels, made if need be; None where nothing can be written.

    Notes
    -----
    The name carries a hash over all kernel sources: numba stamps a cached kernel with its own file
    only, so a changed callee in another file would leave its callers stale.
    """
    digest = hashlib.sha256(__version__.encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    name = f"kernels-{__version__}-{digest.hexdigest()[:12]}"
    for base in _bases():
        folder = base / name
        try:
            base.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder.mkdir(mode=0o700, exist_ok=True)
            if base.parent == Path(tempfile.gettempdir()) and not _own(base):
                continue
            with tempfile.TemporaryFile(dir=folder):
                pass
        except (OSError, RuntimeError):
            continue
        return folder
    return None


def _own(folder: Path) -> bool:
    """Whether a folder in a place shared with others belongs to this user alone: kernels run as they are found."""
    return not hasattr(os, "getuid") or (folder.stat().st_uid == os.getuid() and not folder.stat().st_mode & 0o022)


def _bases() -> Iterator[Path]:
    """Yield places to try: what the user named, the system's place for caches, the temporary folder."""
    named = os.environ.get("NUMBA_CACHE_DIR")
    if named:
        yield Path(named)
    yield from _user_caches()
    owner = os.getuid() if hasattr(os, "getuid") else "user"
    yield Path(tempfile.gettempdir()) / f"attnsim-{owner}"


def _user_caches() -> Iterator[Path]:
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
