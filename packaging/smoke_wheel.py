"""The wheel in a fresh environment: what it needs is borrowed from the one that runs the tests, nothing is fetched."""

import json
import os
import subprocess
import sys

import environment
import wheels
from environment import TroubleError
from tools import BUILD, Step, fresh, run, version

ASK_SITE = "import sysconfig; print(sysconfig.get_path('purelib'))"
COMMANDS = ("attnsim", "attnsim-gui")


def smoke():
    """Build the wheel twice, install it, and let it test itself from another folder."""
    lender = environment.prepare(dev=True)
    wheel, _sdist = wheels.build(again=True)
    with Step("install") as step:
        folder = fresh(BUILD / "smoke-wheel")
        inside = folder / "environment"
        run([lender, "-m", "venv", "--without-pip", inside])
        python = inside / "bin" / "python"
        run([lender, "-m", "pip", "--python", python, "install", "-q", "--no-deps", "--no-index", wheel])
        site = run([python, "-c", ASK_SITE]).strip()
        # only the folder is lent, not what its own .pth files add: attnsim must come from the wheel
        borrowed = run([lender, "-c", ASK_SITE]).strip()
        with open(os.path.join(site, "borrowed.pth"), "w", encoding="utf-8") as file:
            file.write(borrowed + "\n")
        step.done(wheel)
    elsewhere = fresh(folder / "elsewhere")
    settings = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "ATTNSIM"))}
    settings["QT_QPA_PLATFORM"] = "offscreen"
    place = run([python, "-c", "import attnsim; print(attnsim.__file__)"], cwd=elsewhere, env=settings).strip()
    if not place.startswith(str(inside)):
        raise TroubleError(f"attnsim was loaded from {place}, not from the wheel.")
    for command in COMMANDS:
        said = run([inside / "bin" / command, "--version"], cwd=elsewhere, env=settings)
        if not said.startswith(f"attnsim {version()}"):
            raise TroubleError(f"{command} --version said {said.strip()!r}.")
    check_self_test([str(inside / "bin" / "attnsim"), "self-test", "--json"], elsewhere, settings)


def check_self_test(command, folder, settings):
    """Run the self-test and print a line; a finding is a trouble."""
    done = subprocess.run(command, cwd=folder, env=settings, capture_output=True, text=True, check=False)
    try:
        record = json.loads(done.stdout)
    except ValueError:
        raise TroubleError(f"self-test ended with {done.returncode}: {done.stderr.strip()[-600:]}") from None
    say_record(record)
    return record


def say_record(record):
    """Print what a self-test found; raise for the first finding."""
    wrong = [f"{check['name']}: {check['detail']}" for check in record["checks"] if not check["ok"]]
    if wrong or not record["ok"]:
        raise TroubleError(f"self-test: {'; '.join(wrong)}")
    loops = next(check for check in record["checks"] if check["name"] == "loops")
    sys.stdout.write(
        f"self-test: {len(record['checks'])} checks, {loops['loaded']} loops from disk, {loops['compiled']} compiled, "
        f"{record['seconds']:.1f} s\n"
    )
    sys.stdout.flush()
