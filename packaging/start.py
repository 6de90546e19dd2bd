"""Open the program from a fresh clone: `python3 packaging/start.py [arguments of attnsim]`.

Makes the environment first, if it is not there yet. Without a display the program runs headless.
"""

import os
import shlex
import subprocess
import sys

import environment

WINDOW_COMMANDS = ("open", "measure")


def wants_window(arguments):
    """Return whether these arguments open a window here."""
    asked = not arguments or arguments[0] in WINDOW_COMMANDS
    return asked and any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))


def start(arguments):
    """Run attnsim with these arguments in its environment."""
    python = environment.prepare()
    if wants_window(arguments):
        missing = environment.need_libraries(environment.TOOLKIT + environment.X_WINDOW)
        if missing:
            environment.say(f"the window lacks system libraries; {environment.how_to_install(missing)}.")
    # what the program calls itself when it names a command to the user
    os.environ["ATTNSIM_PROGRAM"] = "python3 " + shlex.quote(sys.argv[0])
    # -P keeps modules that happen to lie in the user's folder out of the program
    command = [str(python), "-P", "-m", "attnsim", *arguments]
    if os.name == "nt":
        return subprocess.call(command)
    return os.execv(command[0], command)


if __name__ == "__main__":
    sys.exit(environment.run_script(start))
