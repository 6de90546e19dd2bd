"""SVG with text as outlines, and the scenario in its metadata."""

import re
from collections.abc import Mapping
from io import BytesIO
from typing import Any
from xml.sax.saxutils import escape

_CLOSE = b"</metadata>"
_SIZE = re.compile(rb'\b(width|height)="([\d.]+)pt"')
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")  # XML has no way to hold these


def write(drawing: Any, stream: BytesIO, provenance: Mapping[str, str], dpi: float, scale: float = 1.0) -> None:
    """Write a matplotlib figure; every entry of `provenance` becomes an element of `<metadata>`."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    FigureCanvasSVG(drawing)
    plain = BytesIO()
    drawing.savefig(plain, format="svg", facecolor=drawing.get_facecolor(), metadata={"Date": None})
    before, found, after = plain.getvalue().partition(_CLOSE)
    if scale != 1.0:  # the drawing's own units stay: only the size it is shown at grows
        before = _SIZE.sub(lambda match: b'%s="%.6fpt"' % (match[1], float(match[2]) * scale), before, count=2)
    entries = "".join(element(name, text) for name, text in provenance.items())
    stream.write(before + entries.encode() + found + after)


def element(name: str, text: str) -> str:
    """Return an XML element that holds a text, in the namespace that its name begins with."""
    space = name.partition(":")[0]
    return f'  <{name} xmlns:{space}="urn:{space}">{escape(_CONTROL.sub(" ", text))}</{name}>\n'
