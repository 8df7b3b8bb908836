"""The e-graph's vocabulary: one constructor an operation, made from the table of operations.

A term holds its type first, the type of its first operand second where that does not follow from
it, then the operands; so a rule can tell types without analysing anything.  A constructor that ends
in ``At`` also names the block it is bound to: such a term is merged inside its block, never moved.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from luma.language.builtins import OPERATIONS, Effect, Operation
from luma.language.types import (
    Matrix,
    Type,
    Vector,
    element_count,
    is_integer,
    width,
)
from luma.optimizer.term import Node


@dataclass(frozen=True, slots=True)
class Constructor:
    """One kind of term.

    ``op`` is the IR operation it stands for.  ``sorts`` has a letter an argument after the type:
    T a type, E an expression, I an integer, F a number, S a string.  ``pinned`` terms name their
    block by their first I.
    """

    name: str
    op: str
    sorts: str
    pinned: bool = False


#: The sort that a letter of :attr:`Constructor.sorts` stands for.
SORT = {"T": "Type", "E": "Expr", "I": "i64", "F": "f64", "S": "String"}

#: The types as terms.  ``Named`` is any type that rules do not look into.
TYPES = "(Bool) (I32) (U32) (F32) (F16) (VecT Type i64) (MatT i64 i64) (Named String)"

#: How many run-time indices of an access chain a term can hold.
MAX_INDICES = 3
ACCESS = ("AccessA", "AccessB", "AccessC", "AccessD")

#: Functions of so many arguments have no terms for their calls.
MAX_ARGUMENTS = 9

#: Terms for operations of one, two and three operands that have to stay as they are.
KEPT = ("KeepA", "KeepB", "KeepC")

_STRUCTURAL = (
    # leaves: parameters and results of what stays in order; literals; names
    Constructor("Leaf", "", "I"),
    Constructor("Lit", "const", "F"),
    Constructor("Int", "const", "I"),
    Constructor("Spec", "spec", "S"),
    Constructor("Global", "global", "S"),
    # memory that nobody can change; the path is text, one index a word, _ for a run-time one
    *(Constructor(name, "access", "ES" + "E" * n) for n, name in enumerate(ACCESS)),
    Constructor("LoadU", "load", "E"),
    Constructor("LoadUAt", "load", "IE", pinned=True),
    # vectors and matrices by components and columns; Join has vectors among its parts
    Constructor("Splat", "splat", "E"),
    *(Constructor(f"Vec{n}", "construct", "E" * n) for n in (2, 3, 4)),
    *(Constructor(f"Mat{n}", "construct", "E" * n) for n in (2, 3, 4)),
    Constructor("Join2", "construct", "TTEE"),
    Constructor("Join3", "construct", "TTTEEE"),
    # arrays and structs: a list of parts
    Constructor("Make", "construct", "E"),
    Constructor("Cons", "", "EE"),
    Constructor("Nil", "", ""),
    Constructor("Extract", "extract", "TEI"),
    Constructor("PickAt", "extract", "TIEE", pinned=True),
    Constructor("Insert", "insert", "EIE"),
    Constructor("InsertPath", "insert", "ESE"),
    *(Constructor(f"Swz{n}", "shuffle", "TE" + "I" * n) for n in (2, 3, 4)),
    Constructor("ShuffleTwo", "shuffle", "TTEES"),
    Constructor("Convert", "convert", "TE"),
    Constructor("ConvertAt", "convert", "TIE", pinned=True),
    # a call of the module's own function, which rules of the user's may know
    *(Constructor(f"Call{n}", "call", "SI" + "E" * n, pinned=True) for n in range(MAX_ARGUMENTS)),
    # an operation by its name: merged and moved, but no rule looks into it
    *(Constructor(name, "", "S" + "E" * n) for n, name in enumerate(KEPT, 1)),
)

#: Products of matrices that need not be square: the result does not tell all of the shapes.
_SHAPED = frozenset({"mat_mat", "vec_mat"})

#: Operations whose terms exist free (where they are total) and pinned (where they may not be).
_BOTH = frozenset({"div", "rem"})


def _arity(row: Operation) -> int:
    operands = row.signature.split("->")[0].strip()
    return len(operands.split(",")) if operands else 0


def operand_typed(row: Operation) -> bool:
    """Whether the operation's terms state the type of their first operand."""
    return row.operand_typed or row.name in _SHAPED


def _of_row(row: Operation) -> list[Constructor]:
    typed = "T" if operand_typed(row) else ""
    operands = "E" * _arity(row)
    free = Constructor(row.constructor, row.name, typed + operands)
    bound = Constructor(row.constructor + "At", row.name, typed + "I" + operands, pinned=True)
    if row.name in _BOTH:
        return [free, bound]
    return [free if row.effect is Effect.PURE else bound]


def _constructors() -> dict[str, Constructor]:
    rows = list(_STRUCTURAL)
    for row in OPERATIONS.values():
        if row.effect not in (Effect.READ, Effect.WRITE):
            rows.extend(_of_row(row))
    return {row.name: row for row in rows}


#: Every constructor of expressions by its name.
CONSTRUCTORS: dict[str, Constructor] = _constructors()

#: Where the arguments of each constructor are expressions.
OPERANDS: dict[str, tuple[int, ...]] = {
    c.name: tuple(at for at, sort in enumerate(c.sorts) if sort == "E")
    for c in CONSTRUCTORS.values()
}

#: Terms that are bound to a block.
PINNED = frozenset(c.name for c in CONSTRUCTORS.values() if c.pinned)

#: Terms that hold the number of a block or a value of a function's own, and where.
OWN: dict[str, int] = {
    c.name: c.sorts.index("I") for c in CONSTRUCTORS.values() if c.pinned or c.name == "Leaf"
}


