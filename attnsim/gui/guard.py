"""What is checked before Qt is imported: pairs that crash, and system libraries that are missing."""

import re
import sys
from collections.abc import Callable, Mapping
from importlib import metadata
from pathlib import Path

from attnsim.words import _

# the Debian and Ubuntu package of each library that Qt's wheel expects from the system
PACKAGES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libGLX.so.0": "libglx0",
    "libOpenGL.so.0": "libopengl0",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-xinerama.so.0": "libxcb-xinerama0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
}

# what Qt's X11 plugin needs beyond its core: it fails inside Qt, with an abort, and so is looked for beforehand
X11_LIBRARIES = (
    "libxcb-cursor.so.0",
    "libxcb-icccm.so.4",
    "libxcb-image.so.0",
    "libxcb-keysyms.so.1",
    "libxcb-randr.so.0",
    "libxcb-render-util.so.0",
    "libxcb-shape.so.0",
    "libxcb-xkb.so.1",
    "libxkbcommon-x11.so.0",
)


class CannotStart(ValueError):  # noqa: N818 - it says what is so, in the words of whoever catches it
    """The window cannot be opened here; the message says why and what to do."""


def check_pair(python: tuple[int, ...], qt: tuple[int, ...]) -> None:
    """Refuse pairs of Python and Qt that abort or draw nothing.

    Parameters
    ----------
    python, qt : tuple of int
        Versions, such as (3, 11, 7) and (6, 12, 0).

    Raises
    ------
    CannotStart
        Names both versions and what to install instead.
    """
    names = {"python": _dotted(python[:2]), "qt": _dotted(qt)}
    if python < (3, 12) and qt >= (6, 12):
        raise CannotStart(
            _(
                "PySide6 {qt} ends the program after some seconds on Python {python}: "
                "use Python 3.12 or newer, or run: pip install 'PySide6-Essentials<6.12'"
            ).format(**names)
        )
    if qt in ((6, 9, 1), (6, 9, 2)):
        raise CannotStart(
            _("PySide6 {qt} cannot draw this window: run: pip install --upgrade PySide6-Essentials").format(**names)
        )


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def installed_qt() -> tuple[int, ...]:
    """Return the version of the installed PySide6 without importing it."""
    try:
        text = metadata.version("PySide6-Essentials")
    except metadata.PackageNotFoundError:
        raise CannotStart(
            _("The window needs PySide6, which is not installed: run: pip install PySide6-Essentials")
        ) from None
    return tuple(int(part) for part in re.findall(r"\d+", text)[:3])


def missing_library(message: str) -> CannotStart:
    """Say which system library an ImportError misses, and how to install it."""
    found = re.search(r"lib[\w.+-]+?\.so(?:\.\d+)*", message)
    if not found:
        return CannotStart(_("Qt cannot start: {reason}").format(reason=message))
    return _install([found.group()])


def _install(libraries: list[str]) -> CannotStart:
    packages = sorted({PACKAGES.get(name, name.split(".so")[0].lower()) for name in libraries})
    return CannotStart(
        _(
            "Qt cannot start because the system library {library} is missing: "
            "install it with: sudo apt-get install {packages}"
        ).format(library=", ".join(libraries), packages=" ".join(packages))
    )


def check_x11(environment: Mapping[str, str], loads: Callable[[str], bool] | None = None) -> None:
    """Refuse an X11 screen whose client libraries are missing; Qt itself would abort.

    Parameters
    ----------
    environment : mapping
        As `os.environ`.
    loads : callable, optional
        name -> whether that shared library can be loaded.
    """
    platform = environment.get("QT_QPA_PLATFORM", "")
    on_x11 = environment.get("DISPLAY") and not environment.get("WAYLAND_DISPLAY")
    if not sys.platform.startswith("linux") or not (platform.startswith("xcb") or (on_x11 and not platform)):
        return
    missing = [name for name in X11_LIBRARIES if not (loads or _loads)(name)]
    if missing:
        raise _install(missing)


def _loads(name: str) -> bool:
    import ctypes

    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def check_platform(wanted: str) -> None:
    """Refuse a kind of screen that this Qt does not have; Qt itself would abort.

    Parameters
    ----------
    wanted : str
        As in QT_QPA_PLATFORM: names between semicolons, each with options behind a colon; empty for Qt's choice.
    """
    from PySide6.QtCore import QLibraryInfo

    folder = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath)) / "platforms"
    known = sorted({re.sub(r"^(lib)?q|\..*$", "", file.name) for file in folder.glob("*q*.*")})
    names = [name.partition(":")[0] for name in wanted.split(";")]
    if wanted and known and not any(name in known for name in names):
        raise CannotStart(
            _("QT_QPA_PLATFORM must be one of {known}, not {wanted}").format(
                known=", ".join(known), wanted=repr(wanted)
            )
        )


def check(environment: Mapping[str, str]) -> None:
    """Make sure that a window can be opened, else say in one sentence what to do.

    Raises
    ------
    CannotStart
        For a broken pair of versions, a missing PySide6 or a missing system library.
    """
    check_pair(tuple(sys.version_info[:3]), installed_qt())
    try:
        import PySide6.QtWidgets  # noqa: F401
    except ImportError as error:
        raise missing_library(str(error)) from error
    check_platform(environment.get("QT_QPA_PLATFORM", ""))
    check_x11(environment)
    screens = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    if sys.platform.startswith("linux") and not any(environment.get(name) for name in screens):
        raise CannotStart(_("There is no screen here for a window: use the commands, see: attnsim --help"))
