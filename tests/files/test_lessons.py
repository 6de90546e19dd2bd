"""Lessons: what they say is true, and what is wrong in a file is named with its line."""

from dataclasses import replace

import pytest

from attnsim.choices.sections.which_d import WhichD
from attnsim.files.lessons import LessonError, read_lesson, shelf, user_folder
from attnsim.files.lessons.records import Claim
from attnsim.files.lessons.verify import doubts, verified
from attnsim.files.resources import resource
from attnsim.labs import LABS
from attnsim.scenario import Scenario
from attnsim.view import View

ENGLISH = {path.stem: path for path in sorted(resource("lessons/en").glob("*.md"))}
CHINESE = {path.stem: path for path in sorted(resource("lessons/zh").glob("*.md"))}

WHOLE = """---
title: Three steps
misconception: "It is 3."
minutes: 1.5
order: 2
---
# Another title

Before.

## First

```attnsim
lab: walk
dim: 16
keys: 4
rows: 50
scalings: none, inverse_sqrt
mean-q: 1e-3
play: yes
```

Words with `code`, and

```python
## no heading
```

* a plain list

## Second

```attnsim
dim: 64
marked: 1, 3
playhead: 32
check:
  sd/theory: [5.6, 5.7]
```

Which one?

1. [ ] wrong
   in two lines
2. [X] right

Because.

## Third

```attnsim
lab: which_d
heads: 4
reveal: shown
figures: [which_d_answer]
rows: 20
```

---

Go on.
"""


@pytest.fixture(autouse=True)
def own_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr("sys.platform", "linux")
    return tmp_path / "data" / "attnsim" / "lessons"


