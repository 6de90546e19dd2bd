"""What the registry knows of a format."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Format:
    """How a file of one suffix is written.

    Attributes
    ----------
    write : callable
        Of a page: (drawing, stream, provenance, dots per inch, scale). Of data: (figures, stream, provenance).
        Of a film: (pictures of Pillow, stream, provenance, pictures per second, how often the last one is shown); the
        pictures are the last one, from which a palette can be made, and then all in order.
    kind : {"page", "data", "film"}
    missing : callable
        () -> why it cannot be written here, in one sentence; empty if it can.
    """

    write: Callable[..., Any]
    kind: Literal["page", "data", "film"] = "page"
    missing: Callable[[], str] = lambda: ""
