"""A small training run: find the needle by gradient descent on W_Q and W_K, under each rule of the scenario.

An example has a few tokens x_j, fresh normals at every step. Query i asks for token i: q_i = W_Q^T x_i and
k_j = W_K^T x_j, and the values are the tokens themselves, so that the output is right where the weight lies on the
needle. All that is learned is how W_Q and W_K fit each other. Every rule starts from the same matrices and sees the
same examples.
"""

import math
from collections.abc import Iterator

import numpy as np

from attnsim.choices.scalings import Rule
from attnsim.experiments.gradients.records import Training
from attnsim.experiments.records import Floats
from attnsim.scenario import Scenario

MEASURED = ("loss", "accuracy", "needle", "score_sd", "gradient")
WIDTH = 16  # numbers of a token
MOST_DIM, MOST_TOKENS = 256, 32
FIRST_SEEDS = 2  # of the runs, before the others
CHUNK_WORK = 6e7  # products of a chunk of steps, some 40 ms
DECAY, SQUARE_DECAY, LEAST = 0.9, 0.99, 1e-12  # of Adam
SMALLEST = 1e-280  # weight on the needle below which its logarithm is cut
BEYOND = 1e15  # numbers from here on count as overflowed


def train(scenario: Scenario, rules: tuple[Rule, ...]) -> Iterator[tuple[float, Training]]:
    """Yield the share of the work that is done, and the runs as far as they have come.

    Parameters
    ----------
    scenario : Scenario
        With the lab's section.
    rules : tuple of Rule
        A rule that is no factor of the score has no run: nan.
    """
    options = scenario.section
    record = Recorder(scenario, rules)
    if not any(np.isfinite(rule.factor(training_dim(scenario))) for rule in rules):
        yield 1.0, record.result(0)
        return
    done, early = 0, min(FIRST_SEEDS, options.training_seeds)
    for first, last in ((0, early), (early, options.training_seeds)):
        if first == last:
            continue
        runs = Runs(scenario, rules, first, last)
        while runs.step <= options.training_steps:
            for _step in range(runs.steps_at_once):
                if runs.step <= options.training_steps:
                    record.note(runs)
                    done += last - first
            yield done / ((options.training_steps + 1) * options.training_seeds), record.result(last)


class Recorder:
    """Keeps what is measured at each step.

    Parameters
    ----------
    scenario : Scenario
    rules : tuple of Rule
    """

    def __init__(self, scenario: Scenario, rules: tuple[Rule, ...]) -> None:
        options = scenario.section
        shape = options.training_steps + 1, len(rules), options.training_seeds
        self._scenario = scenario
        self._kept = {name: np.full(shape, np.nan) for name in MEASURED}

    def note(self, runs: "Runs") -> None:
        """Make a step of some runs, and keep what they say before it."""
        step, seeds = runs.step, slice(runs.first, runs.last)
        for name, values in runs.advance().items():
            self._kept[name][step][runs.linear, seeds] = values

    def result(self, seeds: int) -> Training:
        """Return what is known so far."""
        return Training(
            dim=training_dim(self._scenario),
            tokens=training_tokens(self._scenario),
            width=WIDTH,
            seeds=seeds,
            wanted=self._scenario.section.training_seeds,
            **{name: values.copy() for name, values in self._kept.items()},
        )


def training_dim(scenario: Scenario) -> int:
    """Return the d_k of the run."""
    return min(scenario.dim, MOST_DIM)


def training_tokens(scenario: Scenario) -> int:
    """Return how many tokens an example has."""
    return min(scenario.keys, MOST_TOKENS)