def lesson_of(tmp_path, text, name="one.md"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read_lesson(path)


def refusal(tmp_path, text):
    with pytest.raises(LessonError) as caught:
        lesson_of(tmp_path, text)
    return str(caught.value)


def test_there_are_eight_lessons_or_more_in_both_languages():
    assert len(ENGLISH) >= 8
    assert list(ENGLISH) == list(CHINESE)


@pytest.mark.slow
@pytest.mark.parametrize("key", ENGLISH)
def test_every_number_a_lesson_speaks_of_is_that_of_the_experiment(key):
    lesson = read_lesson(ENGLISH[key])
    assert doubts(lesson) == ()
    assert sum(len(step.claims) for step in lesson.steps) >= 3


@pytest.mark.parametrize("key", ENGLISH)
def test_the_chinese_lesson_has_the_same_steps(key):
    english, chinese = read_lesson(ENGLISH[key]), read_lesson(CHINESE[key])
    names = ("lab", "scenario", "view", "play", "claims")
    for one, other in zip(english.steps, chinese.steps, strict=True):
        assert [getattr(one, name) for name in names] == [getattr(other, name) for name in names]
        assert [choice.right for choice in one.choices] == [choice.right for choice in other.choices]
        assert any("\u4e00" <= sign <= "\u9fff" for sign in other.title + other.text)
    assert (english.minutes, english.order) == (chinese.minutes, chinese.order)


@pytest.mark.parametrize("key", ENGLISH)
@pytest.mark.parametrize("files", [ENGLISH, CHINESE], ids=["en", "zh"])
def test_a_lesson_has_three_to_six_steps_a_prediction_and_an_ending(key, files):
    lesson = read_lesson(files[key])
    assert 3 <= len(lesson.steps) <= 6
    assert lesson.misconception
    assert lesson.ending
    asked = [step for step in lesson.steps if step.choices]
    assert asked
    assert all(step.answer for step in asked)
    for step in lesson.steps:
        assert step.title
        assert step.text
        assert set(step.view.figures) <= set(LABS[step.lab].figures)
        assert step.view.playhead is None or step.view.playhead <= step.scenario.dim


def test_the_shortest_lesson_takes_two_minutes_and_asks_why_the_root():
    for language in ("en", "zh_CN.UTF-8"):
        found = shelf(language)
        assert found.problems == ()
        assert found.shortest.key == "why-sqrt-d"
        assert found.shortest.minutes == 2.0
        assert found.lessons[0] is found.shortest
    assert "为什么" in found.shortest.title


def test_a_file_is_read_as_it_is_meant(tmp_path):
    lesson = lesson_of(tmp_path, WHOLE)
    assert (lesson.key, lesson.title, lesson.minutes, lesson.order) == ("one", "Three steps", 1.5, 2.0)
    assert (lesson.misconception, lesson.intro, lesson.ending) == ("It is 3.", "Before.", "Go on.")
    first, second, third = lesson.steps
    wanted = Scenario(dim=16, keys=4, rows=50, scalings=("none", "inverse_sqrt"), mean_q=1e-3)
    assert (first.lab, first.scenario, first.play, first.choices) == ("walk", wanted, True, ())
    assert first.text.endswith("* a plain list")
    assert "## no heading" in first.text
    assert second.scenario == replace(wanted, dim=64)
    assert second.view == View(marked=(1, 3), playhead=32)
    assert [(choice.text, choice.right) for choice in second.choices] == [
        ("wrong in two lines", False),
        ("right", True),
    ]
    assert (second.text, second.answer, second.play) == ("Which one?", "Because.", False)
    assert second.claims == (Claim("sd/theory", 5.6, 5.7),)
    assert third.scenario.section == WhichD(heads=4)
    assert (third.scenario.dim, third.scenario.keys) == (64, 4)
    assert (third.view.pick("reveal", "hidden"), third.view.figures) == ("shown", ("which_d_answer",))


def test_a_pick_with_the_name_of_a_field_is_named_under_show_and_off_is_a_word(tmp_path):
    block = "## Step\n\n```attnsim\nlab: {lab}\n{line}\n```\n"
    step = lesson_of(tmp_path, block.format(lab="formats", line="show: {format: bf16}")).steps[0]
    assert (step.view.pick("format", "fp16"), step.scenario.format) == ("bf16", "fp64")
    gradients = lesson_of(tmp_path, block.format(lab="gradients", line="training: off")).steps[0]
    assert gradients.scenario.section.training == "off"
    assert lesson_of(tmp_path, block.format(lab="walk", line="mask: no")).steps[0].scenario.mask == "none"


def test_a_step_may_start_afresh(tmp_path):
    lesson = lesson_of(tmp_path, WHOLE + "")
    fresh = WHOLE.replace("lab: which_d\nheads: 4\nreveal: shown\nfigures: [which_d_answer]\nrows: 20", "fresh: yes")
    assert lesson_of(tmp_path, fresh).steps[2].scenario == Scenario()
    assert lesson.steps[2].scenario != Scenario()


def test_the_example_of_the_guide_is_a_lesson(tmp_path):
    guide = resource("lessons/README.md").read_text(encoding="utf-8")
    example = guide.split("## A whole lesson\n")[1].split("## What the parts mean")[0]
    lesson = lesson_of(tmp_path, "\n".join(line.removeprefix("    ") for line in example.splitlines()))
    assert (lesson.title, len(lesson.steps), lesson.ending) == ("Why √d?", 2, "What to try next.")
    assert doubts(lesson) == ()


def test_the_least_a_lesson_can_be_is_a_heading(tmp_path):
    lesson = lesson_of(tmp_path, "## Look\n\nat the walks.\n")
    assert (lesson.title, lesson.minutes, lesson.steps[0].scenario) == ("one", 5.0, Scenario())
    assert lesson.steps[0].text == "at the walks."


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("dim: 16", "dim: 0", "one.md, line 13: dim must be a whole number in 1..65536, not 0"),
        ("dim: 16", "dimm: 16", "one.md, line 13: 'dimm' is unknown; did you mean dim?"),
        ("lab: walk", "lab: wlak", "one.md, line 13: lab must be one of walk"),
        ("scalings: none, inverse_sqrt", "scalings: nonsense", "one.md, line 13: "),
        ("play: yes", "show: {nothing: at all}", "line 13: nothing must be one of"),
        ("play: yes", "check: 3", "line 13: check must hold lines such as"),
        ("play: yes", "play: often", "line 13: play must be yes or no, not 'often'"),
        ("keys: 4", "keys: [", "one.md, line 1"),
        ("heads: 4", "heads: 999", "line 51: heads must be a whole number in 1..256, not 999"),
        ("reveal: shown", "reveal: perhaps", "line 51: reveal must be one of hidden, shown, not 'perhaps'"),
        ("[which_d_answer]", "[walk]", "line 51: figures must be one of which_d_code"),
        ("[5.6, 5.7]", "[9, 5.7]", "line 33: check: sd/theory must name a lowest and a highest number"),
        ("[5.6, 5.7]", "8", "line 33: check: sd/theory must name a lowest and a highest number"),
        ("[X] right", "[ ] right", "line 31: one choice, and one alone, must be marked [x], not 0"),
        ("playhead: 32", "playhead: -1", "line 33: playhead must be a whole number, 0 or more, not -1"),
        ("minutes: 1.5", "minutes: some", "line 1: minutes must be a number, not 'some'"),
        ("order: 2", "ordre: 2", "line 1: ordre is unknown here; known are title"),
        ("order: 2\n---", "order: 2", "one.md, line "),
    ],
)
def test_what_is_wrong_is_named_with_its_line(tmp_path, old, new, sentence):
    assert old in WHOLE
    said = refusal(tmp_path, WHOLE.replace(old, new))
    assert sentence in said
    assert "\n" not in said