def pinned_block(node: Node) -> int | None:
    """The number of the block that a node is bound to, if it is."""
    return own_number(node) if node.constructor in PINNED else None


def own_number(node: Node) -> int | None:
    """The number of a leaf, or of the block that a node is bound to."""
    at = OWN.get(node.constructor)
    return None if at is None else node.args[at]  # type: ignore[return-value]


#: Nodes that only the choice of others knows, not the e-graph (see machine.py).
PART, FUSED = "(part)", "(fused)"


def schema() -> str:
    """The declarations, as egglog text."""
    rows = [f"(datatype Type {TYPES})", "(sort Expr)"]
    for c in CONSTRUCTORS.values():
        sorts = " ".join(["Type", *(SORT[s] for s in c.sorts)])
        rows.append(f"(constructor {c.name} ({sorts}) Expr)")
    rows.append("(function val (i64) Expr :merge old)")
    return "\n".join(rows)


def spent_rules() -> str:
    """Rules that hide a computed term from matching once its class holds a literal."""
    rows = ["(ruleset spent)"]
    for row in OPERATIONS.values():
        if not (row.exact and row.each) or row.constructor not in CONSTRUCTORS:
            continue
        sorts = CONSTRUCTORS[row.constructor].sorts
        term = f"({row.constructor} t {' '.join(f'x{k}' for k in range(len(sorts)))})"
        for literal in _literals(row):
            rows.append(
                f"(rule ((= e ({literal} t k)) (= e {term})) ((subsume {term}))"
                f' :ruleset spent :name "spent-{row.name}-{literal}")'
            )
    return "\n".join(rows)


def _literals(row: Operation) -> tuple[str, ...]:
    result = row.signature.split("->")[1].strip()
    if result == "F":
        return ("Lit",)
    return ("Int",) if result.startswith(("bool", "int", "B", "I")) else ("Lit", "Int")


# ---------------------------------------------------------------- costs

#: A cycle of the table's costs, and what every instruction costs beside its cycles: among equally
#: fast code the shorter wins.
CYCLE, INSTRUCTION = 10, 8

STRUCTURAL_COST = {
    "Leaf": 1, "Lit": 1, "Int": 1, "Spec": 1, "Global": 1, "Nil": 1, "Cons": 1, "Make": 4,
    **dict.fromkeys(ACCESS, 2), "LoadU": 30, "LoadUAt": 30,
    "Splat": 3, "Vec2": 4, "Vec3": 5, "Vec4": 6, "Mat2": 4, "Mat3": 5, "Mat4": 6,
    "Join2": 4, "Join3": 5, "Extract": 3, "PickAt": 20, "Insert": 5, "InsertPath": 5,
    **{f"Call{n}": 400 for n in range(MAX_ARGUMENTS)},
    "Swz2": 3, "Swz3": 3, "Swz4": 3, "ShuffleTwo": 4,
}  # fmt: skip

#: What differs for integers.
_INTEGER_CYCLES = {"mul": 4, "div": 35, "rem": 38}

#: A loop is taken to run so often.
_TURNS = 8


def in_loops(node: Node, depth: int) -> int:
    """What a node costs that is computed in so many loops: its cycles each turn, its size once."""
    if depth == 0 or node.constructor in STRUCTURAL_COST:
        return node.cost
    fixed = {PART: 0, FUSED: 2 * INSTRUCTION}.get(node.constructor, INSTRUCTION)
    turns: int = _TURNS ** min(depth, _DEEPEST)
    return node.cost + (turns - 1) * max(node.cost - fixed, 0)


_DEEPEST = 3

#: Operations that GPUs do as modifiers of operands or results.
_MODIFIERS = frozenset({"neg", "abs", "saturate"})


def _cycles(row: Operation, result: Type, operand: Type | None) -> int:
    """Issue cycles of one operation; those of vectors and matrices grow with their size."""
    if row.each:
        return row.cost * width(result)
    match row.name, operand if operand is not None else result:
        case "dot", Vector(size=size):
            return size
        case (("length" | "distance"), Vector(size=size)):
            return row.cost - 3 + size
        case "normalize", Vector(size=size):
            return 4 + 2 * size
        case (("reflect" | "refract" | "faceforward"), Vector(size=size)):
            return row.cost - 6 + 2 * size
        case "mat_vec", Matrix(cols=cols, rows=rows):
            return cols * rows
        case "vec_mat", Vector(size=size):
            return size * element_count(result)
        case "mat_mat", Matrix(cols=inner) if isinstance(result, Matrix):
            return inner * result.cols * result.rows
        case "inverse", Matrix(cols=size):
            return _INVERSE[size]
    if isinstance(result, Matrix) and row.name in ("add", "sub", "neg", "mat_scale"):
        return result.cols * result.rows
    return row.cost


#: Cycles of the inverse of a square matrix, by its size.
_INVERSE = {2: 10, 3: 43, 4: 124}


@cache
def cost(name: str, result: Type, operand: Type | None) -> int:
    """What the extractor pays for one term; never 0, so that no choice can go round in a circle.

    ``operand`` is the type of the first operand where the term states it.
    """
    fixed = STRUCTURAL_COST.get(name)
    if fixed is not None or name in KEPT:  # there is nothing else to choose
        return fixed or CYCLE
    c = CONSTRUCTORS[name]
    if c.op == "convert":
        return CYCLE * width(result) + INSTRUCTION
    row = OPERATIONS[c.op]
    if is_integer(result) and row.name in _INTEGER_CYCLES:
        return CYCLE * _INTEGER_CYCLES[row.name] * width(result) + INSTRUCTION
    if row.name in _MODIFIERS and not isinstance(result, Matrix):
        return INSTRUCTION + width(result)
    return CYCLE * _cycles(row, result, operand) + INSTRUCTION
