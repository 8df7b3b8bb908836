"""SPIR-V: structs that change in branches and loops are passed on field by field."""

from __future__ import annotations

import struct

import pytest
from luma.backends.spirv.grammar import Op

import luma
from tests.backends.spirv_support import opcode_counts
from tests.harness.jobs import Dispatch, Resources, Storage
from tests.harness.worker import Driver

HEAD = """
    struct Inner
      low: float
      high: vec2
    end
    struct Body
      at: vec2
      speed: vec2
      rows: [2]float
      inner: Inner
    end
    buffer storage bodies: []Body
    buffer storage out: []float
"""


def compiled(body: str, opt: str, debug: bool = False) -> bytes:
    source = HEAD + f"@entry(compute) @workgroup_size(1) function main() {body} end"
    made = luma.compile(source, target="spirv", opt=opt, debug=debug, validate=True)
    assert made.success, made.diagnostics
    assert isinstance(made.output, bytes)
    return made.output


def run(driver: Driver, binary: bytes) -> tuple[float, ...]:
    first = struct.pack("<10f", 1, 2, 3, 4, 5, 6, 7, 0, 8, 9)
    resources: Resources = {(0, 0): Storage(first + bytes(80)), (0, 1): Storage(bytes(16))}
    found = driver.run(Dispatch("main", (1, 1, 1), resources), (binary,))
    kept, out = found[0, 0], found[0, 1]
    assert isinstance(kept, bytes) and isinstance(out, bytes)
    second = struct.unpack_from("<10f", kept, 40)
    return (*second[:7], *second[8:], *struct.unpack("<4f", out))


BRANCHES = """
    let b = bodies[0]
    if b.at.x > 0.5 then b.speed = b.speed * 2.0 b.inner.low = b.rows[1] end
    if b.speed.y > 100.0 then b.speed = vec2(0.0) else b.rows[0] = b.inner.high.y end
    out[0] = b.speed.x
    out[1] = b.inner.low
    bodies[1] = b
"""
LOOP = """
    let b = bodies[0]
    let before = bodies[1]
    for i = 0, 3 do
      let old = b
      b.at = b.at + b.speed
      if i == 1 then b.inner = before.inner b.speed = old.at end
      if i == 2 then before = old end
    end
    out[0] = before.at.x
    out[1] = before.speed.y
    out[2] = before.inner.high.x
    bodies[1] = b
"""
NESTED = """
    let b = bodies[0]
    let inner = b.inner
    if b.at.x > 0.5 then inner.high.x = 20.0 b.inner = inner else inner = bodies[2].inner end
    if inner.low > 1.0 then inner.low = inner.high.x + b.inner.high.y end
    out[0] = inner.low
    out[1] = b.inner.high.x
    b.inner = inner
    bodies[1] = b
"""
CASES = {
    "nested": (NESTED, (1, 2, 3, 4, 5, 6, 29, 20, 9, 29, 20, 0, 0)),
    "branches": (BRANCHES, (1, 2, 6, 8, 9, 6, 6, 8, 9, 6, 6, 0, 0)),
    "loop": (LOOP, (11, 16, 4, 6, 5, 6, 0, 0, 0, 7, 6, 0, 0)),
}


@pytest.mark.parametrize("debug", [False, True])
@pytest.mark.parametrize("opt", ["none", "basic", "aggressive"])
@pytest.mark.parametrize("case", CASES)
def test_fields_have_their_values(driver: Driver, case: str, opt: str, debug: bool) -> None:
    body, wanted = CASES[case]
    assert run(driver, compiled(body, opt, debug)) == wanted


def test_a_field_that_no_branch_changes_needs_no_phi() -> None:
    body = """
        let b = bodies[0]
        if b.at.x > 0.5 then b.speed = sin(b.speed) out[3] = 1.0 end
        bodies[1].at = b.at
        bodies[1].speed = b.speed
    """
    counts = opcode_counts(compiled(body, "aggressive"))
    assert counts[Op.Phi] == 1
    assert counts[Op.CompositeInsert] == 0


def test_a_struct_that_is_only_passed_on_stays_whole() -> None:
    body = "let b = bodies[0] if out[0] > 0.5 then b = bodies[2] out[3] = 1.0 end bodies[1] = b"
    counts = opcode_counts(compiled(body, "basic"))
    assert counts[Op.Phi] == 1
