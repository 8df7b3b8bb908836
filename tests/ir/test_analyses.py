"""Analyses of IR: dominance, loops, reachability, effects, signatures."""

from __future__ import annotations

import pytest

from luma.ir import cfg
from luma.ir.effects import effect, function_effects, value_types
from luma.ir.module import Function, successors
from luma.ir.reach import select
from luma.ir.text import parse_module, print_module
from luma.ir.verify import verify
from luma.language.builtins import OPERATIONS, Effect
from luma.language.signatures import match, parse, resolve
from luma.language.types import (
    BOOL,
    FLOAT,
    INT,
    UINT,
    Array,
    Dim,
    Matrix,
    Pointer,
    Sampler,
    Space,
    Texture,
    Type,
    Vector,
)
from tests.ir.random_ir import random_module

NESTED = """
function @f(%0 "c": bool) {
b0:
  br b1()
b1: loop merge b8 continue b7
  cond_br %0 b2(), b8()
b2:
  br b3()
b3: loop merge b6 continue b5
  cond_br %0 b4(), b6()
b4:
  br b5()
b5:
  br b3()
b6:
  br b7()
b7:
  br b1()
b8:
  cond_br %0 b9(), b10() merge b11
b9:
  return
b10:
  return
b11:
  unreachable
}
"""


def nested() -> Function:
    module = parse_module(NESTED)
    assert verify(module) == []
    return module.functions[0]


def test_dominance() -> None:
    tree = cfg.Dominance(nested())
    assert tree.idom[0] is None
    assert (tree.idom[3], tree.idom[6], tree.idom[8], tree.idom[10]) == (2, 3, 1, 8)
    assert tree.depth[4] == 4
    assert tree.unreachable == (11,)
    assert tree.dominates(3, 3)
    assert tree.dominates(1, 7)
    assert not tree.dominates(4, 6)
    assert tree.common(4, 6) == 3
    assert tree.common(9, 5) == 1
    assert cfg.Dominance(nested(), structural=True).idom[11] == 8


@pytest.mark.parametrize("seed", range(10))
def test_dominance_by_its_definition(seed: int) -> None:
    """Without a dominator, what it dominates cannot be reached."""
    function = random_module(seed, 60).functions[-1]
    tree = cfg.Dominance(function)
    blocks = cfg.by_label(function)
    for removed in blocks:
        seen: set[int] = set()
        pending = [function.blocks[0].label]
        while pending:
            label = pending.pop()
            if label != removed and label not in seen:
                seen.add(label)
                pending += (b.target for b in successors(blocks[label].terminator))
        for label in blocks:
            assert tree.dominates(removed, label) == (label not in seen)


def test_loops() -> None:
    function = nested()
    assert cfg.loop_blocks(function) == {1: {1, 2, 3, 4, 5, 6, 7}, 3: {3, 4, 5}}
    assert [cfg.loop_depth(function)[b] for b in range(9)] == [0, 1, 1, 2, 2, 2, 1, 1, 0]
    assert cfg.predecessors(function)[1] == (0, 7)
    order = cfg.reverse_postorder(function)
    assert order[0] == 0
    assert order.index(2) < order.index(3) < order.index(6)


PROGRAM = """
struct Inner { x: float }
struct Outer { inner: [2]Inner }
struct Unused { x: float }
uniform @u: Outer group(0) binding(0)
uniform @v: Unused group(0) binding(1)
spec @N: int id(0) = 4
spec @M: int id(1) = 4
entry vertex a = @main_a {
}
entry fragment b = @main_b {
}
function @leaf() -> (float) {
b0:
  %0: ptr<uniform, Outer> = global @u
  %1: ptr<uniform, float> = access [0, 1, 0] %0
  %2: float = load %1
  return %2
}
function @noise() -> (int) {
b0:
  %0: int = spec @M
  return %0
}
function @main_a() {
b0:
  %0: float = call @leaf
  return
}
function @main_b() {
b0:
  %0: int = call @noise
  discard
}
"""


def test_select_keeps_what_is_reached() -> None:
    module = parse_module(PROGRAM)
    assert verify(module) == []
    a = select(module, ("a",))
    assert [f.name for f in a.functions] == ["leaf", "main_a"]
    assert [s.name for s in a.structs] == ["Inner", "Outer"]
    assert [g.name for g in a.globals] == ["u"]
    assert a.spec_constants == ()
    assert [e.name for e in a.entry_points] == ["a"]
    assert verify(a) == []
    b = select(module, ("b",))
    assert [s.name for s in b.spec_constants] == ["M"]
    assert b.structs == b.globals == ()
    assert [e.name for e in select(module, ("b", "a")).entry_points] == ["a", "b"]
    everything = select(module)
    assert [f.name for f in everything.functions] == ["leaf", "noise", "main_a", "main_b"]
    with pytest.raises(KeyError):
        select(module, ("c",))


EFFECTS = """
storage @s: []int read_write group(0) binding(0)
function @pure(%0 "x": float) -> (float) {
b0:
  %1: float = sin %0
  return %1
}
function @local(%0 "x": float) -> (float) {
b0:
  %1: ptr<function, float> = local
  store %1, %0
  %2: float = load %1
  return %2
}
function @divides(%0 "x": int) -> (int) {
b0:
  %1: int = div %0, %0
  return %1
}
function @derives(%0 "x": float) -> (float) {
b0:
  %1: float = call @pure %0
  %2: float = dfdx %1
  return %2
}
function @reads() -> (int) {
b0:
  %0: ptr<storage, []int> = global @s
  %1: ptr<storage, int> = access [0] %0
  %2: int = load %1
  return %2
}
function @writes() {
b0:
  %0: int = call @reads
  %1: ptr<storage, []int> = global @s
  %2: ptr<storage, int> = access [0] %1
  store %2, %0
  return
}
function @discards() {
b0:
  discard
}
"""


