"""The second half of the derivation: scaled scores, weights, the threshold, and the row on the screen."""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from attnsim.choices.scalings import Rule
from attnsim.experiments.closed_forms import score_moments
from attnsim.experiments.diagnostics import visible_scores
from attnsim.experiments.evidence import Evidence, Measured
from attnsim.experiments.expectations import seen, why_changed
from attnsim.experiments.records import Walk
from attnsim.figures.numbers import count, entropy_text, share_text
from attnsim.figures.step import Step, no_closed_form, of_estimate, short, show
from attnsim.words import _


def weight_steps(result: Walk, evidence: Evidence | None) -> Iterator[Step]:
    """Yield what each rule makes of the spread and of the weights, and how near this row is to one key."""
    s = result.scenario
    visible = seen(s)
    if changed := why_changed(s):
        words = _("The mask shows {seen} of {keys} keys, and weights are rounded to {format}.").format(
            seen=count(visible), keys=count(s.keys), format=s.format
        )
        yield Step(key="changed", title=_("What the softmax gets"), text=f"{words} {changed[:1].upper()}{changed[1:]}.")
    if visible < 2:
        yield Step(key="one_key", title=_("One key"), text=_("Its weight is 1 under every rule: nothing to compare."))
        return
    within = score_moments(s).within_row_variance
    spread = None if within is None else math.sqrt(float(within))
    threshold = math.sqrt(2.0 * math.log(visible))
    yield _threshold_step(visible, threshold)
    for place, rule in enumerate(result.rules):
        if not np.isfinite(rule.factor(s.dim)):
            yield _other_step(rule)
            continue
        yield _scaled_step(result, rule, spread, threshold)
        if evidence is not None and evidence.rows:
            yield from _measured_steps(result, rule, evidence, place)
    if visible_scores(result).size > 1:
        yield _row_step(result)


def real_steps(result: Walk) -> Iterator[Step]:
    """Yield the few lines that can be said of real vectors: what independent components would give."""
    yield Step(
        key="real",
        title=_("Vectors of a model"),
        text=_(
            "Nothing is drawn here, and no law is known. The lines compare the scores with what components of these "
            "means and variances would give if they were independent of each other."
        ),
    )
    ensemble, theory = result.ensemble, result.theory
    if ensemble is not None:
        for key, title, estimate, known in (
            ("mean", _("Mean of the score"), ensemble.mean, theory.mean),
            ("sd", _("Spread over all pairs"), ensemble.sd, theory.sd),
            ("within", _("Spread within rows"), ensemble.within_sd, theory.within_sd),
        ):
            yield Step(key=key, title=title, checked=of_estimate(estimate, float(known[-1])))
    if visible_scores(result).size > 1:
        yield _row_step(result)


def _threshold_step(keys: int, threshold: float) -> Step:
    return Step(
        key="threshold",
        title=_("How much spread n keys can bear"),
        formula="s_{c} = √(2 ln n)",
        filled=f"= √(2 ln {count(keys)}) = {show(threshold)}",
        text=_(
            "Beyond this spread of the scaled scores a few keys take all the weight. So a largest weight means little "
            "without the number of keys. The change is gradual at any finite n."
        ),
    )


def _scaled_step(result: Walk, rule: Rule, spread: float | None, threshold: float) -> Step:
    s, ensemble = result.scenario, result.ensemble
    factor = float(rule.multiplier(s.dim))
    scaled = None if spread is None else abs(factor) * spread
    parts = []
    if rule.scaling.key == "inverse_sqrt":
        parts.append(_("Var(cS) = c²Var S: to bring a variance d to 1 one divides by its root, not by d."))
    if rule.scaling.key == "inverse_d" and scaled is not None and scaled < 0.5:
        parts.append(_("The weights are nearly even; the softmax itself is not saturated."))
    if scaled is not None:
        beyond = (
            _("It is beyond the threshold {threshold}.")
            if scaled > threshold
            else _("It is below the threshold {threshold}.")
        )
        parts.append(beyond.format(threshold=show(threshold)))
    checked = None
    if ensemble is not None:
        raw = of_estimate(ensemble.within_sd, scaled)
        checked = Measured(abs(factor) * raw.value, abs(factor) * raw.error, scaled)
    return Step(
        key=f"scaled:{rule.name}",
        title=_("Spread within rows, {rule}").format(rule=rule.title),
        formula=f"s = c σ_{{row}},  c = {short(factor)}",
        filled="" if scaled is None else f"= {short(factor)}·{show(spread)} = {show(scaled)}",
        text=" ".join(parts),
        checked=checked,
    )


def _other_step(rule: Rule) -> Step:
    return Step(
        key=f"scaled:{rule.name}",
        title=rule.title,
        text=" ".join(_(sentence) for sentence in rule.scaling.sentences)
        + " "
        + _("Its weights are not the softmax of a multiple of the score: there is no closed form here."),
    )


def _measured_steps(result: Walk, rule: Rule, evidence: Evidence, place: int) -> Iterator[Step]:
    """Yield largest weight and entropy of one rule, expected and measured."""
    s = result.scenario
    reason = no_closed_form(s)
    largest, entropy = evidence.largest_weight[place], evidence.entropy[place]
    said = _("Measured over {rows} rows.").format(rows=count(evidence.rows))
    text = f"{reason[:1].upper()}{reason[1:]}. {said}" if reason else said
    yield Step(
        key=f"largest_weight:{rule.name}",
        title=_("Largest weight, {rule}").format(rule=rule.title),
        formula="E[max_{j} p_{j}]",
        filled="" if largest.theory is None else f"= {share_text(largest.theory)}",
        text=text,
        checked=largest,
    )
    filled = "" if entropy.theory is None else f"= {entropy_text(entropy.theory, False)}"
    yield Step(
        key=f"entropy:{rule.name}",
        title=_("Entropy, {rule}").format(rule=rule.title),
        formula="E[H] = −E[Σ_{j} p_{j} ln p_{j}]",
        filled=filled and filled + _(" of {most} at most").format(most=entropy_text(math.log(s.keys), False)),
        text="",
        checked=replace(entropy),
    )


def _row_step(result: Walk) -> Step:
    """Return how far the row on the screen is from one key taking half of the weight."""
    from attnsim.theory.gap_counting import concentration_scale, sorted_gaps

    scores = visible_scores(result)
    scale, gap = float(concentration_scale(scores)), float(sorted_gaps(scores)[0])
    beyond = [r.title for r in result.rules if float(r.factor(result.row.dim)) >= scale]
    text = _("In this very row the best key leads the next by {gap}.").format(gap=show(gap))
    if beyond:
        text += " " + _("Beyond that factor: {rules}.").format(rules=", ".join(beyond))
    return Step(
        key="row",
        title=_("This row: from which factor on one key holds half"),
        formula="Σ_{j} p_{j}^{2} = ½",
        filled=f"c = {show(scale)}",
        text=text,
    )
