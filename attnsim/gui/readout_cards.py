"""Cards under the panels: a measured number, its theory, and a gauge that shows how they agree."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from attnsim.experiments.result import Record
from attnsim.figures.readouts import Readout
from attnsim.figures.summaries import summary_of
from attnsim.gui import tips
from attnsim.gui.theme import LIGHT, Theme, font
from attnsim.view import View

LEAST_WIDTH = 172
HEIGHT = 86
GAUGE, LEAST_GAUGE = 78.0, 36.0


VALUE_SIZES = (23, 20, 17, 14)


def _value_font(size: int) -> QFont:
    return font(size, QFont.Weight.DemiBold)


def _fits(text: str, face: QFont, room: float) -> bool:
    return QFontMetricsF(face).horizontalAdvance(text) <= room


class ReadoutCard(QWidget):
    """One card, painted by hand: a dozen labels a frame would cost more than the plots."""

    def __init__(self) -> None:
        super().__init__()
        self.readout: Readout | None = None
        self._theme = LIGHT
        self._tip = ""
        self.setFixedHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_readout(self, readout: Readout, theme: Theme, of_file: bool = False) -> None:
        """Show a number; the same one again is not painted again."""
        if readout != self.readout or theme is not self._theme:
            self.readout, self._theme = readout, theme
            self.update()
            tip = tips.card(readout, of_file)
            if tip != self._tip:
                self._tip = tip
                self.setToolTip(tip)
                self.setWhatsThis(tip)

    def describe(self) -> None:
        """Hand the numbers to screen readers."""
        if self.readout is not None:
            each = self.readout
            self.setAccessibleName(each.title)
            self.setAccessibleDescription(
                " · ".join(filter(None, (each.value_text, each.theory_text, each.deviation_text)))
            )

    def _tone(self) -> QColor:
        names = {"good": self._theme.good, "warn": self._theme.bad, "saturated": self._theme.warn}
        return QColor(names.get(self.readout.tone, self._theme.muted))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw frame, title, number, theory and gauge."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self._theme.hairline), 1.0))
        painter.setBrush(QColor(self._theme.card))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
        if self.readout is None:
            return
        self._write(painter)
        if self.readout.low is not None and self.readout.theory is not None:
            free = self.width() - 38 - QFontMetricsF(font(12)).horizontalAdvance(self.readout.theory_text)
            room = min(GAUGE, free)
            if room >= LEAST_GAUGE:
                self._gauge(painter, QRectF(self.width() - 14 - room, 61, room, 10))

    def _write(self, painter: QPainter) -> None:
        each, inner = self.readout, self.width() - 28.0
        small, bold = font(12), font(12, QFont.Weight.DemiBold)
        beside = QFontMetricsF(bold).horizontalAdvance(each.deviation_text) + 8.0 if each.deviation_text else 0.0
        # a long number is written smaller where the deviation stands beside it
        faces = [_value_font(size) for size in VALUE_SIZES]
        large = next((face for face in faces if _fits(each.value_text, face, inner - beside)), faces[-1])
        texts = (
            (each.title, small, 14.0, 24.0, self._theme.muted, inner),
            (each.value_text, large, 14.0, 51.0, self._theme.text, inner - beside),
            (each.theory_text, small, 14.0, 71.0, self._theme.muted, inner),
        )
        for text, face, x, y, color, room in texts:
            painter.setFont(face)
            painter.setPen(QColor(color))
            shown = QFontMetricsF(face).elidedText(text, Qt.TextElideMode.ElideRight, room)
            painter.drawText(QPointF(x, y), shown)
        if each.deviation_text:
            painter.setFont(bold)
            painter.setPen(self._tone())
            painter.drawText(QPointF(self.width() - 14 - (beside - 8.0), 49.0), each.deviation_text)

    def _gauge(self, painter: QPainter, box: QRectF) -> None:
        """Draw the band of 95 %, theory as a tick and the measured value as a dot."""
        each = self.readout
        reach = max(each.high - each.value, each.value - each.low, abs(each.theory - each.value)) * 1.7 or 1.0

        def place(value: float) -> float:
            share = 0.5 + 0.5 * (value - each.value) / reach
            return box.left() + min(max(share, 0.0), 1.0) * box.width()

        middle, tone = box.center().y(), self._tone()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.track))
        painter.drawRoundedRect(QRectF(box.left(), middle - 1.5, box.width(), 3), 1.5, 1.5)
        band = QColor(tone)
        band.setAlphaF(0.32)
        painter.setBrush(band)
        left, right = place(each.low), place(each.high)
        painter.drawRoundedRect(QRectF(left, middle - 4, right - left, 8), 2, 2)
        painter.setPen(QPen(QColor(self._theme.text), 1.5))
        painter.drawLine(QPointF(place(each.theory), middle - 6), QPointF(place(each.theory), middle + 6))
        painter.setPen(QPen(QColor(self._theme.card), 1.5))
        painter.setBrush(tone)
        painter.drawEllipse(QPointF(place(each.value), middle), 5.0, 5.0)


class ReadoutStrip(QWidget):
    """As many cards as there is room for, in the order of the readouts."""

    def __init__(self) -> None:
        super().__init__()
        self.cards: list[ReadoutCard] = []
        self._last: tuple[Record, View, Theme] | None = None
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(12)
        self.setFixedHeight(HEIGHT)
        self.setMinimumWidth(LEAST_WIDTH)

    def show_result(self, result: Record, view: View, theme: Theme) -> None:
        """Show the numbers at the playhead."""
        self._last = (result, view, theme)
        summary = summary_of(result)
        known = {each.key: each for each in summary.readouts(result, view)}
        room = max(1, (self.width() + 12) // (LEAST_WIDTH + 12))
        chosen = [key for key in summary.order(result, view) if key in known][:room]
        shown = [each for key, each in known.items() if key in chosen]
        while len(self.cards) < len(shown):
            card = ReadoutCard()
            self._row.addWidget(card)
            self.cards.append(card)
        for place, card in enumerate(self.cards):
            if place < len(shown):
                card.show_readout(shown[place], theme, result.vectors is not None)
            if card.isHidden() != (place >= len(shown)):
                card.setVisible(place < len(shown))

    def describe(self) -> None:
        """Hand the numbers to screen readers."""
        for card in self.cards:
            card.describe()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show more or fewer cards."""
        super().resizeEvent(event)
        if self._last is not None:
            self.show_result(*self._last)
