"""The Debian package and the portable installer in a clean Debian system, used by an ordinary user."""

import configparser
import json
import shlex
import time

from clean_root import HOME, USER, Root
from environment import TroubleError
from screen import FEW_COLOURS, PATIENCE, Screen, colours, is_picture
from smoke_wheel import say_record
from tools import BUILD, DIST, version

FOLDERS = {"deb": "/opt/attnsim", "run": f"{HOME}/.local/opt/attnsim"}
PROGRAMS = {"deb": "/usr/bin/attnsim", "run": f"{HOME}/.local/bin/attnsim"}
DATA = {"deb": "/usr/share", "run": f"{HOME}/.local/share"}
SMALL = ("simulate", "--dim", "8", "--keys", "4", "--rows", "20", "--json")
FIRST_SECONDS, LATER_SECONDS = 3.0, 1.0  # what the first picture may take


class Steps:
    """Prints each step with its time."""

    def __init__(self, name):
        self._name = name

    def __call__(self, step, look, *given):
        """Do a step; return what it returned."""
        begun = time.monotonic()
        found = look(*given)
        words = found if isinstance(found, str) else ""
        print(f"{self._name}: {step}{': ' + words if words else ''}, {time.monotonic() - begun:.1f} s", flush=True)
        return found


def smoke(kind, suite):
    """Install, use and take away; raise TroubleError at the first thing that is wrong."""
    step = Steps(f"{kind} {suite}")
    with Root(suite) as root, Screen() as screen:
        root.mount("/tmp/.X11-unix", "tmp/.X11-unix", "--bind")
        before = root.files()
        if kind == "deb":
            step("install", _install_deb, root)
        else:
            step("install, and what is missing is named", _install_run, root)
        step("version", lambda: root.user(PROGRAMS[kind], "--version")[0].strip())
        step("first picture, cold and warm", _first_pictures, root, kind, screen)
        step("self-test", _self_test, root, kind, HOME, False)
        step("self-test again, from another folder", _self_test, root, kind, "/", True)
        step("bad days", _bad_days, root, kind)
        step("window", _use_window, root, kind, screen, suite)
        step("file by double click", _double_click, root, kind, screen, suite)
        step("remove", _remove, root, kind)
        # a package owns all but the homes; the portable one lives in the home, and can write nowhere else
        left = [path for path in sorted(root.files() - before) if path.startswith(f"{HOME}/") == (kind == "run")]
        left = [path for path in left if path not in USER_FILES and not path.startswith(SHARED)]
        if left:
            raise TroubleError(f"{len(left)} files are left, such as {', '.join(left[:8])}.")
        step("nothing is left", lambda: "")


# what the system's libraries keep for all programs alike: names of fonts, and the last folder of Qt's file dialog
SHARED = tuple(f"{HOME}/{place}" for place in (".cache/fontconfig", ".config/QtProject.conf"))
# what the user saved, and the folders of the above
USER_FILES = {f"{HOME}/{place}" for place in ("moment.png", "heads.npz", ".cache", ".config")}


def _install_deb(root):
    package = f"attnsim_{version()}_amd64.deb"
    (root.folder / "tmp" / package).write_bytes((DIST / package).read_bytes())
    root.root("apt-get", "install", "-q", "-y", "--no-install-recommends", f"/tmp/{package}")
    root.root("dpkg", "-V", "attnsim")
    count = root.root("dpkg-query", "-W", "-f", "${Package}\n").count("\n")
    return f"{(DIST / package).stat().st_size / 1e6:.1f} MB, {count} packages on the system"


