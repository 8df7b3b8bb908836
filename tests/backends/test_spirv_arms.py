"""SPIR-V: branches whose `then` does nothing are turned round, and do what they did."""

from __future__ import annotations

import struct

import pytest
from luma.backends.spirv.grammar import Op

import luma
from tests.backends.spirv_support import opcode_counts
from tests.harness.jobs import Dispatch, Storage
from tests.harness.worker import Driver

SOURCE = """
    buffer storage data: []float
    @entry(compute) @workgroup_size(8)
    function main(@builtin(local_invocation_index) at: uint)
      let n = int(at)
      let x = data[n]
      BODY
    end"""

BODIES = {
    "a return": "if n < 2 or n >= 6 then return end data[n] = x + 1.0",
    "floats, of which one is no number": "if x < 2.0 or x >= 6.0 then return end data[n] = 9.0",
    "an empty arm": "if n < 2 or n >= 6 then else data[n] = x * 2.0 end",
    "three conditions": "if n < 2 or n > 5 or not (x > 3.0) then return end data[n] = 7.0",
    "a loop": """
      let k: int = 0
      @max_iterations(100)
      while k < n and x - float(k) > 1.5 do k += 1 end
      data[n] = float(k)""",
    "a condition that is needed again": """
      let outside = n < 2 or n >= 6
      if outside then return end
      data[n] = select(outside, 1.0, 2.0)""",
    "a loop that an arm is in": """
      for k = 0, 5 do
        if (n & 1) == 0 and k > 2 then return end
        data[n] += float(k)
      end""",
}


def _binary(body: str) -> bytes:
    source = SOURCE.replace("BODY", body)
    result = luma.compile(source, target="spirv", opt="basic", validate=True)
    assert result.success, result.diagnostics
    return result.output


EXPECTED = {
    "a return": lambda n, x: x if n < 2 or n >= 6 else x + 1,
    "floats, of which one is no number": lambda n, x: x if x < 2 or x >= 6 else 9.0,
    "an empty arm": lambda n, x: x if n < 2 or n >= 6 else x * 2,
    "three conditions": lambda n, x: x if n < 2 or n > 5 or not x > 3 else 7.0,
    "a loop": lambda n, x: next(k for k in range(9) if not (k < n and x - k > 1.5)),
    "a condition that is needed again": lambda n, x: x if n < 2 or n >= 6 else 2.0,
    "a loop that an arm is in": lambda n, x: x + 3 if n % 2 == 0 else x + 10,
}


@pytest.mark.parametrize("what", BODIES)
def test_what_is_turned_round_does_what_it_did(what: str, driver: Driver) -> None:
    given = [0.0, 1.0, 2.0, 3.5, 4.0, 5.0, 6.0, 7.0]
    resources = {(0, 0): Storage(struct.pack("8f", *given))}
    out = driver.run(Dispatch("main", (1, 1, 1), resources), (_binary(BODIES[what]),))[0, 0]
    assert isinstance(out, bytes)
    expected = [float(EXPECTED[what](n, x)) for n, x in enumerate(given)]
    assert list(struct.unpack("8f", out)) == expected


def test_what_is_no_number_takes_the_same_way(driver: Driver) -> None:
    binary = _binary(BODIES["floats, of which one is no number"])
    resources = {(0, 0): Storage(struct.pack("8f", *[float("nan")] * 8))}
    out = driver.run(Dispatch("main", (1, 1, 1), resources), (binary,))[0, 0]
    assert isinstance(out, bytes)
    assert list(struct.unpack("8f", out)) == [9.0] * 8


def test_comparisons_of_integers_become_their_opposites() -> None:
    counts = opcode_counts(_binary(BODIES["a return"]))
    assert counts[Op.LogicalAnd] == 1
    assert not counts[Op.LogicalOr] and not counts[Op.LogicalNot]


def test_comparisons_alone_stay_as_they_are() -> None:
    counts = opcode_counts(_binary("if n < 2 then return end data[n] = x + 1.0"))
    assert counts[Op.SLessThan] == 1
