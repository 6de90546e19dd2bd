"""Whether there is a display, asked without Qt."""

import socket

import pytest

from attnsim.cli.display import answers, missing_display


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_macos_and_windows_always_have_a_display(platform):
    assert missing_display({}, platform) == ""


@pytest.mark.parametrize("name", ["QT_QPA_PLATFORM", "WAYLAND_DISPLAY"])
def test_a_platform_chosen_for_qt_is_taken_as_it_is(name):
    assert missing_display({name: "x"}, "linux") == ""


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
