"""The multiplier that gives a row of scores spread 1, for vectors of any covariance."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.theory.limits import within
from attnsim.words import _

Floats = NDArray[np.float64]

ROUNDING = 1e-9


def optimal_multiplier(within_row_variance: ArrayLike) -> Floats:
    """Return one over the root of the within-row variance of the raw scores, the only part the softmax sees.

    The argument is above 0, of any shape.
    """
    return 1.0 / np.sqrt(within("within_row_variance", within_row_variance, 0.0, beyond_low=True))


def general_score_moments(
    covariance_q: ArrayLike,
    covariance_k: ArrayLike,
    *,
    cross: ArrayLike | None = None,
    mean_q: ArrayLike | None = None,
    mean_k: ArrayLike | None = None,
) -> tuple[float, float, float]:
    """Return mean, variance and within-row variance of q . k for jointly normal q and k of any covariance.

    E S = tr C + m_q . m_k; Var S = tr(S_q S_k) + tr(C^2) + m_q S_k m_q + m_k S_q m_k + 2 m_k C m_q (Isserlis);
    within = tr[(S_q + m_q m_q^T)(S_k - C^T S_q^-1 C)], keys being independent given the query.

    Parameters
    ----------
    covariance_q, covariance_k : array_like, shape (dim, dim)
    cross : array_like, shape (dim, dim), optional
        Cov(q_i, k_j); 0 when left out.
    mean_q, mean_k : array_like, shape (dim,), optional

    Raises
    ------
    ValueError
        If the shapes do not fit, or no pair of vectors has these covariances.
    """
    s_q, s_k = (np.asarray(one, dtype=np.float64) for one in (covariance_q, covariance_k))
    c = np.zeros_like(s_q) if cross is None else np.asarray(cross, dtype=np.float64)
    m_q, m_k = (
        np.zeros(s_q.shape[:1]) if mean is None else np.asarray(mean, dtype=np.float64) for mean in (mean_q, mean_k)
    )
    _check(s_q, s_k, c, m_q, m_k)
    left = s_k - c.T @ np.linalg.pinv(s_q, hermitian=True) @ c
    mean = float(np.trace(c) + m_q @ m_k)
    variance = float(np.sum(s_q * s_k) + np.sum(c * c.T) + m_q @ s_k @ m_q + m_k @ s_q @ m_k + 2.0 * m_k @ c @ m_q)
    inside = float(np.sum((s_q + np.outer(m_q, m_q)) * left))
    return mean, variance, inside


def _check(s_q: Floats, s_k: Floats, c: Floats, m_q: Floats, m_k: Floats) -> None:
    dim = s_q.shape[0] if s_q.ndim == 2 else -1
    shapes = (s_q.shape, s_k.shape, c.shape, m_q.shape, m_k.shape)
    if shapes != ((dim, dim),) * 3 + ((dim,),) * 2:
        raise ValueError(
            _("covariances must have the shape (dim, dim) and means (dim,), not {shapes}").format(shapes=shapes)
        )
    joint = np.block([[s_q, c], [c.T, s_k]])
    lowest = float(np.linalg.eigvalsh(0.5 * (joint + joint.T))[0])
    if not np.allclose(joint, joint.T) or not lowest >= -ROUNDING * max(1.0, float(np.abs(joint).max())):
        raise ValueError(
            _("the joint covariance must be symmetric with no negative eigenvalue, not one of {value:g}").format(
                value=lowest
            )
        )


def centred_multiplier(dim: ArrayLike, *, sigma_q: float = 1.0, sigma_k: float = 1.0, mean_q: float = 0.0) -> Floats:
    """Return [d sigma_k^2 (sigma_q^2 + mean_q^2)]^(-1/2): a mean of the query widens its row, the keys' does not."""
    d = within("dim", dim, 1.0)
    within("sigma_q", sigma_q, 0.0)
    within("sigma_k", sigma_k, 0.0, beyond_low=True)
    return np.asarray(1.0 / (sigma_k * np.sqrt(d * (sigma_q**2 + mean_q**2))), dtype=np.float64)


def sparse_multiplier(dim: ArrayLike, share: float) -> Floats:
    """Return 1/(p sqrt(d)) for vectors of unit components of which a share p on each side is not zero."""
    within("share", share, 0.0, 1.0, beyond_low=True)
    return np.asarray(1.0 / (share * np.sqrt(within("dim", dim, 1.0))), dtype=np.float64)
