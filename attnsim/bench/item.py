"""What is measured: one item, one comparison; and one growth, one cost against one size."""

from collections.abc import Callable
from dataclasses import dataclass

Call = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Item:
    """Our way and another way of doing the same work.

    Attributes
    ----------
    id : str
        Items that share an id are cases of one comparison: the worst of them counts.
    against : str
        What the other way is.
    target : float
        The ratio to reach.
    ours, theirs : callable
        () -> anything: one run of the work. `theirs` None: an item with a time of its own, `allowed_seconds`.
        Both are called once before the clock starts, so that arrays can be made and kernels compiled there.
    share : float
        Work of ours / work of theirs in one call, so that ratio = share * time(theirs) / time(ours).
    limit : str
        The physical limit, in words; empty where none is named.
    limit_run : callable, optional
        () -> anything: the limit, at the amount of work of `ours`.
    case : str
        What tells this item from others of its id.
    needs : str
        A module that may be missing; the item is then listed without a ratio.
    allowed_seconds : float
        For an item without `theirs`: ratio = allowed_seconds / seconds of ours.
    quick : bool
        Whether `--quick` measures it.
    """

    id: str
    against: str
    target: float
    ours: Call
    theirs: Call | None
    share: float = 1.0
    limit: str = ""
    limit_run: Call | None = None
    case: str = ""
    needs: str = ""
    allowed_seconds: float = 0.0
    quick: bool = True


@dataclass(frozen=True, slots=True)
class Growth:
    """How the cost of one kernel grows with a size.

    Attributes
    ----------
    id : str
        What is run.
    size_name, unit : str
        What grows, and what one unit of work is.
    sizes : tuple of int
    run : callable
        size -> number of units done; called once before the clock starts.
    """

    id: str
    size_name: str
    unit: str
    sizes: tuple[int, ...]
    run: Callable[[int], int]
