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


def laplace_variates(key: Key, rows: int, keys: int, dim: int, first_row: int = 0, first_key: int = 0) -> Floats:
    """Return Laplace variates; parameters as for `uniform_variates`."""
    out = _allocate(rows, keys, dim)
    _laplace(out, key, first_row, first_key)
    return out


def lognormal_variates(
    key: Key, rows: int, keys: int, dim: int, shape: float, first_row: int = 0, first_key: int = 0
) -> Floats:
    """Return exp(shape z) with its mean taken away and divided by its standard deviation.

    Parameters are those of `uniform_variates`, and the standard deviation `shape` > 0 of the logarithm.
    """
    out = _allocate(rows, keys, dim)
    middle = 0.5 * shape * shape
    spread = math.exp(middle) * math.sqrt(math.expm1(shape * shape))
    _lognormal(out, key, first_row, first_key, shape, math.expm1(middle), spread)
    return out


def sparse_variates(
    key: Key, rows: int, keys: int, dim: int, nonzero: float, first_row: int = 0, first_key: int = 0
) -> Floats:
    """Return 0, or in the share `nonzero` of the places a normal variate over sqrt(nonzero).

    Other parameters are those of `uniform_variates`.
    """
    out = _allocate(rows, keys, dim)
    _sparse(out, key, first_row, first_key, nonzero, 1.0 / math.sqrt(nonzero))
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


@compiled
def _laplace(out, key, first_row, first_key):
    scale = math.sqrt(0.5)
    rows, keys, dim = out.shape
    for b in range(rows):
        for j in range(keys):
            for i in range(0, dim, 2):
                pair = uniform_pair(i >> 1, first_key + j, first_row + b, 0, key[0], key[1])
                for side in range(min(2, dim - i)):
                    u = pair[side]
                    out[b, j, i + side] = scale * (math.log(2.0 * u) if u < 0.5 else -math.log(2.0 * (1.0 - u)))


@compiled
def _lognormal(out, key, first_row, first_key, shape, middle, spread):
    rows, keys, dim = out.shape
    for b in range(rows):
        for j in range(keys):
            for i in range(0, dim, 2):
                pair = normal_pair(i >> 1, first_key + j, first_row + b, 0, key[0], key[1])
                for side in range(min(2, dim - i)):
                    # expm1 on both: at a small shape exp(shape z) and its mean agree in most digits
                    out[b, j, i + side] = (math.expm1(shape * pair[side]) - middle) / spread


@compiled
def _sparse(out, key, first_row, first_key, nonzero, scale):
    rows, keys, dim = out.shape
    for b in range(rows):
        for j in range(keys):
            for i in range(dim):
                # one uniform chooses: below nonzero it is, by its place there, the radius of the normal as well
                u, v = uniform_pair(i & LOW, first_key + j, first_row + b, 0, key[0], key[1])
                value = 0.0
                if u < nonzero:
                    value = scale * math.sqrt(-2.0 * math.log(u / nonzero)) * math.cos(TWO_PI * v)
                out[b, j, i] = value
