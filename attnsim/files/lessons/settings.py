"""What a step sets: lab, scenario, view; a step keeps what the steps before it have set."""

from dataclasses import dataclass, fields, replace
from typing import Any

from attnsim.choices.declared import options_of
from attnsim.choices.sections import section_of
from attnsim.files.lessons.records import Claim
from attnsim.files.lessons.yaml_block import as_number, words_in
from attnsim.labs import LABS
from attnsim.labs.lab import Lab
from attnsim.scenario import Scenario
from attnsim.view import View
from attnsim.words import _

LOOKS = ("playhead", "marked", "rule", "log_weights", "bits")  # fields of the View
OWN = ("lab", "figures", "play", "check", "fresh", "show")
YES, NO = ("on", "yes", "true"), ("off", "no", "none", "false")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the program is set to during a step; see `Step` for the fields."""

    lab: str
    scenario: Scenario
    view: View
    play: bool = False
    claims: tuple[Claim, ...] = ()

    @classmethod
    def first(cls) -> "Settings":
        """Return what every lesson starts from: the program's own first settings."""
        return cls(lab="walk", scenario=Scenario(), view=View())

    def changed(self, given: dict[str, Any]) -> "Settings":
        """Return the settings of a step.

        Parameters
        ----------
        given : dict
            Names and values as the file has them.

        Raises
        ------
        ValueError
            Names what is unknown or out of its limits.
        """
        before = Settings.first() if _truth("fresh", given.get("fresh", False)) else self
        lab = _lab(str(given.get("lab", before.lab)))
        section = before.scenario.section if lab.key == before.lab else section_of(lab.key)
        looks = replace(before.view, figures=(), picks=()) if lab.key != before.lab else before.view
        known = {f.name for f in fields(Scenario)} - {"section"}
        own = {f.name for f in fields(section)} if section is not None else set()
        picks = {pick.name: [word for word, _title in pick.options] for pick in lab.picks}
        words = options_of(Scenario) | (options_of(section) if section is not None else {})
        changes: dict[str, Any] = {"section": section}
        for name, value in given.items():
            if name in OWN:
                continue
            if name in known | own:
                changes[name] = _field(name, value, words.get(name, ()))
            elif name in LOOKS:
                looks = replace(looks, **{name: _look(name, value)})
            elif name in picks:
                looks = looks.picking(name, _one_of(name, str(value), picks[name]))
            else:
                raise ValueError(_unknown(name, known | own | set(LOOKS) | set(picks) | set(OWN)))
        for name, value in _pairs("show", given.get("show")).items():
            looks = looks.picking(name, _one_of(name, str(value), picks.get(name, ())))
        if "figures" in given:
            wanted = tuple(_one_of("figures", key, lab.figures) for key in words_in(given["figures"]))
            looks = replace(looks, figures=wanted)
        return Settings(
            lab=lab.key,
            scenario=before.scenario.but(**changes),
            view=looks,
            play=_truth("play", given.get("play", False)),
            claims=_claims(given.get("check")),
        )


def _lab(key: str) -> Lab:
    if key not in LABS:
        raise ValueError(_("lab must be one of {known}, not {value}").format(known=", ".join(LABS), value=repr(key)))
    return LABS[key]


def _unknown(name: str, known: set[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, sorted(known), n=1)
    if near:
        return _("{name} is unknown; did you mean {near}?").format(name=repr(name), near=near[0])
    return _("{name} is unknown; known are {known}").format(name=repr(name), known=", ".join(sorted(known)))


def _one_of(name: str, word: str, known: Any) -> str:
    if word not in known:
        raise ValueError(
            _("{name} must be one of {known}, not {value}").format(name=name, known=", ".join(known), value=repr(word))
        )
    return word


def _field(name: str, value: Any, words: tuple[str, ...]) -> Any:
    """Return the value of a field of the Scenario or of the section; `words` are those it may hold, if any."""
    if name == "scalings":
        return words_in(value)
    if not words:
        return as_number(value)
    if value is None or isinstance(value, bool):  # what YAML makes of ~ and of an unquoted yes, no, on, off
        meant = YES if value else NO
        return next((word for word in meant if word in words), str(value))
    return str(value)


def _look(name: str, value: Any) -> Any:
    """Return the value of a field of the View."""
    if name in ("log_weights", "bits"):
        return _truth(name, value)
    if name == "rule":
        return str(value)
    if name == "marked":
        return tuple(_whole(name, word) for word in words_in(value))
    return None if value in (None, "end") else _whole(name, value)


def _whole(name: str, value: Any) -> int:
    number = as_number(value)
    if not isinstance(number, int) or isinstance(number, bool) or number < 0:
        raise ValueError(
            _("{name} must be a whole number, 0 or more, not {value}").format(name=name, value=repr(value))
        )
    return number


def _truth(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(_("{name} must be yes or no, not {value}").format(name=name, value=repr(value)))
    return value


def _pairs(name: str, given: Any) -> dict[str, Any]:
    """Return a setting that holds lines of its own."""
    if not isinstance(given or {}, dict):
        raise ValueError(_("{name} must hold lines such as sd: [15.5, 16.5]").format(name=name))
    return {str(key): value for key, value in (given or {}).items()}


def _claims(given: Any) -> tuple[Claim, ...]:
    return tuple(_claim(key, value) for key, value in _pairs("check", given).items())


def _claim(key: str, value: Any) -> Claim:
    ends = [as_number(end) for end in value] if isinstance(value, list) else []
    good = len(ends) == 2 and all(isinstance(end, (int, float)) for end in ends)
    if not good or not ends[0] <= ends[1]:
        raise ValueError(
            _("check: {key} must name a lowest and a highest number, as in [15.5, 16.5], not {value}").format(
                key=key, value=repr(value)
            )
        )
    return Claim(key=key, low=float(ends[0]), high=float(ends[1]))
