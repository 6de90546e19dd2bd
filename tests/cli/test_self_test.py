"""`attnsim self-test`."""

import importlib

import pytest

from attnsim.cli import self_checks, self_imports, versions
from attnsim.files.writers import WRITERS
from attnsim.labs import LABS
from attnsim.version import __version__


@pytest.fixture
def quick(monkeypatch):
    """Leave out what takes a process of its own or draws pages; each is looked at by itself."""

    def look(_folder):
        return {"one": lambda: "fine", "two": lambda: ("with a number", {"count": 2})}

    monkeypatch.setattr(self_checks, "_looks", look)


def test_a_whole_installation_ends_with_ok_and_the_versions(attnsim, quick):
    outcome = attnsim("self-test")
    lines = outcome.out.splitlines()
    assert outcome.code == 0
    assert [line.split()[:2] for line in lines[:3]] == [["ok", "one"], ["ok", "two"], ["ok", "lab"]]
    assert lines[-1].startswith(f"OK: attnsim {__version__}")


def test_json_names_every_check(attnsim, quick):
    record = attnsim("self-test", "--json").json
    assert record["ok"] is True
    assert record["version"] == __version__
    assert set(record["versions"]) == {"Python", *versions.PARTS}
    assert [check["name"] for check in record["checks"]] == ["one", "two", "lab walk"]
    assert record["checks"][1]["count"] == 2


def test_what_is_wrong_is_named_and_hides_nothing(attnsim, monkeypatch):
    def broken():
        raise OSError(2, "No such file or directory", "Inter.otf")

    monkeypatch.setattr(self_checks, "_looks", lambda _folder: {"fonts": broken, "theory": lambda: "fine"})
    outcome = attnsim("self-test")
    assert outcome.code == 1
    assert outcome.out.splitlines()[0].startswith("WRONG  fonts")
    assert "Inter.otf" in outcome.out
    assert "ok     theory" in outcome.out
    assert outcome.out.splitlines()[-1] == "Something is wrong with: fonts"


def test_a_window_that_cannot_open_is_a_finding(attnsim, quick, window):
    window.broken = "libEGL.so.1 is missing"
    outcome = attnsim("self-test", "--json")
    assert outcome.code == 1
    assert outcome.json["checks"][-1] | {"seconds": 0} == {
        "name": "window", "ok": False, "detail": "ValueError: libEGL.so.1 is missing", "seconds": 0,
    }  # fmt: skip


def test_every_lab_and_every_format_is_looked_at(tmp_path):
    looks = self_checks._looks(tmp_path)
    assert {f"figures {lab}" for lab in LABS} | {f"export {ending}" for ending in WRITERS} <= set(looks)


def test_the_checks_of_this_process_find_it_whole(tmp_path):
    looks = self_checks._looks(tmp_path)
    for name in ("libraries", "resources", "catalogues", "theory", "vectors", "session", "export .svg"):
        check = self_checks._tried(name, looks[name])
        assert check.ok, check.detail


@pytest.mark.slow
def test_a_new_process_finds_all_loops_on_disk(tmp_path):
    looks = self_checks._looks(tmp_path)
    for name in ("loops", "loops again"):
        check = self_checks._tried(name, looks[name])
        assert check.ok, check.detail


def test_imports_inside_functions_are_tried_too():
    found = {one for code in self_imports._code("attnsim.theory.walk_distances") for one in self_imports._imports(code)}
    assert ("scipy.integrate", ("quad",)) in found


@pytest.mark.slow
def test_everything_the_program_may_import_is_there():
    count, failed = self_imports.missing()
    assert count > 100
    assert failed == []


def test_a_library_that_was_left_out_is_named(monkeypatch):
    real = importlib.import_module

    def trimmed(name, *more):
        if name == "scipy.integrate":
            raise ModuleNotFoundError("No module named 'scipy.integrate'", name=name)
        return real(name, *more)

    monkeypatch.setattr(self_imports.importlib, "import_module", trimmed)
    monkeypatch.setattr(self_imports, "_modules", lambda: iter(["attnsim.theory.walk_distances"]))
    assert self_imports.missing()[1] == ["scipy.integrate: No module named 'scipy.integrate'"]


def test_the_version_names_what_the_program_stands_on(attnsim):
    words = attnsim("--version").out
    assert words.startswith(f"attnsim {__version__}")
    assert all(f"{name} " in words for name in versions.SHORT)


def test_the_commit_of_a_build_is_read_from_the_package(monkeypatch, tmp_path):
    monkeypatch.setattr(versions, "PACKAGE", tmp_path)
    assert versions.commit() == ""
    (tmp_path / "commit.txt").write_text("0123456789ab\n")
    assert versions.commit() == "0123456789ab"
