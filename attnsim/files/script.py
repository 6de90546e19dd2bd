"""A state as what a user may type elsewhere: a few lines of Python, or a command."""

import shlex
from typing import Any

from attnsim.choices.sections import section_of
from attnsim.files.state import State, changed, lab_named
from attnsim.scenario import Scenario
from attnsim.view import View

LINE = 110  # characters, beyond which arguments stand below each other
MEANT_FOR_FILES = ("scalings", "mask", "mask_size", "format", "layer_number")  # that real vectors leave to the Scenario


def to_python(state: State, figure: str | None = None, path: str = "figure.png") -> str:
    """Return a script by the public API that makes the figure, or the page of figures, again.

    Parameters
    ----------
    state : State
    figure : str, optional
        Key of one figure; the whole page when left out.
    path : str
        Where the script saves it.
    """
    lab = "" if state.lab == "walk" else f", lab={state.lab!r}"
    lines = ["import attnsim", "", f"scenario = {_call('attnsim.Scenario', _scenario_words(state))}"]
    vectors = ""
    if state.vectors is not None:
        place = ", ".join(f"{name}={getattr(state.vectors, name)}" for name in ("layer", "head", "row"))
        lines.append("# the file whose layer has the SHA-256 " + state.vectors.sha256[:64])
        lines.append(f'vectors = attnsim.load_vectors("vectors.npz").at({place})')
        vectors = ", vectors"
    lines.append(f"result = attnsim.run(scenario{vectors}{lab})")
    seen = _words(state.view, View())
    if seen:
        lines.append(f"view = {_call('attnsim.View', seen)}")
    view = ", view" if seen else ""
    if figure is None:
        lines.append(f"attnsim.save(result, {path!r}{view}{lab})")
    else:
        lines.append(f"attnsim.figure(result, {figure!r}{view}).save({path!r})")
    return "\n".join(lines) + "\n"


def to_command(state: State, figure: str | None = None, path: str = "figure.png") -> str:
    """Return a command that makes the figure, or the page of figures, again, quoted for a shell.

    Parameters
    ----------
    state, figure, path
        As for `to_python`.
    """
    lab = lab_named(state.lab)
    words = ["attnsim", "run", state.lab] if state.lab != "walk" else ["attnsim", "export"]
    words += ["--out", path]
    figures = state.view.figures if figure is None else (figure,)
    if own := tuple(key for key in lab.figures if key in figures):
        words += ["--figures", ",".join(own)]
    usual = Scenario(**dict(lab.usual) if state.lab != "walk" else {})  # type: ignore[arg-type]
    chosen = changed(state.scenario, usual, leave_out=("section",))
    section = section_of(state.lab)
    if section is not None:
        chosen |= changed(state.scenario.section, section)
    for name, value in chosen.items():
        if state.vectors is None or name in MEANT_FOR_FILES:
            words += _option(name, value)
    if state.vectors is not None:
        words += ["--file", "vectors.npz"]
        words += [word for name in ("layer", "head", "row") for word in _option(name, getattr(state.vectors, name))]
    return shlex.join(words + _view_words(state))


def _view_words(state: State) -> list[str]:
    view, words = state.view, []
    for name, value in changed(view, View()).items():
        if name in ("playhead", "marked") or (name == "rule" and value in state.scenario.scalings):
            words += _option(name, value)
    words += ["--log-weights"] * view.log_weights + ["--bits"] * view.bits
    own = {pick.name for pick in lab_named(state.lab).picks}
    return words + [word for name, text in view.picks if name in own for word in _option(f"show_{name}", text)]


def _option(name: str, value: Any) -> list[str]:
    text = ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
    option = "--" + name.replace("_", "-")
    return [f"{option}={text}"] if text.startswith("-") else [option, text]


def _words(record: Any, usual: Any, leave_out: tuple[str, ...] = ()) -> list[str]:
    return [f"{name}={value!r}" for name, value in changed(record, usual, leave_out).items()]


def _scenario_words(state: State) -> list[str]:
    words = _words(state.scenario, Scenario(), leave_out=("section",))
    first = section_of(state.lab)
    if first is None or state.scenario.section == first:
        return words
    return [*words, "section=" + _call("attnsim.section", [repr(state.lab), *_words(state.scenario.section, first)])]


def _call(name: str, words: list[str]) -> str:
    line = f"{name}({', '.join(words)})"
    return line if len(line) <= LINE else f"{name}(\n    " + ",\n    ".join(words) + ",\n)"
