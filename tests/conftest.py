"""Fixtures shared by all rooms."""

import os
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the program does: threads that compete only spin

import pytest


@pytest.fixture(scope="session")
def shared_folder() -> Path:
    """The reference data beside the checkout; absent on a user's machine."""
    folder = Path(__file__).resolve().parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip("../shared, the reference data, is not beside this checkout")
    return folder


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out soak tests unless they are asked for by name: they run for minutes."""
    if "soak" in config.option.markexpr:
        return
    soak = [item for item in items if item.get_closest_marker("soak")]
    if soak:
        config.hook.pytest_deselected(items=soak)
        items[:] = [item for item in items if item not in soak]
