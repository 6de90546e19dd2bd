"""Embeddings pushed through freshly initialised matrices W_Q and W_K."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from attnsim.choices.laws import projection
from attnsim.choices.laws.law import Draws, Law, Request
from attnsim.words import _, mark

MOST_ENTRIES = 2**25  # of one matrix that is drawn entry by entry: some 0.2 s


@dataclass(frozen=True, slots=True, kw_only=True)
class Initialisation:
    """A law of the entries of W_Q and W_K.

    Attributes
    ----------
    title, formula, source : str
        The formula is that of Var(W).
    variance : callable
        (d_model, dim of the head) -> variance of an entry of W_Q, and of one of W_K.
    uniform : bool
        Whether entries are uniform; else they are normal.
    """

    title: str
    formula: str
    source: str
    variance: Callable[[int, int], tuple[float, float]]
    uniform: bool = False


INITIALISATIONS: dict[str, Initialisation] = {
    "xavier_fused": Initialisation(
        title=mark("Xavier, fused Q K V"),
        formula=r"2/(D + 3D)",
        source="torch.nn.MultiheadAttention: xavier_uniform_ on in_proj_weight, 3D x D",
        variance=lambda model, dim: (0.5 / model, 0.5 / model),
        uniform=True,
    ),
    "xavier_per_head": Initialisation(
        title=mark("Xavier, per head"),
        formula=r"2/(D + d)",
        source="Glorot & Bengio, AISTATS 2010, eq. 16, on each head's D x d",
        variance=lambda model, dim: (2.0 / (model + dim), 2.0 / (model + dim)),
        uniform=True,
    ),
    "kaiming": Initialisation(
        title=mark("Kaiming normal"),
        formula=r"2/D",
        source="He et al., ICCV 2015, eq. 10",
        variance=lambda model, dim: (2.0 / model, 2.0 / model),
    ),
    "lecun": Initialisation(
        title=mark("LeCun normal"),
        formula=r"1/D",
        source="LeCun et al., Efficient BackProp, 1998, Sec. 4.6",
        variance=lambda model, dim: (1.0 / model, 1.0 / model),
    ),
    "normal002": Initialisation(
        title=mark("N(0, 0.02²)"),
        formula=r"0.02^2",
        source="Radford et al., GPT-2, 2019; Devlin et al., BERT, 2019",
        variance=lambda model, dim: (0.0004, 0.0004),
    ),
    "torch_linear": Initialisation(
        title=mark("PyTorch nn.Linear"),
        formula=r"1/(3D)",
        source="torch.nn.Linear.reset_parameters: kaiming_uniform_ with a = sqrt 5",
        variance=lambda model, dim: (1.0 / (3.0 * model), 1.0 / (3.0 * model)),
        uniform=True,
    ),
    "t5": Initialisation(
        title=mark("T5"),
        formula=r"1/(D d)\ \mathrm{(Q)},\ 1/D\ \mathrm{(K)}",
        source="Raffel et al., JMLR 21, 2020; transformers, T5PreTrainedModel._init_weights",
        variance=lambda model, dim: (1.0 / (model * dim), 1.0 / model),
    ),
}


def component_scales(given: Any, dim: int) -> tuple[float, float]:
    """Return the standard deviation of a component of q and of k, before `sigma_q` and `sigma_k`.

    Parameters
    ----------
    given : record with `initialisation` and `d_model`
    dim : int
        Components of a whole query.
    """
    of_q, of_k = INITIALISATIONS[given.initialisation].variance(given.d_model, dim)
    return float((given.d_model * of_q) ** 0.5), float((given.d_model * of_k) ** 0.5)


def draw(request: Request) -> Draws:
    """Draw rows; embeddings and matrices are new in every row."""
    scale_q, scale_k = component_scales(request, int(request.steps[-1]))
    scaled = replace(request, sigma_q=scale_q * request.sigma_q, sigma_k=scale_k * request.sigma_k)
    uniform = INITIALISATIONS[request.initialisation].uniform
    return projection.draw(scaled, width=request.d_model, uniform=uniform)


def work(given: Any, checkpoints: int) -> tuple[int, int]:
    """Return what a row takes by itself, and each of its keys."""
    row, key = projection.work(given.d_model, checkpoints)
    if INITIALISATIONS[given.initialisation].uniform:
        row += 2 * given.d_model * given.dim // 4  # four entries are drawn in the time of one normal number
    return row, key


def refusal(given: Any) -> str | None:
    """Return why a matrix is too large to be drawn for every row, if it is."""
    if not INITIALISATIONS[given.initialisation].uniform or given.dim * given.d_model <= MOST_ENTRIES:
        return None
    words = _(
        "dim times d_model must be {most} or less for the initialisation {name}, whose entries are drawn one by one, "
        "not {dim} times {model}"
    )
    return words.format(most=MOST_ENTRIES, name=given.initialisation, dim=given.dim, model=given.d_model)


LAW = Law(
    key="initialised",
    title=mark("initialised, X W"),
    formula=r"Q = X W_Q,\ K = X W_K, \quad x \in \mathbb{R}^D,\ x_a \sim N(0, 1),\ Var(q_i) = D\,Var(W)",
    source="Glorot & Bengio, AISTATS 2010, Sec. 4.2 (the variance a layer passes on)",
    sentences=(
        mark("Normal embeddings of width d_model go through matrices W_Q and W_K as a library initialises them."),
        mark("Few of these give components of unit variance: after dividing by √d scores start at 0.3 to 2, not at 1."),
    ),
    moments=None,
    draw=draw,
    gives_norms=False,
    reads=("d_model", "initialisation"),
    refuses=projection.REFUSES,
    reason=mark("whose queries and keys come from independent matrices"),
    work=work,
    refusal=refusal,
)
