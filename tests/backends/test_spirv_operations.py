"""Every operation of the table, on every type it takes, is valid SPIR-V that computes it."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator
from typing import Any

import pytest

from luma.language.builtins import OPERATIONS, Effect, Operation
from luma.language.evaluate import evaluate
from luma.language.layout import Rules, layout
from luma.language.signatures import match, parse
from luma.language.types import (
    BOOL,
    FLOAT,
    HALF,
    INT,
    UINT,
    Field,
    Kind,
    Matrix,
    Scalar,
    Struct,
    Type,
    Vector,
    scalar_of,
    with_scalar,
)
from tests.backends.spirv_support import assemble, pack, unpack
from tests.harness.jobs import Dispatch, Storage
from tests.harness.worker import Driver

SCALARS = (BOOL, INT, UINT, FLOAT, HALF)
VALUES: tuple[Type, ...] = (
    *SCALARS,
    *(Vector(s, n) for s in SCALARS for n in (2, 3, 4)),
    *(Matrix(c, r) for c in (2, 3, 4) for r in (2, 3, 4)),
)

ROWS = [
    row
    for row in OPERATIONS.values()
    if row.eval is not None and row.effect in (Effect.PURE, Effect.PARTIAL)
]
SAMPLES = 12

#: Operand types and the result's.
Case = tuple[tuple[Type, ...], Type]

#: Relative and absolute tolerance where the driver is known to be rough.
ROUGH = {"asin": 1e-3, "acos": 1e-3, "tan": 1e-4, "sinh": 1e-4, "cosh": 1e-4, "pow": 1e-4,
         "inverse": 1e-4, "determinant": 1e-4, "refract": 1e-4, "normalize": 1e-4}  # fmt: skip

#: Where an operation's floats are drawn from, if not from all of -4..4.
DOMAINS = {
    "sqrt": (0.01, 9.0),
    "inversesqrt": (0.01, 9.0),
    "log": (0.01, 9.0),
    "log2": (0.01, 9.0),
    "asin": (-1.0, 1.0),
    "acos": (-1.0, 1.0),
    "tan": (-1.2, 1.2),
    "pow": (0.1, 3.0),
    "pack_snorm4x8": (-1.2, 1.2),
    "pack_snorm2x16": (-1.2, 1.2),
    "pack_unorm4x8": (-0.2, 1.2),
    "pack_unorm2x16": (-0.2, 1.2),
}


def operand_types(row: Operation) -> Iterator[Case]:
    """All (operand types, result type) of an operation in IR, where operands are homogeneous."""
    count = len(parse(row.signature).operands)
    for types in combinations(count):
        result = match(row.signature, types)
        if result is not None:
            yield types, result


def combinations(count: int) -> Iterator[tuple[Type, ...]]:
    """All operand types that may fit; a third operand is as the second or a scalar of it."""
    if count < 3:
        yield from itertools.product(VALUES, repeat=count)
        return
    for first, second in itertools.product(VALUES, repeat=2):
        for third in dict.fromkeys((second, scalar_of(second))):
            yield first, second, third


def memory_type(t: Type) -> Type:
    """How a case keeps a value in its buffers: halves as floats, so that no device must store
    them."""
    if isinstance(t, Matrix) or scalar_of(t) != HALF:
        return t
    return with_scalar(t, FLOAT)


def shader(
    row: Operation, cases: list[tuple[tuple[Type, ...], Type]]
) -> tuple[str, Struct, Struct]:
    """A compute shader that applies the operation in all cases, and its two buffers' elements."""
    inputs: list[Field] = []
    outputs: list[Field] = []
    lines: list[str] = []
    value = itertools.count(10)

    def emit(t: Type, text: str) -> int:
        number = next(value)
        lines.append(f"  %{number}: {t} = {text}")
        return number

    for types, result in cases:
        operands = []
        for t in types:
            stored = memory_type(t)
            pointer = next(value)
            access = f"access [., {len(inputs)}] %2, %1"
            lines.append(f"  %{pointer}: ptr<storage, {stored}> = {access}")
            loaded = emit(stored, f"load %{pointer}")
            operands.append(loaded if stored == t else emit(t, f"convert %{loaded}"))
            inputs.append(Field(f"i{len(inputs)}", stored))
        done = emit(result, f"{row.name} " + ", ".join(f"%{v}" for v in operands))
        stored = memory_type(result)
        if stored != result:
            done = emit(stored, f"convert %{done}")
        pointer = next(value)
        access = f"access [., {len(outputs)}] %3, %1"
        lines.append(f"  %{pointer}: ptr<storage, {stored}> = {access}")
        lines.append(f"  store %{pointer}, %{done}")
        outputs.append(Field(f"o{len(outputs)}", stored))
    fields = [", ".join(f"{f.name}: {f.type}" for f in part) for part in (inputs, outputs)]
    text = "\n".join((
        f"struct In {{ {fields[0]} }}",
        f"struct Out {{ {fields[1]} }}",
        "storage @source: []In group(0) binding(0)",
        "storage @result: []Out read_write group(0) binding(1)",
        "entry compute main = @main {",
        '  in "id": uvec3 builtin(workgroup_id)',
        "}",
        'function @main(%0 "id": uvec3) {',
        "b0:",
        "  %1: uint = extract [0] %0",
        "  %2: ptr<storage, []In> = global @source",
        "  %3: ptr<storage, []Out> = global @result",
        *lines,
        "  return",
        "}",
    ))  # fmt: skip
    return text, Struct("In", tuple(inputs)), Struct("Out", tuple(outputs))


