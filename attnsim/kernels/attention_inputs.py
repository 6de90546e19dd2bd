"""What attention is asked to do, checked: the arguments of `attention.attention` as one frozen record."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.kernels.float_rounding import FORMATS, round_to
from attnsim.words import _

Floats = NDArray[Any]

FORMAT_OF = {"float16": "fp16", "bfloat16": "bf16", "float32": "fp32", "float64": "fp64"}
CAUSAL = (False, "top-left", "bottom-right")
ACCUMULATE = ("float32", "format", "fused")


@dataclass(frozen=True, slots=True)
class Options:
    """The options that `attention.attention` explains, as they came."""

    scale: float | None = None
    mask: ArrayLike | None = None
    bias: ArrayLike | None = None
    causal: str | bool = False
    window: int | None = None
    softcap: float | None = None
    dtype: Any = "float32"
    accumulate: str = "float32"


@dataclass(frozen=True, slots=True)
class Problem:
    """One attention to compute.

    Attributes
    ----------
    q : float32 or float64 array, shape (batch, heads, n, d)
    k, v : arrays of that dtype, shapes (batch, kv_heads, m, d) and (batch, kv_heads, m, value_width)
        Contiguous; v is None where no output is wanted.
    outer : tuple of int
        Shape of the caller's q without (n, d).
    scale : float
    softcap : float or None
    mask, bias : arrays broadcast to (batch, heads, n, m), or None
    reach, window : int or None
        Key j is hidden from query i where j > i + reach, and where i + offset - j > window.
    offset : int
    number_format, accumulate : str
        A key of `float_rounding.FORMATS`, and one of `ACCUMULATE`.
    """

    q: Floats
    k: Floats
    v: Floats | None
    outer: tuple[int, ...]
    scale: float
    softcap: float | None
    mask: Floats | None
    bias: Floats | None
    reach: int | None
    window: int | None
    offset: int
    number_format: str
    accumulate: str

    @property
    def group(self) -> int:
        """Query heads that share a key and value head."""
        return int(self.q.shape[1]) // max(1, int(self.k.shape[1]))

    def span(self, start: int, stop: int) -> tuple[int, int]:
        """Return the first key, and the one after the last, that causality and window show to queries start..stop-1."""
        keys = self.k.shape[2]
        first = 0 if self.window is None else min(keys, max(0, start + self.offset - self.window))
        last = keys if self.reach is None else min(keys, max(0, stop + self.reach))
        return first, max(first, last)


def checked(q: ArrayLike, k: ArrayLike, v: ArrayLike | None, options: Options) -> Problem:
    """Return the problem these arguments state; see `attention.attention` for them and for what is refused."""
    name = format_name(options.dtype)
    arrays = {"q": real("q", q), "k": real("k", k)} | ({} if v is None else {"v": real("v", v)})
    _check_shapes(arrays)
    outer = arrays["q"].shape[:-2]
    with np.errstate(over="ignore"):  # a number too large for the dtype is infinite there
        whole = {key: in_four(converted(x, name)) for key, x in arrays.items()}
    n, d = whole["q"].shape[2:]
    m = whole["k"].shape[2]
    table = (*whole["q"].shape[:2], n, m)
    _check_choices(options)
    offset = m - n if options.causal == "bottom-right" else 0
    return Problem(
        q=whole["q"],
        k=whole["k"],
        v=whole.get("v"),
        outer=outer,
        scale=_number("scale", options.scale) if options.scale is not None else 1.0 / math.sqrt(d),
        softcap=None if options.softcap is None else _number("softcap", options.softcap, above=0.0),
        mask=None if options.mask is None else _table("mask", options.mask, table, booleans=True),
        bias=None if options.bias is None else _table("bias", options.bias, table, booleans=False),
        reach=None if options.causal is False else offset,
        window=None if options.window is None else int(options.window),
        offset=offset,
        number_format=name,
        accumulate=options.accumulate,
    )


def converted(x: Floats, number_format: str) -> Floats:
    """Return an array in float64 for fp64, else in float32, rounded once to the numbers of the format."""
    if number_format in ("fp32", "fp64"):
        return np.asarray(x, dtype=np.float64 if number_format == "fp64" else np.float32)
    return round_to(np.asarray(x, dtype=np.float64), number_format).astype(np.float32)


def in_four(x: Floats) -> Floats:
    """Return an array of shape (..., rows, width) as a contiguous one of shape (batch, heads, rows, width)."""
    return np.ascontiguousarray(x).reshape((1,) * (4 - x.ndim) + x.shape)


def format_name(dtype: Any) -> str:
    """Return the key of `FORMATS` that is meant by a numpy dtype, one of its names, "bfloat16", or the key itself."""
    try:
        name = dtype if dtype is None or isinstance(dtype, str) else np.dtype(dtype).name
    except TypeError:
        name = str(dtype)
    name = FORMAT_OF.get(str(name), str(name))
    if name not in FORMATS:
        known = ", ".join((*FORMAT_OF, *FORMATS))
        raise ValueError(_("dtype must be one of {known}; got {value}").format(known=known, value=name))
    return name


def real(name: str, x: ArrayLike) -> Floats:
    """Return an argument as an array of real numbers."""
    try:
        array = np.asarray(x)
    except ValueError:
        raise ValueError(_("{name} needs an array; got sequences of unequal length").format(name=name)) from None
    if array.dtype.kind not in "iuf" or array.dtype.itemsize > 8:
        raise ValueError(
            _("{name} needs real numbers of 64 bits at most; got dtype {dtype}").format(name=name, dtype=array.dtype)
        )
    return array


def check_shape(name: str, wanted: tuple[Any, ...], got: tuple[int, ...]) -> None:
    """Raise ValueError unless the shape has the wanted lengths; a word in `wanted` stands for any length."""
    fits = len(wanted) == len(got) and all(isinstance(w, str) or w == g for w, g in zip(wanted, got, strict=True))
    if not fits:
        shown = "(" + ", ".join(map(str, wanted)) + ")"
        raise ValueError(_("{name} needs shape {wanted}; got {got}").format(name=name, wanted=shown, got=got))


def _check_shapes(arrays: dict[str, Floats]) -> None:
    q, k = arrays["q"].shape, arrays["k"].shape
    if not 2 <= len(q) <= 4:
        wanted = "(n, d), (heads, n, d) or (batch, heads, n, d)"
        raise ValueError(_("{name} needs shape {wanted}; got {got}").format(name="q", wanted=wanted, got=q))
    if q[-1] == 0:
        raise ValueError(_("q needs a component at least, d > 0; got shape {got}").format(got=q))
    heads = () if len(q) == 2 else ("kv_heads",)
    check_shape("k", (*q[:-3], *heads, "m", q[-1]), k)
    if len(q) > 2 and (q[-3] % k[-3] if k[-3] else q[-3]):
        raise ValueError(
            _("k needs a number of heads that divides the {heads} of q; got {kv} (shape {got})").format(
                heads=q[-3], kv=k[-3], got=k
            )
        )
    if "v" in arrays:
        check_shape("v", (*k[:-1], "value_width"), arrays["v"].shape)


def _check_choices(options: Options) -> None:
    for name, value, known in (("causal", options.causal, CAUSAL), ("accumulate", options.accumulate, ACCUMULATE)):
        if not isinstance(value, bool | str) or value not in known:
            raise ValueError(
                _("{name} must be one of {known}; got {value}").format(
                    name=name, known=", ".join(map(repr, known)), value=repr(value)
                )
            )
    window = options.window
    whole = isinstance(window, int | np.integer) and not isinstance(window, bool)
    if window is not None and not (whole and window >= 0):
        raise ValueError(_("window must be a whole number of keys, 0 or more; got {value}").format(value=repr(window)))


def _number(name: str, value: Any, above: float = -math.inf) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not above < number < math.inf:
        wanted = _("a finite number") if above == -math.inf else _("a finite number above {low:g}").format(low=above)
        raise ValueError(_("{name} must be {wanted}; got {value}").format(name=name, wanted=wanted, value=repr(value)))
    return number


def _table(name: str, value: ArrayLike, shape: tuple[int, ...], booleans: bool) -> Floats:
    """Return a mask or bias broadcast to the shape of all scores, without copying it."""
    array = np.asarray(value) if booleans else real(name, value)
    if booleans and array.dtype != np.bool_:
        raise ValueError(
            _("mask needs dtype bool, True = may attend (numbers to be added are a bias); got {dtype}").format(
                dtype=array.dtype
            )
        )
    try:
        return np.broadcast_to(array, shape)
    except ValueError:
        raise ValueError(
            _("{name} needs a shape that broadcasts to (batch, heads, n, m) = {shape}; got {got}").format(
                name=name, shape=shape, got=array.shape
            )
        ) from None
