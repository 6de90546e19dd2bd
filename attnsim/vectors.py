"""Real queries and keys: one head of one layer, and the query row that is looked at."""

import hashlib
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from attnsim.words import _


@dataclass(frozen=True, slots=True, eq=False)  # eq would ask arrays for one truth value; identity is enough
class Layer:
    """Queries and keys of one layer of a file.

    Attributes
    ----------
    name : str
        As the file calls it.
    q : float64 array, shape (query heads, queries, dim)
        Read-only.
    k : float64 array, shape (key heads, keys, dim)
        Read-only; fewer key heads than query heads are each repeated, not tiled.
    scale : float or None
        The model's own factor, where the file says it.
    causal : bool
        Whether query i sees only keys 0..i.

    Raises
    ------
    ValueError
        If q and k do not fit each other.
    """

    name: str
    q: NDArray[np.float64]
    k: NDArray[np.float64]
    scale: float | None = None
    causal: bool = False

    def __post_init__(self) -> None:
        shapes = (self.q.shape, self.k.shape)
        fits = all(len(shape) == 3 and 0 not in shape for shape in shapes) and self.q.shape[2] == self.k.shape[2]
        if not fits or self.q.shape[0] % self.k.shape[0]:
            raise ValueError(
                _("q and k must be (heads, rows, dim) of one dim, q's heads a multiple of k's, not {q} and {k}").format(
                    q=self.q.shape, k=self.k.shape
                )
            )
        self.q.flags.writeable = False
        self.k.flags.writeable = False

    @property
    def heads(self) -> int:
        """Number of query heads."""
        return int(self.q.shape[0])

    @property
    def dim(self) -> int:
        """Components of a query or key."""
        return int(self.q.shape[2])

    @property
    def queries(self) -> int:
        """Number of query rows."""
        return int(self.q.shape[1])


@dataclass(frozen=True)
class Vectors:
    """Real q and K with the layer, head and row that is looked at.

    Attributes
    ----------
    title : str
        The model's or the file's name, never a path.
    layers : tuple of Layer
    layer, head, row : int
        What is looked at.
    tokens : tuple of str
        One a key, or empty.
    note : str
        What was left out or rounded while reading, in one sentence, or empty.
    """

    title: str
    layers: tuple[Layer, ...]
    layer: int = 0
    head: int = 0
    row: int = 0
    tokens: tuple[str, ...] = ()
    note: str = field(default="")

    def __post_init__(self) -> None:
        self._check("layer", self.layer, len(self.layers))
        self._check("head", self.head, self.current.heads)
        self._check("row", self.row, self.current.queries)

    @staticmethod
    def _check(name: str, value: int, count: int) -> None:
        if not 0 <= value < count:
            raise ValueError(
                _("{name} must lie in 0..{high}, not {value}").format(name=name, high=count - 1, value=value)
            )

    @property
    def current(self) -> Layer:
        """The layer that is looked at."""
        return self.layers[self.layer]

    @property
    def dim(self) -> int:
        """Components of a query or key."""
        return self.current.dim

    @property
    def queries(self) -> NDArray[np.float64]:
        """All queries of the head, shape (queries, dim)."""
        rows: NDArray[np.float64] = self.current.q[self.head]
        return rows

    @property
    def keys(self) -> NDArray[np.float64]:
        """All keys of the head, shape (keys, dim)."""
        layer = self.current
        rows: NDArray[np.float64] = layer.k[self.head // (layer.heads // layer.k.shape[0])]
        return rows

    @property
    def query(self) -> NDArray[np.float64]:
        """The query of the row, shape (dim,)."""
        vector: NDArray[np.float64] = self.queries[self.row]
        return vector

    @property
    def visible(self) -> int:
        """How many keys the row's query sees."""
        return self.visible_to(self.row)

    def visible_to(self, row: int) -> int:
        """How many keys a query sees: the first `row + 1` when causal."""
        total = int(self.keys.shape[0])
        return min(row + 1, total) if self.current.causal else total

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 over the numbers of the layer looked at, in hex."""
        digest = hashlib.sha256()
        for array in (self.current.q, self.current.k):
            digest.update(str(array.shape).encode())
            digest.update(np.ascontiguousarray(array).data)
        return digest.hexdigest()

    def at(self, *, layer: int | None = None, head: int | None = None, row: int | None = None) -> "Vectors":
        """Return the same file looked at elsewhere; head and row are kept where they exist."""
        layer = self.layer if layer is None else layer
        self._check("layer", layer, len(self.layers))
        place = self.layers[layer]
        head = min(self.head, place.heads - 1) if head is None else head
        row = min(self.row, place.queries - 1) if row is None else row
        return replace(self, layer=layer, head=head, row=row)
