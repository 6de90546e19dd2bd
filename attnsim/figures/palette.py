"""Colours: a table of roles for each theme. The window and the file writers both read it.

Fills follow Okabe and Ito's palette for the colour-blind [1]_. A fill is often too light for small words, so each role
has a twin `text_<role>` with a contrast of at least 4.5 on the card.

References
----------
.. [1] M. Okabe & K. Ito, "Color Universal Design", 2008.
"""

from functools import lru_cache
from types import MappingProxyType
from typing import Literal
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from attnsim.words import _

LEAST_CONTRAST = 4.5  # of words, Web Content Accessibility Guidelines 2.1, success criterion 1.4.3

_LIGHT = {
    "ink": "#1b2028",
    "muted": "#5a6472",
    "grid": "#eceef1",
    "surface": "#f4f5f7",
    "page": "#f4f5f7",
    "card": "#ffffff",
    "border": "#dfe2e7",
    "accent": "#0072b2",
    "walk": "#d55e00",
    "row_band": "#6f7f95",
    "good": "#00805d",
    "warn": "#b54700",
    "rule_none": "#d55e00",
    "rule_inverse_sqrt": "#0072b2",
    "rule_inverse_d": "#009e73",
    "rule_power": "#7b57c2",
    "rule_constant": "#cc79a7",
    "marked_0": "#d6006e",
    "marked_1": "#1f1fd8",
    "marked_2": "#808000",
    "marked_3": "#600000",
    "marked_4": "#00a3b8",
    "marked_5": "#b800d8",
}
_DARK = {
    "ink": "#f0f2f5",
    "muted": "#a3acb9",
    "grid": "#242a33",
    "surface": "#12161c",
    "page": "#0f1216",
    "card": "#171b21",
    "border": "#2b323c",
    "accent": "#56b4e9",
    "walk": "#f08a3c",
    "row_band": "#93a4bb",
    "good": "#2fc79a",
    "warn": "#f5a04a",
    "rule_none": "#f08a3c",
    "rule_inverse_sqrt": "#56b4e9",
    "rule_inverse_d": "#2fc79a",
    "rule_power": "#a58be6",
    "rule_constant": "#e39bc4",
    "marked_0": "#ff3d7f",
    "marked_1": "#d8f03a",
    "marked_2": "#4d6bff",
    "marked_3": "#c9a27a",
    "marked_4": "#2ff0f0",
    "marked_5": "#e03cf5",
}
_PRINT = _LIGHT | {"page": "#ffffff", "surface": "#ffffff", "grid": "#e6e8ec"}

THEMES = MappingProxyType({"light": _LIGHT, "dark": _DARK, "print": _PRINT})

# other rules take one of these by their name, so that a new rule needs no line here; chosen to lie as far as can be
# from all roles above and from each other
_CYCLE = {
    "light": ("#c48864", "#288810", "#f46464", "#4c6434", "#ac2894", "#d09410"),
    "dark": ("#64881c", "#d04cac", "#d0ac1c", "#648864", "#d06464", "#b8dc94"),
}

# Scales of a Heat, at even steps. Sequential: from the card's end to the strong end, lightness falls (rises on dark)
# evenly from yellow over green to blue, which every kind of colour blindness tells apart. Diverging: blue, a grey
# near the card, orange.
_SCALES = {
    ("sequential", "light"): (
        "#fbf7d5", "#d3e6bd", "#a6d5b5", "#82c1b3", "#5bacb4", "#3a96b2", "#307fad", "#2968a1", "#255291", "#203d7c",
        "#1a2a66",
    ),
    ("sequential", "dark"): (
        "#1d2a56", "#1b3c75", "#254f8e", "#2d659f", "#307dac", "#3995b2", "#59abb4", "#80c0b3", "#a5d4b5", "#d3e6bd",
        "#fbf7d5",
    ),
    ("diverging", "light"): (
        "#0a5a9c", "#4f75ad", "#7992be", "#a0afcf", "#c6cee0", "#eceef1", "#e9ccc0", "#e1ab91", "#d58a63", "#c56937",
        "#b34700",
    ),
    ("diverging", "dark"): (
        "#6cc0f2", "#60a1ca", "#5383a4", "#466780", "#394c5d", "#2b323c", "#544541", "#7b5946", "#a26e49", "#cb844c",
        "#f59a4e",
    ),
}  # fmt: skip
SCALE_STEPS = 256


