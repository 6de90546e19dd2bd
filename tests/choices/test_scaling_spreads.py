"""Spread and saturation under each rule, measured over d and n against what theory gives."""

import math

import numpy as np
import pytest
from scipy import integrate, stats

from attnsim.choices.scalings import SCALINGS, parse
from attnsim.experiments.table import table
from attnsim.scenario import Scenario
from attnsim.theory.softmax_expectations import expectations

DIMS, KEYS, ROWS = (16, 64, 256), (8, 64, 512), 800

# rule -> standard deviation of its scores for independent standard normal components: (d, n) -> s
SPREADS = {
    "none": lambda d, n: math.sqrt(d),
    "inverse_sqrt": lambda d, n: 1.0,
    "inverse_d": lambda d, n: d**-0.5,
    "alpha_over_d:8": lambda d, n: 8 * d**-0.5,
    "power:0.25": lambda d, n: d**0.25,
    "constant:8": lambda d, n: math.sqrt(d) / 8,
    "rmsnorm_qk:1.5": lambda d, n: 1.5**2,
    "layernorm_qk:1.5": lambda d, n: 1.5**2 * math.sqrt(d / (d - 1)),
    "cosine:0.1": lambda d, n: 10 * d**-0.5,
    "qknorm:100": lambda d, n: math.log2(9900) * d**-0.5,
    "log_n:512": lambda d, n: math.log(n) / math.log(512),
    "ssmax:0.43": lambda d, n: 0.43 * math.log(n),
    "yarn:32": lambda d, n: (0.1 * math.log(32) + 1) ** 2,
    "sigma_reparam:2": lambda d, n: 4 / (1 + math.sqrt(d / 512)) ** 2,
    "learned:0.5": lambda d, n: math.exp(0.5),
    "softmax1": lambda d, n: 1.0,
    "t5": lambda d, n: 1.0,
    "optimal": lambda d, n: 1.0,
    "custom:log(n)/sqrt(d)": lambda d, n: math.log(n),
}
EXACT_LAW = ("rmsnorm_qk:1.5", "layernorm_qk:1.5", "cosine:0.1", "qknorm:100")
GROUPS = [tuple(SPREADS)[i : i + 6] for i in range(0, len(SPREADS), 6)]


def test_every_rule_is_proved():
    assert {name.partition(":")[0] for name in SPREADS} | {"softcap"} == set(SCALINGS)


def within_five_errors(record, wanted):
    # the interval is 95 %: its half is 1.96 standard errors, and Student's quantile is no smaller
    error = (record["sd_high"] - record["sd_low"]) / 2 / 1.96
    return abs(record["sd"] - wanted) <= 5 * error


@pytest.mark.parametrize("names", GROUPS, ids=lambda names: names[0])
@pytest.mark.parametrize("keys", KEYS)
def test_the_spread_of_the_scores_is_that_of_theory_in_d_and_in_n(names, keys):
    for record in table(Scenario(keys=keys, rows=ROWS, scalings=names, seed=3), DIMS):
        assert within_five_errors(record, SPREADS[record["scaling"]](record["dim"], keys)), record


@pytest.mark.parametrize("dim", DIMS)
def test_the_soft_cap_has_the_spread_of_its_integral(dim):
    cap = 2.0

    def square(row_sd):  # given q a score over sqrt(d) is normal with standard deviation |q|/sqrt(d)
        return integrate.quad(lambda z: (cap * np.tanh(row_sd * z / cap)) ** 2 * stats.norm.pdf(z), -9, 9)[0]

    law = stats.chi(dim, scale=dim**-0.5)
    wanted = integrate.quad(lambda r: square(r) * law.pdf(r), 0, law.ppf(1 - 1e-10), limit=200)[0]
    for keys in KEYS:
        (record,) = table(Scenario(keys=keys, rows=ROWS, scalings=(f"softcap:{cap}",)), (dim,))
        assert within_five_errors(record, math.sqrt(wanted)), record


@pytest.mark.parametrize(("s", "wanted"), [(1.0, 0.9996), (8.0, 7.81), (math.sqrt(512.0), 19.35)])
def test_the_soft_cap_of_50_has_the_spread_that_is_known_for_normal_scores(s, wanted):
    from attnsim.choices.scalings import Sums

    z = stats.norm.ppf((np.arange(200_000) + 0.5) / 200_000)
    logits = parse("softcap:50").logits(Sums(scores=s * z, dim=1))
    assert logits.std() == pytest.approx(wanted, abs=6e-3)


