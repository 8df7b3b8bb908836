"""Whether a rule is true: both sides evaluated on the same values and compared.

Exact rules must agree bit for bit on every value there is, or rather on the treacherous ones: NaN,
infinities, -0.0, denormals, the least and greatest of integers.  Fast rules must agree within a
tolerance on ordinary values.
"""

from __future__ import annotations

import math
import operator
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from luma.language.builtins import OPERATIONS
from luma.language.evaluate import evaluator
from luma.language.numbers import FLT_MAX, INT_MAX, INT_MIN, UINT_MAX, f16, f32, f32_bits, narrow
from luma.language.signatures import match
from luma.language.types import (
    BOOL,
    FLOAT,
    HALF,
    INT,
    Array,
    Matrix,
    Scalar,
    Struct,
    Type,
    Vector,
    element,
    element_count,
    is_float,
    is_integer,
    scalar_of,
)
from luma.optimizer.rulefiles.rule import Call, Fact, Literal, Pattern, RuleText, Var, walk
from luma.optimizer.rulefiles.typings import SCALARS, Typing, operand_types, typings
from luma.optimizer.schema import CONSTRUCTORS

FLOATS = (0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -3.5, 2.0**-149, f32(-1e-40), 2.0**-126, FLT_MAX,
          -FLT_MAX, math.inf, -math.inf, math.nan, f32(0.1), 16777215.0, -0.75, 1e10)  # fmt: skip
HALVES = (0.0, -0.0, 1.0, -1.5, 65504.0, -65504.0, math.inf, math.nan, f16(0.1), 2.0**-24)
INTS = (0, 1, -1, 2, 3, -7, 31, 32, 33, INT_MIN, INT_MAX, 255, -256, 0x55555555)
UINTS = (0, 1, 2, 3, 31, 32, 1 << 31, UINT_MAX, UINT_MAX - 1, 0xFF, 0x55555555)

#: How far fast rules may be off, relative to the value (absolute below 1).
TOLERANCE = {FLOAT: 2e-4, HALF: 0.05}


class NoValue(Exception):
    """The conditions fail for these values, or one side has no specified value."""


@dataclass
class Sample:
    """Values for the variables of a rule."""

    typing: Typing
    values: dict[str, Any] = field(default_factory=dict)


def falsify(rule: RuleText, samples: int) -> str | None:
    """A counterexample in words, or None.  Raises AssertionError if the rule was never tried."""
    rng = random.Random(rule.name)
    tried = 0
    for typing in typings(rule):
        for _ in range(samples):
            try:
                sample = draw(rule, typing, rng)
                left = evaluate(rule.left, sample)
                assert rule.right is not None
                right = evaluate(rule.right, sample)
                t = result_type(rule.left, sample)
                _demand_ordinary(rule, left)
            except NoValue:
                continue
            tried += 1
            if not agree(left, right, t, rule.fast):
                return f"{rule.name}: {left} is not {right} for {sample.values} at {typing.types}"
    assert tried, f"{rule.name} could not be tried at any type"
    return None


def _demand_ordinary(rule: RuleText, value: Any) -> None:
    """Fast rules promise nothing where the left side is no ordinary number."""
    if isinstance(value, tuple):
        for v in value:
            _demand_ordinary(rule, v)
    elif rule.fast and isinstance(value, float) and not (math.isfinite(value) and abs(value) < 1e6):
        raise NoValue


def agree(left: Any, right: Any, t: Type, fast: bool) -> bool:
    """Whether two values are the same: by bits, or within the tolerance."""
    if isinstance(left, tuple):
        return all(agree(a, b, t, fast) for a, b in zip(left, right, strict=True))
    if not isinstance(left, float):
        return bool(type(left) is type(right) and left == right)
    if math.isnan(left) or math.isnan(right):
        return math.isnan(left) and math.isnan(right)
    if fast:
        tolerance = TOLERANCE[scalar_of(t) if is_float(t) else FLOAT]
        return bool(abs(left - right) <= tolerance * max(1.0, abs(left)))
    return f32_bits(left) == f32_bits(right)


# ---------------------------------------------------------------- values


