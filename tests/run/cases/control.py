"""Control flow: branches, loops, early returns, and variables carried around them.

One shader holds many small functions; each run calls all of them with its own arguments.  The same
functions, written in Python below, are the reference.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tests.harness.cases import Case, Expected, Key
from tests.harness.jobs import Dispatch, Storage
from tests.harness.reference import f32
from tests.run.cases.control_source import SOURCE

RUNS = 12

NUMBERS = np.array([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20], np.int32)
WEIGHTS = np.array([0.25, 0.75, 0.5, 0.875, 0.125, 0.5, 0.3125, 0.0, 1.0, 0.625, 0.25, 0.5], f32)


def _rotate(n: int, x: float) -> list[float]:
    a, b, c, last = x, x + 1, x + 2, -1.0
    for _ in range(min(n, 20)):
        last = a
        a, b, c = b, c, a
    return [a, b, c, last]


def _steps(n: int) -> list[float]:
    z = 0.0
    for i in range(5, -1, -1):
        z = z * 2 + i
    w = sum(i + 1 for i in list(range(0, n * 100, 2))[:4])
    return [sum(range(0, 10, 3)), sum(range(9, 0, -4)), z, w]


def _swizzles(n: int) -> list[float]:
    x, y, z, w = 1.0, 2.0, 3.0, 4.0
    for i in range(min(n, 12)):
        x, y = y, x
        if i == 2:
            z, w = w, x
        else:
            x += 0.5
        x, y, z, w = w, z, y, x
    return [x, y, z, w]


def _early(n: int, x: float) -> float:
    if n < 2:
        return x
    if n < 4:
        if x > 0.5:
            return x * 2
        x += 1
    elif n == 5:
        x -= 3
    else:
        return -x
    return x * 10


def _nested(n: int) -> tuple[float, int]:
    total, seen = 0.0, 0
    for i in range(6):
        for j in range(i):
            seen += 1
            if i * j == n:
                if i > 3:
                    return total + 0.25, seen
                total += 100
            total += 1
        if total > 300:
            return total, seen
    return total, seen


def _collatz(n: int) -> int:
    count = 0
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        count += 1
    return count


def _forever(n: int) -> int:
    i = 1
    while i * i <= n:
        i += 1
    return i


def _two_updates(n: int) -> int:
    i = s = 0
    while i < n:
        s = s * 3 + i + 1
        i += 2
    return s - i


def _short_circuit(n: int, trace: int) -> tuple[float, int]:
    def touch(code: int) -> bool:
        nonlocal trace
        trace = trace * 10 + code
        return code % 2 == 1

    a = n > 3 and touch(1)
    b = n > 6 or touch(2) or touch(3)
    c = not (a and b) and (touch(4) or n == 0)
    r = 1.0 if (a and b) or c else 0.0
    for _ in range(3):
        if not (n < 5 and touch(5)):
            break
        n += 2
    return r + n, trace


def _shadowing(n: int) -> int:
    x = n
    if n > 2:
        inner = x * 10 + 1
        if inner > 50:
            n = -inner
    else:
        x += 7
    return x * 1000 + n + 0 + 1 + 2


def _specialized(n: int, rounds: int) -> int:
    s = 1
    for i in range(rounds):
        s = s * 2 + n + sum(range(i, rounds))
    return s


def _parallel_return(n: int) -> int:
    r = 5
    for i in range(min(n, 12)):
        if i == 7:
            return r
        r += (1 if i > 3 else 2) * i
    return -r


def _run(i: int, rounds: int) -> tuple[list[float], int]:
    n, x = int(NUMBERS[i]), float(WEIGHTS[i])
    over = [k for k in range(8) if WEIGHTS[(i + k) % 12] > 0.8]
    nested, trace = _nested(n)
    circuit, trace = _short_circuit(n, trace)
    parts = [sum(0.5 * k for k in range(min(n, 12)) if k % 3 == p) for p in range(3)]
    row = [
        *([1.0, 2.0] if n % 2 == 0 else [2.0, 1.0]),
        *_rotate(n, x),
        *_steps(n),
        *_swizzles(n),
        42.0,
        float(sum(range(n, n + 5))),
        _early(n, x),
        float(over[0] if over else -1),
        nested,
        float(_collatz(n + 5)),
        float(n + 7 * 21),
        float(_forever(n)),
        float(_two_updates(n)),
        circuit,
        float(_shadowing(n)),
        1.0 * 1000 + 2 * 100 + 1 * 10 + 4,
        float(sum(range(0, min(n, 12), 2))),
        float(sum(range(1, min(n, 12), 2))),
        parts[0],
        parts[1] + parts[2] * 0.125,
        float(_specialized(n, rounds)),
        1.0 if n > 3 else 2.0,
        float(_parallel_return(n)),
        2.0 + _early(3, 0.75),
        float(_collatz(7) + _shadowing(6)),
        _steps(2)[2],
        0.0,
        0.0,
        0.0,
        0.0,
    ]
    return row, trace if n > 4 else trace + 1000


def _case(name: str, rounds: int | None) -> Case:
    def job() -> Dispatch:
        return Dispatch(
            "main",
            (1, 1, 1),
            {
                (0, 0): Storage(NUMBERS.tobytes()),
                (0, 1): Storage(WEIGHTS.tobytes()),
                (0, 2): Storage(bytes(4 * 40 * RUNS)),
                (0, 3): Storage(bytes(4 * RUNS)),
            },
            spec={} if rounds is None else {0: rounds},
        )

    def expected() -> Mapping[Key, Expected]:
        runs = [_run(i, 5 if rounds is None else rounds) for i in range(RUNS)]
        rows = np.array([row for row, _ in runs], f32)
        traces = np.array([trace for _, trace in runs], np.int32)
        return {(0, 2): Expected(rows, atol=1e-5), (0, 3): Expected(traces)}

    return Case(name, SOURCE, job, expected)


CASES = (_case("control_flow", None), _case("control_flow_specialized", 2))
