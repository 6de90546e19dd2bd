"""What a file says beside its vectors: model, scale, causal mask, tokens.

Two ways are read: an array `__meta_json__` of the bytes of a JSON object, and plain arrays `model`, `scale`,
`causal` and `tokens`. Broken metadata is refused instead of left out, since a lost causal mask would change every
number shown.
"""

import json
import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from attnsim.files.readers.entries import Entry, ReadError, printable
from attnsim.words import _

JSON_NAME = "__meta_json__"
LARGEST = 64 * 2**20  # bytes of metadata
MOST_SCALE = 1e100


@dataclass(frozen=True, slots=True)
class Said:
    """Metadata of a file; None, or empty, where it says nothing.

    Attributes
    ----------
    scale, causal
        For all layers that do not say their own.
    layers : dict
        Layer name to its (scale, causal).
    """

    model: str = ""
    scale: float | None = None
    causal: bool | None = None
    tokens: tuple[str, ...] = ()
    layers: dict[str, tuple[float | None, bool | None]] = field(default_factory=dict)
    note: str = ""

    def of(self, layer: str) -> tuple[float | None, bool]:
        """Return the scale and the causal flag of a layer."""
        scale, causal = self.layers.get(layer, (None, None))
        causal = self.causal if causal is None else causal
        return self.scale if scale is None else scale, bool(causal)


def read_said(entries: list[Entry], file: str) -> Said:
    """Read the metadata of a file.

    Raises
    ------
    ReadError
        If it is there but cannot be understood.
    """
    named = {entry.name: entry for entry in entries}
    told: dict[str, Any] = _json(named[JSON_NAME], file) if JSON_NAME in named else {}
    note = ""
    for name in ("model", "scale", "causal", "tokens"):
        if name not in named:
            continue
        form = named[name].describe()
        if name == "tokens" and form.dtype.kind not in "US":
            note = _("tokens were left out, for they are no text")
        elif form.size <= LARGEST and form.dtype.kind in "USbiuf":
            told[name] = _plain(named[name].read())
        else:
            raise ReadError(
                _("{file}: {name} must be text or one number, not {type} of shape {shape}").format(
                    file=file, name=name, type=form.dtype.name, shape=form.shape
                )
            )
    return Said(
        model=_model(told.get("model")),
        scale=_scale(told.get("scale"), file),
        causal=_causal(told.get("causal"), file),
        tokens=_tokens(told.get("tokens"), file),
        layers=_layers(told.get("layers"), file),
        note=note,
    )


def _plain(values: np.ndarray[Any, Any]) -> Any:
    """Return a number, a text or a list of them."""
    if values.dtype.kind == "S":
        values = np.char.decode(values, "utf-8", "replace")
    return values.item() if values.size == 1 and values.dtype.kind != "U" else values.tolist()


def _json(entry: Entry, file: str) -> dict[str, Any]:
    form = entry.describe()
    if form.dtype != np.uint8 or len(form.shape) != 1 or form.size > LARGEST:
        raise ReadError(
            _("{file}: {name} must be at most {most} bytes (uint8) of JSON, not {type} of shape {shape}").format(
                file=file, name=JSON_NAME, most=LARGEST, type=form.dtype.name, shape=form.shape
            )
        )
    try:
        told = json.loads(entry.read().tobytes())
    except (ValueError, RecursionError) as error:
        raise ReadError(_("{file}: {name} is not readable JSON").format(file=file, name=JSON_NAME)) from error
    return _object(told, JSON_NAME, file)


def _object(value: Any, name: str, file: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _wrong(file, name, _("a JSON object"), value)
    return value


def _model(value: Any) -> str:
    """Return the last part of a model's name: the rest may be a folder of someone's machine."""
    return printable(re.split(r"[\\/]", value.rstrip("\\/"))[-1]) if isinstance(value, str) else ""


def _scale(value: Any, file: str) -> float | None:
    if value is None:
        return None
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not number or not -MOST_SCALE <= value <= MOST_SCALE:  # nan fails here too
        raise _wrong(file, "scale", _("one finite number"), value)
    return float(value)


def _causal(value: Any, file: str) -> bool | None:
    if value is None:
        return None
    if not isinstance(value, (bool, int, float)) or value not in (0, 1):
        raise _wrong(file, "causal", _("true or false"), value)
    return bool(value)


def _tokens(value: Any, file: str) -> tuple[str, ...]:
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(token, str) for token in value):
        raise _wrong(file, "tokens", _("a list of texts"), value)
    return tuple(value)


def _layers(value: Any, file: str) -> dict[str, tuple[float | None, bool | None]]:
    if value is None:
        return {}
    if not isinstance(value, list):
        raise _wrong(file, "layers", _("a list"), value)
    found = {}
    for item in value:
        layer = _object(item, "layers", file)
        found[str(layer.get("key", ""))] = (_scale(layer.get("scale"), file), _causal(layer.get("causal"), file))
    return found


def _wrong(file: str, name: str, wanted: str, came: Any) -> ReadError:
    return ReadError(
        _("{file}: {name} must be {wanted}, not {came}").format(
            file=file, name=name, wanted=wanted, came=printable(repr(came)[:100])
        )
    )
