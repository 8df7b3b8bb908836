"""Every operation of the table, on every type it takes, is valid WGSL that computes it."""

from __future__ import annotations

import random

import pytest

from luma.language.builtins import Operation
from luma.language.evaluate import evaluate
from luma.language.layout import Rules, layout
from tests.backends.spirv_support import pack, unpack
from tests.backends.test_spirv_operations import (
    ROWS,
    SAMPLES,
    close,
    draw,
    operand_types,
    shader,
    tolerance_of,
)
from tests.backends.wgsl_support import from_ir
from tests.harness import wgsl
from tests.harness.jobs import Dispatch, Storage


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_operation(row: Operation) -> None:
    cases = list(operand_types(row))
    text, source, result = shader(row, cases)
    output = from_ir(text).encode()
    random_ = random.Random(row.name)
    rows = [
        [[draw(random_, t, row, at) for at, t in enumerate(types)] for types, _ in cases]
        for _ in range(SAMPLES)
    ]
    data = b"".join(pack(source, [v for case in values for v in case]) for values in rows)
    size = layout(result, Rules.STD430).size
    resources = {(0, 0): Storage(data), (0, 1): Storage(bytes(size * SAMPLES))}
    job = Dispatch("main", (SAMPLES, 1, 1), resources)
    out = wgsl.driver().run(job, (output,))[0, 1]
    assert isinstance(out, bytes)
    for at, values in enumerate(rows):
        found = unpack(result, out, at * size)
        for (types, result_type), operands, actual in zip(cases, values, found, strict=True):
            wanted = evaluate(row.name, result_type, types, operands)
            detail = f"{row.name}({', '.join(map(str, types))}) of {operands}"
            correct = close(actual, wanted, tolerance_of(row, types))
            assert correct, f"{detail}: {actual}, not {wanted}"
