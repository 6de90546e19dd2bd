"""Light and dark: one table of tokens each, from which palette, style sheet and plot colours are made."""

from dataclasses import dataclass
from functools import cache

from PySide6.QtCore import QByteArray, QRectF, QSettings, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QIcon, QPainter, QPalette, QPixmap, QPixmapCache
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

from attnsim.figures import palette
from attnsim.files.resources import folder
from attnsim.gui.style_sheet import style_sheet

# at twice the pixel density the cached axes and curves of one window outgrow Qt's 10 MB
PIXMAP_CACHE_KB = 128 * 1024


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours of one theme, as `#rrggbb`: those of the figures, and what only a window needs."""

    name: str
    window: str
    side: str
    card: str
    field: str
    hairline: str
    track: str
    hover: str
    text: str
    muted: str
    accent: str
    accent_hover: str
    on_accent: str
    good: str
    warn: str
    bad: str

    def color(self, role: str) -> QColor:
        """Return the colour of a figure's role."""
        return QColor(palette.color(role, self.name))

    def words(self, role: str) -> QColor:
        """Return the colour of a role when it colours words, which need more contrast than bars."""
        return QColor(palette.text_color(role, self.name))

    @property
    def dark(self) -> bool:
        """Whether it is the dark one."""
        return self.name == "dark"


def _theme(name: str, **own: str) -> Theme:
    roles = palette.table(name)
    return Theme(
        name=name,
        window=roles["page"],
        side=roles["card"],
        card=roles["card"],
        hairline=roles["border"],
        text=roles["ink"],
        muted=roles["text_muted"],
        accent=roles["accent"],
        good=roles["text_good"],
        warn=roles["text_warn"],
        **own,
    )


LIGHT = _theme(
    "light",
    field="#ffffff",
    track="#dfe3e8",
    hover="#eef0f3",
    accent_hover="#00639b",
    on_accent="#ffffff",
    bad="#b3261e",
)
DARK = _theme(
    "dark",
    field="#1d222a",
    track="#323a45",
    hover="#242a33",
    accent_hover="#7cc6f0",
    on_accent="#0b0d10",
    bad="#ff8f85",
)
THEMES = {theme.name: theme for theme in (LIGHT, DARK)}


def chosen(app: QApplication) -> Theme:
    """Return the theme the user chose last, or else the system's."""
    name = QSettings().value("theme", "", type=str)
    if name in THEMES:
        return THEMES[name]
    return DARK if app.styleHints().colorScheme() == Qt.ColorScheme.Dark else LIGHT


def remember(theme: Theme) -> None:
    """Keep the user's choice for the next start."""
    QSettings().setValue("theme", theme.name)


def follows_system() -> bool:
    """Whether the user has made no choice yet."""
    return QSettings().value("theme", "", type=str) not in THEMES


def prepare(app: QApplication) -> None:
    """Load the fonts and set what does not depend on the theme; the application must exist."""
    QPixmapCache.setCacheLimit(PIXMAP_CACHE_KB)
    app.setStyle("Fusion")
    for path in sorted((folder() / "fonts").glob("*.otf")):
        QFontDatabase.addApplicationFont(str(path))
    app.setFont(font(13))


@cache
def font(pixels: int, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """Return the interface font, with digits of one width, so that live numbers stand still; it is shared."""
    made = QFont()
    made.setFamilies(["Inter", "Noto Sans CJK SC", "Microsoft YaHei", "PingFang SC", "sans-serif"])
    made.setPixelSize(pixels)
    made.setWeight(weight)
    if hasattr(made, "setFeature"):
        made.setFeature(QFont.Tag("tnum"), 1)
    return made


def strong(text: str) -> str:
    """Return rich text in the bundled semi-bold face: of a bold one there is no file, and Qt would smear it."""
    return f"<span style='font-weight:600'>{text}</span>"


def apply(app: QApplication, theme: Theme) -> None:
    """Give the application a theme's palette and style sheet."""
    app.setPalette(_palette(theme))
    app.setStyleSheet(style_sheet(theme, (folder() / "icons").as_posix()))


def _palette(theme: Theme) -> QPalette:
    made = QPalette()
    role = QPalette.ColorRole
    for roles, color in (
        ((role.Window,), theme.window),
        ((role.Base, role.Button, role.AlternateBase), theme.field),
        ((role.WindowText, role.Text, role.ButtonText, role.ToolTipText), theme.text),
        ((role.ToolTipBase,), theme.card),
        ((role.PlaceholderText,), theme.muted),
        ((role.Highlight, role.Accent, role.Link), theme.accent),
        ((role.HighlightedText,), theme.on_accent),
        ((role.Light, role.Midlight, role.Mid, role.Dark, role.Shadow), theme.hairline),
    ):
        for each in roles:
            made.setColor(each, QColor(color))
    for each in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, each, QColor(theme.muted))
    return made


@cache
def icon(name: str, color: str, size: int = 20) -> QIcon:
    """Return one of our drawings in a colour; kept, since each costs memory anew."""
    source = (folder() / "icons" / f"{name}.svg").read_text(encoding="utf-8").replace("#000000", color)
    renderer = QSvgRenderer(QByteArray(source.encode()))
    made = QIcon()
    for scale in (1, 2):
        pixmap = QPixmap(QSize(size * scale, size * scale))
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        renderer.render(painter, QRectF(0, 0, size * scale, size * scale))
        painter.end()
        pixmap.setDevicePixelRatio(scale)
        made.addPixmap(pixmap)
    return made
