"""A virtual screen with a window manager, and hands that use the window on it."""

import os
import subprocess
import time
from pathlib import Path

from environment import TroubleError
from tools import need, run

PROGRAMS = (("Xvfb", "xvfb"), ("openbox", "openbox"), ("xdotool", "xdotool"), ("import", "imagemagick"))
PATIENCE = 120.0  # seconds for a machine that does other things too
FEW_COLOURS = 200


class Screen:
    """Opened and closed with `with`."""

    def __enter__(self):
        need(*PROGRAMS)
        reading, writing = os.pipe()
        # a number of the server's own choice: a fixed one may be taken
        self._server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1600x1000x24", "-nolisten", "tcp", "-ac"],
            pass_fds=[writing],
            stderr=subprocess.DEVNULL,
        )
        os.close(writing)
        with os.fdopen(reading) as answer:
            self.name = f":{answer.readline().strip()}"
        self._environment = {**os.environ, "DISPLAY": self.name}
        self._manager = subprocess.Popen(["openbox"], env=self._environment, stderr=subprocess.DEVNULL)
        return self

    def __exit__(self, *_error):
        for process in (self._manager, self._server):
            process.terminate()
            process.wait(timeout=20)

    def tool(self, *arguments):
        """Let xdotool do something; return what it printed."""
        return run(["xdotool", *arguments], env=self._environment)

    def window(self, name, process, known=()):
        """Return the number of the window with this title, and none of those already known, once it is there."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            look = ["xdotool", "search", "--onlyvisible", "--name", name]
            found = subprocess.run(look, env=self._environment, capture_output=True, text=True, check=False)
            if new := [number for number in found.stdout.split() if number not in known]:
                time.sleep(1.0)  # the window manager still moves it
                return new[0]
            if process.poll() is not None:
                raise TroubleError(f"the program ended before its window came: {process.communicate()[1][-600:]}")
            time.sleep(0.1)
        raise TroubleError(f"no window named {name} came.")

    def pixels(self, window):
        """Return the picture of a window as bytes."""
        command = ["import", "-silent", "-window", window, "rgb:-"]
        return subprocess.run(command, env=self._environment, capture_output=True, check=True).stdout

    def save(self, window, path):
        """Write the picture of a window."""
        run(["import", "-silent", "-window", window, path], env=self._environment)

    def settled(self, window):
        """Wait until the picture stays as it is, and return it."""
        before, alike = self.pixels(window), 0
        end = time.monotonic() + PATIENCE
        while alike < 4:
            if time.monotonic() > end:
                raise TroubleError("the picture does not come to rest.")
            time.sleep(0.4)
            now = self.pixels(window)
            alike, before = (alike + 1 if now == before else 0), now
        return before

    def changed(self, window, before, what):
        """Wait until the picture is another one."""
        end = time.monotonic() + PATIENCE
        while self.pixels(window) == before:
            if time.monotonic() > end:
                raise TroubleError(f"the picture did not change by {what}.")
            time.sleep(0.1)

    def drag(self, window, start, end, height):
        """Drag from one place to another in a window."""
        self.tool("mousemove", "--window", window, start, height, "mousedown", 1)
        for x in range(start, end, 5):
            self.tool("mousemove", "--window", window, x, height)
        self.tool("mouseup", 1)


def colours(picture):
    """Return how many colours the bytes of a picture have."""
    return len({picture[i : i + 3] for i in range(0, len(picture) - 2, 3 * 7)})


def is_picture(path):
    """Return whether a file is a whole PNG."""
    content = Path(path).read_bytes()
    return content.startswith(b"\x89PNG\r\n\x1a\n") and content.rstrip().endswith(b"IEND\xaeB`\x82")
