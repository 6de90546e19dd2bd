"""`attnsim diagnose`: how many keys compete with the best one, and from which factor on it wins."""

from argparse import ArgumentParser, Namespace
from typing import Any

from attnsim import api
from attnsim.cli import scenario_options, vector_options
from attnsim.cli.command import Command, Window
from attnsim.cli.printing import print_columns, print_json, rounded, say
from attnsim.experiments.diagnostics import Diagnostics, diagnose
from attnsim.words import _, mark

SHOWN = 12  # points of the curve that are printed for people


def add_options(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("--json", action="store_true", help=_("print JSON with the whole curve"))
    vector_options.add(parser)
    scenario_options.add(parser)


def run(given: Namespace, window: Window) -> int:
    """Print the diagnostics of the row."""
    result = api.run(scenario_options.read(given), vector_options.read(given))
    found = diagnose(result)
    if given.json:
        print_json(record(found))
    else:
        show(found)
    return 0


def record(found: Diagnostics) -> dict[str, Any]:
    """Return what `diagnose --json` prints; scores are raw, so factors are those of a scale rule."""
    return {
        "keys": found.keys,
        "score_sd": found.score_sd,
        "gaps": found.gaps,
        "competitors": found.competitors,
        "normal_competitors": found.normal_competitors,
        "concentration_scale": found.concentration_scale,
        "accumulation_scale": found.accumulation_scale,
        "normal_threshold": found.normal_threshold,
        "rules": {name: {"multiplier": factor, "concentrated": on} for name, factor, on in found.rules},
    }


def show(found: Diagnostics) -> None:
    """Print the same for people."""
    places = range(0, len(found.gaps), max(1, len(found.gaps) // SHOWN))
    lines = [
        (
            rounded(float(found.gaps[i])),
            rounded(float(found.competitors[i])),
            rounded(float(found.normal_competitors[i])),
        )
        for i in places
    ]
    print_columns(
        (_("gap to the largest raw score"), _("competitors within"), _("if scores were normal")), lines, words=0
    )
    say()
    say(
        _("One key holds half (sum p² = 1/2) from the factor {scale} on.").format(
            scale=rounded(found.concentration_scale)
        )
    )
    say(
        _("No gap's competitors outweigh it from {scale} on; normal scores of this spread: {normal}.").format(
            scale=rounded(found.accumulation_scale), normal=rounded(found.normal_threshold)
        )
    )
    yes, no = _("concentrated"), _("spread")
    print_columns(
        (_("rule"), _("factor"), _("this row")),
        [(name, rounded(factor), yes if on else no) for name, factor, on in found.rules],
    )


COMMAND = Command(
    key="diagnose",
    sentence=mark("Say how many keys compete with the best one of a row, and from which factor on one key wins."),
    add_options=add_options,
    run=run,
)
