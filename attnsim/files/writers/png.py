"""PNG, with the scenario in its text chunks."""

from collections.abc import Mapping
from io import BytesIO
from typing import Any


def write(drawing: Any, stream: BytesIO, provenance: Mapping[str, str], dpi: float, scale: float = 1.0) -> None:
    """Write a matplotlib figure; every entry of `provenance` becomes a text chunk of its name."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    FigureCanvasAgg(drawing)
    drawing.savefig(
        stream,
        format="png",
        dpi=dpi * scale,
        facecolor=drawing.get_facecolor(),
        metadata=dict(provenance),
        pil_kwargs={"dpi": (dpi, dpi)},  # so that the file says how large it is when enlarged
    )
