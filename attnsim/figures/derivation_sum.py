"""The first half of the derivation: terms of the sum, and mean and variance of the whole score."""

import math
from collections.abc import Iterator

import numpy as np

from attnsim.choices.laws import LAWS
from attnsim.experiments.closed_forms import score_moments
from attnsim.experiments.evidence import Evidence
from attnsim.experiments.records import Walk
from attnsim.figures.numbers import count
from attnsim.figures.step import Step, of_estimate, one_aligned, short, show
from attnsim.scenario import Scenario
from attnsim.words import _


def sum_steps(s: Scenario, e: Evidence | None) -> Iterator[Step]:
    """Yield the lines about the terms of the sum."""
    lot = f"/{count(s.keys)}" if one_aligned(s) else ""
    named = "/n" if lot else ""
    yield Step(
        key="score",
        title=_("The score is a sum of d products"),
        formula="S = q·k = Σ_{i=1..d} q_{i} k_{i}",
        filled=_("d = {dim}, keys n = {keys}, law {law}, seed {seed}").format(
            dim=count(s.dim), keys=count(s.keys), law=s.law, seed=s.seed
        ),
        text=_("Its running sums are a random walk of d steps; S is where the walk ends."),
    )
    if LAWS[s.law].moments is None and s.law != "ar1":
        yield _matrices_step(s)  # one component's law depends on the others: there is no term to look at alone
        return
    mean = s.mean_q * s.mean_k + s.rho * s.sigma_q * s.sigma_k / (s.keys if lot else 1)
    alike = _("Query and key are independent, so the mean of a product is the product of the means.")
    leaning = _("Query and key are not independent: their covariance ρσ_qσ_k is added to the product of the means.")
    by_lot = _("Only one key leans on the query; over a key chosen by lot the covariance counts 1/n.")
    yield Step(
        key="term",
        title=_("Mean of one product"),
        formula=f"E[q_{{i}} k_{{i}}] = μ_{{q}}μ_{{k}} + ρσ_{{q}}σ_{{k}}{named}",
        filled=f"= {short(s.mean_q)}·{short(s.mean_k)} + {short(s.rho)}·{short(s.sigma_q)}·{short(s.sigma_k)}{lot}"
        f" = {show(mean)}"
        if score_moments(s).mean is not None
        else _("it does not exist under this law"),
        text=by_lot if lot else leaning if s.rho else alike,
        checked=e.term if e else None,
    )
    yield _square_step(s, e)
    if s.dim > 1 and _pairs_alike(s):
        yield _cross_step(s, e)


def _matrices_step(s: Scenario) -> Step:
    return Step(
        key="term",
        title=_("Components of tokens times matrices"),
        text=" ".join(_(sentence) for sentence in LAWS[s.law].sentences)
        + " "
        + _("All components of a vector come from one token, so the sum is looked at as a whole."),
    )


def _square_step(s: Scenario, e: Evidence | None) -> Step:
    """Return the terms of E S^2 with i = j."""
    base, known = "(σ_{q}^{2} + μ_{q}^{2})(σ_{k}^{2} + μ_{k}^{2})", True
    formula = f"= E[q_{{i}}^{{2}}] E[k_{{i}}^{{2}}] = {base}"
    if s.rho and s.law == "normal" and not one_aligned(s):
        formula = f"= {base} + 2ρ^{{2}}σ_{{q}}^{{2}}σ_{{k}}^{{2}} + 4ρμ_{{q}}μ_{{k}}σ_{{q}}σ_{{k}}"
    elif s.rho and s.law == "sign" and not one_aligned(s):
        formula = f"= {base} + 4ρμ_{{q}}μ_{{k}}σ_{{q}}σ_{{k}}"
    elif s.rho:
        formula, known = "", False
    theory = _terms(s)[0]
    text = _("With correlation it holds the fourth moment of the law.")
    if theory is None:
        text = _("Under this law it does not exist.")
    elif known:
        text = _("In the independent case with means 0 each of them is σ_q²σ_k²: together d of them make the variance.")
    return Step(
        key="square",
        title=_("The d terms of E[S²] with i = j"),
        formula=f"E[q_{{i}}^{{2}} k_{{i}}^{{2}}] {formula}".strip(),
        filled="" if theory is None else f"= {show(theory)}",
        text=text,
        checked=e.square if e else None,
    )


