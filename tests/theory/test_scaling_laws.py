import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy import integrate, stats

from attnsim.theory import scaling_laws
from attnsim.theory.critical_spreads import half_mass_spread
from attnsim.theory.softmax_expectations import expectations

GOLDEN = Path(__file__).parents[3] / "shared" / "reference" / "golden.json"


@pytest.mark.skipif(not GOLDEN.exists(), reason="the reference values are not beside the checkout")
def test_the_reference_variance_is_met():
    item = next(item for item in json.loads(GOLDEN.read_text()) if item["id"] == "G19")
    variance = float(scaling_laws.softcap_variance(item["params"]["s"], item["params"]["cap"]))
    assert abs(variance - item["value"]) <= item["tolerance"]


@pytest.mark.parametrize(("spread", "cap"), [(0.0, 50.0), (1.0, 50.0), (3.0, 2.0), (400.0, 30.0)])
def test_soft_capped_variances_are_numerical_integrals(spread, cap):
    def integrand(z):
        return (cap * math.tanh(spread * z / cap)) ** 2 * stats.norm.pdf(z)

    knots = [min(x * cap / max(spread, 1e-9), 11.0) for x in (0.5, 2.0, 8.0)]
    exact = 2 * integrate.quad(integrand, 0, 12, points=sorted(set(knots)), epsabs=1e-13, limit=200)[0]
    assert float(scaling_laws.softcap_variance(spread, cap)) == pytest.approx(exact, rel=1e-11, abs=1e-14)


def test_soft_capped_spreads_of_the_table_are_met():
    sds = np.sqrt(scaling_laws.softcap_variance([1.0, 8.0, math.sqrt(512)]))
    np.testing.assert_allclose(sds, [0.9996, 7.81, 19.35], rtol=6e-4)


@pytest.mark.parametrize("dim", [2, 3, 7, 64])
def test_cosines_follow_the_beta_law(dim):
    x = np.array([-0.9, -0.2, 0.0, 0.3, 0.8])
    exact = stats.beta.sf((x + 1) / 2, (dim - 1) / 2, (dim - 1) / 2)
    np.testing.assert_allclose(scaling_laws.cosine_tail(x, dim), exact, rtol=1e-10)
    np.testing.assert_allclose(
        scaling_laws.cosine_pdf(x, dim), 0.5 * stats.beta.pdf((x + 1) / 2, (dim - 1) / 2, (dim - 1) / 2), rtol=1e-11
    )
    law = stats.beta((dim - 1) / 2, (dim - 1) / 2)
    assert 4 * law.var() == pytest.approx(1 / dim)
    assert law.stats("k") == pytest.approx(-6 / (dim + 2))


def test_in_one_dimension_directions_agree_or_oppose():
    assert scaling_laws.cosine_tail([-1.0, 0.0, 1.0], 1).tolist() == [0.5, 0.5, 0.0]


@pytest.mark.parametrize(("rule", "score"), [
    ("rmsnorm_qk", lambda q, k, d: d * q * k / (np.linalg.norm(q) * np.linalg.norm(k)) / math.sqrt(d)),
    ("layernorm_qk", lambda q, k, d: (q - q.mean()) * (k - k.mean()) / (q.std() * k.std()) / math.sqrt(d)),
    ("cosine", lambda q, k, d: 10 * q * k / (np.linalg.norm(q) * np.linalg.norm(k))),
    ("softcap", lambda q, k, d: 50 * math.tanh((q @ k) / math.sqrt(d) / 50) / d),
    ("log_n", lambda q, k, d: q * k / math.sqrt(d) * math.log(100) / math.log(512)),
    ("ssmax", lambda q, k, d: q * k / math.sqrt(d) * 0.43 * math.log(100)),
    ("t5", lambda q, k, d: q / math.sqrt(d) * k),
], ids=lambda value: value if isinstance(value, str) else "")  # fmt: skip
def test_simulated_scores_have_the_rules_spread(rule, score):
    rng, dim, rows = np.random.default_rng(149), 6, 20_000
    scores = np.array([np.sum(score(*rng.standard_normal((2, dim)), dim) * np.ones(dim)) for _ in range(rows)])
    squares, exact = scores**2, float(scaling_laws.rule_score_sd(rule, dim, 100)) ** 2
    allowance = 0.01 * exact if rule == "softcap" else 0.0  # its law is of normal scores
    assert abs(squares.mean() - exact) < 5 * squares.std() / math.sqrt(rows) + allowance
    assert np.abs(scores).max() <= float(scaling_laws.score_bound(rule, dim)) + 1e-9


