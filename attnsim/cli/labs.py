"""`attnsim labs`: the pages of the program."""

from argparse import ArgumentParser, Namespace

from attnsim.cli.command import Command, Window
from attnsim.cli.printing import print_columns, print_json
from attnsim.labs import LABS
from attnsim.words import _, mark


def add_options(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("--json", action="store_true", help=_("print JSON"))


def run(given: Namespace, window: Window) -> int:
    """Print key, title and figures of each lab."""
    records = [{"key": lab.key, "title": _(lab.title), "figures": list(lab.figures)} for lab in LABS.values()]
    if given.json:
        print_json(records)
    else:
        heads = (_("lab"), _("title"), _("figures"))
        print_columns(heads, [(lab.key, _(lab.title), ", ".join(lab.figures)) for lab in LABS.values()], words=3)
    return 0


COMMAND = Command(key="labs", sentence=mark("List the labs."), add_options=add_options, run=run)
