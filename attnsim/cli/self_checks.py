"""What `attnsim self-test` looks at: every lab, every format, every catalogue, whatever the registries hold."""

import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from attnsim import words
from attnsim.cli.command import Window
from attnsim.cli.versions import frozen, versions
from attnsim.words import _

# an exact mean to compare with: E of the largest of 64 weights for scores of spread 4, known to 8 digits
KNOWN_KEYS, KNOWN_SPREAD, KNOWN_LARGEST = 64, 4.0, 0.59358629
CHILD_SECONDS = 300.0
SEED = 3
COARSE = 60.0  # dots per inch: whether figures can be drawn is seen in small pictures too


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at.

    Attributes
    ----------
    name : str
    ok : bool
    detail : str
        What was found, or what is wrong, in one sentence.
    seconds : float
    numbers : mapping
        What a program may want to read.
    """

    name: str
    ok: bool
    detail: str
    seconds: float
    numbers: Mapping[str, Any] = field(default_factory=dict)


Found = str | tuple[str, dict[str, Any]]


def checks(window: Window) -> Iterator[tuple[str, Check]]:
    """Look at everything, one thing after the other; what is wrong with one does not hide the others.

    Parameters
    ----------
    window : Window
        The other face, which looks at Qt.

    Yields
    ------
    tuple of (str, Check)
    """
    with tempfile.TemporaryDirectory(prefix="attnsim-") as name:
        folder = Path(name)
        for key, look in _looks(folder).items():
            yield key, _tried(key, look)
        yield from _window(window, _vectors_file(folder))


def _looks(folder: Path) -> dict[str, Callable[[], Found]]:
    from attnsim.files.writers import WRITERS
    from attnsim.labs import LABS

    looks: dict[str, Callable[[], Found]] = {
        "libraries": _libraries,
        "imports": _imports,
        "resources": _resources,
        "catalogues": _catalogues,
        "theory": _theory,
        "loops": _loops,
        "loops again": _loops_again,
    }
    looks |= {f"figures {lab}": partial(_figures, lab, folder) for lab in LABS}
    looks |= {f"export {ending}": partial(_export, ending, folder) for ending in WRITERS}
    return looks | {"vectors": lambda: _vectors(folder), "session": lambda: _session(folder)}


def _tried(name: str, look: Callable[[], Found]) -> Check:
    begun = time.perf_counter()
    try:
        found = look()
        ok = True
    except Exception as error:  # whatever is wrong belongs into the report, and the next thing is looked at
        found, ok = " ".join(f"{type(error).__name__}: {error}".split()), False
    detail, numbers = found if isinstance(found, tuple) else (found, {})
    return Check(name, ok, detail, time.perf_counter() - begun, numbers)


def _window(window: Window, opened: Path | None) -> Iterator[tuple[str, Check]]:
    """Take what the other face finds, until it ends or fails."""
    steps = window.self_test(opened)
    name = "window"
    while True:
        begun = time.perf_counter()
        try:
            name, detail = next(steps)
        except StopIteration:
            return
        except Exception as error:  # as above
            words_ = " ".join(f"{type(error).__name__}: {error}".split())
            yield "window", Check("window", False, words_, time.perf_counter() - begun)
            return
        yield name, Check(name, True, detail, time.perf_counter() - begun)


def _libraries() -> Found:
    found = versions()
    if gone := [name for name, version in found.items() if version == "?"]:
        raise ValueError(_("not installed: {names}").format(names=", ".join(gone)))
    return ", ".join(f"{name} {version}" for name, version in found.items()), {"versions": found}


def _imports() -> Found:
    from attnsim.cli.self_imports import missing

    count, failed = missing()
    if failed:
        raise ValueError("; ".join(failed))
    return _("{count} imports").format(count=count), {"count": count}


def _resources() -> Found:
    from attnsim.files.resources import folder, resource

    files = [path for path in folder().rglob("*") if path.is_file()]
    for name in ("fonts", "icons/attnsim.svg"):
        resource(name)
    if empty := [path.name for path in files if not path.read_bytes()]:
        raise ValueError(_("empty: {names}").format(names=", ".join(empty)))
    return _("{count} files").format(count=len(files))


def _catalogues() -> Found:
    from attnsim.files.resources import folder

    place = folder() / "locale"
    languages = sorted(path.parents[1].name for path in place.glob("*/LC_MESSAGES/*.mo"))
    try:
        for language in languages:
            if words.install(place, language) != language:
                raise ValueError(_("the catalogue of {language} cannot be read").format(language=language))
    finally:
        words.install(place)
    return ", ".join(["en", *languages])


def _theory() -> Found:
    from attnsim.theory.softmax_expectations import expectations

    found = float(expectations(keys=KNOWN_KEYS, score_sd=KNOWN_SPREAD).largest_weight)
    if not math.isclose(found, KNOWN_LARGEST, abs_tol=1e-7):
        raise ValueError(
            _("the mean of the largest weight is {found}, not {known}").format(found=found, known=KNOWN_LARGEST)
        )
    return f"{found:.8f}"


def _loops() -> Found:
    from attnsim.experiments.preparation import compile_all, kernel_counts

    compile_all()
    counts = kernel_counts()
    return _("{loaded} loops from disk, {compiled} compiled").format(**counts), counts


def _loops_again() -> Found:
    """Let a new process, in another folder, say whether it finds all loops on disk."""
    from attnsim.experiments.preparation import keeps_loops

    if not keeps_loops():
        return _("nothing can be kept on disk here, so that every start compiles anew"), {"kept": False}
    start = [sys.executable] if frozen() else [sys.executable, "-m", "attnsim"]
    done = subprocess.run(
        [*start, "self-test", "--loops"],
        cwd=tempfile.gettempdir(),
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=CHILD_SECONDS,
        check=False,
    )
    if done.returncode:
        raise ValueError(done.stderr.strip()[-200:])
    counts = json.loads(done.stdout)
    if counts["compiled"] or not counts["loaded"]:
        raise ValueError(_("{loaded} loops from disk, {compiled} compiled").format(**counts))
    return _("{loaded} loops from disk, {compiled} compiled").format(**counts), {"kept": True, **counts}


def _figures(lab: str, folder: Path) -> Found:
    from attnsim import api
    from attnsim.experiments import EXPERIMENTS
    from attnsim.labs import LABS
    from attnsim.scenario import Scenario

    *_earlier, result = EXPERIMENTS[LABS[lab].experiment](Scenario(seed=SEED), None)
    path = api.save(result, folder / f"{lab}.png", figures=LABS[lab].figures, dpi=COARSE)
    return _("{count} figures, {size} kB").format(count=len(LABS[lab].figures), size=path.stat().st_size // 1000)


def _export(ending: str, folder: Path) -> Found:
    from attnsim import api
    from attnsim.files.animation import animate
    from attnsim.files.writers import WRITERS
    from attnsim.scenario import Scenario

    known = WRITERS[ending]
    if reason := known.missing():
        return _("not tried: {reason}").format(reason=reason)
    result, path = api.run(Scenario(dim=16, keys=8, rows=40, seed=SEED)), folder / f"figure{ending}"
    if known.kind == "film":
        animate(result, path, size="320x240", fps=5.0, seconds=0.4)
    else:
        api.save(result, path)
    size = path.stat().st_size
    if not size:
        raise ValueError(_("{name} is empty").format(name=path.name))
    return _("{size} bytes").format(size=size), {"bytes": size}


def _vectors_file(folder: Path) -> Path:
    """Return a file with queries and keys, as a user would open it."""
    import numpy as np

    path = folder / "vectors.npz"
    if not path.exists():
        draw = np.random.default_rng(SEED)
        np.savez(path, q=draw.standard_normal((6, 16)), k=draw.standard_normal((6, 16)))
    return path


def _vectors(folder: Path) -> Found:
    from attnsim import api
    from attnsim.scenario import Scenario

    result = api.run(Scenario(), api.load_vectors(_vectors_file(folder)))
    return _("{keys} keys, {dim} components").format(keys=result.row.keys, dim=result.row.dim)


def _session(folder: Path) -> Found:
    """Write a session of each lab and read it again, and read every preset and lesson."""
    from attnsim.files.presets import all_presets
    from attnsim.files.session import read, write
    from attnsim.files.state import State
    from attnsim.labs import LABS

    for lab in LABS:
        wanted = State(lab=lab)
        state, said = read(write(folder / lab, wanted))
        if said or state != wanted:
            raise ValueError(_("a session of the lab {lab} reads back as another one").format(lab=lab))
    presets, said = all_presets()
    if said:
        raise ValueError(said[0])
    return _("{sessions} sessions, {presets} presets").format(sessions=len(LABS), presets=len(presets))
