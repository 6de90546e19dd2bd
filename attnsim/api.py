"""What `import attnsim` offers: a facade over the rooms below, for scripts, notebooks and the command line."""

import os
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.experiments.records import Walk
from attnsim.experiments.result import Record
from attnsim.files.pictures import Picture, figure, lab_of, save
from attnsim.files.state import lab_named
from attnsim.files.writers.provenance import provenance
from attnsim.scenario import Scenario
from attnsim.vectors import Vectors
from attnsim.view import View
from attnsim.words import _

if TYPE_CHECKING:
    from attnsim.kernels.attention import attention
    from attnsim.kernels.attention_gradients import attention_gradients
    from attnsim.kernels.attention_statistics import score_statistics

__all__ = [
    "Picture",
    "Scenario",
    "View",
    "attention",
    "attention_gradients",
    "attention_of",
    "figure",
    "iterate",
    "lab_of",
    "load_vectors",
    "provenance",
    "run",
    "save",
    "score_moments",
    "score_statistics",
    "section",
    "softmax",
    "table",
    "weights",
]

AnyPath = str | os.PathLike[str]
USUAL = Scenario()
COMPILED = {  # by the kernel file that holds and explains it
    "attention": "attention",
    "attention_gradients": "attention_gradients",
    "score_statistics": "attention_statistics",
}


def __getattr__(name: str) -> Any:
    if name not in COMPILED:
        raise AttributeError(f"module 'attnsim.api' has no attribute {name!r}")
    return getattr(import_module(f"attnsim.kernels.{COMPILED[name]}"), name)


def iterate(scenario: Scenario, vectors: Vectors | None = None, lab: str = "walk") -> Iterator[Record]:
    """Yield ever better results, the first after a small part of the work.

    Parameters
    ----------
    scenario : Scenario
    vectors : Vectors, optional
        Real queries and keys instead of drawn ones, from `load_vectors`.
    lab : str
        Whose experiment runs, a key of `attnsim labs`; the options of a lab are the scenario's `section`.

    Yields
    ------
    Result
        Frozen, a `Walk` for the lab "walk"; the last one is complete.

    Raises
    ------
    ValueError
        If the scenario cannot be drawn; names the field.
    """
    from attnsim.choices.sections import section_of
    from attnsim.experiments import EXPERIMENTS

    chosen = lab_named(lab)
    if vectors is not None and not chosen.real:
        raise ValueError(_("vectors must be left out: the lab {lab} draws its own").format(lab=repr(lab)))
    section = section_of(lab)
    if type(scenario.section) is not type(section):
        scenario = scenario.but(section=section)
    return EXPERIMENTS[chosen.experiment](scenario, vectors)


def run(scenario: Scenario, vectors: Vectors | None = None, lab: str = "walk") -> Record:
    """Return the best result of a scenario; see `iterate` for the parameters.

    Returns
    -------
    Result
        Complete and frozen; equal scenarios give equal bits.
    """
    best = None
    for best in iterate(scenario, vectors, lab):  # noqa: B007
        pass
    return best


def table(
    dims: Sequence[int],
    keys: int,
    scalings: Sequence[str] = USUAL.scalings,
    seed: int = USUAL.seed,
    rows: int = USUAL.rows,
    **fields: Any,
) -> list[dict[str, Any]]:
    """Return how scores and weights change with the dimension, rule by rule.

    Parameters
    ----------
    dims : sequence of int
        Components of a query or key.
    keys : int
        Keys of a row.
    scalings : sequence of str
        Scale rules, such as `"inverse_sqrt"` or `"power:0.25"`.
    seed, rows : int
        Seed of the draw, and rows of the ensemble.
    **fields
        Other fields of the Scenario.

    Returns
    -------
    list of dict
        One record a dimension and rule: `dim keys seed rows scaling mean sd sd_low sd_high
        largest_weight_mean largest_weight_median entropy_mean`. `mean` and `sd` are of the scaled
        scores, pooled over all rows; the interval is 95 %; entropy is in nats.

    Raises
    ------
    ValueError
        Names the field that cannot be.
    """
    from attnsim.experiments.table import table as tabulate

    scenario = Scenario(keys=keys, scalings=tuple(scalings), seed=seed, rows=rows, **fields)
    return tabulate(scenario, tuple(dims))


