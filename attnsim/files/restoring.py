"""A State from what a file or a link says: what does not fit is named, and the rest is restored."""

import dataclasses
from collections.abc import Mapping
from typing import Any

from attnsim.choices.sections import section_of
from attnsim.figures import FIGURES
from attnsim.files.state_record import FORMAT, LISTS, WORDS, State, controls
from attnsim.files.vector_reference import Kept, Reference
from attnsim.labs import LABS
from attnsim.scenario import Scenario
from attnsim.view import MOST_MARKED, View
from attnsim.words import _

PARTS = ("attnsim", "program", "lab", "scenario", "section", "view", "vectors", *WORDS, *LISTS)
SHOWN = 60  # characters of a value that a sentence repeats

Said = list[str]


def restore(raw: Mapping[str, Any]) -> tuple[State, tuple[str, ...]]:
    """Return the state that a JSON object describes, and a sentence for each thing in it that could not be restored."""
    said: Said = []
    _check_version(raw, said)
    _name_unknown("", raw, PARTS, said)
    lab = raw.get("lab", "walk")
    if not isinstance(lab, str) or lab not in LABS:
        said.append(_("There is no lab {value} here; Walk to weights is shown.").format(value=_short(lab)))
        lab = "walk"
    vectors = _vectors(raw.get("vectors"), lab, said)
    scenario = _scenario(raw, lab, said)
    view = _view(_object("view", raw, said), lab, said)
    if vectors is None and LABS[lab].experiment == "walk":
        view = _within(view, scenario, said)
    others: dict[str, Any] = {name: _text(name, raw.get(name, ""), said) for name in WORDS}
    others |= {name: _controls(name, raw.get(name, []), said) for name in LISTS}
    return State(lab=lab, scenario=scenario, view=view, vectors=vectors, **others), tuple(said)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"


def _check_version(raw: Mapping[str, Any], said: Said) -> None:
    version = raw.get("attnsim")
    if version == FORMAT and type(version) is int:
        return
    if type(version) is int and version > FORMAT:
        sentence = _(
            "It was written by a newer attnsim (format {version}, here {known}): what is known here is restored."
        )
    else:
        sentence = _("It was written by an older attnsim (format {version}, here {known}): what is there is restored.")
    said.append(sentence.format(version=_short(version) if version is not None else "–", known=FORMAT))


def _object(name: str, raw: Mapping[str, Any], said: Said) -> Mapping[str, Any]:
    value = raw.get(name, {})
    if isinstance(value, Mapping):
        return value
    said.append(_("{name} is left out: it cannot be {value}.").format(name=name, value=_short(value)))
    return {}


def _name_unknown(where: str, raw: Mapping[str, Any], known: Any, said: Said) -> None:
    for name in raw:
        if name not in known:
            shown = f"{where}.{name}" if where else str(name)
            said.append(_("{name} is not known here and left out.").format(name=shown[:SHOWN]))


def _scenario(raw: Mapping[str, Any], lab: str, said: Said) -> Scenario:
    """Return the scenario; where its fields do not go together, as many of them as do."""
    section = section_of(lab)
    outer, inner = _object("scenario", raw, said), _object("section", raw, said)
    own = {f.name for f in dataclasses.fields(Scenario)} - {"section"}
    theirs = {f.name for f in dataclasses.fields(section)} if section is not None else set()
    _name_unknown("scenario", outer, own, said)
    _name_unknown("section", inner, theirs, said)
    wanted = {name: value for name, value in outer.items() if name in own}
    wanted |= {name: value for name, value in inner.items() if name in theirs}
    rules = wanted.get("scalings")
    if isinstance(rules, (list, tuple)) and all(isinstance(rule, str) for rule in rules):
        wanted["scalings"] = tuple(rules)
    elif rules is not None:
        said.append(_("{name} is left out: it cannot be {value}.").format(name="scalings", value=_short(rules)))
        del wanted["scalings"]
    return _fitted(Scenario(section=section), wanted, said)


def _fitted(scenario: Scenario, wanted: dict[str, Any], said: Said) -> Scenario:
    try:
        return scenario.but(**wanted)
    except (ValueError, TypeError):
        errors: dict[str, str] = {}
    before = len(wanted) + 1
    while wanted and len(wanted) < before:  # one field may fit only behind another
        before, errors = len(wanted), {}
        for name, value in list(wanted.items()):
            try:
                scenario = scenario.but(**{name: value})
            except (ValueError, TypeError) as error:
                errors[name] = str(error)
            else:
                del wanted[name]
    for name, reason in errors.items():
        value = getattr(scenario, name, None) if hasattr(scenario, name) else getattr(scenario.section, name)
        said.append(_("{name} stays {value}: {reason}.").format(name=name, value=_short(value), reason=reason[:300]))
    return scenario


