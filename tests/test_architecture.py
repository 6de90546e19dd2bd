"""The walls between the rooms hold, and each contract that says so can break."""

import ast
import importlib
import shutil
import subprocess
import sys
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import FunctionType

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "attnsim"
LONGEST_FILE, LONGEST_FUNCTION = 400, 40

# contract -> file of a copy, the line added to it, and the words that the broken contract answers with
SEEDS = {
    "a room sees what stands above it": (
        "scenario.py", "import attnsim.figures", "attnsim.scenario -> attnsim.figures",
    ),
    "the command line sees the window": ("cli/labs.py", "import attnsim.gui", "attnsim.cli.labs -> attnsim.gui"),
    "the window sees the command line": ("gui/guard.py", "import attnsim.cli", "attnsim.gui.guard -> attnsim.cli"),
    "a lab sees a figure": ("labs/walk.py", "import attnsim.figures", "attnsim.labs.walk -> attnsim.figures"),
    "theory sees a kernel": (
        "theory/moments.py", "import attnsim.kernels", "attnsim.theory.moments -> attnsim.kernels",
    ),
    "words see a room": ("words.py", "import attnsim.view", "attnsim.words -> attnsim.view"),
    "a room is not declared": ("utensils.py", "", "- attnsim.utensils"),
    "a figure calls a kernel": (
        "figures/walk.py", "import attnsim.kernels", "Illegal imports of protected package attnsim.kernels",
    ),
    "a figure draws with Qt": ("figures/scores.py", "import PySide6", "attnsim.figures.scores -> PySide6"),
    "the command line plots": ("cli/table.py", "import pyqtgraph", "attnsim.cli.table -> pyqtgraph"),
    "a law is compiled by itself": ("choices/laws/law.py", "import numba", "attnsim.choices.laws.law -> numba"),
    "the window draws with matplotlib": ("gui/session.py", "import matplotlib", "attnsim.gui.session -> matplotlib"),
    "a reader wants SciPy": ("files/readers/npy.py", "import scipy", "attnsim.files.readers.npy -> scipy"),
    "two neighbours import each other": (
        "choices/scalings/rule.py", "import attnsim.choices.scalings.none",
        "No cycles are allowed in attnsim.choices.scalings",
    ),
}  # fmt: skip
CONTRACTS = 7

# registry room -> its registry, and the files in it that are no entries but serve the entries
REGISTRIES = {
    "choices.laws": ("LAWS", {"factor_model", "law", "projection"}),
    "choices.scalings": ("SCALINGS", {"cosines", "formula", "rule"}),
    "choices.masks": ("MASKS", {"mask"}),
    "choices.formats": ("FORMATS", {"format"}),
    "choices.sections": ("SECTIONS", set()),
    "experiments": (
        "EXPERIMENTS",
        {"attention", "checkpoints", "closed_forms", "ensemble", "estimates", "preparation", "real_walk", "records"}
        | {"requests", "table", "agreement", "closed_record", "diagnostics", "evidence", "expectations", "result"}
        | {"drawn_sums", "pace", "tally", "walk_queries"},
    ),
    "figures": (
        "FIGURES",
        {"headline", "labels", "marginal", "marks", "moment", "numbers", "palette", "readouts", "row_logits", "softmax"}
        | {"derivation", "derivation_page", "derivation_sum", "derivation_weights", "formula", "questions", "step"}
        | {"heat_picture", "summaries", "walk_summary", "clicks"},
    ),
    "labs": ("LABS", {"lab"}),
    "files.readers": ("READERS", {"arrays", "entries", "metadata", "partner", "shapes"}),
    "files.writers": (
        "WRITERS",
        {"cards", "color_bar", "compose", "format", "marks", "provenance", "page", "panel", "reading", "series"}
        | {"film_palette", "raster", "video"},
    ),
    "cli": (
        "COMMANDS",
        {"command", "display", "headless", "printing", "scenario_options", "vector_options", "page_options"}
        | {"self_checks", "self_imports", "versions"},
    ),
}

