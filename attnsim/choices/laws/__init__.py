"""Laws of the components of q and k. Adding one is a file beside this one and a line in `LAWS`."""

from attnsim.choices.laws import (
    ar1,
    initialised,
    laplace,
    lognormal,
    low_rank,
    normal,
    sign,
    sparse,
    student_t,
    uniform,
)
from attnsim.choices.laws.law import Draws, Law, Request

__all__ = ["LAWS", "Draws", "Law", "Request"]

LAWS: dict[str, Law] = {
    law.key: law
    for law in (
        normal.LAW,
        sign.LAW,
        uniform.LAW,
        laplace.LAW,
        student_t.LAW,
        lognormal.LAW,
        sparse.LAW,
        ar1.LAW,
        low_rank.LAW,
        initialised.LAW,
    )
}
