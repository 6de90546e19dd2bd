"""`attnsim simulate`: one draw and its ensemble, beside theory."""

from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from typing import Any

from attnsim import api
from attnsim.cli import scenario_options, vector_options
from attnsim.cli.command import Command, Window
from attnsim.cli.printing import print_columns, print_json, rounded, say
from attnsim.experiments.records import Walk
from attnsim.words import _, mark

# name in the output -> name in the records of the ensemble and of theory
QUANTITIES = {
    "mean": "mean",
    "sd": "sd",
    "within_row_sd": "within_sd",
    "skewness": "skewness",
    "excess_kurtosis": "excess_kurtosis",
}
TITLES = {
    "mean": mark("mean"),
    "sd": mark("standard deviation"),
    "within_row_sd": mark("standard deviation within a row"),
    "skewness": mark("skewness"),
    "excess_kurtosis": mark("excess kurtosis"),
}


def add_options(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("--json", action="store_true", help=_("print JSON with every score and weight"))
    vector_options.add(parser)
    scenario_options.add(parser)


def run(given: Namespace, window: Window) -> int:
    """Run the scenario and print what came out."""
    result = api.run(scenario_options.read(given), vector_options.read(given))
    if given.json:
        print_json(record(result))
    else:
        show(result)
    return 0


def record(result: Walk) -> dict[str, Any]:
    """Return what `simulate --json` prints; raw scores, at the last checkpoint."""
    row, found = result.row, api.attention_of(result)
    return {
        "scenario": asdict(result.scenario),
        "row": {
            "scores": row.scores(-1),
            "weights": {name: each.weights[0] for name, each in found.items()},
            "keys_seen": {name: each.count[0] for name, each in found.items()},
            "sink": {name: each.sink[0] for name, each in found.items()},
            "overflowed": {name: bool(each.overflowed[0]) for name, each in found.items()},
            "query_norm": row.query_norm[-1],
        },
        "ensemble": _ensemble(result),
        "theory": _theory(result),
        "marginal_changed": result.scenario.marginal_changed,
    }


def _ensemble(result: Walk) -> dict[str, Any] | None:
    ensemble = result.ensemble
    if ensemble is None:
        return None
    found: dict[str, Any] = {}
    for name, field in QUANTITIES.items():
        estimate = getattr(ensemble, field)
        found |= {name: estimate.value[-1], name + "_low": estimate.low[-1], name + "_high": estimate.high[-1]}
    return found | {"rows": ensemble.rows, "keys_per_row": ensemble.keys_per_row}


def _theory(result: Walk) -> dict[str, Any]:
    found: dict[str, Any] = {name: getattr(result.theory, field)[-1] for name, field in QUANTITIES.items()}
    return found | {"assumption": result.theory.assumption}


def show(result: Walk) -> None:
    """Print the same for people, without the single scores."""
    say(_title(result))
    say()
    ensemble, theory = _ensemble(result), _theory(result)
    if ensemble is not None:
        heads = (_("raw score"), _("measured"), _("95 % from"), _("to"), _("theory"))
        lines = [
            (
                _(TITLES[name]),
                *(rounded(float(ensemble[name + end])) for end in ("", "_low", "_high")),
                rounded(float(theory[name])),
            )
            for name in QUANTITIES
        ]
        print_columns(heads, lines)
        if theory["assumption"]:
            say(_("Theory assumes: {assumption}.").format(assumption=theory["assumption"]))
        say()
    if result.scenario.marginal_changed:
        say(_("With correlation the components no longer follow the law named."))
    _show_row(result)


def _title(result: Walk) -> str:
    s, ensemble = result.scenario, result.ensemble
    rows = ensemble.rows if ensemble else 0
    if result.vectors is not None:
        v = result.vectors
        return _("{title}: {layer}, head {head}, row {row}; d = {dim}, keys n = {keys}, rows {rows}").format(
            title=v.title, layer=v.current.name, head=v.head, row=v.row, dim=v.dim, keys=result.row.keys, rows=rows
        )
    return _("d = {dim}, keys n = {keys}, law {law}, seed {seed}, rows {rows}").format(
        dim=s.dim, keys=s.keys, law=s.law, seed=s.seed, rows=rows
    )


def _show_row(result: Walk) -> None:
    norm = rounded(float(result.row.query_norm[-1]))
    say(_("This row: its query has length {norm}.").format(norm=norm))
    found = api.attention_of(result)
    lines = [
        (name, rounded(float(each.largest[0])), rounded(float(each.entropy[0])), str(each.count[0]))
        for name, each in found.items()
    ]
    print_columns((_("rule"), _("largest weight"), _("entropy in nats"), _("keys seen")), lines)
    for name, each in found.items():
        if each.overflowed[0]:
            say(_("{rule}: {format} overflows.").format(rule=name, format=result.scenario.format))
        elif not each.count[0]:
            say(_("{rule}: the mask hides every key.").format(rule=name))
        elif each.sink[0]:
            say(_("{rule}: the sink takes {share}.").format(rule=name, share=rounded(float(each.sink[0]))))


COMMAND = Command(
    key="simulate",
    sentence=mark("Draw one row and an ensemble of rows, and compare them with theory."),
    add_options=add_options,
    run=run,
)
