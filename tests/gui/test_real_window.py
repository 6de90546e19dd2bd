"""A window on a real X server, driven with mouse and keyboard from outside."""

import os
import shutil
import subprocess
import sys
import time

import numpy as np
import pytest

TOOLS = ("Xvfb", "openbox", "xdotool")
missing = [tool for tool in TOOLS if shutil.which(tool) is None]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(missing), reason=f"not installed here: {', '.join(missing)}"),
]

# what Qt and Mesa say on a server without a desktop, and which harms nothing
NOISE = ("libEGL", "MESA", "qt.qpa", "XDG_RUNTIME_DIR", "QStandardPaths", "propagateSizeHints", "dbus", "DBus")


@pytest.fixture
def display():
    """A server of our own with a window manager."""
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1600x1000x24", "-nolisten", "tcp"],
        pass_fds=[writing],
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    with os.fdopen(reading) as answer:  # number and line end come in two pieces
        number = answer.readline().strip()
    name = f":{number}"
    manager = subprocess.Popen(["openbox"], env=os.environ | {"DISPLAY": name}, stderr=subprocess.DEVNULL)
    yield name
    for process in (manager, server):
        process.terminate()
        process.wait(timeout=20)


@pytest.fixture
def drive(display, tmp_path):
    """Return what starts the program; one that still runs when a test fails is ended."""
    drivers = []

    def start(*arguments):
        drivers.append(Driver(display, tmp_path, *arguments))
        return drivers[-1]

    yield start
    for driver in drivers:
        if driver.program.poll() is None:
            driver.program.kill()
            driver.program.communicate(timeout=60)


class Driver:
    """Starts the program and drives it with xdotool."""

    def __init__(self, display, folder, *arguments):
        self.environment = os.environ | {
            "DISPLAY": display,
            "XDG_CONFIG_HOME": str(folder / "settings"),
            "XDG_RUNTIME_DIR": str(folder),
            "QT_QPA_PLATFORM": "xcb",
        }
        self.environment.pop("WAYLAND_DISPLAY", None)
        self.program = subprocess.Popen(
            [sys.executable, "-m", "attnsim", *arguments],
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.window = self.find()

    def find(self):
        """Return the window's number once it is on screen; a look at the wrong moment fails and is repeated."""
        end = time.monotonic() + 90.0
        while time.monotonic() < end:
            look = ["xdotool", "search", "--onlyvisible", "--name", "^attnsim$"]
            found = subprocess.run(look, env=self.environment, capture_output=True, text=True, timeout=60, check=False)
            if found.stdout.split():
                time.sleep(1.0)  # the window manager still moves it
                return found.stdout.split()[0]
            assert self.program.poll() is None, self.program.communicate()[1]
            time.sleep(0.2)
        raise AssertionError("no window came")

    def tool(self, *arguments):
        done = subprocess.run(
            ["xdotool", *arguments], env=self.environment, capture_output=True, text=True, timeout=120, check=True
        )
        return done.stdout

    def pixels(self):
        """Return the picture of the window as bytes, so that two moments can be compared."""
        if shutil.which("import") is None:
            return None
        return subprocess.run(
            ["import", "-silent", "-window", self.window, "rgb:-"],
            env=self.environment,
            capture_output=True,
            timeout=60,
            check=True,
        ).stdout

    def wait_for_change(self, before, seconds=90.0):
        """Wait until the picture is another one."""
        end = time.monotonic() + seconds
        while before is not None and time.monotonic() < end:
            if self.pixels() != before:
                return
            time.sleep(0.2)
        assert before is None, "the picture did not change"

    def end(self):
        """Close the window by its shortcut and return exit code and what was said on stderr."""
        self.tool("windowfocus", "--sync", self.window)
        self.tool("key", "ctrl+q")
        _out, said = self.program.communicate(timeout=120)
        lines = [line for line in said.splitlines() if line.strip() and not any(word in line for word in NOISE)]
        return self.program.returncode, lines


def wait_for_first_picture(driver):
    """Wait until two looks a while apart are alike: the first draw is there and complete."""
    before, alike = driver.pixels(), 0
    end = time.monotonic() + 200.0
    time.sleep(4.0)
    while alike < 4 and time.monotonic() < end:
        time.sleep(0.5)
        now = driver.pixels()
        alike = alike + 1 if now == before else 0
        before = now


def test_playing_dragging_hovering_and_quitting_work_on_a_real_screen(drive):
    driver = drive()
    wait_for_first_picture(driver)
    driver.tool("windowfocus", "--sync", driver.window)
    still = driver.pixels()
    driver.tool("key", "space")
    driver.wait_for_change(still)
    driver.tool("key", "space")
    driver.tool("key", "End")
    before = driver.pixels()
    driver.tool("mousemove", "--window", driver.window, "138", "129", "mousedown", "1")
    for x in range(140, 190, 5):
        driver.tool("mousemove", "--window", driver.window, str(x), "129")
    driver.tool("mouseup", "1")
    driver.wait_for_change(before)
    before = driver.pixels()
    driver.tool("mousemove", "--window", driver.window, "500", "420")
    driver.tool("mousemove", "--window", driver.window, "505", "421")
    driver.wait_for_change(before)
    driver.tool("key", "d")
    assert driver.end() == (0, [])


def test_a_file_by_argument_opens_and_a_close_in_the_middle_of_a_run_ends_well(drive, tmp_path):
    draw = np.random.default_rng(1)
    path = tmp_path / "heads.npz"
    np.savez(path, q=draw.normal(size=(2, 40, 16)), k=draw.normal(size=(2, 40, 16)))
    driver = drive("open", str(path))
    driver.tool("windowfocus", "--sync", driver.window)
    driver.tool("key", "r")
    assert driver.end() == (0, [])
