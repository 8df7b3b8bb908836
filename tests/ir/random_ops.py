"""Random straight-line IR: a function in the making, and operations that always have a value."""

from __future__ import annotations

import random
from collections.abc import Callable

from luma.ir.module import (
    Block,
    Function,
    FunctionParam,
    Instr,
    Loop,
    Param,
    Terminator,
)
from luma.language.types import (
    BOOL,
    FLOAT,
    INT,
    UINT,
    VOID,
    Array,
    Field,
    Matrix,
    Pointer,
    Scalar,
    Space,
    Struct,
    Type,
    Vector,
    scalar_of,
    walk_path,
    with_scalar,
)

VEC2, VEC3, VEC4 = (Vector(FLOAT, n) for n in (2, 3, 4))
IVEC2, UVEC3, MAT3 = Vector(INT, 2), Vector(UINT, 3), Matrix(3, 3)
TRIPLE = Array(FLOAT, 3)
SCRATCH = Array(FLOAT, 4)
PAIR = Struct("Pair", (Field("a", FLOAT), Field("b", VEC2)))
BLOCK = Struct(
    "Block",
    (Field("m", MAT3), Field("v", VEC4), Field("weights", Array(FLOAT, 4)), Field("k", INT)),
)

FLOATS: tuple[Type, ...] = (FLOAT, FLOAT, FLOAT, VEC2, VEC3, VEC4)
INTS: tuple[Type, ...] = (INT, INT, UINT, IVEC2)
CARRIED: tuple[Type, ...] = (FLOAT, VEC3, INT, VEC2, FLOAT)
CONSTANTS = {
    FLOAT: (0.0, 1.0, -1.0, 0.5, 2.0, -0.25, 3.0, 0.125),
    INT: (0, 1, -1, 2, 3, 7, -5, 255),
    UINT: (0, 1, 2, 3, 31, 255, 0xFFFF),
    BOOL: (True, False),
}


# ---------------------------------------------------------------- building functions


class Maker:
    """A function in the making; ``pool`` has the values in scope, by type."""

    def __init__(self, rng: random.Random, helpers: tuple[Function, ...]) -> None:
        self.rng = rng
        self.helpers = helpers
        self.blocks: list[Block] = []
        self.pool: dict[Type, list[int]] = {}
        self.names: dict[int, str] = {}
        self.results: tuple[Type, ...] = ()
        self.scratch: int | None = None
        self._values = 0
        self._labels = 1
        self._instrs: list[Instr] = []
        self._head: tuple[int, tuple[Param, ...], Loop | None] = (0, (), None)

    def value(self, t: Type) -> int:
        self._values += 1
        self.pool.setdefault(t, []).append(self._values)
        return self._values

    def label(self) -> int:
        self._labels += 1
        return self._labels

    def emit(self, op: str, t: Type, *args: int, imm: tuple[object, ...] = ()) -> int:
        at = -1 if t == VOID else self.value(t)
        self._instrs.append(Instr(at, op, t, args, imm))  # type: ignore[arg-type]
        return at

    def const(self, t: Scalar, value: bool | int | float | None = None) -> int:
        chosen = self.rng.choice(CONSTANTS[t]) if value is None else value
        return self.emit("const", t, imm=(chosen,))

    def start(
        self, label: int, params: tuple[Type, ...] = (), loop: Loop | None = None
    ) -> list[int]:
        values = [self.value(t) for t in params]
        made = tuple(Param(v, t) for v, t in zip(values, params, strict=True))
        self._head = (label, made, loop)
        return values

    def finish(self, terminator: Terminator) -> None:
        label, params, loop = self._head
        self.blocks.append(Block(label, params, tuple(self._instrs), terminator, loop))
        self._instrs = []

    def inside(self, body: Callable[[], None]) -> None:
        """Make what has a scope of its own: its values are out of sight afterwards."""
        kept = {t: list(values) for t, values in self.pool.items()}
        body()
        self.pool = kept

    def pick(self, t: Type) -> int:
        """A value of a type: one in scope, or a new constant."""
        known = self.pool.get(t)
        if known and self.rng.random() < 0.85:
            return known[-1 - min(int(self.rng.expovariate(0.3)), len(known) - 1)]
        match t:
            case Vector(elem):
                return self.emit("splat", t, self.pick(elem))
            case Scalar():
                return self.const(t)
            case Matrix():
                return self.emit("construct", t, *(self.pick(t.column) for _ in range(t.cols)))
        raise TypeError(str(t))

    def bounded(self, t: Type, value: int) -> int:
        """A float value brought back to -8..8; an int value as it is."""
        if scalar_of(t) != FLOAT:
            return value
        low, high = (self.const(FLOAT, x) for x in (-8.0, 8.0))
        if isinstance(t, Vector):
            low, high = (self.emit("splat", t, x) for x in (low, high))
        return self.emit("clamp", t, value, low, high)

    def function(self, name: str, params: tuple[FunctionParam, ...]) -> Function:
        return Function(name, params, self.results, tuple(self.blocks), self.names)


