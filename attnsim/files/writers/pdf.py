"""PDF with embedded fonts, and the scenario in its document information."""

from collections.abc import Mapping
from io import BytesIO
from typing import Any


def write(drawing: Any, stream: BytesIO, provenance: Mapping[str, str], dpi: float) -> None:
    """Write a matplotlib figure; every entry of `provenance` becomes an entry of the document information."""
    from matplotlib.backends.backend_pdf import FigureCanvasPdf, PdfPages

    FigureCanvasPdf(drawing)
    with PdfPages(stream, metadata={"CreationDate": None}) as pages:
        pages.infodict().update(provenance)  # the `metadata` argument warns of names it does not know
        pages.savefig(drawing, facecolor=drawing.get_facecolor())
