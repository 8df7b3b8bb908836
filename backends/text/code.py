"""Pieces of an expression's text, and the parentheses that joining them needs."""

from __future__ import annotations

import re
from typing import NamedTuple

# How tightly operators of the C family bind.
TERNARY, OR, AND, BIT_OR, BIT_XOR, BIT_AND, EQUALITY, RELATION, SHIFT, SUM, PRODUCT, UNARY, ATOM = (
    range(3, 16)
)


class Code(NamedTuple):
    """An expression's text and how tightly its outermost operator (``symbol``) binds."""

    text: str
    precedence: int = ATOM
    symbol: str = ""


#: Binary operators: IR operation to symbol and precedence.
BINARY: dict[str, tuple[str, int]] = {
    "add": ("+", SUM),
    "sub": ("-", SUM),
    "mul": ("*", PRODUCT),
    "div": ("/", PRODUCT),
    "rem": ("%", PRODUCT),
    "eq": ("==", EQUALITY),
    "ne": ("!=", EQUALITY),
    "lt": ("<", RELATION),
    "le": ("<=", RELATION),
    "gt": (">", RELATION),
    "ge": (">=", RELATION),
    "and": ("&&", AND),
    "or": ("||", OR),
    "bit_and": ("&", BIT_AND),
    "bit_or": ("|", BIT_OR),
    "bit_xor": ("^", BIT_XOR),
    "shl": ("<<", SHIFT),
    "shr": (">>", SHIFT),
}

#: What holds exactly when the comparison does not, for numbers that are always ordered.
OPPOSITE = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}

_BITS = frozenset({"&", "|", "^", "<<", ">>"})


def parenthesized(code: Code) -> str:
    """The text in parentheses."""
    return f"({code.text})"


def above(code: Code, precedence: int) -> str:
    """The text, in parentheses unless it binds tighter than ``precedence``."""
    return code.text if code.precedence > precedence else parenthesized(code)


#: A text that begins with a negative number whose opposite is a number too.
_NEGATIVE = re.compile(r"-(?!2147483648)[0-9]")


def binary(left: Code, symbol: str, right: Code, precedence: int) -> Code:
    """Two operands joined by a left-associative operator."""
    a = left.text if _fits(left, symbol, precedence) else parenthesized(left)
    if symbol == "+" and _fits(right, "-", precedence + 1) and _NEGATIVE.match(right.text):
        return Code(f"{a} - {right.text[1:]}", precedence, "-")  # exactly the same
    same = right.symbol == symbol in ("&&", "||")  # associative, whatever the operands
    fits = same or _fits(right, symbol, precedence + 1)
    tight = fits and not (symbol in ("+", "-") and right.text.startswith("-"))
    b = right.text if tight else parenthesized(right)
    return Code(f"{a} {symbol} {b}", precedence, symbol)


def _fits(code: Code, symbol: str, precedence: int) -> bool:
    """Whether an operand needs no parentheses; a mix that readers misread gets them anyway."""
    if code.precedence < precedence:
        return False
    if code.precedence >= UNARY or not code.symbol or code.symbol == symbol:
        return True
    return not (symbol in _BITS or (symbol == "||" and code.symbol == "&&"))


def negative(code: Code) -> Code:
    """The arithmetic negation."""
    text = above(code, UNARY - 1)
    return Code(f"-({text})" if text.startswith("-") else f"-{text}", UNARY)


def opposite(code: Code) -> Code:
    """The logical negation."""
    return Code(f"!{above(code, UNARY - 1)}", UNARY)


def call(function: str, *args: Code) -> Code:
    """A call."""
    return Code(f"{function}({', '.join(arg.text for arg in args)})")
