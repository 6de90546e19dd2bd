"""Closed forms on plain numbers and arrays, a subject a file: `attnsim.theory.random_energy.mean_maximum(64)`."""

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType


def __getattr__(name: str) -> ModuleType:
    if name.startswith("_") or name not in __dir__():
        raise AttributeError(f"module 'attnsim.theory' has no attribute {name!r}")
    return import_module(f"attnsim.theory.{name}")


def __dir__() -> list[str]:
    return sorted(module.name for module in iter_modules(__path__))
