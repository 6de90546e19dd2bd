"""Gradients of rows: against torch, against closed forms, and at the ends of what a scenario may hold."""

import math
from dataclasses import replace

import numpy as np
import pytest

from attnsim.choices.sections.gradients import GradientOptions
from attnsim.experiments.closed_forms import rules_at
from attnsim.experiments.gradients import run
from attnsim.experiments.gradients.rates import sweep
from attnsim.experiments.gradients.records import QUANTITIES
from attnsim.experiments.gradients.softmax_gradient import (
    jacobian,
    jacobian_norm,
    of_cross_entropy,
    through_softmax,
)
from attnsim.experiments.gradients.spread import SpreadDraws
from attnsim.experiments.gradients.statistics import median_with_interval, rms_with_interval
from attnsim.experiments.gradients.training import loss_and_gradients, train
from attnsim.experiments.walk import last as walk_of
from attnsim.scenario import Scenario

torch = pytest.importorskip("torch", reason="torch is the third party that judges the gradients")


def scenario(**fields):
    inner = {name: fields.pop(name) for name in list(fields) if name in GradientOptions.__slots__}
    return Scenario(section=GradientOptions(**({"training": "off"} | inner)), **fields)


def best(made):
    for result in run(made):
        found = result
    return found


def spread_of(made):
    draws = SpreadDraws(made)
    while not draws.complete:
        draws.grow()
    return draws.result()


@pytest.mark.parametrize("upstream", ["random", "one_key", "cross_entropy", "cross_entropy_largest", "even"])
@pytest.mark.parametrize("fields", [{"dim": 8, "keys": 5}, {"dim": 96, "keys": 40, "rho": 0.4, "aligned": "one"}])
def test_the_gradients_of_a_row_are_those_of_torch(upstream, fields):
    made = scenario(upstream=upstream, seed=3, **fields)
    row = best(made).row
    keys = np.diff(row.row.key_sums, axis=0).T
    for place, factor in enumerate(row.factors):
        q = torch.tensor(row.query, dtype=torch.float64, requires_grad=True)
        k = torch.tensor(np.ascontiguousarray(keys, dtype=np.float64), requires_grad=True)
        logits = float(factor) * (k @ q)
        logits.retain_grad()
        weights = torch.softmax(logits, 0)
        target = int(row.target[place])
        if upstream == "random":
            from attnsim.experiments.gradients.upstream import Upstream

            loss = weights @ torch.tensor(Upstream(made, "row").directions(1, made.keys, 0)[0])
        elif upstream == "one_key":
            loss = -weights[0]
        elif upstream == "even":
            loss = weights.sum() / math.sqrt(made.keys)
        else:
            loss = -torch.log_softmax(logits, 0)[target]
        loss.backward()
        scale = 1e-9 if upstream == "even" else 1e-12
        np.testing.assert_allclose(row.score_gradients[place], logits.grad.numpy(), rtol=1e-6, atol=scale)
        np.testing.assert_allclose(row.query_gradients[place], q.grad.numpy(), rtol=1e-6, atol=30 * scale)
        assert row.norms[3, place] == pytest.approx(float(k.grad.norm()), rel=1e-6, abs=30 * scale)


def test_the_row_is_that_of_the_walk():
    made = scenario(dim=300, keys=20, seed=11)
    walk = walk_of(replace(made, section=None, rows=10))
    assert np.array_equal(best(made).row.row.walks, walk.row.walks)


def test_the_jacobian_is_that_of_torch_and_its_norm_keeps_its_digits_near_one_hot():
    logits = torch.tensor([[0.0, 1.0, -2.0], [40.0, 1.0, 0.0], [300.0, 0.0, -5.0]], dtype=torch.float64)
    weights = torch.softmax(logits, 1).numpy()
    for row, given in zip(weights, logits, strict=True):
        found = torch.autograd.functional.jacobian(lambda x: torch.softmax(x, 0), given).numpy()
        np.testing.assert_allclose(jacobian(row), found, rtol=1e-9, atol=1e-16)
    rest = np.exp(-39.0) + np.exp(-40.0)
    assert jacobian_norm(weights)[1] == pytest.approx(
        math.sqrt(rest**2 + math.exp(-78) + math.exp(-80) + 2 * (math.exp(-78) + math.exp(-80))), rel=1e-9
    )
    assert jacobian_norm(weights)[2] == pytest.approx(2.0 * math.exp(-300.0), rel=1e-2)