def test_effects_of_functions() -> None:
    module = parse_module(EFFECTS)
    assert verify(module) == []
    found = function_effects(module)
    assert found == {
        "pure": Effect.PURE,
        "local": Effect.PURE,
        "divides": Effect.PARTIAL,
        "derives": Effect.QUAD,
        "reads": Effect.READ,
        "writes": Effect.WRITE,
        "discards": Effect.WRITE,
    }
    derives = module.function("derives")
    call = derives.blocks[0].instrs[0]
    assert effect(call, value_types(derives), found) is Effect.PURE
    assert effect(call, value_types(derives)) is Effect.WRITE
    assert function_effects(parse_module(NESTED))["f"] is Effect.PARTIAL  # it may loop for ever


def test_select_and_print_random_modules() -> None:
    for seed in range(10):
        module = random_module(seed)
        chosen = select(module, ("main",))
        assert verify(chosen) == []
        assert parse_module(print_module(chosen)) == chosen


VEC2, VEC3 = Vector(FLOAT, 2), Vector(FLOAT, 3)
T2, TA, TD = Texture(Dim.D2), Texture(Dim.D2_ARRAY), Texture(Dim.CUBE, True)


@pytest.mark.parametrize(
    ("op", "arguments", "result"),
    [
        ("add", (VEC3, VEC3), VEC3),
        ("add", (Matrix(2, 3), Matrix(2, 3)), Matrix(2, 3)),
        ("add", (VEC3, FLOAT), None),
        ("min", (VEC3, FLOAT), None),
        ("abs", (UINT,), None),
        ("lt", (VEC3, VEC3), Vector(BOOL, 3)),
        ("find_lsb", (Vector(UINT, 2),), Vector(INT, 2)),
        ("dot", (VEC3, VEC3), FLOAT),
        ("mat_vec", (Matrix(2, 3), VEC2), VEC3),
        ("vec_mat", (VEC3, Matrix(2, 3)), VEC2),
        ("mat_vec", (Matrix(2, 3), VEC3), None),
        ("mat_mat", (Matrix(2, 3), Matrix(4, 2)), Matrix(4, 3)),
        ("mat_mat", (Matrix(2, 3), Matrix(2, 3)), None),
        ("outer_product", (VEC3, VEC2), Matrix(2, 3)),
        ("transpose", (Matrix(2, 3),), Matrix(3, 2)),
        ("inverse", (Matrix(2, 3),), None),
        ("select", (BOOL, VEC3, VEC3), VEC3),
        ("select", (Vector(BOOL, 3), VEC3, VEC3), VEC3),
        ("select", (Vector(BOOL, 2), VEC3, VEC3), None),
        ("sample", (T2, Sampler(), VEC2), Vector(FLOAT, 4)),
        ("sample", (T2, Sampler(True), VEC2), None),
        ("sample", (TD, Sampler(), VEC3), None),
        ("sample_grad", (TA, Sampler(), VEC3, VEC2, VEC2), Vector(FLOAT, 4)),
        ("sample_compare", (TD, Sampler(True), VEC3, FLOAT), FLOAT),
        ("texel_fetch", (TA, Vector(INT, 3), INT), Vector(FLOAT, 4)),
        ("texel_fetch", (Texture(Dim.CUBE), Vector(INT, 3), INT), None),
        ("texture_size", (TA, INT), Vector(INT, 3)),
        ("texture_size", (TD, INT), Vector(INT, 2)),
        ("atomic_add", (Pointer(Space.STORAGE, INT), INT), INT),
        ("atomic_add", (Pointer(Space.STORAGE, INT), UINT), None),
        ("atomic_add", (Pointer(Space.STORAGE, FLOAT), FLOAT), None),
        ("array_length", (Array(FLOAT, None),), INT),
        ("array_length", (Array(FLOAT, 3),), None),
    ],
)
def test_signatures(op: str, arguments: tuple[Type, ...], result: Type | None) -> None:
    assert match(OPERATIONS[op].signature, arguments) == result


def test_signatures_with_scalars_beside_vectors() -> None:
    def operands(op: str, *arguments: Type) -> tuple[Type, ...] | None:
        found = resolve(OPERATIONS[op].signature, arguments)
        return None if found is None else found.operands

    assert operands("min", VEC3, FLOAT) == (VEC3, VEC3)
    assert operands("min", FLOAT, VEC3) is None
    assert operands("mix", VEC3, VEC3, FLOAT) == (VEC3, VEC3, VEC3)
    assert operands("mix", FLOAT, VEC3, VEC3) is None
    assert operands("step", FLOAT, VEC3) == (VEC3, VEC3)
    assert operands("smoothstep", FLOAT, FLOAT, VEC3) == (VEC3, VEC3, VEC3)
    assert operands("clamp", Vector(UINT, 2), UINT, UINT) == (Vector(UINT, 2),) * 3
    assert operands("clamp", Vector(UINT, 2), INT, UINT) is None


def test_every_signature_parses() -> None:
    for row in OPERATIONS.values():
        assert parse(row.signature).result is not None
    for bad in ("F F", "F -> Z", "sideways(F) -> F"):
        with pytest.raises(ValueError, match="signature"):
            parse(bad)
