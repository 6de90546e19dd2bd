"""WebP film, with the scenario in its XMP packet."""

from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import Any

from attnsim.files.writers.film_palette import palette
from attnsim.files.writers.svg import element

COLORS = 256  # a page has few, and a byte a dot is a third of the memory
QUALITY, METHOD = 40, 1  # effort to make the file small, not loss
_PACKET = (
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
    '<rdf:Description rdf:about="">{entries}</rdf:Description></rdf:RDF></x:xmpmeta>'
)


def write(shots: Iterator[Any], stream: BytesIO, provenance: Mapping[str, str], fps: float, hold: int) -> None:
    """Write pictures one behind the other, without loss but for colours; every entry of `provenance` is kept."""
    from PIL import Image

    colors = palette(next(shots), COLORS)
    frames = [shot.quantize(palette=colors, dither=Image.Dither.NONE) for shot in shots]
    times = [round(1000.0 / fps)] * len(frames)
    times[-1] *= max(1, hold)
    frames[0].save(
        stream,
        format="WEBP",
        save_all=True,
        append_images=frames[1:],
        duration=times,
        loop=0,
        lossless=True,
        quality=QUALITY,
        method=METHOD,
        xmp=_PACKET.format(entries="".join(element(name, text) for name, text in provenance.items())).encode(),
    )
