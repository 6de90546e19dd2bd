"""Random matrices, each a function of seed, purpose and number alone."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def normal_matrix(seed: int, stream: str, rows: int, columns: int, number: int = 0) -> Floats:
    """Return standard normals, shape (rows, columns): the matrix of that number in the stream."""
    from attnsim.kernels.normals import normals
    from attnsim.kernels.rng import stream_key

    count = rows * columns
    drawn = normals(stream_key(seed, f"initialisation/{stream}"), count, number * count)
    return drawn.astype(np.float64).reshape(rows, columns)


def uniform_matrix(seed: int, stream: str, rows: int, columns: int) -> Floats:
    """Return uniforms of mean 0 and variance 1, shape (rows, columns)."""
    from attnsim.kernels.normals import uniforms
    from attnsim.kernels.rng import stream_key

    drawn = uniforms(stream_key(seed, f"initialisation/{stream}"), rows * columns)
    return np.asarray(np.sqrt(12.0) * (drawn.astype(np.float64) - 0.5)).reshape(rows, columns)
