"""The interpreter: vertex and fragment stages, derivatives, wrong use."""

from __future__ import annotations

import numpy as np
import pytest

from luma.ir.interpret import (
    InterpretError,
    Resources,
    decode,
    run_compute,
    run_fragment,
    run_function,
    run_vertex,
)
from luma.ir.module import Module
from luma.ir.text import parse_module
from luma.ir.verify import verify
from luma.language.types import (
    UINT,
)


def module(text: str) -> Module:
    made = parse_module(text)
    assert verify(made) == []
    return made


VERTEX = """
entry vertex main = @main {
  in "position": vec3 location(0)
  in "id": int builtin(vertex_id)
  in "instance": int builtin(instance_id)
  out "position": vec4 builtin(position)
  out "sum": int location(1)
}
function @main(%0 "p": vec3, %1 "id": int, %2 "instance": int) -> (vec4, int) {
b0:
  %3: float = const 1.0
  %4: vec4 = construct %0, %3
  %5: int = const 10
  %6: int = mul %2, %5
  %7: int = add %6, %1
  return %4, %7
}
"""


def test_vertex_stage() -> None:
    found = run_vertex(module(VERTEX), "main", {0: [(1, 2, 3), (0.1, 0, 0)]}, 2, 2)
    assert [o[1] for o in found] == [0, 1, 10, 11]
    assert found[0]["position"] == (1.0, 2.0, 3.0, 1.0)
    assert found[3]["position"][0] == float(np.float32(0.1))


FRAGMENT = """
storage @count: uint read_write group(0) binding(0)
entry fragment main = @main {
  in "v": float location(0)
  in "at": vec4 builtin(frag_coord)
  out "color": vec4 location(0)
}
function @main(%0 "v": float, %1 "at": vec4) -> (vec4) {
b0:
  %2: ptr<storage, uint> = global @count
  %3: uint = const 1
  %4: uint = atomic_add %2, %3
  %5: float = extract [0] %1
  %6: float = const 2.5
  %7: bool = eq %5, %6
  cond_br %7 b1(), b2() merge b2
b1:
  discard
b2:
  %8: float = dfdx %0
  %9: float = dfdy %0
  %10: float = fwidth %0
  %11: vec4 = construct %8, %9, %10, %0
  return %11
}
"""


def test_derivatives_and_discard_in_quads() -> None:
    memory = bytearray(4)
    rows = run_fragment(
        module(FRAGMENT),
        "main",
        lambda x, y: {0: 3 * x - 5 * y},
        5,
        3,
        Resources({"count": memory}),
    )
    assert decode(UINT, memory) == 15  # helpers at the odd edges count for nothing
    assert [len(row) for row in rows] == [5, 5, 5]
    assert all(row[2] is None for row in rows)
    assert rows[0][0] == {0: (3.0, -5.0, 8.0, -1.0)}
    assert rows[2][4] == {0: (3.0, -5.0, 8.0, 1.0)}
    # the left neighbour in the quad has gone
    assert rows[1][3] == {0: (0.0, -5.0, 5.0, 3.0)}


def test_fragment_inputs_as_rows_and_as_one_value() -> None:
    memory = bytearray(4)
    shader, resources = module(FRAGMENT), Resources({"count": memory})
    rows = run_fragment(shader, "main", {0: [[1.0, 4.0], [2.0, 8.0]]}, 2, 2, resources)
    assert rows[1][1] == {0: (6.0, 4.0, 10.0, 8.0)}
    rows = run_fragment(shader, "main", {0: 7}, 1, 1, resources)
    assert rows == [[{0: (0.0, 0.0, 0.0, 7.0)}]]


def test_derivatives_after_a_divergent_branch() -> None:
    """Invocations that took different ways meet again before the derivative."""
    text = """
entry fragment main = @main {
  in "v": float location(0)
  out "o": float location(0)
}
function @main(%0 "v": float) -> (float) {
b0:
  %1: float = const 1.0
  %2: bool = gt %0, %1
  cond_br %2 b1(), b2(%0) merge b2
b1:
  %3: float = dfdx %0
  %4: float = mul %0, %0
  br b2(%4)
b2(%5: float):
  %6: float = dfdx %5
  return %6
}
"""
    rows = run_fragment(module(text), "main", {0: [[1.0, 3.0], [3.0, 4.0]]}, 2, 2)
    assert [[pixel[0] for pixel in row if pixel] for row in rows] == [[8.0, 8.0], [7.0, 7.0]]


def test_wrong_use() -> None:
    shader = module(VERTEX)
    with pytest.raises(KeyError):
        run_vertex(shader, "nope")
    with pytest.raises(InterpretError, match="vertex entry point"):
        run_compute(shader, "main")
    with pytest.raises(InterpretError, match="takes 3 arguments"):
        run_function(shader, "main", (1,))
    with pytest.raises(InterpretError, match="is no vec3"):
        run_function(shader, "main", ((1, 2), 0, 0))
    with pytest.raises(InterpretError, match="discards"):
        run_function(module("function @f() {\nb0:\n  discard\n}"), "f")
