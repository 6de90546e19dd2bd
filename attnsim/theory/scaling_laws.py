"""Spread of the scores under each scale rule, for independent standard normal queries and keys."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.theory.limits import within
from attnsim.words import _

Floats = NDArray[np.float64]

LENGTH = 512.0  # at which the log-n rule equals the square root


def cosine_tail(x: ArrayLike, dim: float) -> Floats:
    """Return P(cos > x) between two independent directions of `dim` >= 1 dimensions, x in -1..1.

    (cos + 1)/2 is Beta((d - 1)/2, (d - 1)/2): variance 1/d, excess kurtosis -6/(d + 2).
    """
    from scipy.special import betainc

    c, d = within("x", x, -1.0, 1.0), float(within("dim", dim, 1.0))
    if d == 1.0:
        return np.where(c < 1.0, 0.5, 0.0)
    half = 0.5 * betainc(0.5 * (d - 1.0), 0.5, 1.0 - c * c)
    return np.asarray(np.where(c >= 0.0, half, 1.0 - half), dtype=np.float64)


def cosine_pdf(x: ArrayLike, dim: float) -> Floats:
    """Return the density of the cosine between two independent directions of `dim` > 1 dimensions."""
    c, d = within("x", x, -1.0, 1.0), float(within("dim", dim, 1.0, beyond_low=True))
    constant = math.lgamma(0.5 * d) - math.lgamma(0.5 * (d - 1.0)) - 0.5 * math.log(math.pi)
    with np.errstate(divide="ignore"):
        return np.asarray(np.exp(constant) * (1.0 - c * c) ** (0.5 * (d - 3.0)), dtype=np.float64)


def softcap_variance(score_sd: ArrayLike, cap: ArrayLike = 50.0) -> Floats:
    """Return E (cap tanh(s z/cap))^2, the variance of soft-capped N(0, s^2) scores.

    Parameters
    ----------
    score_sd : array_like
        0 or more.
    cap : array_like
        Above 0; the arguments broadcast.
    """
    s, c = np.broadcast_arrays(within("score_sd", score_sd, 0.0), within("cap", cap, 0.0, beyond_low=True))
    return np.array([_softcap(float(a), float(b)) for a, b in zip(s.ravel(), c.ravel(), strict=True)]).reshape(s.shape)


def _softcap(s: float, cap: float) -> float:
    """The integrand's poles lie pi cap/(2 s) from the axis, which sets the trapezoidal rule's step."""
    ratio = s / cap
    step = min(0.1, 0.2 / max(ratio, 1e-12))
    z = np.arange(-10.0, 10.0 + step, step) if step > 1e-5 else np.array([1.0])
    chances = np.exp(-0.5 * z * z)
    return float(cap**2 * (np.tanh(ratio * z) ** 2 @ chances) / chances.sum())


def default_qknorm_gain(length: float) -> float:
    """Return log2(L^2 - L), the initial gain of query-key normalisation for sequences of length L >= 2.

    A. Henry et al., "Query-Key Normalization for Transformers", Findings of EMNLP 2020.
    """
    size = float(within("length", length, 2.0))
    return math.log2(size * size - size)


def yarn_factor(context_ratio: ArrayLike) -> Floats:
    """Return (0.1 ln r + 1)^2 for a context r >= 1 times as long; B. Peng et al., "YaRN", 2023."""
    return np.asarray((0.1 * np.log(within("context_ratio", context_ratio, 1.0)) + 1.0) ** 2, dtype=np.float64)


def adaptive_temperature(entropy: ArrayLike) -> Floats:
    """Return the inverse temperature for a row of this entropy (nats): max(1, quartic) above 0.5, and 1 below.

    P. Velickovic et al., "softmax is not enough (for sharp out-of-distribution)", 2024.
    """
    h = within("entropy", entropy, 0.0)
    quartic = np.polyval((-0.037, 0.481, -2.3, 4.917, -1.791), h)
    return np.where(h > 0.5, np.maximum(1.0, quartic), 1.0)


def ssmax_condensation(gain: ArrayLike, score_sd: ArrayLike = 1.0) -> Floats:
    """Return exp(2/(gain sd)^2), the number of keys at which a spread of gain ln n sd meets sqrt(2 ln n).

    With gain 1/ln 512 it is the log-n rule's.
    """
    both = within("gain", gain, 0.0, beyond_low=True) * within("score_sd", score_sd, 0.0, beyond_low=True)
    with np.errstate(over="ignore"):
        return np.asarray(np.exp(2.0 / both**2), dtype=np.float64)


def _root(dim: Floats, keys: Floats, raw: Floats) -> Floats:
    return np.asarray(raw / np.sqrt(dim), dtype=np.float64)


def _layernorm(dim: Floats, gain: float) -> Floats:
    """Centring leaves d - 1 directions, and gives the length sqrt(d)."""
    d = within("dim", dim, 2.0)
    return np.asarray(gain * np.sqrt(d / (d - 1.0)), dtype=np.float64)


def _sigma_reparam(dim: Floats, gain: float, width: float) -> Floats:
    """A D x d Gaussian matrix over its largest singular value, sqrt(D) + sqrt(d) of sd-1 entries for large sizes."""
    shares = np.sqrt(dim / float(within("width", width, 1.0)))
    return np.asarray(gain / (1.0 + shares) ** 2, dtype=np.float64)


# id -> (dim, keys, sd of the raw score, parameters) -> sd of the rule's scores; parameters have the defaults below
Law = Callable[[Floats, Floats, Floats, dict[str, float]], Floats]

PARAMETERS: dict[str, dict[str, float]] = {
    "alpha_over_d": {"alpha": 1.0},
    "power": {"exponent": 0.5},
    "constant": {"divisor": 8.0},
    "rmsnorm_qk": {"gain": 1.0},  # gamma_q gamma_k
    "layernorm_qk": {"gain": 1.0},
    "cosine": {"temperature": 0.1},
    "qknorm": {"gain": default_qknorm_gain(100.0)},
    "ssmax": {"gain": 0.43},
    "yarn": {"context_ratio": 1.0},
    "softcap": {"cap": 50.0},
    "sigma_reparam": {"gain": 1.0, "width": 512.0},
    "learned": {"log_gain": 0.0},
}

LAWS: dict[str, Law] = {
    "none": lambda d, n, raw, p: raw,
    "inverse_sqrt": lambda d, n, raw, p: _root(d, n, raw),
    "inverse_d": lambda d, n, raw, p: raw / d,
    "alpha_over_d": lambda d, n, raw, p: p["alpha"] * raw / d,
    "power": lambda d, n, raw, p: raw * d ** -p["exponent"],
    "constant": lambda d, n, raw, p: raw / p["divisor"],
    "rmsnorm_qk": lambda d, n, raw, p: np.full(d.shape, p["gain"]),
    "layernorm_qk": lambda d, n, raw, p: _layernorm(d, p["gain"]),
    "cosine": lambda d, n, raw, p: 1.0 / (p["temperature"] * np.sqrt(d)),
    "qknorm": lambda d, n, raw, p: p["gain"] / np.sqrt(d),
    "log_n": lambda d, n, raw, p: np.log(n) / math.log(LENGTH) * _root(d, n, raw),
    "ssmax": lambda d, n, raw, p: p["gain"] * np.log(n) * _root(d, n, raw),
    "yarn": lambda d, n, raw, p: yarn_factor(p["context_ratio"]) * _root(d, n, raw),
    "softcap": lambda d, n, raw, p: np.sqrt(softcap_variance(_root(d, n, raw), p["cap"])),
    "sigma_reparam": lambda d, n, raw, p: _sigma_reparam(d, p["gain"], p["width"]),
    "learned": lambda d, n, raw, p: math.exp(p["log_gain"]) * _root(d, n, raw),
    "softmax1": lambda d, n, raw, p: _root(d, n, raw),
    "t5": lambda d, n, raw, p: _root(d, n, raw),  # the root is in the initialisation of W_Q
    "optimal": lambda d, n, raw, p: np.ones(d.shape),
}


def rule_score_sd(rule: str, dim: ArrayLike, keys: ArrayLike = 2.0, *, raw_sd: ArrayLike | None = None,
                  **parameters: float) -> Floats:  # fmt: skip
    """Return the spread of a row's scores under a scale rule.

    Parameters
    ----------
    rule : str
        A key of `LAWS`.
    dim, keys : array_like
        1 or more; broadcast.
    raw_sd : array_like, optional
        Within-row spread of the raw scores; sqrt(dim) when left out. Rules that normalise the vectors (rmsnorm_qk,
        layernorm_qk, cosine, qknorm) and sigma_reparam, whose value holds for large sizes, do not use it.
    **parameters : float
        The rule's, as in `PARAMETERS`.

    Raises
    ------
    ValueError
        If there is no such rule or parameter, or a size is out of its limits.
    """
    if rule not in LAWS:
        raise ValueError(_("rule must be among {known}, not {value}").format(known=", ".join(LAWS), value=repr(rule)))
    known = PARAMETERS.get(rule, {})
    for name, value in parameters.items():
        if name not in known:
            allowed = ", ".join(known) or _("none")
            raise ValueError(
                _("{rule}: parameters must be among {allowed}, not {value}").format(
                    rule=rule, allowed=allowed, value=name
                )
            )
        within(name, value)
    d, n = np.broadcast_arrays(within("dim", dim, 1.0), within("keys", keys, 1.0))
    raw = np.sqrt(d) if raw_sd is None else np.broadcast_to(within("raw_sd", raw_sd, 0.0), d.shape)
    return np.asarray(LAWS[rule](d, n, raw, known | parameters), dtype=np.float64)


def score_bound(rule: str, dim: ArrayLike, **parameters: float) -> Floats:
    """Return what |score| never exceeds under a rule; inf where there is no bound. Arguments as in `rule_score_sd`."""
    d = within("dim", dim, 1.0)
    p = PARAMETERS.get(rule, {}) | parameters
    if rule in ("rmsnorm_qk", "layernorm_qk"):
        return np.asarray(abs(p["gain"]) * np.sqrt(d), dtype=np.float64)
    flat = {"cosine": 1.0 / p.get("temperature", 1.0), "qknorm": p.get("gain", 1.0), "softcap": p.get("cap", 1.0)}
    return np.full(d.shape, flat.get(rule, math.inf))
