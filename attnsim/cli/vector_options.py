"""Options that choose real queries and keys: a file, and the place in it that is looked at."""

from argparse import ArgumentParser, Namespace
from dataclasses import fields

from attnsim import api
from attnsim.cli.scenario_options import whole
from attnsim.files.script import MEANT_FOR_FILES
from attnsim.scenario import Scenario
from attnsim.vectors import Vectors
from attnsim.words import _

PLACES = ("layer", "head", "row")


def add(parser: ArgumentParser) -> None:
    """Add the options."""
    group = parser.add_argument_group(_("real queries and keys instead of drawn ones"))
    group.add_argument(
        "--file", nargs="+", metavar="PATH", help=_("a file with queries and keys, or one file for each")
    )
    for place in PLACES:
        sentence = _("which {place} of the file; default 0, and the last row of a causal model").format(place=place)
        if place != "row":
            sentence = _("which {place} of the file; default 0").format(place=place)
        group.add_argument("--" + place, metavar="N", help=sentence)


def read(given: Namespace) -> Vectors | None:
    """Return the vectors of the options given, or None.

    Raises
    ------
    ValueError
        Names the file, or the place that does not exist.
    """
    asked = {place: getattr(given, place) for place in PLACES if getattr(given, place) is not None}
    if given.file is None:
        if asked:
            name = next(iter(asked))
            raise ValueError(_("{name} says where to look in a file: name it with --file").format(name=name))
        return None
    for f in fields(Scenario):
        if f.name not in MEANT_FOR_FILES and getattr(given, f.name, None) is not None:
            raise ValueError(
                _("{name} is for drawn vectors: leave it out, or leave out --file").format(
                    name="--" + f.name.replace("_", "-")
                )
            )
    places = {place: whole(place, text, 0) for place, text in asked.items()}
    return api.load_vectors(*given.file).at(**places)
