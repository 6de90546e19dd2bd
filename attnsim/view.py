"""How a result is looked at, as one frozen record: nothing here is computed with."""

from dataclasses import dataclass, replace

from attnsim.words import _

MOST_MARKED = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """How a result is looked at.

    Attributes
    ----------
    playhead : int or None
        The moment shown: a dimension 0..dim of a walk, a step of a training run; None is the end.
    marked : tuple of int
        Keys pinned by the user, at most six, in the order they were marked.
    hovered : int or None
        Key marked for the moment.
    rule : str
        Name of the scale rule of the lower score plot.
    log_weights : bool
        Weights on a logarithmic axis.
    bits : bool
        Entropy in bits; in nats otherwise.
    figures : tuple of str
        Which of the lab's figures are shown, in their order; empty for those it shows first.
    picks : tuple of (str, str)
        What a lab offers to look at, by name: the metric of a map, say. What is not there is the lab's first.
    """

    playhead: int | None = None
    marked: tuple[int, ...] = ()
    hovered: int | None = None
    rule: str = "inverse_sqrt"
    log_weights: bool = False
    bits: bool = False
    figures: tuple[str, ...] = ()
    picks: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        if len(self.marked) > MOST_MARKED:
            raise ValueError(
                _("marked must name at most {most} keys, not {count}").format(most=MOST_MARKED, count=len(self.marked))
            )

    @property
    def highlighted(self) -> tuple[int, ...]:
        """Marked keys, and the hovered one behind them."""
        if self.hovered is None or self.hovered in self.marked:
            return self.marked
        return (*self.marked[: MOST_MARKED - 1], self.hovered)

    def pick(self, name: str, otherwise: str) -> str:
        """Return what is picked under a name, or the given word."""
        return dict(self.picks).get(name, otherwise)

    def picking(self, name: str, word: str) -> "View":
        """Return the same view with one pick changed."""
        return replace(self, picks=tuple((dict(self.picks) | {name: word}).items()))
