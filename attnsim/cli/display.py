"""Whether a window could appear: asked without Qt, which ends the process when there is no screen."""

import os
import re
import socket
import sys
from collections.abc import Mapping

from attnsim.words import _

SECONDS = 2.0


def missing_display(environment: Mapping[str, str], platform: str = sys.platform) -> str:
    """Return why there is no display, in one sentence; empty if there is one.

    Parameters
    ----------
    environment : mapping
        As `os.environ`.
    platform : str
        As `sys.platform`: macOS and Windows always have a display.
    """
    if platform in ("darwin", "win32", "cygwin"):
        return ""
    chosen = environment.get("QT_QPA_PLATFORM", "").partition(":")[0].partition(";")[0]
    if chosen and chosen not in ("xcb", "wayland", "wayland-egl"):
        return ""  # a screen of Qt's own, such as offscreen; that there is one of this name is asked later
    wayland, name = environment.get("WAYLAND_DISPLAY", ""), environment.get("DISPLAY", "")
    if wayland and chosen != "xcb" and _connects(_wayland_socket(wayland, environment)):
        return ""
    if name and not chosen.startswith("wayland"):
        return "" if answers(name) else _("A window needs a display, and {name} does not answer.").format(name=name)
    if wayland:
        return _("A window needs a display, and {name} does not answer.").format(name=wayland)
    return _("A window needs a display, and there is none here.")


def _wayland_socket(name: str, environment: Mapping[str, str]) -> str:
    return os.path.join(environment.get("XDG_RUNTIME_DIR", ""), name)  # an absolute name stands for itself


def answers(display: str) -> bool:
    """Return whether something listens behind an X display's name, such as `:0` or `host:10.0`."""
    found = re.fullmatch(r"(?:unix)?(?P<host>.*):(?P<number>\d+)(?:\.\d+)?", display)
    if "/" in display:
        return True  # a socket of its own, as on macOS: let Qt try
    if found is None:
        return False
    number = int(found["number"])
    if found["host"]:
        return _connects((found["host"], 6000 + number))
    file = f"/tmp/.X11-unix/X{number}"
    return any(_connects(place) for place in ("\0" + file, file, ("localhost", 6000 + number)))


def _connects(address: str | tuple[str, int]) -> bool:
    try:
        if isinstance(address, tuple):
            socket.create_connection(address, timeout=SECONDS).close()
            return True
        with socket.socket(socket.AF_UNIX) as one:
            one.settimeout(SECONDS)
            one.connect(address)
    except OSError:
        return False
    return True
