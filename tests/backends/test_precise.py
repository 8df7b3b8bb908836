"""Strict floating point in the outputs: no compiler behind Luma may fuse a product and a sum."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from luma.backends.spirv.grammar import Decoration, Op

import luma
from luma.diagnostics import Level
from tests.harness.hlsl import hlsl_to_spirv
from tests.harness.spirv_reader import instructions
from tests.harness.validators import glsl_to_spirv, validate_spirv

#: Sums of products wherever they can end: in a condition, a return, a store, an argument, a loop's
#: variable and bound, a struct, an array, an output.
SOURCE = """
struct Pair
    low: float
    high: vec3
end

uniform matrix: mat3
buffer kept: [64]float

function blend(a: float, b: float) -> float
    if a * b + b > 2.0 then
        return a * a - b
    end
    return b * b + a
end

function pair(x: float, v: vec3) -> Pair
    return Pair { low = x * x + 1.5, high = matrix * v + v }
end

@entry(compute)
@workgroup_size(8)
function main(@builtin(global_invocation_id) id: uvec3)
    let x = kept[id.x]
    let sum = 0.0
    let table = [4]float { 0.0, 0.0, 0.0, 0.0 }
    let i: int = 0
    @max_iterations(20)
    while float(i) * x + 0.5 < 4.0 and i < 20 do
        sum = sum * 0.75 + x
        table[i & 3] = sum * x + 2.0
        i = i + 1
    end
    let both = pair(sum * 3.0 + x, vec3(x, sum, x * sum + 1.0))
    kept[id.x + 8] = blend(x * sum - 1.0, dot(both.high, both.high) + both.low) * x + table[i & 3]
end
"""
_ARITHMETIC = {
    Op.FAdd, Op.FSub, Op.FMul, Op.FDiv, Op.FNegate, Op.Dot, Op.VectorTimesScalar,
    Op.MatrixTimesVector, Op.VectorTimesMatrix,
}  # fmt: skip


def _free_to_fuse(binary: bytes) -> list[int]:
    """The opcodes of arithmetic that is not decorated."""
    held: set[int] = set()
    made: list[tuple[int, int]] = []
    for opcode, operands in instructions(binary):
        if opcode == Op.Decorate and operands[1] == Decoration.NoContraction:
            held.add(operands[0])
        elif opcode in _ARITHMETIC:
            made.append((operands[1], opcode))
    assert len(made) > 10
    return [opcode for result, opcode in made if result not in held]


def _output(target: str, opt: str, fp: str | None = "strict") -> bytes:
    result = luma.compile(SOURCE, target=target, opt=opt, fp=fp)
    assert not any(d.level is Level.ERROR for d in result.diagnostics)
    return result.output


_TO_SPIRV: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "spirv": ("spirv", lambda output: output),
    "glsl": ("glsl", lambda output: glsl_to_spirv(output.decode(), "compute")),
    "hlsl": ("hlsl", lambda output: hlsl_to_spirv(output.decode(), "compute")[0]),
}


@pytest.mark.parametrize("opt", ["none", "basic", "aggressive"])
@pytest.mark.parametrize("way", _TO_SPIRV)
def test_strict_leaves_nothing_to_fuse(way: str, opt: str) -> None:
    target, compile_further = _TO_SPIRV[way]
    binary = compile_further(_output(target, opt))
    validate_spirv(binary)
    # glslang leaves OpDot alone, whatever is precise
    assert set(_free_to_fuse(binary)) - ({Op.Dot} if way == "glsl" else set()) == set()


@pytest.mark.parametrize("way", ["spirv", "glsl"])
def test_only_who_asks_for_strict_pays_for_it(way: str) -> None:
    target, compile_further = _TO_SPIRV[way]
    assert _free_to_fuse(compile_further(_output(target, "basic", None))) != []


def test_metal_is_told_by_a_pragma() -> None:
    pragma = b"#pragma clang fp contract(off)"
    assert pragma in _output("msl", "basic")
    assert pragma not in _output("msl", "basic", None)


def test_wgsl_cannot_and_says_so() -> None:
    result = luma.compile(SOURCE, target="wgsl", fp="strict")
    assert result.output
    assert [d.code for d in result.diagnostics] == ["W0993"]
    assert luma.compile(SOURCE, target="wgsl").diagnostics == ()