class Runs:
    """Runs of some seeds under all rules that are factors, side by side.

    Parameters
    ----------
    scenario : Scenario
    rules : tuple of Rule
    first, last : int
        Seeds `first` .. `last - 1`.
    rate : float, optional
        Learning rate; that of the section when left out.
    """

    def __init__(
        self, scenario: Scenario, rules: tuple[Rule, ...], first: int, last: int, rate: float | None = None
    ) -> None:
        self._scenario, self._options = scenario, scenario.section
        self._rate = scenario.section.learning_rate if rate is None else rate
        self.first, self.last, self.step = first, last, 0
        self._dim, self._tokens = training_dim(scenario), training_tokens(scenario)
        factors = np.array([float(rule.factor(self._dim)) for rule in rules])
        self.linear = np.isfinite(factors)
        self._rules, self._seeds = int(self.linear.sum()), last - first
        self._factors = np.repeat(factors[self.linear], self._seeds)[:, None, None]
        self._matrices = [self._begin(side) for side in ("q", "k")]
        self._means = [np.zeros_like(matrix) for matrix in self._matrices]
        self._squares = [np.zeros_like(matrix) for matrix in self._matrices]
        work = len(self._factors) * self._tokens * self._dim * (6 * WIDTH + 6 * self._tokens)
        self.steps_at_once = max(1, int(CHUNK_WORK / work))

    def _begin(self, side: str) -> Floats:
        """Return W_Q or W_K of every run, shape (runs, WIDTH, dim): the same under each rule."""
        sigma = self._scenario.sigma_q if side == "q" else self._scenario.sigma_k
        each = WIDTH * self._dim
        drawn = self._normals(side, self._seeds * each, self.first * each).reshape(self._seeds, WIDTH, self._dim)
        return np.tile(drawn * (sigma / math.sqrt(WIDTH)), (self._rules, 1, 1))

    def _examples(self) -> Floats:
        """Return the tokens of this step for every run, shape (runs, tokens, WIDTH): the same under each rule."""
        each = self._tokens * WIDTH
        seeds = [
            self._normals(f"example/{seed}", each, self.step * each).reshape(self._tokens, WIDTH)
            for seed in range(self.first, self.last)
        ]
        return np.tile(np.stack(seeds), (self._rules, 1, 1))

    def _normals(self, purpose: str, count: int, first: int) -> Floats:
        from attnsim.kernels.normals import normals
        from attnsim.kernels.rng import stream_key

        key = stream_key(self._scenario.seed, f"gradients/training/{purpose}")
        return np.asarray(normals(key, count, first), dtype=np.float64)

    def advance(self) -> dict[str, Floats]:
        """Measure, and make one step; each array has shape (rules, seeds)."""
        tokens = self._examples()
        with np.errstate(over="ignore", invalid="ignore"):  # a run that has blown up stays where it is
            measured, gradients = loss_and_gradients(self._matrices, tokens, self._factors, self._options.training_loss)
            self._move(gradients)
        self.step += 1
        return {name: values.reshape(self._rules, self._seeds) for name, values in measured.items()}

    def _move(self, gradients: list[Floats]) -> None:
        rate, time = self._rate, self.step + 1
        for place, gradient in enumerate(gradients):
            if self._options.optimiser == "adam":
                mean, square = self._means[place], self._squares[place]
                mean += (1.0 - DECAY) * (gradient - mean)
                square += (1.0 - SQUARE_DECAY) * (gradient**2 - square)
                root = np.sqrt(square / (1.0 - SQUARE_DECAY**time)) + LEAST
                gradient = mean / (1.0 - DECAY**time) / root
            moved = self._matrices[place] - rate * gradient
            fine = np.isfinite(moved).all(axis=(1, 2)) & (np.abs(moved).max(axis=(1, 2)) < BEYOND)
            self._matrices[place][fine] = moved[fine]


def loss_and_gradients(
    matrices: list[Floats], tokens: Floats, factors: Floats, loss: str
) -> tuple[dict[str, Floats], list[Floats]]:
    """Return what is measured of every run, and the gradients of its loss by W_Q and W_K.

    Parameters
    ----------
    matrices : two float64 arrays, shape (runs, width, dim)
    tokens : float64 array, shape (runs, tokens, width)
    factors : float64 array, shape (runs, 1, 1)
    loss : {"output", "cross_entropy"}

    Returns
    -------
    measured : dict of float64 arrays, shape (runs,)
    gradients : two float64 arrays of the shapes of the matrices
    """
    from attnsim.kernels.attention_gradients import attention_gradients

    count, width = tokens.shape[1:]
    query, key = tokens @ matrices[0], tokens @ matrices[1]
    scores = factors * (query @ key.transpose(0, 2, 1))
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    needle = np.einsum("bii->bi", weights)
    if loss == "cross_entropy":
        # a value for each token: the output is the row of weights, its gradient -1/p at the needle
        values = np.broadcast_to(np.eye(count), (len(tokens), count, count))
        held = np.maximum(needle, SMALLEST)
        size = -np.log(held).mean(axis=1)
        incoming = -values / held[:, :, None] / count
    else:
        values, missed = tokens, weights @ tokens - tokens
        size = 0.5 * (missed**2).sum(axis=(1, 2)) / (count * width)
        incoming = missed / (count * width)
    by_query, by_key, _by_value = attention_gradients(
        (factors * query)[:, None], key[:, None], values[:, None], incoming[:, None], scale=1.0,
        dtype="float64",
    )  # fmt: skip
    across = tokens.transpose(0, 2, 1)
    gradients = [across @ (factors * by_query[:, 0]), across @ by_key[:, 0]]
    measured = {
        "loss": size,
        "accuracy": (weights.argmax(axis=-1) == np.arange(count)).mean(axis=-1),
        "needle": needle.mean(axis=-1),
        "score_sd": scores.std(axis=(1, 2)),
        "gradient": np.sqrt(sum((gradient**2).sum(axis=(1, 2)) for gradient in gradients)),
    }
    return measured, gradients
