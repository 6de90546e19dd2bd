"""From raw scores to weights: rules that are no factors, sinks, masks, number formats."""

import numpy as np
import pytest

from attnsim.choices.masks import MASKS
from attnsim.choices.scalings import SCALINGS, Setting, Sums, parse
from attnsim.experiments.attention import attend, row_attention
from attnsim.experiments.walk import last
from attnsim.kernels.float_rounding import round_to
from attnsim.kernels.softmax_rows import softmax
from attnsim.scenario import Scenario

FORMATS = ("fp32", "tf32", "bf16", "fp16", "fp8_e4m3", "fp8_e5m2")


def attended(scores, rule="none", mask="none", number_format="fp64", **fields):
    scores = np.atleast_2d(np.asarray(scores, dtype=float))
    sight = Scenario(keys=scores.shape[1], **fields).sight(scores.shape[1] - 1)
    return attend(parse(rule), Sums(scores=scores, dim=1), sight, mask, number_format)


def vectors(rows, keys, dim, seed=0):
    rng = np.random.default_rng(seed)
    q, k = rng.normal(0.4, 1.3, (rows, 1, dim)), rng.normal(-0.2, 0.7, (rows, keys, dim))
    sums = Sums(
        scores=(q * k).sum(2), dim=dim, query_sum=q.sum(2), query_square=(q**2).sum(2), key_sums=k.sum(2),
        key_squares=(k**2).sum(2),
    )  # fmt: skip
    return q, k, sums


def unit(x, axis=-1):
    return x / np.sqrt((x**2).sum(axis, keepdims=True))


@pytest.mark.parametrize(
    ("name", "dense"),
    [
        ("rmsnorm_qk:1.5", lambda q, k, d: (1.5**2 * d * unit(q) * unit(k)).sum(2) / np.sqrt(d)),
        ("cosine:0.2", lambda q, k, d: (unit(q) * unit(k)).sum(2) / 0.2),
        ("qknorm:100", lambda q, k, d: np.log2(100.0**2 - 100.0) * (unit(q) * unit(k)).sum(2)),
        ("softcap:3", lambda q, k, d: 3 * np.tanh((q * k).sum(2) / np.sqrt(d) / 3)),
        (
            "layernorm_qk:2",
            lambda q, k, d: (
                4 * (q - q.mean(2, keepdims=True)) / q.std(2, keepdims=True)
                * (k - k.mean(2, keepdims=True)) / k.std(2, keepdims=True)
            ).sum(2) / np.sqrt(d),
        ),
    ],
)  # fmt: skip
def test_rules_that_are_no_factors_are_those_of_the_whole_vectors(name, dense):
    q, k, sums = vectors(3, 5, 24)
    np.testing.assert_allclose(parse(name).logits(sums), dense(q, k, 24), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("name", [name for name, scaling in SCALINGS.items() if scaling.needs_norms])
def test_vectors_without_a_length_have_logit_0_and_unknown_lengths_are_refused(name):
    zero = np.zeros((1, 2))
    sums = Sums(scores=zero, dim=1, query_sum=zero[:, :1], query_square=zero[:, :1], key_sums=zero, key_squares=zero)
    assert np.array_equal(parse(name).logits(sums), zero)
    with pytest.raises(ValueError, match="needs the lengths of the keys"):
        parse(name).logits(Sums(scores=zero, dim=1))


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e300])
def test_no_score_overflows(scale):
    found = attended(np.array([1.0, -1.0, 0.5]) * scale)
    assert found.weights.sum() == pytest.approx(1.0)
    assert 0.0 <= found.entropy[0] <= np.log(3)


def test_entropy_of_two_equal_keys_far_above_the_rest_is_ln_2():
    found = attended([900.0, 900.0, -900.0])
    assert found.entropy[0] == pytest.approx(np.log(2.0), rel=1e-14)
    assert found.largest[0] == 0.5