def test_an_even_pull_reaches_nothing_and_cross_entropy_does_when_the_row_is_certain_of_a_wrong_key():
    weights = torch.softmax(torch.tensor([[200.0, 0.0, 1.0]], dtype=torch.float64), 1).numpy()
    assert not np.any(through_softmax(weights, np.full((1, 3), 2.5)))
    certain = of_cross_entropy(weights, np.array([1]))
    np.testing.assert_allclose(certain, [[1.0, -1.0, 0.0]], atol=1e-12)
    assert 0.0 < abs(through_softmax(weights, np.array([[0.0, -1.0, 0.0]]))[0, 1]) < 1e-80


@pytest.mark.parametrize(
    "fields",
    [
        {"dim": 256, "keys": 64},
        {"dim": 1, "keys": 3},
        {"dim": 65_536, "keys": 16, "scalings": ("none", "inverse_sqrt")},
        {"dim": 40, "keys": 12, "sigma_q": 1.5, "sigma_k": 0.7},
        {"dim": 40, "keys": 12, "upstream": "one_key"},
        {"dim": 40, "keys": 12, "upstream": "cross_entropy"},
        {"dim": 40, "keys": 12, "upstream": "cross_entropy_largest", "rho": 0.5, "mean_k": 1.0},
    ],
)
def test_root_mean_squares_over_rows_lie_within_five_standard_errors_of_theory(fields):
    made = scenario(rows=600, seed=5, **fields)
    found = spread_of(made)
    assert found.rows == 600
    for kind, name in enumerate(QUANTITIES):
        theory, rms = found.theory[kind], found.rms[:, kind]
        known = np.isfinite(theory)
        assert known.all() == (name in ("jacobian", "scores") or made.section.upstream in ("random", "one_key"))
        error = (rms[2] - rms[1]) / 3.92
        off = np.abs(rms[0] - theory)[known] - 1e-9 * theory[known]
        claimed = np.isfinite(error[known])  # none where a few rows make the mean square
        assert 2 * np.count_nonzero(claimed) >= claimed.size
        assert (off[claimed] <= 5.0 * error[known][claimed]).all(), name


def test_components_drawn_one_by_one_and_the_part_across_the_query_give_the_same_spread():
    """A rest of correlation too small to matter makes the experiment draw every component."""
    apart = spread_of(scenario(dim=48, keys=16, rows=800, seed=2))
    whole = spread_of(scenario(dim=48, keys=16, rows=800, seed=9, r_q=1e-12))
    at_apart, at_whole = apart.place, whole.place
    one, other = apart.rms[:, 2, :, at_apart], whole.rms[:, 2, :, at_whole]
    error = np.hypot(one[2] - one[1], other[2] - other[1]) / 3.92
    assert whole.rows > 300
    assert (np.abs(one[0] - other[0]) <= 5.0 * error).all()


def test_without_a_scale_the_median_dies_and_the_root_mean_square_by_the_query_grows():
    found = spread_of(scenario(dim=1024, keys=64, rows=600, seed=1, scalings=("none", "inverse_sqrt")))
    at = {int(dim): place for place, dim in enumerate(found.dims)}
    median, rms = found.median[0, 2], found.rms[0, 2]
    assert median[0, at[1024]] < 0.05 * median[0, at[64]]
    assert rms[0, at[1024]] > 1.5 * rms[0, at[64]]
    assert np.ptp(median[1, at[64] :]) < 0.1 * median[1, at[64]]


@pytest.mark.parametrize(
    "fields",
    [
        {"dim": 1, "keys": 1},
        {"dim": 65_536, "keys": 2},
        {"dim": 4, "keys": 65_536, "scalings": ("none",)},
        {"law": "student_t", "nu": 1.5, "dim": 16, "keys": 8},
        {"law": "initialised", "dim": 32, "keys": 8},
        {"mask": "window", "mask_size": 4, "keys": 16, "dim": 16},
        {"format": "fp16", "sigma_q": 1000.0, "dim": 64, "keys": 8},
        {"scalings": ("softmax1", "softcap:5", "rmsnorm_qk:1"), "dim": 16, "keys": 8},
    ],
)
def test_extreme_scenarios_have_gradients(fields):
    result = best(scenario(rows=30, **fields))
    assert result.fraction == 1.0
    assert result.spread is not None
    assert result.row.norms.shape == (4, len(result.rules))
    if fields.get("format") != "fp16":
        assert np.isfinite(result.row.norms[:2]).all()
        assert np.isfinite(result.spread.rms[0, :2]).all()


