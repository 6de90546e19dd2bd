"""Rows of attention scores turned in place into weights, and back again for the gradient."""

import numpy as np

from attnsim.kernels.compiled import compiled
from attnsim.kernels.exponential import exp64, exponential
from attnsim.kernels.float_rounding import rounded
from attnsim.kernels.polynomials import log64
from attnsim.kernels.row_top import is_masked, row_top

BLOCK = 4096  # float32 terms are added up in lanes for so long, then float64 takes over


@compiled(freedom="any order")
def weights_of_rows(x, logsumexp):
    """Turn each row of scores into its softmax, and note ln(sum(exp(x))).

    Parameters
    ----------
    x : float32 or float64 array, shape (rows, keys)
        -inf hides a key: its weight is exactly 0, in whatever row.
    logsumexp : float64 array, shape (rows,)
    """
    for b in range(x.shape[0]):
        row = x[b]
        top = row_top(row)
        lost = False
        for j in range(row.size):
            lost |= row[j] != row[j]
        if lost or np.abs(top) == np.inf:
            logsumexp[b] = spoiled_row(row)
            continue
        total = 0.0
        for start in range(0, row.size, BLOCK):
            part = x.dtype.type(0.0)
            scores = row[start : start + BLOCK]
            for j in range(scores.size):
                e = exponential(scores[j] - top)
                scores[j] = e
                part += e
            total += part
        inverse = x.dtype.type(1.0 / total)
        for j in range(row.size):
            row[j] *= inverse
        logsumexp[b] = top + log64(total)


@compiled
def spoiled_row(row):
    """Give the weights of a row without a finite maximum, and return its logsumexp: 0 where hidden, else nan."""
    if is_masked(row):
        row[:] = 0.0
        return -np.inf
    logsumexp = np.inf
    for j in range(row.size):
        if row[j] != row[j]:
            logsumexp = np.nan
        row[j] = 0.0 if row[j] == -np.inf else np.nan
    return logsumexp


@compiled
def rounded_weights(x, logsumexp, digits, least, largest, overflow):
    """Do what `weights_of_rows` does with every operation rounded: difference, exponential, running sum, quotient.

    The last four arguments are the fields of a `float_rounding.Format`.
    """
    for b in range(x.shape[0]):
        row = x[b]
        top, total, lost = -np.inf, 0.0, False
        for j in range(row.size):
            top = max(top, row[j])
            lost |= row[j] != row[j]
        if lost or np.abs(top) == np.inf:
            logsumexp[b] = spoiled_row(row)
            continue
        for j in range(row.size):
            if row[j] == -np.inf:  # a format may have no infinity to round it to
                row[j] = 0.0
                continue
            difference = rounded(np.float64(row[j]) - top, digits, least, largest, overflow)
            row[j] = rounded(exp64(difference), digits, least, largest, overflow)
            total = rounded(total + row[j], digits, least, largest, overflow)
        for j in range(row.size):
            row[j] = rounded(row[j] / total, digits, least, largest, overflow)
        logsumexp[b] = top + log64(total)


@compiled(freedom="any order")
def score_gradients(weights, gradients):
    """Turn, in place, gradients g by the weights p into those by the scores: p (g - sum p g).

    Parameters
    ----------
    weights, gradients : float32 or float64 arrays, shape (rows, keys)
    """
    for b in range(weights.shape[0]):
        p, g = weights[b], gradients[b]
        mean = 0.0
        for start in range(0, p.size, BLOCK):
            part = p.dtype.type(0.0)
            here, there = p[start : start + BLOCK], g[start : start + BLOCK]
            for j in range(here.size):
                part += here[j] * there[j]
            mean += part
        centre = p.dtype.type(mean)
        if np.abs(centre) < np.inf:
            for j in range(p.size):
                g[j] = p[j] * (g[j] - centre)
        else:
            for j in range(p.size):
                g[j] = 0.0 if p[j] == 0.0 else p[j] * (g[j] - centre)  # 0 * nan would reach a hidden key


@compiled
def rounded_score_gradients(weights, gradients, stepwise, digits, least, largest, overflow):
    """Do what `score_gradients` does with difference and product rounded, and `stepwise` also each step of the sum."""
    for b in range(weights.shape[0]):
        p, g = weights[b], gradients[b]
        mean = 0.0
        for j in range(p.size):
            mean += np.float64(p[j]) * np.float64(g[j])
            if stepwise:
                mean = rounded(mean, digits, least, largest, overflow)
        mean = rounded(mean, digits, least, largest, overflow)
        for j in range(p.size):
            difference = rounded(g[j] - mean, digits, least, largest, overflow)
            g[j] = 0.0 if p[j] == 0.0 else rounded(p[j] * difference, digits, least, largest, overflow)
