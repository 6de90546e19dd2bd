"""The builders: what they refuse, what they hide of the build machine, and the list of parts."""

import json

import pytest

FOUND = [
    {"name": "attnsim", "version": "1", "licence": "Apache-2.0", "texts": {}, "page": ""},
    {"name": "numpy", "version": "2.5", "licence": "BSD-3-Clause", "texts": {"a/LICENSE": "numpy's"}, "page": ""},
    {"name": "PySide6_Essentials", "version": "6.12", "licence": "LGPL", "texts": {}, "page": ""},
]


def test_an_unknown_kind_is_refused_in_one_sentence(script, capsys, monkeypatch):
    build = script("build")
    monkeypatch.setattr("sys.argv", ["build.py", "dmg"])
    assert script("environment").run_script(build.build) == 2
    assert capsys.readouterr().err == "attnsim: build takes wheel, frozen, deb, run, rpm or all, not 'dmg'.\n"


@pytest.mark.parametrize("prefix", ["/srv/pythons/versions", "/opt/someone/pythons", "/opt/x", "/usr"])
def test_a_neutral_path_is_as_long_and_leads_to_usr(script, prefix):
    neutral = script("freeze").neutral(prefix)
    assert len(neutral) == len(prefix)
    assert set(neutral.removeprefix("/usr")) <= {"/", "."}
    assert neutral.startswith("/usr"[: len(prefix)])


def test_the_list_of_parts_is_cyclonedx_and_names_what_no_metadata_does(script, monkeypatch):
    notices = script("notices")
    monkeypatch.setattr(notices, "parts", lambda _python: FOUND)
    monkeypatch.setattr(notices, "run", lambda _command: "3.13.0\n")
    monkeypatch.setattr(notices, "epoch", lambda: 1_700_000_000)
    text = notices.sbom("python")
    found = json.loads(text)
    assert (found["bomFormat"], found["specVersion"]) == ("CycloneDX", "1.6")
    assert {"numpy", "CPython", "Qt", "LLVM", "OpenBLAS", "ICU"} <= {part["name"] for part in found["components"]}
    assert all(part["licenses"] for part in found["components"])
    references = [part["bom-ref"] for part in found["components"]]
    assert len(references) == len(set(references))
    assert text == notices.sbom("python")


def test_a_root_is_compared_without_what_every_system_changes_by_itself(script):
    expected = script("clean_root").EXPECTED
    for path in ("/var/lib/dpkg/status", "/var/cache/apt/pkgcache.bin", "/etc/passwd-", "/tmp/x", "/etc/ld.so.cache"):
        assert expected.fullmatch(path)
    for path in ("/opt/attnsim", "/usr/bin/attnsim", "/etc/attnsim", "/home/student/.cache", "/var/lib/attnsim"):
        assert not expected.fullmatch(path)


def test_a_picture_cut_short_is_no_picture(script, tmp_path):
    screen = script("screen")
    whole = b"\x89PNG\r\n\x1a\n" + b"x" * 40 + b"\x00\x00\x00\x00IEND\xaeB`\x82"
    (tmp_path / "whole.png").write_bytes(whole)
    (tmp_path / "cut.png").write_bytes(whole[:-4])
    assert screen.is_picture(tmp_path / "whole.png")
    assert not screen.is_picture(tmp_path / "cut.png")


def test_the_session_of_the_smoke_test_is_one_that_the_program_opens_whole(script):
    from attnsim.files.state import from_json

    state, said = from_json(script("smoke_debian").SESSION)
    assert not said
    assert (state.lab, state.scenario.dim, state.title) == ("which_d", 64, "A class")
