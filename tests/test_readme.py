"""What the README says of the labs is what the program has."""

import re
from pathlib import Path

from attnsim.labs import LABS

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def test_the_readme_lists_every_lab_with_all_its_figures_in_order():
    section = README.partition("## The labs")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \|[^|]+\| ([^|]+) \|$", section, re.MULTILINE)
    assert {lab: tuple(figures.strip().split(", ")) for lab, figures in rows} == {
        lab.key: lab.figures for lab in LABS.values()
    }
    assert [lab for lab, _figures in rows] == list(LABS)


def test_every_command_the_readme_shows_is_one():
    from attnsim.cli import COMMANDS

    shown = set(re.findall(r"^    attnsim ([a-z_-]+)", README, re.MULTILINE))
    assert shown
    assert shown <= set(COMMANDS)