def _install_run(root):
    """Install as the user; a system without Qt's libraries is told which, and nothing else is needed then."""
    name = f"attnsim-{version()}-x86_64.run"
    (root.folder / "tmp" / name).write_bytes((DIST / name).read_bytes())
    out, error = root.user("sh", f"/tmp/{name}", "--quiet", code=1)
    line = next((one for one in out.splitlines() if "apt-get install" in one), None)
    if line is None:
        raise TroubleError(f"the installer named no package: {(out + error)[-600:]}")
    said, why = root.user(PROGRAMS["run"], *SMALL, code=0)
    json.loads(said)  # numbers need no window
    _said, why = root.user(PROGRAMS["run"], "measure", QT_QPA_PLATFORM="offscreen", code=2)
    if "apt-get install" not in why:
        raise TroubleError(f"the program did not name what is missing: {why}")
    packages = line.partition("apt-get install ")[2].split()
    if "?" in packages:
        raise TroubleError(f"a library is in no known package: {out}")
    root.root("apt-get", "install", "-q", "-y", "--no-install-recommends", *packages)
    out, _error = root.user("sh", f"/tmp/{name}", "--quiet")  # again, over the first one
    return f"{(DIST / name).stat().st_size / 1e6:.1f} MB, asked for {len(packages)} packages"


def _self_test(root, kind, folder, again):
    out, _error = root.user(PROGRAMS[kind], "self-test", "--json", folder=folder)
    record = json.loads(out)
    say_record(record)
    loops = next(check for check in record["checks"] if check["name"] == "loops")
    if again and (loops["compiled"] or not loops["loaded"]):
        raise TroubleError(f"the second self-test compiled {loops['compiled']} loops.")
    return f"{len(record['checks'])} checks, {loops['compiled']} loops compiled"


def _first_pictures(root, kind, screen):
    """Time the first picture: on a machine that has compiled nothing, and when its own loops are there."""
    cold = _start(root, kind, screen)
    ready = root.folder / HOME.lstrip("/") / ".cache" / "attnsim"
    end = time.monotonic() + 4 * PATIENCE
    root.user(PROGRAMS[kind], "self-test", "--compile")
    while not list(ready.glob("kernels-*/*.ready")):
        if time.monotonic() > end:
            raise TroubleError("the loops were not compiled.")
        time.sleep(0.5)
    warm = min(_start(root, kind, screen) for _number in range(3))
    return f"{cold:.1f} s cold (at most {FIRST_SECONDS}), {warm:.2f} s warm (at most {LATER_SECONDS})"


def _start(root, kind, screen):
    settings = {"DISPLAY": screen.name, "QT_QPA_PLATFORM": "xcb", "ATTNSIM_STARTED": repr(time.time())}
    out, error = root.user(PROGRAMS[kind], "measure", **settings)
    line = next((one.split() for one in out.splitlines() if one.startswith("attnsim-start")), None)
    if line is None:
        raise TroubleError(f"the window did not start: {error[-400:]}")
    return float(line[2]) / 1e3


def _bad_days(root, kind):
    """A home that cannot be written to, files cut short, a full disk: the numbers are the same on all of them."""
    program = PROGRAMS[kind]
    good, _error = root.user(program, *SMALL)
    cache = root.folder / HOME.lstrip("/") / ".cache" / "attnsim"
    loops = list(cache.glob("kernels-*/*.nbc"))
    for number, path in enumerate(loops):
        path.write_bytes(path.read_bytes()[: (0, 20, 4000)[number % 3]])
    found = [root.user(program, *SMALL)[0], root.user(program, *SMALL, HOME="/nonexistent")[0]]
    with root.small_disk("/mnt/full", 64):
        found.append(root.user(program, *SMALL, XDG_CACHE_HOME="/mnt/full")[0])
    with root.small_disk("/mnt/nearly", 700):  # room for some loops, not for all
        found.append(root.user(program, *SMALL, XDG_CACHE_HOME="/mnt/nearly")[0])
    if any(one != good for one in found):
        raise TroubleError("the numbers changed with the state of the cache.")
    return f"{len(loops)} loops cut short, no home, two full disks"


SESSION = '{"attnsim": 1, "lab": "which_d", "scenario": {"dim": 64, "keys": 16}, "title": "A class"}'


def _open(root, kind, screen, *arguments):
    return root.start(
        *(arguments or (PROGRAMS[kind],)), DISPLAY=screen.name, QT_QPA_PLATFORM="xcb", XDG_RUNTIME_DIR="/tmp"
    )


