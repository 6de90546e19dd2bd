"""Whose work is inside: the licences of all parts as one text, and a list of them for programs (CycloneDX)."""

import datetime
import hashlib
import json
import uuid
from pathlib import Path

from environment import ROOT, TroubleError
from tools import epoch, run, version

# run by the Python of the build's environment: what attnsim needs at run time, and what those bring along as texts
ASK_PARTS = """
import json, re, sys
from importlib import metadata
from packaging.requirements import Requirement
pending, seen = ["attnsim"], {}
while pending:
    name = pending.pop()
    key = re.sub(r"[-_.]+", "-", name).lower()
    if key in seen:
        continue
    try:
        one = metadata.distribution(name)
    except metadata.PackageNotFoundError:
        continue
    m = one.metadata
    texts = {}
    for path in one.files or ():
        if ".dist-info" in str(path) and re.match(r"(LICEN[CS]E|COPYING|NOTICE|AUTHORS)", path.name, re.I):
            texts[str(path)] = path.locate().read_text(encoding="utf-8", errors="replace")
    licence = m.get("License-Expression") or ""
    if not licence:
        kinds = [c.split(" :: ")[-1] for c in m.get_all("Classifier") or () if c.startswith("License ::")]
        licence = ", ".join(kinds) or (m.get("License") or "").splitlines()[:1] and m.get("License").splitlines()[0]
    seen[key] = dict(name=m["Name"], version=m["Version"], licence=licence or "", texts=texts,
                     page=m.get("Home-page") or "")
    for line in m.get_all("Requires-Dist") or ():
        wanted = Requirement(line)
        if wanted.marker is None or wanted.marker.evaluate({"extra": ""}):
            pending.append(wanted.name)
json.dump([seen[k] for k in sorted(seen)], sys.stdout)
"""
ASK_PYTHON = "import pathlib, sysconfig; print(pathlib.Path(sysconfig.get_path('stdlib'), 'LICENSE.txt'))"
# what lies inside wheels and no metadata names: (name, licence, the distribution or file that holds it)
INNER = (
    ("Qt", "LGPL-3.0-only", "PySide6_Essentials"),
    ("ICU", "Unicode-3.0", "PySide6_Essentials"),
    ("LLVM", "Apache-2.0 WITH LLVM-exception", "llvmlite"),
    ("OpenBLAS", "BSD-3-Clause", "numpy"),
    ("libgfortran", "GPL-3.0-or-later WITH GCC-exception-3.1", "scipy"),
    ("libquadmath", "LGPL-2.1-or-later", "scipy"),
    ("FreeType", "FTL", "matplotlib"),
    ("DejaVu fonts", "Bitstream-Vera", "matplotlib"),
    ("Inter", "OFL-1.1", "attnsim"),
    ("PyInstaller bootloader", "GPL-2.0-or-later WITH Bootloader-exception", "PyInstaller"),
)
QT_NOTICE = """Qt and Qt for Python (PySide6, shiboken6)

Used under the GNU Lesser General Public License, version 3, whose text follows, with that of the GNU General Public
License, version 3, to which it refers.
"""
# where a Debian system keeps the texts that the wheels of Qt for Python do not hold
COMMON = Path("/usr/share/common-licenses")


def parts(python):
    """Return what is inside: records with `name version licence texts page`, the program itself among them."""
    found = json.loads(run([python, "-c", ASK_PARTS]))
    if len(found) < 8:
        raise TroubleError("the build's environment does not hold what attnsim needs.")
    return found


def third_party(python):
    """Return the texts of all licences, one after the other."""
    lines = [(ROOT / "resources" / "licences" / "NOTICE.txt").read_text(encoding="utf-8")]
    for part in parts(python):
        for name, text in sorted(part["texts"].items()):
            lines += [_heading(f"{part['name']} {part['version']}: {Path(name).name}"), text]
    lines += [_heading("Python"), Path(run([python, "-c", ASK_PYTHON]).strip()).read_text(encoding="utf-8")]
    lines += [_heading("Qt"), QT_NOTICE]
    for name in ("LGPL-3", "GPL-3"):
        lines += [_heading(name), (COMMON / name).read_text(encoding="utf-8")]
    return "\n".join(line.rstrip() for line in "\n".join(lines).splitlines()) + "\n"


def _heading(words):
    return f"\n{'=' * 100}\n{words}\n{'=' * 100}\n"


def sbom(python):
    """Return the list of parts as CycloneDX 1.6, the same text for the same parts."""
    found = parts(python)
    versions = {part["name"].lower(): part["version"] for part in found}
    components = [_component(part) for part in found if part["name"] != "attnsim"]
    python_version = run([python, "-c", "import platform; print(platform.python_version())"]).strip()
    components.append(_plain("CPython", python_version, "PSF-2.0"))
    for name, licence, holder in INNER:
        inside = versions.get(holder.lower(), "")
        components.append(_plain(name, inside if name == "Qt" else "", licence, f"in {holder} {inside}".strip()))
    body = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": _timestamp(),
            "component": {
                "type": "application", "bom-ref": "attnsim", "name": "attnsim", "version": version(),
                "licenses": [{"license": {"id": "Apache-2.0"}}],
            },
        },
        "components": components,
        "dependencies": [{"ref": "attnsim", "dependsOn": [one["bom-ref"] for one in components]}],
    }  # fmt: skip
    digest = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).digest()
    body["serialNumber"] = f"urn:uuid:{uuid.UUID(bytes=digest[:16], version=4)}"
    return json.dumps(body, indent=1, sort_keys=True) + "\n"


def _timestamp():
    return datetime.datetime.fromtimestamp(epoch(), datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _component(part):
    name, number = part["name"], part["version"]
    made = {"type": "library", "name": name, "version": number, "purl": f"pkg:pypi/{name.lower()}@{number}"}
    made["bom-ref"] = made["purl"]
    if part["licence"]:
        made["licenses"] = [{"license": {"name": part["licence"]}}]
    return made


def _plain(name, number, licence, words=""):
    made = {"type": "library", "bom-ref": name, "name": name, "licenses": [{"license": {"name": licence}}]}
    if number:
        made["version"] = number
    if words:
        made["description"] = words
    return made
