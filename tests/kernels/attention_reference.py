"""Attention as its definition reads, in float64, pair by pair: what the tests compare with."""

import math

import numpy as np


def visible(n, m, causal=False, window=None):
    """Return which of m keys each of n queries sees."""
    offset = m - n if causal == "bottom-right" else 0
    i, j = np.arange(n)[:, None], np.arange(m)[None, :]
    seen = np.ones((n, m), bool)
    if causal:
        seen &= j <= i + offset
    if window is not None:
        seen &= i + offset - j <= window
    return seen


def scores_of(q, k, scale=None, mask=None, bias=None, causal=False, window=None, softcap=None):
    """Return the scores of 4-D float64 q and k, -inf where hidden; nothing of a hidden pair is looked at."""
    batches, heads, n, d = q.shape
    kv_heads, m = k.shape[1:3]
    scale = 1.0 / math.sqrt(d) if scale is None else scale
    out = np.full((batches, heads, n, m), -np.inf)
    seen = np.broadcast_to(visible(n, m, causal, window), out.shape)
    if mask is not None:
        seen = seen & mask
    added = np.broadcast_to(0.0 if bias is None else bias, out.shape)
    for b, h, i, j in np.argwhere(seen & (added != -np.inf)):
        s = (q[b, h, i] @ k[b, h // (heads // kv_heads), j]) * scale
        out[b, h, i, j] = (s if softcap is None else softcap * np.tanh(s / softcap)) + added[b, h, i, j]
    return out


def attend(q, k, v, **options):
    """Return output, logsumexp and weights of 4-D float64 arrays."""
    s = scores_of(q, k, **options)
    heads, kv_heads = q.shape[1], k.shape[1]
    values = np.repeat(v, heads // kv_heads, axis=1)
    top = np.max(s, axis=-1, keepdims=True, initial=-np.inf)
    e = np.exp(s - np.where(np.isfinite(top), top, 0.0))
    total = e.sum(axis=-1, keepdims=True)
    weights = e / np.where(total == 0.0, 1.0, total)
    with np.errstate(divide="ignore"):
        logsumexp = np.where(np.isfinite(top), top, 0.0)[..., 0] + np.log(total[..., 0])
    return weights @ values, logsumexp, weights


def random_problem(seed, batches=1, heads=2, kv_heads=2, n=5, m=7, d=4, value_width=3, spread=1.0):
    """Return normal q, k, v and grad_output, 4-D float64."""
    draw = np.random.default_rng(seed).standard_normal
    return (
        spread * draw((batches, heads, n, d)),
        spread * draw((batches, kv_heads, m, d)),
        draw((batches, kv_heads, m, value_width)),
        draw((batches, heads, n, value_width)),
    )
