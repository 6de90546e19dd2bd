"""Sums behind the lengths of the keys: jointly with the scores they have the law of real vectors."""

import numpy as np
import pytest
from scipy import stats

from attnsim.choices.laws import LAWS, Request

STEPS = np.array([1, 4, 30, 31], dtype=np.int64)
LAW_NAMES = ("normal", "sign", "uniform")
FIELDS = {
    "plain": {},
    "means": {"mean_q": 0.7, "mean_k": -0.4, "sigma_q": 1.5, "sigma_k": 0.5},
    "correlated": {"rho": 0.4, "mean_k": 0.3},
    "common": {"rho": 0.3, "r_q": 0.2, "r_k": 0.3, "mean_q": 0.5},
}
CASES = [(law, fields) for law in LAW_NAMES for fields in FIELDS if not (law == "sign" and fields == "common")]


def request(fields, norms=True, **which):
    return Request(seed=5, stream="test", steps=STEPS, norms=norms, **FIELDS[fields], **which)


def vectors(law, rows, rng, *, rho=0.0, r_q=0.0, r_k=0.0, mean_q=0.0, mean_k=0.0, sigma_q=1.0, sigma_k=1.0):
    """Draw q and k with every component, by the model that the laws name."""
    shape = (rows, int(STEPS[-1]))
    if law == "sign":
        a = rng.choice([-1.0, 1.0], shape)
        own = np.where(rng.random(shape) < 0.5 * (1 + rho), a, -a)
        return mean_q + sigma_q * a, mean_k + sigma_k * own
    draw = rng.standard_normal if law == "normal" else lambda s: rng.uniform(-np.sqrt(3), np.sqrt(3), s)
    tau = rho / np.sqrt((1 - r_q) * (1 - r_k))
    a, b = draw(shape), draw(shape)
    f, g = rng.standard_normal((2, rows, 1))
    q = mean_q + sigma_q * (np.sqrt(r_q) * f + np.sqrt(1 - r_q) * a)
    return q, mean_k + sigma_k * (np.sqrt(r_k) * g + np.sqrt(1 - r_k) * (tau * a + np.sqrt(1 - tau**2) * b))


@pytest.mark.parametrize(("law", "fields"), CASES)
def test_scores_are_the_same_bits_whether_norms_are_drawn_or_not(law, fields):
    with_norms = LAWS[law].draw(request(fields, rows=3, keys=6))
    without = LAWS[law].draw(request(fields, norms=False, rows=3, keys=6))
    assert np.array_equal(with_norms.walks, without.walks)
    assert without.key_sums is None
    assert without.key_squares is None


@pytest.mark.parametrize(("law", "fields"), CASES)
def test_norms_are_the_same_bits_under_any_cut_of_rows_and_keys(law, fields):
    whole = LAWS[law].draw(request(fields, rows=4, keys=8))
    part = LAWS[law].draw(request(fields, rows=2, keys=4, first_row=2, first_key=4))
    for name in ("key_sums", "key_squares"):
        assert np.array_equal(getattr(whole, name)[2:, :, 4:], getattr(part, name))
    assert np.array_equal(whole.query_sum[2:], part.query_sum)


def facts(scores, q1, q2, k1, k2):
    """Numbers that depend on how the five sums hang together."""
    dim = STEPS[-1]
    centred = scores - q1 * k1 / dim
    return {
        "sum": k1,
        "square": k2,
        "cosine": scores / np.sqrt(q2 * k2),
        "correlation": centred / np.sqrt(np.maximum((q2 - q1**2 / dim) * (k2 - k1**2 / dim), 1e-12)),
        "sum and score": scores + 0.7 * k1,
        "square and score": scores + 0.5 * k2,
        "sum and square": k1 - k2,
        "query and sum": q1 * k1,
    }


@pytest.mark.parametrize(("law", "fields"), CASES)
def test_scores_and_norms_have_the_joint_law_of_vectors_drawn_component_by_component(law, fields):
    rows, rng = 6000, np.random.default_rng(11)
    drawn = LAWS[law].draw(request(fields, rows=rows, keys=1))
    found = facts(
        drawn.walks[:, -1, 0],
        drawn.query_sum[:, -1],
        drawn.square[:, -1],
        drawn.key_sums[:, -1, 0],
        drawn.key_squares[:, -1, 0],
    )
    q, k = vectors(law, rows, rng, **FIELDS[fields])
    wanted = facts((q * k).sum(1), q.sum(1), (q**2).sum(1), k.sum(1), (k**2).sum(1))
    for name in found:  # rounded, so that equal lattice points tie: they differ in the last bits
        a, b = np.round(found[name], 9), np.round(wanted[name], 9)
        assert stats.ks_2samp(a, b).pvalue > 1e-4, name


@pytest.mark.parametrize("law", LAW_NAMES)
def test_increments_between_checkpoints_have_the_law_of_fewer_components(law):
    rows = 6000
    drawn = LAWS[law].draw(request("means", rows=rows, keys=1))
    q, k = vectors(law, rows, np.random.default_rng(12), **FIELDS["means"])
    some = slice(STEPS[1], STEPS[2])
    for found, wanted in (
        (drawn.key_squares[:, 2, 0] - drawn.key_squares[:, 1, 0], (k[:, some] ** 2).sum(1)),
        (drawn.key_sums[:, 2, 0] - drawn.key_sums[:, 1, 0], k[:, some].sum(1)),
        (drawn.query_sum[:, 2] - drawn.query_sum[:, 1], q[:, some].sum(1)),
    ):
        assert stats.ks_2samp(np.round(found, 9), np.round(wanted, 9)).pvalue > 1e-4


@pytest.mark.parametrize(("law", "fields"), CASES)
def test_at_every_checkpoint_cauchy_and_schwarz_hold(law, fields):
    drawn = LAWS[law].draw(request(fields, rows=500, keys=4))
    count = STEPS[None, :, None]
    assert np.all(drawn.key_sums**2 <= count * drawn.key_squares * (1 + 1e-12))
    assert np.all(drawn.walks**2 <= drawn.square[:, :, None] * drawn.key_squares * (1 + 1e-9))


@pytest.mark.parametrize(("good", "bad", "draws"), [(5, 7, 4), (0, 9, 3), (9, 0, 9), (400, 350, 390), (2, 60, 61)])
def test_the_split_of_the_agreements_is_hypergeometric(good, bad, draws):
    from attnsim.kernels.sign_norms import _log_factorials, hypergeometric

    ways = _log_factorials(good + bad)
    law = stats.hypergeom(good + bad, good, draws)
    grid = (np.arange(20_000) + 0.5) / 20_000
    values = np.array([hypergeometric(u, good, bad, draws, ways) for u in grid])
    for value in np.unique(values):
        assert abs((values == value).mean() - law.pmf(value)) <= 2e-4
    assert law.pmf(np.unique(values)).sum() > 1 - 1e-3
