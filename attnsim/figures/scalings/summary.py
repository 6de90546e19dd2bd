"""What is said of the rules side by side."""

from typing import Any

import numpy as np

from attnsim.experiments.records import Estimate
from attnsim.experiments.scalings.records import Scalings, Scan
from attnsim.experiments.scalings.scan import estimate_of
from attnsim.figures.numbers import count, share_text, some_keys
from attnsim.figures.readouts import Readout, estimate_card
from attnsim.figures.scalings.seed import exact_sd, verdict
from attnsim.figures.summaries import Summary
from attnsim.figures.walk_summary import moment_text
from attnsim.view import View
from attnsim.words import _, mark, several

OVER_ROWS = mark("Means over rows")
MOST = 0.5  # a largest weight from which one key has more than all others together


def headline(result: Scalings, view: View) -> tuple[str, str]:
    """Return how many of the rules let one key take more than half, and each rule's mean largest weight."""
    s, own = result.scenario, _own(result)
    detail = _("d = {dim}, {keys}").format(dim=count(s.dim), keys=some_keys(s.keys))
    if s.keys == 1:
        return _("One key has weight 1 under every rule"), detail
    shares = {rule.title: own[rule.name]["largest_weight_mean"] for rule in result.walk.rules if rule.name in own}
    known = {title: share for title, share in shares.items() if share is not None}
    if not known:
        return _("One draw under {rules}").format(rules=_rules(len(result.walk.rules))), detail
    wide = sum(share > MOST for share in known.values())
    title = several(
        "{wide} of {rules} gives one key more than half of the weight",
        "{wide} of {rules} give one key more than half of the weight",
        wide,
    ).format(wide=wide or _("None"), rules=_rules(len(known)))
    each = " · ".join(_("{rule} {share}").format(rule=title, share=share_text(share)) for title, share in known.items())
    return title, _("{detail}, mean largest weight: {each}").format(detail=detail, each=each)


def _rules(amount: int) -> str:
    return several("{count} rule", "{count} rules", amount).format(count=count(amount))


def _own(result: Scalings) -> dict[str, dict[str, Any]]:
    """Return the table's records at the scenario's own dimension, by rule."""
    return {record["scaling"]: record for record in result.table if record["dim"] == result.scenario.dim}


def readouts(result: Scalings, view: View) -> tuple[Readout, ...]:
    """Return largest weight, entropy and spread of each rule at the scenario's own dimension."""
    own = _own(result)
    wanted = (
        ("largest_weight", _("Largest weight, {rule}"), "largest_weight_mean", "theory_largest_weight"),
        ("entropy", _("Entropy, {rule}"), "entropy_mean", "theory_entropy"),
        ("sd", _("Spread over all pairs, {rule}"), "sd", "theory_sd"),
    )
    cards = []
    for key, words, name, theory in wanted:
        for rule in result.walk.rules:
            record = own.get(rule.name)
            if record is None or record[name] is None:
                continue
            estimate = Estimate(*(np.array([part]) for part in estimate_of(record, name)))
            known = np.nan if record[theory] is None else float(record[theory])
            size = max(float(record[name]), 1e-3)
            title = words.format(rule=rule.title)
            cards.append(
                estimate_card(result, f"{key}:{rule.name}", title, estimate, 0, known, size, group=_(OVER_ROWS))
            )
    return tuple(cards)


def order(result: Scalings, view: View) -> tuple[str, ...]:
    """Return the cards' keys, the most telling first."""
    names = [rule.name for rule in result.walk.rules]
    return tuple(f"{key}:{name}" for key in ("largest_weight", "entropy", "sd") for name in names)


def describe(result: Scalings) -> str:
    """Return a caption."""
    s = result.scenario
    return _(
        "{rules} on one row of {keys} of dimension {dim}, law {law}, seed {seed}, and their largest weight and entropy "
        "over many rows. {title}."
    ).format(
        rules=_rules(len(result.walk.rules)),
        keys=some_keys(s.keys),
        dim=count(s.dim),
        law=s.law,
        seed=s.seed,
        title=headline(result, View())[0],
    )


def numbers(result: Scalings, view: View) -> dict[str, Any]:
    """Return the cards' numbers, the table, both scans and the printed table."""
    cards = {
        card.key: {
            "value": card.value,
            "theory": card.theory,
            "low": card.low,
            "high": card.high,
            "standard_errors": card.deviation,
        }
        for card in readouts(result, view)
    }
    names = [rule.name for rule in result.walk.rules]
    return {
        **cards,
        "table": [dict(record) for record in result.table],
        "by_dim": _scan(result.by_dim, names),
        "by_keys": _scan(result.by_keys, names),
        "seed": [
            {
                "dim": line.dim,
                "scaling": line.scaling,
                "printed": {"mean": line.mean, "sd": line.sd, "largest_weight": line.largest},
                "measured": line.measured,
                "theory": {"mean": 0.0, "sd": exact_sd(line), "largest_weight": line.theory_largest},
                "ceiling": line.ceiling,
                "keys_for_printed": line.keys,
                "verdict": verdict(line)[0],
                "why": verdict(line)[1],
            }
            for line in result.seed
        ],
    }


def _scan(scan: Scan, names: list[str]) -> dict[str, Any]:
    parts = (("largest_weight_mean", scan.largest), ("largest_weight_median", scan.median), ("entropy", scan.entropy))
    return {
        "at": scan.at.tolist(),
        "rows": scan.rows.tolist(),
        "theory_at": scan.line_at.tolist(),
        "left_out": list(scan.reasons),
        "rules": {
            name: {
                **{
                    f"{key}{end}": getattr(estimate, part)[place].tolist()
                    for key, estimate in parts
                    for end, part in (("", "value"), ("_low", "low"), ("_high", "high"))
                },
                "theory_largest_weight": scan.line_largest[place].tolist(),
                "theory_entropy": scan.line_entropy[place].tolist(),
            }
            for place, name in enumerate(names)
        },
    }


def moment_words(result: Scalings, moment: int) -> str:
    """Return which dimension is shown."""
    return moment_text(result.walk, moment)


SUMMARY = Summary(
    headline=headline, readouts=readouts, order=order, caption=describe, numbers=numbers, moment_text=moment_words
)
