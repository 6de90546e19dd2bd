"""Pixels of matrices, whiskers and colour bars, and what is read on a card."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

from attnsim.figures.marks import Axis, Figure, Heat, Line, Paragraph, Plot, Table, Whiskers
from attnsim.figures.palette import scale_color
from attnsim.gui.app import application
from attnsim.gui.panel import FigurePanel
from attnsim.gui.plot_view import PlotView
from attnsim.gui.theme import DARK, LIGHT

UNIT = np.array([0.0, 0.5, 1.0])
RULES = Table(("rule", "spread"), (("none", "11.31"), ("÷ √d", "1.002")), ("rule_none", "rule_inverse_sqrt"))
PAGE = (Paragraph("Why √d?", "heading"), Paragraph("A sum of products & more."))


@pytest.fixture
def view(qtbot):
    application()
    view = PlotView()
    qtbot.addWidget(view)
    view.resize(400, 300)
    view.show()
    qtbot.waitExposed(view)
    return view


@pytest.fixture
def panel(qtbot):
    application()
    panel = FigurePanel("a")
    qtbot.addWidget(panel)
    panel.resize(420, 500)
    panel.show()
    qtbot.waitExposed(panel)
    return panel


def figure(*plots, **parts):
    return Figure("a", "Title", "", "", plots, "One sentence.", **parts)


def words(pane):
    return " ".join(pane.toPlainText().split())


def hue(view, x, y):
    """Colour of the pixel at shares of the frame."""
    frame = view.box.sceneBoundingRect()
    at = int(frame.left() + x * frame.width()), int(frame.bottom() - y * frame.height())
    return view.grab().toImage().pixelColor(*at).name()


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("scale", ["sequential", "diverging"])
def test_cells_have_their_colours_where_the_data_say_and_nan_is_the_card(view, theme, scale):
    heat = Heat(UNIT, UNIT, np.array([[-1.0, 0.0], [1.0, np.nan]]), -1.0, 1.0, scale, bar=False)
    view.show_plot(Plot("a", Axis("x"), Axis("y", ticks=()), (heat,)), theme)
    view.set_left(view.needed_left())
    shares = {(0.25, 0.25): 0.0, (0.75, 0.25): 0.5, (0.25, 0.75): 1.0}
    for place, share in shares.items():
        assert hue(view, *place) == scale_color(scale, share, theme.name)
    assert hue(view, 0.75, 0.75) == theme.card


def test_cells_end_at_their_edges_within_a_pixel_also_on_a_logarithmic_axis(view):
    heat = Heat(np.array([1.0, 10.0, 1000.0]), UNIT[::2], np.array([[0.0, 1.0]]), 0.0, 1.0, bar=False)
    view.show_plot(Plot("a", Axis("x", 1.0, 1000.0, True), Axis("y"), (heat,)), LIGHT)
    frame, image = view.box.sceneBoundingRect(), view.grab().toImage()
    y = int(frame.center().y())
    first, second = (scale_color("sequential", share, "light") for share in (0.0, 1.0))
    row = [image.pixelColor(x, y).name() for x in range(int(frame.left()) + 1, int(frame.right()))]
    assert row.count(first) == pytest.approx(frame.width() / 3, abs=1.5)
    assert row.count(second) == pytest.approx(2 * frame.width() / 3, abs=1.5)


def test_other_values_move_into_the_picture_that_is_there(view):
    for values in (np.zeros((2, 2)), np.ones((2, 2))):
        plot = Plot("a", Axis("x"), Axis("y"), (Heat(UNIT, UNIT, values, 0.0, 1.0),))
        view.show_plot(plot, LIGHT)
        items = [each.item for each in view._holders]
        assert hue(view, 0.5, 0.5) == scale_color("sequential", values[0, 0], "light")
    assert [each.item for each in view._holders] == items


def test_whiskers_end_where_the_data_say(view):
    mark = Whiskers(np.array([0.5, 0.75]), np.array([0.25, np.nan]), np.array([0.75, 1.0]), "rule_none", 3.0)
    view.show_plot(Plot("a", Axis("x"), Axis("y", ticks=()), (mark,)), LIGHT)
    frame, image = view.box.sceneBoundingRect(), view.grab().toImage()
    middle = int(frame.center().x())
    rows = [y for y in range(8, int(frame.bottom()) - 1) if image.pixelColor(middle, y).name() != LIGHT.card]
    assert LIGHT.color("rule_none").name() == image.pixelColor(middle, rows[9]).name()
    assert rows[-1] + 1 == pytest.approx(frame.bottom() - 0.25 * frame.height(), abs=1.0)
    assert rows[0] == pytest.approx(frame.bottom() - 0.75 * frame.height(), abs=1.0)
    assert len(rows) == rows[-1] - rows[0] + 1
    aside = {image.pixelColor(int(frame.left() + 0.75 * frame.width()), y).name() for y in rows}
    assert aside == {LIGHT.card}  # nan


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_a_colour_bar_runs_from_its_low_end_below_to_its_high_end_above(panel, theme):
    heat = Heat(UNIT, UNIT, np.zeros((2, 2)), 0.0, 1.0, title="weight")
    plots = [Plot("a", Axis("x"), Axis("y"), (heat,)), Plot("b", Axis("x"), Axis("y"), (Line(UNIT, UNIT),))]
    panel.show_figure(figure(*plots), theme)
    above, below = panel.views
    frame, image = above.box.sceneBoundingRect(), above.grab().toImage()
    assert frame.right() == below.box.sceneBoundingRect().right() < above.width() - 50
    column = [image.pixelColor(int(frame.right()) + 20, int(y)).name() for y in (frame.top() + 2, frame.bottom() - 2)]
    shades = [
        [scale_color("sequential", s, theme.name) for s in np.linspace(a, b, 20)] for a, b in ((0.93, 1), (0, 0.07))
    ]
    assert column[0] in shades[0]
    assert column[1] in shades[1]


def test_a_table_alone_takes_the_card_and_its_words_can_be_copied(panel):
    panel.show_figure(figure(table=RULES, page=PAGE), LIGHT)
    pane = panel.reading
    assert pane.isVisible()
    assert not panel._stack.isVisible()
    assert words(pane) == "rule spread none 11.31 ÷ √d 1.002 Why √d? A sum of products & more."
    pane.selectAll()
    assert "11.31" in pane.textCursor().selectedText()
    assert pane.focusPolicy() & Qt.FocusPolicy.TabFocus
    assert pane.accessibleName() == "Title"
    assert LIGHT.words("rule_none").name() in pane.toHtml()


def test_a_table_under_plots_takes_only_what_its_rows_need_and_goes_when_it_is_gone(panel):
    plot = Plot("a", Axis("x"), Axis("y"), (Line(UNIT, UNIT),))
    panel.show_figure(figure(plot, table=RULES), LIGHT)
    panel.layout().activate()
    assert panel.reading.height() < 110 < panel._stack.height()
    assert not panel.reading.verticalScrollBar().isVisible()
    panel.show_figure(figure(plot), LIGHT)
    assert not panel.reading.isVisible()
    assert panel._stack.isVisible()


def test_other_numbers_move_into_the_cells_and_equal_ones_change_nothing(panel):
    panel.show_figure(figure(table=RULES), LIGHT)
    document, changes = panel.reading.document(), []
    document.contentsChange.connect(lambda *change: changes.append(change))
    panel.show_figure(figure(table=Table(RULES.heads, RULES.rows, RULES.roles)), LIGHT)
    assert changes == []
    moved = Table(RULES.heads, (("none", "12.5"), RULES.rows[1]), RULES.roles)
    panel.show_figure(figure(table=moved), LIGHT)
    assert panel.reading.document() is document
    assert len(changes) == 1
    assert words(panel.reading) == "rule spread none 12.5 ÷ √d 1.002"
    panel.show_figure(figure(table=moved), DARK)
    assert DARK.words("rule_none").name() in panel.reading.toHtml()
    assert "12.5" in panel.reading.toPlainText()
