"""Ratios of speed: our kernels beside what a user would write, measured in one run.

A file a group of items, and a line in `ITEMS`; a line in `GROWTHS` for a cost that must grow as it should.
"""

from attnsim.bench import attention, normals, rows, scores, softmax, walks
from attnsim.bench.item import Growth, Item

ITEMS: tuple[Item, ...] = (
    *normals.ITEMS,
    *scores.ITEMS,
    *rows.ITEMS,
    *walks.ITEMS,
    *softmax.ITEMS,
    *attention.ITEMS,
)
GROWTHS: tuple[Growth, ...] = (
    *scores.GROWTHS,
    *rows.GROWTHS,
    *walks.GROWTHS,
    *softmax.GROWTHS,
    *attention.GROWTHS,
)
