"""Lessons in the window: played, left, resumed; what a teacher drops in; and nothing of the user's is lost."""

from dataclasses import fields, replace

import pytest
from PySide6.QtCore import QMimeData, QPointF, QSettings, QStandardPaths, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest

from attnsim.files.lessons import read_lesson, shelf
from attnsim.gui import lesson_progress, theme
from attnsim.gui.lesson_player import LessonPlayer
from attnsim.scenario import Scenario
from attnsim.view import View

LESSON = """---
title: A short one
misconception: "It is always so."
minutes: 1
---

## See

```attnsim
dim: 16
keys: 8
rows: 50
playhead: 4
check: {sd: [0, 9]}
```

Look at **this**.

## Guess

```attnsim
lab: which_d
seed: 3
```

What now?

- [ ] nothing
- [x] something

Something it is.

---

**What to try next.**

- [ρ = 0.5](attnsim:1?dim=16&keys=8&rho=0.5&rows=50)
- [Why √d?](why-sqrt-d.md)
"""


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    """Keep the user's folders out of the tests."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    QStandardPaths.setTestModeEnabled(True)
    yield
    QStandardPaths.setTestModeEnabled(False)


@pytest.fixture
def window(fresh_window):
    """The first picture need not be complete for what is tested here."""
    return fresh_window


@pytest.fixture
def lesson(tmp_path):
    path = tmp_path / "short.md"
    path.write_text(LESSON, encoding="utf-8")
    return read_lesson(path)


@pytest.fixture
def panel(window):
    window.actions_["lessons"].trigger()
    return window.lessons


@pytest.fixture
def shown(window, qtbot):
    """Return what waits until the cards show what runs."""
    session = window.session

    def wait():
        qtbot.waitUntil(
            lambda: (
                window.shown_generation == session.generation
                and session.frame.experiment == session.lab.experiment
                and not window._refresh_timer.isActive()
                and not window.lessons.player._timer.isActive()
            ),
            timeout=60_000,
        )

    return wait


def same_look(view, step):
    """Whether a view is the step's; the playhead may run, and a rule that is not drawn gives way."""
    free = {"hovered"} | ({"playhead"} if step.play else set())
    free |= set() if step.view.rule in step.scenario.scalings else {"rule"}
    return all(getattr(view, f.name) == getattr(step.view, f.name) for f in fields(View) if f.name not in free)


def play_through(window, lesson, look):
    """Play a lesson with few rows, and look at each step."""
    panel, session, player = window.lessons, window.session, window.lessons.player
    few = [replace(step, scenario=step.scenario.but(rows=20)) for step in lesson.steps]
    panel.play(replace(lesson, steps=tuple(few)))
    for number, step in enumerate(few):
        assert player.place.step == number
        if step.choices:
            before = session.page
            assert player.asks
            assert panel.page.answer.isHidden()
            panel.page.prediction.group.button(0).click()
            assert session.page == before, "a choice that is not yet sure must move nothing"
            panel.page.next.click()
        assert (session.lab.key, session.scenario) == (step.lab, step.scenario)
        look(step)
        panel.page.next.click()


@pytest.mark.slow
def test_every_lesson_is_played_to_its_end_and_each_step_is_on_the_screen(window, panel, shown):
    session, seen = window.session, []

    def look(step):
        here = (step.lab, step.scenario, step.view, step.play)
        if here in seen:
            return  # in another language; it has been looked at
        seen.append(here)
        shown()
        assert same_look(session.view, step), (step.title, session.view, step.view)
        assert [each.key for each in window.panels] == list(session.lab.visible(step.view.figures))
        assert not step.play or window.transport.playing or not session.frame.result.moments.size

    for language in ("en", "zh"):
        lessons = shelf(language).lessons
        assert len(lessons) >= 8
        for lesson in lessons:
            assert lesson.language == language
            play_through(window, lesson, look)
            assert panel.player.at_end
            assert panel.page.tries
            assert lesson_progress.place_in(lesson).done
    panel.show_list()
    panel.give_back.click()
    assert session.scenario == Scenario()


def test_the_answer_and_its_numbers_wait_for_the_prediction(window, panel, lesson, shown, qtbot):
    panel.play(lesson)
    shown()
    qtbot.waitUntil(lambda: "Spread over all pairs" in panel.page.numbers.text(), timeout=10_000)
    assert window.transport.scrub.value() == 4
    panel.page.next.click()
    assert window.session.lab.key == "walk"
    assert panel.page.answer.isHidden()
    assert not panel.page.next.isEnabled()
    QTest.mouseClick(panel.page.prediction.words[0], Qt.MouseButton.LeftButton)
    panel.page.next.click()
    assert window.session.lab.key == "which_d"
    assert "Something it is" in panel.page.answer.text()
    assert panel.page.prediction.group.button(0).accessibleName() == "not so: nothing"
    assert panel.page.prediction.group.button(1).accessibleName() == "right: something"