HEADLESS = {
    "help": ["--help"],
    "version": ["--version"],
    "labs": ["labs"],
    "simulate": ["simulate", "--dim", "8", "--keys", "4", "--rows", "20"],
    "table": ["table", "--dims", "8", "--keys", "4", "--rows", "20"],
    "export": ["export", "--dim", "8", "--keys", "4", "--rows", "20", "--out", "figure.png"],
    "theory": ["theory", "--dim", "8", "--keys", "4"],
    "explain": ["explain", "--dim", "8", "--keys", "4", "--rows", "20"],
    "gradients": ["run", "gradients", "--dim", "8", "--keys", "4", "--rows", "20", "--training-steps", "10"],
    "diagnose": ["diagnose", "--dim", "8", "--keys", "4", "--rows", "20"],
    "inspect": ["inspect", "attnsim:1?dim=8"],
    "presets": ["presets"],
    "open a link": ["open", "attnsim:1?dim=8&keys=4&rows=20"],
    "spread": ["run", "spread", "--dim", "8", "--keys", "4", "--rows", "20", "--largest-dim", "16"],
    "scalings": ["run", "scalings", "--dim", "8", "--keys", "4", "--rows", "20", "--up-to-dim", "16"],
    "phase": ["run", "phase", "--rows", "2"],
    "formats": ["run", "formats", "--rows", "2"],
    "initialisation": ["run", "initialisation", "--dim", "8", "--d-model", "16", "--layers", "3", "--nets", "2"],
    "masks": ["run", "masks", "--dim", "8", "--keys", "4", "--rows", "20"],
    "planted": ["run", "planted", "--dim", "8", "--keys", "4", "--rows", "20", "--scalings", "inverse_sqrt"],
    "derivation": ["run", "derivation", "--dim", "8", "--keys", "4", "--rows", "20"],
    "which d": ["run", "which_d", "--dim", "8", "--keys", "4", "--rows", "20"],
    "lessons": ["lessons"],
    "no display": [],
}
WITHOUT_NUMBA = ("help", "version", "labs", "inspect", "presets", "lessons")


def sources(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).with_name("lint-imports")
    return subprocess.run([program, "--no-cache"], cwd=folder, capture_output=True, text=True, encoding="utf-8")


@pytest.fixture(scope="module")
def seeded(tmp_path_factory):
    """What import-linter says of a copy that breaks every contract."""
    copy = tmp_path_factory.mktemp("seeded")
    shutil.copytree(PACKAGE, copy / "attnsim", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", copy)
    for name, line, _answer in SEEDS.values():
        with open(copy / "attnsim" / name, "a", encoding="utf-8") as file:
            file.write(f"\n{line}\n")
    return lint_imports(copy)


def test_the_walls_hold():
    outcome = lint_imports(ROOT)
    assert outcome.returncode == 0, outcome.stdout
    assert f"Contracts: {CONTRACTS} kept, 0 broken." in outcome.stdout


def test_every_contract_can_break(seeded):
    assert seeded.returncode == 1
    assert f"Contracts: 0 kept, {CONTRACTS} broken." in seeded.stdout


@pytest.mark.parametrize("violation", SEEDS)
def test_a_seeded_violation_is_named(seeded, violation):
    assert SEEDS[violation][2] in seeded.stdout


def loaded_after(statement: str, folder: Path) -> set[str]:
    """Return the top names in sys.modules of a fresh process that ran a statement."""
    program = f"import sys\n{statement}\nopen('loaded', 'w').write(' '.join(sys.modules))"
    plain = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "XDG_CACHE_HOME": str(Path.home() / ".cache")}
    command = [sys.executable, "-W", "error", "-c", program]
    outcome = subprocess.run(
        command, cwd=folder, env=plain | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, encoding="utf-8"
    )
    assert outcome.returncode == 0, outcome.stderr
    return {name.partition(".")[0] for name in (folder / "loaded").read_text().split()}


def test_importing_the_package_loads_nothing_heavy(tmp_path):
    heavy = {"PySide6", "pyqtgraph", "numba", "scipy", "matplotlib", "numpy"}
    assert not heavy & loaded_after("import attnsim", tmp_path)


def test_a_scenario_loads_neither_qt_nor_numba_nor_scipy_nor_matplotlib(tmp_path):
    heavy = {"PySide6", "pyqtgraph", "numba", "scipy", "matplotlib"}
    assert not heavy & loaded_after("import attnsim; attnsim.Scenario(dim=8); attnsim.figure", tmp_path)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems always have a display")
