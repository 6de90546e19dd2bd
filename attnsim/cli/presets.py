"""`attnsim presets`: the questions to begin with."""

from argparse import ArgumentParser, Namespace

from attnsim.cli.command import Command, Window
from attnsim.cli.printing import print_json, say
from attnsim.files.link import to_link
from attnsim.files.presets import all_presets
from attnsim.words import _, mark


def add_options(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("--json", action="store_true", help=_("print JSON"))


def run(given: Namespace, window: Window) -> int:
    """List the presets, and say which files could not be read."""
    found, said = all_presets()
    if given.json:
        listed = [
            {
                "name": preset.name,
                "title": _(preset.state.title),
                "notes": _(preset.state.notes),
                "own": preset.own,
                "lab": preset.state.lab,
                "link": to_link(preset.state),
            }
            for preset in found
        ]
        print_json({"presets": listed, "not_read": list(said)})
        return 0
    for preset in found:
        say(f"{preset.name}: {_(preset.state.title)}")
        say(f"    {_(preset.state.notes)}")
    for sentence in said:
        say(sentence)
    return 0


COMMAND = Command(
    key="presets",
    sentence=mark("List the questions to begin with; `attnsim open --preset NAME` opens one."),
    add_options=add_options,
    run=run,
)
