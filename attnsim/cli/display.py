"""Whether a window could appear: asked without Qt, which ends the process when there is no screen."""

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
    if platform in ("darwin", "win32", "cygwin") or environment.get("QT_QPA_PLATFORM"):
        return ""
    if environment.get("WAYLAND_DISPLAY"):
        return ""
    name = environment.get("DISPLAY", "")
    if not name:
        return _("A window needs a display, and there is none here.")
    return "" if answers(name) else _("A window needs a display, and {name} does not answer.").format(name=name)


def answers(display: str) -> bool:
    """Return whether something listens behind an X display's name, such as `:0` or `host:10.0`."""
    found = re.fullmatch(r"(?:unix)?(?P<host>.*):(?P<number>\d+)(?:\.\d+)?", display)
    if found is None or "/" in display:
        return True  # not a name that is understood here: let Qt try
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
