"""`attnsim explain`: why, step by step with this scenario's numbers, each line beside the simulation."""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from attnsim import api
from attnsim.cli import scenario_options, vector_options
from attnsim.cli.command import Command, Window
from attnsim.cli.printing import print_columns, print_json, rounded, say
from attnsim.experiments import agreement
from attnsim.experiments.evidence import Measured, evidence
from attnsim.experiments.records import Walk
from attnsim.figures.derivation import derivation
from attnsim.figures.formula import plain
from attnsim.figures.questions import QUESTIONS, Question, question
from attnsim.figures.step import Step
from attnsim.scenario import Scenario
from attnsim.words import _, mark

WORK = 20_000_000  # variates for the weights: a command may take its second
MOST_CHECKED = 2_000
FINDINGS = 1


def add_options(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("--json", action="store_true", help=_("print JSON"))
    parser.add_argument(
        "--question",
        metavar="N",
        help=_(
            "answer one of the three follow-up questions: 1 means that are not 0, 2 initialisation, 3 sparse attention"
        ),
    )
    parser.add_argument(
        "--check",
        metavar="N",
        help=_("compare theory with simulation on N random scenarios over all knobs and print the z-scores"),
    )
    vector_options.add(parser)
    scenario_options.add(parser)


def run(given: Namespace, window: Window) -> int:
    """Print the derivation, an answer, or the table of z-scores."""
    if given.check is not None:
        return check(scenario_options.whole("check", given.check, 1, MOST_CHECKED), given.json)
    asked = None
    if given.question is not None:
        asked = question(scenario_options.whole("question", given.question, min(QUESTIONS), max(QUESTIONS)))
    scenario = asked.scenario if asked else scenario_options.read(given)
    result = api.run(scenario, vector_options.read(given))
    found = None if result.vectors is not None else evidence(scenario, WORK)
    steps = derivation(result, found)
    if given.json:
        print_json(record(result, steps, asked))
    else:
        show(result, steps, asked)
    return 0


def record(result: Walk, steps: Sequence[Step], asked: Question | None) -> dict[str, Any]:
    """Return what `explain --json` prints."""
    found: dict[str, Any] = {"scenario": asdict(result.scenario), "steps": [_step(step) for step in steps]}
    if asked is not None:
        names = ("case", "score_sd", "multiplier")
        found["question"] = {
            "number": asked.number,
            "title": asked.title,
            "answer": list(asked.answer),
            "table": [dict(zip(names, row, strict=True)) for row in asked.rows],
            "seen": asked.seen,
        }
    return found


def _step(step: Step) -> dict[str, Any]:
    names = ("key", "title", "text")
    return {name: getattr(step, name) for name in names} | {
        "formula": plain(step.formula),
        "numbers": plain(step.filled),
        "theory": step.checked and step.checked.theory,
        "measured": step.checked and step.checked.value,
        "standard_error": step.checked and step.checked.error,
        "deviation": step.checked and step.checked.deviation,
    }


def show(result: Walk, steps: Sequence[Step], asked: Question | None) -> None:
    """Print the same for people."""
    if asked is not None:
        _show_answer(asked)
    for number, step in enumerate(steps, 1):
        say(f"{number}. {step.title}")
        for line in (f"{plain(step.formula)}  {plain(step.filled)}".strip(), step.text, _checked(step.checked)):
            if line:
                say(f"   {line}")
        say()


def _show_answer(asked: Question) -> None:
    say(f"{asked.number}. {asked.title}")
    for paragraph in asked.answer:
        say(f"   {paragraph}")
    say()
    if asked.rows:
        print_columns((_("initialisation"), _("spread after ÷ √d"), _("best factor")), asked.rows)
        say()
    say(_("To see it: attnsim simulate {options}").format(options=_options(asked.scenario)))
    say(f"   {asked.seen}")
    say()


def _options(scenario: Scenario) -> str:
    usual, chosen = asdict(Scenario()), asdict(scenario)
    return " ".join(
        f"--{name.replace('_', '-')} {','.join(value) if isinstance(value, tuple) else value}"
        for name, value in chosen.items()
        if value != usual[name]
    )


def _checked(checked: Measured | None) -> str:
    if checked is None:
        return ""
    error = f" ± {rounded(checked.error, 2)}" if checked.error > 0.0 else ""
    theory = _("no closed form") if checked.theory is None else rounded(checked.theory)
    words = _("measured {value}{error}, theory {theory}").format(
        value=rounded(checked.value), error=error, theory=theory
    )
    return words if checked.deviation is None else words + f"  (z = {checked.deviation:+.2f})"


def check(scenarios: int, as_json: bool) -> int:
    """Print z-scores of theory against simulation; 1 when any is beyond the limit."""
    report = agreement.report(scenarios)
    if as_json:
        print_json(asdict(report))
        return FINDINGS if report.beyond else 0
    heads = (_("scenario"), *(_(agreement.TITLES[name]) for name in agreement.QUANTITIES))
    lines = [
        (line.name, *("—" if z is None else f"{z:+.2f}" for z in (line.z.get(name) for name in agreement.QUANTITIES)))
        for line in report.lines
    ]
    print_columns(heads, lines)
    say()
    say(
        _(
            "{count} z-scores, mean square {square:.2f}, largest {largest:.2f}; beyond {limit:g}: {beyond}. If all "
            "closed forms are right, one of them or more goes beyond by chance with probability {alarm:.1e} at most "
            "(normal approximation)."
        ).format(
            count=report.count,
            square=report.mean_square,
            largest=report.largest,
            limit=agreement.LIMIT,
            beyond=report.beyond,
            alarm=report.false_alarm,
        )
    )
    return FINDINGS if report.beyond else 0


COMMAND = Command(
    key="explain",
    sentence=mark("Derive mean and variance step by step with a scenario's numbers, each beside the simulation."),
    add_options=add_options,
    run=run,
)
