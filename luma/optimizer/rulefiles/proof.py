"""Proofs of rules about bools and integers by an SMT solver, at every type that a rule matches.

Floats are opaque here: a rule that only moves them about (components, swizzles, choices) is proved
like any other, one that computes with them is not.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import z3

from luma.language.builtins import OPERATIONS
from luma.language.types import (
    BOOL,
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
    scalar_of,
)
from luma.optimizer.rulefiles.drawing import indices
from luma.optimizer.rulefiles.machine import Unknown, existing, result_type, type_of
from luma.optimizer.rulefiles.meaning import SHAPES
from luma.optimizer.rulefiles.tree import Call, Fact, Literal, Pattern, Rule, Var, is_term, shown
from luma.optimizer.rulefiles.typings import Typing
from luma.optimizer.schema import CONSTRUCTORS

Term: TypeAlias = Any  # a z3 expression, or a tuple of Terms for what has parts

#: What the solver may spend on one component, in its own units: some seconds.
LIMIT = 40_000_000


@dataclass(frozen=True, slots=True)
class Refuted:
    """Values for which a proof fails."""

    typing: Typing
    values: dict[str, tuple[Type | None, object]]
    left: object
    right: object
    type: Type


def prove(rule: Rule, typing: Typing) -> Refuted | bool:
    """Prove a rule at one typing: whether the solver could, or values for which it is not true.

    Raises Unknown if the rule computes with floats or memory there.
    """
    ways, complete = indices(typing)
    answers = (_prove(rule, typing, at) for at in ways)
    return next((answer for answer in answers if answer is not True), complete)


def _prove(rule: Rule, typing: Typing, at: dict[str, int]) -> Refuted | bool:
    assert rule.right is not None
    world = _World(typing, at)
    left = world.expression(rule.left)
    for fact in _ordered(rule.conditions):
        world.demands += world.condition(fact)
    # where the left side has no value, all is allowed; but the right side has to have one elsewhere
    given, there = world.demands, world.there
    world.demands, world.there = [], []
    right = world.expression(rule.right)
    t = result_type(rule.left, typing)
    wrong: list[tuple[list[Any], Any]] = [([], z3.Not(d)) for d in world.demands]
    wrong += [(there, z3.Not(d)) for d in world.there]
    wrong += [(there, a != b) for a, b in zip(_parts(left), _parts(right), strict=True)]
    for known, goal in wrong:
        solver = z3.SolverFor("QF_BV")
        solver.set("rlimit", LIMIT)
        solver.set("ctrl_c", False)  # else z3 takes Ctrl-C for itself, and knows no answer
        solver.add(*given, *known, goal)
        answer = solver.check()
        if answer == z3.sat:
            return _refuted(world, solver.model(), left, right, t)
        if answer == z3.unknown:
            return False
    return True


def _ordered(conditions: tuple[Fact, ...]) -> list[Fact]:
    """Those that give a variable its value first."""
    return sorted(conditions, key=lambda f: not (f.right is not None and isinstance(f.left, Var)))


def _refuted(world: _World, model: Any, left: Term, right: Term, t: Type) -> Refuted:
    values: dict[str, tuple[Type | None, object]] = {}
    for name, kind in world.typing.expressions.items():
        values[name] = (kind, _shown(world.variable(name), kind, model))
    for name, number in world.numbers.items():
        value = number if isinstance(number, int) else model.eval(number, True).as_signed_long()
        values[name] = (None, value)
    return Refuted(world.typing, values, _shown(left, t, model), _shown(right, t, model), t)


def _shown(term: Term, t: Type, model: Any) -> object:
    if isinstance(term, tuple):
        return tuple(_shown(part, element(t, n), model) for n, part in enumerate(term))
    value = model.eval(term, True)
    if t == BOOL:
        return z3.is_true(value)
    return value.as_signed_long() if t == INT else value.as_long()


def _parts(term: Term) -> list[Any]:
    if isinstance(term, tuple):
        return [p for t in term for p in _parts(t)]
    return [term]


# ---------------------------------------------------------------- operations


def _truth(c: Any) -> Any:
    return z3.If(c, z3.BitVecVal(1, 32), z3.BitVecVal(0, 32))


def _abs(x: Any, signed: bool) -> Any:
    return z3.If(x < 0, -x, x)


def _sign(x: Any, signed: bool) -> Any:
    return z3.If(x > 0, z3.BitVecVal(1, 32), z3.If(x < 0, z3.BitVecVal(-1, 32), x))


def _less(a: Any, b: Any, signed: bool) -> Any:
    return a < b if signed else z3.ULT(a, b)


def _min(a: Any, b: Any, signed: bool) -> Any:
    return z3.If(_less(b, a, signed), b, a)


def _max(a: Any, b: Any, signed: bool) -> Any:
    return z3.If(_less(a, b, signed), b, a)


def _bit_count(x: Any, signed: bool) -> Any:
    total = z3.BitVecVal(0, 32)
    for k in range(32):
        total = total + z3.ZeroExt(31, z3.Extract(k, k, x))
    return total


def _reverse(x: Any, signed: bool) -> Any:
    return z3.Concat(*(z3.Extract(k, k, x) for k in range(32)))


def _lowest(x: Any, signed: bool) -> Any:
    found = z3.BitVecVal(-1, 32)
    for k in reversed(range(32)):
        found = z3.If(z3.Extract(k, k, x) == 1, z3.BitVecVal(k, 32), found)
    return found


def _highest(x: Any, signed: bool) -> Any:
    x = z3.If(x < 0, ~x, x) if signed else x
    found = z3.BitVecVal(-1, 32)
    for k in range(32):
        found = z3.If(z3.Extract(k, k, x) == 1, z3.BitVecVal(k, 32), found)
    return found


def _signless(compute: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args: compute(*args[:-1])


#: Operations by component; the last argument tells whether the operands are signed.
_EACH: dict[str, Callable[..., Any]] = {
    **{
        name: _signless(f)
        for name, f in {
            "add": operator.add, "sub": operator.sub, "mul": operator.mul, "neg": operator.neg,
            "eq": operator.eq, "ne": operator.ne, "and": z3.And, "or": z3.Or, "not": z3.Not,
            "bit_and": operator.and_, "bit_or": operator.or_, "bit_xor": operator.xor,
            "bit_not": operator.invert, "shl": lambda a, b: a << (b & 31), "select": z3.If,
        }.items()
    },
    "div": lambda a, b, signed: a / b if signed else z3.UDiv(a, b),
    "rem": lambda a, b, signed: z3.SRem(a, b) if signed else z3.URem(a, b),
    "lt": _less, "gt": lambda a, b, signed: _less(b, a, signed),
    "le": lambda a, b, signed: z3.Not(_less(b, a, signed)),
    "ge": lambda a, b, signed: z3.Not(_less(a, b, signed)),
    "shr": lambda a, b, signed: a >> (b & 31) if signed else z3.LShR(a, b & 31),
    "abs": _abs, "sign": _sign, "min": _min, "max": _max,
    "clamp": lambda x, low, high, signed: _min(_max(x, low, signed), high, signed),
    "bit_count": _bit_count, "reverse_bits": _reverse, "find_lsb": _lowest, "find_msb": _highest,
}  # fmt: skip


def _no_overflow(name: str, a: Any, b: Any) -> Any:
    match name:
        case "+":
            return z3.And(z3.BVAddNoOverflow(a, b, True), z3.BVAddNoUnderflow(a, b))
        case "-":
            return z3.And(z3.BVSubNoOverflow(a, b), z3.BVSubNoUnderflow(a, b, True))
    return z3.And(z3.BVMulNoOverflow(a, b, True), z3.BVMulNoUnderflow(a, b))


def _wide(value: int) -> Any:
    return z3.BitVecVal(value, 64)


class _World:
    """A rule's variables at one typing as terms of the solver.

    ``demands`` collects what has to hold so that all that was translated has a value, ``there``
    what has to hold where a block is reached, for the terms that are bound to it.
    """

    def __init__(self, typing: Typing, at: dict[str, int]) -> None:
        self.typing = typing
        self.numbers: dict[str, Any] = dict(at)
        self.demands: list[Any] = []
        self.there: list[Any] = []
        self.narrow: dict[int, tuple[Any, Any, bool]] = {}  # what was widened from 32 bits
        self.variables: dict[str, Term] = {}
        self.bounds: dict[str, Any] = {}
        for name, limit in typing.numbers.items():
            if not isinstance(limit, int):
                self.numbers[name] = self._literal(name, limit)

    def _literal(self, name: str, t: Type) -> Any:
        """A number that a literal of the type holds, in 64 bits."""
        if is_float(scalar_of(t)):
            raise Unknown(name)
        if scalar_of(t) == BOOL:
            return z3.If(z3.Bool(f"#{name}"), _wide(1), _wide(0))
        return self._widened(z3.BitVec(f"#{name}", 32), scalar_of(t) == INT)

    def _widened(self, low: Any, signed: bool) -> Any:
        number = z3.SignExt(32, low) if signed else z3.ZeroExt(32, low)
        self.narrow[number.get_id()] = (number, low, signed)
        return number

    # ------------------------------------------------------------ expressions

    def variable(self, name: str) -> Term:
        if name not in self.variables:
            self.variables[name] = self._fresh(name, self.typing.expressions[name])
        return self.variables[name]

    def _fresh(self, name: str, t: Type) -> Term:
        match t:
            case Scalar():
                return z3.Bool(name) if t == BOOL else z3.BitVec(name, 32)
            case Vector() | Matrix() | Array() | Struct():
                count = element_count(t)
                return tuple(self._fresh(f"{name}.{n}", element(t, n)) for n in range(count))
        raise Unknown(name)

    def expression(self, pattern: Pattern) -> Term:
        if isinstance(pattern, Var):
            return self.variable(pattern.name)
        assert isinstance(pattern, Call)
        t = type_of(pattern.args[0], self.typing)
        if pattern.name in ("Int", "Wrapped"):
            return self._made(self.number(pattern.args[1]), t, pattern.name == "Int")
        if pattern.name in ("Lit", "Rounded") or pattern.name not in CONSTRUCTORS:
            raise Unknown(shown(pattern))
        return self._term(pattern, t)

    def _made(self, number: Any, t: Type, checked: bool) -> Term:
        number = _wide(number) if isinstance(number, int) else number
        if t == BOOL:
            if checked:
                self.demands.append(z3.Or(number == 0, number == 1))
            return number != 0
        low = z3.Extract(31, 0, number)
        if checked:  # a literal has to be one of its type
            back = z3.SignExt(32, low) if t == INT else z3.ZeroExt(32, low)
            self.demands.append(number == back)
        return low

    def _term(self, pattern: Call, t: Type) -> Term:
        constructor = CONSTRUCTORS[pattern.name]
        op = constructor.op
        pairs = list(zip(constructor.sorts, pattern.args[1:], strict=True))
        operands = [p for sort, p in pairs if sort == "E"]
        kinds = [result_type(p, self.typing) for p in operands]
        values = [self.expression(p) for p in operands]
        if op in _STRUCTURAL and not constructor.pinned:
            imm = [self.number(p) for sort, p in pairs if sort == "I"]
            if not all(isinstance(n, int) for n in imm):
                raise Unknown(shown(pattern))
            positions, exist = existing(op, imm, kinds)
            self.demands.append(z3.BoolVal(exist))
            return _STRUCTURAL[op](t, kinds, values, positions)
        if op == "select":
            return _chosen(*values)
        if op in ("any", "all"):
            return (z3.Or if op == "any" else z3.And)(*values[0])
        if op not in _EACH or OPERATIONS[op].eval is None or _computes_floats(kinds):
            raise Unknown(shown(pattern))
        if op in ("div", "rem"):
            demands = self.there if constructor.pinned else self.demands
            demands += [b != 0 for b in _parts(values[1])]
        signed = scalar_of(kinds[0]) == INT
        return _by_component(op, values, signed, t)

    # ------------------------------------------------------------ numbers and conditions

    def number(self, pattern: Pattern) -> Any:
        """An integer, or a term of 64 bits."""
        match pattern:
            case Literal(int() as value):
                return value
            case Var(name):
                return self.numbers[name]
            case Call("whole", (argument,)):
                return self._whole(argument)
            case Call("least" | "most" as name, (argument,)):
                return self._bound(name, argument)
            case Call(name, (a, b)):
                return self._computed(name, self.number(a), self.number(b))
        raise Unknown(shown(pattern))

    def _whole(self, argument: Pattern) -> Any:
        t = result_type(argument, self.typing)
        parts = _parts(self.expression(argument))
        self.demands += [p == parts[0] for p in parts[1:]]
        elem = scalar_of(t)
        if elem == BOOL:
            return z3.If(parts[0], _wide(1), _wide(0))
        if is_float(elem):
            raise Unknown("whole")
        return self._widened(parts[0], elem == INT)

    def _bound(self, name: str, argument: Pattern) -> Any:
        """A number known to bound every component: the same each time."""
        key = shown(Call(name, (argument,)))
        if key not in self.bounds:
            t = result_type(argument, self.typing)
            bound = self.bounds[key] = z3.BitVec(f"#{key}", 64)
            signed = scalar_of(t) == INT
            for part in _parts(self.expression(argument)):
                wide = z3.SignExt(32, part) if signed else z3.ZeroExt(32, part)
                self.demands.append(bound <= wide if name == "least" else wide <= bound)
        return self.bounds[key]

    def _computed(self, name: str, a: Any, b: Any) -> Any:
        a, b = (_wide(x) if isinstance(x, int) else x for x in (a, b))
        match name:
            case "+" | "-" | "*":
                self.demands.append(_no_overflow(name, a, b))
                return {"+": a + b, "-": a - b, "*": a * b}[name]
            case "/" | "%":
                self.demands.append(b != 0)
                return self._quotient(a, b) if name == "/" else self._remainder(a, b)
            case "&" | "|" | "^":
                return {"&": a & b, "|": a | b, "^": a ^ b}[name]
            case "<<" | ">>":
                self.demands += [b >= 0, b < 64]
                return a << b if name == "<<" else a >> b
            case "min" | "max":
                return z3.If((a < b) if name == "min" else (a > b), a, b)
            case "<" | "<=" | ">" | ">=" | "=" | "!=":
                return {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "=": a == b,
                        "!=": a != b}[name]  # fmt: skip
        raise Unknown(name)

    def _quotient(self, a: Any, b: Any) -> Any:
        """A quotient; of what fits 32 bits it is computed there, which is easier to reason about.

        Only the least int by -1 needs one bit more.
        """
        known = self._both_narrow(a, b)
        if known is None:
            return a / b
        x, y, signed = known
        if not signed:
            return z3.ZeroExt(32, z3.UDiv(x, y))
        least, most = z3.BitVecVal(1 << 31, 32), _wide(1 << 31)
        return z3.If(z3.And(x == least, y == -1), most, z3.SignExt(32, x / y))

    def _remainder(self, a: Any, b: Any) -> Any:
        known = self._both_narrow(a, b)
        if known is None:
            return z3.SRem(a, b)
        x, y, signed = known
        return z3.SignExt(32, z3.SRem(x, y)) if signed else z3.ZeroExt(32, z3.URem(x, y))

    def _both_narrow(self, a: Any, b: Any) -> tuple[Any, Any, bool] | None:
        first, second = self.narrow.get(a.get_id()), self.narrow.get(b.get_id())
        if first is None or second is None or first[2] != second[2]:
            return None
        return first[1], second[1], first[2]

    def condition(self, fact: Fact) -> list[Any]:
        """What a condition demands; it may give a variable its value."""
        left, right = fact.left, fact.right
        if right is None:
            assert isinstance(left, Call)
            return self._fact(left)
        for a, b in ((left, right), (right, left)):
            if isinstance(a, Var) and self._is_new(a.name) and not is_term(b):
                self.numbers[a.name] = self.number(b)
                return []
        if any(self._is_expression(side) for side in (left, right)):
            return self._equal(left, right)
        return [self._computed("=", self.number(left), self.number(right))]

    def _is_new(self, name: str) -> bool:
        return name not in self.typing.expressions and name not in self.numbers

    def _fact(self, call: Call) -> list[Any]:
        if call.name in ("float", "integer", *SHAPES):
            return []
        if call.name in ("=", "!=") and any(self._is_expression(a) for a in call.args):
            equal = z3.And(*self._equal(*call.args))
            return [equal if call.name == "=" else z3.Not(equal)]
        if len(call.args) != 2:
            raise Unknown(call.name)
        value = self.number(call)
        if isinstance(value, bool):
            return [z3.BoolVal(value)]
        return [value]

    def _is_expression(self, pattern: Pattern) -> bool:
        if isinstance(pattern, Var):
            return pattern.name in self.typing.expressions
        return is_term(pattern)

    def _equal(self, left: Pattern, right: Pattern) -> list[Any]:
        for side in (left, right):
            if isinstance(side, Var) and side.name not in self.typing.expressions:
                raise Unknown(side.name)
        pairs = zip(_parts(self.expression(left)), _parts(self.expression(right)), strict=True)
        return [a == b for a, b in pairs]


def _computes_floats(kinds: list[Type]) -> bool:
    return any(isinstance(k, Matrix) or is_float(k) for k in kinds)


def _chosen(condition: Term, a: Term, b: Term) -> Term:
    if isinstance(a, tuple):
        conditions = condition if isinstance(condition, tuple) else (condition,) * len(a)
        return tuple(_chosen(*parts) for parts in zip(conditions, a, b, strict=True))
    return z3.If(condition, a, b)


def _by_component(op: str, values: list[Term], signed: bool, t: Type) -> Term:
    if not isinstance(t, Vector):
        return _EACH[op](*values, signed)
    wide = [v if isinstance(v, tuple) else (v,) * t.size for v in values]
    return tuple(_EACH[op](*parts, signed) for parts in zip(*wide, strict=True))


def _construct(t: Type, kinds: list[Type], values: list[Term], imm: Sequence[int]) -> Term:
    return tuple(p for v in values for p in _parts(v)) if isinstance(t, Vector) else tuple(values)


def _convert(t: Type, kinds: list[Type], values: list[Term], imm: Sequence[int]) -> Term:
    source, target = scalar_of(kinds[0]), scalar_of(t)
    if is_float(source) or is_float(target):
        if source == target:
            return values[0]
        raise Unknown("conversion")
    return _each_part(values[0], lambda x: _converted(x, source, target))


def _converted(x: Any, source: Scalar, target: Scalar) -> Any:
    if target == BOOL:
        return x if source == BOOL else x != 0
    return _truth(x) if source == BOOL else x


def _each_part(value: Term, change: Callable[[Any], Any]) -> Term:
    if isinstance(value, tuple):
        return tuple(_each_part(v, change) for v in value)
    return change(value)


def _inserted(value: Term, at: int, part: Term) -> Term:
    return (*value[:at], part, *value[at + 1 :])


_STRUCTURAL: dict[str, Callable[[Type, list[Type], list[Term], Sequence[int]], Term]] = {
    "construct": _construct,
    "splat": lambda t, kinds, values, imm: tuple(itertools.repeat(values[0], element_count(t))),
    "extract": lambda t, kinds, values, imm: values[0][imm[0]],
    "insert": lambda t, kinds, values, imm: _inserted(values[0], imm[0], values[1]),
    "shuffle": lambda t, kinds, values, imm: tuple(values[0][n] for n in imm),
    "convert": _convert,
}
