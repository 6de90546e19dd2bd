"""Every choice's formula can be read in the window: no sign of the typesetter is left."""

import pytest

from attnsim.choices.formats import FORMATS
from attnsim.choices.laws import LAWS
from attnsim.choices.masks import MASKS
from attnsim.choices.scalings import SCALINGS
from attnsim.figures.formula import from_mathtext, plain

ENTRIES = [*LAWS.values(), *SCALINGS.values(), *MASKS.values(), *FORMATS.values()]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.key)
def test_no_command_of_the_typesetter_is_left(entry):
    text = plain(from_mathtext(entry.formula))
    assert text.strip()
    assert "\\" not in text
    assert "frac" not in text
    assert "sqrt" not in text
    assert text.count("(") == text.count(")")


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (r"q \cdot k / \sqrt{d}", "q · k / √d"),
        (r"q_i, k_i \sim N(\mu, \sigma^2)", "q_i, k_i ∼ N(μ, σ²)"),
        (r"\frac{\ln n}{\ln n_0}\, q \cdot k", "(ln n)/(ln n_0)  q · k"),
        (r"p(a) = e^{-\sqrt{2}\,|a|} / \sqrt{2}", "p(a) = e^(-√2 |a|) / √2"),
        (r"q_i, k_i \in \{\mu - \sigma\}", "q_i, k_i ∈ {μ - σ}"),
    ],
)
def test_formulas_read_as_they_are_meant(written, read):
    assert plain(from_mathtext(written)) == read
