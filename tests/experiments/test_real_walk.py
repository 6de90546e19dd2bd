"""Real vectors through the same walk: exact sums, and the identity of the variance."""

import numpy as np
import pytest

from attnsim.experiments.real_walk import scenario_of
from attnsim.experiments.walk import last
from attnsim.scenario import Scenario
from attnsim.vectors import Layer, Vectors


def made_up(causal=False, scale=None, heads=4, key_heads=2, n=20, m=20, dim=6):
    generator = np.random.default_rng(0)
    q = generator.normal(0.3, 1.0, size=(heads, n, dim))
    k = generator.normal(-0.2, 2.0, size=(key_heads, m, dim))
    return Vectors("made up", (Layer("layer 0", q, k, scale, causal),), head=3, row=7)


def test_walks_are_the_running_sums_of_the_products():
    vectors = made_up()
    row = last(Scenario(), vectors).row
    wanted = np.cumsum(vectors.query * vectors.keys, axis=1).T
    np.testing.assert_allclose(row.walks[1:], wanted, rtol=1e-13)
    np.testing.assert_allclose(row.scores(-1), vectors.keys @ vectors.query, rtol=1e-12)
    assert row.query_norm[-1] == pytest.approx(np.linalg.norm(vectors.query))


def test_query_head_3_of_4_uses_key_head_1_of_2():
    vectors = made_up()
    assert np.shares_memory(vectors.keys, vectors.current.k[1])


def test_a_causal_row_sees_the_keys_up_to_itself():
    result = last(Scenario(), made_up(causal=True))
    assert result.row.keys == 8
    assert result.ensemble.counts[-1].sum() <= 20 * 21 // 2


def test_mean_and_variance_over_all_pairs_satisfy_the_exact_identity():
    vectors = made_up()
    ensemble = last(Scenario(), vectors).ensemble
    q, k = vectors.queries, vectors.keys
    mean_q, mean_k = q.mean(axis=0), k.mean(axis=0)
    cov_q, cov_k = np.cov(q.T, ddof=0), np.cov(k.T, ddof=0)
    variance = np.trace(cov_q @ cov_k) + mean_q @ cov_k @ mean_q + mean_k @ cov_q @ mean_k
    assert ensemble.mean.value[-1] == pytest.approx(mean_q @ mean_k, rel=1e-12)
    assert ensemble.sd.value[-1] == pytest.approx(np.sqrt(variance), rel=1e-12)


def test_the_models_own_factor_joins_the_rules_once():
    assert scenario_of(Scenario(), made_up(scale=6**-0.5)).scalings == Scenario().scalings
    own = scenario_of(Scenario(), made_up(scale=0.3))
    assert float(own.rules[-1].multiplier(6)) == pytest.approx(0.3, rel=1e-8)
    assert own.dim == 6
    assert own.keys == 20


def test_six_rules_leave_room_for_the_models_own():
    six = ("none", "inverse_sqrt", "inverse_d", "power:0.1", "constant:2", "constant:3")
    own = scenario_of(Scenario(scalings=six), made_up(scale=0.3))
    assert len(own.scalings) == 6
    assert own.scalings[:5] == six[:5]


@pytest.mark.parametrize(("n", "m", "dim"), [(1, 1, 1), (1, 5, 3), (5, 1, 3), (3, 4, 2000)])
def test_the_smallest_files_have_a_result(n, m, dim):
    vectors = (
        made_up(n=n, m=m, dim=dim).at(head=0)
        if n > 7
        else Vectors("made up", (Layer("layer", np.ones((1, n, dim)), np.ones((1, m, dim))),))
    )
    result = last(Scenario(), vectors)
    assert result.complete
    assert np.isfinite(result.ensemble.edges).all()


def test_rules_that_read_lengths_see_those_of_the_real_vectors():
    vectors = made_up(causal=True)
    result = last(Scenario(scalings=("rmsnorm_qk", "layernorm_qk")), vectors)
    keys = vectors.keys[: vectors.visible]
    cosines = keys @ vectors.query / np.linalg.norm(keys, axis=1) / np.linalg.norm(vectors.query)
    rms, layer = (rule.logits(result.row.sums(-1)) for rule in result.rules)
    np.testing.assert_allclose(rms, np.sqrt(6) * cosines, rtol=1e-12)
    pearson = [np.corrcoef(vectors.query, key)[0, 1] for key in keys]
    np.testing.assert_allclose(layer, np.sqrt(6) * np.array(pearson), rtol=1e-10)
    assert last(Scenario(), vectors).row.key_sums is None


def test_a_mask_looks_from_where_the_real_query_stands():
    result = last(Scenario(mask="window", mask_size=3), made_up())
    assert (result.sight.query, result.sight.keys) == (7, 20)
    from attnsim.experiments.attention import row_attention

    assert np.flatnonzero(row_attention(result, -1, 0).visible[0]).tolist() == [5, 6, 7]


@pytest.mark.parametrize("causal", [False, True])
def test_the_prediction_speaks_of_the_pairs_that_are_measured(causal):
    vectors = made_up(causal=causal)
    result = last(Scenario(), vectors)
    place = np.searchsorted(result.theory.steps, result.ensemble.steps)
    np.testing.assert_allclose(result.theory.mean[place], result.ensemble.mean.value, rtol=1e-10)
    one = int(place[0])  # with one component there is nothing to be independent of
    assert result.theory.steps[one] == 1
    assert result.theory.sd[one] == pytest.approx(result.ensemble.sd.value[0], rel=1e-10)
    assert result.theory.within_sd[one] == pytest.approx(result.ensemble.within_sd.value[0], rel=1e-10)
