"""SVG with text as outlines, and the scenario in its metadata."""

from collections.abc import Mapping
from io import BytesIO
from typing import Any
from xml.sax.saxutils import escape

_CLOSE = b"</metadata>"


def write(drawing: Any, stream: BytesIO, provenance: Mapping[str, str], dpi: float) -> None:
    """Write a matplotlib figure; every entry of `provenance` becomes an element of `<metadata>`."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    FigureCanvasSVG(drawing)
    plain = BytesIO()
    drawing.savefig(plain, format="svg", facecolor=drawing.get_facecolor(), metadata={"Date": None})
    before, found, after = plain.getvalue().partition(_CLOSE)
    entries = "".join(
        f'  <{name} xmlns:{name.partition(":")[0]}="urn:{name.partition(":")[0]}">{escape(text)}</{name}>\n'
        for name, text in provenance.items()
    )
    stream.write(before + entries.encode() + found + after)
