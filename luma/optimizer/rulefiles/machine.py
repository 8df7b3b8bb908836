"""Patterns evaluated on many points at once."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from luma.language.builtins import OPERATIONS
from luma.language.types import (
    Matrix,
    Scalar,
    Type,
    Vector,
    element_count,
    is_float,
    scalar_of,
)
from luma.optimizer.rulefiles.arrays import (
    Array,
    Value,
    applied,
    components,
    has_no_value,
    narrowed,
    rounded,
)
from luma.optimizer.rulefiles.meaning import FUNCTIONS, Random
from luma.optimizer.rulefiles.tree import HELPERS, Call, Literal, Pattern, Var, shown
from luma.optimizer.rulefiles.typings import SCALARS, Typing
from luma.optimizer.schema import CONSTRUCTORS


class Unknown(Exception):
    """The pattern says something that has no meaning here (a shader's own function, memory)."""


def type_of(pattern: Pattern, typing: Typing) -> Type:
    """The type that a type's pattern stands for."""
    match pattern:
        case Var(name):
            return typing.types[name]
        case Call("VecT", (elem, n)):
            found = type_of(elem, typing)
            assert isinstance(found, Scalar)
            return Vector(found, _count(n, typing))
        case Call("MatT", (c, r)):
            return Matrix(_count(c, typing), _count(r, typing))
        case Call(name, ()):
            return SCALARS[name]
    raise Unknown(shown(pattern))


def _count(pattern: Pattern, typing: Typing) -> int:
    if isinstance(pattern, Literal):
        return int(pattern.value)
    assert isinstance(pattern, Var)
    return typing.sizes[pattern.name]


def result_type(pattern: Pattern, typing: Typing) -> Type:
    """The type of an expression."""
    if isinstance(pattern, Var):
        return typing.expressions[pattern.name]
    assert isinstance(pattern, Call)
    return type_of(pattern.args[0], typing)


def _i64(compute: Callable[..., Array]) -> Callable[..., tuple[Array, Array | bool]]:
    """An integer primitive, with where it overflows; in double that is known well enough."""

    def checked(*args: Array) -> tuple[Array, Array | bool]:
        value = compute(*args)
        if np.asarray(value).dtype == np.float64:
            return value, False
        wide = compute(*(np.asarray(a, np.float64) for a in args))
        return value, np.abs(wide) >= float(1 << 63)

    return checked


def _truncated(a: Array, b: Array) -> tuple[Array, Array]:
    none = np.asarray(b == 0)
    if np.asarray(a).dtype == np.float64:
        return np.divide(a, np.where(none, 1.0, b)), none
    d = np.where(none, 1, b)
    q = np.abs(a) // np.abs(d)
    return np.where((np.asarray(a) < 0) == (d < 0), q, -q), none


def _modulo(a: Array, b: Array) -> tuple[Array, Array]:
    q, none = _truncated(a, b)
    if np.asarray(a).dtype == np.float64:
        return np.fmod(a, np.where(none, 1.0, b)), none
    return a - b * q, none


def _shift(compute: Callable[[Array, Array], Array]) -> Callable[..., tuple[Array, Array]]:
    def shifted(a: Array, b: Array) -> tuple[Array, Array]:
        none = np.asarray((b < 0) | (b > 63))
        return compute(a, np.where(none, 0, b)), none

    return shifted


def _total(compute: Callable[..., Array]) -> Callable[..., tuple[Array, bool]]:
    return lambda *args: (compute(*args), False)


_TOTAL: dict[str, Callable[..., Array]] = {
    "&": operator.and_, "|": operator.or_, "^": operator.xor, "neg": operator.neg,
    "abs": np.abs, "min": np.minimum, "max": np.maximum, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge, "!=": operator.ne, "=": operator.eq,
    "to-f64": np.float64, "not-i64": operator.invert,
    "to-i64": lambda x: np.trunc(x).astype(np.int64),
    "log2": lambda x: np.frexp(np.maximum(x, 1).astype(np.float64))[1] - 1,
}  # fmt: skip

_PRIMITIVES: dict[str, Callable[..., tuple[Array, Array | bool]]] = {
    **{name: _total(compute) for name, compute in _TOTAL.items()},
    "+": _i64(operator.add), "-": _i64(operator.sub), "*": _i64(operator.mul),
    "/": _truncated, "%": _modulo, "<<": _shift(operator.lshift), ">>": _shift(operator.rshift),
}  # fmt: skip


@dataclass(slots=True)
class Machine:
    """Evaluates patterns at one typing on ``count`` points.

    With ``exact`` arithmetic floats stay in double: real numbers, near enough.  ``valid`` tells
    where all that was evaluated has a value, ``free`` where that is so whatever block is reached
    (terms that are bound to theirs left aside); ``ordinary`` where no float on the way was NaN or
    infinite; ``broken`` where a literal was made that its type does not have.
    """

    typing: Typing
    count: int
    values: Mapping[str, Value]
    rng: Random
    exact: bool = False
    valid: Array = field(init=False)
    free: Array = field(init=False)
    ordinary: Array = field(init=False)
    broken: Array = field(init=False)
    told: dict[str, Array] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.valid = np.ones(self.count, bool)
        self.free = np.ones(self.count, bool)
        self.ordinary = np.ones(self.count, bool)
        self.broken = np.zeros(self.count, bool)

    # ------------------------------------------------------------ numbers

    def number(self, pattern: Pattern) -> Array:
        """The value of a number's expression; points where it has none become invalid."""
        match pattern:
            case Literal(value):
                return np.asarray(value)
            case Var(name):
                return np.asarray(self.values[name])
            case Call(name, (argument,)) if name in FUNCTIONS:
                return self._told(name, argument)
            case Call(name, args) if name in _PRIMITIVES:
                value, none = _PRIMITIVES[name](*(self.number(a) for a in args))
                self.valid &= ~np.asarray(none)
                return value
        raise Unknown(shown(pattern))

    def _told(self, name: str, argument: Pattern) -> Array:
        """What a fact tells of an expression: the same each time."""
        key = shown(Call(name, (argument,)))
        if key not in self.told:
            t = result_type(argument, self.typing)
            value = self.expression(argument)
            self.valid &= FUNCTIONS[name].known(value, t)
            self.told[key] = FUNCTIONS[name].number(value, t, self.rng)
        return self.told[key]

    # ------------------------------------------------------------ expressions

    def expression(self, pattern: Pattern) -> Value:
        """The value of an expression."""
        if isinstance(pattern, Var):
            return self.values[pattern.name]
        assert isinstance(pattern, Call)
        t = type_of(pattern.args[0], self.typing)
        if pattern.name in ("Lit", "Int", *HELPERS):
            return self._made(pattern, t)
        return self._term(pattern, t)

    def _made(self, pattern: Call, t: Type) -> Array:
        assert isinstance(t, Scalar)
        number = np.broadcast_to(self.number(pattern.args[1]), (self.count,))
        made = narrowed(number, t)
        if pattern.name in HELPERS:
            if is_float(t):
                self.valid &= np.isfinite(made)  # nothing turns such a Rounded into a literal
            return made
        self.broken |= made != number
        return made + 0.0 if is_float(t) else made  # no literal is -0.0

    def _term(self, pattern: Call, t: Type) -> Value:
        constructor = CONSTRUCTORS[pattern.name]
        if constructor.op not in OPERATIONS and constructor.op not in _EVALUATED:
            raise Unknown(shown(pattern))
        pairs = list(zip(constructor.sorts, pattern.args[1:], strict=True))
        operands = [p for sort, p in pairs if sort == "E"]
        imm = tuple(int(self.number(p)) for sort, p in pairs if sort == "I")
        if constructor.pinned:
            imm = ()
        values = [self.expression(p) for p in operands]
        kinds = tuple(result_type(p, self.typing) for p in operands)
        none = has_no_value(constructor.op, t, values)
        if none is not None:
            self._without(none, constructor.pinned)
        imm, exist = existing(constructor.op, imm, kinds)
        self._without(np.asarray(not exist), False)
        try:
            value = applied(constructor.op, t, kinds, values, imm)
        except KeyError:
            raise Unknown(shown(pattern)) from None
        if constructor.op not in OPERATIONS:
            return value  # what is only put together is rounded already, what is converted too
        floats = is_float(scalar_of(t))
        if not (self.exact and floats):
            value = rounded(value, t)
        if floats:
            for part in components(value):
                self.ordinary &= np.isfinite(part)
        return value

    def _without(self, none: Array, bound: bool) -> None:
        """Note where a term has no value, and whether it is bound to its block."""
        self.valid &= ~none
        if not bound:
            self.free &= ~none


def existing(op: str, imm: Sequence[int], kinds: Sequence[Type]) -> tuple[tuple[int, ...], bool]:
    """The positions that an operation names, each brought to one that exists; whether all do."""
    if op not in ("extract", "insert", "shuffle") or not imm:
        return tuple(imm), True
    last = element_count(kinds[0]) - 1
    return tuple(min(max(n, 0), last) for n in imm), all(0 <= n <= last for n in imm)


_EVALUATED = frozenset({"construct", "splat", "extract", "insert", "shuffle", "convert"})


def point(value: Value, at: int) -> Any:
    """One point's value, as tuples of numbers."""
    if isinstance(value, tuple):
        return tuple(point(v, at) for v in value)
    array = np.asarray(value)
    return array[at].item() if array.ndim else array.item()
