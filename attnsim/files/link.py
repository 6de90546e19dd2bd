"""A state as one line to paste into a chat, a slide or a shell: `attnsim:1?dim=64&keys=16`.

Behind the question mark stand, as in the address of a web page, the fields that are not at their first setting: `lab`,
fields of the Scenario, of the lab's section and of the View by their names, picks as `pick.NAME`, real vectors as
`vectors.NAME`, and `title`, `notes`, `hidden`, `locked`. The number is the format's version (`files.state.FORMAT`).
Numbers that travel with real vectors are too many for a line: a link names their content hash alone.
"""

import dataclasses
from typing import Any
from urllib.parse import quote, unquote

from attnsim.choices.declared import knobs_of
from attnsim.choices.sections import section_of
from attnsim.files.restoring import restore
from attnsim.files.state_record import FORMAT, LISTS, WORDS, State, changed
from attnsim.files.typed_text import listed, number
from attnsim.labs import LABS
from attnsim.scenario import Scenario
from attnsim.view import View
from attnsim.words import _

SCHEME = "attnsim:"
LONGEST = 20_000  # characters
UNTOUCHED = ",:/*().-_~"  # signs that every chat and shell line within quotes leaves alone
REFERENCE = ("title", "layer", "head", "row", "sha256")
OTHERS = ("lab", *WORDS, *LISTS)


def is_link(text: str) -> bool:
    """Whether a text means to be a link."""
    return text.strip().lower().startswith(SCHEME)


def to_link(state: State) -> str:
    """Return a state as one line."""
    parts = {"lab": state.lab} if state.lab != "walk" else {}
    parts |= _changed(state.scenario, Scenario(), leave_out=("section",))
    if state.scenario.section is not None:
        own = _changed(state.scenario.section, section_of(state.lab))
        parts |= {f"section.{name}" if name in _taken() else name: text for name, text in own.items()}
    parts |= _changed(state.view, View(), leave_out=("picks",))
    parts |= {f"pick.{name}": word for name, word in state.view.picks}
    if state.vectors is not None:
        parts |= {f"vectors.{name}": _text(getattr(state.vectors, name)) for name in REFERENCE}
    parts |= _changed(state, State(), leave_out=("lab", "scenario", "view", "vectors"))
    line = "&".join(f"{quote(name, safe=UNTOUCHED)}={quote(text, safe=UNTOUCHED)}" for name, text in parts.items())
    return f"{SCHEME}{FORMAT}?{line}" if line else f"{SCHEME}{FORMAT}"


def from_link(text: str) -> tuple[State, tuple[str, ...]]:
    """Read a link, as much of it as can be read.

    Returns
    -------
    State
    tuple of str
        A sentence for each thing that could not be restored.

    Raises
    ------
    ValueError
        If it is no link.
    """
    line = "".join(text.split())  # chats and mails break long lines
    version, _mark, query = line[len(SCHEME) :].partition("?")
    if not is_link(line) or not version.isdecimal() or len(line) > LONGEST:
        raise ValueError(
            _("a link begins with {scheme} and has at most {most} characters, not {value}").format(
                scheme=f"{SCHEME}{FORMAT}?", most=LONGEST, value=repr(text[:60])
            )
        )
    raw: dict[str, Any] = {"attnsim": int(version[:9]), "scenario": {}, "section": {}, "view": {}}
    pairs = [part.partition("=") for part in query.split("&") if part]
    given = {unquote(name): unquote(value) for name, _sign, value in pairs}
    lab = given.get("lab", "walk")
    for name, value in given.items():
        _put(raw, lab if lab in LABS else "walk", name, value)
    return restore(raw)


def _taken() -> set[str]:
    """Return the names that a section's field cannot stand for by itself."""
    return {f.name for record in (Scenario, View) for f in dataclasses.fields(record)} | set(OTHERS)


def _changed(record: Any, usual: Any, leave_out: tuple[str, ...] = ()) -> dict[str, str]:
    return {name: _text(value) for name, value in changed(record, usual, leave_out).items()}


def _text(value: Any) -> str:
    if isinstance(value, tuple):
        return ",".join(map(_text, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


def _put(raw: dict[str, Any], lab: str, name: str, text: str) -> None:
    """Put one pair where the JSON of a state has it; a name that nobody knows goes to the scenario, to be named."""
    head, dot, rest = name.partition(".")
    section = section_of(lab)
    own = {f.name for f in dataclasses.fields(section)} if section is not None else set()
    if dot and head == "pick":
        raw["view"].setdefault("picks", {})[rest] = text
    elif dot and head == "vectors":
        raw.setdefault("vectors", {})[rest] = number(text) if rest in ("layer", "head", "row") else text
    elif dot and head == "section":
        raw["section"][rest] = _value(section, rest, text)
    elif name in own and name not in _taken():
        raw["section"][name] = _value(section, name, text)
    elif name in OTHERS:
        raw[name] = listed(text) if name in LISTS else text
    elif name in {f.name for f in dataclasses.fields(View)}:
        raw["view"][name] = _value(View(), name, text)
    else:
        raw["scenario"][name] = _value(Scenario(), name, text)


def _value(record: Any, name: str, text: str) -> Any:
    """Return what a text means for a field, judged by the field's limits or its first setting."""
    usual = getattr(record, name, "")
    if (record is not None and name in knobs_of(record)) or usual is None:
        return None if text == "None" else number(text)
    if isinstance(usual, bool):
        return {"yes": True, "no": False}.get(text, text)
    if isinstance(usual, tuple):
        parts = listed(text)
        return [number(part) for part in parts] if name == "marked" else parts
    return text
