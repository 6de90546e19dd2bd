"""attnsim: one draw through walk, scores and softmax.

The names below load what they need when they are first used: importing the package loads neither Qt nor
numba nor scipy nor matplotlib.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from attnsim.version import __version__

if TYPE_CHECKING:
    from attnsim import theory
    from attnsim.api import (
        Scenario,
        View,
        attention,
        attention_gradients,
        figure,
        iterate,
        load_vectors,
        run,
        save,
        score_moments,
        score_statistics,
        section,
        softmax,
        table,
        weights,
    )

__all__ = [
    "Scenario",
    "View",
    "__version__",
    "attention",
    "attention_gradients",
    "figure",
    "iterate",
    "load_vectors",
    "run",
    "save",
    "score_moments",
    "score_statistics",
    "section",
    "softmax",
    "table",
    "theory",
    "weights",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'attnsim' has no attribute {name!r}")
    if name == "theory":
        return import_module("attnsim.theory")
    from attnsim import api

    return getattr(api, name)


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