def draw(rule: RuleText, typing: Typing, rng: random.Random) -> Sample:
    """Values for the variables, such that the conditions hold."""
    sample = Sample(typing)
    constants = _constants(rule.conditions)
    for name, limit in typing.numbers.items():
        if isinstance(limit, int):
            sample.values[name] = rng.randrange(limit)
        else:
            sample.values[name] = _literal(limit, rule.fast, rng)
    for name, t in typing.expressions.items():
        if name in constants:
            fixed = constants[name]
            value = _scalar(scalar_of(t), rule.fast, rng) if fixed is None else fixed
            if fixed is None and isinstance(value, float) and not math.isfinite(value):
                raise NoValue
            if value == 0 and isinstance(value, float):
                value = 0.0
            sample.values[name] = spread(t, narrow(value, scalar_of(t)))
        else:
            sample.values[name] = _value(t, rule.fast, rng)
    for fact in rule.conditions:
        _hold(fact, sample)
    return sample


def _constants(conditions: tuple[Fact, ...]) -> dict[str, int | float | None]:
    """The variables that conditions say are constants, with the constant if they say which."""
    found: dict[str, int | float | None] = {}
    for fact in conditions:
        for side in (fact.left, fact.right):
            for p in walk(side) if side is not None else ():
                if isinstance(p, Call) and p.name in ("uniform", "whole"):
                    assert isinstance(p.args[0], Var)
                    found.setdefault(p.args[0].name, None)
        sides = (fact.left, fact.right)
        if isinstance(sides[0], Call) and sides[0].name == "=":
            sides = sides[0].args[:2]  # type: ignore[assignment]
        for a, b in (sides, sides[::-1]):
            if isinstance(a, Call) and a.name in ("uniform", "whole") and isinstance(b, Literal):
                assert isinstance(a.args[0], Var) and not isinstance(b.value, str)
                found[a.args[0].name] = b.value
    return found


def spread(t: Type, value: Any) -> Any:
    """A value with every component the same."""
    match t:
        case Vector(size=size):
            return (value,) * size
        case Matrix(cols=cols):
            return (spread(t.column, value),) * cols
    return value


def _value(t: Type, fast: bool, rng: random.Random) -> Any:
    match t:
        case Vector(elem, size):
            return tuple(_scalar(elem, fast, rng) for _ in range(size))
        case Matrix(cols=cols):
            return tuple(_value(t.column, fast, rng) for _ in range(cols))
        case Array() | Struct():
            parts = range(element_count(t))
            return tuple(_value(element(t, part), fast, rng) for part in parts)
    assert isinstance(t, Scalar)
    return _scalar(t, fast, rng)


def _scalar(t: Scalar, fast: bool, rng: random.Random) -> Any:
    if t == BOOL:
        return rng.random() < 0.5
    if is_integer(t):
        return rng.choice(INTS if t == INT else UINTS)
    if fast:
        near = rng.uniform(0.1, 3.0) if rng.random() < 0.6 else rng.uniform(-3.0, 3.0)
        return narrow(near, t)
    return rng.choice(HALVES if t == HALF else FLOATS)


def _literal(t: Type, fast: bool, rng: random.Random) -> Any:
    """What a literal of the e-graph may hold."""
    value = _scalar(scalar_of(t), fast, rng)
    if isinstance(value, float) and (not math.isfinite(value) or value == 0.0):
        return 0.0
    return int(value) if not isinstance(value, float) else value


# ---------------------------------------------------------------- conditions


def _hold(fact: Fact, sample: Sample) -> None:
    """Check a condition, or let it give a variable its value."""
    left, right = fact.left, fact.right
    if right is None:
        if isinstance(left, Call) and left.name in ("float", "integer", "open"):
            return
        if isinstance(left, Call) and left.name == "!=":
            _differ(left, sample)
            return
        if not _number(left, sample):
            raise NoValue
        return
    for a, b in ((left, right), (right, left)):
        if isinstance(a, Var) and a.name not in sample.values:
            sample.values[a.name] = _number(b, sample)
            return
    if _number(left, sample) != _number(right, sample):
        raise NoValue


def _differ(fact: Call, sample: Sample) -> None:
    a, b = fact.args
    if isinstance(a, Var) and a.name in sample.typing.expressions:
        if sample.values[a.name] == evaluate(b, sample):
            raise NoValue
    elif _number(a, sample) == _number(b, sample):
        raise NoValue


def _truncated(a: Any, b: Any) -> Any:
    if b == 0:
        raise NoValue
    if isinstance(a, float):
        return a / b
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _in_64_bits(compute: Callable[..., Any]) -> Callable[..., Any]:
    """An integer primitive: it has no value where it overflows."""

    def checked(*args: Any) -> Any:
        value = compute(*args)
        if isinstance(value, int) and not -(1 << 63) <= value < (1 << 63):
            raise NoValue
        return value

    return checked


