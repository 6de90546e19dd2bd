"""Start: choose a face, the window or the command line."""

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from attnsim.files.state import State


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit code.

    Parameters
    ----------
    arguments : sequence of str, optional
        Without the program's name; those of the process when left out.
    """
    # Before numpy is imported, which reads it once: two BLAS threads on a busy machine only spin. Whoever set
    # it knows better, and `import attnsim` leaves the variable alone: a library does not change its host.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from attnsim import cli, words
        from attnsim.cli.command import Window
        from attnsim.files.resources import folder

        words.install(folder() / "locale")
        given = sys.argv[1:] if arguments is None else arguments
        face = Window(missing=_missing, open=_open, measure=_measure, measure_labs=_measure_labs, self_test=_self_test)
        return cli.main(given, face)
    except ValueError as error:  # an incomplete installation
        return cli.complain(str(error))
    except KeyboardInterrupt:  # perhaps before the command line was there to name its exit code
        return 130


def _missing() -> str:
    """Return why no window can open here; empty if one can."""
    from attnsim.cli.display import missing_display

    if reason := missing_display(os.environ):
        return reason
    from attnsim.gui import guard

    try:
        with leaving_at_once():
            guard.check(os.environ)
    except guard.CannotStart as error:
        return str(error)
    return ""


@contextmanager
def leaving_at_once() -> Iterator[None]:
    """End the program on Ctrl-C while Qt is loaded: an exception raised inside its loading aborts."""
    before = signal.signal(signal.SIGINT, lambda *_ignored: os._exit(130))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _open(path: Path | None, state: "State | None") -> int:
    with leaving_at_once():
        from attnsim.gui.app import open_window

    return open_window(path, state)


def _measure_labs() -> dict[str, dict[str, float | None]]:
    from attnsim.gui.measure_labs import measure_labs

    return measure_labs()


def _measure() -> dict[str, float]:
    from attnsim.gui.measure import measure

    return dict(measure())


def _self_test(opened: Path | None) -> Iterator[tuple[str, str]]:
    from attnsim.gui import guard

    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    with leaving_at_once():
        guard.check(os.environ)
        from attnsim.gui.self_test import self_test
    yield from self_test(opened)


if __name__ == "__main__":
    sys.exit(main())
