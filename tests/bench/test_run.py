"""How ratios are made of readings: exact cases first, then the real list."""

import time

import numpy as np
import pytest

from attnsim.bench import GROWTHS, ITEMS
from attnsim.bench.clock import interleaved, middle, repeats
from attnsim.bench.growth import grow
from attnsim.bench.item import Growth, Item
from attnsim.bench.run import measure

ISSUE = {
    "normals", "dot_components", "scores_exact_64", "scores_exact_512", "scores_exact_4096", "scores_exact_vs_trick",
    "rows_64", "rows_512", "dot_signs", "walk_ends", "walk_ends_vs_bitcount", "walk_paths", "walk_paths_normal",
    "softmax", "softmax_vs_torch", "softmax_statistics", "billion",
    "attention_a", "attention_b", "attention_c", "attention_grad_a", "attention_grad_b", "attention_grad_c",
}  # fmt: skip


class Clock:
    """A CPU clock that moves only when it is told to."""

    now = 0.0

    def spend(self, seconds):
        self.now += seconds


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(time, "process_time", lambda: clock.now)
    return clock


def item(clock, ours, theirs, **more):
    fields = {"id": "thing", "against": "other", "target": 2.0} | more
    return Item(ours=lambda: clock.spend(ours), theirs=lambda: clock.spend(theirs), **fields)


def test_the_ratio_is_their_time_over_ours_for_the_same_work(clock):
    (record,) = measure([item(clock, 0.5, 2.0, share=3.0)])
    assert record["ratio"] == pytest.approx(12.0)
    assert record["seconds"] == pytest.approx(0.5)
    assert (record["id"], record["against"], record["target"]) == ("thing", "other", 2.0)
    assert record["limit"] is record["fraction_of_limit"] is None


def test_the_fraction_of_the_limit_is_the_limits_time_over_ours(clock):
    (record,) = measure([item(clock, 0.5, 2.0, limit="a copy", limit_run=lambda: clock.spend(0.2))])
    assert record["fraction_of_limit"] == pytest.approx(0.4)
    assert record["limit"] == "a copy"


def test_the_worst_case_of_an_id_counts(clock):
    cases = [item(clock, 1.0, ratio, case=f"n = {ratio}") for ratio in (5.0, 3.0, 4.0)]
    (record,) = measure(cases)
    assert (record["ratio"], record["case"]) == (pytest.approx(3.0), "n = 3.0")


def test_a_module_that_is_missing_is_named_in_place_of_a_ratio(clock):
    (record,) = measure([item(clock, 1.0, 1.0, needs="no_such_module_at_all")])
    assert record["ratio"] is None
    assert record["reason"] == "no_such_module_at_all is not installed"


def test_an_item_with_a_time_of_its_own_is_measured_against_it(clock):
    alone = Item("long", "8 s", 1.0, ours=lambda: clock.spend(4.0), theirs=None, allowed_seconds=8.0, quick=False)
    (record,) = measure([alone])
    assert record["ratio"] == pytest.approx(2.0)
    assert list(measure([alone], quick=True)) == []
    assert len(list(measure([alone], quick=True, only=("long",)))) == 1


def test_a_slow_moment_of_the_machine_does_not_move_the_median(clock):
    turns = iter([1.0, 1.0, 1.0, 50.0] + [1.0] * 1000)

    def call():
        clock.spend(next(turns))

    readings = interleaved([call, lambda: clock.spend(2.0)], least=0.5, budget=20.0)
    assert middle(readings, 1, 0) == 2.0


def test_a_short_call_is_repeated_until_a_reading_lasts(clock):
    assert 100 <= repeats(lambda: clock.spend(1e-4), 1e-2) <= 200


def test_a_wrong_id_is_refused_with_those_that_exist(clock):
    with pytest.raises(ValueError, match="only must name some of thing, not nothing"):
        list(measure([item(clock, 1.0, 1.0)], only=("nothing",)))


def test_growth_counts_time_by_unit(clock):
    def run(size):
        clock.spend(size * 1e-6)
        return size

    records = list(grow([Growth("walks", "d", "step", (10, 1000), run)]))
    assert [record["size"] for record in records] == [10, 1000]
    assert [record["ns_per_unit"] for record in records] == pytest.approx([1000.0, 1000.0])


def test_every_id_of_the_table_is_there():
    assert {item.id for item in ITEMS} >= ISSUE
    assert all(item.target > 0.0 for item in ITEMS)
    attention = {name for name in ISSUE if name.startswith("attention")}
    assert {item.id for item in ITEMS if item.limit} == {"normals", "walk_paths", "softmax"} | attention
    assert max(max(growth.sizes) for growth in GROWTHS) == 1_000_000


@pytest.mark.parametrize("item", [i for i in ITEMS if i.id in ("walk_ends", "softmax", "softmax_statistics")],
                         ids=lambda item: f"{item.id} {item.case}")  # fmt: skip
def test_both_sides_do_the_same_work(item):
    ours, theirs = item.ours(), item.theirs()
    if item.id == "walk_ends":
        assert ours == theirs.size
    elif item.id == "softmax":
        np.testing.assert_allclose(ours, theirs, rtol=1e-5)
    else:
        mines = (ours.weights, ours.largest, ours.entropy, ours.participation, ours.jacobian_norm)
        for mine, other in zip(mines, theirs, strict=True):
            np.testing.assert_allclose(mine, other, rtol=2e-4)
