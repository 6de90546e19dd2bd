"""Number formats: chances, errors and sums against theory and against torch, numpy and ml_dtypes."""

import math

import ml_dtypes
import numpy as np
import pytest

from attnsim.choices.sections.formats import FormatsOptions
from attnsim.experiments.formats import run
from attnsim.experiments.formats.record import NAMES, NARROW, WAYS
from attnsim.experiments.formats.weights import weights_in
from attnsim.scenario import Scenario
from attnsim.theory.score_law import score_pdf

KINDS = {"fp32": np.float32, "bf16": ml_dtypes.bfloat16, "fp16": np.float16}


def last(claim=100.0, **fields):
    *_others, end = run(Scenario(section=FormatsOptions(claim_score=claim), **{"rows": 60, **fields}))
    return end


@pytest.fixture(scope="module")
def usual():
    return last(dim=512, rows=400)


def test_the_limits_found_by_trying_are_the_exact_ones(usual):
    np.testing.assert_allclose(usual.limits.found_overflow, usual.limits.overflow, rtol=1e-12)
    np.testing.assert_allclose(usual.limits.found_zero, usual.limits.zero, rtol=1e-12)
    known = dict(zip(NAMES, usual.limits.overflow, strict=True))
    assert [round(known[name], 2) for name in ("fp16", "bf16", "fp32", "fp64")] == [11.09, 88.72, 88.72, 709.78]


@pytest.mark.parametrize("fields", [{"dim": 512, "rows": 400}, {"dim": 1, "keys": 3, "rows": 1500, "sigma_k": 4.0}])
def test_drawn_shares_are_the_exact_chances(fields, usual):
    known = usual if fields["dim"] == 512 else last(**fields)
    rows = known.drawn.rows[-1]
    chance, share = known.own_overflow, known.drawn.row_overflow[:, :, -1]
    error = np.sqrt(chance * (1.0 - chance) / rows)
    seen = rows * np.minimum(chance, 1.0 - chance) > 5.0
    assert seen.any()
    assert np.abs((share - chance)[seen] / error[seen]).max() < 5.0
    found = known.drawn.product > 1e-4
    z = (known.drawn.product - known.chances.product)[found] / known.drawn.product_error[found]
    assert np.abs(z).max() < 5.0


def test_the_claimed_score_is_as_rare_as_its_density_says(usual):
    x = np.linspace(100.0, 400.0, 20_001)
    density = score_pdf(x, 512)
    assert usual.own_beyond == pytest.approx(2.0 * np.trapezoid(density, x), rel=1e-5)
    assert usual.own_beyond == pytest.approx(1.159e-5, rel=1e-3)


def test_with_means_and_correlations_the_claim_stays_exact_and_rows_are_left_to_the_drawn_ones():
    known = last(claim=20.0, dim=64, keys=16, rows=1500, rho=0.3, mean_q=0.5)
    assert np.isnan(known.own_overflow).all()
    assert known.note
    z = (known.drawn.beyond[-1] - known.own_beyond) / known.drawn.beyond_error[-1]
    assert abs(z) < 5.0


@pytest.mark.parametrize("way", ["naive", "stable"])
@pytest.mark.parametrize("name", KINDS)
def test_weights_of_a_format_are_those_of_its_type_step_by_step(way, name):
    x = (3.0 * np.random.default_rng(1).normal(size=(20, 30))).astype(KINDS[name])
    expected = []
    for row in x:
        below = row - row.max() if way == "stable" else row
        # exp in a narrow type of numpy may be off by its last place; rounded from float64 it is not
        terms = np.exp(below.astype(np.float64)).astype(KINDS[name])
        total = KINDS[name](0.0)
        for term in terms:
            total = total + term
        expected.append(terms / total)
    found = weights_in(name, way, x.astype(np.float64))
    np.testing.assert_array_equal(found, np.array(expected).astype(np.float64))


def test_a_wide_sum_is_nearer_to_torch_in_bfloat16_than_a_narrow_one():
    torch = pytest.importorskip("torch")
    x = torch.randn(40, 2000, generator=torch.Generator().manual_seed(1)).to(torch.bfloat16)
    judge = torch.softmax(x, dim=-1).double().numpy()  # accumulates in float32
    logits = x.double().numpy()
    wide, narrow = (np.abs(weights_in("bf16", way, logits) - judge).max() for way in ("wide", "stable"))
    assert wide < 0.01 * judge.max()
    assert narrow > 10.0 * wide


def test_rounding_of_the_logits_alone_costs_what_theory_predicts(usual):
    found, alone = usual.rounding, WAYS.index("scores")
    low, high, value = (part[:, :, alone] for part in (found.low, found.high, found.error))
    fine = [NARROW.index(name) for name in ("fp32", "tf32", "bf16", "fp16")]
    error = (high - low) / (2.0 * 1.96)
    z = (value - found.predicted) / error
    assert np.abs(z[:3, fine]).max() < 5.0  # the third rule, 1/d, is flat; the first is nearly one-hot


def test_naive_and_stable_err_alike_where_both_survive_and_only_naive_is_lost(usual):
    lost = usual.rounding.lost
    assert lost[0, NARROW.index("fp16"), WAYS.index("naive")] > 0.9
    assert np.all(lost[:, :, WAYS.index("stable")] == 0.0)
    assert np.all(lost[:, :, WAYS.index("online")] == 0.0)
    naive, stable = (usual.rounding.error[1, NARROW.index("bf16"), WAYS.index(way)] for way in ("naive", "stable"))
    assert naive == pytest.approx(stable, rel=0.25)


def test_a_large_product_is_lost_after_and_kept_before_the_scale():
    known = last(dim=4096, sigma_q=40.0, sigma_k=40.0, keys=32, scalings=("none", "inverse_sqrt"))
    half = NARROW.index("fp16")
    assert known.rounding.lost_after[1, half] > 0.5  # q . k beyond 65,504
    assert known.rounding.lost[1, half, WAYS.index("stable")] == 0.0  # scaled before the product


def test_ones_add_up_as_theory_says_in_every_format(usual):
    shown = np.isfinite(usual.sums.flat[:, 0])
    np.testing.assert_array_equal(usual.sums.flat[:, 0][shown], usual.sums.flat_exact[shown])


def test_products_err_as_independent_roundings_do(usual):
    ratio = usual.sums.error / usual.sums.predicted
    error = usual.sums.spread / usual.sums.predicted
    early = ratio[:4, :, :6]  # later few rows are drawn, and low precision rounds the terms themselves
    z = (early - 1.0) / error[:4, :, :6]
    assert np.nanmedian(np.abs(early - 1.0)) < 0.1
    assert np.sqrt(np.nanmean(z**2)) < 2.5


@pytest.mark.parametrize(
    "fields",
    [
        {"keys": 1, "dim": 1},
        {"keys": 65_536, "dim": 65_536, "rows": 5},
        {"law": "student_t", "nu": 1.0, "rows": 5},
        {"law": "sign", "scalings": ("rmsnorm_qk", "custom:1/log(n)", "softmax1"), "rows": 5},
        {"rho": 1.0, "scalings": ("none",), "rows": 5},
        {"sigma_q": 1000.0, "sigma_k": 1000.0, "rows": 5},
    ],
)
def test_extreme_scenarios_end_with_numbers(fields):
    known = last(**fields)
    assert known.fraction == 1.0
    assert math.isfinite(known.drawn.beyond[-1])
    assert np.isfinite(known.rounding.lost).all()
    assert known.note or np.isfinite(known.chances.beyond).all()
