"""`attnsim inspect FILE|LINK`: where a figure comes from."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from attnsim.cli.command import Command, Window
from attnsim.cli.printing import print_json, say
from attnsim.files.link import is_link, to_link
from attnsim.files.opening import state_in
from attnsim.files.provenance_reader import entries
from attnsim.files.script import to_command, to_python
from attnsim.files.state import State, plain
from attnsim.words import _, mark


def add_options(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("source", metavar="FILE|LINK", help=_("a file that attnsim wrote, or a link"))
    parser.add_argument("--json", action="store_true", help=_("print JSON"))


def run(given: Namespace, window: Window) -> int:
    """Print what a file or link says.

    Raises
    ------
    ValueError
        If there is no such file, or it says nothing.
    """
    if not is_link(given.source) and not Path(given.source).exists():
        raise ValueError(_("{file}: there is no such file").format(file=given.source))
    found = state_in(given.source)
    if found is None:
        raise ValueError(_("{file} does not say where it comes from").format(file=Path(given.source).name))
    state, said = found
    file = {} if is_link(given.source) else entries(Path(given.source))
    record: dict[str, Any] = plain(state) | {
        "version": file.get("attnsim:version"),
        "caption": file.get("attnsim:caption"),
        "link": to_link(state),
        "command": to_command(state),
        "python": to_python(state),
        "not_restored": list(said),
    }
    if given.json:
        print_json(record)
    else:
        _show(record)
    return 0


def _show(record: dict[str, Any]) -> None:
    usual = plain(State(lab=record["lab"]))
    for name in ("version", "caption", "lab", "title", "notes"):
        if record.get(name):
            say(f"{name}: {record[name]}")
    for part in ("scenario", "section", "view", "vectors"):
        for name, value in record.get(part, {}).items():
            if value != usual.get(part, {}).get(name) and name != "kept":
                say(f"{part}.{name}: {', '.join(map(str, value)) if isinstance(value, tuple) else value}")
    say(record["link"])
    say(record["command"])
    for sentence in record["not_restored"]:
        say(sentence)


COMMAND = Command(
    key="inspect",
    sentence=mark("Print where the figures of a file or a link come from."),
    add_options=add_options,
    run=run,
)
