import pytest

from attnsim.gui import guard


@pytest.mark.parametrize("qt", [(6, 12, 0), (6, 12, 1), (6, 13, 0)])
def test_python_3_11_with_qt_6_12_is_refused_by_both_versions(qt):
    with pytest.raises(guard.CannotStart, match=rf"PySide6 {qt[0]}\.{qt[1]}.* Python 3\.11"):
        guard.check_pair((3, 11, 7), qt)


@pytest.mark.parametrize("qt", [(6, 9, 1), (6, 9, 2)])
def test_releases_that_draw_nothing_are_refused_on_every_python(qt):
    with pytest.raises(guard.CannotStart, match="cannot draw"):
        guard.check_pair((3, 13, 0), qt)


@pytest.mark.parametrize(
    ("python", "qt"),
    [((3, 11, 7), (6, 11, 3)), ((3, 11, 2), (6, 8, 3)), ((3, 12, 1), (6, 12, 0)), ((3, 13, 0), (6, 9, 3))],
)
def test_pairs_that_were_seen_to_work_pass(python, qt):
    guard.check_pair(python, qt)


@pytest.mark.parametrize(
    ("message", "library", "package"),
    [
        ("libEGL.so.1: cannot open shared object file: No such file or directory", "libEGL.so.1", "libegl1"),
        ("libGL.so.1: cannot open shared object file", "libGL.so.1", "libgl1"),
        ("libxkbcommon.so.0: cannot open shared object file", "libxkbcommon.so.0", "libxkbcommon0"),
    ],
)
def test_a_missing_library_is_named_with_its_package(message, library, package):
    said = str(guard.missing_library(message))
    assert library in said
    assert said.endswith(f"sudo apt-get install {package}")


def test_an_import_error_without_a_library_is_passed_on():
    assert "no such symbol" in str(guard.missing_library("no such symbol"))


def test_x11_without_its_cursor_library_is_refused_before_qt_aborts():
    with pytest.raises(guard.CannotStart, match=r"apt-get install libxcb-cursor0$"):
        guard.check_x11({"DISPLAY": ":0"}, lambda name: name != "libxcb-cursor.so.0")


@pytest.mark.parametrize(
    "environment",
    [{}, {"QT_QPA_PLATFORM": "offscreen", "DISPLAY": ":0"}, {"WAYLAND_DISPLAY": "w", "DISPLAY": ":0"}],
)
def test_other_screens_need_no_x11_libraries(environment):
    guard.check_x11(environment, lambda name: False)


def test_without_a_screen_the_commands_are_pointed_at(monkeypatch):
    monkeypatch.setattr("sys.platform", "linux")
    with pytest.raises(guard.CannotStart, match="attnsim --help"):
        guard.check({})


def test_this_machine_passes():
    guard.check({"QT_QPA_PLATFORM": "offscreen"})


@pytest.mark.parametrize("wanted", ["", "offscreen", "offscreen:configfile=x", "nonsense;offscreen"])
def test_a_screen_that_qt_has_is_accepted(wanted):
    guard.check_platform(wanted)


def test_a_screen_that_qt_lacks_is_refused_with_those_it_has():
    with pytest.raises(guard.CannotStart, match=r"QT_QPA_PLATFORM must be one of .*offscreen.*, not 'nonsense'"):
        guard.check_platform("nonsense")
