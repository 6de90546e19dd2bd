"""The state that a file or a link holds."""

import json
import os
from pathlib import Path

from attnsim.files import link, session
from attnsim.files.provenance_reader import entries
from attnsim.files.state import State, from_json
from attnsim.words import _


def state_in(source: str | os.PathLike[str]) -> tuple[State, tuple[str, ...]] | None:
    """Return the state that a link, a session or an exported file holds.

    Parameters
    ----------
    source : str or path
        A link (`attnsim:1?...`), or a file: a session, or a picture, film or data file that attnsim wrote.

    Returns
    -------
    (State, tuple of str) or None
        With a sentence for each thing that could not be restored. None for a file that holds no state, such as one
        of vectors.

    Raises
    ------
    ValueError
        If there is no such file, or its state is damaged beyond reading.
    """
    if isinstance(source, str) and link.is_link(source):
        return link.from_link(source)
    path = Path(source)
    if path.suffix.lower() == session.SUFFIX:
        return session.read(path)
    said = entries(path)
    if "attnsim:state" in said:
        return from_json(said["attnsim:state"])
    if "attnsim:scenario" in said:
        return from_json(_of_parts(said))
    return None


def _of_parts(said: dict[str, str]) -> str:
    """Return the state of a file from before states had a version."""
    try:
        scenario, view = (json.loads(said.get(f"attnsim:{name}", "{}")) for name in ("scenario", "view"))
        section = scenario.pop("section", None) or {}
        view["picks"] = dict(view.get("picks", ()))
    except (ValueError, TypeError, AttributeError) as error:
        raise ValueError(_("what the file says of its scenario is damaged")) from error
    lab = said.get("attnsim:lab", "walk")
    return json.dumps({"lab": lab, "scenario": scenario, "section": section, "view": view})
