"""What names a rule file may use: terms, types, facts, primitives, and the sorts they take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from luma.optimizer.schema import CONSTRUCTORS, SORT

TYPE, EXPR, INT, FLOAT, STRING, TRUTH = "Type", "Expr", "i64", "f64", "String", "bool"

#: The sorts that declarations may name.
SORTS = (TYPE, EXPR, INT, FLOAT, STRING, TRUTH)


@dataclass(frozen=True, slots=True)
class Signature:
    """What a name takes and gives; ``result`` None where it is a fact or not.

    ``kind`` is ``term``, ``type``, ``helper``, ``relation``, ``function`` or ``primitive``.
    """

    kind: str
    args: tuple[str, ...]
    result: str | None


def _binary(*sorts: str) -> tuple[Signature, ...]:
    return tuple(Signature("primitive", (s, s), s) for s in sorts)


def _compare() -> tuple[Signature, ...]:
    return tuple(Signature("primitive", (s, s), None) for s in (INT, FLOAT))


#: The functions of egglog's own that rules may use.  Anything else it has (Python among them) is
#: none of a rule's business.
PRIMITIVES: Mapping[str, tuple[Signature, ...]] = {
    **{name: _binary(INT, FLOAT) for name in ("+", "-", "*", "/", "%", "min", "max")},
    **{name: _binary(INT) for name in ("&", "|", "^", "<<", ">>")},
    **{name: _compare() for name in ("<", "<=", ">", ">=")},
    "neg": (Signature("primitive", (FLOAT,), FLOAT),),
    "abs": tuple(Signature("primitive", (s,), s) for s in (INT, FLOAT)),
    "to-f64": (Signature("primitive", (INT,), FLOAT),),
    "to-i64": (Signature("primitive", (FLOAT,), INT),),
    "log2": (Signature("primitive", (INT,), INT),),
    "not-i64": (Signature("primitive", (INT,), INT),),
    "!=": tuple(Signature("primitive", (s, s), None) for s in SORTS),
    "=": tuple(Signature("primitive", (s, s), None) for s in SORTS),
}

#: Primitives that have no value for some operands: in a condition that is no match, on a right side
#: it would end the run.  Sums and differences count as safe: numbers of 32 bits do not overflow 64.
PARTIAL = {
    INT: frozenset({"*", "/", "%", "<<", ">>", "log2"}),
    FLOAT: frozenset({"/", "%", "to-i64"}),
}

Vocabulary = dict[str, tuple[Signature, ...]]

_TYPES = {
    "Bool": (), "I32": (), "U32": (), "F32": (), "F16": (), "VecT": (TYPE, INT),
    "MatT": (INT, INT), "Named": (STRING,),
}  # fmt: skip


@cache
def _own() -> Vocabulary:
    words: Vocabulary = dict(PRIMITIVES)
    for name, sorts in _TYPES.items():
        words[name] = (Signature("type", sorts, TYPE),)
    for c in CONSTRUCTORS.values():
        words[c.name] = (Signature("term", (TYPE, *(SORT[s] for s in c.sorts)), EXPR),)
    return words


def own() -> Vocabulary:
    """The names that exist before any rule file is read."""
    return dict(_own())