def test_a_guess_may_be_skipped_and_back_goes_back(window, panel, lesson):
    panel.play(lesson)
    window.actions_["lesson_next"].trigger()
    assert panel.player.asks
    assert not window.actions_["lesson_next"].isEnabled()
    panel.page.skip.click()
    assert window.session.lab.key == "which_d"
    window.actions_["lesson_back"].trigger()
    assert (window.session.lab.key, window.session.scenario.dim) == ("walk", 16)
    assert not window.actions_["lesson_back"].isEnabled()


def test_what_was_there_before_comes_back_with_its_view(window, panel, lesson, settle):
    mine = {"dim": 48, "keys": 12, "rho": 0.25}
    window.session.propose(**mine)
    window.session.look(marked=(3,), log_weights=True)
    panel.play(lesson)
    panel.page.next.click()
    panel.page.skip.click()
    window.session.propose(seed=99)
    panel.page.all.click()
    assert window.messages.action.text() == "Back to what I had"
    window.messages.action.click()
    session = window.session
    assert session.lab.key == "walk"
    assert {name: getattr(session.scenario, name) for name in mine} == mine
    assert (session.view.marked, session.view.log_weights) == ((3,), True)
    assert panel.player.before is None
    assert panel.give_back.isHidden()


def test_what_is_changed_after_a_lesson_is_the_users_own_and_what_a_lesson_set_is_not(window, panel, lesson):
    window.session.propose(dim=48)
    panel.play(lesson)
    panel.show_list()
    panel.play(lesson)
    assert panel.player.before.scenario.dim == 48
    panel.show_list()
    window.session.propose(dim=77)
    panel.play(lesson)
    assert panel.player.before.scenario.dim == 77


def test_a_lesson_is_resumed_after_it_was_left_and_after_a_restart(window, panel, lesson):
    window.session.propose(dim=48)
    panel.play(lesson)
    panel.page.next.click()
    panel.page.prediction.group.button(1).click()
    panel.page.next.click()
    panel.show_list()
    panel.play(lesson)
    assert (panel.player.place.step, panel.player.predicted) == (1, 1)
    anew = LessonPlayer(window.session, window.transport, window.documents, window)
    assert anew.before.scenario.dim == 48
    anew.enter(lesson)
    assert (anew.place.step, anew.predicted, anew.asks) == (1, 1, False)
    assert anew.before.scenario.dim == 48
    assert "Something it is" in panel.page.answer.text()


def test_damaged_progress_begins_at_the_beginning(lesson):
    for kept in ("{", "[]", '{"short": 3}', f'{{"{lesson.path}": {{"step": 77, "predicted": {{}}, "done": true}}}}'):
        QSettings().setValue(lesson_progress.PLACES, kept)
        place = lesson_progress.place_in(lesson)
        assert (place.step, place.predicted) == (0, {})


def test_the_list_says_what_is_done_and_half_done(window, panel):
    first = panel.shelf.lessons[0]
    panel.play(first)
    panel.page.next.click()
    panel.show_list()
    said = panel.list.item(0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said == f"{first.title}, 2 minutes, step 2 of {len(first.steps)}"
    assert panel.list.currentRow() == 0
    lesson_progress.keep(first, lesson_progress.Place(step=len(first.steps), done=True))
    panel.fill()
    assert panel.list.item(0).data(Qt.ItemDataRole.AccessibleTextRole).endswith("done")


def test_the_language_of_the_lessons_is_chosen_and_kept(window, panel):
    assert panel.shelf.lessons[0].language == "en"
    panel.language.setCurrentIndex(panel.language.findData("zh"))
    panel.language.activated.emit(panel.language.currentIndex())
    assert {lesson.language for lesson in panel.shelf.lessons} == {"zh"}
    assert lesson_progress.chosen_language() == "zh"


def test_a_file_that_is_dropped_plays_and_leads_on(window, lesson):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(lesson.path))])
    buttons_, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, buttons_, keys))
    page, player = window.lessons.page, window.lessons.player
    assert player.lesson.title == "A short one"
    assert window.session.scenario.dim == 16
    page.next.click()
    page.skip.click()
    page.next.click()
    assert [button.text() for button in page.tries] == ["ρ = 0.5", "Why √d?", "Back to what I had"]
    page.tries[0].click()
    assert (window.session.lab.key, window.session.scenario.rho) == ("walk", 0.5)
    page.tries[1].click()
    assert player.lesson.key == "why-sqrt-d"
    assert player.before.scenario == Scenario()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("## One\n\n```attnsim\ndimm: 3\n```\n", "broken.md, line 3: 'dimm' is unknown; did you mean dim?"),
        ("## One\n\n```attnsim\ndim: 0\n```\n", "broken.md, line 3: dim must be a whole number in 1..65536, not 0"),
        ("words alone\n", "broken.md, line 1: a lesson needs a step"),
    ],
)
def test_a_teachers_mistake_is_one_sentence_with_file_and_line_and_nothing_moves(window, tmp_path, text, said):
    path = tmp_path / "broken.md"
    path.write_text(text, encoding="utf-8")
    before = window.session.page
    window.documents.open(path)
    assert window.messages.label.text().startswith(said)
    assert "\n" not in window.messages.label.text()
    assert window.messages.property("tone") == "bad"
    assert window.session.page == before
    assert window.lessons is None