def _use_window(root, kind, screen, suite):
    """Look at the window, drag the first slider, export what it shows, and quit."""
    process = _open(root, kind, screen)
    try:
        window = screen.window("^attnsim$", process)
        before = screen.settled(window)
        pictures = BUILD / "smoke"
        pictures.mkdir(exist_ok=True)
        screen.save(window, pictures / f"{kind}-{suite}.png")
        count = colours(before)
        if count < FEW_COLOURS:
            raise TroubleError(f"the window is blank: {count} colours.")
        screen.tool("windowfocus", "--sync", window)
        _drag_a_slider(screen, window, before)
        screen.settled(window)
        screen.tool("key", "ctrl+e")
        target = root.folder / HOME.lstrip("/") / "moment.png"
        dialog = screen.window("^Export$", process)
        screen.tool("windowfocus", "--sync", dialog)
        screen.tool("key", "Return")
        screen.tool("windowfocus", "--sync", screen.window("^Export$", process, known=(dialog,)))
        screen.tool("type", f"{HOME}/moment.png")
        screen.tool("key", "Return")
        _wait_for(target.exists, "the exported file")
        if not is_picture(target):
            raise TroubleError("the exported file is no picture.")
        size = target.stat().st_size
        screen.tool("windowfocus", "--sync", window)
        screen.tool("key", "ctrl+q")
        process.communicate(timeout=60)
    finally:
        if process.poll() is None:
            process.kill()
    if process.returncode:
        raise TroubleError(f"the window ended with {process.returncode}.")
    return f"{count} colours, exported {size // 1000} kB"


def _drag_a_slider(screen, window, before):
    for height in range(113, 220, 8):
        screen.drag(window, 138, 190, height)
        time.sleep(0.5)
        if screen.pixels(window) != before:
            return
    raise TroubleError("no slider moved the picture.")


def _wait_for(condition, what):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise TroubleError(f"{what} did not come.")
        time.sleep(0.2)
    time.sleep(0.3)


def _double_click(root, kind, screen, suite):
    """Open a file as the desktop does: by the type in its data base, and the line of the starter."""
    data = root.folder / DATA[kind].lstrip("/")
    starter = configparser.ConfigParser(interpolation=None)
    starter.read(data / "applications" / "attnsim.desktop")
    entry = starter["Desktop Entry"]
    if "application/x-attnsim-session" not in entry["MimeType"]:
        raise TroubleError("the starter does not take sessions.")
    if 'glob pattern="*.attnsim"' not in (data / "mime" / "packages" / "attnsim.xml").read_text(encoding="utf-8"):
        raise TroubleError("the type of sessions has no ending.")
    path = f"{HOME}/class.attnsim"
    (root.folder / path.lstrip("/")).write_text(SESSION, encoding="utf-8")
    process = _open(root, kind, screen, *[path if word == "%f" else word for word in shlex.split(entry["Exec"])])
    try:
        window = screen.window("^A class", process)  # the title that the session holds
        count = colours(screen.settled(window))
        screen.save(window, BUILD / "smoke" / f"{kind}-{suite}-file.png")
        screen.tool("windowfocus", "--sync", window)
        screen.tool("key", "ctrl+q")
        _out, error = process.communicate(timeout=60)
    finally:
        if process.poll() is None:
            process.kill()
    if process.returncode or count < FEW_COLOURS:
        raise TroubleError(f"the file was not shown ({count} colours, code {process.returncode}): {error[-400:]}")
    (root.folder / path.lstrip("/")).unlink()
    return path.rpartition("/")[2]


def _remove(root, kind):
    if kind == "deb":
        root.root("apt-get", "purge", "-q", "-y", "attnsim")
        root.root("apt-get", "autoremove", "-q", "-y", "--purge")
        return USER + " keeps what is in the home"
    root.user(f"{FOLDERS['run']}/uninstall")
    packages = root.root("apt-mark", "showmanual").split()
    return f"{len(packages)} packages of the system stay"
