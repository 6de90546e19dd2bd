"""Reads what an installer leaves out; the list itself, with a reason for each entry, is `trims.toml`."""

import re
import tomllib
from pathlib import Path

LIST = Path(__file__).with_name("trims.toml")


def entries():
    """Return the list as it is written: kind -> entries with `names` or `patterns`, and `reason`."""
    return tomllib.loads(LIST.read_text(encoding="utf-8"))


def modules():
    """Return the names of the modules that are not collected."""
    return [name for entry in entries()["modules"] for name in entry["names"]]


def file_pattern():
    """Return the pattern of the files that are taken out again, matched against their place in the program."""
    return re.compile("|".join(f"(?:{one})" for entry in entries()["files"] for one in entry["patterns"]))


def trimmed_module(name):
    """Return whether a module is left out, itself or with its package."""
    return any(name == left or name.startswith(left + ".") for left in modules())
