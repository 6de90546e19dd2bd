"""The command line, called without a process of its own."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from attnsim import cli
from attnsim.cli.command import Window
from attnsim.files.state import State


@dataclass
class FakeWindow:
    """A window that only notes what was asked of it."""

    reason: str = ""
    broken: str = ""
    opened: list[Path | None] = field(default_factory=list)
    states: list[State | None] = field(default_factory=list)

    def open(self, path: Path | None, state: State | None) -> int:
        self.opened.append(path)
        self.states.append(state)
        return 0

    def face(self) -> Window:
        return Window(
            missing=lambda: self.reason,
            open=self.open,
            measure=lambda: {"frame_cpu_ms": 1.5, "other": 2.0},
            measure_labs=lambda: {"walk": {"open_ms": 1.5, "frame_cpu_ms": None}},
            self_test=self.self_test,
        )

    def self_test(self, _opened: Path | None) -> Iterator[tuple[str, str]]:
        if self.broken:
            raise ValueError(self.broken)
        yield "lab walk", "524 colours"


@dataclass
class Outcome:
    code: int
    out: str
    error: str

    @property
    def json(self) -> Any:
        def refuse(name: str) -> None:
            raise AssertionError(f"{name} is no JSON")

        return json.loads(self.out, parse_constant=refuse)


@pytest.fixture
def window() -> FakeWindow:
    return FakeWindow()


@pytest.fixture
def attnsim(capsys: pytest.CaptureFixture[str], window: FakeWindow) -> Callable[..., Outcome]:
    """Run a command: its words and its exit code."""

    def run(*words: object) -> Outcome:
        try:
            code = cli.main([str(word) for word in words], window.face())
        except SystemExit as end:  # --help and --version
            code = int(end.code or 0)
        printed = capsys.readouterr()
        return Outcome(code, printed.out, printed.err)

    return run


@pytest.fixture
def head(tmp_path: Path) -> Path:
    """A file with real queries and keys: two heads, five queries, seven keys, eight components."""
    random = np.random.default_rng(5)
    path = tmp_path / "head.npz"
    np.savez(path, q=random.normal(size=(2, 5, 8)), k=random.normal(size=(2, 7, 8)))
    return path