@pytest.mark.parametrize("name", EXACT_LAW[:1] + EXACT_LAW[2:])
@pytest.mark.parametrize("dim", [3, 16, 64])
def test_cosines_follow_the_beta_law(name, dim):
    """cos = 2 Beta((d-1)/2, (d-1)/2) - 1 for independent normal components."""
    from attnsim.choices.laws import LAWS
    from attnsim.choices.scalings import Sums
    from attnsim.experiments.requests import request_for

    scenario = Scenario(dim=dim, keys=1, scalings=(name,))
    drawn = LAWS["normal"].draw(request_for(scenario, "test", np.array([dim]), rows=4000, keys=1))
    sums = Sums(
        scores=drawn.walks[:, -1], dim=dim, query_sum=drawn.query_sum, query_square=drawn.square,
        key_sums=drawn.key_sums[:, -1], key_squares=drawn.key_squares[:, -1],
    )  # fmt: skip
    half = (dim - 1) / 2
    largest = SPREADS[name](dim, 1) * math.sqrt(dim)
    law = stats.beta(half, half, loc=-largest, scale=2 * largest)
    assert stats.kstest(parse(name).logits(sums)[:, 0], law.cdf).pvalue > 1e-4


@pytest.mark.parametrize("keys", KEYS)
@pytest.mark.parametrize("dim", [1024, 4096, 16_384])
def test_entropy_and_largest_weight_are_those_of_normal_scores_of_that_spread(dim, keys):
    """At such d a row's own spread |q|/sqrt(d) is 1 within some percent, whose effect is of second order."""
    spreads = {
        "inverse_sqrt": 1.0,
        "log_n:512": math.log(keys) / math.log(512),
        "ssmax:0.43": 0.43 * math.log(keys),
        "rmsnorm_qk:1.3": 1.69,
        "learned:0.7": math.exp(0.7),
        "power:0.4": dim**0.1,
    }
    seeds = [table(Scenario(keys=keys, rows=100, scalings=tuple(spreads), seed=seed), (dim,)) for seed in range(10)]
    for place, s in enumerate(spreads.values()):
        wanted = expectations(keys, s)
        for name, value in (("entropy_mean", wanted.entropy), ("largest_weight_mean", wanted.largest_weight)):
            found = np.array([records[place][name] for records in seeds])
            error = found.std(ddof=1) / math.sqrt(len(found))
            assert abs(found.mean() - float(value)) <= 5 * error, (seeds[0][place]["scaling"], name)


@pytest.mark.parametrize("keys", KEYS)
def test_the_sink_takes_the_share_that_theory_gives_it(keys):
    from attnsim.choices.scalings import Sums
    from attnsim.experiments.attention import attend

    scores = 64.0 * np.random.default_rng(1).normal(size=(2000, keys))
    found = attend(
        parse("softmax1"), Sums(scores=scores, dim=4096), Scenario(keys=keys).sight(keys - 1), "none", "fp64"
    )
    error = found.sink.std() / math.sqrt(2000)
    assert abs(found.sink.mean() - float(expectations(keys, 1.0).sink_mass)) <= 5 * error


@pytest.mark.parametrize("keys", [2, 8, 64])
def test_a_gain_bounds_the_largest_weight_of_qknorm(keys):
    g = math.log2(100**2 - 100)
    (record,) = table(Scenario(keys=keys, rows=200, rho=0.95, aligned="one", scalings=("qknorm:100",)), (64,))
    assert record["largest_weight_mean"] <= 1 / (1 + (keys - 1) * math.exp(-2 * g))


@pytest.mark.parametrize("fields", [{"mean_q": 1.0}, {"rho": 0.8}, {"r_q": 0.3, "r_k": 0.3}, {"mean_k": 1.0}])
def test_the_optimal_rule_gives_a_spread_of_1_within_the_row_and_the_participation_of_plain_rows(fields):
    plain = table(Scenario(keys=64, rows=2000), (64,))[1]
    (record,) = table(Scenario(keys=64, rows=2000, scalings=("optimal",), **fields), (64,))
    # rows differ in spread where a common factor makes |q| vary, which costs entropy; means and rho do not
    assert abs(record["entropy_mean"] - plain["entropy_mean"]) < (0.5 if "r_q" in fields else 0.02)


def test_layer_norm_takes_away_scalar_means_and_rms_norm_does_not():
    given = {"keys": 64, "rows": 800, "mean_q": 1.0, "mean_k": 0.7}
    rms, layer = table(Scenario(scalings=("rmsnorm_qk", "layernorm_qk"), **given), (64,))
    assert abs(layer["mean"]) < 5 * layer["sd"] / math.sqrt(800 * 64) + 0.02
    assert rms["mean"] == pytest.approx(3.24, abs=0.05)
