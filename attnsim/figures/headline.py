"""The sentence over the figures, and the caption under them: true for every scenario."""

import math

from attnsim.experiments.records import Theory, Walk
from attnsim.figures.moment import moment
from attnsim.figures.numbers import count, number, some_keys
from attnsim.scenario import Scenario
from attnsim.view import View
from attnsim.words import _

ROOT, LINEAR = 0.02, 0.95  # how near the exponent must be to 1/2, and from where on it counts as 1
VISIBLE = 0.02  # share by which the spread within a row must differ to be named


def headline(result: Walk, view: View) -> tuple[str, str]:
    """Return what the picture shows: a sentence, and its numbers at the playhead.

    Parameters
    ----------
    result : Walk
    view : View

    Returns
    -------
    title, detail : str
        Such as "Scores spread like √d" and "d = 256 → σ ≈ 16.0".
    """
    now = moment(result, view)
    if result.vectors is not None:
        return _real(result, now.index, now.step)
    theory = result.theory
    if now.step == 0:
        return growth_words(result.scenario, theory, len(theory.steps) - 1), _("d = 0: nothing is summed yet")
    mean, sd, within = (float(part[now.index]) for part in (theory.mean, theory.sd, theory.within_sd))
    if not math.isfinite(sd):
        return growth_words(result.scenario, theory, now.index), _("d = {dim}").format(dim=count(now.step))
    if sd == 0.0:
        return _("All scores are equal"), _("d = {dim} → {score}").format(
            dim=count(now.step), score=number(mean, max(abs(mean), 1.0))
        )
    parts = [_("σ ≈ {sd}").format(sd=short(sd))]
    if mean:
        parts.insert(0, _("mean {mean}").format(mean=number(mean, max(abs(mean), sd))))
    if math.isfinite(within) and abs(within / sd - 1.0) > VISIBLE:
        parts.append(_("softmax sees {sd}").format(sd=short(within)))
    return growth_words(result.scenario, theory, now.index), _("d = {dim} → {numbers}").format(
        dim=count(now.step), numbers=", ".join(parts)
    )


def describe(result: Walk) -> str:
    """Return a caption: what was drawn, and what is seen at the last dimension."""
    row, s = result.row, result.scenario
    if result.vectors is not None:
        v = result.vectors
        return _(
            "Running sums, scores and softmax weights of query {row} with {keys} of {title}, {layer}, "
            "head {head}, d = {dim}."
        ).format(
            row=v.row, keys=some_keys(row.keys), title=v.title, layer=v.current.name, head=v.head, dim=count(row.dim)
        )
    drawn = _(
        "One query and {keys} of dimension {dim}, law {law}, seed {seed}: running sums, scores, softmax weights."
    ).format(keys=some_keys(row.keys), dim=count(row.dim), law=s.law, seed=s.seed)
    title, detail = headline(result, View())
    return _("{drawn} {title}: {detail}.").format(drawn=drawn, title=title, detail=detail)


def growth_words(s: Scenario, theory: Theory, index: int) -> str:
    """Return how the spread of a scenario's scores grows with the dimension, by the exponent of theory there."""
    exponent, mean = float(theory.exponent[index]), float(theory.mean[index])
    if not math.isfinite(float(theory.sd[index])):
        if s.law == "student_t" and s.nu <= 2.0:
            return _("Scores have no variance under this law")
        return _("No closed form for the spread of these scores")
    if not math.isfinite(exponent):
        spread = _("Scores spread with d")
    elif abs(exponent - 0.5) <= ROOT:
        spread = _("Scores spread like √d")
    elif exponent < 0.5:
        spread = _("Scores spread slower than √d")
    elif exponent >= LINEAR:
        spread = _("Scores spread like d") if exponent <= 2.0 - LINEAR else _("Scores spread faster than d")
    else:
        spread = _("Scores spread faster than √d")
    return _("{spread}, their mean like d").format(spread=spread) if mean else spread


def _real(result: Walk, index: int, step: int) -> tuple[str, str]:
    """Return measured against predicted spread of the row of a real head."""
    vectors, row = result.vectors, result.row
    assert vectors is not None
    place = _("{title}, {layer}, head {head}, query {row}").format(
        title=vectors.title, layer=vectors.current.name, head=vectors.head, row=vectors.row
    )
    predicted = float(row.sd[index])
    if step == 0 or row.keys < 2 or not predicted > 0.0:
        return _("Scores of one real query"), _("d = {dim} · {place}").format(place=place, dim=count(step))
    ratio = float(row.scores(index).std(ddof=1)) / predicted
    title = _("Scores spread {ratio} × as wide as independent components would").format(ratio=f"{ratio:.2f}")
    if 0.95 <= ratio <= 1.05:
        title = _("Scores spread as independent components would")
    detail = _("d = {dim} → σ = {sd}, predicted {predicted} · {place}").format(
        place=place, dim=count(step), sd=short(ratio * predicted), predicted=short(predicted)
    )
    return title, detail


def short(value: float) -> str:
    """Write a spread with about three digits."""
    return f"{value:,.1f}" if 10.0 <= value < 1e6 else f"{value:.2f}" if 0.1 <= value < 10.0 else number(value)
