"""Figures: plain data to draw, made from a Result and a View. A file a figure, a registry line each."""

from collections.abc import Callable

from attnsim.experiments.records import Walk
from attnsim.figures import scores, walk, weights
from attnsim.figures.marks import Figure
from attnsim.view import View

FIGURES: dict[str, Callable[[Walk, View], Figure]] = {
    "walk": walk.build,
    "scores": scores.build,
    "weights": weights.build,
}