# ---------------------------------------------------------------- straight-line code


def _float_op(maker: Maker) -> None:
    rng = maker.rng
    t = rng.choice(FLOATS)
    match rng.randrange(7):
        case 0:
            op = rng.choice(("neg", "abs", "floor", "ceil", "fract", "sign", "trunc", "saturate"))
            maker.emit(op, t, maker.pick(t))
        case 1:
            op = rng.choice(("add", "sub", "min", "max", "step"))
            maker.emit(op, t, maker.pick(t), maker.pick(t))
        case 2:
            maker.bounded(t, maker.emit("mul", t, maker.pick(t), maker.pick(t)))
        case 3:
            ends = maker.pick(t), maker.pick(t)
            maker.emit("mix", t, *ends, maker.emit("saturate", t, maker.pick(t)))
        case 4:
            maker.emit("sqrt", t, maker.emit("abs", t, maker.pick(t)))
        case 5:
            condition = rng.choice((BOOL, with_scalar(t, BOOL)))
            maker.emit("select", t, maker.pick(condition), maker.pick(t), maker.pick(t))
        case _:
            _vector_op(maker)


def _vector_op(maker: Maker) -> None:
    rng = maker.rng
    t = rng.choice((VEC2, VEC3, VEC4))
    match rng.randrange(6):
        case 0:
            maker.emit("extract", FLOAT, maker.pick(t), imm=(rng.randrange(t.size),))
        case 1:
            size = rng.randrange(2, 5)
            picked = tuple(rng.randrange(2 * t.size) for _ in range(size))
            maker.emit("shuffle", Vector(FLOAT, size), maker.pick(t), maker.pick(t), imm=picked)
        case 2:
            maker.emit("construct", t, *(maker.pick(FLOAT) for _ in range(t.size)))
        case 3:
            at = rng.randrange(t.size)
            maker.emit("insert", t, maker.pick(t), maker.pick(FLOAT), imm=(at,))
        case 4:
            maker.bounded(FLOAT, maker.emit("dot", FLOAT, maker.pick(t), maker.pick(t)))
        case _:
            maker.emit("construct", VEC4, maker.pick(VEC2), maker.pick(FLOAT), maker.pick(FLOAT))


def _int_op(maker: Maker) -> None:
    rng = maker.rng
    t = rng.choice(INTS)
    scalar = scalar_of(t)
    match rng.randrange(6):
        case 0 | 1:
            op = rng.choice(("add", "sub", "mul", "bit_and", "bit_or", "bit_xor", "min", "max"))
            maker.emit(op, t, maker.pick(t), maker.pick(t))
        case 2:
            maker.emit(rng.choice(("shl", "shr")), t, maker.pick(t), maker.pick(t))
        case 3:
            maker.emit(rng.choice(("bit_not", "bit_count", "reverse_bits")), t, maker.pick(t))
        case 4:
            op = rng.choice(("div", "rem")) if scalar == UINT else "div"
            divisor = _masked(maker, t, 15)
            one = maker.const(scalar, 1)
            if isinstance(t, Vector):
                one = maker.emit("splat", t, one)
            maker.emit(op, t, maker.pick(t), maker.emit("bit_or", t, divisor, one))
        case _:
            maker.emit("select", t, maker.pick(BOOL), maker.pick(t), maker.pick(t))


def _masked(maker: Maker, t: Type, mask: int) -> int:
    bits = maker.const(scalar_of(t), mask)
    if isinstance(t, Vector):
        bits = maker.emit("splat", t, bits)
    return maker.emit("bit_and", t, maker.pick(t), bits)


def _bool_op(maker: Maker) -> None:
    rng = maker.rng
    match rng.randrange(4):
        case 0:
            t = rng.choice((FLOAT, INT, UINT))
            op = rng.choice(("lt", "le", "gt", "ge", "eq", "ne"))
            maker.emit(op, BOOL, maker.pick(t), maker.pick(t))
        case 1:
            t = rng.choice((VEC2, VEC3))
            mask = maker.emit(rng.choice(("lt", "ge")), with_scalar(t, BOOL), maker.pick(t),
                              maker.pick(t))  # fmt: skip
            maker.emit(rng.choice(("any", "all")), BOOL, mask)
        case 2:
            maker.emit(rng.choice(("and", "or")), BOOL, maker.pick(BOOL), maker.pick(BOOL))
        case _:
            maker.emit("not", BOOL, maker.pick(BOOL))


