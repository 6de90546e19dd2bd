"""`attnsim export`: the figures, written to a file."""

import sys
from argparse import ArgumentParser, Namespace
from dataclasses import replace
from pathlib import Path
from typing import Any

from attnsim import api
from attnsim.cli import scenario_options, vector_options
from attnsim.cli.command import Command, Window
from attnsim.cli.printing import say
from attnsim.files.page_sizes import SIZES
from attnsim.files.pictures import save_each
from attnsim.files.typed_text import listed, number
from attnsim.labs import LABS
from attnsim.labs.lab import Lab
from attnsim.view import View
from attnsim.words import _, mark


def add_options(parser: ArgumentParser) -> None:
    """Add the command's options."""
    add_page_options(parser, LABS["walk"], required=True)
    add_view_options(parser)
    vector_options.add(parser)
    scenario_options.add(parser)


def add_page_options(parser: ArgumentParser, lab: Lab, required: bool) -> None:
    """Add what is written, where and how."""
    known = ", ".join(lab.figures)
    parser.add_argument("--figures", metavar="KEY,...", help=_("figures: {known}").format(known=known))
    parser.add_argument("--out", required=required, metavar="FILE", help=_("the file; its suffix decides the format"))
    parser.add_argument("--theme", metavar="THEME", help=_("print, light or dark; default print"))
    sizes = ", ".join(SIZES)
    parser.add_argument(
        "--size", metavar="SIZE", help=_("{known}, or pixels such as 1280x720; default double").format(known=sizes)
    )
    parser.add_argument("--width-mm", metavar="X", help=_("width of the page in millimetres"))
    parser.add_argument("--height-mm", metavar="X", help=_("its height; follows from its content when left out"))
    parser.add_argument("--bare", action="store_true", help=_("the figures alone, without words and numbers around"))
    parser.add_argument("--each", action="store_true", help=_("each figure in a file of its own"))
    parser.add_argument("--dpi", metavar="X", help=_("dots per inch of a picture made of dots"))


def add_view_options(parser: ArgumentParser) -> None:
    """Add how the result is looked at."""
    group = parser.add_argument_group(_("view"))
    group.add_argument("--playhead", metavar="M", help=_("the moment shown, such as a dimension; default is the last"))
    group.add_argument("--marked", metavar="N,...", help=_("keys to mark, at most six"))
    group.add_argument("--rule", metavar="RULE", help=_("scale rule of the lower score plot"))
    group.add_argument("--log-weights", action="store_true", help=_("weights on a logarithmic axis"))
    group.add_argument("--bits", action="store_true", help=_("entropy in bits; else in nats"))


def page_options(given: Namespace) -> dict[str, Any]:
    """Return what `api.save` takes of the options given."""
    options: dict[str, Any] = {} if given.theme is None else {"theme": given.theme}
    options |= {"bare": given.bare} | ({} if given.size is None else {"size": given.size})
    for name in ("width_mm", "height_mm", "dpi"):
        if (text := getattr(given, name)) is not None:
            options[name] = _number(name, text)
    return options


def run(given: Namespace, window: Window) -> int:
    """Write the figures and say where they are."""
    options, view = page_options(given), showing(view_of(given), given.figures, LABS["walk"])
    result = api.run(scenario_options.read(given), vector_options.read(given))
    if given.rule is not None and given.rule not in result.scenario.scalings:
        known = ", ".join(result.scenario.scalings)
        raise ValueError(_("rule must be one of {known}, not {value}").format(known=known, value=repr(given.rule)))
    for file in write(result, view, given, "walk", options):
        say(_("Wrote {file}").format(file=file))
    return 0


def write(result: Any, view: View, given: Namespace, lab: str, options: dict[str, Any]) -> list[Path]:
    """Write what the options ask for and return the files."""
    options = options | {"lab": lab, "say": lambda sentence: sys.stderr.write(sentence + "\n")}
    if given.each:
        return save_each(result, given.out, view, **options)
    return [api.save(result, given.out, view, **options)]


def _number(name: str, text: str) -> float:
    value = number(text)
    if isinstance(value, str):
        raise ValueError(_("{name} must be a number, not {value}").format(name=name, value=repr(text)))
    return float(value)


def showing(view: View, figures: str | None, lab: Lab) -> View:
    """Return the same view with the figures shown that a user typed.

    Raises
    ------
    ValueError
        If the lab does not have one of them.
    """
    wanted = () if figures is None else tuple(listed(figures))
    for key in wanted:
        if key not in lab.figures:
            raise ValueError(
                _("figures must be some of {known}, not {value}").format(known=", ".join(lab.figures), value=repr(key))
            )
    return replace(view, figures=wanted)


def view_of(given: Namespace) -> View:
    """Return the View of the options given."""
    chosen: dict[str, Any] = {"log_weights": given.log_weights, "bits": given.bits}
    if given.playhead is not None:
        chosen["playhead"] = scenario_options.whole("playhead", given.playhead, 0)
    if given.marked is not None:
        keys = listed(given.marked)
        chosen["marked"] = tuple(dict.fromkeys(scenario_options.whole("marked", key, 0) for key in keys))
    if given.rule is not None:
        chosen["rule"] = given.rule
    return View(**chosen)


COMMAND = Command(
    key="export",
    sentence=mark("Write the figures to a file (png, svg, pdf), or the numbers behind them (csv, npz, json)."),
    add_options=add_options,
    run=run,
)
