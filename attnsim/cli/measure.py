"""`attnsim measure`: how fast the window draws on this machine."""

from argparse import ArgumentParser, Namespace

from attnsim.cli.command import Command, Window
from attnsim.cli.printing import print_columns, print_json, rounded
from attnsim.words import _, mark

UNITS = {"_ms": "ms", "_mb": "MB"}


def add_options(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("--json", action="store_true", help=_("print JSON"))
    parser.add_argument(
        "--labs", action="store_true", help=_("each lab instead: opening, a knob's first picture, a frame")
    )


def run(given: Namespace, window: Window) -> int:
    """Print the numbers.

    Raises
    ------
    ValueError
        If no window can open here.
    """
    if reason := window.missing():
        raise ValueError(_("measure needs a window: {reason}").format(reason=reason))
    if given.labs:
        return _show_labs(window.measure_labs(), given.json)
    numbers = window.measure()
    if given.json:
        print_json(numbers)
        return 0
    lines = [
        (name, rounded(value), next((unit for end, unit in UNITS.items() if name.endswith(end)), ""))
        for name, value in numbers.items()
    ]
    print_columns((_("measured"), _("value"), _("unit")), lines)
    return 0


def _show_labs(measured: dict[str, dict[str, float | None]], as_json: bool) -> int:
    if as_json:
        print_json(measured)
        return 0
    names = list(next(iter(measured.values())))
    rows = [
        (lab, *("–" if value is None else rounded(value) for value in numbers.values()))
        for lab, numbers in measured.items()
    ]
    print_columns((_("lab"), *names), rows)
    return 0


COMMAND = Command(
    key="measure",
    sentence=mark("Open the window, drive it, and print how fast it draws."),
    add_options=add_options,
    run=run,
)
