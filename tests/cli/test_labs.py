"""`attnsim labs`."""

from attnsim.figures import FIGURES
from attnsim.labs import LABS


def test_every_lab_is_listed_with_title_and_figures_that_exist(attnsim):
    records = attnsim("labs", "--json").json
    assert [record["key"] for record in records] == list(LABS)
    assert all(set(record) == {"key", "title", "figures"} for record in records)
    assert all(set(record["figures"]) <= set(FIGURES) for record in records)


def test_people_read_the_same(attnsim):
    out = attnsim("labs").out
    assert all(key in out for key in LABS)
