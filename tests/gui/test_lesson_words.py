"""Words of a lesson as rich text, and its links as buttons."""

import pytest

from attnsim.files.lessons import shelf
from attnsim.files.link import from_link, is_link
from attnsim.gui import theme
from attnsim.gui.lesson_words import buttons, plain, rich, without_buttons
from attnsim.scenario import Scenario


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_button_at_an_end_opens_a_scenario_or_a_lesson(language):
    lessons = shelf(language).lessons
    known = {lesson.key for lesson in lessons}
    for lesson in lessons:
        assert "](" not in without_buttons(lesson.ending)
        for words, target in buttons(lesson.ending):
            assert words
            if is_link(target):
                state, said = from_link(target)
                assert not said
                assert state.scenario != Scenario()
            else:
                assert target.removesuffix(".md") in known, (lesson.key, target)


def test_markdown_keeps_html_of_a_strangers_file_as_text():
    assert "<script" not in rich("<script>x</script>", theme.LIGHT)
    assert plain("a **b** `c`") == "a b c"
