"""Options that make a Scenario: one a field, with the field's own limits."""

from argparse import ArgumentParser, Namespace
from collections.abc import Collection, Mapping
from dataclasses import MISSING, fields
from typing import Any

from attnsim.choices.declared import knobs_of, options_of
from attnsim.choices.sections import section_of
from attnsim.files.typed_text import listed, number
from attnsim.labs.lab import Lab
from attnsim.scenario import Scenario, knobs, offered_scalings, options
from attnsim.words import _, mark

MEANINGS = {
    "dim": mark("components of a query or key"),
    "keys": mark("keys of a row"),
    "law": mark("law of the components"),
    "nu": mark("degrees of freedom of Student's t"),
    "shape": mark("spread of the logarithm of a log-normal component"),
    "nonzero": mark("share of components that are not 0 under the law sparse"),
    "phi_q": mark("correlation of neighbours in a query under the law ar1"),
    "phi_k": mark("correlation of neighbours in a key under the law ar1"),
    "rank": mark("width of the tokens behind the law low_rank"),
    "projections": mark("matrices of the law low_rank"),
    "d_model": mark("width of the embeddings behind the law initialised"),
    "initialisation": mark("what the matrices of the law initialised are filled with"),
    "sigma_q": mark("standard deviation of a query's components"),
    "sigma_k": mark("standard deviation of a key's components"),
    "mean_q": mark("mean of a query's components"),
    "mean_k": mark("mean of a key's components"),
    "rho": mark("correlation between a query's component and a key's"),
    "aligned": mark("which keys have that correlation"),
    "r_q": mark("correlation between components of a query"),
    "r_k": mark("correlation between components of a key"),
    "scalings": mark("scale rules with commas between, a number behind a colon as in power:0.25,constant:8"),
    "seed": mark("equal seeds give equal draws"),
    "rows": mark("rows of the ensemble"),
    "mask": mark("which keys the query, the last of the row, sees"),
    "mask_size": mark("how many keys the mask shows, or how far apart"),
    "format": mark("number format of scores and weights"),
    "layer_number": mark("number of the layer, which only a custom rule reads"),
}


def add(parser: ArgumentParser, leave_out: Collection[str] = ()) -> None:
    """Add an option for each field of the Scenario that is not left out."""
    group = parser.add_argument_group(_("scenario"))
    for f in fields(Scenario):
        if f.name not in (*leave_out, "section"):
            # left as text: the Scenario checks it and names the field, as for every other face
            group.add_argument(
                "--" + f.name.replace("_", "-"), dest=f.name, metavar=_metavar(f.name), help=_help(f.name, f.default)
            )


def add_section(parser: ArgumentParser, lab: Lab) -> None:
    """Add an option for each field of a lab's section."""
    section = section_of(lab.key)
    if section is None:
        return
    group, controls = parser.add_argument_group(_(lab.title)), dict(lab.controls)
    numbers, words = knobs_of(section), options_of(section)
    for f in fields(section):
        meaning, default = _(controls[f.name].meaning), getattr(section, f.name)
        if f.name in words:
            metavar, text = "{" + ",".join(words[f.name]) + "}", _("{meaning}; default {default}")
            meaning = text.format(meaning=meaning, default=default)
        else:
            limits = numbers[f.name]
            metavar = "N" if limits.whole else "X"
            meaning = _("{meaning}, {low}..{high}; default {default}").format(
                meaning=meaning,
                low=number_text(limits.low),
                high=number_text(limits.high),
                default=number_text(default),
            )
        group.add_argument("--" + f.name.replace("_", "-"), dest=f.name, metavar=metavar, help=meaning)


def _metavar(name: str) -> str:
    if name in options():
        return "{" + ",".join(options()[name]) + "}"
    if name == "scalings":
        return "RULE,..."
    return "N" if knobs()[name].whole else "X"


def _help(name: str, default: Any) -> str:
    assert default is not MISSING
    meaning = _(MEANINGS[name])
    if name == "scalings":
        offered, chosen = ", ".join(offered_scalings()), ",".join(default)
        return _("{meaning}: {offered}; default {default}").format(meaning=meaning, offered=offered, default=chosen)
    if name in options():
        return _("{meaning}; default {default}").format(meaning=meaning, default=default)
    limits = knobs()[name]
    return _("{meaning}, {low}..{high}; default {default}").format(
        meaning=meaning, low=number_text(limits.low), high=number_text(limits.high), default=number_text(default)
    )


def number_text(value: float) -> str:
    """Return a number without an exponent where it is whole."""
    return str(int(value)) if value == int(value) else f"{value:g}"


def whole(name: str, text: str, low: int, high: int | None = None) -> int:
    """Return a whole number within limits.

    Raises
    ------
    ValueError
        Names the option, its limits and the text.
    """
    value = number(text)
    if isinstance(value, int) and low <= value and (high is None or value <= high):
        return value
    if high is None:
        raise ValueError(
            _("{name} must be a whole number from {low}, not {value}").format(name=name, low=low, value=repr(text))
        )
    raise ValueError(
        _("{name} must be a whole number in {low}..{high}, not {value}").format(
            name=name, low=low, high=high, value=repr(text)
        )
    )


def read(given: Namespace, usual: Mapping[str, Any] | None = None, section: Any = None) -> Scenario:
    """Return the Scenario of the options given.

    Parameters
    ----------
    given : Namespace
    usual : mapping, optional
        Values of fields that are not given, where they are others than the Scenario's own.
    section : record or None
        Options of a lab as it begins.

    Raises
    ------
    ValueError
        Names the field, its limits and the value.
    """
    chosen: dict[str, Any] = dict(usual or {}) | {"section": section}
    inner: dict[str, Any] = {}
    if section is not None:
        own = knobs_of(section)
        for f in fields(section):
            if (text := getattr(given, f.name, None)) is not None:
                inner[f.name] = number(text) if f.name in own else text
    for f in fields(Scenario):
        text = getattr(given, f.name, None)
        if text is None:
            continue
        if f.name == "scalings":
            chosen[f.name] = tuple(listed(text))
        else:
            chosen[f.name] = number(text) if f.name in knobs() else text
    scenario = Scenario(**chosen)
    return scenario.but(**inner) if inner else scenario
