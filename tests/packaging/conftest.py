"""The scripts of `packaging/`, which are no package and import each other by name."""

import importlib
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "packaging"


@pytest.fixture
def script(monkeypatch):
    """Return what imports one of the scripts, anew; afterwards none of them is known any more."""
    monkeypatch.syspath_prepend(str(FOLDER))
    names = {path.stem for path in FOLDER.glob("*.py")}
    before = {name: sys.modules.pop(name) for name in names & set(sys.modules)}
    yield importlib.import_module
    for name in names:
        sys.modules.pop(name, None)
    sys.modules.update(before)