def table(theme: str) -> dict[str, str]:
    """Return the named roles of a theme with their text twins.

    Parameters
    ----------
    theme : {"light", "dark", "print"}

    Returns
    -------
    dict
        Role to colour, `#rrggbb`.
    """
    roles = _roles(theme)
    return roles | {f"text_{role}": color(f"text_{role}", theme) for role in roles}


@lru_cache(maxsize=512)
def color(role: str, theme: str) -> str:
    """Return the colour of a role as `#rrggbb`.

    Parameters
    ----------
    role : str
        Such as `ink`, `marked_0`, `rule_none` or `text_rule_none`. An unknown `rule_...` takes a colour by its name.
    theme : {"light", "dark", "print"}

    Raises
    ------
    ValueError
        If there is no such role or theme.
    """
    roles = _roles(theme)
    if role in roles:
        return roles[role]
    if role.startswith("text_"):
        return _readable(color(role.removeprefix("text_"), theme), roles["card"], roles["ink"])
    if role.startswith("rule_"):
        cycle = _CYCLE["dark" if theme == "dark" else "light"]
        return cycle[crc32(role.encode()) % len(cycle)]
    raise ValueError(_("role must be one of {known}, not {value}").format(known=", ".join(roles), value=repr(role)))


def text_color(role: str, theme: str) -> str:
    """Return the colour in which words of a role are readable on the card."""
    return color(role if role.startswith("text_") else f"text_{role}", theme)


@lru_cache(maxsize=8)
def scale_table(scale: Literal["sequential", "diverging"], theme: str) -> NDArray[np.uint8]:
    """Return the colours of a scale from its low to its high end.

    Returns
    -------
    uint8 array, shape (256, 4)
        Red, green, blue and opacity (255); read-only.

    Raises
    ------
    ValueError
        If there is no such scale or theme.
    """
    _roles(theme)
    anchors = _SCALES.get((scale, "dark" if theme == "dark" else "light"))
    if anchors is None:
        known = ", ".join(dict.fromkeys(name for name, _theme in _SCALES))
        raise ValueError(_("scale must be one of {known}, not {value}").format(known=known, value=repr(scale)))
    places = np.linspace(0.0, len(anchors) - 1.0, SCALE_STEPS)
    channels = np.array([_channels(anchor) for anchor in anchors], dtype=np.float64)
    colors = np.full((SCALE_STEPS, 4), 255, dtype=np.uint8)
    for i in range(3):
        colors[:, i] = np.round(np.interp(places, np.arange(len(anchors)), channels[:, i]))
    colors.flags.writeable = False
    return colors


def scale_color(scale: Literal["sequential", "diverging"], share: float, theme: str) -> str:
    """Return the colour at a share, 0..1, of a scale as `#rrggbb`; beyond them the end's colour."""
    step = round(min(max(share, 0.0), 1.0) * (SCALE_STEPS - 1))
    red, green, blue, _opacity = scale_table(scale, theme)[step].tolist()
    return f"#{red:02x}{green:02x}{blue:02x}"


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio of two colours, 1..21.

    References
    ----------
    .. [1] Web Content Accessibility Guidelines 2.1, definition of contrast ratio.
    """
    darker, lighter = sorted((_luminance(first), _luminance(second)))
    return (lighter + 0.05) / (darker + 0.05)


def _roles(theme: str) -> dict[str, str]:
    if theme not in THEMES:
        raise ValueError(
            _("theme must be one of {known}, not {value}").format(known=", ".join(THEMES), value=repr(theme))
        )
    return THEMES[theme]


def _channels(value: str) -> tuple[int, int, int]:
    return int(value[1:3], 16), int(value[3:5], 16), int(value[5:7], 16)


def _luminance(value: str) -> float:
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (x / 255.0 for x in _channels(value))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _readable(value: str, card: str, ink: str) -> str:
    """Mix a colour with the ink until it can be read on the card."""
    for share in range(21):
        pairs = zip(_channels(value), _channels(ink), strict=True)
        mixed = "#{:02x}{:02x}{:02x}".format(*(round(a + (b - a) * share / 20) for a, b in pairs))
        if contrast(mixed, card) >= LEAST_CONTRAST:
            return mixed
    return ink
