"""Sections: the options that one lab adds to the Scenario. A file a lab that has some, and a line in `SECTIONS`.

A section is a frozen record whose fields are declared with `choices.declared.knob` and `choice`, and checked in
`__post_init__` by `check_fields`. No field may have the name of a field of the Scenario: a user types both alike.
"""

from typing import Any

from attnsim.choices.sections.formats import FormatsOptions
from attnsim.choices.sections.gradients import GradientOptions
from attnsim.choices.sections.initialisation import Depth
from attnsim.choices.sections.phase import PhaseOptions
from attnsim.choices.sections.scalings import ScalingsOptions
from attnsim.choices.sections.spread import SpreadOptions
from attnsim.choices.sections.which_d import WhichD
from attnsim.words import _

SECTIONS: dict[str, type] = {
    "spread": SpreadOptions,
    "scalings": ScalingsOptions,
    "phase": PhaseOptions,
    "gradients": GradientOptions,
    "formats": FormatsOptions,
    "initialisation": Depth,
    "which_d": WhichD,
}


def section_of(lab: str) -> Any:
    """Return the section with which a lab begins; None for a lab without options."""
    return SECTIONS[lab]() if lab in SECTIONS else None


def lab_of(section: Any) -> str:
    """Return the lab a section belongs to.

    Raises
    ------
    ValueError
        If it is no section.
    """
    for lab, kind in SECTIONS.items():
        if type(section) is kind:
            return lab
    raise ValueError(
        _("section must be None or the options of one of {labs}, not {value}").format(
            labs=", ".join(SECTIONS) or "–", value=repr(section)
        )
    )
