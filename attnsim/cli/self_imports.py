"""Whether everything the program may import is there: an installer leaves out what it takes to be superfluous."""

import dis
import importlib
import importlib.util
import pkgutil
import sys
from collections.abc import Iterator
from types import CodeType

import attnsim

# what may be missing: other systems' modules, and helpers whose absence the program lives with
OTHERS = {"_winapi", "fcntl", "msvcrt", "nt", "resource", "winreg"}
OPTIONAL_ROOMS = ("attnsim.bench",)  # measures against libraries that are not part of the program
REQUIRED = {"PIL", "PySide6", "attnsim", "markdown_it", "matplotlib"} | {"numba", "numpy", "pyqtgraph", "scipy", "yaml"}


def missing() -> tuple[int, list[str]]:
    """Try every import written anywhere in the package, also those inside functions.

    Returns
    -------
    int, list of str
        How many different imports were tried, and those that fail: module, and why.
    """
    wanted = {one for name in _modules() for code in _code(name) for one in _imports(code)}
    wanted = {one for one in wanted if _needed(one[0])}
    failed = []
    for module, names in sorted(wanted):
        try:
            found = importlib.import_module(module)
            for name in names:
                if name != "*" and not hasattr(found, name):
                    importlib.import_module(f"{module}.{name}")
        except ImportError as error:
            failed.append(f"{module}: {error}")
    return len(wanted), list(dict.fromkeys(failed))


def _modules() -> Iterator[str]:
    pending = [("attnsim", list(attnsim.__path__))]
    while pending:
        package, paths = pending.pop()
        yield package
        for found in pkgutil.iter_modules(paths, package + "."):
            if found.name.startswith(OPTIONAL_ROOMS):
                continue
            if found.ispkg:
                spec = importlib.util.find_spec(found.name)
                pending.append((found.name, list((spec and spec.submodule_search_locations) or ())))
            else:
                yield found.name


def _code(name: str) -> Iterator[CodeType]:
    """Yield the code of a module without running it, and of everything inside."""
    spec = importlib.util.find_spec(name)
    loader = spec and spec.loader
    code = loader.get_code(name) if loader is not None and hasattr(loader, "get_code") else None
    pending = [code] if code is not None else []
    while pending:
        code = pending.pop()
        yield code
        pending += [part for part in code.co_consts if isinstance(part, CodeType)]


def _imports(code: CodeType) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield (module, names taken from it): Python loads the names just before it imports the module."""
    names: tuple[str, ...] = ()
    for step in dis.get_instructions(code):
        if step.opname == "IMPORT_NAME":
            yield str(step.argval), names
        names = step.argval if step.opname == "LOAD_CONST" and isinstance(step.argval, tuple) else ()


def _needed(module: str) -> bool:
    top = module.partition(".")[0]
    if top in OTHERS or module.startswith((*OPTIONAL_ROOMS, "attnsim.gui")):
        return False  # the window's own modules are loaded by the window's check
    return top in REQUIRED or top in sys.stdlib_module_names
