"""`attnsim bench`: how fast the kernels are beside what a user would write."""

from argparse import ArgumentParser, Namespace
from typing import Any

from attnsim.bench import GROWTHS, ITEMS
from attnsim.bench.growth import grow
from attnsim.bench.run import measure, one_thread
from attnsim.cli.command import Command, Window
from attnsim.cli.printing import print_columns, print_json, rounded, say
from attnsim.words import _, mark


def add_options(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("--quick", action="store_true", help=_("less than a minute: shorter readings, no long item"))
    parser.add_argument("--only", default="", metavar="ID,...", help=_("these comparisons alone"))
    parser.add_argument("--growth", action="store_true", help=_("print cost against size instead"))
    parser.add_argument("--json", action="store_true", help=_("print JSON"))


def run(given: Namespace, window: Window) -> int:
    """Print the ratios, or cost against size.

    Raises
    ------
    ValueError
        If `--only` names no comparison.
    """
    with one_thread() as note:
        if given.growth:
            show(list(grow(GROWTHS)), given.json, growth_line, GROWTH_HEADS)
            return 0
        only = tuple(name for name in given.only.split(",") if name)
        show(list(measure(ITEMS, given.quick, only)), given.json, ratio_line, RATIO_HEADS)
        if not given.json:
            say(_("One process, one thread, CPU time, median of interleaved rounds; the worst case of each id."))
            say(note)
    return 0


RATIO_HEADS = (mark("id"), mark("against"), mark("case"), mark("ratio"), mark("target"), mark("of the limit"))
GROWTH_HEADS = (mark("kernel"), mark("size"), mark("unit"), mark("ns a unit"), mark("memory rise in MB"))


def show(records: list[dict[str, Any]], as_json: bool, line: Any, heads: tuple[str, ...]) -> None:
    """Print records as JSON or in columns."""
    if as_json:
        print_json(records)
    else:
        print_columns([_(head) for head in heads], [line(record) for record in records], words=3)


def ratio_line(record: dict[str, Any]) -> tuple[str, ...]:
    """Return a comparison's cells."""
    fraction = record["fraction_of_limit"]
    return (
        record["id"],
        record["against"],
        record["reason"] or record["case"] or "",
        rounded(record["ratio"], 3),
        rounded(record["target"], 3),
        "" if fraction is None else f"{fraction:.0%}",
    )


def growth_line(record: dict[str, Any]) -> tuple[str, ...]:
    """Return a kernel and size's cells."""
    return (
        record["id"],
        f"{record['size_name']} = {record['size']}",
        record["unit"],
        rounded(record["ns_per_unit"], 3),
        rounded(record["memory_mb"], 3),
    )


COMMAND = Command(
    key="bench",
    sentence=mark("Measure the kernels beside numpy, scipy and torch, in one run."),
    add_options=add_options,
    run=run,
)
