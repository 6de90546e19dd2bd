"""A page as dots in memory, for films."""

from typing import Any

import numpy as np

from attnsim.files.writers.page import MEASURED


def picture(drawing: Any, dpi: float) -> Any:
    """Return a matplotlib figure as a picture of Pillow in RGB; the figure can be drawn on afterwards."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from PIL import Image

    canvas = FigureCanvasAgg(drawing)
    drawing.set_dpi(dpi)
    try:
        canvas.draw()
        pixels = np.ascontiguousarray(np.asarray(canvas.buffer_rgba())[..., :3])
    finally:
        drawing.set_dpi(MEASURED)
    return Image.fromarray(pixels)
