"""A formula that a user types, read with a white list: numbers, names and a few functions of numbers.

The text never reaches `eval` or `compile`: it is cut into tokens, parsed to a syntax tree, and each node of the tree
is looked up in a table. Every number is a float64, so no power can fill the memory.
"""

import ast
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnsim.words import _

Floats = NDArray[np.float64]

NAMES = ("d", "n", "d_model", "layer", "sigma_q", "sigma_k", "rho", "within_sd")
FUNCTIONS: dict[str, tuple[Callable[..., Any], int]] = {
    "sqrt": (np.sqrt, 1),
    "log": (np.log, 1),
    "log2": (np.log2, 1),
    "log10": (np.log10, 1),
    "exp": (np.exp, 1),
    "tanh": (np.tanh, 1),
    "abs": (np.abs, 1),
    "min": (np.minimum, 2),
    "max": (np.maximum, 2),
}
OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
SIGNS: dict[type, Callable[[Any], Any]] = {ast.UAdd: operator.pos, ast.USub: operator.neg}
LONGEST, DEEPEST = 200, 40
SHOWN = 40  # characters of the text that an error repeats
TOKEN = re.compile(
    r" *(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?![\w.])|(?P<name>[A-Za-z_]\w*)|\*\*|[-+*/(),])", re.ASCII
)


@dataclass(frozen=True, slots=True)
class Expression:
    """A formula that was read.

    Attributes
    ----------
    text : str
        As it was typed.
    tree : ast.expr
        Holds nothing but what the white list knows.
    """

    text: str
    tree: ast.expr

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Expression) and other.text == self.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __str__(self) -> str:
        return self.text

    @property
    def names(self) -> frozenset[str]:
        """The names and functions it reads."""
        return frozenset(node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name))

    def value(self, numbers: Mapping[str, Any]) -> Floats:
        """Return the formula's value.

        Parameters
        ----------
        numbers : mapping
            A float64 number or array for each of `NAMES`.
        """
        with np.errstate(all="ignore"):  # what is not finite is refused by who asked
            return np.asarray(_value(self.tree, numbers), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Formula:
    """A parameter that is typed as a formula."""

    name: str
    default: str

    def read(self, key: str, text: str) -> Expression:
        """Return the formula that was typed.

        Raises
        ------
        ValueError
            In one sentence that names the rule and what cannot stand in a formula.
        """
        return read_formula(key, text)


def read_formula(key: str, text: str) -> Expression:
    """Return a formula as an expression.

    Parameters
    ----------
    key : str
        The rule it belongs to, for errors.
    text : str
        Numbers, `NAMES`, `FUNCTIONS`, + - * / ** and parentheses; at most 200 characters, nested at most 40 deep.

    Raises
    ------
    ValueError
        In one sentence that names the rule and what cannot stand in a formula.
    """
    text = text.strip(" ")
    if not text or len(text) > LONGEST:
        raise ValueError(
            _("scalings: the formula of {key} must have 1..{most} characters, not {count}").format(
                key=key, most=LONGEST, count=len(text)
            )
        )
    _check_tokens(key, text)
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise _refusal(key, text) from None
    _check_tree(key, text, tree)
    return Expression(text, tree)


def _check_tokens(key: str, text: str) -> None:
    place = 0
    while place < len(text):
        token = TOKEN.match(text, place)
        if token is None:
            raise _refusal(key, text[place:])
        name = token["name"]
        if name and name not in NAMES and name not in FUNCTIONS:
            known = ", ".join((*NAMES, *FUNCTIONS))
            raise ValueError(
                _("scalings: the formula of {key} may name {known}, not {value}").format(
                    key=key, known=known, value=repr(name[:SHOWN])
                )
            )
        place = token.end()


def _check_tree(key: str, text: str, tree: ast.expr) -> None:
    """Raise ValueError unless the table knows every node; a stack of its own, so that no depth can exhaust Python's."""
    waiting: list[tuple[ast.expr, int]] = [(tree, 1)]
    while waiting:
        node, depth = waiting.pop()
        if depth > DEEPEST:
            raise ValueError(
                _("scalings: the formula of {key} must be nested at most {most} deep").format(key=key, most=DEEPEST)
            )
        if not _known(node):
            raise _refusal(key, ast.get_source_segment(text, node) or text)
        parts: list[ast.expr] = []
        if isinstance(node, ast.BinOp):
            parts = [node.left, node.right]
        elif isinstance(node, ast.UnaryOp):
            parts = [node.operand]
        elif isinstance(node, ast.Call):
            parts = node.args
        waiting.extend((part, depth + 1) for part in parts)


def _known(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        return type(node.op) in OPERATORS
    if isinstance(node, ast.UnaryOp):
        return type(node.op) in SIGNS
    if isinstance(node, ast.Call):
        function = FUNCTIONS.get(node.func.id) if isinstance(node.func, ast.Name) else None
        return function is not None and len(node.args) == function[1] and not node.keywords
    if isinstance(node, ast.Name):
        return node.id in NAMES
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def _refusal(key: str, rest: str) -> ValueError:
    return ValueError(
        _("scalings: the formula of {key} cannot be read at {value}").format(key=key, value=repr(rest[:SHOWN]))
    )


def _value(node: ast.expr, numbers: Mapping[str, Any]) -> Any:
    if isinstance(node, ast.BinOp):
        return OPERATORS[type(node.op)](_value(node.left, numbers), _value(node.right, numbers))
    if isinstance(node, ast.UnaryOp):
        return SIGNS[type(node.op)](_value(node.operand, numbers))
    if isinstance(node, ast.Call):
        assert isinstance(node.func, ast.Name)
        return FUNCTIONS[node.func.id][0](*(_value(part, numbers) for part in node.args))
    if isinstance(node, ast.Name):
        return numbers[node.id]
    assert isinstance(node, ast.Constant)
    assert isinstance(node.value, (int, float))
    return np.float64(node.value)
