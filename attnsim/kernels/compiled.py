"""The one place where the compile options of all kernels are chosen."""

from collections.abc import Callable
from typing import Any, Literal, TypeVar, overload

import numba

from attnsim.kernels.cache_folder import cache_folder
from attnsim.kernels.disk_cache import DiskCache

Loop = TypeVar("Loop", bound=Callable[..., Any])
Freedom = Literal["fused", "any order"]

FLAGS: dict[Freedom, set[str]] = {"fused": {"contract"}, "any order": {"contract", "reassoc"}}


@overload
def compiled(loop: Loop) -> Loop: ...
@overload
def compiled(*, inlined: bool = ..., freedom: Freedom | None = ...) -> Callable[[Loop], Loop]: ...
def compiled(loop: Any = None, *, inlined: bool = False, freedom: Freedom | None = None) -> Any:
    """Compile a loop when it is first called, and keep the result on disk.

    Parameters
    ----------
    loop : function
    inlined : bool
        For the body of another kernel's loop: a call left standing there costs that loop its vectors.
    freedom : {"fused", "any order"}, optional
        What the compiler may do with sums beyond the letter: round a*b + c once ("fused"), and also add
        the terms of a sum in lanes ("any order").

    Notes
    -----
    `nogil`: a kernel that held the interpreter's lock would freeze the window. No `parallel`: two
    threads entering numba's workqueue layer at once end the process. No flag of `freedom` assumes that
    numbers are finite, so scores may hold infinities; by default a sum does not depend on the
    compiler's mood. The cache folder is set while numba looks for it, and restored for whoever else
    uses numba in this process. What is inlined is part of its callers on disk and needs no file.
    """
    if loop is None:
        return lambda wanted: _compile(wanted, inlined, freedom)
    return _compile(loop, inlined, freedom)


def _compile(loop: Loop, inlined: bool, freedom: Freedom | None) -> Loop:
    """Compile a loop under the options `compiled` explains."""
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
    if freedom is not None:
        options["fastmath"] = FLAGS[freedom]
    if inlined:
        return numba.njit(forceinline=True, **options)(loop)  # type: ignore[no-any-return]
    result: Any = numba.njit(**options)(loop)
    if (folder := cache_folder()) is not None:
        result._cache = DiskCache(loop, folder)
    return result  # type: ignore[no-any-return]
