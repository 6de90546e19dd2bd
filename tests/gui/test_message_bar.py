"""The sentence over the lower edge: what it hides, and how long it is true."""

from attnsim.gui import commands
from attnsim.labs import LABS


def test_an_offer_of_a_lab_goes_with_the_lab(window):
    window.session.go_to("planted")
    commands.offer(window, LABS["planted"])
    assert "Correlation of q and k 0.5, Dimension 64, Keys 512" in window.messages.label.text()
    window.session.go_to("walk")
    commands.offer(window, LABS["walk"])
    assert not window.messages.isVisible()


def test_an_offer_of_a_lab_does_not_push_aside_what_a_crash_left(window):
    taken = []
    window.messages.ask("The last session ended without being closed.", "Restore it", lambda: taken.append(1))
    commands.offer(window, LABS["planted"])
    window.messages.pass_by()
    window.messages.action.click()
    assert taken == [1]


def test_an_offer_hides_no_figure_and_gives_its_room_back(window, qtbot):
    height = window.stage.height()
    window.messages.ask("Well?", "Yes", lambda: None)
    qtbot.waitUntil(lambda: window.stage.height() < height, timeout=5_000)
    qtbot.waitUntil(lambda: not window.messages.geometry().intersects(window.stage.geometry()), timeout=5_000)
    assert not window.messages.geometry().intersects(window.transport.geometry())
    window.messages.close_button.click()
    qtbot.waitUntil(lambda: window.stage.height() == height, timeout=5_000)


def test_news_stand_over_the_numbers_where_nothing_can_be_played(window):
    window.transport.hide()
    window.messages.tell("Done")
    assert window.messages.geometry().bottom() < window.readouts.y()
