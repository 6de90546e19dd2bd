"""Every sentence a user reads passes through here, so that another language is one catalogue."""

import gettext as _gettext
import locale
import os
from pathlib import Path

DOMAIN = "attnsim"
_catalogue: _gettext.NullTranslations = _gettext.NullTranslations()


def install(folder: Path, language: str | None = None) -> str:
    """Load the catalogue of a language.

    Parameters
    ----------
    folder : Path
        Holds `<language>/LC_MESSAGES/attnsim.mo`.
    language : str, optional
        Such as "zh_CN"; the user's locale when left out.

    Returns
    -------
    str
        The language in use: "en" when there is no catalogue for the one asked for.
    """
    global _catalogue
    wanted = language or os.environ.get("LANGUAGE") or locale.getlocale()[0] or "en"
    try:
        _catalogue = _gettext.translation(DOMAIN, folder, languages=wanted.split(":"))
    except OSError:
        _catalogue = _gettext.NullTranslations()
        return "en"
    return wanted


def language() -> str:
    """Return the language of the sentences: that of the catalogue, "en" without one."""
    return _catalogue.info().get("language", "") or "en"


def _(message: str) -> str:
    """Return the sentence in the user's language."""
    return _catalogue.gettext(message)


def several(one: str, many: str, count: int) -> str:
    """Return the form of a sentence that fits a count."""
    return _catalogue.ngettext(one, many, count)


def mark(message: str) -> str:
    """Mark a sentence of a registry for the catalogue; `_` translates it when it is shown."""
    return message
