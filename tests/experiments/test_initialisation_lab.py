import numpy as np
import pytest

from attnsim.choices.sections.initialisation import Depth
from attnsim.experiments.initialisation import run
from attnsim.experiments.initialisation.collapse import attend, distance, normalised
from attnsim.experiments.initialisation.stacks import ACTIVATIONS, SCHEMES, pass_through
from attnsim.experiments.initialisation.start import NAMES
from attnsim.scenario import Scenario


def best(section=None, **fields):
    own = Depth(**({"layers": 8, "width": 64, "nets": 60, "tokens": 12} | (section or {})))
    *_others, last = run(Scenario(**fields, section=own))
    assert last.fraction == 1.0
    return last


def deviations(means, *place):
    value, error, expected = (part[place] for part in (means.value, means.error, means.expected))
    use = error > 1e-9 * np.abs(value)
    return ((value - expected)[use] / error[use]).ravel()


@pytest.mark.parametrize(("dim", "width"), [(64, 512), (16, 32)])
def test_scores_start_where_theory_says(dim, width):
    result = best({"layers": 1, "width": 8}, dim=dim, d_model=width)
    z = deviations(result.scores)
    assert z.size == len(NAMES)
    assert np.abs(z).max() < 5.0
    assert result.scores.expected[NAMES.index("xavier_fused")] == 0.5


@pytest.mark.parametrize("activation", ["relu", "linear"])
def test_signal_and_gradient_of_plain_stacks_are_the_exact_ones(activation):
    result = best({"activation": activation, "nets": 80, "layers": 6})
    for place, scheme in enumerate(SCHEMES):
        if scheme in ("none", "xavier", "kaiming"):
            for means in (result.signal, result.gradient):
                assert np.abs(deviations(means, place)).max() < 5.0


def test_wide_tanh_and_normalised_stacks_come_near_theory():
    for activation in ("relu", "tanh"):
        result = best({"activation": activation, "width": 256, "nets": 12, "layers": 6})
        for means in (result.signal, result.gradient):
            known = np.isfinite(means.expected)
            np.testing.assert_allclose(means.value[known], means.expected[known], rtol=0.15)


@pytest.mark.parametrize("scheme", ["plain", "layer_norm", "batch_norm"])
@pytest.mark.parametrize("activation", list(ACTIVATIONS))
def test_both_passes_are_those_of_torch(scheme, activation):
    torch = pytest.importorskip("torch")
    rng = np.random.default_rng(3)
    width, batch = 12, 9
    weights = [rng.standard_normal((width, width)) / 3.0 for _layer in range(3)]
    x, upstream = rng.standard_normal((2, batch, width))
    axis = {"plain": None, "layer_norm": 1, "batch_norm": 0}[scheme]
    squares, slopes = pass_through(x, weights, ACTIVATIONS[activation], axis, upstream)
    norm = {
        "plain": torch.nn.Identity(),
        "layer_norm": torch.nn.LayerNorm(width, eps=1e-12, elementwise_affine=False),
        "batch_norm": torch.nn.BatchNorm1d(width, eps=1e-12, affine=False, track_running_stats=False),
    }[scheme].double()
    act = {"relu": torch.nn.ReLU(), "linear": torch.nn.Identity(), "tanh": torch.nn.Tanh()}[activation]
    behind = [torch.tensor(x, requires_grad=True)]
    for matrix in weights:
        layer = torch.nn.Linear(width, width, bias=False, dtype=torch.float64)
        layer.weight.data = torch.tensor(matrix.T.copy())
        behind.append(act(norm(layer(behind[-1]))))
        behind[-1].retain_grad()
    behind[-1].backward(torch.tensor(upstream))
    np.testing.assert_allclose(squares, [float((h.detach() ** 2).mean()) for h in behind], rtol=1e-9)
    np.testing.assert_allclose(slopes, [float((h.grad**2).mean()) for h in behind], rtol=1e-7)


def test_the_initialisers_are_those_of_torch():
    torch = pytest.importorskip("torch")
    from attnsim.theory.initialisation import WEIGHT_VARIANCES

    torch.manual_seed(5)
    width, dim, init = 512, 64, torch.nn.init
    drawn = {
        "xavier_square": init.xavier_uniform_(torch.empty(width, width)),
        "xavier_per_head": init.xavier_uniform_(torch.empty(dim, width)),
        "xavier_fused": torch.nn.MultiheadAttention(width, 8).in_proj_weight,
        "xavier_gain_inverse_sqrt_2": init.xavier_uniform_(torch.empty(width, width), gain=2**-0.5),
        "linear_default": torch.nn.Linear(width, width).weight,
        "kaiming_normal": init.kaiming_normal_(torch.empty(dim, width)),
    }
    for name, weight in drawn.items():
        square = weight.detach().double() ** 2
        error = float(square.std()) / square.numel() ** 0.5
        assert abs(float(square.mean()) - WEIGHT_VARIANCES[name](width, dim)) < 5 * error, name


def test_attention_layers_are_those_of_torch():
    torch = pytest.importorskip("torch")
    rng = np.random.default_rng(7)
    tokens, matrices = rng.standard_normal((5, 8)), [rng.standard_normal((8, 8)) for _each in "qkv"]
    q, k, v = (torch.tensor(tokens @ matrix) for matrix in matrices)
    judged = torch.nn.functional.scaled_dot_product_attention(q, k, v, scale=0.2).numpy()
    np.testing.assert_allclose(attend(tokens, matrices, 0.2, skip=False), judged, rtol=1e-9)
    np.testing.assert_allclose(attend(tokens, matrices, 0.2, skip=True), tokens + judged, rtol=1e-9)


def test_attention_alone_makes_tokens_alike_and_skip_connections_delay_it():
    result = best({"layers": 6, "width": 64, "tokens": 32}, scalings=("inverse_sqrt", "none"))
    pure, skip = result.pure.value, result.skip.value
    assert pure[0, 2] < 0.1
    assert skip[0, 2] > 0.8
    assert pure[1, 2] > 0.5  # unscaled attention looks at one token each, and keeps them apart
    assert pure[0, 1] == pytest.approx(result.pure.expected[0, 1], rel=0.15)


def test_the_distance_from_rank_one_is_one_less_the_mean_cosine():
    tokens = normalised(np.random.default_rng(1).standard_normal((6, 10)))
    cosines = tokens @ tokens.T / 10.0
    assert distance(tokens) == pytest.approx(1.0 - (cosines.sum() - 6.0) / 30.0)
    assert np.isnan(distance(np.ones((4, 10))))


@pytest.mark.parametrize(
    ("fields", "section"),
    [
        ({"dim": 65_536, "d_model": 8192}, {"layers": 64, "width": 4}),
        ({"dim": 1, "d_model": 1}, {"layers": 1, "tokens": 2}),
    ],
)
def test_extreme_scenarios_are_drawn(fields, section):
    result = best(section | {"nets": 2, "width": 4}, **fields)
    assert np.isfinite(result.scores.value).all()
    assert np.isfinite(result.signal.value).all()
