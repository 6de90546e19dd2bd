"""Figures written to files. Adding a format is a file beside this one and a line in `WRITERS`."""

import os
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from pathlib import Path

from attnsim.figures.marks import Figure
from attnsim.figures.palette import THEMES
from attnsim.figures.readouts import Readout
from attnsim.files.atomic import check, put
from attnsim.files.writers import csv, gif, json, mp4, npz, pdf, png, svg, video, webm, webp
from attnsim.files.writers.format import Format
from attnsim.words import _

__all__ = ["WRITERS", "format_of", "save"]

WRITERS: dict[str, Format] = {
    ".png": Format(png.write),
    ".svg": Format(svg.write),
    ".pdf": Format(pdf.write),
    ".csv": Format(csv.write, "data"),
    ".npz": Format(npz.write, "data"),
    ".json": Format(json.write, "data"),
    ".webp": Format(webp.write, "film"),
    ".gif": Format(gif.write, "film"),
    ".mp4": Format(mp4.write, "film", video.missing),
    ".webm": Format(webm.write, "film", video.missing),
}

WIDTHS = (50.0, 1200.0)  # millimetres
HEIGHTS = (40.0, 1200.0)
RESOLUTIONS = (30.0, 1200.0)  # dots per inch


def save(
    path: str | os.PathLike[str],
    figures: Sequence[Figure],
    *,
    title: str = "",
    detail: str = "",
    readouts: Sequence[Readout] = (),
    provenance: Mapping[str, str] | None = None,
    theme: str = "print",
    width_mm: float = 180.0,
    height_mm: float | None = None,
    scale: float = 1.0,
    dpi: float = 300.0,
    say: Callable[[str], object] = str,
) -> None:
    """Write figures side by side as one page, or the numbers behind them.

    Parameters
    ----------
    path : path-like
        Its ending chooses the format, one of `WRITERS`.
    figures : sequence of Figure
        From left to right.
    title, detail : str
        The sentence above, and its numbers.
    readouts : sequence of Readout
        Cards below; on a page of given height as many as leave the figures room.
    provenance : mapping of str to str, optional
        Kept inside the file under the same names; `attnsim:footer` is also printed under the page.
    theme : {"print", "light", "dark"}
    width_mm, height_mm : float
        Of the page; the height follows when left out.
    scale : float
        By which the whole page is enlarged, words and lines with it.
    dpi : float
        Pixels per inch of a PNG.
    say : callable
        Is called with a sentence where the file is not as good as it might be: letters that no font here has.

    Raises
    ------
    ValueError
        If a value is out of its limits or the file cannot be written. Nothing half-written stays.

    Notes
    -----
    Equal figures give equal bytes on one version of matplotlib: no date is written.
    """
    target = Path(path)
    found = format_of(target, ("page", "data"))
    check_page(theme, width_mm, height_mm, dpi)
    if not figures:
        raise ValueError(_("figures must hold at least one figure, not none"))
    check(target)
    stream, kept = BytesIO(), provenance or {}
    if found.kind == "data":
        found.write(figures, stream, kept)
    else:
        from attnsim.files.writers.compose import compose
        from attnsim.files.writers.page import Page, settings

        with settings(say):
            page = Page(width_mm, theme, title, detail, kept.get("attnsim:footer", ""), height_mm)
            drawing = compose(page, figures, readouts)
            if target.suffix.lower() == ".png":
                page.check_dots(dpi, scale)
            found.write(drawing, stream, kept, dpi, scale)
    put(target, stream.getvalue())


def format_of(target: Path, kinds: Sequence[str]) -> Format:
    """Return the format of a name.

    Raises
    ------
    ValueError
        If there is none of these kinds of its suffix, or it cannot be written here.
    """
    known = [suffix for suffix, each in WRITERS.items() if each.kind in kinds]
    if target.suffix.lower() not in known:
        raise ValueError(
            _("the name must end in {known}, not {value}").format(known=", ".join(known), value=repr(target.name))
        )
    found = WRITERS[target.suffix.lower()]
    if reason := found.missing():
        raise ValueError(_("{name} cannot be written: {reason}").format(name=target.name, reason=reason))
    return found


def check_page(theme: str, width_mm: float, height_mm: float | None, dpi: float) -> None:
    """Raise ValueError, naming it, for a value that no page can have."""
    _check("width_mm", width_mm, WIDTHS)
    if height_mm is not None:
        _check("height_mm", height_mm, HEIGHTS)
    _check("dpi", dpi, RESOLUTIONS)
    if theme not in THEMES:
        raise ValueError(
            _("theme must be one of {known}, not {value}").format(known=", ".join(THEMES), value=repr(theme))
        )


def _check(name: str, value: float, limits: tuple[float, float]) -> None:
    low, high = limits
    if not low <= value <= high:  # nan fails here too
        raise ValueError(
            _("{name} must lie in {low:g}..{high:g}, not {value}").format(name=name, low=low, high=high, value=value)
        )
