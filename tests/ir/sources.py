"""From source to verified IR, for tests."""

from __future__ import annotations

import luma
from luma.ir.module import Function, Module
from luma.ir.text import parse_module, print_module
from luma.ir.verify import verify


def lowered(source: str) -> Module:
    """The IR of a source, checked: it is sound, and comes back from its text."""
    module = luma.lower(luma.check(luma.parse(source)))
    assert verify(module) == []
    assert parse_module(print_module(module)) == module
    return module


def ops(function: Function) -> list[str]:
    """The operations of a function in order, constants and globals left out."""
    return [i.op for i in function.instructions() if i.op not in ("const", "global", "spec")]


def entry(body: str, before: str = "") -> str:
    """A compute shader that writes floats to ``out``."""
    return f"""{before}
        buffer storage out: []float
        @entry(compute) @workgroup_size(1)
        function main(@builtin(global_invocation_id) id: uvec3)
          {body}
        end"""