def section(lab: str, **fields: Any) -> Any:
    """Return the options of a lab's own, for the `section` of a Scenario.

    Parameters
    ----------
    lab : str
        A key of `attnsim labs`.
    **fields
        Those that are not at their first setting.

    Returns
    -------
    record or None
        None for a lab without options.

    Raises
    ------
    ValueError
        If there is no such lab or field, or a value is out of its limits.
    """
    from attnsim.choices.sections import section_of

    return Scenario(section=section_of(lab_named(lab).key)).but(**fields).section


def score_moments(scenario: Scenario) -> Any:
    """Return the closed forms of the raw score's moments over draws.

    Returns
    -------
    record
        With `mean variance within_row_variance between_row_variance skewness excess_kurtosis`; None
        where no closed form exists.
    """
    from attnsim.experiments.closed_forms import score_moments as closed

    return closed(scenario)


def softmax(x: ArrayLike, axis: int = -1, method: str = "stable", dtype: Any = None) -> NDArray[np.floating[Any]]:
    """Return exp(x) / sum(exp(x)) along an axis.

    Parameters
    ----------
    x : array_like of real numbers, any shape
        Scores; -inf masks a key out, and a row of -inf alone gives 0 everywhere.
    axis : int
        Along which the weights sum to 1.
    method : {"stable", "naive", "online"}
        "naive" overflows as the formula does; "online" goes once over a row with a running maximum.
    dtype : {"float16", "bfloat16", "float32", "float64"} or numpy dtype, optional
        In which to compute, that of `x` when left out; every operation is rounded to float16 and bfloat16.

    Returns
    -------
    array of the shape of `x`
        In `dtype`; float32 that holds bfloat16 numbers for "bfloat16". A nan makes its row nan, and so does +inf.

    Raises
    ------
    ValueError
        Names the argument that cannot be, what was wanted and what came.
    """
    from attnsim.kernels.softmax_rows import softmax as rows

    return rows(x, axis, method, dtype)


def load_vectors(path: AnyPath, *more: AnyPath) -> Vectors:
    """Read real queries and keys from a file.

    Parameters
    ----------
    path, *more : str or path
        A file that holds both, or one file for the queries and one for the keys.

    Returns
    -------
    Vectors
        Looks at the first layer, head and row; `.at(layer=, head=, row=)` looks elsewhere.

    Raises
    ------
    ValueError
        Names the file, what was wanted and what came.
    """
    from attnsim.files.readers import load_vectors as load

    return load(Path(path), *map(Path, more))


def weights(result: Walk, playhead: int | None = None) -> dict[str, NDArray[np.float64]]:
    """Return the attention weights of the result's row under each of its rules.

    Parameters
    ----------
    result : Walk
    playhead : int, optional
        Dimension at which scores and rules are taken; the last when left out.

    Returns
    -------
    dict of str to float64 array, shape (keys,)
        By the rule's name, as `attention` has them.
    """
    return {name: found.weights[0] for name, found in attention_of(result, playhead).items()}


def attention_of(result: Walk, playhead: int | None = None) -> dict[str, Any]:
    """Return what the softmax makes of the result's row under each of its rules, its mask and its number format.

    Parameters
    ----------
    result, playhead
        As for `weights`.

    Returns
    -------
    dict of str to record
        By the rule's name, with `logits weights` of shape (1, keys) and `largest entropy sink count overflowed` of
        shape (1,). Weights are 0 where the mask hides a key and nan where the format overflowed; with the sink's
        share they sum to 1, or nearly so in a narrow format.
    """
    from attnsim.experiments.attention import row_attention

    index = result.row.index(playhead)
    return {name: row_attention(result, index, place) for place, name in enumerate(result.scenario.scalings)}