def _view(raw: Mapping[str, Any], lab: str, said: Said) -> View:
    usual = {f.name: f.default for f in dataclasses.fields(View)}
    _name_unknown("view", raw, usual, said)
    chosen: dict[str, Any] = {}
    for name, value in raw.items():
        if name in usual:
            fitting = _VIEW.get(name, _like(usual[name]))(value)
            if fitting is None:
                said.append(_("{name} is left out: it cannot be {value}.").format(name=name, value=_short(value)))
            else:
                chosen[name] = fitting[0]
    chosen["figures"] = _figures(chosen.get("figures", ()), said)
    chosen["picks"] = _picks(chosen.get("picks", ()), lab, said)
    return View(**chosen)


def _is_whole(value: Any) -> bool:
    return type(value) is int and 0 <= value < 2**63


def _place(value: Any) -> tuple[Any] | None:
    return (value,) if value is None or _is_whole(value) else None


def _marked(value: Any) -> tuple[Any] | None:
    fits = isinstance(value, (list, tuple)) and len(value) <= MOST_MARKED and all(_is_whole(key) for key in value)
    return (tuple(dict.fromkeys(value)),) if fits else None


def _names(value: Any) -> tuple[Any] | None:
    fits = isinstance(value, (list, tuple)) and all(isinstance(name, str) for name in value)
    return (tuple(value),) if fits else None


def _pairs(value: Any) -> tuple[Any] | None:
    fits = isinstance(value, Mapping) and all(isinstance(word, str) for word in value.values())
    return (tuple(value.items()),) if fits else None


def _like(usual: Any) -> Any:
    return lambda value: (value,) if type(value) is type(usual) else None


_VIEW = {"playhead": _place, "hovered": _place, "marked": _marked, "figures": _names, "picks": _pairs}


def _figures(names: tuple[str, ...], said: Said) -> tuple[str, ...]:
    for name in names:
        if name not in FIGURES:
            said.append(_("There is no figure {value} here.").format(value=_short(name)))
    return tuple(name for name in names if name in FIGURES)


def _picks(picks: tuple[tuple[str, str], ...], lab: str, said: Said) -> tuple[tuple[str, str], ...]:
    """Return the picks that a lab offers; one of another lab stays, for the view is carried along."""
    here = {pick.name: pick for pick in LABS[lab].picks}
    kept = []
    for name, word in picks:
        offers = [here[name]] if name in here else [p for each in LABS.values() for p in each.picks if p.name == name]
        if any(word == option for pick in offers for option, _title in pick.options):
            kept.append((name, word))
        else:
            said.append(_("{name} is left out: it cannot be {value}.").format(name=name[:SHOWN], value=_short(word)))
    return tuple(kept)


def _within(view: View, scenario: Scenario, said: Said) -> View:
    """Return the view without a playhead behind the walk's end or keys that the row does not have."""
    changes: dict[str, Any] = {}
    if view.playhead is not None and view.playhead > scenario.dim:
        changes["playhead"] = None
        said.append(_("The playhead stands at the end, for there is no step {value}.").format(value=view.playhead))
    if any(key >= scenario.keys for key in view.marked):
        changes["marked"] = tuple(key for key in view.marked if key < scenario.keys)
        said.append(_("Marks of keys that the row does not have are left out."))
    if view.hovered is not None and view.hovered >= scenario.keys:
        changes["hovered"] = None
    return dataclasses.replace(view, **changes)


def _vectors(raw: Any, lab: str, said: Said) -> Reference | None:
    if raw is None:
        return None
    if not LABS[lab].real or not isinstance(raw, Mapping):
        said.append(_("The real vectors are left out: this lab draws its own."))
        return None
    _name_unknown("vectors", raw, {f.name for f in dataclasses.fields(Reference)}, said)
    plain = {name: raw[name] for name in ("title", "layer", "head", "row", "sha256") if name in raw}
    try:
        reference = Reference(**plain | {name: str(plain.get(name, "")) for name in ("title", "sha256")})
    except ValueError as error:
        said.append(_("The real vectors are left out: {reason}.").format(reason=error))
        return None
    return dataclasses.replace(reference, kept=_kept(raw.get("kept"), said))


def _kept(raw: Any, said: Said) -> Kept | None:
    if raw is None:
        return None
    try:
        kept = Kept(**raw)
        kept.numbers()
    except (ValueError, TypeError, AttributeError):
        said.append(_("The vectors kept in the file are damaged: their own file is needed."))
        return None
    return kept


def _text(name: str, value: Any, said: Said) -> str:
    if isinstance(value, str):
        return value
    said.append(_("{name} is left out: it cannot be {value}.").format(name=name, value=_short(value)))
    return ""


def _controls(name: str, value: Any, said: Said) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)):
        said.append(_("{name} is left out: it cannot be {value}.").format(name=name, value=_short(value)))
        return ()
    known = controls()
    for each in value:
        if each not in known:
            said.append(_("{name} is left out: it cannot be {value}.").format(name=name, value=_short(each)))
    return tuple(each for each in value if each in known)
