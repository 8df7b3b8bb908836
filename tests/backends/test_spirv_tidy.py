"""SPIR-V: blocks joined, and no composites that nobody uses."""

from __future__ import annotations

from luma.backends.spirv.grammar import Op
from luma.backends.spirv.tidy import without_idle_moves

import luma
from tests.backends.spirv_support import opcode_counts
from tests.harness.spirv_reader import instructions

SOURCE = """
    buffer storage data: []float
    uniform m: mat3
    @entry(compute) @workgroup_size(1)
    function main(@builtin(global_invocation_id) id: uvec3)
      let s = 0.0
      for i = 0, 40 do BODY end
      let sum = m + m * 2.0
      data[1] = s + sum[1].y
    end"""


def _counts(body: str) -> dict[int, int]:
    result = luma.compile(SOURCE.replace("BODY", body), target="spirv", opt="basic", validate=True)
    assert result.success, result.diagnostics
    return dict(opcode_counts(result.output))


def test_a_loops_last_block_is_its_continue_block() -> None:
    counts = _counts("s += data[i]")
    assert counts[Op.Label] == 4  # the first, the header, the body, the end


def test_a_small_body_that_only_computes_comes_before_it() -> None:
    counts = _counts("s = s * 0.5 + float(i)")
    assert counts[Op.Label] == 5


def test_a_block_that_ends_a_branch_is_not() -> None:
    counts = _counts("if data[i] > 1.0 then data[i] = s else data[i + 1] = s end")
    assert counts[Op.Label] == 8


def test_what_a_matrix_was_made_of_is_not_taken_out_again() -> None:
    assert Op.CompositeConstruct not in _counts("s += data[i]")


def test_what_later_code_uses_stays() -> None:
    phi = [(5 << 16) | Op.Phi, 1, 10, 11, 2]
    kept = [(5 << 16) | Op.CompositeConstruct, 1, 11, 3, 4]
    gone = [(5 << 16) | Op.CompositeConstruct, 1, 12, 11, 4]
    part = [(5 << 16) | Op.CompositeExtract, 1, 13, 12, 0]
    assert without_idle_moves([*phi, *kept, *gone, *part]) == [*phi, *kept]


def test_constants_come_second() -> None:
    """And so do parameters, which a driver's inlining may make constants."""
    source = """
        function scaled(x: float, y: float) -> float return vec2(x, y).y * data[0] end
        buffer storage data: []float
        @entry(compute) @workgroup_size(1)
        function main()
          data[1] = 2.0 * data[2] + scaled(1.0, 2.0) - scaled(3.0, 4.0)
        end"""
    result = luma.compile(source, target="spirv", opt="none", validate=True)
    assert result.success, result.diagnostics
    found = list(instructions(result.output))
    loaded = {words[1] for opcode, words in found if opcode == Op.Load}
    products = [words[2:] for opcode, words in found if opcode == Op.FMul]
    assert len(products) == 2 and all(first in loaded for first, _ in products)


INTEGERS = """
    buffer storage data: []float
    buffer storage marks: []int
    shared tile: [4]float
    @entry(compute) @workgroup_size(4)
    function main(@builtin(global_invocation_id) id: uvec3) BODY end"""


def _integers(body: str, debug: bool = False) -> dict[int, int]:
    source = INTEGERS.replace("BODY", body)
    made = luma.compile(source, target="spirv", opt="basic", validate=True, debug=debug)
    assert made.success, made.diagnostics
    return dict(opcode_counts(made.output))


ANY_INTEGER = "let i = int(id.x) if i < 3 then data[i + 1] = data[i * 2] + float(i & 7) end"


def test_what_takes_any_integer_takes_it_as_it_is() -> None:
    assert Op.Bitcast not in _integers(ANY_INTEGER)


def test_names_keep_conversions() -> None:
    assert Op.Bitcast in _integers(ANY_INTEGER, debug=True)


def test_what_needs_one_kind_gets_it() -> None:
    counts = _integers(
        "marks[0] = int(id.x) marks[1] = int(id.y / 3) data[0] = float(max(marks[2], int(id.x)))"
    )
    assert counts[Op.Bitcast] == 2  # one a value: what is stored and what max takes are the same


def test_there_and_back_is_nothing() -> None:
    counts = _integers("if id.x < uint(array_length(data)) then data[id.x] = 1.0 end")
    assert Op.Bitcast not in counts


def test_sizes_and_scopes_are_of_the_kind_that_is_there() -> None:
    counts = _integers("tile[3] = data[2] workgroup_barrier() data[3] = tile[2] + float(marks[3])")
    assert counts[Op.TypeInt] == 1
    assert counts[Op.Constant] == 5  # 0, 2, 3, 4 and what a barrier is told