def test_a_sink_is_a_key_of_score_0_whose_weight_is_nobodys():
    scores = np.array([[0.3, -1.0, 2.0], [-800.0, -900.0, -850.0], [800.0, 0.0, 1.0]])
    found = attended(scores, "softmax1")
    dense = softmax(np.append(scores, np.zeros((3, 1)), axis=1))
    np.testing.assert_allclose(found.weights, dense[:, :3], rtol=1e-13)
    np.testing.assert_allclose(found.sink, dense[:, 3], rtol=1e-13)
    positive = np.where(dense > 0, dense, 1.0)
    np.testing.assert_allclose(found.entropy, -(positive * np.log(positive)).sum(1), rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("mask", list(MASKS))
@pytest.mark.parametrize("rule", ["none", "softmax1"])
@pytest.mark.parametrize("number_format", ["fp64", "bf16"])
def test_hidden_keys_weigh_0_and_the_others_are_the_softmax_of_what_is_seen(mask, rule, number_format):
    scores = np.random.default_rng(3).normal(0, 2, (4, 20))
    found = attended(scores, rule, mask, number_format, mask_size=6)
    sink = np.zeros((4, 1 if rule == "softmax1" else 0))
    rounded = scores if number_format == "fp64" else round_to(scores, number_format)
    for row in range(4):
        seen = np.ones(20, bool) if found.visible is None else found.visible[row]
        dtype = "float64" if number_format == "fp64" else "bfloat16"
        dense = softmax(np.append(rounded[row, seen], sink[row]), dtype=dtype)[: seen.sum()]
        np.testing.assert_allclose(found.weights[row, seen], dense, rtol=1e-13)
        assert not found.weights[row, ~seen].any()
        assert found.count[row] == seen.sum()


@pytest.mark.parametrize("number_format", ["fp64", "fp16"])
def test_a_row_that_is_hidden_entirely_weighs_0_throughout(number_format):
    sight = Scenario(keys=50).sight(49)
    scores = Sums(scores=np.ones((1, 8)), dim=1)  # the first keys of a row whose window lies at its end
    found = attend(parse("none"), scores, sight, "window", number_format)
    assert not found.weights.any()
    assert found.count[0] == 0
    assert found.entropy[0] == 0.0
    assert not found.overflowed[0]


@pytest.mark.parametrize("number_format", FORMATS)
def test_every_operation_of_a_narrow_format_is_rounded(number_format):
    scores = np.random.default_rng(4).normal(0, 3, (5, 40))
    found = attended(scores, "constant:1.7", number_format=number_format)
    to = lambda x: round_to(np.asarray(x, dtype=float), number_format)  # noqa: E731
    for row in range(5):
        logits = to(to(scores[row]) * (1 / 1.7))
        terms = to(np.exp(to(logits - logits.max())))
        total = np.float64(0.0)
        for term in terms:
            total = to(total + term)
        assert np.array_equal(found.logits[row], logits)
        # exp of numpy and of the kernel may differ in the last bit of float64, which rounding hides but seldom
        np.testing.assert_allclose(found.weights[row], to(terms / total), rtol=2e-7 if number_format == "fp32" else 0)


@pytest.mark.parametrize(("number_format", "score"), [("fp16", 65_520.0), ("fp8_e4m3", 470.0), ("fp8_e5m2", 62_000.0)])
def test_a_score_beyond_the_range_is_an_overflow_and_no_weight(number_format, score):
    found = attended([score, 1.0, 0.0], number_format=number_format)
    assert found.overflowed[0]
    assert np.isnan(found.entropy[0])
    assert not attended([score, 1.0, 0.0], number_format="fp32").overflowed[0]


def test_the_stable_softmax_meets_no_overflow_of_the_exponential():
    assert not attended([60_000.0, 0.0, -60_000.0], number_format="fp16").overflowed[0]


def test_a_frame_asks_once_and_a_row_on_screen_is_what_its_parts_say():
    result = last(Scenario(dim=32, keys=10, rows=4, scalings=("layernorm_qk", "ssmax")))
    first = row_attention(result, 20, 1)
    assert row_attention(result, 20, 1) is first
    assert first.logits.shape == (1, 10)
    wanted = softmax(result.row.scores(20) * 0.43 * np.log(10) / np.sqrt(20))
    np.testing.assert_allclose(first.weights[0], wanted, rtol=1e-12)
    assert not first.weights.flags.writeable


def test_n_of_a_rule_counts_the_keys_that_the_mask_shows():
    scenario = Scenario(keys=1000, mask="window", mask_size=10, scalings=("log_n:100",))
    factor = scenario.rules[0].multiplier(1)
    assert factor == pytest.approx(np.log(10) / np.log(100))


def test_the_optimal_rule_divides_by_the_spread_that_theory_gives_within_a_row():
    result = last(Scenario(dim=64, keys=4, rows=4, mean_q=1.0, r_k=0.2, scalings=("optimal",)))
    for index in (1, 20, -1):
        step, sd = result.theory.steps[index], result.theory.within_sd[index]
        assert result.rules[0].multiplier(step) == pytest.approx(1.0 / sd, rel=1e-14)
    assert Setting().within_sd(np.array([16.0])) == 4.0


def test_a_law_that_gives_no_lengths_is_refused_with_the_rule_and_the_law(monkeypatch):
    from dataclasses import replace

    from attnsim.choices.laws import LAWS
    from attnsim.experiments.table import table

    law = LAWS["uniform"]
    silent = replace(law, draw=lambda request: law.draw(replace(request, norms=False)))
    monkeypatch.setitem(LAWS, "uniform", silent)
    scenario = Scenario(law="uniform", dim=8, keys=4, rows=10, scalings=("cosine",))
    for run in (lambda: last(scenario), lambda: table(scenario, (8,))):
        with pytest.raises(ValueError, match="cosine needs the lengths of the keys, which the law uniform"):
            run()
