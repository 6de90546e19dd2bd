"""One palette for all pictures of a film: the colours that mean something stay exactly what they are."""

from collections.abc import Iterable
from typing import Any

Color = tuple[int, int, int]

SHARES = (1.0, 0.8, 0.55, 0.3)  # of a colour over the card: bars and edges of letters are mixtures
CELL = 5  # Pillow looks a colour up with this precision, and takes any that lies so near


def palette(picture: Any, count: int) -> Any:
    """Return a picture that holds a palette, for `quantize`.

    Parameters
    ----------
    picture : picture of Pillow
        One that shows what the others show; its `info["colors"]` are those to be kept, the page's and the card's first.
    count : int
        How many colours there may be; those that are left follow the picture.
    """
    from PIL import Image

    page, card, *colors = picture.info["colors"]
    kept = dict.fromkeys([page, card, *(_mixed(color, card, share) for share in SHARES for color in colors)])
    exact = list(kept)[: count - count // 4]
    parts = picture.quantize(count - len(exact)).getpalette()[: 3 * (count - len(exact))]
    others = zip(parts[0::3], parts[1::3], parts[2::3], strict=True)
    table = exact + [color for color in others if all(_apart(color, each) for each in exact)]
    table += [page] * (count - len(table))
    holder = Image.new("P", (1, 1))
    holder.putpalette([part for color in table for part in color])
    return holder


def _apart(one: Color, other: Color) -> bool:
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) > CELL


def numbers(values: Iterable[str]) -> list[Color]:
    """Return colours such as `#0072b2` as numbers."""
    return [(int(value[1:3], 16), int(value[3:5], 16), int(value[5:7], 16)) for value in values]


def _mixed(color: Color, card: Color, share: float) -> Color:
    red, green, blue = (round(share * a + (1.0 - share) * b) for a, b in zip(color, card, strict=True))
    return red, green, blue
