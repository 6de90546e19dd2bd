"""The command line: a file a command, and a line in `COMMANDS`.

Exit codes: 0 done, 1 findings, 2 bad input with one sentence on standard error.
"""

import argparse
import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NoReturn

from attnsim.cli import (
    bench,
    diagnose,
    explain,
    export,
    inspect,
    labs,
    lessons,
    measure,
    open,
    presets,
    run,
    self_test,
    simulate,
    table,
    theory,
)
from attnsim.cli.command import Command, Window
from attnsim.cli.versions import ShowVersion
from attnsim.words import _

COMMANDS: dict[str, Command] = {
    command.key: command
    for command in (
        open.COMMAND,
        export.COMMAND,
        table.COMMAND,
        simulate.COMMAND,
        theory.COMMAND,
        explain.COMMAND,
        diagnose.COMMAND,
        run.COMMAND,
        labs.COMMAND,
        lessons.COMMAND,
        presets.COMMAND,
        inspect.COMMAND,
        bench.COMMAND,
        measure.COMMAND,
        self_test.COMMAND,
    )
}
DONE, BAD_INPUT, INTERRUPTED = 0, 2, 130
NEGATIVE = re.compile(r"-(\d|\.\d|inf|nan)", re.IGNORECASE)


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence."""

    def error(self, message: str) -> NoReturn:
        """Leave the program; argparse would print its usage before the sentence."""
        raise ValueError(message)

    def _print_message(self, message: str, file: Any = None) -> None:
        # argparse keeps silent where help cannot be written
        if message:
            (file or sys.stderr).write(message)


def parser() -> Parser:
    """Return the parser of all commands."""
    top = Parser(
        prog="attnsim",
        description=_("One draw through walk, scores and softmax: why attention divides by the square root of d."),
        epilog=_("Without a command the window opens."),
        allow_abbrev=False,
    )
    top.add_argument("--version", action=ShowVersion, help=_("show the version and what the program stands on"))
    commands = top.add_subparsers(dest="command", metavar=_("COMMAND"), parser_class=Parser)
    for command in COMMANDS.values():
        sentence = _(command.sentence)
        one = commands.add_parser(command.key, help=sentence, description=sentence, allow_abbrev=False)
        command.add_options(one)
    return top


def main(arguments: Sequence[str], window: Window) -> int:
    """Run a command.

    Parameters
    ----------
    arguments : sequence of str
        Without the program's name; none opens the window.
    window : Window
        The other face.

    Returns
    -------
    int
        Exit code.
    """
    streams_that_write_anything()
    try:
        given = parse(arguments)
        command = COMMANDS[given.command or open.COMMAND.key]
        code = command.run(given, window)
        sys.stdout.flush()  # here, where a full disk can still be told
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # who reads has seen enough
        drop_output()
        return DONE
    except MemoryError:
        return complain(_("there is not enough memory for this: lower keys, dim or rows"))
    except OSError as error:
        drop_output()
        name = f"{error.filename}: " if error.filename is not None else ""
        return complain(f"{name}{error.strerror or error}")
    except ValueError as error:
        return complain(str(error))


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Return the options; help and version leave the program, with what they printed safely out."""
    try:
        return parser().parse_args(glued(arguments))
    except SystemExit:
        sys.stdout.flush()
        raise


def streams_that_write_anything() -> None:
    """Let no stream end the program: closed ones swallow, and signs an encoding lacks become question marks."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8"))
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def glued(arguments: Sequence[str]) -> list[str]:
    """Return the arguments with negative numbers tied to their option, which argparse takes for options (-1e-3)."""
    tied: list[str] = []
    for argument in arguments:
        if tied and NEGATIVE.match(argument) and tied[-1].startswith("--") and "=" not in tied[-1]:
            tied[-1] += "=" + argument
        else:
            tied.append(argument)
    return tied


def drop_output() -> None:
    """Forget what could not be printed: Python would try it again at exit, and complain."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def complain(sentence: str) -> int:
    """Print one sentence to standard error and return the exit code of bad input."""
    with suppress(OSError):  # nobody can be told where not even that can be written
        sys.stderr.write("attnsim: " + " ".join(sentence.split()) + "\n")
        sys.stderr.flush()
    return BAD_INPUT
