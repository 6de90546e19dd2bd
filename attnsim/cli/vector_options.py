"""Options that choose real queries and keys: a file, and the place in it that is looked at."""

from argparse import ArgumentParser, Namespace

from attnsim import api
from attnsim.cli.scenario_options import whole
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
    places = {place: whole(place, text, 0) for place, text in asked.items()}
    return api.load_vectors(*given.file).at(**places)
