import math

import numpy as np
import pytest

from attnsim.theory import initialisation


def test_the_table_of_spreads_is_met():
    small = {one.name: one for one in initialisation.initialisation_table(512, 64)}
    assert small["lecun"].score_sd == small["xavier_square"].score_sd == 1.0
    assert small["xavier_per_head"].score_sd == pytest.approx(1.78, abs=5e-3)
    assert small["xavier_fused"].score_sd == 0.5
    assert small["linear_default"].score_sd == pytest.approx(1 / 3)
    assert small["kaiming_normal"].score_sd == 2.0
    assert small["small"].score_sd == pytest.approx(0.4)
    large = {one.name: one for one in initialisation.initialisation_table(4096, 128)}
    assert large["xavier_per_head"].score_sd == pytest.approx(1.94, abs=5e-3)
    assert large["normal_0_02"].score_sd == pytest.approx(1.64, abs=5e-3)
    assert initialisation.initialisation("normal_0_02", 768, 64).score_sd == pytest.approx(0.307, abs=5e-4)


@pytest.mark.parametrize(("name", "draw"), [
    ("xavier_per_head", lambda rng, w, d: rng.uniform(-1, 1, (d, w)) * math.sqrt(6 / (w + d))),
    ("linear_default", lambda rng, w, d: rng.uniform(-1, 1, (d, w)) / math.sqrt(w)),
    ("kaiming_normal", lambda rng, w, d: rng.standard_normal((d, w)) * math.sqrt(2 / w)),
])  # fmt: skip
def test_simulated_projections_have_this_spread(name, draw):
    rng, width, dim = np.random.default_rng(71), 48, 12
    squares = []
    for _draw in range(1500):
        x, y = rng.standard_normal((2, width))
        x, y = (v * math.sqrt(width) / np.linalg.norm(v) for v in (x, y))
        squares.append((draw(rng, width, dim) @ x @ (draw(rng, width, dim) @ y)) ** 2 / dim)
    exact = initialisation.initialisation(name, width, dim)
    assert abs(np.mean(squares) - exact.score_sd**2) < 5 * np.std(squares) / math.sqrt(1500)
    assert exact.multiplier * math.sqrt(dim) * exact.score_sd == pytest.approx(1.0)


@pytest.mark.parametrize(("tied", "same", "line"), [
    (False, False, False), (False, True, False), (True, False, False), (True, True, False),
    (False, False, True), (True, False, True),
])  # fmt: skip
def test_shared_inputs_have_the_simulated_moments(tied, same, line):
    rng, dim, width, rows = np.random.default_rng(73), 4, 6, 30_000
    x = rng.standard_normal((rows, width))
    y = x if same else rng.standard_normal((rows, width))
    if line:
        direction = rng.standard_normal((rows, width))
        direction *= math.sqrt(width) / np.linalg.norm(direction, axis=1, keepdims=True)
        x, y = (direction * rng.standard_normal((rows, 1)) for _ in range(2))
    first = rng.standard_normal((rows, dim, width)) / math.sqrt(width)
    second = first if tied else rng.standard_normal((rows, dim, width)) / math.sqrt(width)
    scores = np.einsum("rdw,rw,rdv,rv->r", first, x, second, y, optimize=True)
    mean, variance = initialisation.shared_input_moments(dim, width, tied=tied, same_token=same, on_a_line=line)
    assert abs(scores.mean() - mean) < 5 * scores.std() / math.sqrt(rows)
    squares = (scores - mean) ** 2
    assert abs(squares.mean() - variance) < 5 * squares.std() / math.sqrt(rows)


def test_impossible_choices_are_refused():
    with pytest.raises(ValueError, match=r"initialisation must be among lecun, .* not 'he'"):
        initialisation.initialisation("he", 512, 64)
    with pytest.raises(ValueError, match=r"width must lie in \[1, inf\], not 0"):
        initialisation.initialisation_table(0, 64)
    with pytest.raises(ValueError, match="same_token must be false"):
        initialisation.shared_input_moments(4, 8, same_token=True, on_a_line=True)
