"""Where the package's own data lie: fonts, catalogues, icons, sample files."""

import sys
from pathlib import Path

from attnsim.words import _


def folder() -> Path:
    """Return the folder of the packaged data.

    Returns
    -------
    Path
        `resources` of a frozen program, `attnsim/resources` of an installed package, or `resources` at the top of
        a checkout; the first that exists.

    Raises
    ------
    ValueError
        If there is none, so that the installation is incomplete.
    """
    package = Path(__file__).resolve().parents[1]
    places = [package / "resources"]
    frozen = getattr(sys, "_MEIPASS", None)
    if frozen:
        places = [Path(frozen) / "attnsim" / "resources", Path(frozen) / "resources", *places]
    elif (package.parent / "pyproject.toml").is_file():  # else a folder of that name is another package's
        places.append(package.parent / "resources")
    for place in places:
        if place.is_dir():
            return place
    raise ValueError(_("the folder resources is missing, so attnsim has to be installed again"))


def resource(name: str) -> Path:
    """Return the path of one packaged file or folder.

    Parameters
    ----------
    name : str
        Relative to `folder()`, parts divided by "/", such as "fonts/LICENSE".

    Raises
    ------
    ValueError
        If there is no such resource, or the name leads out of the folder.
    """
    root = folder().resolve()
    path = (root / name).resolve()
    if not path.is_relative_to(root) or not path.exists():
        raise ValueError(_("there is no resource {name}").format(name=repr(name)))
    return path
