"""The rpm package; what it asks for are sonames, which every distribution's packages provide under the same words."""

import re
import shutil

import debian
import freeze
import linux_files
from environment import TroubleError
from tools import BUILD, DIST, Step, build_environment, clamp_times, fresh, need, run, version

SPEC = """%global debug_package %{{nil}}
%global __os_install_post %{{nil}}
%global _build_id_links none
%global _binary_payload w10.zstdio
%global use_source_date_epoch_as_buildtime 1
%global clamp_mtime_to_source_date_epoch 1
%global _buildhost build
Name: attnsim
Version: {version}
Release: 1
Summary: See why attention divides by the square root of d
License: Apache-2.0
BuildArch: x86_64
AutoReqProv: no
{requires}
%description
The running sums of the products of a query and its keys are random walks, their
end points are the scores, and the softmax of the scores are the weights.
attnsim shows this as one draw through linked panels, under many scale rules
side by side, with exact theory beside each measured number.

%install
mkdir -p %{{buildroot}}
cp -a {root}/. %{{buildroot}}/

%files
%defattr(-,root,root,-)
/opt/attnsim
/usr/bin/attnsim
/usr/share/applications/attnsim.desktop
/usr/share/mime/packages/attnsim.xml
/usr/share/metainfo/org.attnsim.attnsim.metainfo.xml
/usr/share/icons/hicolor/*/apps/attnsim.*
%doc /usr/share/man/man1/attnsim.1.gz
"""


def build():
    """Make the package in `dist` from the frozen program.

    Returns
    -------
    Path
    """
    need(("rpmbuild", "rpm"), *debian.PROGRAMS)
    with Step("rpm") as step:
        work = fresh(BUILD / "rpm")
        root = work / "root"
        shutil.copytree(freeze.PROGRAM, root / debian.HOME, symlinks=True)
        (root / "usr" / "bin").mkdir(parents=True)
        (root / "usr" / "bin" / "attnsim").symlink_to("/opt/attnsim/attnsim")
        linux_files.install(root)
        debian.set_modes(root)
        clamp_times(root)
        lines = [f"Requires: {name}" for name in requires()]
        spec = work / "attnsim.spec"
        spec.write_text(SPEC.format(version=version(), requires="\n".join(lines), root=root), encoding="utf-8")
        run(["rpmbuild", "-bb", "--define", f"_topdir {work}/top", spec], env=build_environment())
        (made,) = (work / "top" / "RPMS").rglob("*.rpm")
        DIST.mkdir(exist_ok=True)
        package = DIST / made.name
        shutil.copyfile(made, package)
        step.done(package)
    return package


def requires():
    """Return what the program's files ask for and do not bring along, as rpm names it, and the newest libc symbol.

    Raises
    ------
    TroubleError
        If no file names the C library: then nothing was read.
    """
    inside = freeze.PROGRAM / freeze.INSIDE
    brought = {path.name for path in inside.rglob("*.so*")}
    wanted, libc = set(), set()
    for path in [freeze.PROGRAM / "attnsim", *sorted(inside.rglob("*.so*"))]:
        if not path.is_symlink() and debian.is_elf(path):
            said = run(["objdump", "-p", path])
            wanted |= set(re.findall(r"NEEDED\s+(\S+)", said))
            libc |= {tuple(map(int, found.split("."))) for found in re.findall(r"\bGLIBC_(2\.\d+)\b", said)}
    if not libc:
        raise TroubleError("no file of the program names a version of the C library.")
    newest = ".".join(map(str, max(libc)))
    # numba asks for the full file name of libgomp, which no package promises
    plain = [name for name in sorted(wanted - brought) if not name.startswith(("ld-linux", "libgomp"))]
    names = [f"{name}()(64bit)" for name in plain]
    return [*names, "libgomp.so.1()(64bit)", f"libc.so.6(GLIBC_{newest})(64bit)"]
