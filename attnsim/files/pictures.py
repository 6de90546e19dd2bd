"""Figures of a result, written to files: what window, command line and scripts all call."""

import dataclasses
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from attnsim.experiments.records import Walk
from attnsim.experiments.result import Record
from attnsim.figures import FIGURES
from attnsim.figures.marks import Figure
from attnsim.figures.summaries import summary_of
from attnsim.files.page_sizes import page_size
from attnsim.files.state import lab_named
from attnsim.files.writers.provenance import provenance
from attnsim.labs import LABS
from attnsim.view import View
from attnsim.words import _

USUAL_DPI = 300.0

AnyPath = str | os.PathLike[str]


def lab_of(result: Record, figures: Sequence[str] = ()) -> str:
    """Return the key of the first lab that shows results of this kind, and all of these figures if one does."""
    able = [lab for lab in LABS.values() if lab.experiment == result.experiment]
    return next((lab.key for lab in able if set(figures) <= set(lab.figures)), able[0].key)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Picture(Figure):
    """A figure that can be written to a file.

    Attributes
    ----------
    result : Result
    view : View
    """

    result: Record
    view: View

    def save(self, path: AnyPath, **options: Any) -> Path:
        """Write this figure; see `save` for the options."""
        return save(self.result, path, self.view, figures=(self.key,), **options)


def figure(result: Record, name: str, view: View | None = None) -> Picture:
    """Return one figure of a result.

    Parameters
    ----------
    result : Result
    name : str
        A figure of a lab that shows such results, as `attnsim labs` lists them: "walk", "scores", "weights", ...
    view : View, optional
        Playhead, marked keys, axes; everything at the end when left out.

    Returns
    -------
    Picture
        A Figure (plots with marks and axes, and a sentence that says what is seen) with `.save`.

    Raises
    ------
    ValueError
        If there is no such figure, or the playhead lies behind the dimension.
    """
    view = fitting(result, view)
    plain = build(result, name, view)
    parts = {f.name: getattr(plain, f.name) for f in dataclasses.fields(Figure)}
    return Picture(**parts, result=result, view=view)


def fitting(result: Record, view: View | None) -> View:
    """Return a view of a result, the first one where there is none.

    Raises
    ------
    ValueError
        If its playhead or a marked key lies outside of the result.
    """
    view = view or View()
    moments = result.moments
    high = int(moments[-1]) if moments.size else 0
    if view.playhead is not None and not 0 <= view.playhead <= high:
        raise ValueError(_("playhead must lie in 0..{high}, not {value}").format(high=high, value=view.playhead))
    keys = result.row.keys if isinstance(result, Walk) else result.scenario.keys
    for key in view.marked:
        if not 0 <= key < keys:
            raise ValueError(_("marked must lie in 0..{high}, not {value}").format(high=keys - 1, value=key))
    return view


def build(result: Record, name: str, view: View) -> Figure:
    """Return one figure of a result, without a way to save it.

    Raises
    ------
    ValueError
        If no lab that shows such results has it.
    """
    able = [key for lab in LABS.values() if lab.experiment == result.experiment for key in lab.figures]
    if name not in able:
        raise ValueError(
            _("figure must be one of {known}, not {value}").format(
                known=", ".join(dict.fromkeys(able)), value=repr(name)
            )
        )
    return FIGURES[name](result, view)


def save(
    result: Record,
    path: AnyPath,
    view: View | None = None,
    *,
    figures: Sequence[str] = (),
    lab: str | None = None,
    theme: str = "print",
    size: str = "double",
    width_mm: float | None = None,
    height_mm: float | None = None,
    dpi: float | None = None,
    bare: bool = False,
    say: Callable[[str], object] = str,
) -> Path:
    """Write figures of a result side by side, or the numbers behind them, with the scenario inside the file.

    Parameters
    ----------
    result : Result
    path : str or path
        Its suffix decides the format: png, svg or pdf for pictures, csv, npz or json for numbers.
    view : View, optional
        Playhead, marked keys, axes; everything at the end when left out.
    figures : sequence of str
        Figures of the lab, from left to right; those that the view shows when left out.
    lab : str, optional
        The lab that is named in the file; the first that shows such results when left out.
    theme : str
        "print", "light" or "dark".
    size : str
        "single" (a column of 85 mm), "double" (180 mm), "slide" (16:9), "poster" (A1), or pixels such as "1280x720".
    width_mm, height_mm : float, optional
        Of the page, in millimetres, where no size fits; its height follows from its content when left out.
    dpi : float, optional
        Dots per inch of a PNG whose size is no number of pixels; 300 when left out.
    bare : bool
        Without the sentence above, the read-outs and the line below.
    say : callable
        Is called with a sentence where the file is not as good as it might be.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    ValueError
        If a value is out of its limits or the file cannot be written; an old file is then as it was.
    """
    from attnsim.files import writers

    view, lab = fitting(result, view), lab or lab_of(result, figures)
    names = figures or lab_named(lab).visible(view.figures)
    page = page_size(size).holding(len(names))
    writers.save(
        path,
        [build(result, name, view) for name in names],
        **words(result, view, lab, bare),
        theme=theme,
        width_mm=page.width if width_mm is None else width_mm,
        height_mm=height_mm if width_mm is not None or height_mm is not None else page.height,
        scale=1.0 if width_mm is not None else page.scale,
        dpi=page.dpi or (USUAL_DPI if dpi is None else dpi),
        say=say,
    )
    return Path(path)


def words(result: Record, view: View, lab: str, bare: bool = False) -> dict[str, Any]:
    """Return what stands around the figures of a page, and what the file keeps: arguments of `writers.save`."""
    kept = provenance(result, view, lab)
    if bare:
        return {"provenance": {name: text for name, text in kept.items() if name != "attnsim:footer"}}
    summary = summary_of(result)
    title, detail = summary.headline(result, view)
    return {"title": title, "detail": detail, "readouts": summary.readouts(result, view), "provenance": kept}


def save_each(result: Record, path: AnyPath, view: View | None = None, **options: Any) -> list[Path]:
    """Write each figure to a file of its own, whose name ends in the figure's key; see `save` for the parameters."""
    target, view = Path(path), view or View()
    lab = options.get("lab") or lab_of(result)
    names = options.pop("figures", ()) or lab_named(lab).visible(view.figures)
    return [
        save(result, target.with_name(f"{target.stem}-{name}{target.suffix}"), view, figures=(name,), **options)
        for name in names
    ]
