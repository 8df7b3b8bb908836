"""Random IR that means something on every target: for testing passes, printers and emitters.

``random_module(seed)`` makes a verified module with one compute entry point, ``main``, of
``INVOCATIONS`` invocations in one workgroup.  It reads the uniform block ``u`` and the buffer
``src``, and writes ``RESULTS`` floats to ``fout`` and as many ints to ``iout`` an invocation.
``buffers()`` gives the memory to run it with.  The same seed always gives the same module.

Nothing in it is unspecified: divisors are not zero, indices in range, conversions fit, loops end.
Values stay small enough for neither infinities nor NaN to come up.
"""

from __future__ import annotations

import random

from luma.frontend.typed import Access, Unroll
from luma.ir.interpret import Resources, decode, encode, run_compute
from luma.ir.module import (
    Branch,
    CondBranch,
    EntryPoint,
    Function,
    FunctionParam,
    Global,
    IOVariable,
    Loop,
    Module,
    Return,
    Unreachable,
)
from luma.language.stages import Stage
from luma.language.types import (
    BOOL,
    FLOAT,
    INT,
    UINT,
    VOID,
    Array,
    Pointer,
    Space,
    Type,
)
from tests.ir.random_ops import (
    BLOCK,
    CARRIED,
    PAIR,
    SCRATCH,
    UVEC3,
    VEC3,
    Maker,
    straight,
)

INVOCATIONS = 4
RESULTS = 4


