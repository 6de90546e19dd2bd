"""What the frozen program starts with."""

import multiprocessing
import os
import sys


def restore_library_path() -> None:
    """Undo what PyInstaller's starter did for this process alone: ffmpeg or a browser must not load our libraries."""
    before = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
    os.environ.pop("LD_LIBRARY_PATH", None)
    if before is not None:
        os.environ["LD_LIBRARY_PATH"] = before


if __name__ == "__main__":
    restore_library_path()
    from attnsim.__main__ import main

    multiprocessing.freeze_support()
    sys.exit(main())
