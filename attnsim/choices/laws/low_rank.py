"""Low-rank queries and keys: both are made from short tokens by random matrices."""

from typing import Any

from attnsim.choices.laws import projection
from attnsim.choices.laws.law import Draws, Law, Request
from attnsim.words import mark


def draw(request: Request) -> Draws:
    """Draw rows exactly at checkpoints; tokens and matrices are new in every row."""
    return projection.draw(request, width=request.rank, tied=request.projections == "tied")


def work(given: Any, checkpoints: int) -> tuple[int, int]:
    """Return what a row takes by itself, and each of its keys."""
    return projection.work(given.rank, checkpoints)


LAW = Law(
    key="low_rank",
    title=mark("low rank, X W"),
    formula=r"Q = X W_Q,\ K = X W_K, \quad x \in \mathbb{R}^r,\ x_a \sim N(0, 1),\ W_{ai} \sim N(0, \sigma^2/r)",
    source="Bhojanapalli et al., ICML 2020 (the low-rank bottleneck); moments: Wishart, Biometrika 20A, 1928",
    sentences=(
        mark("Query and keys come from tokens of width r, through two random matrices or through one and the same."),
        mark("Independent matrices keep the variance d however small r is; a tied one makes it d (1 + (d + 1)/r)."),
    ),
    moments=None,
    draw=draw,
    gives_norms=False,
    reads=("rank", "projections"),
    refuses=projection.REFUSES,
    reason=mark("whose queries and keys correlate through their matrices alone"),
    work=work,
)
