"""Whether there is a display, asked without Qt."""

import socket

import pytest

from attnsim.cli.display import answers, missing_display


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_macos_and_windows_always_have_a_display(platform):
    assert missing_display({}, platform) == ""


def test_a_screen_of_qt_s_own_needs_no_display():
    assert missing_display({"QT_QPA_PLATFORM": "offscreen:configfile=x"}, "linux") == ""


@pytest.mark.parametrize("name", ["wayland-9", "/nowhere/wayland-0"])
def test_a_wayland_socket_that_nobody_serves_is_none(name, tmp_path):
    sentence = missing_display({"WAYLAND_DISPLAY": name, "XDG_RUNTIME_DIR": str(tmp_path)}, "linux")
    assert sentence == f"A window needs a display, and {name} does not answer."


def test_a_wayland_socket_that_is_served_is_a_display(tmp_path):
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "wayland-3"))
        server.listen()
        assert missing_display({"WAYLAND_DISPLAY": "wayland-3", "XDG_RUNTIME_DIR": str(tmp_path)}, "linux") == ""


@pytest.mark.parametrize("name", ["garbage", ":x", "host"])
def test_a_display_without_a_number_is_none(name):
    assert missing_display({"DISPLAY": name}, "linux") == f"A window needs a display, and {name} does not answer."


def test_no_variable_is_no_display():
    assert missing_display({}, "linux") == "A window needs a display, and there is none here."


def test_a_display_that_nobody_serves_is_none():
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    sentence = missing_display({"DISPLAY": f"localhost:{port - 6000}"}, "linux")
    assert sentence == f"A window needs a display, and localhost:{port - 6000} does not answer."


def test_a_display_that_is_served_answers():
    with socket.socket() as server:
        server.bind(("localhost", 0))
        server.listen()
        assert answers(f"localhost:{server.getsockname()[1] - 6000}.0")


def test_a_name_of_another_kind_is_left_to_qt():
    assert answers("/private/tmp/launch.x/org.xquartz:0")
