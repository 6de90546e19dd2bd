"""`attnsim table`: how scores and weights change with the dimension, rule by rule."""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import Any

from attnsim.cli import scenario_options
from attnsim.cli.command import Command, Window
from attnsim.cli.printing import print_columns, print_json, rounded, say
from attnsim.experiments.table import table
from attnsim.scenario import Scenario, knobs
from attnsim.words import _, mark

DIMS = (16, 64, 256, 512, 1024)


def add_options(parser: ArgumentParser) -> None:
    """Add the command's options."""
    default = ",".join(map(str, DIMS))
    parser.add_argument(
        "--dims", default=default, metavar="N,...", help=_("dimensions; default {default}").format(default=default)
    )
    parser.add_argument("--json", action="store_true", help=_("print JSON"))
    scenario_options.add(parser, leave_out=("dim",))


def run(given: Namespace, window: Window) -> int:
    """Print the table."""
    scenario, dims = scenario_options.read(given), read_dims(given.dims)
    records = table(scenario, dims)
    if given.json:
        print_json(records)
    else:
        show(scenario, records)
    return 0


def read_dims(text: str) -> tuple[int, ...]:
    """Return the dimensions of a list with commas.

    Raises
    ------
    ValueError
        If there is none, or one is no dimension.
    """
    limits = knobs()["dim"]
    dims = [scenario_options.whole("dims", part, int(limits.low), int(limits.high)) for part in text.split(",")]
    return tuple(dict.fromkeys(dims))


def show(scenario: Scenario, records: Sequence[dict[str, Any]]) -> None:
    """Print the table for people."""
    say(
        _(
            "Scaled scores (sd over all pairs, and within rows) and softmax weights (largest: mean and median; "
            "entropy in nats): keys n = {keys}, law {law}, seed {seed}, rows {rows}"
        ).format(keys=scenario.keys, law=scenario.law, seed=scenario.seed, rows=scenario.rows)
    )
    heads = (
        _("rule"), _("d"), _("mean"), _("sd"), _("95 % from"), _("to"), _("theory"), _("within rows"), _("theory"),
        _("largest weight"), _("median"), _("entropy"),
    )  # fmt: skip
    names = (
        "mean", "sd", "sd_low", "sd_high", "theory_sd", "within_row_sd", "theory_within_row_sd",
        "largest_weight_mean", "largest_weight_median", "entropy_mean",
    )  # fmt: skip
    lines = [(r["scaling"], str(r["dim"]), *(rounded(r[name]) for name in names)) for r in records]
    print_columns(heads, lines)


COMMAND = Command(
    key="table",
    sentence=mark("Tabulate scores and weights by dimension and scale rule."),
    add_options=add_options,
    run=run,
)
