"""One line of a derivation, and how its numbers are written."""

from dataclasses import dataclass

from attnsim.experiments.evidence import Measured
from attnsim.experiments.expectations import why_none
from attnsim.experiments.records import Estimate
from attnsim.figures.numbers import number
from attnsim.scenario import Scenario
from attnsim.words import _


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One line of a derivation.

    Attributes
    ----------
    key : str
        Stable name.
    title : str
    formula, filled : str
        In the notation of `formula.plain` and `formula.rich`; the second has the scenario's numbers in it. May be
        empty.
    text : str
        A sentence or two.
    checked : Measured or None
        The simulation's number beside theory's; None where the line has nothing to measure.
    """

    key: str
    title: str
    formula: str = ""
    filled: str = ""
    text: str = ""
    checked: Measured | None = None


def one_aligned(s: Scenario) -> bool:
    """Return whether one key of the row leans on the query and the others do not."""
    return s.aligned == "one" and s.keys > 1 and s.rho != 0.0


def of_estimate(estimate: Estimate, theory: float | None, square: bool = False) -> Measured:
    """Return the last checkpoint of an estimate beside theory, or of its square."""
    value, error = float(estimate.value[-1]), float(estimate.error[-1])
    if square:
        return Measured(value**2, 2.0 * value * error, theory)
    return Measured(value, error, theory)


def show(value: float | None, scale: float | None = None) -> str:
    """Write a number, a dash for none."""
    return "–" if value is None else number(value, scale)


def short(value: float) -> str:
    """Write a parameter with as few digits as it has."""
    text = f"{value:.6g}"
    return f"(−{text[1:]})" if value < 0.0 else text


def no_closed_form(s: Scenario) -> str:
    """Return why theory is silent about the weights, as the start of a sentence; empty where it is not."""
    return "" if s.keys == 1 else why_none(s)


def measured_words(checked: Measured) -> str:
    """Write the simulation's number with its standard error, and theory's."""
    scale = abs(checked.value) or None
    error = f" ± {number(checked.error)}" if checked.error > 0.0 else ""
    theory = _("no closed form") if checked.theory is None else number(checked.theory, scale)
    return _("measured {value}{error}, theory {theory}").format(
        value=number(checked.value, scale), error=error, theory=theory
    )