def test_a_broken_file_in_the_users_folder_is_named_under_the_list(window, panel, tmp_path):
    folder = tmp_path / "data" / "attnsim" / "lessons"
    folder.mkdir(parents=True)
    (folder / "mine.md").write_text("## One\n\n```attnsim\nkeys: none\n```\n", encoding="utf-8")
    panel.fill()
    assert panel.problems.text().startswith("mine.md, line 3:")
    assert panel.list.count() >= 8


def test_only_a_persons_window_offers_and_its_close_gives_back(window, qtbot, settle, lesson):
    settle()
    for old in window.documents.folder().glob("session-*.attnsim"):
        old.unlink()
    window.session.propose(dim=48)
    settle()
    window.welcome()
    qtbot.waitUntil(window.messages.isVisible, timeout=10_000)
    window.messages.action.click()
    assert window.lessons.player.lesson.key == "why-sqrt-d"
    assert window.session.scenario.dim == 64
    window.close()
    assert window.documents.last().is_file()
    assert window.session.scenario.dim == 48


def test_f2_closes_and_opens_where_the_lesson_was(window, panel, lesson):
    panel.play(lesson)
    window.actions_["lessons"].trigger()
    assert panel.isHidden()
    assert panel.player.lesson is None
    assert window.messages.action.text() == "Back to what I had"
    assert not window.header.lessons.isChecked()
    window.session.propose(dim=99)
    window.header.lessons.click()
    assert panel.player.lesson is lesson
    assert window.session.scenario.dim == 16
    assert panel.player.before.scenario.dim == 99


def test_the_keyboard_reaches_everything_and_everything_has_a_name(window, panel, lesson):
    panel.list.setFocus()
    QTest.keyClick(panel.list, Qt.Key.Key_Space)
    assert panel.player.lesson.key == "why-sqrt-d"
    assert not window.transport.playing or panel.player.step.play
    QTest.keyClick(panel.page.next, Qt.Key.Key_Return)
    assert panel.player.place.step == 1
    first = panel.page.prediction.group.button(0)
    QTest.keyClick(first, Qt.Key.Key_Space)
    QTest.keyClick(panel.page.next, Qt.Key.Key_Space)
    assert panel.player.predicted == 0
    for part in (panel, panel.list, panel.page.next, panel.page.body, panel.language, first, panel._close):
        assert part.accessibleName()
    assert panel.page.body.accessibleName().startswith("Step 2 of 4: ")
    for part in (panel.page.next, panel.page.back, panel.page.all, panel.page.again, panel.page.body, first):
        assert part.focusPolicy() & Qt.FocusPolicy.TabFocus


def test_nothing_is_read_while_it_plays(window, panel, lesson, shown, monkeypatch, qtbot):
    panel.play(lesson)
    shown()
    calls = []
    monkeypatch.setattr(panel.player, "numbers", lambda: calls.append(1) or [])
    window.transport.toggle()
    calls.clear()
    window.session.look(playhead=9)
    qtbot.wait(400)
    assert window.transport.playing
    assert not calls
    window.transport.pause()
    qtbot.waitUntil(lambda: bool(calls), timeout=5_000)


def test_both_themes_colour_its_words_and_a_narrow_window_gives_it_one_of_its_own(window, panel, lesson):
    panel.play(lesson)
    for chosen in (theme.DARK, theme.LIGHT):
        window.set_theme(chosen, remembered=False)
        assert chosen.text in panel.page.text.text()
    window.actions_["lessons"].trigger()
    window.resize(1000, 700)
    window.actions_["lessons"].trigger()
    assert panel.isFloating()
