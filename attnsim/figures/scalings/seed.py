"""The table that the first seed prints, number by number beside the right ones, and what is wrong in it."""

import math

from attnsim.choices.scalings import parse
from attnsim.experiments.estimates import NORMAL_QUANTILE
from attnsim.experiments.scalings import options_of
from attnsim.experiments.scalings.records import Scalings, SeedLine
from attnsim.figures.marks import Figure, Paragraph, Table
from attnsim.figures.numbers import count, number, share_text
from attnsim.figures.scalings.table import with_reach
from attnsim.view import View
from attnsim.words import _

ABSURD = 1e9  # keys that no row has


def build(result: Scalings, view: View) -> Figure:
    """Return the table, and under it a sentence a line."""
    lines = result.seed
    keys = int(lines[0].measured["keys"]) if lines else options_of(result.scenario).seed_keys
    table = Table(
        heads=(_("d, rule"), _("number"), _("printed"), _("measured"), _("exact"), _("verdict")),
        rows=tuple(row for line in lines for row in _rows_of(line)),
        numeric=(False, False, True, True, True, False),
        values=tuple(row for line in lines for row in _values(line)),
    )
    return Figure(
        key="scalings_seed",
        title=_("A printed table, checked"),
        subtitle=_("Measured: n = {keys}, N(0, 1), seed {seed}, {rows} rows; (5): ± 5 in the last digit, 95 %").format(
            keys=count(keys), seed=result.scenario.seed, rows=count(_rows(result))
        ),
        note="" if lines else _("drawing…"),
        plots=(),
        summary=_summary(lines),
        table=table,
        page=tuple(paragraph for line in lines for paragraph in _page(line)) + _closing(lines),
    )


def _rows(result: Scalings) -> int:
    return int(result.seed[0].measured["rows"]) if result.seed else result.scenario.rows


def _name(line: SeedLine) -> str:
    return _("{dim}, {rule}").format(dim=line.dim, rule=parse(line.scaling).title)


def exact_sd(line: SeedLine) -> float:
    """Return the standard deviation of the scaled score, exactly."""
    return float(line.measured["theory_sd"])


def _rows_of(line: SeedLine) -> tuple[tuple[str, ...], ...]:
    """Return a row for each number that is printed; the largest weight beside both that it may have been."""
    found, largest = line.measured, str(line.largest)
    return (
        (_name(line), _("mean"), number(line.mean, 10.0), with_reach(found, "mean"), "0", _fit(line, "mean")),
        ("", _("sd"), str(line.sd), with_reach(found, "sd"), number(exact_sd(line)), _fit(line, "sd")),
        (
            "",
            _("max p, mean"),
            largest,
            with_reach(found, "largest_weight_mean"),
            share_text(line.theory_largest),
            verdict(line)[0],
        ),
        (
            "",
            _("max p, median"),
            largest,
            with_reach(found, "largest_weight_median"),
            "–",
            _middle(line),
        ),
    )


def _values(line: SeedLine) -> tuple[tuple[float | str, ...], ...]:
    found, name = line.measured, f"{line.dim} {line.scaling}"
    return (
        (name, "mean", line.mean, found["mean"], 0.0, _fit(line, "mean")),
        (name, "sd", line.sd, found["sd"], exact_sd(line), _fit(line, "sd")),
        (
            name,
            "largest_weight_mean",
            line.largest,
            found["largest_weight_mean"],
            line.theory_largest,
            verdict(line)[0],
        ),
        (name, "largest_weight_median", line.largest, found["largest_weight_median"], math.nan, _middle(line)),
    )


def _fit(line: SeedLine, name: str) -> str:
    """Return how large a sample may be for which a printed mean or spread of independent scores is no surprise."""
    sd = exact_sd(line)
    gap = abs(line.mean) - rounding(line.mean) if name == "mean" else abs(line.sd - sd) - rounding(line.sd)
    if gap <= 0.0:
        return _("fits")
    pairs = (NORMAL_QUANTILE * sd / gap) ** 2 * (1.0 if name == "mean" else 0.5)
    return _("≤ {pairs} pairs").format(pairs=number(float(f"{pairs:.1e}")))


def rounding(printed: float) -> float:
    """Return half of the last digit that is printed."""
    return 0.5 * 10.0 ** -len(str(printed).partition(".")[2])


def _fits_median(line: SeedLine) -> bool:
    low, high = (line.measured[f"largest_weight_median_{end}"] for end in ("low", "high"))
    digit = rounding(line.largest)
    return low is not None and low - digit <= line.largest <= high + digit


def _middle(line: SeedLine) -> str:
    return _("fits") if _fits_median(line) else _("no")


def verdict(line: SeedLine) -> tuple[str, str]:
    """Return what a printed largest weight is: a word or two, and why."""
    found = line.measured
    median, fits_median = found["largest_weight_median"], _fits_median(line)
    if math.isnan(line.keys):
        why = _("As a mean it is impossible: with two keys, the fewest, the mean is {ceiling}.").format(
            ceiling=share_text(line.ceiling)
        )
        words = (
            _("It is the median of rows of {keys} keys, {median} here.")
            if fits_median
            else _("The median of rows of {keys} keys is {median} here.")
        )
        why += " " + words.format(keys=count(found["keys"]), median=f"{median:.4f}")
        return _("a median") if fits_median else _("no mean"), why
    if line.keys > ABSURD:
        return _("impossible"), _(
            "A mean of {largest} at this spread takes {keys} keys. The smallest of {rows} rows of {here} keys here "
            "is {least}."
        ).format(
            largest=line.largest,
            keys=number(line.keys),
            rows=count(found["rows"]),
            here=count(found["keys"]),
            least=share_text(found["largest_weight_min"]),
        )
    return _("n = {keys}").format(keys=f"{line.keys:.1f}"), _(
        "It is the mean of rows of {keys} keys: the only line that says how many there were."
    ).format(keys=f"{line.keys:.1f}")


def _page(line: SeedLine) -> tuple[Paragraph, ...]:
    return (Paragraph(_("d = {name}: {why}").format(name=_name(line), why=verdict(line)[1])),)


def _closing(lines: tuple[SeedLine, ...]) -> tuple[Paragraph, ...]:
    if not lines:
        return ()
    return (
        Paragraph(
            _(
                "Means and standard deviations are right: √d, and 1 after scaling, within what a sample leaves open. "
                "The largest weights mix means with medians, and without n such a number says nothing."
            )
        ),
    )


def _summary(lines: tuple[SeedLine, ...]) -> str:
    if not lines:
        return _("Nothing is measured yet.")
    each = "; ".join(
        _("d = {name}: printed {printed}, exact mean {exact}, {verdict}").format(
            name=_name(line),
            printed=line.largest,
            exact=share_text(line.theory_largest),
            verdict=verdict(line)[0],
        )
        for line in lines
    )
    return _("Largest weights of a printed table: {each}.").format(each=each)
