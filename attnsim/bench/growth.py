"""Cost against size: what should be flat is seen to be flat."""

from collections.abc import Iterator, Sequence
from typing import Any

from attnsim.bench.clock import repeats, seconds
from attnsim.bench.item import Growth

READING, ROUNDS = 5e-3, 3


def grow(growths: Sequence[Growth]) -> Iterator[dict[str, Any]]:
    """Yield one record a kernel and size.

    Parameters
    ----------
    growths : sequence of Growth

    Yields
    ------
    dict
        `id`, `size_name`, `size`, `unit`, `ns_per_unit` (process CPU, the best of three readings) and `memory_mb`
        (10^6 bytes by which the process' largest resident size rose; None where the system does not tell).
    """
    for growth in growths:
        for size in growth.sizes:
            before = largest_memory()
            units = growth.run(size)
            count = repeats(lambda size=size, growth=growth: growth.run(size), READING)  # type: ignore[misc]
            best = min(
                seconds(lambda size=size, growth=growth: growth.run(size), count)  # type: ignore[misc]
                for _ in range(ROUNDS)
            )
            after = largest_memory()
            yield {
                "id": growth.id,
                "size_name": growth.size_name,
                "size": size,
                "unit": growth.unit,
                "ns_per_unit": best / count / units * 1e9,
                "memory_mb": None if before is None or after is None else (after - before) / 1e6,
            }


def largest_memory() -> float | None:
    """Return the largest resident size of this process so far, in bytes; None where the system does not tell."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    import sys

    return float(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) * (1.0 if sys.platform == "darwin" else 1024.0)
