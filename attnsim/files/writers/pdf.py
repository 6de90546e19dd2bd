"""PDF with embedded fonts, and the scenario in its document information."""

from collections.abc import Mapping
from io import BytesIO
from typing import Any

POINTS = 72.0  # per inch


def write(drawing: Any, stream: BytesIO, provenance: Mapping[str, str], dpi: float, scale: float = 1.0) -> None:
    """Write a matplotlib figure; every entry of `provenance` becomes an entry of the document information.

    `dpi` is that of pictures within the page.
    """
    from matplotlib.backends.backend_mixed import MixedModeRenderer
    from matplotlib.backends.backend_pdf import FigureCanvasPdf, Op, PdfFile, RendererPdf

    FigureCanvasPdf(drawing)
    drawing.dpi = POINTS  # the backend measures in points
    width, height = drawing.get_size_inches()
    file = PdfFile(stream, metadata={"CreationDate": None})
    try:
        file.infoDict.update(provenance)  # the `metadata` argument warns of names it does not know
        file.newPage(width * scale, height * scale)
        file.output(scale, 0, 0, scale, 0, 0, Op.concat_matrix)  # words and lines grow with the page
        renderer = MixedModeRenderer(drawing, width, height, dpi, RendererPdf(file, dpi, height, width))
        drawing.draw(renderer)
        renderer.finalize()
        file.finalize()
    finally:
        file.close()
