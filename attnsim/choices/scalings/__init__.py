"""Scale rules: the number a raw score is multiplied by before the softmax.

Adding one is a file beside this one and a line in `SCALINGS`.
"""

from attnsim.choices.scalings import constant, inverse_d, inverse_sqrt, none, power
from attnsim.choices.scalings.rule import Parameter, Rule, Scaling
from attnsim.words import _

__all__ = ["SCALINGS", "Parameter", "Rule", "Scaling", "parse"]

SCALINGS: dict[str, Scaling] = {
    scaling.key: scaling
    for scaling in (
        none.SCALING,
        inverse_sqrt.SCALING,
        inverse_d.SCALING,
        power.SCALING,
        constant.SCALING,
    )
}


def parse(name: str) -> Rule:
    """Read a rule as users and files write it: `inverse_sqrt`, `power:0.25`, `constant:8`.

    Parameters
    ----------
    name : str
        An id of `SCALINGS`, with a parameter behind a colon where the rule has one.

    Returns
    -------
    Rule

    Raises
    ------
    ValueError
        If there is no such rule, it takes no parameter, or the parameter is out of its limits.
    """
    key, colon, text = name.partition(":")
    scaling = SCALINGS.get(key)
    if scaling is None:
        raise ValueError(
            _("scalings must be among {known}, not {value}").format(known=", ".join(SCALINGS), value=repr(name))
        )
    parameter = scaling.parameter
    if parameter is None:
        if colon:
            raise ValueError(_("scalings: {key} takes no parameter, not {value}").format(key=key, value=repr(text)))
        return Rule(name=name, scaling=scaling, value=None)
    if not colon:
        return Rule(name=name, scaling=scaling, value=parameter.default)
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not parameter.low <= value <= parameter.high:
        raise ValueError(
            _("scalings: the {parameter} of {key} must lie in {low:g}..{high:g}, not {value}").format(
                parameter=parameter.name, key=key, low=parameter.low, high=parameter.high, value=text
            )
        )
    return Rule(name=name, scaling=scaling, value=value)
