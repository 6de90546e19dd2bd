"""`attnsim export`: the figures, written to a file."""

from argparse import ArgumentParser, Namespace
from typing import Any

from attnsim import api
from attnsim.cli import scenario_options, vector_options
from attnsim.cli.command import Command, Window
from attnsim.cli.printing import say
from attnsim.view import View
from attnsim.words import _, mark


def add_options(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("--out", required=True, metavar="FILE", help=_("the file; its suffix decides the format"))
    parser.add_argument("--theme", metavar="THEME", help=_("print, light or dark; default print"))
    parser.add_argument("--width-mm", metavar="X", help=_("width of the picture in millimetres"))
    parser.add_argument("--dpi", metavar="X", help=_("dots per inch of a picture made of dots"))
    group = parser.add_argument_group(_("view"))
    group.add_argument("--playhead", metavar="M", help=_("the dimension shown; default is the last"))
    group.add_argument("--marked", metavar="N,...", help=_("keys to mark, at most six"))
    group.add_argument("--rule", metavar="RULE", help=_("scale rule of the lower score plot"))
    group.add_argument("--log-weights", action="store_true", help=_("weights on a logarithmic axis"))
    group.add_argument("--bits", action="store_true", help=_("entropy in bits; else in nats"))
    vector_options.add(parser)
    scenario_options.add(parser)


def run(given: Namespace, window: Window) -> int:
    """Write the figures and say where they are."""
    options: dict[str, Any] = {} if given.theme is None else {"theme": given.theme}
    for name in ("width_mm", "dpi"):
        if (text := getattr(given, name)) is not None:
            options[name] = _number(name, text)
    view = _view(given)
    result = api.run(scenario_options.read(given), vector_options.read(given))
    if given.rule is not None and given.rule not in result.scenario.scalings:
        known = ", ".join(result.scenario.scalings)
        raise ValueError(_("rule must be one of {known}, not {value}").format(known=known, value=repr(given.rule)))
    written = api.save(result, given.out, view, **options)
    say(_("Wrote {file}").format(file=written))
    return 0


def _number(name: str, text: str) -> float:
    value = scenario_options.number(text)
    if isinstance(value, str):
        raise ValueError(_("{name} must be a number, not {value}").format(name=name, value=repr(text)))
    return float(value)


def _view(given: Namespace) -> View:
    chosen: dict[str, Any] = {"log_weights": given.log_weights, "bits": given.bits}
    if given.playhead is not None:
        chosen["playhead"] = scenario_options.whole("playhead", given.playhead, 0)
    if given.marked is not None:
        keys = scenario_options.listed(given.marked)
        chosen["marked"] = tuple(dict.fromkeys(scenario_options.whole("marked", key, 0) for key in keys))
    if given.rule is not None:
        chosen["rule"] = given.rule
    return View(**chosen)


COMMAND = Command(
    key="export",
    sentence=mark("Write the figures to a file: png, svg or pdf."),
    add_options=add_options,
    run=run,
)
