"""Labs: a page, declared. Adding one is a file beside this one and a line in `LABS`."""

from attnsim.labs import (
    derivation,
    formats,
    gradients,
    initialisation,
    masks,
    phase,
    planted,
    scalings,
    spread,
    walk,
    which_d,
)
from attnsim.labs.lab import Lab

LABS: dict[str, Lab] = {
    lab.key: lab
    for lab in (
        walk.LAB,
        spread.LAB,
        scalings.LAB,
        phase.LAB,
        gradients.LAB,
        formats.LAB,
        initialisation.LAB,
        masks.LAB,
        planted.LAB,
        derivation.LAB,
        which_d.LAB,
    )
}