def test_a_row_that_would_take_minutes_is_not_drawn_many_times():
    assert SpreadDraws(scenario(law="laplace", dim=65_536, keys=4096)).too_large


@pytest.mark.parametrize("loss", ["output", "cross_entropy"])
def test_the_training_gradients_are_those_of_torch(loss):
    generator = np.random.default_rng(4)
    matrices = [generator.normal(size=(3, 6, 10)) for _side in "qk"]
    tokens, factors = generator.normal(size=(3, 7, 6)), np.array([1.0, 0.3, 0.1])[:, None, None]
    measured, gradients = loss_and_gradients(matrices, tokens, factors, loss)
    given = [torch.tensor(matrix, requires_grad=True) for matrix in matrices]
    x = torch.tensor(tokens)
    logits = torch.tensor(factors) * (x @ given[0]) @ (x @ given[1]).transpose(1, 2)
    if loss == "output":
        losses = 0.5 * ((torch.softmax(logits, -1) @ x - x) ** 2).mean(dim=(1, 2))
    else:
        losses = -torch.diagonal(torch.log_softmax(logits, -1), dim1=1, dim2=2).mean(dim=1)
    losses.sum().backward()
    np.testing.assert_allclose(measured["loss"], losses.detach().numpy(), rtol=1e-10)
    for found, wanted in zip(gradients, given, strict=True):
        np.testing.assert_allclose(found, wanted.grad.numpy(), rtol=1e-8, atol=1e-12)


def trained(made):
    for _done, training in train(made, rules_at(made, [made.dim])):
        found = training
    return found


def test_without_a_scale_a_small_rate_learns_and_a_large_one_does_not_while_the_root_learns_at_both():
    fields = {"dim": 64, "keys": 16, "scalings": ("none", "inverse_sqrt"), "training_seeds": 10, "training_steps": 80}
    late = {rate: trained(scenario(learning_rate=rate, **fields)).accuracy[-10:].mean(axis=0) for rate in (1.0, 10.0)}
    assert (late[1.0] >= 0.9).mean(axis=1).tolist() == [1.0, 1.0]
    assert (late[10.0] >= 0.9).mean(axis=1).tolist() == [0.0, 1.0]


def test_equal_scenarios_train_alike_however_many_runs_are_made_and_every_rule_begins_with_the_same_matrices():
    few = trained(scenario(dim=8, keys=4, training_seeds=3, training_steps=10))
    many = trained(scenario(dim=8, keys=4, training_seeds=5, training_steps=10))
    np.testing.assert_allclose(many.loss[:, :, :3], few.loss, rtol=1e-12)
    raw, scaled = few.score_sd[0, 0], few.score_sd[0, 1]
    np.testing.assert_allclose(scaled * math.sqrt(8.0), raw, rtol=1e-12)


def test_a_run_that_blows_up_ends_in_numbers():
    found = trained(scenario(dim=16, keys=8, training_seeds=2, training_steps=30, learning_rate=1000.0))
    assert np.isfinite(found.accuracy).all()


def test_the_sweep_covers_every_rate_and_rules_without_a_factor_have_no_run():
    made = scenario(
        dim=8, keys=4, training_seeds=2, training_steps=10, scalings=("none", "softcap:5"), optimiser="adam"
    )
    for _done, found in sweep(made, rules_at(made, [made.dim])):
        rates = found
    assert np.isfinite(rates.accuracy[:, 0]).all()
    assert np.isnan(rates.accuracy[:, 1]).all()


def test_a_mean_square_made_by_a_few_rows_has_no_interval():
    even = np.linspace(0.5, 1.5, 100)
    rare = np.where(np.arange(100) < 3, even, 1e-30)
    for values, known in ((even, True), (rare, False)):
        value, low, high = rms_with_interval(values)
        assert np.isfinite([low, high]).all() == known
        assert value == pytest.approx(np.sqrt(np.mean(values**2)))
    assert np.isfinite(median_with_interval(rare)).all()
