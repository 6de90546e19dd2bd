"""The README's example of a new scale rule is complete: one file and one line, and it is everywhere."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent

TRY = """
import json
from pathlib import Path
import numpy as np
import attnsim
from attnsim.choices.scalings import parse
from attnsim.scenario import offered_scalings

assert Path(attnsim.__file__).is_relative_to(Path.cwd()), attnsim.__file__
assert offered_scalings()[-1] == "inverse_log"
rule = parse("inverse_log")
assert np.allclose(rule.multiplier([1, 64]), 1 / np.log([2, 65]))
raw, scaled = attnsim.table([16, 64], 8, scalings=("none", "inverse_log"), rows=50)[2:]
assert np.isclose(scaled["sd"], raw["sd"] / np.log(65))
result = attnsim.run(attnsim.Scenario(dim=16, keys=8, rows=20, scalings=("none", "inverse_log")))
figure = attnsim.figure(result, "weights")
assert figure.plots[1].heading[0] == (rule.title, "rule_inverse_log")
figure.save("weights.svg")
print(rule.title)
"""


def test_the_example_of_the_readme_gives_a_rule_that_the_table_and_the_figures_know(tmp_path):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    section = readme[readme.index("### Adding a scale rule") :]
    place = re.search(r"One file, `(attnsim/choices/scalings/\w+\.py)`", section)[1]
    code = re.search(r"```python\n(.*?)```", section, re.DOTALL)[1]
    line, registry = re.search(r"one line, `([^`]+)`, in `([^`]+)`", section).groups()
    shutil.copytree(ROOT / "attnsim", tmp_path / "attnsim", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "resources", tmp_path / "resources", ignore=shutil.ignore_patterns("pictures"))
    (tmp_path / place).write_text(code, encoding="utf-8")
    entries = tmp_path / registry
    text = entries.read_text(encoding="utf-8")
    name = line.partition(".")[0]
    text = text.replace("        custom.SCALING,\n", f"        custom.SCALING,\n        {line}\n")
    text = text.replace("    custom,\n", f"    custom,\n    {name},\n")
    entries.write_text(text, encoding="utf-8")
    outcome = subprocess.run(
        [sys.executable, "-W", "error", "-c", TRY],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert outcome.returncode == 0, outcome.stderr
    assert outcome.stdout.strip() == "÷ ln d"
    assert (tmp_path / "weights.svg").stat().st_size > 1000
