import numpy as np
import pytest

from attnsim.choices.masks import MASKS
from attnsim.experiments.masks import parts, run
from attnsim.experiments.masks.parts import empty_row
from attnsim.scenario import Scenario


@pytest.fixture(autouse=True)
def few_places(monkeypatch):
    monkeypatch.setattr(parts, "POSITIONS", 3)


def best(**fields):
    *_others, last = run(Scenario(**{"rows": 600, "scalings": ("inverse_sqrt", "constant:4"), **fields}))
    assert last.fraction == 1.0
    return last


def deviations(means):
    use = means.error > 1e-9
    z = (means.value - means.expected)[use] / means.error[use]
    return z[np.isfinite(z)]


@pytest.mark.parametrize(
    "fields",
    [
        {"dim": 64, "keys": 128},
        {"dim": 32, "keys": 64, "law": "sign", "mask_size": 8, "sigma_q": 2.0},
        {"dim": 48, "keys": 32, "mean_q": 0.5, "rho": 0.4, "mask": "window"},
    ],
)
def test_a_mask_that_reads_no_scores_gives_what_a_row_of_as_many_keys_gives(fields):
    result = best(**fields)
    assert result.seen.tolist()[0] == fields["keys"]
    blind = [place for place, name in enumerate(result.masks) if name != "top_k"]
    for means in (result.spread, result.largest, result.entropy, result.positions.largest, result.positions.entropy):
        assert np.abs(deviations(means)).max() < 5.0
    assert np.isfinite(result.largest.expected[blind]).all()
    assert np.isnan(result.largest.expected[result.masks.index("top_k")]).all()


def test_the_largest_of_many_scores_have_the_spread_of_a_tail():
    largest = parts.Largest(Scenario(dim=4096, keys=1024, rows=60))
    largest.measure()
    largest.ask_theory()
    selection = largest.result()
    middle = (selection.at >= 100) & (selection.at < 1024)
    np.testing.assert_allclose(selection.spread.value[middle], selection.spread.expected[middle], rtol=0.03)
    assert selection.shared.value[2] > 0.9  # nearly alike, until they are divided by their own spread
    assert selection.rescaled.value[2] < selection.shared.value[2]


def test_sparse_components_keep_their_spread_only_when_they_are_scaled_up():
    drawn = parts.Sparse(Scenario(dim=256, keys=64, nonzero=0.2))
    drawn.measure()
    drawn.ask_theory()
    sparse = drawn.tally.roots()
    assert np.abs(deviations(sparse)).max() < 5.0
    assert sparse.expected.tolist() == pytest.approx([16.0, 3.2])


@pytest.mark.parametrize(
    "fields", [{"dim": 1, "keys": 1}, {"dim": 65_536, "keys": 8}, {"law": "student_t", "nu": 1.5, "keys": 16}]
)
def test_extreme_scenarios_are_measured(fields):
    result = best(**fields, rows=20)
    assert np.all(result.largest.value > 0.0)
    assert np.all(result.seen >= 1)


def test_a_row_of_the_largest_scenario_begins_at_once():
    first = next(run(Scenario(dim=65_536, keys=65_536, scalings=("none",))))
    assert np.all(first.largest.value > 0.1)
    assert first.masks == tuple(MASKS)


def test_patterns_are_empty_where_a_key_is_hidden_and_sum_to_one_where_not():
    result = best(dim=16, keys=12, mask_size=4)
    causal = result.pattern[result.masks.index("causal"), 0]
    assert np.isnan(causal[np.triu_indices(12, 1)]).all()
    assert np.isfinite(causal[np.tril_indices(12)]).all()
    np.testing.assert_allclose(np.nansum(result.pattern, axis=3), 1.0)
    assert (np.isfinite(result.pattern[result.masks.index("top_k"), 0]).sum(axis=1) == 4).all()


def test_the_three_conventions_of_an_empty_row_are_those_of_torch():
    torch = pytest.importorskip("torch")
    empty = empty_row(5)
    q, k, v = torch.zeros(1, 1, 1, 8), torch.zeros(1, 1, 4, 8), torch.ones(1, 1, 4, 8)
    hidden = torch.zeros(1, 4, dtype=torch.bool)
    attended = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=hidden)
    np.testing.assert_array_equal(attended.numpy().ravel(), empty.output[0])
    minus_infinity = torch.softmax(torch.full((4,), -torch.inf), 0).numpy()
    np.testing.assert_array_equal(minus_infinity, empty.undefined)
    lowest = torch.softmax(torch.full((4,), torch.finfo(torch.float64).min, dtype=torch.float64), 0).numpy()
    np.testing.assert_array_equal(lowest, empty.uniform)
    np.testing.assert_array_equal(empty.zeros, 0.0)
