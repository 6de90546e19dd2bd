"""Independent variates of unit variance, one a component, for laws that are drawn component by component."""

import math

import numpy as np
from numpy.typing import NDArray

from attnsim.kernels.compiled import compiled
from attnsim.kernels.rng import LOW, TWO_PI, normal_pair, uniform_pair

Floats = NDArray[np.float64]
Key = NDArray[np.uint64]


def _allocate(rows: int, keys: int, dim: int) -> Floats:
    if min(rows, keys, dim) < 1:
        raise ValueError(f"rows, keys and dim must be 1 or more; got {rows}, {keys} and {dim}")
    return np.empty((rows, keys, dim))


def uniform_variates(key: Key, rows: int, keys: int, dim: int, first_row: int = 0, first_key: int = 0) -> Floats:
    """Return variates uniform on (-sqrt 3, sqrt 3).

    Parameters
    ----------
    key : uint64 array, shape (2,)
        From `rng.stream_key`.
    rows, keys, dim : int
        Shape wanted.
    first_row, first_key : int
        Where the block lies among all rows and keys: a variate depends on its place alone.

    Returns
    -------
    float64 array, shape (rows, keys, dim)
    """
    out = _allocate(rows, keys, dim)
    _uniform(out, key, first_row, first_key)
    return out


def normal_variates(key: Key, rows: int, keys: int, dim: int, first_row: int = 0, first_key: int = 0) -> Floats:
    """Return standard normal variates; parameters as for `uniform_variates`."""
    out = _allocate(rows, keys, dim)
    _normal(out, key, first_row, first_key)
    return out


def sign_variates(key: Key, rows: int, keys: int, dim: int, first_row: int = 0, first_key: int = 0) -> Floats:
    """Return -1 or +1 with equal odds; parameters as for `uniform_variates`."""
    return np.asarray(np.sign(uniform_variates(key, rows, keys, dim, first_row, first_key)))


def student_variates(
    key: Key, rows: int, keys: int, dim: int, nu: float, first_row: int = 0, first_key: int = 0
) -> Floats:
    """Return Student t variates, of unit variance where nu > 2 and plain t where there is no variance.

    Parameters are those of `uniform_variates`, and the degrees of freedom `nu` > 0.

    References
    ----------
    .. [1] R. W. Bailey, "Polar generation of random variates with the t-distribution",
       Math. Comp. 62, 1994.
    """
    out = _allocate(rows, keys, dim)
    _student(out, key, first_row, first_key, nu, math.sqrt((nu - 2.0) / nu) if nu > 2.0 else 1.0)
    return out


@compiled
def _uniform(out, key, first_row, first_key):
    reach = math.sqrt(3.0)
    rows, keys, dim = out.shape
    for b in range(rows):
        for j in range(keys):
            for i in range(0, dim, 2):
                u, v = uniform_pair(i >> 1, first_key + j, first_row + b, 0, key[0], key[1])
                out[b, j, i] = reach * (2.0 * u - 1.0)
                if i + 1 < dim:
                    out[b, j, i + 1] = reach * (2.0 * v - 1.0)


@compiled
def _normal(out, key, first_row, first_key):
    rows, keys, dim = out.shape
    for b in range(rows):
        for j in range(keys):
            for i in range(0, dim, 2):
                x, y = normal_pair(i >> 1, first_key + j, first_row + b, 0, key[0], key[1])
                out[b, j, i] = x
                if i + 1 < dim:
                    out[b, j, i + 1] = y


@compiled
def _student(out, key, first_row, first_key, nu, scale):
    rows, keys, dim = out.shape
    for b in range(rows):
        for j in range(keys):
            for i in range(dim):
                u, v = uniform_pair(i & LOW, first_key + j, first_row + b, 0, key[0], key[1])
                radius = math.sqrt(nu * math.expm1(-2.0 / nu * math.log(u)))
                out[b, j, i] = scale * radius * math.cos(TWO_PI * v)
