"""`attnsim bench`."""

import pytest

from attnsim.bench.item import Growth, Item
from attnsim.cli import bench

KEYS = {"id", "against", "ratio", "target", "limit", "fraction_of_limit"}


@pytest.fixture
def small(monkeypatch):
    """Two comparisons and a growth that take no time."""
    items = (
        Item("one", "other", 1.0, ours=lambda: sum(range(100)), theirs=lambda: sum(range(200)), case="n = 1"),
        Item("two", "nobody", 1.0, ours=list, theirs=list, needs="no_such_module_at_all"),
    )
    monkeypatch.setattr(bench, "ITEMS", items)
    monkeypatch.setattr(bench, "GROWTHS", (Growth("adding", "n", "number", (10, 100), lambda n: n),))


@pytest.mark.usefixtures("small")
def test_a_program_reads_a_list_of_records(attnsim):
    outcome = attnsim("bench", "--quick", "--json")
    assert outcome.code == 0
    one, two = outcome.json
    assert set(one) >= KEYS
    assert one["ratio"] > 0.0
    assert two["ratio"] is None
    assert [record["id"] for record in attnsim("bench", "--json", "--only", "two").json] == ["two"]


@pytest.mark.usefixtures("small")
def test_people_read_columns_and_why_a_ratio_is_missing(attnsim):
    out = attnsim("bench", "--quick").out
    assert "no_such_module_at_all is not installed" in out
    assert "one thread" in out
    assert "adding" in attnsim("bench", "--growth").out
    assert {record["size"] for record in attnsim("bench", "--growth", "--json").json} == {10, 100}


@pytest.mark.usefixtures("small")
def test_an_unknown_comparison_is_bad_input(attnsim):
    outcome = attnsim("bench", "--only", "three")
    assert outcome.code == 2
    assert outcome.error == "attnsim: only must name some of one, two, not three\n"


def test_a_real_comparison_is_measured(attnsim):
    (record,) = attnsim("bench", "--quick", "--json", "--only", "walk_paths").json
    assert record["ratio"] > 1.0
    assert record["fraction_of_limit"] > 0.0
