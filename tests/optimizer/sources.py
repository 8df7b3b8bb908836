"""From Luma source or IR text to optimized IR, for tests."""

from __future__ import annotations

from dataclasses import replace

import luma
from luma.ir.interpret import Resources, decode, encode, run_compute
from luma.ir.module import Function, Instr, Module
from luma.ir.text import parse_module
from luma.ir.verify import verify
from luma.language.types import FLOAT, INT, Array
from luma.optimizer import optimize


def lowered(source: str) -> Module:
    """The IR of a Luma source."""
    return luma.lower(luma.check(luma.parse(source)))


def optimized(module: Module, level: str = "aggressive", fp: str | None = None) -> Module:
    """The module optimized without warnings, and sound."""
    assert verify(module) == []
    done, warnings = optimize(module, level, fp=fp)
    assert warnings == ()
    assert verify(done) == []
    return done


def expression(body: str, before: str = "") -> str:
    """A fragment shader whose function body gives a colour from many kinds of inputs."""
    return f"""
        struct Block
          m: mat4
          n: mat4
          k: float
          i: int
        end
        uniform u: Block
        uniform image: sampler2D
        {before}
        struct In
          @location(0) v: vec3
          @location(1) w: vec3
          @location(2) uv: vec2
          @location(3) p: vec4
        end
        struct Out
          @location(0) color: vec4
        end
        @entry(fragment)
        function main(i: In) -> Out
          let v = i.v
          let w = i.w
          let p = i.p
          let x = i.uv.x
          let y = i.uv.y
          {body}
        end"""


def result(body: str, level: str = "aggressive", fp: str | None = None) -> Function:
    """The optimized main function of :func:`expression`."""
    return optimized(lowered(expression(body)), level, fp).function("main")


#: What only moves values about or names them.
_FREE = frozenset({"const", "global", "access", "extract", "construct", "splat", "shuffle"})


def work(function: Function) -> list[str]:
    """The operations of a function that compute something, sorted."""
    return sorted(i.op for i in function.instructions() if i.op not in _FREE)


def instructions(module_text: str, level: str = "basic") -> list[Instr]:
    """The instructions of the first function of a module in text form, optimized."""
    module = optimized(parse_module(module_text), level)
    return list(module.functions[0].instructions())


def last_function(text: str) -> Function:
    """The last function of a sound module in text form."""
    module = parse_module(text)
    assert verify(module) == []
    return module.functions[-1]


def operations(function: Function) -> list[str]:
    """The operations of a function in order."""
    return [i.op for i in function.instructions()]


def compute(body: str, before: str = "") -> Module:
    """A compute shader that has floats ``out``, ints ``ints``, ints ``k`` (uniform) and ``n``."""
    return lowered(f"""
        buffer storage out: []float
        buffer storage ints: []int
        uniform k: int
        {before}
        @entry(compute) @workgroup_size(1)
        function main(@builtin(global_invocation_id) id: uvec3)
          let n = ints[id.x]
          {body}
        end""")


def main_of(body: str, before: str = "", level: str = "aggressive") -> Function:
    """The optimized main function of :func:`compute`."""
    return optimized(compute(body, before), level).function("main")


def ran(module: Module, n: int, k: int = 5) -> object:
    """What the main function of :func:`compute` makes of the ints n, 0, 1, 2, ... and of k."""
    ints = Array(INT, 40)
    memory = bytearray(encode(ints, (n, *range(39))))
    floats = bytearray(encode(Array(FLOAT, 4), (0.0,) * 4))
    pairs = bytearray(48)
    buffers = {"ints": memory, "out": floats, "k": bytearray(encode(INT, k)), "pairs": pairs}
    run_compute(module, "main", (1, 1, 1), Resources(buffers))
    return decode(ints, memory), bytes(floats), bytes(pairs)


def with_last(module: Module, function: Function) -> Module:
    """The module with another last function."""
    return replace(module, functions=(*module.functions[:-1], function))


#: A function with two arms; CONDITION (2: known, 0: not) and WORK are to be filled in.
DIAMOND = """
function @f(%0 "c": bool, %1 "x": float) -> (float) {
b0:
  %2: bool = const true
  cond_br %CONDITION b1(), b2() merge b3
b1:
  %3: float = add %1, %1
  br b3(%3)
b2:
  %4: float = WORK %1
  br b3(%4)
b3(%5: float):
  return %5
}
"""