def test_every_rule_gives_a_spread_for_arrays():
    for rule in scaling_laws.LAWS:
        seen = scaling_laws.rule_score_sd(rule, [[16], [64]], [8, 512, 4096])
        assert seen.shape == (2, 3)
        assert np.all(seen >= 0.0)
    raw = scaling_laws.rule_score_sd("inverse_sqrt", 64, raw_sd=np.sqrt(64 * 0.75))
    assert raw == pytest.approx(math.sqrt(0.75))


@pytest.mark.parametrize(("rule", "parameters", "expected"), [
    ("none", {}, 8.0), ("inverse_sqrt", {}, 1.0), ("inverse_d", {}, 0.125), ("alpha_over_d", {"alpha": 4.0}, 0.5),
    ("power", {"exponent": 0.25}, 8**0.5), ("constant", {"divisor": 4.0}, 2.0), ("rmsnorm_qk", {"gain": 1.44}, 1.44),
    ("layernorm_qk", {}, math.sqrt(64 / 63)), ("cosine", {"temperature": 0.1}, 1.25),
    ("qknorm", {}, 1.66), ("yarn", {"context_ratio": 32.0}, 1.81), ("learned", {"log_gain": 1.0}, math.e),
    ("softmax1", {}, 1.0), ("optimal", {}, 1.0), ("sigma_reparam", {"width": 64.0}, 0.25),
])  # fmt: skip
def test_the_rules_at_dimension_64_are_as_tabled(rule, parameters, expected):
    assert float(scaling_laws.rule_score_sd(rule, 64, 512, **parameters)) == pytest.approx(expected, rel=3e-3)


def test_a_matrix_over_its_largest_singular_value_has_the_stated_spread():
    rng, dim, width = np.random.default_rng(151), 100, 400
    sds = []
    for _draw in range(8):
        first, second = (rng.standard_normal((dim, width)) for _ in range(2))
        first, second = (w / np.linalg.norm(w, 2) for w in (first, second))
        x = rng.standard_normal((width, 64))
        sds.append((first @ x).T @ (second @ rng.standard_normal((width, 64))) / math.sqrt(dim))
    assert np.std(sds) == pytest.approx(float(scaling_laws.rule_score_sd("sigma_reparam", dim, width=width)), rel=0.03)


def test_rules_that_grow_with_the_logarithm_condense_where_stated():
    assert scaling_laws.ssmax_condensation(0.43) == pytest.approx(5e4, rel=0.01)
    assert math.log(float(scaling_laws.ssmax_condensation(1 / math.log(512)))) == pytest.approx(77.8, abs=0.05)
    for keys, p2 in ((512, 0.126), (65536, 0.191), (1e9, 0.335)):
        spread = scaling_laws.rule_score_sd("ssmax", 64, keys)
        assert float(expectations(keys, spread, largest=False).sum_p2) == pytest.approx(p2, abs=6e-4)
    assert half_mass_spread(512) > scaling_laws.rule_score_sd("ssmax", 64, 512)


def test_the_adaptive_temperature_sharpens_spread_rows_only():
    beta = scaling_laws.adaptive_temperature([0.0, 0.4, 2.0, 4.0])
    assert beta[:2].tolist() == [1.0, 1.0]
    assert np.all(beta[2:] > 1.0)
    assert scaling_laws.default_qknorm_gain(100) == pytest.approx(13.27, abs=5e-3)


def test_unknown_rules_and_parameters_are_refused():
    with pytest.raises(ValueError, match=r"rule must be among none, .* not 'root'"):
        scaling_laws.rule_score_sd("root", 64)
    with pytest.raises(ValueError, match="softcap: parameters must be among cap, not gain"):
        scaling_laws.rule_score_sd("softcap", 64, gain=1.0)
    with pytest.raises(ValueError, match=r"dim must lie in \[2, inf\], not 1"):
        scaling_laws.rule_score_sd("layernorm_qk", 1)
    with pytest.raises(ValueError, match=r"cap must lie in \(0, inf\], not 0"):
        scaling_laws.rule_score_sd("softcap", 64, cap=0.0)
