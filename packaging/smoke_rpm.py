"""The rpm package in a clean root.

No distribution with rpm can be fetched here, so the root is a Debian one with the libraries the package asks for, and
rpm works on it from outside: this proves what is in the package and how it comes and goes, not Fedora's dependencies.
"""

import json

from clean_root import Root
from environment import TroubleError
from portable import library_table
from smoke_wheel import say_record
from tools import DIST, need, run, version


def smoke():
    """Install, verify, use and erase; raise TroubleError at the first thing that is wrong."""
    need(("rpm", "rpm"))
    package = DIST / f"attnsim-{version()}-1.x86_64.rpm"
    with Root("bookworm") as root:
        packages = {line.split()[1] for line in library_table().splitlines()} - {"?"}
        root.root("apt-get", "install", "-q", "-y", "--no-install-recommends", *packages, "libgomp1")
        data = ["rpm", "--root", root.folder, "--dbpath", "/var/lib/rpm"]
        run([*data, "--initdb"])
        before = root.files()
        run([*data, "--install", "--nodeps", package])
        run([*data, "--verify", "--nodeps", "attnsim"])
        out, _error = root.user("/usr/bin/attnsim", "self-test", "--json")
        say_record(json.loads(out))
        run([*data, "--erase", "attnsim"])
        left = {path for path in root.files() - before if not path.startswith(("/home/", "/var/lib/rpm"))}
        # folders of the menus and icons belong to other packages on a system with rpm
        left = {path for path in left if path.startswith("/opt") or not (root.folder / path[1:]).is_dir()}
        if left:
            raise TroubleError(f"{len(left)} files are left, such as {sorted(left)[:8]}.")
        print(f"rpm: {package.stat().st_size / 1e6:.1f} MB, installed, verified, used, erased; nothing is left")
