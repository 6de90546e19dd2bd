"""A clean Debian system in a folder: installed into, used by an ordinary user, and looked at afterwards."""

import contextlib
import os
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

from environment import TroubleError
from tools import BUILD, need, run

ROOTS = BUILD / "roots"
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
USER, NUMBER = "student", 1000
HOME = f"/home/{USER}"
CHROOT = shutil.which("chroot", path="/usr/sbin:/usr/bin:/sbin:/bin") or "chroot"
# what apt and dpkg keep for themselves, and what any installed library leaves to the loader
EXPECTED = re.compile(r"/(var/(lib/(apt|dpkg|systemd)|cache|log)|proc|dev|tmp|run|etc/ld\.so\.cache)(/.*)?|/etc/[^/]+-")


def debian_mirror():
    """Return the address this system takes its own packages from."""
    texts = [path.read_text(encoding="utf-8") for path in Path("/etc/apt/sources.list.d").glob("*.sources")]
    for text in texts:
        for address, suites in re.findall(r"^URIs:\s*(\S+)\s*\nSuites:\s*(.*)$", text, flags=re.MULTILINE):
            if "-security" not in suites and re.search(r"/debian/?$", address):
                return address
    lines = Path("/etc/apt/sources.list")
    for address in re.findall(r"^deb (?:\[.*?\] )?(\S+)", lines.read_text() if lines.exists() else "", re.MULTILINE):
        if re.search(r"/debian/?$", address):
            return address
    raise TroubleError("apt on this system names no Debian mirror, so no clean root can be made.")


def apt_settings():
    """Return how this system's apt reaches its mirror, as settings for another one."""
    lines = run(["apt-config", "dump"]).splitlines()
    wanted = re.compile(r'Acquire::(http|https|Retries|Check-Valid-Until)[^"]*"[^"]+"')
    return "\n".join(line for line in lines if wanted.match(line)) + "\n"


def base(suite):
    """Return the archive of a minimal system, made once."""
    archive = ROOTS / f"{suite}.tar"
    if not archive.exists():
        need(("mmdebstrap", "mmdebstrap"))
        ROOTS.mkdir(parents=True, exist_ok=True)
        part = archive.with_suffix(".part.tar")
        line = f"deb [signed-by={KEYRING}] {debian_mirror()} {suite} main"
        run(["mmdebstrap", "--variant=apt", "--include=passwd", suite, part, line])
        part.rename(archive)
    return archive


class Root:
    """A system in a folder; leaving it takes the folder away.

    Parameters
    ----------
    suite : str
        Such as "bookworm".
    """

    def __init__(self, suite):
        self.folder = BUILD / f"root-{suite}-{os.getpid()}"
        self._archive = base(suite)
        self._mounted = []

    def __enter__(self):
        if os.geteuid():
            raise TroubleError("a clean root is made and entered by root only.")
        self.folder.mkdir(parents=True)
        with tarfile.open(self._archive) as archive:
            archive.extractall(self.folder, filter="fully_trusted")
        (self.folder / "etc/apt/apt.conf.d/99host").write_text(apt_settings(), encoding="utf-8")
        shutil.copyfile("/etc/resolv.conf", self.folder / "etc/resolv.conf")
        shutil.copyfile("/etc/hosts", self.folder / "etc/hosts")
        self.mount("proc", "proc", "-t", "proc")
        self.mount("tmpfs", "dev/shm", "-t", "tmpfs")
        self.mount("tmpfs", "tmp", "-t", "tmpfs")
        (self.folder / "tmp").chmod(0o1777)
        self.root("useradd", "--create-home", "--uid", NUMBER, "--shell", "/bin/sh", USER)
        self.root("apt-get", "update", "-q")
        return self

    def __exit__(self, *_error):
        for place in reversed(self._mounted):
            run(["umount", "--lazy", place])
        shutil.rmtree(self.folder, ignore_errors=True)

    def mount(self, source, place, *options):
        """Mount something below the folder, until the end."""
        target = self.folder / place
        target.mkdir(parents=True, exist_ok=True)
        run(["mount", *options, source, target])
        self._mounted.append(target)

    def root(self, *command):
        """Run a command as root; return what it printed."""
        settings = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
        return run([CHROOT, self.folder, *command], env=settings, stdin=subprocess.DEVNULL)

    def start(self, *command, folder=HOME, streams=subprocess.PIPE, **environment):
        """Start a command as the ordinary user; return the process."""
        settings = {"PATH": "/usr/bin:/bin", "HOME": HOME, "USER": USER, "LANG": "C.UTF-8", **environment}
        # by its full name: the user's path below holds no programs of the administrator
        enter = [CHROOT, f"--userspec={NUMBER}:{NUMBER}", str(self.folder)]
        go = ["/bin/sh", "-c", 'cd "$0" && exec "$@"', folder]
        return subprocess.Popen(
            [*enter, *go, *map(str, command)],
            env=settings,
            stdin=subprocess.DEVNULL,
            stdout=streams,
            stderr=streams,
            text=True,
        )

    def user(self, *command, code=0, folder=HOME, **environment):
        """Run a command as the ordinary user; return what it printed, both streams.

        Raises
        ------
        TroubleError
            If it ends with another code than the one expected.
        """
        process = self.start(*command, folder=folder, **environment)
        out, error = process.communicate(timeout=600)
        if process.returncode != code:
            words = " ".join((out + error).split())[-800:]
            raise TroubleError(f"{command[0]} {command[1:2]} ended with {process.returncode}, not {code}: {words}")
        return out, error

    def files(self):
        """Return all paths but those every system changes by itself."""
        found = set()
        for place, folders, names in os.walk(self.folder):
            inside = "/" + str(Path(place).relative_to(self.folder)).removeprefix(".")
            if EXPECTED.fullmatch(inside):
                folders.clear()
                continue
            found |= {os.path.join(inside, name) for name in (*folders, *names)}
        return {path for path in found if not EXPECTED.fullmatch(path)}

    @contextlib.contextmanager
    def small_disk(self, place, kilobytes):
        """Let a folder of the user lie on a disk that is soon full."""
        target = self.folder / place.lstrip("/")
        target.mkdir(parents=True, exist_ok=True)
        run(["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k,uid={NUMBER},gid={NUMBER},mode=700", "tmpfs", target])
        try:
            yield
        finally:
            run(["umount", "--lazy", target])
            target.rmdir()
