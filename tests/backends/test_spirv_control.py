"""Control flow in SPIR-V: phis, loops, early exits, odd but legal shapes; by execution."""

from __future__ import annotations

import struct

from luma.backends.spirv.grammar import LoopControl, Op

from tests.backends.spirv_support import assemble, opcode_counts
from tests.harness.jobs import Dispatch, Storage
from tests.harness.spirv_reader import instructions
from tests.harness.worker import Driver

FRAME = """\
storage @in: [8]int group(0) binding(0)
storage @out: [8]int read_write group(0) binding(1)
entry compute main = @main workgroup(8, 1, 1) {
  in "i": uint builtin(local_invocation_index)
}
"""

HEAD = """\
function @main(%0 "i": uint) {
b0:
  %1: ptr<storage, [8]int> = global @in
  %2: ptr<storage, int> = access [.] %1, %0
  %3: int = load %2
  %4: ptr<storage, [8]int> = global @out
  %5: ptr<storage, int> = access [.] %4, %0
  %6: int = const 0
  %7: int = const 1
  %8: int = const 10
"""


def run(driver: Driver, body: str, before: str = "") -> tuple[int, ...]:
    """What ``main`` makes of 0..7."""
    binary = assemble(FRAME + before + HEAD + body + "}\n")
    resources = {(0, 0): Storage(struct.pack("8i", *range(8))), (0, 1): Storage(bytes(32))}
    out = driver.run(Dispatch("main", (1, 1, 1), resources), (binary,))[0, 1]
    assert isinstance(out, bytes)
    return struct.unpack("8i", out)


def test_loop_that_swaps_its_values(driver: Driver) -> None:
    """The swap problem: phis read each other's old values."""
    body = """\
  br b1(%6, %7, %8)
b1(%20: int, %21: int, %22: int): loop merge b4 continue b3
  %23: bool = lt %20, %3
  cond_br %23 b2(), b4()
b2:
  br b3()
b3:
  %24: int = add %20, %7
  br b1(%24, %22, %21)
b4:
  store %5, %21
  return
"""
    assert run(driver, body) == (1, 10, 1, 10, 1, 10, 1, 10)


def test_loop_that_never_runs_keeps_its_initial_value(driver: Driver) -> None:
    body = """\
  br b1(%8, %8)
b1(%20: int, %21: int): loop merge b4 continue b3
  %23: bool = lt %20, %7
  cond_br %23 b2(), b4()
b2:
  br b3()
b3:
  %24: int = add %20, %7
  br b1(%24, %24)
b4:
  store %5, %21
  return
"""
    assert run(driver, body) == (10,) * 8


def test_both_ways_to_one_block_choose_the_arguments(driver: Driver) -> None:
    """One predecessor, two edges: their arguments become a select, of matrices too."""
    body = """\
  %9: float = const 3.0
  %10: vec2 = splat %9
  %11: mat2 = construct %10, %10
  %12: float = const 4.0
  %13: vec2 = splat %12
  %14: mat2 = construct %13, %13
  %15: bool = lt %3, %7
  cond_br %15 b1(%7, %6, %11), b1(%8, %6, %14) merge b1
b1(%20: int, %21: int, %22: mat2):
  %23: float = extract [1, 1] %22
  %24: int = convert %23
  %25: int = add %20, %24
  %26: int = add %25, %21
  store %5, %26
  return
"""
    assert run(driver, body) == (4, *(14,) * 7)


