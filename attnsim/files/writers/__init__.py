"""Figures written to files. Adding a format is a file beside this one and a line in `WRITERS`."""

import contextlib
import os
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from attnsim.figures.marks import Figure
from attnsim.figures.palette import THEMES
from attnsim.figures.readouts import Readout
from attnsim.files.writers import pdf, png, svg
from attnsim.words import _

__all__ = ["WRITERS", "save"]

Writer = Callable[[Any, BytesIO, Mapping[str, str], float], None]

WRITERS: dict[str, Writer] = {
    ".png": png.write,
    ".svg": svg.write,
    ".pdf": pdf.write,
}

WIDTHS = (50.0, 1200.0)  # millimetres
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
    dpi: float = 300.0,
) -> None:
    """Write figures side by side as one page.

    Parameters
    ----------
    path : path-like
        Its ending chooses the format: `.png`, `.svg` or `.pdf`.
    figures : sequence of Figure
        From left to right.
    title, detail : str
        The sentence above, and its numbers.
    readouts : sequence of Readout
        Cards below.
    provenance : mapping of str to str, optional
        Kept inside the file under the same names; `attnsim:footer` is also printed under the page.
    theme : {"print", "light", "dark"}
    width_mm : float
        Width of the page; the height follows.
    dpi : float
        Pixels per inch of a PNG.

    Raises
    ------
    ValueError
        If a value is out of its limits or the file cannot be written. Nothing half-written stays.

    Notes
    -----
    Equal figures give equal bytes on one version of matplotlib: no date is written.
    """
    target = Path(path)
    writer = _writer(target)
    _check("width_mm", width_mm, WIDTHS)
    _check("dpi", dpi, RESOLUTIONS)
    if theme not in THEMES:
        raise ValueError(
            _("theme must be one of {known}, not {value}").format(known=", ".join(THEMES), value=repr(theme))
        )
    if not figures:
        raise ValueError(_("figures must hold at least one figure, not none"))
    if not target.parent.is_dir():
        raise ValueError(
            _("{name} cannot be written: its folder {folder} does not exist").format(
                name=target.name, folder=repr(target.parent.name)
            )
        )
    _replace(target, _drawn(writer, figures, title, detail, readouts, provenance or {}, theme, width_mm, dpi))


def _drawn(
    writer: Writer,
    figures: Sequence[Figure],
    title: str,
    detail: str,
    readouts: Sequence[Readout],
    provenance: Mapping[str, str],
    theme: str,
    width_mm: float,
    dpi: float,
) -> bytes:
    from attnsim.files.writers.compose import compose
    from attnsim.files.writers.page import Page, settings

    stream = BytesIO()
    with settings():
        page = Page(width_mm, theme, title, detail, provenance.get("attnsim:footer", ""))
        writer(compose(page, figures, readouts), stream, provenance, dpi)
    return stream.getvalue()


def _writer(target: Path) -> Writer:
    writer = WRITERS.get(target.suffix.lower())
    if writer is None:
        raise ValueError(
            _("the name must end in {known}, not {value}").format(known=", ".join(WRITERS), value=repr(target.name))
        )
    return writer


def _check(name: str, value: float, limits: tuple[float, float]) -> None:
    low, high = limits
    if not low <= value <= high:  # nan fails here too
        raise ValueError(
            _("{name} must lie in {low:g}..{high:g}, not {value}").format(name=name, low=low, high=high, value=value)
        )


def _replace(target: Path, content: bytes) -> None:
    """Put the content in place in one step: a full disk leaves the old file as it was."""
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as stream:
            stream.write(content)
        os.replace(part, target)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise ValueError(
            _("{name} cannot be written: {reason}").format(name=target.name, reason=error.strerror or str(error))
        ) from error
