"""Prove that what was built starts for somebody else: `packaging/smoke.py deb|run|wheel|rpm [--suite bookworm|trixie]`.

`wheel` takes seconds and runs with every check; the others take a clean Debian system each, and root.
"""

import sys
import time

import environment

KINDS = ("wheel", "deb", "run", "rpm")
SUITES = ("bookworm", "trixie")


def smoke(arguments):
    """Run one smoke test and print each step with its time."""
    kinds = [one for one in arguments if one in KINDS]
    suites = [one for one in arguments if one in SUITES] or list(SUITES)
    unknown = [one for one in arguments if one not in (*KINDS, *SUITES, "--suite")]
    if unknown or len(kinds) != 1:
        raise environment.TroubleError(f"smoke takes one of {', '.join(KINDS)}, and --suite {' or '.join(SUITES)}.")
    begun = time.monotonic()
    if kinds[0] == "wheel":
        import smoke_wheel

        smoke_wheel.smoke()
    elif kinds[0] == "rpm":
        import smoke_rpm

        smoke_rpm.smoke()
    else:
        import smoke_debian

        for suite in suites:
            smoke_debian.smoke(kinds[0], suite)
    print(f"smoke {kinds[0]}: passed, {time.monotonic() - begun:.1f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(environment.run_script(smoke))
