"""What a state says of real vectors: where they were looked at, and the numbers themselves where they are few."""

import base64
import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnsim.vectors import Layer, Vectors
from attnsim.words import _

MOST_NUMBERS = 32_768  # of q and k together that travel with a state: at most 350 kB of text
LONGEST_NAME = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Numbers that travel with a state.

    Attributes
    ----------
    name : str
        Of the layer.
    whole : bool
        Whether all queries of the head are there, or the one that was looked at with the keys it sees.
    scale : float or None
    causal : bool
    dim, queries, keys : int
    number : {"<f4", "<f8"}
        Single precision where it holds the numbers exactly.
    packed : str
        q and behind it k, row by row, deflated, in base64.
    """

    name: str
    whole: bool
    scale: float | None
    causal: bool
    dim: int
    queries: int
    keys: int
    number: str
    packed: str

    def __post_init__(self) -> None:
        sizes = (self.dim, self.queries, self.keys)
        if not all(type(size) is int and size > 0 for size in sizes) or self.count > MOST_NUMBERS:
            raise ValueError(
                _("kept vectors must hold 1..{most} numbers, not {count}").format(most=MOST_NUMBERS, count=sizes)
            )
        if not (self.scale is None or type(self.scale) is float) or type(self.name) is not str:
            raise ValueError(_("the vectors kept in the file are damaged"))
        if self.number not in ("<f4", "<f8"):
            raise ValueError(
                _("kept vectors must be of {known}, not {value}").format(known="<f4, <f8", value=repr(self.number))
            )

    @property
    def count(self) -> int:
        """How many numbers there are."""
        return self.dim * (self.queries + self.keys)

    def numbers(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return q of shape (queries, dim) and k of shape (keys, dim).

        Raises
        ------
        ValueError
            If the text is damaged.
        """
        size = self.count * np.dtype(self.number).itemsize
        try:
            content = zlib.decompressobj().decompress(base64.b64decode(self.packed, validate=True), size + 1)
            values = np.frombuffer(content, dtype=self.number, count=self.count).astype(np.float64)
        except (ValueError, zlib.error) as error:
            raise ValueError(_("the vectors kept in the file are damaged")) from error
        if len(content) != size or not np.all(np.isfinite(values)):
            raise ValueError(_("the vectors kept in the file are damaged"))
        q, k = np.split(values, [self.dim * self.queries])
        return q.reshape(self.queries, self.dim), k.reshape(self.keys, self.dim)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """Which real vectors a state means; never where their file lies.

    Attributes
    ----------
    title : str
        The model's or the file's name, never a path.
    layer, head, row : int
        What was looked at.
    sha256 : str
        `Vectors.content_hash` of the layer.
    kept : Kept or None
        The numbers, where there are at most `MOST_NUMBERS`.
    """

    title: str = ""
    layer: int = 0
    head: int = 0
    row: int = 0
    sha256: str = ""
    kept: Kept | None = None

    def __post_init__(self) -> None:
        for name in ("layer", "head", "row"):
            value = getattr(self, name)
            if type(value) is not int or value < 0:
                raise ValueError(
                    _("{name} must be a whole number from {low}, not {value}").format(
                        name=name, low=0, value=repr(value)
                    )
                )

    def vectors(self) -> Vectors | None:
        """Return the vectors that travel with the state, or None: then their file has to be asked for.

        Raises
        ------
        ValueError
            If they are damaged.
        """
        kept = self.kept
        if kept is None:
            return None
        q, k = kept.numbers()
        layer = Layer(kept.name, q[None], k[None], kept.scale, kept.causal)
        note = (
            _("the head that was looked at, as it was kept in the file")
            if kept.whole
            else _("the one row that was looked at, as it was kept in the file: the ensemble is this row alone")
        )
        return Vectors(self.title, (layer,), row=min(self.row, kept.queries - 1), note=note)

    def found_in(self, vectors: Vectors) -> Vectors:
        """Return vectors of a file looked at where this reference points.

        Raises
        ------
        ValueError
            If the file holds other numbers.
        """
        for place in (self.layer, *range(len(vectors.layers))):
            if place < len(vectors.layers) and vectors.at(layer=place).content_hash == self.sha256:
                return vectors.at(layer=place, head=self.head, row=self.row)
        raise ValueError(
            _("{title} holds other numbers than the vectors that are asked for, {wanted}").format(
                title=vectors.title, wanted=self.title
            )
        )


def refer(vectors: Vectors) -> Reference:
    """Return what a state keeps of real vectors."""
    place = {"layer": vectors.layer, "head": vectors.head, "row": vectors.row}
    return Reference(title=vectors.title[:LONGEST_NAME], **place, sha256=vectors.content_hash, kept=_kept(vectors))


def _kept(vectors: Vectors) -> Kept | None:
    """Return the numbers of the head if they are few, else those of the row if they are, else None."""
    head = vectors.queries, vectors.keys
    row = vectors.query[None], vectors.keys[: vectors.visible]
    for (q, k), whole in ((head, True), (row, False)):
        if q.size + k.size <= MOST_NUMBERS:
            return _packed(vectors.current, q, k, whole)
    return None


def _packed(layer: Layer, q: Any, k: Any, whole: bool) -> Kept:
    both = np.concatenate([q.ravel(), k.ravel()])
    with np.errstate(over="ignore"):
        single = both.astype("<f4")
    number = "<f4" if np.array_equal(single.astype("<f8"), both) else "<f8"
    return Kept(
        name=layer.name[:LONGEST_NAME],
        whole=whole,
        scale=layer.scale,
        causal=layer.causal and whole,  # one row alone sees all the keys that are kept
        dim=int(q.shape[1]),
        queries=int(q.shape[0]),
        keys=int(k.shape[0]),
        number=number,
        packed=base64.b64encode(zlib.compress(both.astype(number).tobytes(), 9)).decode("ascii"),
    )
