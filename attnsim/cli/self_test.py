"""`attnsim self-test`: whether this installation is whole."""

import time
from argparse import ArgumentParser, Namespace

from attnsim.cli.command import Command, Window
from attnsim.cli.printing import print_json, say
from attnsim.cli.self_checks import Check, checks
from attnsim.cli.versions import commit, line, versions
from attnsim.version import __version__
from attnsim.words import _, mark

FINDINGS = 1


def add_options(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("--json", action="store_true", help=_("print JSON"))
    parser.add_argument(
        "--compile", action="store_true", help=_("only compile the loops and keep them, as the window does by itself")
    )
    parser.add_argument(
        "--loops", action="store_true", help=_("only say how many loops a default scenario finds compiled")
    )


def run(given: Namespace, window: Window) -> int:
    """Check everything, print what was found, and return 1 if something is wrong."""
    if given.compile:
        return _compile()
    if given.loops:
        return _loops()
    found = []
    begun = time.perf_counter()
    for name, check in checks(window):
        found.append(check)
        if not given.json:
            say(f"{_('ok') if check.ok else _('WRONG'):6} {name:14} {check.detail}")
    seconds = time.perf_counter() - begun
    wrong = [check.name for check in found if not check.ok]
    if given.json:
        print_json(_record(found, seconds))
    elif wrong:
        say(_("Something is wrong with: {names}").format(names=", ".join(wrong)))
    else:
        say(_("OK: {version}, {seconds:.1f} s").format(version=line(), seconds=seconds))
    return FINDINGS if wrong else 0


def _record(found: list[Check], seconds: float) -> dict[str, object]:
    return {
        "ok": all(check.ok for check in found),
        "version": __version__,
        "commit": commit() or None,
        "versions": versions(),
        "seconds": seconds,
        "checks": [
            {"name": each.name, "ok": each.ok, "detail": each.detail, "seconds": each.seconds, **each.numbers}
            for each in found
        ],
    }


def _compile() -> int:
    import os

    from attnsim.experiments.preparation import compile_all

    if hasattr(os, "nice"):
        os.nice(5)  # a window is being opened at the same time
    compile_all()
    return 0


def _loops() -> int:
    from attnsim import api
    from attnsim.experiments.preparation import kernel_counts
    from attnsim.scenario import Scenario

    api.run(Scenario())
    print_json(kernel_counts())
    return 0


COMMAND = Command(
    key="self-test",
    sentence=mark("Check whether this installation is whole."),
    add_options=add_options,
    run=run,
)
