"""GIF film, with the scenario in its comment."""

import json
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import Any

from attnsim.files.writers.film_palette import palette

COLORS = 128


def write(shots: Iterator[Any], stream: BytesIO, provenance: Mapping[str, str], fps: float, hold: int) -> None:
    """Write pictures one behind the other in one palette, without dither: noise would not compress.

    `provenance` becomes a comment, a JSON object.
    """
    from PIL import Image

    colors = palette(next(shots), COLORS)
    frames = [shot.quantize(palette=colors, dither=Image.Dither.NONE) for shot in shots]
    times = [round(100.0 / fps) * 10] * len(frames)  # the format counts hundredths of a second
    times[-1] *= max(1, hold)
    frames[0].save(
        stream,
        format="GIF",
        save_all=True,
        append_images=frames[1:],
        duration=times,
        loop=0,
        optimize=False,
        comment=json.dumps(dict(provenance)).encode("ascii"),
    )
