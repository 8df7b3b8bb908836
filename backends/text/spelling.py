"""Expressions as text: what all text targets of the C family share.

A target is data (``types``, ``spell``, ``reserved``) and the few methods that it overrides.
``op_<name>`` methods spell an operation that is neither an operator nor a call.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby

from luma.ir.module import Instr, Module
from luma.language.numbers import INT_MIN
from luma.language.reserved import Reserved
from luma.language.types import (
    Array,
    Kind,
    Scalar,
    Struct,
    Type,
    Vector,
    element,
    is_float,
)

from .body import Body
from .code import (
    ATOM,
    BINARY,
    OPPOSITE,
    TERNARY,
    UNARY,
    Code,
    above,
    binary,
    call,
    negative,
    opposite,
)
from .literals import shortest
from .names import Scope
from .statements import (
    Condition,
)

INDENT = "    "
COMPONENTS = "xyzw"

#: Operators that take a scalar beside a vector.
BROADCASTING = frozenset({"add", "sub", "mul", "div"})


class Speller:
    """Spells the expressions of one module."""

    #: The target's words for scalar types.
    types: Mapping[Kind, str] = {}
    #: Functions that the target spells differently.
    spell: Mapping[str, str] = {}
    #: Operands of builtin functions that may be a scalar beside vectors.
    scalars: Mapping[str, tuple[int, ...]] = {}
    reserved: Reserved
    short_circuits = True

    def __init__(self, module: Module, precise: bool = False) -> None:
        self.module = module
        self.precise = precise
        self.names = Scope(self.reserved)
        self.struct_names: dict[str, str] = {}
        self.field_names: dict[str, tuple[str, ...]] = {}
        self.function_names: dict[str, str] = {}
        self.global_names: dict[str, str] = {}

    def name_structs(self, printed: Sequence[Struct]) -> None:
        """Settle the names of the structs that are printed, and of all structs' fields."""
        for struct in printed:
            self.struct_names[struct.name] = self.names.add(struct.name)
        for struct in self.module.structs:
            fields = Scope(self.reserved)
            self.field_names[struct.name] = tuple(fields.add(f.name) for f in struct.fields)

    def name_globals(self) -> None:
        """Settle the names of memory, resources and specialization constants."""
        for item in self.module.globals:
            self.global_names[item.name] = self.names.add(item.name)
        for constant in self.module.spec_constants:
            self.global_names[constant.name] = self.names.add(constant.name)

    def name_functions(self) -> None:
        """Settle the names of the functions that have none yet."""
        for function in self.module.functions:
            if function.name not in self.function_names:
                self.function_names[function.name] = self.names.add(function.name)

    # ------------------------------------------------------------ what operands need

    def repeated(self, instr: Instr, types: Mapping[int, Type]) -> tuple[int, ...]:
        """Operands whose text appears more than once, or may not stand where it is used."""
        if instr.op == "shuffle" and len(instr.args) == 2 and not self.updates(instr, types):
            return (0, 1)
        whole = isinstance(types[instr.args[0]], Array) if instr.args else False
        return (0,) if instr.op == "extract" and whole else ()

    def lazy(self, instr: Instr, types: Mapping[int, Type]) -> tuple[int, ...]:
        """Operands that are evaluated only under a condition."""
        if instr.op == "select" and isinstance(types[instr.args[0]], Scalar):
            return (1, 2)
        return (1,) if instr.op in ("and", "or") and isinstance(instr.type, Scalar) else ()

    def updates(self, instr: Instr, types: Mapping[int, Type]) -> bool:
        """Whether an instruction is printed as an assignment to a part of a copy."""
        if instr.op == "insert":
            return True
        return instr.op == "shuffle" and len(instr.args) == 2 and _is_update(instr, types)

    def alone(self, instr: Instr, types: Mapping[int, Type]) -> bool:
        """Whether an instruction is printed as a statement that is no plain assignment."""
        return False

    # ------------------------------------------------------------ types and literals

    def type_name(self, t: Type) -> str:
        """The target's name of a type."""
        match t:
            case Scalar(kind):
                return self.types[kind]
            case Struct(name):
                return self.struct_names[name]
        raise NotImplementedError(f"{type(self).__name__} names {t}")

    def declarator(self, t: Type, name: str) -> str:
        """A type and the name that it declares."""
        return f"{self.type_name(t)} {name}"

    def literal(self, value: object, t: Scalar) -> Code:
        """A scalar constant."""
        match t.kind:
            case Kind.BOOL:
                return Code("true" if value else "false")
            case Kind.INT | Kind.UINT:
                return self.integer(int(value), t.kind)  # type: ignore[call-overload]
        number = float(value)  # type: ignore[arg-type]
        if not math.isfinite(number):
            return self.not_finite(number, t.kind)
        return _signed(shortest(number, t.kind) + self.suffix(t.kind))

    def suffix(self, kind: Kind) -> str:
        """What ends a literal of the kind."""
        return "u" if kind is Kind.UINT else ""

    def integer(self, value: int, kind: Kind) -> Code:
        """An int or uint constant."""
        if value == INT_MIN:
            return Code(f"({INT_MIN + 1} - 1)")
        return _signed(f"{value}{self.suffix(kind)}")

    def not_finite(self, value: float, kind: Kind) -> Code:
        """An infinity or NaN."""
        raise NotImplementedError

    # ------------------------------------------------------------ expressions

    def value(self, body: Body, value: int) -> Code:
        """The text of a value where it is used."""
        if value < 0:
            return Code(body.names[value])
        instr = body.instr(value)
        if instr is None:
            return Code(body.names[body.variables.of(value)])
        return self.operation(body, instr)

    def operation(self, body: Body, instr: Instr) -> Code:
        """The text of what an instruction computes."""
        method: Callable[[Body, Instr], Code] | None = getattr(self, f"op_{instr.op}", None)
        if method is not None:
            return method(body, instr)
        if instr.op in BINARY:
            return self.binary(body, instr)
        name = self.spell.get(instr.op, instr.op)
        return call(name, *self._arguments(body, instr))

    def values(self, body: Body, values: tuple[int, ...]) -> list[Code]:
        """The texts of several values."""
        return [self.value(body, value) for value in values]

    def _arguments(self, body: Body, instr: Instr) -> list[Code]:
        """A builtin function's arguments; splats become scalars where the target allows it."""
        places = self.scalars.get(instr.op, ())
        plain = [self._splat_of(body, instr.args[at]) for at in places]
        if not places or not isinstance(instr.type, Vector) or None in plain:
            return self.values(body, instr.args)
        short = dict(zip(places, plain, strict=True))
        return [self.value(body, short.get(at) or arg) for at, arg in enumerate(instr.args)]

    def _splat_of(self, body: Body, value: int) -> int | None:
        """The scalar that a value written in place repeats."""
        instr = body.instr(value)
        if instr is None:
            return None
        if instr.op == "splat" or (instr.op == "construct" and self._uniform(body, instr)):
            return instr.args[0]
        return None

    def _uniform(self, body: Body, instr: Instr) -> bool:
        """Whether a vector is constructed of equal scalars."""
        parts = [body.forms.instrs.get(a) for a in instr.args]
        first = parts[0]
        same = all(a == instr.args[0] for a in instr.args)
        constant = first is not None and first.op == "const" and len(parts) > 1
        return isinstance(body.type(instr.args[0]), Scalar) and (
            same or (constant and all(_same_constant(first, p) for p in parts))
        )

    def binary(self, body: Body, instr: Instr) -> Code:
        """An operator between two operands."""
        symbol, precedence = BINARY[instr.op]
        a, b = instr.args
        if instr.op in BROADCASTING and isinstance(instr.type, Vector):
            left, right = self._splat_of(body, a), self._splat_of(body, b)
            if right is not None:
                b = right
            elif left is not None:
                a = left
        return self.join(self.value(body, a), symbol, self.value(body, b), precedence)

    def join(self, left: Code, symbol: str, right: Code, precedence: int) -> Code:
        """Two operands and the operator between them."""
        return binary(left, symbol, right, precedence)

    def op_neg(self, body: Body, instr: Instr) -> Code:
        """A negation."""
        return negative(self.value(body, instr.args[0]))

    def op_bit_not(self, body: Body, instr: Instr) -> Code:
        """A bitwise complement."""
        return Code(f"~{above(self.value(body, instr.args[0]), UNARY - 1)}", UNARY)

    def op_not(self, body: Body, instr: Instr) -> Code:
        """A logical negation."""
        return self.condition(body, Condition(instr.args[0], negated=True))

    def condition(self, body: Body, condition: Condition) -> Code:
        """A scalar condition; a negated comparison becomes the opposite one where that is exact."""
        code = self.value(body, condition.value)
        if not condition.negated:
            return code
        instr = body.instr(condition.value)
        if instr is not None and instr.op == "not":
            return self.value(body, instr.args[0])
        if instr is not None and instr.op in OPPOSITE and isinstance(instr.type, Scalar):
            ordered = not is_float(body.type(instr.args[0])) or instr.op in ("eq", "ne")
            if ordered:
                opposed = Instr(instr.id, OPPOSITE[instr.op], instr.type, instr.args)
                return self.operation(body, opposed)
        return opposite(code)

    def op_select(self, body: Body, instr: Instr) -> Code:
        """A choice by a scalar condition."""
        cond, a, b = self.values(body, instr.args)
        text = f"{above(cond, TERNARY)} ? {above(a, TERNARY)} : {above(b, TERNARY)}"
        return Code(text, TERNARY)

    def _product(self, body: Body, instr: Instr) -> Code:
        return self.join(*self._around(body, instr), BINARY["mul"][1])

    def _around(self, body: Body, instr: Instr) -> tuple[Code, str, Code]:
        a, b = self.values(body, instr.args)
        return a, "*", b

    op_mat_scale = op_mat_vec = op_vec_mat = op_mat_mat = _product

    def shift(self, body: Body, instr: Instr, mask: Callable[[Code], Code]) -> Code:
        """A shift; ``mask`` takes the count modulo 32 unless it is a constant in range."""
        symbol, precedence = BINARY[instr.op]
        value, count = self.values(body, instr.args)
        if not self._in_range(body, instr.args[1]):
            count = mask(count)
        return self.join(value, symbol, count, precedence)

    def _in_range(self, body: Body, value: int) -> bool:
        instr = body.forms.instrs.get(value)
        if instr is None:
            return False
        if instr.op == "const":
            return 0 <= int(instr.imm[0]) < 32  # type: ignore[arg-type]
        made = instr.op in ("splat", "construct")
        return made and all(self._in_range(body, part) for part in instr.args)

    # ------------------------------------------------------------ values and their parts

    def op_const(self, body: Body, instr: Instr) -> Code:
        """A constant."""
        assert isinstance(instr.type, Scalar)
        return self.literal(instr.imm[0], instr.type)

    def op_convert(self, body: Body, instr: Instr) -> Code:
        """A conversion by a constructor."""
        return call(self.type_name(instr.type), self.value(body, instr.args[0]))

    op_splat = op_convert

    def op_construct(self, body: Body, instr: Instr) -> Code:
        """A constructor; neighbouring components of one vector are written as one swizzle."""
        if not isinstance(instr.type, Vector):
            return call(self.type_name(instr.type), *self.values(body, instr.args))
        if self._uniform(body, instr):
            return call(self.type_name(instr.type), self.value(body, instr.args[0]))
        return self._vector(body, instr.type, [self._component(body, a) for a in instr.args])

    def op_shuffle(self, body: Body, instr: Instr) -> Code:
        """A swizzle, or components of two vectors put together."""
        assert isinstance(instr.type, Vector)
        first = body.type(instr.args[0])
        assert isinstance(first, Vector)
        indices = [int(i) for i in instr.imm if i is not None]
        parts: list[tuple[int, int | None]] = [
            (instr.args[0], i) if i < first.size else (instr.args[1], i - first.size)
            for i in indices
        ]
        return self._vector(body, instr.type, parts)

    def _component(self, body: Body, value: int) -> tuple[int, int | None]:
        """The vector and index that a component written in place is taken from."""
        instr = body.instr(value)
        if instr is not None and instr.op == "extract" and len(instr.imm) == 1:
            index, source = instr.imm[0], instr.args[0]
            simple = body.forms.is_simple(source) and isinstance(body.type(source), Vector)
            if index is not None and simple:
                return source, int(index)
        return value, None

    def _vector(self, body: Body, t: Vector, parts: list[tuple[int, int | None]]) -> Code:
        """A vector made of components (a source and an index) and of whole values (no index)."""
        pieces: list[Code] = []
        for (source, whole), run in groupby(parts, key=lambda part: (part[0], part[1] is None)):
            indices = [i for _, i in run]
            if whole:
                pieces += [self.value(body, source)] * len(indices)
            else:
                pieces.append(self.swizzle(body, source, [i for i in indices if i is not None]))
        if len(pieces) == 1 and parts[0][1] is not None:
            return pieces[0]
        return call(self.type_name(t), *pieces)

    def swizzle(self, body: Body, source: int, indices: list[int]) -> Code:
        """Components of a vector, or the whole of it."""
        t = body.type(source)
        if isinstance(t, Vector) and indices == list(range(t.size)):
            return self.value(body, source)
        letters = "".join(COMPONENTS[i] for i in indices)
        return Code(f"{self.primary(body, source)}.{letters}")

    def primary(self, body: Body, value: int) -> str:
        """A value's text that a member or an index may follow."""
        return above(self.value(body, value), ATOM - 1)

    def op_extract(self, body: Body, instr: Instr) -> Code:
        """A part of a value."""
        text = self.primary(body, instr.args[0])
        return Code(text + self.path(body, instr, body.type(instr.args[0])))

    def path(self, body: Body, instr: Instr, t: Type) -> str:
        """The members and indices of an access, extract or insert."""
        dynamic = iter(instr.args[1:])
        text = ""
        for index in instr.imm:
            if index is None:
                text += f"[{self.value(body, next(dynamic)).text}]"
                t = element(t)
                continue
            at = int(index)
            text += self.member(t, at)
            t = element(t, at)
        return text

    def member(self, t: Type, index: int) -> str:
        """The suffix that picks a part at a constant index."""
        if isinstance(t, Struct):
            return f".{self.field_names[t.name][index]}"
        return f".{COMPONENTS[index]}" if isinstance(t, Vector) else f"[{index}]"

    def op_call(self, body: Body, instr: Instr) -> Code:
        """A call of a function of the module."""
        return call(self.function_names[str(instr.imm[0])], *self.values(body, instr.args))

    def op_local(self, body: Body, instr: Instr) -> Code:
        """A function's own memory."""
        return Code(body.names[instr.id])

    def op_load(self, body: Body, instr: Instr) -> Code:
        """A read of memory."""
        return self.value(body, instr.args[0])

    def op_access(self, body: Body, instr: Instr) -> Code:
        """A place inside memory."""
        pointer = body.type(instr.args[0])
        text = self.primary(body, instr.args[0])
        return Code(text + self.path(body, instr, pointer.pointee))  # type: ignore[union-attr]


def _signed(text: str) -> Code:
    return Code(text, UNARY if text.startswith("-") else ATOM)


def _same_constant(a: Instr | None, b: Instr | None) -> bool:
    return a is not None and b is not None and b.op == "const" and repr(a.imm) == repr(b.imm)


def _is_update(instr: Instr, types: Mapping[int, Type]) -> bool:
    """Whether a shuffle of two vectors keeps the first and replaces some of its components."""
    whole = types[instr.args[0]]
    if whole != instr.type or not isinstance(whole, Vector):
        return False
    kept = [i == at for at, i in enumerate(instr.imm)]
    return any(kept) and all(
        kept[at] or int(i or 0) >= whole.size for at, i in enumerate(instr.imm)
    )