PRIMITIVES: dict[str, Callable[..., Any]] = {
    "+": _in_64_bits(operator.add), "-": _in_64_bits(operator.sub),
    "*": _in_64_bits(operator.mul), "/": _truncated,
    "%": lambda a, b: a - b * _truncated(a, b), "&": operator.and_, "|": operator.or_,
    "^": operator.xor, "<<": _in_64_bits(operator.lshift), ">>": operator.rshift,
    "neg": operator.neg, "abs": abs, "min": min, "max": max, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge, "!=": operator.ne, "=": operator.eq,
}  # fmt: skip


def _number(pattern: Pattern, sample: Sample) -> Any:
    """The value of a primitive expression."""
    match pattern:
        case Literal(value):
            return value
        case Var(name):
            return sample.values[name]
        case Call("uniform" | "whole", (Var(name),)):
            value = sample.values[name]
            while isinstance(value, tuple):
                value = value[0]
            return value if isinstance(value, float) else int(value)
        case Call(name, args):
            return PRIMITIVES[name](*(_number(a, sample) for a in args))
    raise AssertionError(pattern)


# ---------------------------------------------------------------- terms


def type_of(pattern: Pattern, sample: Sample) -> Type:
    """The type that a type's pattern stands for."""
    match pattern:
        case Var(name):
            return sample.typing.types[name]
        case Call("VecT", (elem, n)):
            found = type_of(elem, sample)
            assert isinstance(found, Scalar)
            return Vector(found, _count(n, sample))
        case Call("MatT", (c, r)):
            return Matrix(_count(c, sample), _count(r, sample))
        case Call(name, ()):
            return SCALARS[name]
    raise AssertionError(pattern)


def _count(pattern: Pattern, sample: Sample) -> int:
    if isinstance(pattern, Literal):
        return int(pattern.value)
    assert isinstance(pattern, Var)
    return sample.typing.sizes[pattern.name]


def result_type(pattern: Pattern, sample: Sample) -> Type:
    """The type of an expression."""
    if isinstance(pattern, Var):
        return sample.typing.expressions[pattern.name]
    assert isinstance(pattern, Call)
    return type_of(pattern.args[0], sample)


def evaluate(pattern: Pattern, sample: Sample) -> Any:
    """The value of an expression."""
    if isinstance(pattern, Var):
        return sample.values[pattern.name]
    assert isinstance(pattern, Call)
    t = type_of(pattern.args[0], sample)
    if pattern.name in ("Lit", "Int", "Rounded", "Wrapped"):
        return _made(pattern.name, t, _number(pattern.args[1], sample))
    constructor = CONSTRUCTORS[pattern.name]
    pairs = list(zip(constructor.sorts, pattern.args[1:], strict=True))
    operands = [p for sort, p in pairs if sort == "E"]
    stated = tuple(type_of(p, sample) for sort, p in pairs if sort == "T")
    kinds = tuple(result_type(p, sample) for p in operands)
    row = OPERATIONS.get(constructor.op)
    if row is None:
        assert operand_types(pattern.name, t, stated, len(kinds)) == kinds, (pattern, kinds)
    else:
        assert match(row.signature, kinds) == t, (pattern, kinds)
    numbers = tuple(_number(p, sample) for sort, p in pairs if sort == "I")
    imm = numbers if constructor.op in ("extract", "insert", "shuffle") else ()
    values = [evaluate(p, sample) for p in operands]
    return _apply(constructor.op, t, kinds, values, imm)


def _made(name: str, t: Type, value: Any) -> Any:
    assert isinstance(t, Scalar)
    if name in ("Lit", "Int") and narrow(value, t) != value:
        raise AssertionError(f"{value} is no {t}")
    if name == "Lit":
        assert math.isfinite(value)
        value = value or 0.0
    made = narrow(value, t)
    if isinstance(made, float) and not math.isfinite(made):
        raise NoValue  # nothing turns an infinite Rounded into a literal
    return made


def _apply(
    op: str, t: Type, kinds: tuple[Type, ...], values: list[Any], imm: tuple[int, ...]
) -> Any:
    assert op not in OPERATIONS or OPERATIONS[op].eval is not None, op
    try:
        return evaluator(op, t, kinds, imm)(*values)
    except (ValueError, OverflowError):
        raise NoValue from None