@pytest.mark.parametrize("name", HEADLESS)
def test_a_headless_command_leaves_qt_alone(name, tmp_path):
    statement = (
        "from attnsim.__main__ import main\n"
        "try:\n"
        f"    code = main({HEADLESS[name]!r})\n"
        "except SystemExit as end:\n"
        "    code = end.code\n"
        "assert code == 0"
    )
    loaded = loaded_after(statement, tmp_path)
    assert not {"PySide6", "pyqtgraph"} & loaded
    if name in WITHOUT_NUMBA:
        assert not {"numba", "scipy", "matplotlib"} & loaded


@pytest.mark.parametrize("room", REGISTRIES)
def test_every_file_of_a_registry_room_is_registered(room):
    name, support = REGISTRIES[room]
    folder = PACKAGE.joinpath(*room.split("."))
    entries = list(getattr(importlib.import_module(f"attnsim.{room}"), name).values())
    parts = [getattr(entry, f.name) for entry in entries if is_dataclass(entry) for f in fields(entry)]
    entries += [part for part in parts if isinstance(part, FunctionType)]  # such as the function of a reader
    late = {entry.late for entry in entries if hasattr(entry, "late")}
    files = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    assert support <= files, f"{room}: these support files are gone: {support - files}"
    for stem in sorted(files - support - late):
        module = importlib.import_module(f"attnsim.{room}.{stem}")
        made_here = [thing for thing in vars(module).values() if getattr(thing, "__module__", "") == module.__name__]
        made_here += [thing for thing in vars(module).values() if is_dataclass(thing)]
        assert any(entry is thing for entry in entries for thing in made_here), f"{room}/{stem}.py is not in {name}"


def documentation(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return how many lines of a function are its docstring, which may be as long as it has to be."""
    first = function.body[0]
    text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    return first.end_lineno - first.lineno + 1 if text else 0


@pytest.mark.parametrize("path", sources("attnsim", "packaging", "tests"), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_file_and_no_function_is_too_long(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= LONGEST_FILE
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            length = node.end_lineno - node.lineno + 1 - documentation(node)
            assert length <= LONGEST_FUNCTION, f"{node.name} has {length} lines"


def name_of(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def untranslatable(tree: ast.AST) -> list[int]:
    """Return the lines where gettext is handed something that no catalogue can hold."""
    lines = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and name_of(node) in ("_", "mark", "several"):
            sentences = node.args[:2] if name_of(node) == "several" else node.args[:1]
            fixed = (ast.Constant, ast.Name, ast.Attribute, ast.Subscript, ast.IfExp)
            if not all(isinstance(sentence, fixed) for sentence in sentences):
                lines.append(node.lineno)
    return lines


def untranslated(tree: ast.AST) -> list[int]:
    """Return the lines where a user's error is raised with words that did not pass gettext."""
    raised = (node.exc for node in ast.walk(tree) if isinstance(node, ast.Raise))
    calls = (call for call in raised if isinstance(call, ast.Call) and name_of(call) == "ValueError")
    return [call.lineno for call in calls if call.args and isinstance(call.args[0], (ast.Constant, ast.JoinedStr))]


def test_the_checks_of_sentences_can_fail():
    assert untranslatable(ast.parse('_(f"{x} is bad")')) == [1]
    assert untranslatable(ast.parse('_("{x} is bad".format(x=1))')) == [1]
    assert untranslatable(ast.parse('_("{x} is bad").format(x=1)')) == []
    assert untranslated(ast.parse('raise ValueError(f"{x} is bad")')) == [1]
    assert untranslated(ast.parse('raise ValueError(_("{x} is bad").format(x=x))')) == []


@pytest.mark.parametrize("path", sources("attnsim"), ids=lambda path: str(path.relative_to(ROOT)))
def test_sentences_reach_the_catalogue_whole(path):
    assert untranslatable(ast.parse(path.read_text(encoding="utf-8"))) == []


USERS = ("attnsim/choices", "attnsim/cli", "attnsim/files", "attnsim/gui")


@pytest.mark.parametrize("path", sources(*USERS), ids=lambda path: str(path.relative_to(ROOT)))
def test_errors_for_users_pass_through_words(path):
    assert untranslated(ast.parse(path.read_text(encoding="utf-8"))) == []
