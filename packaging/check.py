"""Run the tests from a fresh clone: `python3 packaging/check.py [arguments of pytest]`.

Makes the environment first, if it is not there yet. `--lint` runs ruff, mypy and the walls instead.
"""

import os
import subprocess
import sys

import environment

LINT = (("ruff", "check", "."), ("mypy",), ("lint-imports", "--no-cache"))


def check(arguments):
    """Run the tests, or with `--lint` what reads the code without running it."""
    python = environment.prepare(dev=True)
    if arguments == ["--lint"]:
        return lint(python.parent)
    missing = environment.need_libraries(environment.TOOLKIT)
    if missing:
        raise environment.TroubleError(f"the window toolkit lacks libraries; {environment.how_to_install(missing)}.")
    missing = environment.need_libraries(environment.X_WINDOW) + environment.need_programs(environment.TEST_PROGRAMS)
    if missing:
        environment.say(f"the test with a real window is skipped; {environment.how_to_install(missing)}.")
    return subprocess.call(
        [str(python), "-P", "-m", "pytest", *workers(arguments), *arguments], cwd=str(environment.ROOT)
    )


def workers(arguments):
    """Return how the tests are shared out: over two cores, unless single files or other options are asked for."""
    few = any(word.startswith(("-n", "-k")) or "tests" in word for word in arguments)
    return [] if few or (os.cpu_count() or 1) < 2 else ["-n", "2"]


def lint(programs):
    """Run all readers of the code that lie in a folder; return the largest of their exit codes."""
    codes = []
    for name, *options in LINT:
        environment.say(" ".join((name, *options)))
        codes.append(subprocess.call([str(programs / name), *options], cwd=str(environment.ROOT)))
    return max(codes)


if __name__ == "__main__":
    sys.exit(environment.run_script(check))
