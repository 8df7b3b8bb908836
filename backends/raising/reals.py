"""Operations on floats, comparisons and choices, in simpler ones."""

from __future__ import annotations

import math
from collections.abc import Callable

from luma.ir.module import Instr
from luma.language.numbers import FLT_MAX
from luma.language.types import BOOL, HALF, Vector, scalar_of, width

from .builder import Builder

Expansion = Callable[[Builder, Instr], object]

_HALF_MAX = 65504.0


def _mod(b: Builder, instr: Instr) -> object:
    """x - y * floor(x / y)."""
    x, y = instr.args
    return b.each("sub", x, b.each("mul", y, b.each("floor", b.each("div", x, y))))


def _fract(b: Builder, instr: Instr) -> object:
    """x - floor(x)."""
    (x,) = instr.args
    return b.each("sub", x, b.each("floor", x))


def _saturate(b: Builder, instr: Instr) -> object:
    """clamp(x, 0, 1)."""
    (x,) = instr.args
    return b.each("clamp", x, b.like(0.0, x), b.like(1.0, x))


def _clamp(b: Builder, instr: Instr) -> object:
    """min(max(x, low), high)."""
    x, low, high = instr.args
    return b.each("min", b.each("max", x, low), high)


def _mix(b: Builder, instr: Instr) -> object:
    """x * (1 - t) + y * t."""
    x, y, t = instr.args
    rest = b.each("sub", b.like(1.0, t), t)
    return b.each("add", b.each("mul", x, rest), b.each("mul", y, t))


def _step(b: Builder, instr: Instr) -> object:
    """0 below the edge, else 1."""
    edge, x = instr.args
    return b.choose(b.compare("lt", x, edge), b.like(0.0, x), b.like(1.0, x))


def _smoothstep(b: Builder, instr: Instr) -> object:
    """t * t * (3 - 2 * t) of t = clamp((x - low) / (high - low), 0, 1)."""
    low, high, x = instr.args
    ratio = b.each("div", b.each("sub", x, low), b.each("sub", high, low))
    t = b.each("clamp", ratio, b.like(0.0, x), b.like(1.0, x))
    rest = b.each("sub", b.like(3.0, t), b.each("mul", b.like(2.0, t), t))
    return b.each("mul", b.each("mul", t, t), rest)


def _sign(b: Builder, instr: Instr) -> object:
    """1 above zero, -1 below, else 0."""
    (x,) = instr.args
    zero, one, less = b.like(0, x), b.like(1, x), b.like(-1, x)
    below = b.choose(b.compare("lt", x, zero), less, zero)
    return b.choose(b.compare("gt", x, zero), one, below)


def _scaled(factor: float) -> Expansion:
    def expansion(b: Builder, instr: Instr) -> object:
        (x,) = instr.args
        return b.each("mul", x, b.like(factor, x))

    return expansion


def _isinf(b: Builder, instr: Instr) -> object:
    """Greater in magnitude than the greatest finite number."""
    (x,) = instr.args
    greatest = _HALF_MAX if scalar_of(b.types[x]) == HALF else FLT_MAX
    return b.compare("gt", b.each("abs", x), b.like(greatest, x))


def _select(b: Builder, instr: Instr) -> object:
    """A choice by a bool vector, component by component; by a bool, of a splat condition."""
    cond, yes, no = instr.args
    if not isinstance(instr.type, Vector):
        return b.choose(cond, yes, no)
    if not isinstance(b.types[cond], Vector):
        return b.choose(b.splat(cond, Vector(BOOL, width(instr.type))), yes, no)
    parts = [
        b.choose(b.part(cond, i), b.part(yes, i), b.part(no, i)) for i in range(instr.type.size)
    ]
    return b.construct(instr.type, parts)


def _logical(b: Builder, instr: Instr) -> object:
    """A logical operation on bool vectors, component by component."""
    if not isinstance(instr.type, Vector):
        return b.add(instr.op, instr.type, instr.args)
    parts = [
        b.add(instr.op, BOOL, [b.part(arg, i) for arg in instr.args])
        for i in range(instr.type.size)
    ]
    return b.construct(instr.type, parts)


def _distance(b: Builder, instr: Instr) -> object:
    """length(a - b)."""
    return b.add("length", instr.type, [b.each("sub", *instr.args)])


def _reflect(b: Builder, instr: Instr) -> object:
    """i - n * (2 * dot(n, i))."""
    i, n = instr.args
    elem = scalar_of(instr.type)
    dot = b.add("dot", elem, [n, i])
    twice = b.each("mul", b.constant(2.0, elem), dot)
    return b.each("sub", i, b.each("mul", n, b.splat(twice, instr.type)))


def _faceforward(b: Builder, instr: Instr) -> object:
    """n where dot(reference, i) < 0, else -n."""
    n, i, reference = instr.args
    elem = scalar_of(instr.type)
    dot = b.add("dot", elem, [reference, i])
    turned = b.compare("lt", dot, b.constant(0.0, elem))
    return b.choose(turned, n, b.each("neg", n))


EXPANSIONS: dict[str, Expansion] = {
    "mod": _mod,
    "fract": _fract,
    "saturate": _saturate,
    "clamp": _clamp,
    "mix": _mix,
    "step": _step,
    "smoothstep": _smoothstep,
    "sign": _sign,
    "radians": _scaled(math.pi / 180.0),
    "degrees": _scaled(180.0 / math.pi),
    "isinf": _isinf,
    "select": _select,
    "and": _logical,
    "or": _logical,
    "not": _logical,
    "distance": _distance,
    "reflect": _reflect,
    "faceforward": _faceforward,
}
