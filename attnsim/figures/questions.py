"""The three questions a reader is left with, answered by theory, with a scenario each to try the answer on."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from attnsim.figures.numbers import number
from attnsim.scenario import Scenario
from attnsim.words import _

WIDTH, HEAD = 512, 64  # of the model in the second question
MANY, FEW = 512, 64  # keys before and after thinning in the third

# names of theory.initialisation -> how they are shown
INITIALISATIONS = {
    "lecun": "LeCun, 1/D",
    "xavier_square": "Xavier, D × D",
    "xavier_per_head": "Xavier, D × d",
    "xavier_fused": "Xavier, 3D × D",
    "xavier_gain_inverse_sqrt_2": "Xavier, 1/√2",
    "linear_default": "uniform, ±1/√D",
    "kaiming_normal": "Kaiming",
    "normal_0_02": "N(0, 0.02²)",
    "small": "√(2/5D)",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question with its answer.

    Attributes
    ----------
    number : int
    title : str
    answer : tuple of str
        Paragraphs.
    rows : tuple of (str, str, str)
        A small table: case, spread of the scaled scores, factor that gives spread 1; may be empty.
    scenario : Scenario
        Where the answer can be seen.
    seen : str
        What to look at there.
    """

    number: int
    title: str
    answer: tuple[str, ...]
    rows: tuple[tuple[str, str, str], ...]
    scenario: Scenario
    seen: str


def question(which: int) -> Question:
    """Return one of the questions.

    Raises
    ------
    ValueError
        If there is no such question.
    """
    if which not in QUESTIONS:
        raise ValueError(
            _("question must be one of {known}, not {value}").format(
                known=", ".join(map(str, QUESTIONS)), value=repr(which)
            )
        )
    return QUESTIONS[which]()


def titles() -> dict[int, str]:
    """Return the questions by number; asking for an answer costs a quadrature or two."""
    return {
        1: _("What if q and k do not have mean 0?"),
        2: _("What if the projections are initialised otherwise?"),
        3: _("Does it hold in sparse attention?"),
    }


def _means() -> Question:
    from attnsim.theory.optimal_scale import centred_multiplier

    dim = 256
    factor = float(centred_multiplier(dim, mean_q=1.0))
    scenario = Scenario(
        dim=dim, mean_q=1.0, mean_k=1.0, scalings=("none", "inverse_sqrt", f"constant:{1.0 / factor:.6g}")
    )
    return Question(
        number=1,
        title=titles()[1],
        answer=(
            _(
                "The mean of the score becomes dμ_qμ_k, here {mean}. It is the same for every key of a row, and "
                "softmax does not see it."
            ).format(mean=dim),
            _(
                "A mean of the keys, μ_k, widens the scores over all pairs, but only by shifting whole rows: within a "
                "row nothing changes. A mean of the query, μ_q, does show: the variance within a row is "
                "dσ_k²(σ_q² + μ_q²), here {within} in place of {plain}."
            ).format(within=2 * dim, plain=dim),
            _(
                "So the factor is 1/√(dσ_k²(σ_q² + μ_q²)) = {factor}, not 1/√d = {root}; or take the mean off the "
                "query. A LayerNorm of q takes off a mean that all components share, an RMSNorm does not."
            ).format(factor=number(factor), root=number(1.0 / math.sqrt(dim))),
        ),
        rows=(),
        scenario=scenario,
        seen=_("Spread over all pairs is √3·√d, within rows √2·√d; set mean of k to 0, and the weights stay."),
    )


def _initialisations() -> Question:
    from attnsim.theory.initialisation import initialisation, initialisation_table

    shown = initialisation("xavier_per_head", WIDTH, HEAD)
    sigma = round(math.sqrt(shown.component_variance), 6)
    scenario = Scenario(
        dim=HEAD,
        sigma_q=sigma,
        sigma_k=sigma,
        scalings=("none", "inverse_sqrt", f"constant:{1.0 / shown.multiplier:.6g}"),
    )
    rows = tuple(
        (INITIALISATIONS.get(each.name, each.name), number(each.score_sd), number(each.multiplier))
        for each in initialisation_table(WIDTH, HEAD)
    )
    return Question(
        number=2,
        title=titles()[2],
        answer=(
            _(
                "With an input of squared length D, as a LayerNorm gives, q_i has the variance D·Var(W). What has to "
                "be 1 is the variance of the projected components, not that of the weights. The factor is "
                "1/(√d · D · √(Var W_q · Var W_k))."
            ),
            _(
                "The table is for D = {width} and d = {head}: what is left of the spread after 1/√d, and the factor "
                "that gives spread 1. Xavier on a D × d head gives {sd}; on one fused 3D × D matrix it gives 0.5. Many "
                "models do not start at 1, and training can absorb any constant."
            ).format(width=WIDTH, head=HEAD, sd=number(shown.score_sd)),
        ),
        rows=rows,
        scenario=scenario,
        seen=_("Components have the spread of Xavier on a D × d head: ÷ √d leaves 1.78, the third rule 1."),
    )


def _sparse() -> Question:
    from attnsim.theory.softmax_expectations import expectations
    from attnsim.theory.weight_bounds import selected_sd

    left = float(selected_sd(MANY, FEW))
    few, many = (float(expectations(keys, 1.0).largest_weight) for keys in (FEW, MANY))
    few_limit, many_limit = (math.sqrt(2.0 * math.log(keys)) for keys in (FEW, MANY))
    return Question(
        number=3,
        title=titles()[3],
        answer=(
            _(
                "The variance of a score is a matter of d, not of how many keys there are: a pattern that is fixed "
                "beforehand (window, stride, random keys) keeps 1/√d. It has fewer competitors: with {few} of {many} "
                "keys the threshold falls from {many_limit} to {few_limit}, and the mean largest weight at spread 1 "
                "rises from {before} to {after}."
            ).format(
                few=FEW,
                many=MANY,
                many_limit=number(many_limit),
                few_limit=number(few_limit),
                before=number(many),
                after=number(few),
            ),
            _(
                "Keeping the {few} largest of {many} scores is another matter: the tail that is kept has the spread "
                "{left} only, and the weights become nearly even. To have spread 1 again they need a factor {factor} "
                "times larger."
            ).format(few=FEW, many=MANY, left=number(left), factor=number(1.0 / left)),
            _(
                "Sparse components are a third case: if a share p of the components of q and of k is not 0, the "
                "variance is dp², and the factor 1/(p√d)."
            ),
        ),
        rows=(),
        scenario=Scenario(dim=HEAD, keys=FEW, scalings=("none", "inverse_sqrt")),
        seen=_("A fixed pattern of {few} keys; set keys to {many} to compare with all of them.").format(
            few=FEW, many=MANY
        ),
    )


QUESTIONS: dict[int, Callable[[], Question]] = {1: _means, 2: _initialisations, 3: _sparse}
