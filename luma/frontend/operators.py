"""How tightly operators bind, those of other languages included."""

from __future__ import annotations

from luma.frontend import foreign
from luma.source import Span

COMPARISON = 3
PREFIX = 10

#: How tightly each binary operator binds.
PRECEDENCE: dict[str, int] = {
    "or": 1,
    "and": 2,
    **dict.fromkeys(("==", "!=", "<", ">", "<=", ">="), COMPARISON),
    "|": 4,
    "~": 5,
    "&": 6,
    **dict.fromkeys(("<<", ">>"), 7),
    **dict.fromkeys(("+", "-"), 8),
    **dict.fromkeys(("*", "/", "%"), 9),
}

#: The same with operators of other languages, which are reported and taken for what they mean.
ALL_PRECEDENCE = PRECEDENCE | {o: PRECEDENCE[as_] for o, (as_, _) in foreign.BINARY.items()}

#: An operator waiting for its operands: precedence, operator, its span.
Operator = tuple[int, str, Span]
