"""Markdown of a lesson as rich text in the colours of a theme, and the links that become buttons."""

import re
from functools import cache
from typing import Any

from attnsim.gui.theme import Theme

# a line of a list that is nothing but a link
BUTTON = re.compile(r"^\s*[-*+]\s+\[(?P<words>(?:[^\[\]\\]|\\.)+)\]\(<?(?P<target>[^\s<>]+?)>?\)\s*$")


@cache
def _parser() -> Any:
    from markdown_it import MarkdownIt  # here, since the window's start must not wait for it

    return MarkdownIt("commonmark", {"html": False}).enable("table")


@cache
def rich(markdown: str, theme: Theme, size: int = 13) -> str:
    """Return markdown as rich text."""
    found = _parser().render(markdown)
    # of the bold face there is no file, and Qt would smear the plain one
    found = found.replace("<strong>", "<span style='font-weight:600'>").replace("</strong>", "</span>")
    found = found.replace("<a ", f"<a style='color:{theme.accent}' ")
    found = found.replace("<p>", "<p style='margin:0 0 8px 0; line-height:125%'>")
    return f"<div style='color:{theme.text}; font-size:{size}px'>{found}</div>"


@cache
def plain(markdown: str) -> str:
    """Return the words alone, for screen readers."""
    tokens = _parser().parse(markdown)
    parts = (child for token in tokens for child in token.children or ())
    words = "".join(child.content if child.type in ("text", "code_inline") else " " for child in parts)
    return " ".join(words.split())


def without_buttons(markdown: str) -> str:
    """Return markdown without the lines that become buttons."""
    return "\n".join(line for line in markdown.splitlines() if not BUTTON.match(line)).strip()


def buttons(markdown: str) -> list[tuple[str, str]]:
    """Return (words, target) of each line that becomes a button."""
    found = (BUTTON.match(line) for line in markdown.splitlines())
    return [(plain(match["words"]), match["target"]) for match in found if match]
