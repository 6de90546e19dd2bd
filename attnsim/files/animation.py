"""Films: the playhead going over its moments, every picture the page that `save` would write at that moment."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnsim.experiments.result import Record
from attnsim.figures.marks import Figure, Heat
from attnsim.figures.palette import color
from attnsim.files.atomic import check, put
from attnsim.files.page_sizes import INCH, PageSize, page_size
from attnsim.files.pictures import AnyPath, build, fitting, lab_of, words
from attnsim.files.state import lab_named
from attnsim.view import View
from attnsim.words import _

RATES = (1.0, 60.0)  # pictures per second
LENGTHS = (0.2, 120.0)  # seconds
HOLD = 1.0  # seconds for which the last picture stays
KEPT = (".gif", ".webp")  # formats that keep all pictures in memory, a byte a dot, until they are written
MOST_DOTS = 5e8  # of these pictures together


class CancelledError(Exception):
    """The user wants no film any more."""


def animate(
    result: Record,
    path: AnyPath,
    view: View | None = None,
    *,
    figures: Sequence[str] = (),
    lab: str | None = None,
    theme: str = "print",
    size: str = "1280x720",
    fps: float = 25.0,
    seconds: float = 8.0,
    bare: bool = False,
    progress: Callable[[float], object] = float,
    cancel: Callable[[], bool] = bool,
    say: Callable[[str], object] = str,
) -> Path | None:
    """Write a film of the playhead going from its first moment to its last.

    Parameters
    ----------
    result : Result
        One in which something moves.
    path : str or path
        Its suffix decides the format: webp, gif, mp4 or webm.
    view, figures, lab, theme, bare, say
        As for `save`.
    size : str
        Pixels such as "1280x720", or a size of `save`, of which a dot is 1/96 inch.
    fps, seconds : float
        Pictures a second, and how long the playhead goes; the last picture then stays for a second.
    progress : callable
        Is called with the share that is done, 0..1.
    cancel : callable
        Is asked before every picture; True ends the work.

    Returns
    -------
    Path or None
        The file; None if it was cancelled, and then an old file is as it was.

    Raises
    ------
    ValueError
        If nothing moves, a value is out of its limits, or the file cannot be written.
    """
    from attnsim.files import writers

    target, view = Path(path), fitting(result, view)
    found = writers.format_of(target, ("film",))
    times = moments(result, fps, seconds)
    lab = lab or lab_of(result, figures)
    names = figures or lab_named(lab).visible(view.figures)
    _check_moving(result, view, names, lab)
    camera = Camera(result, view, lab, names, theme, page_size(size).holding(len(names)), bare, say)
    if target.suffix.lower() in KEPT:
        camera.check(len(times))
    check(target)
    stream = BytesIO()
    try:
        kept = words(result, view, lab)["provenance"]
        found.write(_shots(camera, times, progress, cancel), stream, kept, fps, round(HOLD * fps))
    except CancelledError:
        return None
    put(target, stream.getvalue())
    progress(1.0)
    return target


def moments(result: Record, fps: float, seconds: float) -> NDArray[np.int64]:
    """Return where the playhead stands in each picture, from the first moment of a result to its last.

    Raises
    ------
    ValueError
        If nothing moves in the result, or rate or length is out of its limits.
    """
    if result.moments.size < 2:
        raise ValueError(_("there is nothing to animate: nothing moves in this lab"))
    for name, value, (low, high) in (("fps", fps, RATES), ("seconds", seconds, LENGTHS)):
        if not low <= value <= high:  # nan fails here too
            raise ValueError(
                _("{name} must lie in {low:g}..{high:g}, not {value}").format(
                    name=name, low=low, high=high, value=value
                )
            )
    count = max(2, round(fps * seconds))
    places = np.rint(np.linspace(0, result.moments.size - 1, count)).astype(np.int64)
    chosen: NDArray[np.int64] = np.asarray(result.moments, dtype=np.int64)[places]
    return chosen


def _check_moving(result: Record, view: View, names: Sequence[str], lab: str) -> None:
    """Raise ValueError, naming figures that move, if none of those to be filmed does."""
    if not any(_moves(result, view, name) for name in names):
        known = ", ".join(name for name in lab_named(lab).figures if _moves(result, view, name))
        raise ValueError(
            _("nothing moves in {names}: these figures move: {known}").format(
                names=", ".join(names), known=known or "–"
            )
        )


def _moves(result: Record, view: View, name: str) -> bool:
    from attnsim.files.writers.series import plain

    some = result.moments[[0, len(result.moments) // 2, -1]].tolist()
    first, *others = (plain(build(result, name, replace(view, playhead=moment))) for moment in some)
    return any(other != first for other in others)


class Camera:
    """Draws pictures of one page at different moments; the page is kept, since making it takes longer than drawing.

    Parameters
    ----------
    result, view, lab, names, theme, size, bare, say
        As in `animate`.
    """

    def __init__(
        self,
        result: Record,
        view: View,
        lab: str,
        names: Sequence[str],
        theme: str,
        size: PageSize,
        bare: bool,
        say: Callable[[str], object],
    ) -> None:
        from attnsim.files.writers import check_page

        check_page(theme, size.width, size.height, 300.0)
        self.result, self.view, self.lab, self.names = result, view, lab, names
        self.theme, self.size, self.bare, self.say = theme, size, bare, say
        self._page: Any = None

    @property
    def dpi(self) -> float:
        """Dots per inch of the page as it is laid out."""
        return (self.size.dpi or 96.0) * self.size.scale

    def check(self, count: int) -> None:
        """Raise ValueError if that many pictures are more than fit into memory."""
        height = self.size.height or self.size.width
        dots = self.size.width * height * (self.dpi / INCH) ** 2
        if dots * count > MOST_DOTS:
            raise ValueError(
                _("{count} pictures of this size are too many: at most {most} fit into memory").format(
                    count=count, most=int(MOST_DOTS / dots)
                )
            )

    def picture(self, moment: int) -> Any:
        """Return the page at a moment, as a picture of Pillow in RGB. Call it within `page.settings`."""
        from attnsim.files.writers.compose import compose
        from attnsim.files.writers.film_palette import numbers
        from attnsim.files.writers.page import Page
        from attnsim.files.writers.raster import picture

        view = replace(self.view, playhead=moment, hovered=None)
        around = words(self.result, view, self.lab, self.bare)
        title, detail = around.get("title", ""), around.get("detail", "")
        if self._page is None:
            footer = around["provenance"].get("attnsim:footer", "")
            self._page = Page(self.size.width, self.theme, title, detail, footer, self.size.height)
        else:
            self._page.wipe(title, detail)
        figures = [build(self.result, name, view) for name in self.names]
        drawing = compose(self._page, figures, around.get("readouts", ()))
        shot = picture(drawing, self.dpi)
        shot.info["colors"] = numbers(self._colors(figures))
        return shot

    def _colors(self, figures: list[Figure]) -> list[str]:
        """Return the page's colour and those of all that is shown."""
        marks = [mark for figure in figures for plot in figure.plots for mark in plot.marks]
        headings = [role for figure in figures for plot in figure.plots for _text, role in plot.heading]
        roles = [mark.role for mark in marks if not isinstance(mark, Heat)]
        words = [f"text_{role}" for role in (*headings, "muted", "ink")]
        return [color(role, self.theme) for role in ("page", "card", *roles, *words, "border", "grid", "good", "warn")]


def _shots(
    camera: Camera, times: NDArray[np.int64], progress: Callable[[float], object], cancel: Callable[[], bool]
) -> Iterator[Any]:
    """Yield the last picture, from which a palette can be made, and then all in order."""
    from attnsim.files.writers.page import settings

    with settings(camera.say):
        last = camera.picture(int(times[-1]))
        yield last
        before, shot = -1, last
        for done, moment in enumerate(times[:-1].tolist()):
            if cancel():
                raise CancelledError
            progress(done / len(times))
            if moment != before:
                before, shot = moment, camera.picture(moment)
            yield shot
        yield last