INTEGERS = (0, 1, -1, 2, 5, -7, 31, 32, 33, 100, -(1 << 31), (1 << 31) - 1, 0x12345678)


def draw(random_: random.Random, t: Type, row: Operation, operand: int) -> Any:
    """A value of a type that the operation is defined for."""
    if isinstance(t, Matrix):
        column = t.column
        return tuple(
            tuple(v + 5.0 * (r == c) for r, v in enumerate(draw(random_, column, row, operand)))
            for c in range(t.cols)
        )
    if isinstance(t, Vector):
        return tuple(draw(random_, t.elem, row, operand) for _ in range(t.size))
    assert isinstance(t, Scalar)
    match t.kind:
        case Kind.BOOL:
            return random_.random() < 0.5
        case Kind.INT | Kind.UINT:
            return integer(random_, t, row, operand)
    low, high = DOMAINS.get(row.name, (-4.0, 4.0))
    if row.name == "refract" and operand == 2:
        low, high = 0.2, 0.9
    return ordered(row, operand, round(random_.uniform(low, high) * 64) / 64)


def ordered(row: Operation, operand: int, x: float) -> float:
    """x moved to where the bounds of a clamp or the edges of a step are in order."""
    if row.name == "clamp" and operand:
        return x - 4.5 if operand == 1 else x + 4.5
    if row.name == "smoothstep" and operand < 2:
        return x - 4.5 if operand == 0 else x + 4.5
    if row.name in ("div", "mod") and operand == 1 and x == 0:
        return 0.5
    return x


def integer(random_: random.Random, t: Scalar, row: Operation, operand: int) -> int:
    if row.name == "clamp" and operand:
        return random_.randrange(0, 5) + (0 if operand == 1 else 100)
    number = random_.choice(INTEGERS)
    if row.name in ("div", "rem"):
        number = random_.choice((1, -1, 3, -3, 7, -1000) if operand else (0, 5, -5, 7, -8, 1 << 30))
    return number & 0xFFFFFFFF if t == UINT else number


def close(found: Any, wanted: Any, tolerance: float) -> bool:
    if isinstance(wanted, tuple):
        return all(close(f, w, tolerance) for f, w in zip(found, wanted, strict=True))
    if isinstance(wanted, float):
        if math.isnan(wanted):
            return math.isnan(found)
        return math.isclose(found, wanted, rel_tol=tolerance, abs_tol=tolerance)
    return bool(found == wanted)


def tolerance_of(row: Operation, types: tuple[Type, ...]) -> float:
    if any(not isinstance(t, Matrix) and scalar_of(t) == HALF for t in types):
        return 2e-2
    return ROUGH.get(row.name, 2e-5)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_operation(row: Operation, driver: Driver) -> None:
    cases = list(operand_types(row))
    assert cases
    text, source, result = shader(row, cases)
    binary = assemble(text)
    random_ = random.Random(row.name)
    rows = []
    for _ in range(SAMPLES):
        values = [[draw(random_, t, row, at) for at, t in enumerate(types)] for types, _ in cases]
        rows.append(values)
    data = b"".join(pack(source, [v for case in values for v in case]) for values in rows)
    size = layout(result, Rules.STD430).size
    job = Dispatch(
        "main",
        (SAMPLES, 1, 1),
        {(0, 0): Storage(data), (0, 1): Storage(bytes(size * SAMPLES))},
    )
    out = driver.run(job, (binary,))[0, 1]
    assert isinstance(out, bytes)
    for at, values in enumerate(rows):
        found = unpack(result, out, at * size)
        for (types, result_type), operands, actual in zip(cases, values, found, strict=True):
            wanted = evaluate(row.name, result_type, types, operands)
            tolerance = tolerance_of(row, types)
            detail = f"{row.name}({', '.join(map(str, types))}) of {operands}"
            assert close(actual, wanted, tolerance), f"{detail}: {actual}, not {wanted}"
