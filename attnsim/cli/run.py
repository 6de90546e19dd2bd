"""`attnsim run LAB`: a lab without a window."""

from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from typing import Any

from attnsim import api
from attnsim.choices.sections import section_of
from attnsim.cli import export, page_options, scenario_options, vector_options
from attnsim.cli.command import Command, Window
from attnsim.cli.printing import print_columns, print_json, say
from attnsim.figures.numbers import number
from attnsim.figures.summaries import summary_of
from attnsim.files.pictures import fitting
from attnsim.labs import LABS
from attnsim.labs.lab import Lab
from attnsim.scenario import Scenario
from attnsim.view import View
from attnsim.words import _, mark


def add_options(parser: ArgumentParser) -> None:
    """Add a parser for each lab, with the options of its own."""
    labs = parser.add_subparsers(dest="lab", metavar=_("LAB"), required=True)
    for lab in LABS.values():
        one = labs.add_parser(lab.key, help=_(lab.title), description=_(lab.lesson), allow_abbrev=False)
        one.add_argument("--json", action="store_true", help=_("print JSON"))
        page_options.add(one, lab)
        export.add_view_options(one)
        for pick in lab.picks:
            words = _("what is shown: {known}").format(known=", ".join(word for word, _title in pick.options))
            one.add_argument(
                "--show-" + pick.name.replace("_", "-"), dest=f"pick_{pick.name}", metavar="WORD", help=words
            )
        scenario_options.add_section(one, lab)
        if lab.real:
            vector_options.add(one)
        scenario_options.add(one)


def run(given: Namespace, window: Window) -> int:
    """Run the lab, write its figures where they are wanted, and print its numbers."""
    lab = LABS[given.lab]
    scenario = scenario_options.read(given, usual=dict(lab.usual), section=section_of(lab.key))
    vectors = vector_options.read(given) if lab.real else None
    view, page = _view(given, lab), page_options.read(given)
    result = api.run(scenario, vectors, lab.key)
    view = fitting(result, view)
    if given.out is not None or given.animate is not None:
        for file in page_options.write(result, view, given, lab.key, page):
            if not given.json:
                say(_("Wrote {file}").format(file=file))
    if given.json:
        summary = summary_of(result)
        title, detail = summary.headline(result, view)
        print_json(
            {
                "lab": lab.key,
                "scenario": _plain(result.scenario),
                "headline": [title, detail],
                "figures": list(lab.visible(view.figures)),
                "numbers": summary.numbers(result, view),
            }
        )
    else:
        _show(result, view)
    return 0


def _plain(scenario: Scenario) -> dict[str, Any]:
    fields = asdict(scenario)
    return fields | (fields.pop("section") or {})


def _view(given: Namespace, lab: Lab) -> View:
    view = export.view_of(given)
    for pick in lab.picks:
        word, known = getattr(given, f"pick_{pick.name}"), [each for each, _title in pick.options]
        if word is not None and word not in known:
            raise ValueError(
                _("{name} must be one of {known}, not {value}").format(
                    name=f"show-{pick.name}", known=", ".join(known), value=repr(word)
                )
            )
        if word is not None:
            view = view.picking(pick.name, word)
    return export.showing(view, given.figures, lab)


def _show(result: Any, view: View) -> None:
    summary = summary_of(result)
    title, detail = summary.headline(result, view)
    say(f"{title}. {detail}" if detail else title)
    cards = summary.readouts(result, view)
    if cards:
        heads = (_("number"), _("measured"), _("theory"), _("standard errors"))
        rows = [
            (
                card.title,
                card.value_text,
                "–" if card.theory is None else number(card.theory),
                "–" if card.deviation is None else f"{card.deviation:+.1f}",
            )
            for card in cards
        ]
        print_columns(heads, rows, words=1)


COMMAND = Command(
    key="run",
    sentence=mark("Run a lab without a window: its numbers, and its figures in a file."),
    add_options=add_options,
    run=run,
)
