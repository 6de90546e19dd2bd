"""Numbers for people, JSON for programs."""

import json
import math

import numpy as np
import pytest

from attnsim.cli.printing import print_columns, print_json, rounded


@pytest.mark.parametrize(
    ("value", "text"),
    [(15.98137, "15.98"), (0.043481, "0.04348"), (0.999996, "1.000"), (32000.4, "32000"), (-2.5, "-2.500"), (0.0, "0"),
     (1e-12, "1.000e-12"), (math.nan, "—"), (math.inf, "—"), (None, "—")],
)  # fmt: skip
def test_four_digits_that_count_are_shown(value, text):
    assert rounded(value) == text


def test_arrays_become_lists_and_no_number_becomes_null(capsys):
    print_json({"a": np.array([0.1, math.nan]), "b": (math.inf, np.float64(2.0)), "c": np.int64(3)})
    assert json.loads(capsys.readouterr().out) == {"a": [0.1, None], "b": [None, 2.0], "c": 3}


def test_words_stand_left_and_numbers_right(capsys):
    print_columns(("rule", "sd"), [("a", "10.5"), ("long", "1.25")])
    assert capsys.readouterr().out == "rule    sd\na     10.5\nlong  1.25\n"