def _conversion(maker: Maker) -> None:
    rng = maker.rng
    match rng.randrange(4):
        case 0:
            maker.emit("convert", FLOAT, _masked(maker, INT, 7))
        case 1:
            maker.emit("convert", INT, maker.bounded(FLOAT, maker.pick(FLOAT)))
        case 2:
            maker.emit("convert", rng.choice((INT, UINT, FLOAT)), maker.pick(BOOL))
        case _:
            source, to = rng.choice(((INT, UINT), (UINT, INT), (INT, BOOL), (FLOAT, BOOL)))
            maker.emit("convert", to, maker.pick(source))


def _aggregate(maker: Maker) -> None:
    rng = maker.rng
    if rng.random() < 0.5:
        whole = maker.emit("construct", TRIPLE, *(maker.pick(FLOAT) for _ in range(3)))
        if rng.random() < 0.5:
            whole = maker.emit("insert", TRIPLE, whole, maker.pick(FLOAT), imm=(1,))
        maker.emit("extract", FLOAT, whole, imm=(rng.randrange(3),))
    else:
        whole = maker.emit("construct", PAIR, maker.pick(FLOAT), maker.pick(VEC2))
        whole = maker.emit("insert", PAIR, whole, maker.pick(FLOAT), imm=(1, 0))
        path = rng.choice(((0,), (1,), (1, 1)))
        maker.emit("extract", walk_path(PAIR, path), whole, imm=path)


def _matrix_op(maker: Maker) -> None:
    rng = maker.rng
    m, v = maker.pick(MAT3), maker.pick(VEC3)
    match rng.randrange(5):
        case 0:
            maker.bounded(VEC3, maker.emit("mat_vec", VEC3, m, v))
        case 1:
            maker.bounded(VEC3, maker.emit("vec_mat", VEC3, v, m))
        case 2:
            maker.emit("transpose", MAT3, m)
        case 3:
            maker.emit("extract", VEC3, m, imm=(rng.randrange(3),))
        case _:
            maker.emit("extract", FLOAT, m, imm=(rng.randrange(3), rng.randrange(3)))


def _memory(maker: Maker) -> None:
    """The uniform block, with constant and run-time indices."""
    paths: tuple[tuple[int | None, ...], ...] = ((0,), (1,), (0, 1), (1, 2), (3,), (2, None))
    path = maker.rng.choice(paths)
    base = maker.emit("global", Pointer(Space.UNIFORM, BLOCK), imm=("u",))
    index = [_masked(maker, INT, 3)] if None in path else []
    found = walk_path(BLOCK, path)
    place = maker.emit("access", Pointer(Space.UNIFORM, found), base, *index, imm=path)
    maker.emit("load", found, place)


def _scratch(maker: Maker) -> None:
    """Function-local memory, stored to and loaded from through a run-time index."""
    if maker.scratch is None:
        _memory(maker)
        return
    place = Pointer(Space.FUNCTION, FLOAT)
    first = maker.emit("access", place, maker.scratch, _masked(maker, INT, 3), imm=(None,))
    maker.emit("store", VOID, first, maker.pick(FLOAT))
    index = _masked(maker, UINT, 3)
    maker.emit("load", FLOAT, maker.emit("access", place, maker.scratch, index, imm=(None,)))


def _call(maker: Maker) -> None:
    if not maker.helpers:
        _float_op(maker)
        return
    helper = maker.rng.choice(maker.helpers)
    args = [maker.pick(p.type) for p in helper.params]
    maker.bounded(
        helper.results[0], maker.emit("call", helper.results[0], *args, imm=(helper.name,))
    )


_STRAIGHT: tuple[tuple[Callable[[Maker], None], int], ...] = (
    (_float_op, 10),
    (_int_op, 5),
    (_bool_op, 4),
    (_conversion, 2),
    (_aggregate, 2),
    (_matrix_op, 2),
    (_memory, 2),
    (_scratch, 2),
    (_call, 2),
)


def straight(maker: Maker, count: int) -> None:
    for _ in range(count):
        makers = [make for make, _ in _STRAIGHT]
        weights = [weight for _, weight in _STRAIGHT]
        maker.rng.choices(makers, weights)[0](maker)