def _terms(s: Scenario) -> tuple[float | None, float | None]:
    """Return E (q_i k_i)^2 and E q_i k_i q_j k_j; None where they do not exist or have no closed form."""
    m = score_moments(s, [1.0, 2.0])
    one, two = (float(each) for each in np.asarray(m.variance) + np.asarray(m.mean) ** 2)
    cross = 0.5 * (two - 2.0 * one)
    return (one, cross) if math.isfinite(one) else (None, None)


def _pairs_alike(s: Scenario) -> bool:
    """Return whether all terms with i not j are equal, so that two components tell of d."""
    m = score_moments(s)
    one, cross = _terms(s)
    if m.variance is None or one is None or cross is None:
        return True
    whole = float(m.variance) + float(m.mean or 0.0) ** 2
    return math.isclose(s.dim * one + s.dim * (s.dim - 1.0) * cross, whole, rel_tol=1e-6)


def _cross_step(s: Scenario, e: Evidence | None) -> Step:
    """Return the terms of E S^2 with i not j."""
    formula, text = "E[q_{i} k_{i} q_{j} k_{j}] = (μ_{q}μ_{k} + ρσ_{q}σ_{k})^{2}", ""
    common = s.r_q or s.r_k
    if one_aligned(s):
        formula = "E[q_{i} k_{i} q_{j} k_{j}]"
        text = _("The aligned key has another mean than the others: that difference is in here, over a key by lot.")
    if common:
        formula += " + σ_{q}^{2}σ_{k}^{2}r_{q}r_{k} + μ_{q}^{2}σ_{k}^{2}r_{k} + μ_{k}^{2}σ_{q}^{2}r_{q}"
        text = _("There are d(d − 1) of them: whatever is left here beyond the squared mean grows like d².")
    elif not text:
        text = _(
            "Different components share nothing, so this is the squared mean of one product. It is enough that "
            "one of the two vectors has uncorrelated components of mean 0."
        )
    theory = _terms(s)[1]
    return Step(
        key="cross",
        title=_("The d(d − 1) terms of E[S²] with i ≠ j"),
        formula=formula,
        filled="" if theory is None else f"= {show(theory)}",
        text=text,
        checked=e.cross if e else None,
    )


def whole_steps(result: Walk) -> Iterator[Step]:
    """Yield the lines about the whole score: mean, variance, spread, growth, what softmax sees."""
    s, ensemble, m = result.scenario, result.ensemble, score_moments(result.scenario)
    mean, variance = _plain(m.mean), _plain(m.variance)
    sd = None if variance is None else math.sqrt(variance)
    yield Step(
        key="mean",
        title=_("Mean of the score"),
        formula="E[S] = d · E[q_{i} k_{i}]",
        filled=f"= {show(mean, sd)}",
        text=_("Under this law it does not exist.")
        if mean is None
        else _("It grows exactly like d. What all keys share of it, softmax does not see.")
        if mean
        else _("It is 0 at every d."),
        checked=of_estimate(ensemble.mean, mean) if ensemble else None,
    )
    yield from _spread_steps(result, mean, variance)
    if s.law == "normal" and not one_aligned(s):
        yield _growth_step(s)
    if s.keys > 1:
        yield _within_step(result, _plain(m.within_row_variance), variance)


def _spread_steps(result: Walk, mean: float | None, variance: float | None) -> Iterator[Step]:
    """Yield variance and standard deviation of the whole score."""
    s, ensemble = result.scenario, result.ensemble
    sd = None if variance is None else math.sqrt(variance)
    missing = "" if variance is not None else _("This law has no variance, or no closed form of it.")
    yield Step(
        key="variance",
        title=_("Variance of the score"),
        formula="Var S = d·E[q_{i}^{2} k_{i}^{2}] + d(d − 1)·E[q_{i} k_{i} q_{j} k_{j}] − E[S]^{2}"
        if _pairs_alike(s)
        else "Var S = E[S^{2}] − E[S]^{2}",
        filled=_variance_filled(s, variance),
        text=missing
        or (
            _("E[S²] grows like d² with the mean; but E[S]² is taken off, and a mean alone adds no spread.")
            if mean
            else _("Over all pairs of a query and a key.")
        ),
        checked=of_estimate(ensemble.sd, variance, square=True) if ensemble else None,
    )
    yield Step(
        key="sd",
        title=_("Spread of the score"),
        formula="σ(S) = √Var S",
        filled=f"= √{show(variance)} = {show(sd)}" if sd is not None else "",
        text=missing
        or _(
            "It is the root-mean-square distance of the walk; the mean distance of a centred walk is about 0.8 of it."
        ),
        checked=of_estimate(ensemble.sd, sd) if ensemble else None,
    )


