"""Every sentence a user reads passes through the catalogue: a made-up language shows what does not."""

import gettext
import re

import pytest

from attnsim import api, words
from attnsim.choices.laws import LAWS
from attnsim.choices.laws.initialised import INITIALISATIONS
from attnsim.choices.scalings import SCALINGS, parse
from attnsim.choices.sections import section_of
from attnsim.choices.sections.which_d import WhichD
from attnsim.experiments.walk import last
from attnsim.figures import FIGURES
from attnsim.figures.summaries import summary_of
from attnsim.figures.which_d.lines import LINES
from attnsim.labs import LABS
from attnsim.scenario import Scenario
from attnsim.view import View


class Brackets(gettext.NullTranslations):
    """A language in which every sentence stands in brackets."""

    def gettext(self, message):
        return f"⟦{message}⟧"

    def ngettext(self, one, many, count):
        return f"⟦{one if count == 1 else many}⟧"


@pytest.fixture
def bracketed(monkeypatch):
    monkeypatch.setattr(words, "_catalogue", Brackets())


CODES = {line.code for line in LINES.values()}
SIGNS = re.compile(r"[\d\s.,;:·×÷±√σπ=→∞%+\-–−^/()mdnqkKLSE]*")


def untranslated(text):
    """What is left of a text without what stands in brackets, numbers and signs."""
    while "⟦" in text:
        shorter = re.sub(r"⟦[^⟦⟧]*⟧", "", text)
        if shorter == text:
            break
        text = shorter
    return SIGNS.sub("", text)


def shown_texts(result, view):
    labs = [lab for lab in LABS.values() if lab.experiment == result.experiment]
    for key in dict.fromkeys(key for lab in labs for key in lab.figures):
        figure = FIGURES[key](result, view)
        yield from (figure.title, figure.subtitle, figure.note, figure.summary)
        yield from (line.text for line in figure.page if line.kind in ("heading", "words"))
        yield from figure.table.heads if figure.table is not None else ()
        for plot in figure.plots:
            yield from (plot.x.label, plot.y.label)
            yield from (text for text, _role in plot.heading)
            texts = [mark.text for mark in plot.marks if hasattr(mark, "text")]
            yield from (text for text in texts if max(map(len, text.split()), default=0) > 1)  # letters are names
    summary = summary_of(result)
    yield from summary.headline(result, view)
    yield summary.caption(result)
    for card in summary.readouts(result, view):
        yield from (card.title, card.theory_text, card.deviation_text)


@pytest.mark.parametrize(
    "fields",
    [{}, {"rho": 0.5, "mean_q": 0.2}, {"r_q": 0.3, "r_k": 0.3}, {"law": "student_t", "nu": 1.5}, {"aligned": "one"}],
)
@pytest.mark.parametrize("view", [View(), View(playhead=0), View(playhead=7, marked=(3,), bits=True)])
def test_all_words_of_the_figures_pass_through_the_catalogue(bracketed, fields, view):
    result = last(Scenario(**{"dim": 16, "keys": 8, "rows": 40, **fields}))
    left = {text: untranslated(text) for text in shown_texts(result, view) if untranslated(text)}
    assert not left


@pytest.mark.parametrize(
    "fields",
    [{}, {"rho": 0.5, "mean_q": 0.2}, {"law": "student_t", "nu": 1.5}, {"law": "sign", "mask": "causal"}, {"keys": 1}],
)
@pytest.mark.parametrize("lab", ["spread", "scalings"])
def test_all_words_of_a_lab_pass_through_the_catalogue(bracketed, lab, fields):
    scenario = Scenario(**{"dim": 16, "keys": 8, "rows": 120, "section": section_of(lab), **fields})
    for result in (next(iter(api.iterate(scenario, lab=lab))), api.run(scenario, lab=lab)):
        texts = shown_texts(result, View(bits=True))
        assert not {text: untranslated(text) for text in texts if untranslated(text)}


@pytest.mark.parametrize("reveal", ["hidden", "shown"])
@pytest.mark.parametrize("guess", ["none", "right", "twice"])
def test_all_words_of_the_seven_lines_of_code_pass_through_the_catalogue(bracketed, reveal, guess):
    scenario = Scenario(dim=16, keys=8, rows=40, mask="causal", section=WhichD(guess=guess))
    result = api.run(scenario, lab="which_d")
    texts = [text for text in shown_texts(result, View().picking("reveal", reveal)) if text not in CODES]
    assert not {text: untranslated(text) for text in texts if untranslated(text)}


def test_all_words_of_the_registries_can_be_translated_when_they_are_shown(bracketed):
    for lab in LABS.values():
        assert words._(lab.title).startswith("⟦")
    for name in SCALINGS:
        assert parse(name).title.startswith("⟦")
    for choice in (*LAWS.values(), *INITIALISATIONS.values()):
        assert words._(choice.title).startswith("⟦")


@pytest.mark.parametrize(
    "fields",
    [
        {"dim": 0},
        {"law": "x"},
        {"rho": 1.0, "r_q": 0.5},
        {"law": "ar1", "r_q": 0.5},
        {"law": "initialised", "dim": 65536, "d_model": 8192},
        {"scalings": ("x",)},
    ],
)
def test_refusals_pass_through_the_catalogue(bracketed, fields):
    with pytest.raises(ValueError, match=r"^⟦.*⟧$"):
        Scenario(**fields)


def test_a_language_without_a_catalogue_is_english(tmp_path):
    assert words.install(tmp_path, "tlh") == "en"
    assert words._("score") == "score"
