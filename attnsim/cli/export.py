"""`attnsim export`: the figures, written to a file."""

from argparse import ArgumentParser, Namespace
from dataclasses import replace
from typing import Any

from attnsim import api
from attnsim.cli import page_options, scenario_options, vector_options
from attnsim.cli.command import Command, Window
from attnsim.cli.printing import say
from attnsim.files.typed_text import listed
from attnsim.labs import LABS
from attnsim.labs.lab import Lab
from attnsim.view import View
from attnsim.words import _, mark


def add_options(parser: ArgumentParser) -> None:
    """Add the command's options."""
    page_options.add(parser, LABS["walk"])
    add_view_options(parser)
    vector_options.add(parser)
    scenario_options.add(parser)


def add_view_options(parser: ArgumentParser) -> None:
    """Add how the result is looked at."""
    group = parser.add_argument_group(_("view"))
    group.add_argument("--playhead", metavar="M", help=_("the moment shown, such as a dimension; default is the last"))
    group.add_argument("--marked", metavar="N,...", help=_("keys to mark, at most six"))
    group.add_argument("--rule", metavar="RULE", help=_("scale rule of the lower score plot"))
    group.add_argument("--log-weights", action="store_true", help=_("weights on a logarithmic axis"))
    group.add_argument("--bits", action="store_true", help=_("entropy in bits; else in nats"))


def run(given: Namespace, window: Window) -> int:
    """Write the figures and say where they are."""
    if given.out is None and given.animate is None:
        raise ValueError(_("name a file: --out FILE for a page, numbers or a film"))
    options, view = page_options.read(given), showing(view_of(given), given.figures, LABS["walk"])
    result = api.run(scenario_options.read(given), vector_options.read(given))
    if given.rule is not None and given.rule not in result.scenario.scalings:
        known = ", ".join(result.scenario.scalings)
        raise ValueError(_("rule must be one of {known}, not {value}").format(known=known, value=repr(given.rule)))
    for file in page_options.write(result, view, given, "walk", options):
        say(_("Wrote {file}").format(file=file))
    return 0


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
    sentence=mark(
        "Write the figures to a file (png, svg, pdf), their numbers (csv, npz, json), or a film (webp, gif, mp4)."
    ),
    add_options=add_options,
    run=run,
)
