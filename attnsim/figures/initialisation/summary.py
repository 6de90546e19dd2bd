"""What is said of initialisation and depth."""

import math
from typing import Any

import numpy as np

from attnsim.experiments.initialisation.records import Initialised
from attnsim.experiments.tally import Means
from attnsim.figures.initialisation.names import NORMAL, STACKS, TITLES
from attnsim.figures.numbers import count, number, signed
from attnsim.figures.readouts import DOUBTFUL, GOOD, Readout, Tone
from attnsim.figures.summaries import Summary
from attnsim.view import View
from attnsim.words import _, mark

SCORES, LAST, FIRST = mark("Scores at the start"), mark("Signal behind the last layer"), mark("Gradient at the input")
SHORT = {"scores": mark("Start"), "signal": mark("Signal"), "gradient": mark("Gradient")}
FAR = 100.0  # by which a signal or gradient may have changed and still counts as kept


def headline(result: Initialised, view: View) -> tuple[str, str]:
    """Return which stacks keep signal and gradient, and the sizes."""
    kept = [
        _(STACKS[scheme])
        for place, scheme in enumerate(result.schemes)
        if _near(result.signal.expected[place, -1], result.signal.value[place, -1])
        and _near(result.gradient.expected[place, 0], result.gradient.value[place, 0])
    ]
    if not kept:
        title = _("No stack here keeps both its signal and its gradient")
    elif len(kept) == len(result.schemes):
        title = _("So few layers keep signal and gradient under every rule")
    else:
        title = _("Signal and gradient both survive under {kept}").format(kept=", ".join(kept))
    section, s = result.section, result.scenario
    words = _("{layers} layers of {width} units · scores of a head of d = {dim} in a model of D = {model}")
    detail = words.format(
        layers=count(section.layers), width=count(section.width), dim=count(s.dim), model=count(s.d_model)
    )
    if s.law not in ("normal", "initialised"):
        detail += _(" · matrices are drawn here, whatever the law")
    return title, detail


def _near(expected: float, measured: float) -> bool:
    value = expected if math.isfinite(expected) else measured
    return math.isfinite(value) and 1.0 / FAR <= value <= FAR


def readouts(result: Initialised, view: View) -> tuple[Readout, ...]:
    """Return the start of each initialiser, and what is left of signal and gradient in each stack."""
    starts = [
        _card(f"scores:{name}", _(SCORES), _(TITLES[name]), result.scores, (place,), True)
        for place, name in enumerate(result.names)
    ]
    stacks = [
        _card(f"{what}:{scheme}", _(group), _(STACKS[scheme]), means, (place, at), _judged(result, scheme))
        for what, group, means, at in (("signal", LAST, result.signal, -1), ("gradient", FIRST, result.gradient, 0))
        for place, scheme in enumerate(result.schemes)
    ]
    return (*stacks, *starts)


def _judged(result: Initialised, scheme: str) -> bool:
    """Return whether theory is exact at any width; of tanh and of norms it is that of wide layers."""
    return result.section.activation != "tanh" and scheme not in ("layer_norm", "batch_norm")


def order(result: Initialised, view: View) -> tuple[str, ...]:
    """Return the cards' keys, the most telling first."""
    stacks = tuple(
        f"{what}:{scheme}" for scheme in ("xavier", "kaiming", "batch_norm") for what in ("signal", "gradient")
    )
    rest = tuple(f"{what}:{scheme}" for scheme in ("layer_norm", "none") for what in ("signal", "gradient"))
    starts = tuple(f"scores:{name}" for name in ("xavier_fused", "linear_default", "kaiming_normal", "normal_0_02"))
    return (*stacks, *starts, *rest)


def numbers(result: Initialised, view: View) -> dict[str, Any]:
    """Return everything that is drawn."""
    scores = {name: _numbers(result.scores, (place,)) for place, name in enumerate(result.names)}
    stacks = {
        scheme: {"signal": _curve(result.signal, place), "gradient": _curve(result.gradient, place)}
        for place, scheme in enumerate(result.schemes)
    }
    collapse = {
        rule.name: {"pure": _curve(result.pure, place), "skip": _curve(result.skip, place)}
        for place, rule in enumerate(result.rules)
    }
    return {"nets": result.nets, "scores": scores, "stacks": stacks, "collapse": collapse}


def caption(result: Initialised) -> str:
    """Return what was drawn."""
    section = result.section
    return _("{nets} random stacks of {layers} layers of {width} units, {activation}, seed {seed}.").format(
        nets=count(result.nets),
        layers=count(section.layers),
        width=count(section.width),
        activation=section.activation,
        seed=result.scenario.seed,
    )


def _card(key: str, group: str, title: str, means: Means, place: tuple[int, ...], judged: bool) -> Readout:
    value, expected, error = (float(part[place]) for part in (means.value, means.expected, means.error))
    known = math.isfinite(expected)
    z = None
    if judged and known and math.isfinite(error) and error > 1e-12 * abs(value):
        z = (value - expected) / error
    tone: Tone = "plain"
    if z is not None:
        tone = "good" if abs(z) <= GOOD else "plain" if abs(z) <= DOUBTFUL else "warn"
    words = _("theory {value}") if judged else _("wide layers {value}")
    return Readout(
        key=key,
        group=group,
        title=_("{what}, {name}").format(what=_(SHORT[key.partition(":")[0]]), name=title),
        value=value,
        value_text=number(value),
        theory=expected if known else None,
        theory_text=words.format(value=number(expected)) if known else _("no closed form"),
        low=value - NORMAL * error if math.isfinite(error) else None,
        high=value + NORMAL * error if math.isfinite(error) else None,
        deviation=z,
        deviation_text="" if z is None else _("{deviation} SE").format(deviation=signed(z)),
        tone=tone,
    )


def _curve(means: Means, place: int) -> dict[str, list[float | None]]:
    low, high = means.value - NORMAL * means.error, means.value + NORMAL * means.error
    parts = {"value": means.value, "low": low, "high": high, "theory": means.expected}
    return {name: [_plain(x) for x in part[place]] for name, part in parts.items()}


def _numbers(means: Means, place: tuple[int, ...]) -> dict[str, float | None]:
    value, expected, error = (float(part[place]) for part in (means.value, means.expected, means.error))
    ends = {"low": _plain(value - NORMAL * error), "high": _plain(value + NORMAL * error)}
    return {"value": _plain(value), "theory": _plain(expected)} | ends


def _plain(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


SUMMARY = Summary(headline=headline, readouts=readouts, order=order, caption=caption, numbers=numbers)
