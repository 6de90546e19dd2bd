"""`attnsim lessons`."""

import subprocess
import sys

import pytest

from attnsim.files.resources import resource


@pytest.fixture(autouse=True)
def no_own_lessons(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def test_lessons_are_listed_for_people_and_programs(attnsim):
    found = attnsim("lessons", "--json").json
    assert found["problems"] == []
    assert found["lessons"][0]["key"] == "why-sqrt-d"
    assert found["lessons"][0]["steps"][1]["predict"] == 3
    assert "Why √d?" in attnsim("lessons").out
    assert "为什么" in attnsim("lessons", "--language", "zh").out


def test_a_teachers_file_is_checked(attnsim, tmp_path):
    good = attnsim("lessons", "check", resource("lessons/en/why-sqrt-d.md"))
    assert (good.code, good.error) == (0, "")
    assert "4 steps" in good.out
    path = tmp_path / "mine.md"
    path.write_text("## One\n\n```attnsim\ndim: 4\nrows: 20\ncheck: {sd/theory: [3, 4]}\n```\n", encoding="utf-8")
    wrong = attnsim("lessons", "--json", "check", path)
    assert wrong.code == 1
    assert "step 1: sd/theory is 2, not in 3..4" in wrong.json["findings"]
    path.write_text("## One\n\n```attnsim\ndim: -4\n```\n", encoding="utf-8")
    bad = attnsim("lessons", "check", path)
    assert (bad.code, bad.error.count("\n")) == (2, 1)
    assert "mine.md, line 3: dim must be a whole number" in bad.error


def test_the_readers_of_lessons_are_not_loaded_before_a_lesson_is_read():
    program = "import sys; import attnsim.files.lessons, attnsim.cli; print({'yaml', 'markdown_it'} & set(sys.modules))"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "set()"
