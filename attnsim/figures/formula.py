"""Formulas as text with `_{..}` and `^{..}`: as Unicode for a terminal, as rich text for a window."""

import re
from html import escape

_PART = re.compile(r"([_^])\{([^{}]*)\}")
_TIGHT = re.compile(r"(_\{[^{}]*\})(?=\w)")  # q_{i}k_{i}: a terminal needs a space between
_SYMBOL = re.compile(r"(?<=[σμqkW])_([a-z])")
_RAISED = str.maketrans("0123456789+-−=()nT", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿᵀ")
_CAN_RISE = set("0123456789+-−=()nT")


def plain(formula: str) -> str:
    """Return a formula in Unicode: `q_{i}^{2}` becomes q_i²."""

    def written(part: re.Match[str]) -> str:
        kind, inner = part.groups()
        if kind == "^" and set(inner) <= _CAN_RISE:
            return inner.translate(_RAISED)
        return f"{kind}{inner}" if len(inner) == 1 or inner.isalpha() else f"{kind}({inner})"

    text = _PART.sub(written, _TIGHT.sub(r"\1 ", formula))
    return _PART.sub(written, text)  # once more for what stood within braces


def rich_words(sentence: str) -> str:
    """Return a sentence in rich text; symbols in it, such as σ_q², get real subscripts."""
    return _SYMBOL.sub(r"<sub>\1</sub>", escape(sentence, quote=False))


def rich(formula: str) -> str:
    """Return a formula in rich text, with real sub- and superscripts."""
    tags = {"_": "sub", "^": "sup"}
    return _PART.sub(lambda part: f"<{tags[part[1]]}>{part[2]}</{tags[part[1]]}>", escape(formula, quote=False))


_SIGNS = {
    "cdot": "·", "sim": "∼", "in": "∈", "leq": "≤", "sum": "Σ", "mid": "|", "quad": "  ", "ldots": "…", "varphi": "φ",
    "mu": "μ", "sigma": "σ", "nu": "ν", "gamma": "γ", "alpha": "α", "theta": "θ", "tau": "τ", "left": "", "right": "",
    "bmod": "mod", "{": "{", "}": "}", ",": " ", ";": " ", "!": "", " ": " ",
}  # fmt: skip
_NESTED = r"\{((?:[^{}]|\{[^{}]*\})*)\}"


def from_mathtext(formula: str) -> str:
    r"""Return a formula of a registry, written for matplotlib, in the form the others here take.

    `q \cdot k / \sqrt{d}` becomes `q · k / √d`. Names of functions (`ln`, `cos`) stay words.
    """
    text = re.sub(r"\\math(?:rm|bb)\{([^{}]*)\}", r"\1", formula)
    text = re.sub(rf"\\frac{_NESTED}{_NESTED}", r"(\1)/(\2)", text)
    text = re.sub(r"\\sqrt\{(\w)\}", r"√\1", text)
    text = re.sub(rf"\\sqrt{_NESTED}", r"√(\1)", text)
    text = re.sub(r"\\([a-zA-Z]+|[^a-zA-Z])", lambda part: _SIGNS.get(part[1], part[1]), text)
    return re.sub(r"([_^])(\w)", r"\1{\2}", text)
