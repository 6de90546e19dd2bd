"""What a component law is made of, and what it is asked to draw."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Which scores to draw: rows of keys that share a query, seen at checkpoints.

    Attributes
    ----------
    seed : int
        The user's seed.
    stream : str
        Keeps draws of different purposes apart; with the seed it is the key of the generator.
    steps : int64 array, shape (checkpoints,)
        Ascending; how many components are summed at each. The last is the dimension.
    rows, first_row : int
        Rows `first_row` .. `first_row + rows - 1`. What a row holds does not depend on this pair.
    keys, first_key : int
        Keys `first_key` .. `first_key + keys - 1` of each row.
    aligned_share : float
        1: every key has `rho`. Below 1: only key 0 has it, in this share of the rows
        (chosen by the seed), and the other keys are independent of the query.
    norms : bool
        Whether the sums behind the lengths of the keys are wanted too; scores do not depend on it.
    only_first : bool
        Whether `aligned_share` speaks of key 0 alone.

    Notes
    -----
    The other fields are those of a Scenario, which explains them; each law reads those it names.
    """

    seed: int
    stream: str
    steps: NDArray[np.int64]
    rows: int = 1
    first_row: int = 0
    keys: int = 1
    first_key: int = 0
    sigma_q: float = 1.0
    sigma_k: float = 1.0
    mean_q: float = 0.0
    mean_k: float = 0.0
    rho: float = 0.0
    r_q: float = 0.0
    r_k: float = 0.0
    nu: float = 5.0
    shape: float = 0.5
    nonzero: float = 0.1
    phi_q: float = 0.9
    phi_k: float = 0.9
    rank: int = 16
    projections: str = "independent"
    d_model: int = 512
    initialisation: str = "xavier_fused"
    only_first: bool = False
    aligned_share: float = 1.0
    norms: bool = False


@dataclass(frozen=True, slots=True)
class Draws:
    """Scores at checkpoints, and their own law given the query.

    Attributes
    ----------
    walks : float64 array, shape (rows, checkpoints, keys)
        Running sums of q_i k_i.
    mean, sd : float64 array, shape (rows, checkpoints)
        Mean and standard deviation of a key's running sum given the query, for the keys that all
        share one law (with `only_first` the keys other than the aligned one); `sd` is nan where the
        law has no variance.
    aligned_mean, aligned_sd : float64 array, shape (rows, checkpoints)
        The same for a key that has `rho`.
    square : float64 array, shape (rows, checkpoints)
        Running sum of q_i^2.
    kurtosis : float64 array, shape (rows, checkpoints)
        Excess kurtosis of that running sum given the query; 0 where it is normal, nan or inf where
        it does not exist.
    query_sum : float64 array, shape (rows, checkpoints), or None
        Running sum of q_i.
    key_sums, key_squares : float64 array, shape (rows, checkpoints, keys), or None
        Running sums of k_i and k_i^2: the three of them where the request wants norms and the law can give them.
    """

    walks: Floats
    mean: Floats
    sd: Floats
    aligned_mean: Floats
    aligned_sd: Floats
    square: Floats
    kurtosis: Floats
    query_sum: Floats | None = None
    key_sums: Floats | None = None
    key_squares: Floats | None = None


def all_moments(given: Any) -> float:
    """Return inf: no moment is missing."""
    return math.inf


@dataclass(frozen=True, slots=True, kw_only=True)
class Law:
    """A law of the components, as the registry knows it.

    Attributes
    ----------
    key : str
        The id in files, options and the API.
    title, formula, source : str
    sentences : tuple of str
        What it is, and why one would look at it.
    reads : tuple of str
        Fields of the Scenario that change this law and not every law.
    refuses : tuple of str
        Fields that make no sense for it and must be 0.
    reason : str
        Why, as the end of a sentence: "..., whose components cannot share a factor".
    moments : callable or None
        A record with the fields it reads -> float64 array, shape (9,): E a^j of the standard variate,
        j = 0..8; inf or nan where the integral does not exist. None for a law of whole vectors, whose
        components are not independent variates; all its moments exist.
    draw : callable
        Request -> Draws.
    tail : callable
        Scenario -> the order from which on moments do not exist; inf for a law with all moments.
    reach : callable or None
        Scenario -> largest |rho|; None where it is the common factors' sqrt((1 - r_q)(1 - r_k)).
    work : callable or None
        (Scenario, checkpoints) -> random numbers and products that a row takes, and each of its keys;
        None where a key takes one a checkpoint (`exact_blocks`) or one a component, and a row nothing.
    refusal : callable or None
        Scenario -> the sentence that refuses it, or nothing.
    gives_norms : bool
        Whether it can draw the lengths of the keys with their scores, which some scale rules read.
    exact_blocks : bool
        Whether a checkpoint costs the same whatever its number of components.
    """

    key: str
    title: str
    formula: str
    source: str
    sentences: tuple[str, str]
    moments: Callable[[Any], Floats] | None
    draw: Callable[[Request], Draws]
    tail: Callable[[Any], float] = all_moments
    reads: tuple[str, ...] = ()
    refuses: tuple[str, ...] = ()
    reason: str = ""
    reach: Callable[[Any], float] | None = None
    work: Callable[[Any, int], tuple[int, int]] | None = None
    refusal: Callable[[Any], str | None] | None = None
    gives_norms: bool = True
    exact_blocks: bool = False
