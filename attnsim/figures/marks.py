"""Plain data to draw: the window and the file writers draw the same.

A mark's `label` is what hovering over it says first; empty for marks that are not to be named.

A colour is a role, never a value: `ink`, `muted`, `grid`, `walk`, `row_band`, `marked_0` .. `marked_5`,
or a rule's role (`rule_none`, `rule_inverse_sqrt`, ...). Each face has its own table of roles.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]] | NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis of a plot.

    Attributes
    ----------
    label : str
        Plain text with unit; empty for none.
    low, high : float
        Its range; on a logarithmic axis both are positive.
    log : bool
    ticks : tuple of (float, str) or None
        Fixed ticks; chosen by the face when None; an empty tuple for none.
    """

    label: str = ""
    low: float = 0.0
    high: float = 1.0
    log: bool = False
    ticks: tuple[tuple[float, str], ...] | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A curve; nan breaks it."""

    x: Floats
    y: Floats
    role: str = "ink"
    dashed: bool = False
    width: float = 1.25  # points
    label: str = ""


@dataclass(frozen=True, slots=True)
class Band:
    """The area between two curves."""

    x: Floats
    low: Floats
    high: Floats
    role: str
    opacity: float = 0.15
    label: str = ""


@dataclass(frozen=True, slots=True)
class Bars:
    """Bars of one colour from 0 (or the axis' low end when it is logarithmic); lying when `across`."""

    centers: Floats
    heights: Floats
    width: float
    role: str
    across: bool = False
    opacity: float = 0.8
    label: str = ""


@dataclass(frozen=True, slots=True)
class Dots:
    """Points, with what to say of each when the mouse is near."""

    x: Floats
    y: Floats
    role: str
    size: float = 5.0  # points
    hollow: bool = False
    label: str = ""


@dataclass(frozen=True, slots=True)
class Whiskers:
    """Upright strokes from low to high at each x, such as 95 % intervals around dots; nan leaves one out."""

    x: Floats
    low: Floats
    high: Floats
    role: str
    width: float = 1.0  # points
    label: str = ""


@dataclass(frozen=True, slots=True)
class Heat:
    """A matrix of colours.

    Attributes
    ----------
    x, y : float array, shape (columns + 1,), (rows + 1,)
        Edges of the cells, rising, in axis units; unequal cells and logarithmic axes are allowed.
    values : float array, shape (rows, columns)
        The first row lies at the low end of y. nan is drawn as nothing.
    low, high : float
        Values of the two ends of the colours; beyond them the end's colour is taken.
    scale : {"sequential", "diverging"}
        From the card's end to the strong end; or from one hue over the card's grey to another, 0 in the middle.
    title : str
        What the values are, with unit; stands at the colour bar and in the hover.
    bar : bool
        Whether a colour bar is drawn beside the plot.
    """

    x: Floats
    y: Floats
    values: Floats
    low: float
    high: float
    scale: Literal["sequential", "diverging"] = "sequential"
    title: str = ""
    bar: bool = True
    label: str = ""


@dataclass(frozen=True, slots=True)
class Paths:
    """Many curves over the same x, drawn up to a point.

    Attributes
    ----------
    x : array, shape (points,)
    ys : array, shape (points, curves)
    shown : int
        How many of the points are drawn.
    keys : int64 array, shape (curves,)
        Which key each curve is.
    """

    x: Floats
    ys: Floats
    shown: int
    keys: NDArray[np.int64]
    role: str = "walk"
    opacity: float = 0.3


@dataclass(frozen=True, slots=True)
class Rug:
    """Short strokes at values along the x axis."""

    values: Floats
    role: str
    height: float = 0.05  # share of the plot's height
    opacity: float = 0.6


@dataclass(frozen=True, slots=True)
class Cursor:
    """A straight line across the plot, at an x (or at a y when `across`)."""

    at: float
    role: str = "muted"
    across: bool = False
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """A few words at a point; `anchor` is the share of the text's box that lies left of and above it."""

    x: float
    y: float
    text: str
    role: str = "ink"
    anchor: tuple[float, float] = (0.0, 0.5)
    bold: bool = False


Mark = Line | Band | Bars | Dots | Whiskers | Heat | Paths | Rug | Cursor | Text


@dataclass(frozen=True, slots=True)
class Plot:
    """One pair of axes and what is drawn in it.

    Attributes
    ----------
    key : str
        Stable name within the figure.
    x, y : Axis
    marks : tuple of Mark
        Drawn in order.
    heading : tuple of (str, str)
        Runs of (text, role) in the plot's upper corner; empty for none.
    heading_side : {"left", "right"}
    weight : float
        Share of the figure's height (width for a `beside` plot), relative to the others.
    beside : bool
        Stands to the right of the plot before it and shares its y axis.
    keys : int64 array or None
        For plots of one bar a key: which key each bar of the first Bars is, so that hover can name it.
    """

    key: str
    x: Axis
    y: Axis
    marks: tuple[Mark, ...]
    heading: tuple[tuple[str, str], ...] = ()
    heading_side: Literal["left", "right"] = "left"
    weight: float = 1.0
    beside: bool = False
    keys: NDArray[np.int64] | None = field(default=None)


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of words and numbers: a figure's content where curves would say less.

    Attributes
    ----------
    heads : tuple of str
        Of the columns.
    rows : tuple of tuple of str
        As many cells as heads; ready to show.
    roles : tuple of str
        Colour role of each row's first cell, such as that of its rule; empty for the ink.
    numeric : tuple of bool
        Which columns are flush right; all but the first when left out.
    values : tuple of tuple of (float or str)
        The same cells in full precision, for files of data; the words themselves where left out.
    """

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    roles: tuple[str, ...] = ()
    numeric: tuple[bool, ...] = ()
    values: tuple[tuple[float | str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A line of a page of text.

    Attributes
    ----------
    text : str
        Plain words with the signs of formulas (√, ², σ) as they are; no markup.
    kind : {"heading", "words", "formula", "numbers"}
    """

    text: str
    kind: Literal["heading", "words", "formula", "numbers"] = "words"


@dataclass(frozen=True, slots=True)
class Figure:
    """What one card shows.

    Attributes
    ----------
    key : str
        Id of the figure: `walk`, `scores`, `weights`.
    title, subtitle, note : str
        Name; one line under it; a few words at the right of the title.
    plots : tuple of Plot
        From top to bottom, `beside` ones to the right.
    summary : str
        One sentence that says what is seen, for screen readers and captions.
    table : Table or None
        Shown under the plots, or alone where there are none.
    page : tuple of Paragraph
        Text shown under plots and table, or alone; scrolled where it is long.
    """

    key: str
    title: str
    subtitle: str
    note: str
    plots: tuple[Plot, ...]
    summary: str
    table: Table | None = None
    page: tuple[Paragraph, ...] = ()
