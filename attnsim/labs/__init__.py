"""Labs: a page, declared. Adding one is a file beside this one and a line in `LABS`."""

from attnsim.labs import formats, phase, walk
from attnsim.labs.lab import Lab

LABS: dict[str, Lab] = {lab.key: lab for lab in (walk.LAB, phase.LAB, formats.LAB)}
