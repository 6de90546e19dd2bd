"""The table of the first seed, with what it leaves out: keys, rows, seed, mean and median apart, intervals, theory."""

from collections.abc import Mapping
from typing import Any

from attnsim.choices.scalings import Rule
from attnsim.experiments.scalings.records import Scalings
from attnsim.figures.marks import Figure, Table
from attnsim.figures.moment import rule_roles
from attnsim.figures.numbers import count, number, share_text, with_last_digits
from attnsim.view import View
from attnsim.words import _

# of a record, behind rule and dimension
CELLS = ("mean", "sd", "theory_sd", "largest_weight_mean", "theory_largest_weight", "largest_weight_median")


def build(result: Scalings, view: View) -> Figure:
    """Return the table: a dimension and a rule each."""
    s = result.scenario
    rules = {
        rule.name: (rule, role) for rule, role in zip(result.walk.rules, rule_roles(result.walk.rules), strict=True)
    }
    table = Table(
        heads=(
            _("rule"), _("d"), _("mean"), _("sd"), _("sd exact"), _("max p, mean"), _("exact mean"), _("max p, median"),
        ),
        rows=tuple(_row(record, rules[record["scaling"]][0]) for record in result.table),
        roles=tuple(rules[record["scaling"]][1] for record in result.table),
        values=tuple(_values(record) for record in result.table),
    )  # fmt: skip
    rows = max((record["rows"] for record in result.table), default=s.rows)
    return Figure(
        key="scalings_table",
        title=_("Scaled scores and weights"),
        subtitle=_("n = {keys}, {law}, seed {seed}, {rows} rows; (5): ± 5 in the last digit, 95 %").format(
            keys=count(s.keys), law=s.law, seed=s.seed, rows=count(rows)
        ),
        note="" if result.table else _("drawing…"),
        plots=(),
        summary=_summary(result),
        table=table,
    )


def _row(record: Mapping[str, Any], rule: Rule) -> tuple[str, ...]:
    return (
        rule.title,
        count(record["dim"]),
        with_reach(record, "mean"),
        with_reach(record, "sd"),
        number_or_dash(record["theory_sd"]),
        with_reach(record, "largest_weight_mean"),
        share_or_dash(record["theory_largest_weight"]),
        with_reach(record, "largest_weight_median"),
    )


def _values(record: Mapping[str, Any]) -> tuple[float | str, ...]:
    return (record["scaling"], float(record["dim"]), *(_plain(record[key]) for key in CELLS))


def _plain(value: Any) -> float:
    return float("nan") if value is None else float(value)


def number_or_dash(value: float | None) -> str:
    """Write a number, a dash for none."""
    return "–" if value is None or value != value else number(value)


def share_or_dash(value: float | None) -> str:
    """Write a weight, a dash for none."""
    return "–" if value is None or value != value else share_text(value)


def with_reach(record: Mapping[str, Any], name: str) -> str:
    """Write a number of a record, and in brackets half of its 95 % interval in the last digits."""
    value, reach = record[name], _reach(record, name)
    if value is None or reach is None:
        return number_or_dash(value)
    return with_last_digits(value, reach)


def _reach(record: Mapping[str, Any], name: str) -> float | None:
    low, high = record[f"{name}_low"], record[f"{name}_high"]
    return None if low is None or high is None else 0.5 * float(high - low)


def _summary(result: Scalings) -> str:
    if not result.table:
        return _("Nothing is measured yet.")
    titles = {rule.name: rule.title for rule in result.walk.rules}
    each = "; ".join(
        _("{rule} at d = {dim}: {share}").format(
            rule=titles[record["scaling"]], dim=count(record["dim"]), share=share_or_dash(record["largest_weight_mean"])
        )
        for record in result.table
    )
    return _("Mean largest weight of {keys} keys: {each}.").format(keys=count(result.scenario.keys), each=each)