def random_module(seed: int, size: int = 40) -> Module:
    """A random module of about ``size`` operations (helpers come on top)."""
    rng = random.Random(seed)
    helpers = tuple(_helper(rng, f"helper{i}", max(4, size // 4)) for i in range(rng.randrange(3)))
    main = _main(rng, size, helpers)
    return Module(
        (PAIR, BLOCK),
        (
            Global("u", BLOCK, Space.UNIFORM, Access.READ, 0, 0),
            Global("src", Array(FLOAT, None), Space.STORAGE, Access.READ, 0, 1),
            Global("fout", Array(FLOAT, None), Space.STORAGE, Access.READ_WRITE, 0, 2),
            Global("iout", Array(INT, None), Space.STORAGE, Access.READ_WRITE, 0, 3),
        ),
        (),
        (*helpers, main),
        (
            EntryPoint(
                "main",
                Stage.COMPUTE,
                "main",
                (IOVariable("gid", UVEC3, None, "global_invocation_id"),),
                (),
                (INVOCATIONS, 1, 1),
            ),
        ),
    )


def buffers() -> dict[str, bytearray]:
    """Memory to run a random module with, by the names of its globals."""
    block = (
        ((1.0, 0.5, -0.25), (0.0, 2.0, 1.0), (-1.0, 0.75, 0.5)),
        (0.5, -1.5, 2.0, 0.25),
        (1.0, -2.0, 0.5, 3.0),
        3,
    )
    count = INVOCATIONS * RESULTS
    return {
        "u": bytearray(encode(BLOCK, block, Space.UNIFORM)),
        "src": bytearray(
            encode(Array(FLOAT, count), tuple((7 * i % 16) / 4 - 2 for i in range(count)))
        ),
        "fout": bytearray(4 * count),
        "iout": bytearray(4 * count),
    }


def results(module: Module) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """The floats and ints that a module made here gives in the interpreter."""
    memory = buffers()
    run_compute(module, "main", (1, 1, 1), Resources(buffers=dict(memory)), fuel=2_000_000)
    count = INVOCATIONS * RESULTS
    floats: tuple[float, ...] = decode(Array(FLOAT, count), memory["fout"])
    ints: tuple[int, ...] = decode(Array(INT, count), memory["iout"])
    return floats, ints


# ---------------------------------------------------------------- control flow


def _body(maker: Maker, size: int, depth: int) -> None:
    """Straight code with selections and loops in between."""
    while size > 0:
        count = min(size, maker.rng.randrange(2, 8))
        straight(maker, count)
        size -= count
        if depth and size > 4:
            inner = maker.rng.randrange(3, min(size, 12) + 1)
            maker.rng.choice((_selection, _selection, _loop))(maker, inner, depth - 1)
            size -= inner


def _kinds(maker: Maker) -> tuple[Type, ...]:
    return tuple(maker.rng.sample(CARRIED, maker.rng.randrange(1, 4)))


def _selection(maker: Maker, size: int, depth: int) -> None:
    """An if with values for its merge block; sometimes without an else, or with a return."""
    rng = maker.rng
    condition = maker.pick(BOOL)
    kinds = _kinds(maker)
    then, otherwise, merge = maker.label(), maker.label(), maker.label()
    lone = rng.random() < 0.3
    direct = [maker.pick(t) for t in kinds] if lone else []
    leaves = bool(maker.results) and rng.random() < 0.25
    no = Branch(merge, tuple(direct)) if lone else Branch(otherwise)
    maker.finish(CondBranch(condition, Branch(then), no, merge))

    def arm(label: int, leave: bool) -> None:
        maker.start(label)
        _body(maker, size // 2, depth)
        if leave:
            maker.finish(Return(tuple(maker.pick(t) for t in maker.results)))
        else:
            values = tuple(maker.pick(t) for t in kinds)
            maker.finish(Branch(merge, values))

    maker.inside(lambda: arm(then, leaves))
    if not lone:
        maker.inside(lambda: arm(otherwise, False))
    maker.start(merge, kinds)


def _loop(maker: Maker, size: int, depth: int) -> None:
    """A counted loop with carried values.

    Sometimes it may be left early, decides in several blocks (a ``while``), or gives values to its
    merge block.
    """
    rng = maker.rng
    kinds = _kinds(maker)
    header, body, back, merge = (maker.label() for _ in range(4))
    given = _kinds(maker) if rng.random() < 0.3 else ()
    begin = maker.const(INT, 0)
    stop = maker.const(INT, rng.randrange(0, 5))
    one = maker.const(INT, 1)
    first = tuple(maker.bounded(t, maker.pick(t)) for t in kinds)
    maker.finish(Branch(header, (begin, *first)))
    unroll = rng.choice((None, None, None, Unroll.FULL))
    counter, *_ = maker.start(header, (INT, *kinds), Loop(merge, back, unroll))
    maker.names[counter] = f"i{header}"

    def leave() -> Branch:
        return Branch(merge, tuple(maker.pick(t) for t in given))

    def inside() -> None:
        if rng.random() < 0.25:
            _deciding_blocks(maker)
        goes_on = maker.emit("lt", BOOL, counter, stop)
        maker.finish(CondBranch(goes_on, Branch(body), leave(), None))
        maker.start(body)
        _body(maker, size, depth)
        if rng.random() < 0.3:
            after = maker.label()
            maker.finish(CondBranch(maker.pick(BOOL), leave(), Branch(after), None))
            maker.start(after)
            straight(maker, 2)
        carried = tuple(maker.bounded(t, maker.pick(t)) for t in kinds)
        maker.finish(Branch(back))
        maker.start(back)
        following = maker.emit("add", INT, counter, one)
        maker.finish(Branch(header, (following, *carried)))

    maker.inside(inside)
    maker.start(merge, given)


def _deciding_blocks(maker: Maker) -> None:
    """The header goes on to a selection; the block after it decides whether the loop goes on."""
    start = maker.label()
    maker.finish(Branch(start))
    maker.start(start)
    _selection(maker, 4, 0)


# ---------------------------------------------------------------- functions


def _helper(rng: random.Random, name: str, size: int) -> Function:
    maker = Maker(rng, ())
    kinds = tuple(rng.choice(CARRIED) for _ in range(rng.randrange(1, 4)))
    params = tuple(FunctionParam(maker.value(t), f"p{i}", t) for i, t in enumerate(kinds))
    maker.results = (rng.choice((FLOAT, VEC3, INT)),)
    _body(maker, size, 1)
    if rng.random() < 0.3:
        _two_returns(maker)
    else:
        _return(maker)
    return maker.function(name, params)


def _return(maker: Maker) -> None:
    maker.finish(Return(tuple(maker.pick(t) for t in maker.results)))


def _two_returns(maker: Maker) -> None:
    """A selection whose ways both return: control never comes to its merge block."""
    then, otherwise, merge = maker.label(), maker.label(), maker.label()
    maker.finish(CondBranch(maker.pick(BOOL), Branch(then), Branch(otherwise), merge))

    def arm() -> None:
        straight(maker, 3)
        _return(maker)

    for label in (then, otherwise):
        maker.start(label)
        maker.inside(arm)
    maker.start(merge)
    maker.finish(Unreachable())


def _main(rng: random.Random, size: int, helpers: tuple[Function, ...]) -> Function:
    maker = Maker(rng, helpers)
    params = (FunctionParam(maker.value(UVEC3), "gid", UVEC3),)
    maker.scratch = maker.emit("local", Pointer(Space.FUNCTION, SCRATCH))
    maker.names[maker.scratch] = "scratch"
    place = Pointer(Space.FUNCTION, FLOAT)
    for i in range(4):
        element = maker.emit("access", place, maker.scratch, imm=(i,))
        maker.emit("store", VOID, element, maker.const(FLOAT))
    base = _first_index(maker, params[0].id)
    source = maker.emit("global", Pointer(Space.STORAGE, Array(FLOAT, None)), imm=("src",))
    for i in range(RESULTS):
        maker.emit("load", FLOAT, _element(maker, source, FLOAT, base, i))
    _body(maker, size, 3)
    for name, t in (("fout", FLOAT), ("iout", INT)):
        out = maker.emit("global", Pointer(Space.STORAGE, Array(t, None)), imm=(name,))
        for i in range(RESULTS):
            value = maker.bounded(t, maker.pick(t))
            maker.emit("store", VOID, _element(maker, out, t, base, i), value)
    maker.finish(Return())
    return maker.function("main", params)


def _first_index(maker: Maker, gid: int) -> int:
    x = maker.emit("extract", UINT, gid, imm=(0,))
    return maker.emit("mul", UINT, x, maker.const(UINT, RESULTS))


def _element(maker: Maker, buffer: int, t: Type, base: int, offset: int) -> int:
    index = maker.emit("add", UINT, base, maker.const(UINT, offset))
    return maker.emit("access", Pointer(Space.STORAGE, t), buffer, index, imm=(None,))
