"""WebM film (VP9 or VP8), with the scenario in its comment."""

from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import Any

from attnsim.files.writers.video import encode

CODECS = ("libvpx-vp9", "libvpx")


def write(shots: Iterator[Any], stream: BytesIO, provenance: Mapping[str, str], fps: float, hold: int) -> None:
    """Write pictures one behind the other."""
    stream.write(encode(shots, "webm", CODECS, provenance, fps, hold))
