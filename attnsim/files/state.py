"""All that is needed to come back to what is on the screen, and its JSON.

The JSON is one object, `FORMAT` its version; sessions (`.attnsim`), presets and every exported file hold it::

    {
      "attnsim": 1,                      version of this format; higher when a field or a default changes its meaning
      "program": "0.1.0",                version of the program that wrote it
      "lab": "walk",                     a key of `attnsim labs`
      "scenario": {"dim": 256, ...},     fields of the Scenario
      "section": {...},                  options of the lab's own, if it has some
      "view": {"playhead": null, ...},   fields of the View; `picks` is an object
      "vectors": {"title", "layer", "head", "row", "sha256", "kept"},   for real vectors, else absent
      "title": "", "notes": "",          of a session or a preset
      "hidden": [], "locked": []         names of controls that a teacher takes away or holds fast
    }

Every part may be absent. What is unknown, out of its limits or of another version is named in a sentence, and the rest
is restored.
"""

import json

from attnsim.files.damaged_json import read
from attnsim.files.restoring import restore
from attnsim.files.state_record import FORMAT, State, changed, controls, lab_named, plain, state_of
from attnsim.words import _

__all__ = ["FORMAT", "State", "changed", "controls", "from_json", "lab_named", "plain", "state_of", "to_json"]


def to_json(state: State, indent: int | None = None) -> str:
    """Return a state as JSON: every field in full, so that it means the same when a default changes.

    Parameters
    ----------
    state : State
    indent : int, optional
        For people; one line of ASCII when left out.
    """
    return json.dumps(plain(state), indent=indent, ensure_ascii=indent is None, allow_nan=False)


def from_json(text: str) -> tuple[State, tuple[str, ...]]:
    """Read a state, as much of it as can be read.

    Returns
    -------
    State
    tuple of str
        A sentence for each thing that could not be restored.

    Raises
    ------
    ValueError
        If nothing in the text is a state.
    """
    raw, whole = read(text)
    if not isinstance(raw, dict) or not raw.keys() & {"attnsim", "lab", "scenario", "view"}:
        raise ValueError(_("this holds no state of attnsim"))
    state, said = restore(raw)
    return state, said if whole else (_("The text is damaged; what came before the damage is restored."), *said)
