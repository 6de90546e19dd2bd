"""The seven lines of code: how they are written, named and coloured."""

from dataclasses import dataclass

from attnsim.experiments.which_d.records import Symptoms
from attnsim.view import View
from attnsim.words import _, mark

YOURS, OTHER = "accent", "muted"  # while the names are hidden a colour must not tell


@dataclass(frozen=True, slots=True)
class CodeLine:
    """One line of code.

    Attributes
    ----------
    title : str
        Marked for the catalogue.
    code : str
        Python; no words of a language.
    role : str
        The colour of its scale rule.
    seen : str
        What one sees of it, marked for the catalogue.
    """

    title: str
    code: str
    role: str
    seen: str


LINES: dict[str, CodeLine] = {
    "right": CodeLine(
        mark("÷ √d_head"), "q @ k.T / d_head**0.5", "rule_inverse_sqrt", mark("right: spread 1 at every d and n")
    ),
    "quartic": CodeLine(
        mark("÷ ⁴√d_head on q and on k"),
        "(q / d_head**0.25) @ (k / d_head**0.25).T",
        "rule_inverse_sqrt",
        mark("right: the same scores, and less overflow in fp16"),
    ),
    "one_side": CodeLine(
        mark("÷ ⁴√d_head on q alone"),
        "(q / d_head**0.25) @ k.T",
        "rule_power",
        mark("half of the cure: the spread still grows like ⁴√d"),
    ),
    "missing": CodeLine(
        mark("no scale"), "q @ k.T", "rule_none", mark("one key takes nearly all, most rows are stuck")
    ),
    "sqrt_d_model": CodeLine(
        mark("÷ √d_model"),
        "q @ k.T / d_model**0.5",
        "rule_d_model",
        mark("too even by the root of the number of heads, at every d"),
    ),
    "sqrt_n": CodeLine(
        mark("÷ √n"),
        "q @ k.T / k.shape[0]**0.5",
        "rule_sqrt_n",
        mark("changes with the length of the text; right where n happens to be d"),
    ),
    "twice": CodeLine(
        mark("÷ √d_head, twice"),
        "(q / d_head**0.5) @ k.T / d_head**0.5",
        "rule_inverse_d",
        mark("the same as ÷ d: weights nearly even, tiny gradients"),
    ),
}


def title_of(variant: str) -> str:
    """Return a line's name."""
    return _(LINES[variant].title)


def revealed(view: View) -> bool:
    """Return whether the names may be shown."""
    return view.pick("reveal", "hidden") == "shown"


def role_of(result: Symptoms, view: View, variant: str) -> str:
    """Return the colour of a line: its rule's once the names are shown; before, only yours stands out."""
    if revealed(view):
        return LINES[variant].role
    return YOURS if variant == result.mystery else OTHER


def left_out(result: Symptoms) -> str:
    """Return what of the scenario is not part of this lab, as a sentence; empty where nothing is."""
    parts = []
    if result.scenario.mask != "none":
        parts.append(_("the mask"))
    if result.scenario.format != "fp64":
        parts.append(_("rounding"))
    return _("Left out here: {parts}").format(parts=", ".join(parts)) if parts else ""
