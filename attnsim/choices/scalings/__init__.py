"""Scale rules: what turns the raw scores of a row into the scores that enter the softmax.

Adding one is a file beside this one and a line in `SCALINGS`.
"""

from functools import lru_cache

from attnsim.choices.scalings import (
    alpha_over_d,
    constant,
    cosine,
    custom,
    inverse_d,
    inverse_sqrt,
    layernorm_qk,
    learned,
    log_n,
    none,
    optimal,
    power,
    qknorm,
    rmsnorm_qk,
    sigma_reparam,
    softcap,
    softmax1,
    ssmax,
    t5,
    yarn,
)
from attnsim.choices.scalings.formula import Expression, Formula
from attnsim.choices.scalings.rule import Parameter, Rule, Scaling, Setting, Sums
from attnsim.words import _

__all__ = ["SCALINGS", "Expression", "Formula", "Parameter", "Rule", "Scaling", "Setting", "Sums", "parse"]

SCALINGS: dict[str, Scaling] = {
    scaling.key: scaling
    for scaling in (
        none.SCALING,
        inverse_sqrt.SCALING,
        inverse_d.SCALING,
        alpha_over_d.SCALING,
        power.SCALING,
        constant.SCALING,
        rmsnorm_qk.SCALING,
        layernorm_qk.SCALING,
        cosine.SCALING,
        qknorm.SCALING,
        log_n.SCALING,
        ssmax.SCALING,
        yarn.SCALING,
        softcap.SCALING,
        sigma_reparam.SCALING,
        learned.SCALING,
        softmax1.SCALING,
        t5.SCALING,
        optimal.SCALING,
        custom.SCALING,
    )
}
MOST_SHOWN = 40  # characters of an unknown name that an error repeats


@lru_cache(maxsize=256)
def parse(name: str) -> Rule:
    """Read a rule as users and files write it: `inverse_sqrt`, `rmsnorm_qk:1.5`, `custom:1/sqrt(d)*log(n)`.

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
        shown = repr(name[:MOST_SHOWN])
        raise ValueError(
            _("scalings must be among {known}, not {value}").format(known=", ".join(SCALINGS), value=shown)
        )
    parameter = scaling.parameter
    if parameter is None:
        if colon:
            shown = repr(text[:MOST_SHOWN])
            raise ValueError(_("scalings: {key} takes no parameter, not {value}").format(key=key, value=shown))
        return Rule(name=name, scaling=scaling, value=None)
    return Rule(name=name, scaling=scaling, value=parameter.read(key, text if colon else str(parameter.default)))
