"""What a lab declares: which experiment, which knobs, which figures."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Lab:
    """A page of the program.

    Attributes
    ----------
    key : str
        Its id.
    title, lesson : str
        Its name, and what it teaches in a sentence or two.
    experiment : str
        Key of the experiment.
    knobs : tuple of (str, tuple of str)
        Groups of Scenario fields: (group's title, fields), in order.
    figures : tuple of str
        Keys of the figures, from left to right.
    """

    key: str
    title: str
    lesson: str
    experiment: str
    knobs: tuple[tuple[str, tuple[str, ...]], ...]
    figures: tuple[str, ...]
