"""Numbers behind figures, read back by pandas, numpy and json."""

import json

import numpy as np
import pytest

from attnsim.experiments.walk import last
from attnsim.figures.marks import (
    Axis,
    Band,
    Bars,
    Cursor,
    Dots,
    Figure,
    Heat,
    Line,
    Paragraph,
    Paths,
    Plot,
    Rug,
    Table,
    Text,
    Whiskers,
)
from attnsim.files.opening import state_in
from attnsim.files.pictures import figure, save
from attnsim.files.state import State
from attnsim.files.writers import save as write
from attnsim.scenario import Scenario
from attnsim.view import View

X = np.array([1.0, 2.0, 1 / 3])
MARKS = (
    Line(X, np.sqrt(X), label="theory, exact"),
    Band(X, X - 0.1, X + 0.1, "walk"),
    Bars(X, X**2, 0.5, "walk"),
    Dots(X, np.array([0.1, np.nan, 0.3]), "walk", label="#1"),
    Whiskers(X, X - 1, X + 1, "walk"),
    Heat(np.array([0.0, 1.0, 3.0]), np.array([0.0, 2.0]), np.array([[5.0, np.nan]]), 0.0, 1.0, title="entropy, nats"),
    Paths(np.arange(4.0), np.arange(8.0).reshape(4, 2), 3, np.array([4, 9])),
    Rug(X, "walk"),
    Cursor(0.5),
    Text(0.1, 0.2, 'a "word", √d'),
)
ALL = Figure(
    "all", "Title", "", "", (Plot("one", Axis("d, components"), Axis("score, no unit"), MARKS),), "A sentence.",
    table=Table(("rule", "spread"), (("none", "11.3"),), values=(("none", 11.313708498984761),)),
    page=(Paragraph("First\nsecond"),),
)  # fmt: skip


def read_csv(path):
    pandas = pytest.importorskip("pandas", reason="pandas reads the table back")
    return pandas.read_csv(path, comment="#")


def column(table, end):
    (name,) = [name for name in table.columns if name.endswith(end)]
    return table[name].dropna().to_numpy()


def test_pandas_reads_every_kind_of_mark_in_one_call_to_the_last_digit(tmp_path):
    write(tmp_path / "all.csv", [ALL])
    table = read_csv(tmp_path / "all.csv")
    np.testing.assert_array_equal(column(table, "1_line (theory, exact)/y [score, no unit]"), np.sqrt(X))
    np.testing.assert_array_equal(column(table, "2_band/low [score, no unit]"), X - 0.1)
    np.testing.assert_array_equal(column(table, "3_bars/y [score, no unit]"), X**2)
    np.testing.assert_array_equal(column(table, "4_dots (№1)/y [score, no unit]"), [0.1, 0.3])
    np.testing.assert_array_equal(column(table, "5_whiskers/high [score, no unit]"), X + 1)
    np.testing.assert_array_equal(column(table, "6_heat/value [entropy, nats]"), [5.0])
    np.testing.assert_array_equal(column(table, "6_heat/x_high [d, components]"), [1.0, 3.0])
    np.testing.assert_array_equal(column(table, "7_paths/y_key_9 [score, no unit]"), [1.0, 3.0, 5.0])
    np.testing.assert_array_equal(column(table, "8_rug/x [d, components]"), X)
    np.testing.assert_array_equal(column(table, "9_cursor/x [d, components]"), [0.5])
    assert column(table, "10_text/text").tolist() == ['a "word", √d']
    assert column(table, "table/spread").tolist() == [11.313708498984761]
    assert column(table, "all/text/text").tolist() == ["First second"]


def test_numpy_reads_every_kind_of_mark_without_pickle(tmp_path):
    write(tmp_path / "all.npz", [ALL])
    with np.load(tmp_path / "all.npz", allow_pickle=False) as arrays:
        np.testing.assert_array_equal(arrays["all.one.1_line.y"], np.sqrt(X))
        np.testing.assert_array_equal(arrays["all.one.6_heat.matrix"], [[5.0, np.nan]])
        np.testing.assert_array_equal(arrays["all.one.7_paths.y_key_4"], [0.0, 2.0, 4.0])
        assert arrays["all.table.rule"].tolist() == ["none"]
        contents = json.loads(str(arrays["contents"]))
    assert contents["all.one.1_line"] == {"label": "theory, exact", "x": "d, components", "y": "score, no unit"}


def test_the_json_is_strict_and_holds_figures_as_they_are(tmp_path):
    def refuse(name):
        raise AssertionError(name)

    write(tmp_path / "all.json", [ALL])
    (drawn,) = json.loads((tmp_path / "all.json").read_text("utf-8"), parse_constant=refuse)["figures"]
    marks = drawn["plots"][0]["marks"]
    assert [mark["kind"] for mark in marks] == [type(mark).__name__.lower() for mark in MARKS]
    assert marks[0]["y"] == np.sqrt(X).tolist()
    assert marks[3]["y"] == [0.1, None, 0.3]
    assert drawn["plots"][0]["x"]["label"] == "d, components"
    assert drawn["table"]["values"] == [["none", 11.313708498984761]]
    assert drawn["page"] == [{"text": "First\nsecond", "kind": "words"}]


@pytest.fixture(scope="module")
def result():
    return last(Scenario(dim=16, keys=8, rows=20, scalings=("none", "custom:1/sqrt(d)")))


@pytest.mark.parametrize("kind", ["csv", "npz", "json"])
def test_data_bring_back_where_they_come_from_and_equal_ones_are_equal_bytes(result, tmp_path, kind):
    view = View(marked=(1, 2), playhead=9)
    paths = [save(result, tmp_path / f"{name}.{kind}", view) for name in ("one", "two")]
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert state_in(paths[0]) == (State(scenario=result.scenario, view=view), ())
    assert str(tmp_path).encode() not in paths[0].read_bytes()


def test_the_numbers_are_those_of_the_result(result, tmp_path):
    save(result, tmp_path / "walk.csv", figures=("walk",))
    table = read_csv(tmp_path / "walk.csv")
    np.testing.assert_array_equal(column(table, "y_key_3 [running sum of q·k]"), result.row.walks[:, 3])


def test_every_figure_of_every_registry_can_be_written_as_data(result, tmp_path):
    for name in ("walk", "scores", "weights"):
        for kind in ("csv", "npz", "json"):
            assert figure(result, name).save(tmp_path / f"{name}.{kind}").stat().st_size > 500


def test_two_columns_of_one_name_are_told_apart(tmp_path):
    plot = Plot("one", Axis(), Axis(), (Line(X, X),))
    write(tmp_path / "twice.csv", [Figure("a", "", "", "", (plot, plot), "")])
    assert list(read_csv(tmp_path / "twice.csv").columns) == [
        "a/one/1_line/x", "a/one/1_line/y", "a/one/1_line/x 2", "a/one/1_line/y 2",
    ]  # fmt: skip


def test_a_cell_with_an_interval_has_three_columns_and_heads_of_one_name_stay_apart(tmp_path):
    table = Table(("rule", "sd", "theory", "theory"), (("none", "8.0 ± 0.1", "8", "1"),),
                  values=(("none", 8.01, 7.9, 8.1, 8.0, 1.0, 2000.0),))  # fmt: skip
    write(tmp_path / "a.csv", [Figure("a", "", "", "", (), "", table=table)])
    heads = [name.removeprefix("a/table/") for name in read_csv(tmp_path / "a.csv").columns]
    assert heads == ["rule", "sd", "sd, low", "sd, high", "theory", "theory 2", "value 7"]
