"""Sizes of a page: what papers, slides and walls ask for."""

import math
import re
from dataclasses import dataclass

from attnsim.words import _

PIXELS = re.compile(r"(\d{2,5})x(\d{2,5})")
SCREEN = 96.0  # pixels of a screen per inch
INCH = 25.4  # millimetres
LAYOUT = 190.5  # mm, the page on which a slide is laid out before it is enlarged
MOST_PIXELS = 8192
IN_A_ROW = 3  # figures
SMALLER = 0.4  # by which a page is laid out larger for each further row of them


@dataclass(frozen=True, slots=True)
class PageSize:
    """The size of a page.

    Attributes
    ----------
    width : float
        In mm, of the page as it is laid out.
    height : float or None
        The same; as high as its content when None.
    scale : float
        By which the page, words and lines with it, is enlarged.
    dpi : float or None
        Dots per inch, where the size says it.
    """

    width: float
    height: float | None = None
    scale: float = 1.0
    dpi: float | None = None

    def holding(self, figures: int) -> "PageSize":
        """Return the same size laid out for a number of figures: on a page of fixed height more of them are smaller."""
        if self.height is None or figures <= IN_A_ROW:
            return self
        more = 1.0 + SMALLER * (math.ceil(figures / IN_A_ROW) - 1)
        return PageSize(self.width * more, self.height * more, self.scale / more, self.dpi)


SIZES: dict[str, PageSize] = {
    "single": PageSize(85.0),  # a column of a paper
    "double": PageSize(180.0),  # both columns
    "slide": PageSize(LAYOUT, LAYOUT * 9 / 16, scale=16 / 9),  # 338.7 x 190.5 mm
    "poster": PageSize(210.25, 148.5, scale=4.0),  # A1 lying, 841 x 594 mm
}


def page_size(text: str) -> PageSize:
    """Return the size of a name, or of pixels such as "1280x720".

    Raises
    ------
    ValueError
        If there is no such size.
    """
    if text in SIZES:
        return SIZES[text]
    found = PIXELS.fullmatch(text.strip().lower())
    if found is None or max(int(found[1]), int(found[2])) > MOST_PIXELS:
        known = ", ".join(SIZES)
        raise ValueError(
            _("size must be one of {known}, or pixels such as 1280x720, at most {most} a side, not {value}").format(
                known=known, most=MOST_PIXELS, value=repr(text)
            )
        )
    wide, high = int(found[1]), int(found[2])
    scale = wide / SCREEN * INCH / LAYOUT
    return PageSize(LAYOUT, LAYOUT * high / wide, scale, SCREEN)
