"""What is on the screen, as one frozen record; `files.state` writes and reads it."""

import dataclasses
from dataclasses import dataclass, field
from typing import Any

from attnsim.choices.sections import SECTIONS, section_of
from attnsim.experiments.result import Record
from attnsim.files.vector_reference import Reference, refer
from attnsim.labs import LABS
from attnsim.labs.lab import Lab
from attnsim.scenario import Scenario
from attnsim.version import __version__
from attnsim.view import View
from attnsim.words import _

FORMAT = 1
WORDS = ("title", "notes")
LISTS = ("hidden", "locked")


def lab_named(key: str) -> Lab:
    """Return a lab by its key.

    Raises
    ------
    ValueError
        If there is no such lab.
    """
    if key not in LABS:
        raise ValueError(_("lab must be one of {known}, not {value}").format(known=", ".join(LABS), value=repr(key)))
    return LABS[key]


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What is on the screen.

    Attributes
    ----------
    lab : str
        Key of the lab.
    scenario : Scenario
        Its section is that of the lab: another one is replaced by the lab's first setting.
    view : View
    vectors : Reference or None
        Which real vectors are looked at, if they are real.
    title, notes : str
        Of a session or preset.
    hidden, locked : tuple of str
        Controls (fields of Scenario, section or View) that are not shown, or shown but held fast.

    Raises
    ------
    ValueError
        If there is no such lab.
    """

    lab: str = "walk"
    scenario: Scenario = field(default_factory=Scenario)
    view: View = field(default_factory=View)
    vectors: Reference | None = None
    title: str = ""
    notes: str = ""
    hidden: tuple[str, ...] = ()
    locked: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        lab_named(self.lab)
        section = section_of(self.lab)
        if type(self.scenario.section) is not type(section):
            object.__setattr__(self, "scenario", self.scenario.but(section=section))


def controls() -> tuple[str, ...]:
    """Return the names that `hidden` and `locked` may hold."""
    records = (Scenario, *SECTIONS.values(), View)
    names = dict.fromkeys(f.name for record in records for f in dataclasses.fields(record))
    return tuple(name for name in names if name != "section")


def changed(record: Any, usual: Any, leave_out: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the fields of a record that are not as in another one."""
    values = {f.name: getattr(record, f.name) for f in dataclasses.fields(record) if f.name not in leave_out}
    return {name: value for name, value in values.items() if value != getattr(usual, name)}


def state_of(result: Record, view: View, lab: str) -> State:
    """Return the state that shows a result again."""
    reference = None if result.vectors is None else refer(result.vectors)
    return State(lab=lab, scenario=result.scenario, view=view, vectors=reference)


def plain(state: State) -> dict[str, Any]:
    """Return a state as what JSON can hold."""
    scenario = dataclasses.asdict(state.scenario)
    section = scenario.pop("section")
    view = dataclasses.asdict(state.view) | {"picks": dict(state.view.picks)}
    parts: dict[str, Any] = {"attnsim": FORMAT, "program": __version__, "lab": state.lab, "scenario": scenario}
    parts |= {"section": section} if section else {}
    parts["view"] = view
    parts |= {"vectors": dataclasses.asdict(state.vectors)} if state.vectors is not None else {}
    return parts | {name: getattr(state, name) for name in (*WORDS, *LISTS) if getattr(state, name)}
