"""Formulas that users type: what is right is computed, what is hostile is refused in a sentence."""

import math
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attnsim.choices.scalings import parse
from attnsim.choices.scalings.formula import FUNCTIONS, LONGEST, NAMES, read_formula
from attnsim.scenario import Scenario

NUMBERS = {
    "d": 64.0, "n": 100.0, "d_model": 512.0, "layer": 3.0, "sigma_q": 2.0, "sigma_k": 0.5, "rho": 0.25,
    "within_sd": 8.0,
}  # fmt: skip

HOSTILE = [
    "", " ", "().__class__", "d.__class__", "d.real", "__import__('os')", "__import__", "open('x')", "eval(d)",
    "exec", "print(d)", "lambda: 1", "[d]", "{d}", "{1:2}", "d[0]", "d if n else 1", "d and n", "not d", "d == n",
    "d < n", "d = 1", "d := 1", "(d := 1)", "'a'", '"a"', "'a'*9", "b'a'", "f'{d}'", "1j", "2j**2", "True", "None",
    "...", "d; n", "d\nn", "d\tn", "d\\\nn", "#", "d # comment", "yield", "await d", "*d", "sqrt(*d)", "sqrt(**d)",
    "sqrt(x=d)", "sqrt()", "sqrt(d, n)", "min(d)", "sqrt", "sqrt + 1", "sqrt(d)(n)", "1(2)", "d(n)",
    "d % n", "d // n", "d @ n", "d << 9", "d | n", "~d", "1_000", "0x10", "0b1", "1__0", "1e", "1if d else 2", "1or 2",
    "√d", "d²", "\uff44", "1.2.3", "d..d", "\x00", "d\x00", "¼", "١", "d, n", "(d, n)", "d,", "((((", "d)",
    "(" * 100 + "d" + ")" * 99, "-" * 150 + "d", "+-" * 80 + "d", "sqrt(" * 30 + "d" + ")" * 30 + "(",
    "abs(" * 40 + "d" + ")" * 40, "d" * 201, "1" * 5000, "9" * 199 + "d", "d" + "+d" * 10_000, "os", "self", "globals",
    "np.log(d)", "math", "e", "pi", "dd", "import os", "d_model_", "sigma", "d`", "$d", "d?", "d!", "%s", "{0}",
]  # fmt: skip
NOT_FINITE = ["9**9**9**9", "9**99999", "1e308*10", "1/0", "0/0", "log(0)", "log(-1)", "(-2)**0.5", "exp(99999)",
              "1e999", "10**400-10**400", "-1", "0", "0*d", "log(d)-9", "1-d", "1/(d-1)", "sqrt(2-d)"]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("1/sqrt(d)*log(n)", math.log(100.0) / 8), ("d**-0.5", 0.125), ("2 ** 3 ** 2", 512.0), ("-2**2", -4.0),
        ("1/(d_model/8)**.5", 0.125), ("sigma_q*sigma_k", 1.0), ("max(d, n) - min(d, n)", 36.0), ("1e-3*layer", 0.003),
        ("exp(-rho)", math.exp(-0.25)), ("1/within_sd", 0.125), ("tanh(1)+abs(-2)", math.tanh(1) + 2),
        ("log2(d)+log10(n)", 8.0), (" ( d ) ", 64.0), ("+d", 64.0), ("1.", 1.0),
    ],
)  # fmt: skip
def test_a_formula_means_what_it_says(text, wanted):
    assert float(read_formula("custom", text).value(NUMBERS)) == pytest.approx(wanted, rel=1e-15)


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:24]))
def test_what_is_no_formula_is_refused_in_a_sentence_at_once(text):
    start = time.process_time()
    with pytest.raises(ValueError, match="formula of custom") as refusal:
        Scenario(scalings=("custom:" + text,))
    assert time.process_time() - start < 0.05
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 300


@pytest.mark.parametrize("text", NOT_FINITE)
def test_what_is_no_positive_number_at_some_dimension_is_refused_with_that_dimension(text):
    start = time.process_time()
    with pytest.raises(ValueError, match=r"must lie in .* at every d in 1\.\.256, not be .* at d = "):
        Scenario(dim=256, scalings=("custom:" + text,))
    assert time.process_time() - start < 0.05


def value_or_sentence(text):
    try:
        return read_formula("custom", text).value(NUMBERS)
    except ValueError as error:
        return str(error)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=80))
def test_any_text_is_a_formula_or_a_sentence(text):
    value = value_or_sentence(text)
    if isinstance(value, str):
        assert "formula of custom" in value
    else:
        assert value.dtype == np.float64


ATOMS = [
    *NAMES,
    *FUNCTIONS,
    "(",
    ")",
    ",",
    "+",
    "-",
    "*",
    "/",
    "**",
    "2",
    "0.5",
    "1e3",
    ".",
    "__class__",
    "=",
    ":",
    "[",
    "'",
]


@settings(max_examples=500, deadline=None)
@given(st.lists(st.sampled_from(ATOMS), max_size=30))
def test_any_row_of_words_is_a_formula_or_a_sentence(words):
    text = " ".join(words)
    value = value_or_sentence(text)
    if isinstance(value, str):
        assert "formula of custom" in value
    else:
        assert value.shape == ()


leaf = st.sampled_from(NAMES) | st.floats(1e-3, 1e3).map(lambda x: f"{x:.4g}")
grown = st.recursive(
    leaf,
    lambda part: (
        st.tuples(part, st.sampled_from("+-*/"), part).map(lambda t: f"({t[0]}{t[1]}{t[2]})")
        | part.map(lambda t: f"abs({t})")
    ),
    max_leaves=8,
)


@settings(max_examples=300, deadline=None)
@given(grown)
def test_a_formula_has_the_value_that_python_gives_it(text):
    if len(text) > LONGEST:
        return
    try:
        wanted = eval(text, {"__builtins__": {}, "abs": abs, **NUMBERS})
    except ZeroDivisionError:
        return
    assert float(read_formula("custom", text).value(NUMBERS)) == pytest.approx(wanted, rel=1e-12, abs=1e-300)


def test_equal_formulas_are_one_rule_and_a_long_one_is_cut_in_the_legend():
    assert parse("custom:1/d") == parse("custom:1/d")
    assert len(parse("custom:1/(d+n+d_model+layer+rho+sigma_q)").title) <= 30
    with pytest.raises(ValueError, match="must differ"):
        Scenario(scalings=("custom:1/d", "custom: 1/d"))


def test_a_formula_of_the_spread_needs_one():
    with pytest.raises(ValueError, match="needs a variance"):
        Scenario(law="student_t", nu=1.5, scalings=("custom:1/within_sd",))
    with pytest.raises(ValueError, match="needs a spread within the row"):
        Scenario(rho=1.0, scalings=("optimal",))
    assert Scenario(rho=1.0, aligned="one", scalings=("optimal",)).rules
