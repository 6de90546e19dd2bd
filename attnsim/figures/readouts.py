"""The cards under the figures: one measured number each, beside what theory says of it.

Numbers of this row are compared with the row's own law given its query; numbers of the ensemble with the law over
draws. The two are never mixed: one row's spread is ||q||, not sqrt(d), and says so.
"""

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np

from attnsim.choices.scalings import Rule
from attnsim.experiments.records import Estimate, Walk
from attnsim.experiments.result import Record
from attnsim.figures.moment import Floats, Moment, attention_of, moment, rule_of
from attnsim.figures.numbers import entropy_text, number, share_text, signed
from attnsim.view import View
from attnsim.words import _

GOOD, DOUBTFUL = 2.0, 3.3  # standard errors
WIDEST = 2.5  # standard errors of an interval of so few rows, seven, that their number means little
FEWEST_FREEDOMS = 1.0  # below, a chi-square law is no likeness of a row's spread
SATURATED = 0.9  # a largest weight from here on counts as saturated

Tone = Literal["good", "plain", "warn", "saturated"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Readout:
    """One card.

    Attributes
    ----------
    key : str
        Stable name.
    group : str
        Whose number it is: "row", "ensemble", "weights"; a lab may have others.
    title, value_text, theory_text, deviation_text : str
        Ready to show; the last may be empty.
    value : float
    theory, low, high, deviation : float or None
        For the gauge: prediction, 95 % interval around the value, and (value - theory) in standard errors;
        None where there is none.
    tone : {"good", "plain", "warn", "saturated"}
    """

    key: str
    group: str
    title: str
    value_text: str
    theory_text: str
    value: float
    deviation_text: str = ""
    theory: float | None = None
    low: float | None = None
    high: float | None = None
    deviation: float | None = None
    tone: Tone = "plain"


def readouts(result: Walk, view: View) -> tuple[Readout, ...]:
    """Return all cards at the playhead: this row's, the ensemble's, the weights'.

    Parameters
    ----------
    result : Walk
    view : View

    Returns
    -------
    tuple of Readout
        In the order of the groups; no ensemble card before the first rows are drawn or at dimension 0.
    """
    now = moment(result, view)
    return (*_row(result, now), *_ensemble(result, view, now), *_weights(result, view, now))


def _row(result: Walk, now: Moment) -> tuple[Readout, ...]:
    row, scores = result.row, now.scores
    title_mean, title_sd = _("Mean of this row"), _("Spread of this row")
    if row.aligned_key is not None and row.keys > row.aligned_key:
        scores = np.delete(scores, row.aligned_key)
        title_mean = _("Mean of this row without key {key}").format(key=row.aligned_key)
        title_sd = _("Spread of this row without key {key}").format(key=row.aligned_key)
    mean, sd = float(row.mean[now.index]), float(row.sd[now.index])
    cards = []
    if scores.size:
        value = float(scores.mean())
        error = sd / math.sqrt(scores.size) if now.step else math.nan
        reach = 1.959963984540054 * error  # exact for normal scores of a known spread
        cards.append(
            _card(result, "row_mean", "row", title_mean, value, mean, error, (value - reach, value + reach), sd)
        )
    if scores.size > 1:
        value = float(scores.std(ddof=1))
        error, ends = _spread_error(result, now, scores, value, sd)
        cards.append(_card(result, "row_sd", "row", title_sd, value, sd, error, ends, sd))
    else:
        cards.append(
            Readout(
                key="row_sd",
                group="row",
                title=title_sd,
                value_text="–",
                value=math.nan,
                theory_text=_("one key has no spread"),
            )
        )
    return tuple(cards)


def _spread_error(
    result: Walk, now: Moment, scores: Floats, value: float, sd: float
) -> tuple[float, tuple[float, float] | None]:
    """Return the standard error of a row's spread and its 95 % interval.

    Scores of normal keys are normal given q, so the interval is the exact chi-square one. For other laws the degrees
    of freedom are those that give the variance of a sample's variance, 2/(n - 1) + kurtosis/n (Box, Biometrika 40,
    1953); real rows have no law.
    """
    spread = 2.0 / (scores.size - 1) + float(result.row.kurtosis[now.index]) / scores.size
    if now.step == 0 or not value > 0.0 or not math.isfinite(spread) or spread <= 0.0:
        return math.nan, None
    freedom = round(2.0 / spread, 6)
    if freedom < FEWEST_FREEDOMS:
        return math.nan, None  # tails so heavy that the row says nothing of its own spread
    error = sd / math.sqrt(2.0 * freedom)
    if result.ensemble is None:
        # the quantiles load scipy, which the window's start must not wait for; the ensemble's own intervals have
        # loaded it by the time they are here
        return error, None
    low, high = _chi_square(freedom)
    return error, (value * math.sqrt(freedom / high), value * math.sqrt(freedom / low))


@lru_cache(maxsize=256)
def _chi_square(freedom: float, level: float = 0.95) -> tuple[float, float]:
    from attnsim.theory.intervals import chi_square_interval

    low, high = chi_square_interval(freedom, level)
    return float(low), float(high)


def _ensemble(result: Walk, view: View, now: Moment) -> tuple[Readout, ...]:
    ensemble, theory = result.ensemble, result.theory
    if ensemble is None or now.step == 0:
        return ()
    at = ensemble.index(now.step)
    step = int(ensemble.steps[at])
    place = int(np.searchsorted(theory.steps, step))
    rule = rule_of(result, view)
    sd, within = float(theory.sd[place]), float(theory.within_sd[place])
    scale = sd if math.isfinite(sd) else float(ensemble.sd.value[at])
    cards = [
        estimate_card(result, "mean", _("Mean of q·k, all pairs"), ensemble.mean, at, float(theory.mean[place]), scale),
        estimate_card(result, "sd", _("Spread over all pairs"), ensemble.sd, at, sd, scale),
    ]
    if ensemble.keys_per_row > 1:
        title = _("Spread within rows")
        cards.append(estimate_card(result, "within_sd", title, ensemble.within_sd, at, within, scale))
        if rule.is_linear and rule.name != "none":
            factor = float(rule.multiplier(step))
            title = _("Within rows, after {rule}").format(rule=rule.title)
            cards.append(
                estimate_card(result, "scaled_sd", title, ensemble.within_sd, at, within, scale * factor, factor)
            )
    if not rule.is_linear and now.scores.size > 1:
        cards.append(_logit_spread(result, rule, now))
    return tuple(cards)


def _logit_spread(result: Walk, rule: Rule, now: Moment) -> Readout:
    """Return the spread of the row on screen under a rule that is no factor of the score."""
    logits = attention_of(rule, result, now.index).logits[0]
    value = float(logits[np.isfinite(logits)].std()) if np.isfinite(logits).any() else math.nan
    return Readout(
        key="scaled_sd",
        group="row",
        title=_("This row, after {rule}").format(rule=rule.title),
        value=value,
        value_text=number(value),
        theory_text=_("not a factor of the score"),
    )


def estimate_card(
    result: Record,
    key: str,
    title: str,
    estimate: Estimate,
    at: int,
    theory: float,
    scale: float,
    factor: float = 1.0,
    group: str = "ensemble",
) -> Readout:
    """Return the card of an estimate at one of its checkpoints.

    Parameters
    ----------
    result : Result
        With a scenario, and vectors where they are real.
    key, title, group : str
        Of the card.
    estimate : Estimate
    at : int
    theory : float
        nan where there is no prediction.
    scale : float
        A size that says how many decimals matter.
    factor : float
        By which estimate and theory are multiplied.
    """
    value, error, low, high = (
        float(part[at]) * factor for part in (estimate.value, estimate.error, estimate.low, estimate.high)
    )
    return _card(result, key, group, title, value, theory * factor, error, (low, high), scale)


def _card(
    result: Record,
    key: str,
    group: str,
    title: str,
    value: float,
    theory: float,
    error: float,
    ends: tuple[float, float] | None,
    scale: float,
) -> Readout:
    """Return a card, with a gauge only where both a prediction and an error are known."""
    bare = Readout(key=key, group=group, title=title, value=value, value_text=number(value, scale), theory_text="")
    if math.isnan(theory):
        return replace(bare, theory_text=_missing(result, spread="mean" not in key))
    named = number(theory, scale)
    if result.vectors is not None:
        ratio = _("{ratio} ×").format(ratio=f"{value / theory:.2f}") if theory and "mean" not in key else ""
        words = _("if independent {theory}").format(theory=named)
        return replace(bare, theory=theory, theory_text=words, deviation_text=ratio)
    words = (_("given q {theory}") if group == "row" else _("theory {theory}")).format(theory=named)
    bare = replace(bare, theory=theory, theory_text=words)
    return _gauged(bare, theory, error, ends) if math.isfinite(error) and error > 0.0 else bare


def _gauged(bare: Readout, theory: float, error: float, ends: tuple[float, float] | None) -> Readout:
    """Return a card with its deviation in standard errors and its 95 % band."""
    low, high = ends if ends is not None and all(math.isfinite(end) for end in ends) else (None, None)
    if low is not None and high is not None and high - low > 2.0 * WIDEST * error:
        return replace(bare, low=low, high=high)
    deviation = (bare.value - theory) / error
    tone: Tone = "good" if abs(deviation) <= GOOD else "plain" if abs(deviation) <= DOUBTFUL else "warn"
    words = _("{deviation} SE").format(deviation=signed(deviation))
    return replace(bare, deviation=deviation, deviation_text=words, low=low, high=high, tone=tone)


def _missing(result: Record, *, spread: bool) -> str:
    """Return why there is no prediction."""
    if result.vectors is None and result.scenario.law == "student_t":
        if spread and result.scenario.nu <= 2.0:
            return _("variance does not exist")
        if not spread and result.scenario.nu <= 1.0:
            return _("mean does not exist")
    return _("no closed form")


def _weights(result: Walk, view: View, now: Moment) -> tuple[Readout, ...]:
    """Return largest weight and entropy under each rule, all largest weights first."""
    shares, entropies = [], []
    for place, rule in enumerate(result.rules):
        row = attention_of(rule, result, now.index)
        keys, overflowed = int(row.count[0]), bool(row.overflowed[0])
        largest, entropy = float(row.largest[0]), float(row.entropy[0])
        most, nats = _expected(result, place, now)
        full = keys > 1 and largest >= SATURATED
        shares.append(
            Readout(
                key=f"largest_weight:{rule.name}",
                group="weights",
                title=_("Largest weight, {rule}").format(rule=rule.title),
                value=largest,
                value_text="–" if overflowed else share_text(largest),
                theory=most,
                theory_text=_beside_share(most, keys),
                deviation_text=_("overflow") if overflowed else _("saturated") if full else "",
                tone="saturated" if full else "plain",
            )
        )
        entropies.append(
            Readout(
                key=f"entropy:{rule.name}",
                group="weights",
                title=_("Entropy, {rule}").format(rule=rule.title),
                value=entropy / (math.log(2.0) if view.bits else 1.0),
                value_text="–" if overflowed else entropy_text(entropy, view.bits),
                theory=None if nats is None else nats / (math.log(2.0) if view.bits else 1.0),
                theory_text=_("uniform {entropy}").format(entropy=entropy_text(math.log(max(keys, 1)), view.bits))
                if nats is None
                else _("over draws {entropy}").format(entropy=entropy_text(nats, view.bits)),
            )
        )
    return (*shares, *entropies)


def _beside_share(expected: float | None, keys: int) -> str:
    """Return what a largest weight is to be compared with: its mean over draws, or the uniform share."""
    if keys < 2:
        return _("one key") if keys else _("no key is seen")
    if expected is None:
        return _("uniform {share}").format(share=share_text(1.0 / keys))
    return _("over draws {share}").format(share=share_text(expected))


def _expected(result: Walk, rule: int, now: Moment) -> tuple[float | None, float | None]:
    """Return what theory expects over draws of largest weight and entropy; None where it says nothing."""
    if result.expected is None or now.step == 0 or now.scores.size < result.row.keys_total:
        return None, None
    largest, entropy = result.expected.at(rule, now.step)
    return (largest, entropy) if math.isfinite(largest) and math.isfinite(entropy) else (None, None)
