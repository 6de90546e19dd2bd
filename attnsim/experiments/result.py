"""What every experiment yields, whatever it measures."""

from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from attnsim.scenario import Scenario
from attnsim.vectors import Vectors

STILL = np.zeros(0, dtype=np.int64)  # the moments of a result in which nothing moves
STILL.flags.writeable = False


class Result(Protocol):
    """A frozen result.

    Attributes
    ----------
    experiment : str
        Key of the experiment that made it, a class attribute.
    scenario : Scenario
    vectors : Vectors or None
        The real vectors behind it, if they are real.
    fraction : float
        Share of the work that is done, 0..1.
    moments : int64 array
        Where the playhead may stand, rising, such as the dimensions of a walk or the steps of a training run;
        empty where nothing moves.
    """

    experiment: ClassVar[str]

    @property
    def scenario(self) -> Scenario: ...
    @property
    def vectors(self) -> Vectors | None: ...
    @property
    def fraction(self) -> float: ...
    @property
    def moments(self) -> NDArray[np.int64]: ...


def complete(result: Result) -> bool:
    """Whether nothing more will come."""
    return result.fraction >= 1.0


def moment_index(result: Result, playhead: int | None) -> int:
    """Return the number of the moment at or just below a playhead; the last for None, 0 where nothing moves."""
    if not result.moments.size:
        return 0
    if playhead is None:
        return len(result.moments) - 1
    return max(0, int(np.searchsorted(result.moments, playhead, side="right")) - 1)


Record = Any  # a Result, where its own fields are read