def _variance_filled(s: Scenario, variance: float | None) -> str:
    """Return the variance with numbers: as the seeds' one product where everything is independent."""
    if variance is None:
        return ""
    if LAWS[s.law].moments is not None and not (s.rho or s.r_q or s.r_k or s.mean_q or s.mean_k):
        squares = f"{count(s.dim)}·{short(s.sigma_q)}^{{2}}·{short(s.sigma_k)}^{{2}}"
        return f"= d σ_{{q}}^{{2}}σ_{{k}}^{{2}} = {squares} = {show(variance)}"
    return f"= {show(variance)}"


def _growth_step(s: Scenario) -> Step:
    """Return which part of the variance grows like d and which like d^2."""
    from attnsim.theory import exchangeable

    components = {name: getattr(s, name) for name in ("sigma_q", "sigma_k", "mean_q", "mean_k", "rho", "r_q", "r_k")}
    alpha, beta = exchangeable.rates(**components)
    if beta > 0.0:
        turn = exchangeable.crossover(**components)
        text = _(
            "Correlation between components on both sides, or on one side with a mean on the other, gives a d² part. "
            "It is the larger one from d = {turn} on, and there no √d can hold the spread."
        ).format(turn=count(math.ceil(turn)))
    elif s.rho:
        text = _("ρ alone leaves the variance proportional to d: it multiplies it by 1 + ρ², whatever d is.")
    elif s.r_q or s.r_k:
        text = _("Correlation inside one of the two vectors alone gives no d² part.")
    else:
        text = _("The variance grows like d, and the spread like √d.")
    return Step(
        key="growth",
        title=_("What grows like d, and what like d²"),
        formula="Var S = αd + βd^{2}",
        filled=f"α = {show(alpha)}, β = {show(beta)}",
        text=text,
    )


def _within_step(result: Walk, within: float | None, variance: float | None) -> Step:
    """Return what the softmax sees of the variance."""
    s, ensemble = result.scenario, result.ensemble
    formula = "E Var(S | q) = d σ_{k}^{2}(1 − ρ^{2})(σ_{q}^{2} + μ_{q}^{2})"
    if s.r_q or s.r_k or LAWS[s.law].moments is None:
        formula = "E Var(S | q) = tr[(Σ_{q} + m_{q}m_{q}^{T})(Σ_{k} − C^{T}Σ_{q}^{−1}C)]"
    if one_aligned(s):
        formula = _("E Var(S | row): that of the other keys, and the aligned key's distance from them")
    parts = [_("Softmax does not see what is added to a whole row, so what counts is the spread within a row.")]
    if s.mean_k:
        parts.append(_("μ_k is not in it: it shifts whole rows."))
    if s.mean_q:
        parts.append(_("μ_q is: it weighs the sum of a key's components, which differs from key to key."))
    if s.rho and not one_aligned(s):
        parts.append(_("ρ with every key alike makes it smaller, not larger."))
    share = f" ({100.0 * within / variance:.0f} %)" if within is not None and variance else ""
    root = None if within is None else math.sqrt(within)
    return Step(
        key="within",
        title=_("What softmax sees of it"),
        formula=formula,
        filled="" if root is None else f"= {show(within)}{share},  σ_{{row}} = {show(root)}",
        text=" ".join(parts),
        checked=of_estimate(ensemble.within_sd, root) if ensemble else None,
    )


def _plain(value: object) -> float | None:
    return None if value is None else float(value)  # type: ignore[arg-type]
