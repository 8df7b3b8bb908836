"""Zeros with signs, infinities and NaN, bit for bit: what ``--fp=strict`` promises at every level.

Results are compared as bits, every NaN counting as the same.  Denormals are left out: a driver may
flush them.  What this driver's own algebra changes, whatever the compiler, runs in the interpreter
only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from tests.harness.cases import Case, Expected, Key
from tests.harness.jobs import Dispatch, Storage, Values
from tests.harness.reference import f32

INF, NAN = np.inf, np.nan
LEFT = np.array([0.0, -0.0, 1.5, -2.5, INF, -INF, NAN, 3e38, -3e38, 0.5, -0.0, 0.0], f32)
RIGHT = np.array([-0.0, 0.0, INF, -INF, -INF, -INF, 2.0, 3e38, 0.0, -0.5, -0.0, 0.0], f32)

Row = tuple[str, Callable[[Values, Values], Any]]

#: Expressions that Mesa simplifies as if there were no signed zeros, infinities and NaN.
DRIVER_CHANGES = frozenset({
    "0.0 - a", "a + 0.0", "0.0 + a", "a * 0.0", "a - a", "(a + b) - b", "(a - b) + b",
    "a * b + a * 3.0",
})  # fmt: skip


def _flag(values: Values) -> Values:
    return np.where(values, f32(1), f32(0))


def _divide(a: Values, b: Values) -> Values:
    return a / b


#: Expressions that IEEE-754 decides, and that algebra on real numbers would get wrong.
STRICT: tuple[Row, ...] = (
    ("a + b", lambda a, b: a + b),
    ("a - b", lambda a, b: a - b),
    ("a * b", lambda a, b: a * b),
    ("a / b", _divide),
    ("-a", lambda a, b: -a),
    ("0.0 - a", lambda a, b: f32(0) - a),
    ("a + 0.0", lambda a, b: a + f32(0)),
    ("0.0 + a", lambda a, b: f32(0) + a),
    ("a - 0.0", lambda a, b: a - f32(0)),
    ("a + (-0.0)", lambda a, b: a + f32(-0.0)),
    ("a * 0.0", lambda a, b: a * f32(0)),
    ("a * 1.0", lambda a, b: a),
    ("a * -1.0", lambda a, b: a * f32(-1)),
    ("a * 2.0", lambda a, b: a + a),
    ("a / 1.0", lambda a, b: a),
    ("a / 2.0", lambda a, b: a / f32(2)),
    ("a - a", lambda a, b: a - a),
    ("a / a", lambda a, b: a / a),
    ("(a + b) - b", lambda a, b: (a + b) - b),
    ("(a - b) + b", lambda a, b: (a - b) + b),
    ("(a * b) / b", lambda a, b: (a * b) / b),
    ("-(a - b)", lambda a, b: -(a - b)),
    ("-(-a)", lambda a, b: a),
    ("-a + b", lambda a, b: -a + b),
    ("-a * -b", lambda a, b: -a * -b),
    ("a * b + a * 3.0", lambda a, b: a * b + a * f32(3)),
    ("select(a == a, 1.0, 0.0)", lambda a, b: _flag(a == a)),
    ("select(a != a, 1.0, 0.0)", lambda a, b: _flag(a != a)),
    ("select(a < b, 1.0, 0.0)", lambda a, b: _flag(a < b)),
    ("select(not (a < b), 1.0, 0.0)", lambda a, b: _flag(~(a < b))),
    ("select(a >= b, 1.0, 0.0)", lambda a, b: _flag(a >= b)),
    ("select(not (a >= b), 1.0, 0.0)", lambda a, b: _flag(~(a >= b))),
    ("select(a == b, 1.0, 0.0)", lambda a, b: _flag(a == b)),
    ("select(a - b == 0.0, 1.0, 0.0)", lambda a, b: _flag(a - b == 0)),
    ("select(a < b, a, b)", lambda a, b: np.where(a < b, a, b)),
    ("select(a > b, b, a)", lambda a, b: np.where(a > b, b, a)),
    ("abs(a)", lambda a, b: np.abs(a)),
    ("abs(-a)", lambda a, b: np.abs(a)),
    ("floor(a)", lambda a, b: np.floor(a)),
    ("trunc(a)", lambda a, b: np.trunc(a)),
    ("ceil(b)", lambda a, b: np.ceil(b)),
    ("sqrt(a * a)", lambda a, b: np.sqrt(a * a)),
    ("select(isnan(a), 1.0, 0.0)", lambda a, b: _flag(np.isnan(a))),
    ("select(isinf(a), 1.0, 0.0)", lambda a, b: _flag(np.isinf(a))),
    ("select(isnan(a - b), 1.0, 0.0)", lambda a, b: _flag(np.isnan(a - b))),
    ("select(isinf(a * b), 1.0, 0.0)", lambda a, b: _flag(np.isinf(a * b))),
)

#: What holds even with ``--fp=fast``: these two are never decided by an assumption.
FAST: tuple[Row, ...] = (
    ("select(isnan(a), 1.0, 0.0)", lambda a, b: _flag(np.isnan(a))),
    ("select(isinf(a), 1.0, 0.0)", lambda a, b: _flag(np.isinf(a))),
    ("select(isnan(b) or isinf(b), 1.0, 0.0)", lambda a, b: _flag(~np.isfinite(b))),
)


def _source(rows: tuple[Row, ...]) -> str:
    lines = [f"  out[i * {len(rows)} + {k}] = {text}" for k, (text, _) in enumerate(rows)]
    return "\n".join([
        "buffer readonly left: []float",
        "buffer readonly right: []float",
        "buffer writeonly out: []float",
        "",
        "@entry(compute)",
        f"@workgroup_size({LEFT.size})",
        "function main(@builtin(local_invocation_id) id: uvec3)",
        "  let i = int(id.x)",
        "  let a = left[i]",
        "  let b = right[i]",
        *lines,
        "end",
        "",
    ])  # fmt: skip


def _case(name: str, rows: tuple[Row, ...], fp: str | None, **more: Any) -> Case:
    def job() -> Dispatch:
        return Dispatch(
            "main",
            (1, 1, 1),
            {
                (0, 0): Storage(LEFT.tobytes()),
                (0, 1): Storage(RIGHT.tobytes()),
                (0, 2): Storage(bytes(4 * LEFT.size * len(rows))),
            },
        )

    def expected() -> Mapping[Key, Expected]:
        with np.errstate(all="ignore"):
            values = np.stack([row(LEFT, RIGHT) for _, row in rows], axis=1).astype(f32)
        return {(0, 2): Expected(values, signed_zeros=True)}

    return Case(name, _source(rows), job, expected, fp=fp, **more)


def _cases() -> Iterator[Case]:
    yield _case("specials_strict", STRICT, "strict", executors=("interpreter",))
    kept = tuple(row for row in STRICT if row[0] not in DRIVER_CHANGES)
    yield _case("specials_driver", kept, "strict")
    yield _case("specials_fast", FAST, None)


CASES = tuple(_cases())
