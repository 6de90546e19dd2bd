"""The style sheet, made from a theme's tokens: hairline borders, one accent colour, no shadows."""

from string import Template
from typing import Any

# Spin boxes keep their buttons at width 0: with NoButtons a styled one gets a line edit of one pixel.
SHEET = Template("""
* { outline: none; }
QMainWindow, #content, #stage, #stage > QWidget > QSplitter { background: $window; }
QToolTip { background: $card; color: $text; border: 1px solid $hairline; padding: 4px 6px; }
#sidebar, #sidebar QScrollArea, #sideBody { background: $side; border: none; }
#sidebar { border-right: 1px solid $hairline; }
#brand { font-size: 19px; font-weight: 600; color: $text; }
#group { font-size: 12px; font-weight: 600; color: $muted; border: none; background: transparent; padding: 2px 0;
  margin-left: -4px; }
#group:hover, #group:focus { color: $text; }
#lab { font-size: 15px; font-weight: 600; color: $text; padding: 4px 4px; }
#lab:hover { background: $hover; }
#side { background: $accent; color: $on_accent; border-radius: 4px; padding: 0 5px; font-size: 12px; font-weight: 600; }
#quiet { color: $muted; font-size: 12px; }
#headline { font-size: 18px; font-weight: 600; color: $text; }
#detail { font-size: 17px; color: $muted; }
#card, #transport, #readout { background: $card; border: 1px solid $hairline; border-radius: 8px; }
#cardTitle { font-size: 15px; font-weight: 600; color: $text; }
#cardSubtitle, #cardNote { font-size: 12px; color: $muted; }
#bubble { background: $card; color: $text; border: 1px solid $track; border-radius: 6px; padding: 6px 8px;
  font-size: 12px; }
#messages { background: $card; border: 1px solid $hairline; border-radius: 8px; }
#messages[tone="bad"] { border-color: $bad; }
#messages QLabel { color: $text; }
#messages[tone="bad"] QLabel { color: $bad; }
#step { color: $text; }
QMenuBar { background: $side; color: $text; border-bottom: 1px solid $hairline; padding: 1px 8px; }
QMenuBar::item { padding: 4px 9px; background: transparent; border-radius: 4px; }
QMenuBar::item:selected { background: $hover; }
QMenu { background: $card; color: $text; border: 1px solid $hairline; padding: 4px; }
QMenu::item { padding: 5px 26px 5px 22px; border-radius: 4px; }
QMenu::item:selected { background: $hover; color: $text; }
QMenu::item:disabled { color: $muted; }
QMenu::separator { height: 1px; background: $hairline; margin: 4px 6px; }
QLabel { color: $text; background: transparent; }
QLabel:disabled { color: $muted; }
QSpinBox, QDoubleSpinBox, QLineEdit, QComboBox { background: $field; color: $text; border: 1px solid $hairline;
  border-radius: 5px; padding: 2px 7px; min-height: 18px; selection-background-color: $accent;
  selection-color: $on_accent; }
QSpinBox:hover, QDoubleSpinBox:hover, QLineEdit:hover, QComboBox:hover { border-color: $muted; }
QSpinBox:focus, QDoubleSpinBox:focus, QLineEdit:focus, QComboBox:focus { border-color: $accent; }
QSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::up-button, QDoubleSpinBox::down-button {
  width: 0; border: none; }
QComboBox::drop-down { border: none; width: 22px; }
QComboBox::down-arrow { image: url("$icons/chevron.svg"); width: 14px; height: 14px; }
QComboBox QAbstractItemView { background: $card; color: $text; border: 1px solid $hairline; padding: 3px;
  selection-background-color: $hover; selection-color: $text; }
QSlider { min-height: 18px; }
QSlider::groove:horizontal { height: 4px; background: $track; border-radius: 2px; }
QSlider::sub-page:horizontal { background: $accent; border-radius: 2px; }
QSlider::handle:horizontal { width: 12px; height: 12px; margin: -6px 0; border: 2px solid $accent; border-radius: 8px;
  background: $card; }
QSlider::handle:horizontal:hover { background: $hover; }
QSlider::handle:horizontal:focus { background: $accent; }
QSlider::sub-page:horizontal:disabled { background: $track; }
QSlider::handle:horizontal:disabled { border-color: $track; }
QToolButton { background: transparent; border: 1px solid transparent; border-radius: 5px; padding: 4px; color: $text; }
QToolButton:checked { background: $hover; border-color: $hairline; }
QToolButton:hover { background: $hover; }
QToolButton:focus { border-color: $accent; }
QToolButton::menu-indicator { image: none; }
QPushButton { background: $card; color: $text; border: 1px solid $hairline; border-radius: 5px; padding: 5px 12px; }
QPushButton:hover { background: $hover; }
QPushButton:focus { border-color: $accent; }
#primary { background: $accent; border: 1px solid $accent; border-radius: 6px; }
#primary:hover { background: $accent_hover; }
#primary:focus { border: 2px solid $text; }
#export { font-weight: 600; }
QPushButton:checked { background: $hover; border-color: $accent; }
#dockBar { background: $side; }
#whyPage { background: $side; color: $text; border: none; padding: 4px 12px; selection-background-color: $accent;
  selection-color: $on_accent; }
#whyPage:focus { border: 1px solid $accent; }
#lessonPage, #lessonPage QScrollArea, #lessonBody { background: $side; border: none; }
#lessonPage QScrollArea:focus { border: 1px solid $accent; border-radius: 4px; }
#lessons { background: $side; color: $text; border: none; }
#lessonNumbers { background: $hover; border-radius: 6px; padding: 6px 8px; }
#problem { color: $bad; font-size: 12px; }
#go { background: $accent; border: 1px solid $accent; color: $on_accent; font-weight: 600; }
#go:hover { background: $accent_hover; }
#go:focus { border: 2px solid $text; padding: 4px 11px; }
#go:disabled { background: $track; border-color: $track; color: $muted; }
#try { text-align: left; color: $accent; }
QPushButton:disabled { color: $muted; }
QCheckBox::indicator, QTableWidget::indicator { width: 12px; height: 12px; border: 1px solid $muted; border-radius: 3px;
  background: $field; }
QCheckBox::indicator:checked, QTableWidget::indicator:checked { border-color: $accent; background: $accent; }
QRadioButton { spacing: 0; padding: 2px; border: 1px solid transparent; border-radius: 4px; }
QRadioButton:focus { border-color: $accent; }
QRadioButton::indicator { width: 12px; height: 12px; border: 1px solid $muted; border-radius: 7px; background: $field; }
QRadioButton::indicator:checked { border-color: $accent; background: qradialgradient(cx: 0.5, cy: 0.5, radius: 0.5,
  fx: 0.5, fy: 0.5, stop: 0 $accent, stop: 0.5 $accent, stop: 0.62 $field, stop: 1 $field); }
QRadioButton::indicator:disabled { border-color: $track; }
#reading { background: $card; color: $text; border: 1px solid transparent; border-radius: 4px;
  selection-background-color: $accent; selection-color: $on_accent; }
#reading:focus { border-color: $accent; }
#chip { background: transparent; border: 1px solid transparent; border-radius: 5px; text-align: left;
  padding: 2px 4px; }
#chip:hover { background: $hover; }
#chip:focus { border-color: $accent; }
QSplitter::handle { background: transparent; image: none; }
QScrollBar:vertical { background: transparent; width: 8px; margin: 0; }
QScrollBar::handle:vertical { background: $track; border-radius: 4px; min-height: 30px; }
QScrollBar::handle:vertical:hover { background: $muted; }
QScrollBar:horizontal { background: transparent; height: 8px; margin: 0; }
QScrollBar::handle:horizontal { background: $track; border-radius: 4px; min-width: 30px; }
QScrollBar::handle:horizontal:hover { background: $muted; }
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page { background: none; height: 0;
  width: 0; }
#help { background: $window; color: $text; border: none; }
QDialog, QMessageBox { background: $window; }
""")


def style_sheet(theme: Any, icons: str) -> str:
    """Return the sheet of a theme; `icons` is the folder of the drawings, with forward slashes."""
    tokens = {name: getattr(theme, name) for name in theme.__slots__ if name != "name"}
    return SHEET.substitute(tokens, icons=icons)
