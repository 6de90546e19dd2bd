"""The one place where the compile options of all kernels are chosen."""

from collections.abc import Callable
from typing import Any, TypeVar

import numba
from numba import config as numba_config

from attnsim.kernels.cache_folder import cache_folder

Loop = TypeVar("Loop", bound=Callable[..., Any])


def compiled(loop: Loop) -> Loop:
    """Compile a loop when it is first called, and keep the result on disk.

    Notes
    -----
    `nogil`: a kernel that held the interpreter's lock would freeze the window. No `parallel`: two
    threads entering numba's workqueue layer at once end the process. No fast-math: scores may hold
    infinities, and a sum must not depend on the compiler's mood. The cache folder is set while
    numba looks for it, and restored for whoever else uses numba in this process.
    """
    folder = cache_folder()
    before = numba_config.CACHE_DIR
    if folder is not None:
        numba_config.CACHE_DIR = str(folder)
    try:
        options = {"nogil": True, "cache": folder is not None, "error_model": "numpy"}
        result: Loop = numba.njit(**options)(loop)
    finally:
        numba_config.CACHE_DIR = before
    return result
