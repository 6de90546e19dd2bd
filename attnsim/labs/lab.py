"""What a lab declares: which experiment, which knobs, which figures."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick:
    """Something to look at that costs no new computation: it lives in the View.

    Attributes
    ----------
    name, title : str
        Key in `View.picks`, and words.
    options : tuple of (str, str)
        (word, what a reader sees); the first is the usual one.
    """

    name: str
    title: str
    options: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """How a field of the lab's section is shown.

    Attributes
    ----------
    title : str
        Words beside the control; simple rich text (<i>, <sub>) is allowed.
    name : str
        The same in plain words, for screen readers and messages.
    meaning : str
        A sentence for the tool tip and for `attnsim run LAB --help`.
    options : tuple of (str, str)
        Words of each option of a field that holds one word; empty for a number.
    """

    title: str
    name: str
    meaning: str
    options: tuple[tuple[str, str], ...] = ()


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
        Groups of Scenario fields and fields of the lab's section: (group's title, fields), in order.
    figures : tuple of str
        Keys of all its figures, in order.
    titles : tuple of str
        What each of them is called in lists, in the same order.
    shown : tuple of str
        Those shown at first, at most six; all when left out.
    controls : tuple of (str, Control)
        A line for each field of the lab's section (`choices.sections`).
    picks : tuple of Pick
    shares : tuple of int
        Widths of the figures shown at first, relative to each other; equal when left out.
    rules : bool
        Whether the scale rules of the Scenario matter here.
    real : bool
        Whether it can show real vectors.
    usual : tuple of (str, value)
        Fields of the Scenario that `attnsim run LAB` takes where the user names none and the program's own first
        setting says little here; the window carries the scenario along and changes nothing.
    """

    key: str
    title: str
    lesson: str
    experiment: str
    knobs: tuple[tuple[str, tuple[str, ...]], ...]
    figures: tuple[str, ...]
    titles: tuple[str, ...]
    shown: tuple[str, ...] = ()
    controls: tuple[tuple[str, Control], ...] = ()
    picks: tuple[Pick, ...] = ()
    shares: tuple[int, ...] = ()
    rules: bool = True
    real: bool = False
    usual: tuple[tuple[str, object], ...] = ()

    @property
    def first(self) -> tuple[str, ...]:
        """The figures shown at first."""
        return self.shown or self.figures[:6]

    @property
    def figure_titles(self) -> tuple[tuple[str, str], ...]:
        """(key, what it is called in lists) of each figure."""
        return tuple(zip(self.figures, self.titles, strict=True))

    def visible(self, wanted: tuple[str, ...]) -> tuple[str, ...]:
        """Return which figures a view shows: those it wants and this lab has, or those shown at first."""
        return tuple(key for key in self.figures if key in wanted) or self.first
