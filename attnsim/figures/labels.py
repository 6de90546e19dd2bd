"""Where labels stand so that they do not cover each other."""

from collections.abc import Sequence


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Move positions apart until each is a gap away from the next, as little as this simple way allows.

    Parameters
    ----------
    wanted : sequence of float
        Where each label would like to stand.
    gap : float
        Least distance between two labels.
    low, high : float
        Ends of the axis.

    Returns
    -------
    list of float
        In the order of `wanted`.
    """
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    places = [wanted[i] for i in order]
    for _round in range(40):
        moved = False
        for i in range(len(places) - 1):
            short = gap - (places[i + 1] - places[i])
            if short > 1e-9 * gap:
                places[i] -= short / 2.0
                places[i + 1] += short / 2.0
                moved = True
        if not moved:
            break
    if places:
        shift = max(0.0, low + gap / 2 - places[0]) or min(0.0, high - gap / 2 - places[-1])
        places = [place + shift for place in places]
    back = [0.0] * len(wanted)
    for rank, i in enumerate(order):
        back[i] = places[rank]
    return back


def levels(positions: Sequence[float], gap: float) -> list[int]:
    """Return a storey for each position, so that near ones stand above each other."""
    free: list[float] = []  # right end of each storey
    chosen = [0] * len(positions)
    for i in sorted(range(len(positions)), key=lambda i: positions[i]):
        storey = next((s for s, end in enumerate(free) if positions[i] >= end), len(free))
        if storey == len(free):
            free.append(0.0)
        free[storey] = positions[i] + gap
        chosen[i] = storey
    return chosen
