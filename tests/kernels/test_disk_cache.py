"""Compiled loops on disk: nothing that lies there, or cannot lie there, stops the program."""

import errno
from pathlib import Path

import numba
import pytest
from numba.core.registry import cpu_target

from attnsim.kernels import disk_cache
from attnsim.kernels.disk_cache import Counts, DiskCache


def _double(x):
    return 2.0 * x


def fresh(folder: Path):
    """The loop as another process would make it, and how its one call was answered: from disk or by the compiler."""
    loop = numba.njit(_double)
    loop._cache = DiskCache(_double, folder)
    before = Counts.loaded, Counts.compiled
    assert loop(4.0) == 8.0
    return Counts.loaded - before[0], Counts.compiled - before[1]


FROM_DISK, COMPILED = (1, 0), (0, 1)


def test_what_was_compiled_once_comes_from_disk(tmp_path):
    assert fresh(tmp_path) == COMPILED
    assert fresh(tmp_path) == FROM_DISK
    assert [path.suffix for path in tmp_path.iterdir()] == [".nbc"]


@pytest.mark.parametrize("damage", ["empty", "half", "one bit", "noise"])
def test_a_damaged_file_is_compiled_anew_and_replaced(tmp_path, damage):
    fresh(tmp_path)
    (path,) = tmp_path.iterdir()
    whole = path.read_bytes()
    changed = bytearray(whole)
    changed[len(changed) // 2] ^= 1
    path.write_bytes(
        {"empty": b"", "half": whole[: len(whole) // 2], "one bit": changed, "noise": b"\x80" * 99}[damage]
    )
    assert fresh(tmp_path) == COMPILED
    assert fresh(tmp_path) == FROM_DISK


def test_a_full_disk_keeps_nothing_and_stops_nothing(tmp_path, monkeypatch):
    def full(path, _content):
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr(Path, "write_bytes", full)
    assert fresh(tmp_path) == COMPILED
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_vanished_stops_nothing(tmp_path):
    assert fresh(tmp_path / "gone") == COMPILED


def test_another_processor_has_files_of_its_own(tmp_path):
    cache = DiskCache(_double, tmp_path)
    names = {cache._name((numba.float64,), ("x86_64", cpu, features)) for cpu in ("a", "b") for features in ("", "+c")}
    assert len(names) == 4


def test_other_argument_types_have_files_of_their_own(tmp_path):
    cache = DiskCache(_double, tmp_path)
    types = (numba.float64, numba.float32, numba.float64[:], numba.float64[::1], numba.float64[:, ::1])
    assert len({cache._name((one,), ("x86_64", "a", "")) for one in types}) == len(types)


def test_the_installer_s_loops_stand_in_only_while_bridging(tmp_path, monkeypatch):
    shipped, own = tmp_path / "shipped", tmp_path / "own"
    for folder in (shipped, own):
        folder.mkdir()
    monkeypatch.setattr(disk_cache, "shipped_folder", lambda: shipped)
    fresh(own)
    (path,) = own.iterdir()
    cache = DiskCache(_double, own)
    processor = cpu_target.target_context.codegen().magic_tuple()
    generic = cache._name((numba.float64,), (processor[0], *disk_cache.ANY_PROCESSOR))
    path.rename(shipped / generic)
    monkeypatch.setattr(Counts, "bridging", True)
    bridged = Counts.bridged
    assert fresh(own) == (0, 0)
    assert Counts.bridged == bridged + 1
    monkeypatch.setattr(Counts, "bridging", False)
    assert fresh(own) == COMPILED