def test_files_that_are_no_text_or_no_lesson_are_refused(tmp_path):
    assert "needs a step" in refusal(tmp_path, "only words\n")
    assert "needs a step" in refusal(tmp_path, "")
    assert "settings belong under the heading" in refusal(tmp_path, "```attnsim\ndim: 4\n```\n\n## Step\n")
    assert "front matter is missing" in refusal(tmp_path, "---\ntitle: x\n\n## Step\n")
    (tmp_path / "latin.md").write_bytes("## Schön\n".encode("latin-1"))
    with pytest.raises(LessonError, match=r"latin\.md, line 1: it must be saved as UTF-8"):
        read_lesson(tmp_path / "latin.md")
    with pytest.raises(LessonError, match=r"none\.md, line 1: it cannot be read"):
        read_lesson(tmp_path / "none.md")
    (tmp_path / "long.md").write_bytes(b"x" * 1_000_001)
    with pytest.raises(LessonError, match="1,000,000 bytes at most"):
        read_lesson(tmp_path / "long.md")


def test_a_teacher_adds_and_replaces_lessons_by_dropping_files(own_folder):
    (own_folder / "zh").mkdir(parents=True)
    (own_folder / "mine.md").write_text("---\norder: 0\n---\n## Mine\n\nWords.\n", encoding="utf-8")
    (own_folder / "zh" / "means.md").write_text("## 我的\n\n文字\n", encoding="utf-8")
    (own_folder / "broken.md").write_text("## Step\n\n```attnsim\ndim: zero\n```\n", encoding="utf-8")
    english, chinese = shelf("en"), shelf("zh")
    assert english.lessons[0].key == chinese.lessons[0].key == "mine"
    assert len(english.lessons) == len(ENGLISH) + 1
    assert {lesson.key: lesson.steps[0].title for lesson in chinese.lessons}["means"] == "我的"
    assert {lesson.key: lesson.language for lesson in english.lessons}["means"] == "en"
    assert len(english.problems) == 1
    assert english.problems[0].startswith("broken.md, line 3: dim must be a whole number")


def test_an_unknown_language_gets_the_english_lessons():
    assert [lesson.key for lesson in shelf("eo").lessons] == [lesson.key for lesson in shelf("en").lessons]


def test_the_users_folder_is_the_systems_place_for_data(monkeypatch, tmp_path):
    monkeypatch.setattr("sys.platform", "linux")
    assert user_folder() == tmp_path / "data" / "attnsim" / "lessons"
    monkeypatch.delenv("XDG_DATA_HOME")
    assert user_folder().parts[-4:] == (".local", "share", "attnsim", "lessons")[-4:]
    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    assert user_folder() == tmp_path / "attnsim" / "lessons"


def test_a_number_that_is_not_as_claimed_is_named(tmp_path):
    text = WHOLE.replace("[5.6, 5.7]", "[9, 10]").replace("---\n\nGo on.\n", "")
    found = doubts(lesson_of(tmp_path, text))
    assert found[0] == "step 2: sd/theory is 5.65686, not in 9..10"
    assert "what to try next" in found[1]
    step = lesson_of(tmp_path, WHOLE.replace("sd/theory: [5.6, 5.7]", "nothing: [0, 1]")).steps[1]
    with pytest.raises(ValueError, match="there is no nothing; known are row_mean"):
        verified(step)


def test_a_claim_reaches_a_record_inside_records(tmp_path):
    step = lesson_of(tmp_path, WHOLE).steps[2]
    claims = tuple(Claim(key, 0.0, 9.0) for key in ("variants/twice/spread", "variants/twice/spread/theory", "rows"))
    value, theory, rows = (found.value for found in verified(replace(step, claims=claims)))
    assert theory == pytest.approx(1 / 8)
    assert value == pytest.approx(theory, rel=0.2)
    assert rows == 20.0