def test_return_from_nested_loops(driver: Driver) -> None:
    before = """\
function @find(%0 "n": int) -> (int) {
b0:
  %1: int = const 0
  %2: int = const 1
  %3: int = const 4
  br b1(%1)
b1(%4: int): loop merge b9 continue b8
  %5: bool = lt %4, %3
  cond_br %5 b2(), b9()
b2:
  br b3(%1)
b3(%6: int): loop merge b7 continue b6 unroll full
  %7: bool = lt %6, %3
  cond_br %7 b4(), b7()
b4:
  %8: int = mul %4, %6
  %9: bool = eq %8, %0
  cond_br %9 b5(), b10() merge b10
b5:
  %10: int = const 100
  %11: int = mul %4, %10
  %12: int = add %11, %6
  return %12
b10:
  br b6()
b6:
  %13: int = add %6, %2
  br b3(%13)
b7:
  br b8()
b8:
  %14: int = add %4, %2
  br b1(%14)
b9:
  %15: int = neg %2
  return %15
}
"""
    body = """\
  %9: int = call @find %3
  store %5, %9
  return
"""
    assert run(driver, body, before) == (0, 101, 102, 103, 202, -1, 203, -1)


def test_condition_in_several_blocks_and_unrolling() -> None:
    """A header that branches on, a later block that leaves; the author's wish is passed on."""
    body = """\
  br b1(%6)
b1(%20: int): loop merge b7 continue b6 unroll 4
  br b2()
b2:
  %21: bool = lt %20, %3
  cond_br %21 b3(), b4() merge b4
b3:
  br b4()
b4:
  cond_br %21 b5(), b7()
b5:
  br b6()
b6:
  %24: int = add %20, %7
  br b1(%24)
b7:
  store %5, %20
  return
"""
    binary = assemble(FRAME + HEAD + body + "}\n")
    (loop,) = (words for op, words in instructions(binary) if op == Op.LoopMerge)
    assert loop[2] == LoopControl.Unroll


def test_merge_block_that_is_never_reached(driver: Driver) -> None:
    before = """\
function @pick(%0 "n": int) -> (int) {
b0:
  %1: int = const 3
  %2: bool = lt %0, %1
  cond_br %2 b1(), b2() merge b3
b1:
  return %1
b2:
  return %0
b3:
  unreachable
}
"""
    body = """\
  %9: int = call @pick %3
  store %5, %9
  return
"""
    assert run(driver, body, before) == (3, 3, 3, 3, 4, 5, 6, 7)


def test_continue_block_that_is_never_reached(driver: Driver) -> None:
    body = """\
  br b1(%6)
b1(%20: int): loop merge b4 continue b3
  %23: bool = lt %20, %3
  cond_br %23 b2(), b4()
b2:
  store %5, %8
  return
b3(%21: int):
  %24: int = add %21, %7
  br b1(%24)
b4:
  store %5, %7
  return
"""
    assert run(driver, body) == (1, *(10,) * 7)


def test_unused_values_are_not_written() -> None:
    """Neither dead arithmetic nor dead phis, nor the globals and types that only they need."""
    body = """\
  %9: float = convert %3
  %10: vec4 = splat %9
  %11: vec4 = sin %10
  %12: float = length %11
  br b1(%6, %12)
b1(%20: int, %21: float): loop merge b4 continue b3
  %23: bool = lt %20, %3
  cond_br %23 b2(), b4()
b2:
  br b3()
b3:
  %24: int = add %20, %7
  %25: float = add %21, %21
  br b1(%24, %25)
b4:
  store %5, %20
  return
"""
    counts = opcode_counts(assemble(FRAME + HEAD + body + "}\n"))
    assert counts[Op.Phi] == 1
    assert counts[Op.TypeFloat] == counts[Op.ExtInstImport] == counts[Op.FAdd] == 0


def test_equal_ways_into_memory_are_written_once() -> None:
    """Where the first access chain dominates the second, also across blocks."""
    body = """\
  %9: int = add %3, %7
  store %5, %9
  %10: bool = lt %3, %8
  cond_br %10 b1(), b2() merge b2
b1:
  %11: ptr<storage, [8]int> = global @out
  %12: ptr<storage, int> = access [.] %11, %0
  store %12, %8
  br b2()
b2:
  return
"""
    assert opcode_counts(assemble(FRAME + HEAD + body + "}\n"))[Op.AccessChain] == 2


def test_same_bytes_every_time() -> None:
    text = FRAME + HEAD + "  store %5, %3\n  return\n}\n"
    assert len({assemble(text) for _ in range(3)}) == 1
