"""`attnsim theory`: what is known exactly, without a single draw."""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from attnsim.cli import scenario_options
from attnsim.cli.command import Command, Window
from attnsim.cli.printing import print_columns, print_json, rounded, say
from attnsim.experiments.closed_forms import rules_at
from attnsim.experiments.closed_record import RAW, closed_record, spread_record
from attnsim.files.typed_text import listed, number
from attnsim.scenario import Scenario
from attnsim.words import _, mark

USUAL_RULE = "inverse_sqrt"  # what attention does
MOST_KEYS = 10**18

TITLES = {
    "mean": mark("mean"),
    "variance": mark("variance"),
    "within_row_variance": mark("variance within a row"),
    "between_row_variance": mark("variance between rows"),
    "skewness": mark("skewness"),
    "excess_kurtosis": mark("excess kurtosis"),
}
COLUMNS = {
    "score_sd": mark("spread in a row"),
    "entropy_mean": mark("entropy"),
    "largest_weight_mean": mark("largest weight"),
    "sum_p2_mean": mark("sum p²"),
    "jacobian_norm2_mean": mark("‖J‖²"),
    "condensation_threshold": mark("threshold"),
    "optimal_scale": mark("best factor"),
}


def add_options(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("--json", action="store_true", help=_("print JSON"))
    parser.add_argument(
        "--scaling",
        "--scalings",
        dest="scaling",
        nargs="+",
        metavar="RULE",
        help=_("one scale rule or several, as in inverse_sqrt power:0.25; default {rule}").format(rule=USUAL_RULE),
    )
    parser.add_argument(
        "--score-sd",
        metavar="X",
        help=_(
            "spread of the scaled scores within a row, in place of dimension, components and rule; goes with --keys"
        ),
    )
    scenario_options.add(parser, leave_out=("scalings", "seed", "rows"))


def run(given: Namespace, window: Window) -> int:
    """Print the closed forms."""
    records = [_of_spread(given)] if given.score_sd is not None else _of_scenario(given)
    if given.json:
        print_json(records[0] if len(records) == 1 else records[0] | {"rules": records})
    else:
        show(records)
    return 0


def _of_scenario(given: Namespace) -> list[dict[str, Any]]:
    names = [name for text in given.scaling or (USUAL_RULE,) for name in listed(text)]
    given.scalings = ",".join(names)
    scenario = scenario_options.read(given)
    return [closed_record(scenario, rule) for rule in rules_at(scenario, scenario.dim)]


def _of_spread(given: Namespace) -> dict[str, Any]:
    for f in fields(Scenario):
        if (f.name != "keys" and getattr(given, f.name, None) is not None) or given.scaling is not None:
            name = f.name if given.scaling is None else "scaling"
            raise ValueError(
                _("{name} cannot go with --score-sd, which stands for dimension, components and rule").format(
                    name="--" + name.replace("_", "-")
                )
            )
    keys = Scenario().keys if given.keys is None else scenario_options.whole("keys", given.keys, 1, MOST_KEYS)
    spread = number(given.score_sd)
    if isinstance(spread, str):
        raise ValueError(_("score_sd must be a number of 0 or more, not {value}").format(value=repr(spread)))
    return spread_record(float(keys), float(spread))


def show(records: Sequence[dict[str, Any]]) -> None:
    """Print the same for people."""
    first = records[0]
    if any(first[name] is not None for name in RAW):
        lines = [(_(TITLES[name]), _said(first[name])) for name in RAW]
        print_columns((_("raw score"), _("exact")), lines)
        say()
    heads = (_("rule"), *map(_, COLUMNS.values()))
    print_columns(heads, [(r["scaling"] or "—", *(_said(r[name]) for name in COLUMNS)) for r in records])
    for note in dict.fromkeys(note for record in records for note in record["notes"]):
        say(_("Note: {note}.").format(note=note))


def _said(value: float | None) -> str:
    return _("no closed form") if value is None else rounded(value)


COMMAND = Command(
    key="theory",
    sentence=mark("Print exact moments of the scores and exact means of the softmax, without drawing."),
    add_options=add_options,
    run=run,
)
