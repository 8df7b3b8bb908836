"""Sums of floats: products come last, where so more of them fuse."""

from __future__ import annotations

import pytest

from luma.ir.verify import verify
from luma.optimizer.sums import order_sums
from tests.optimizer.sources import compute, operations, optimized, ran, with_last

#: Numbers that no order of sums rounds.
HEAD = """let a = float(n) let b = float(k) let c = a * 0.5 - 3.0 let d = b + 8.0
      let v = vec2(a, d) let w = vec2(c, b) out[8] = v.x * w.y
"""


def _ordered(body: str) -> bool:
    """Whether the main function's sums were out of order; in order they give what they gave."""
    module = compute(HEAD + body)
    done = order_sums(module.functions[-1])
    assert verify(with_last(module, done)) == []
    for n, k in ((0, 0), (1, 5), (3, 2), (7, -4), (20, 9)):
        assert ran(with_last(module, done), n, k) == ran(module, n, k)
        assert ran(optimized(module), n, k) == ran(module, n, k)
    return done is not module.functions[-1]


@pytest.mark.parametrize(
    "sum",
    [
        "a * b + c * d + a",
        "a * b - c * d - b",
        "b - (a * b - c * d)",
        "(a * b - c * d) - (a * c - b)",
        "dot(v, w) + a",
        "0.5 - dot(v, v)",
        "(mat2(1.0, 2.0, 3.0, a) * v + w).y",
        "(v * w + w * a + vec2(b)).x",
    ],
)
def test_products_come_last(sum: str) -> None:
    assert _ordered(f"out[1] = {sum}")


@pytest.mark.parametrize(
    "sum",
    [
        "a * b + c * d",
        "a * b + c",
        "(a + b * 2.0) + (c + d * a)",
        "dot(v, w) + a * b",
        "dot(vec3(v, a), vec3(w, b)) + c",
        "a + b + c",
        "a * b + (c * d - (a * c - b))",
        "-(a * b) - c * d",
        "0.5 - dot(v, v) + length(v) * 0.0",
    ],
)
def test_what_fuses_as_it_is_stays(sum: str) -> None:
    assert not _ordered(f"out[1] = {sum}")


def test_a_product_that_is_needed_elsewhere_does_not_fuse() -> None:
    assert not _ordered("let p = a * b out[1] = p + c + d out[2] = p")


def test_what_a_loop_does_not_change_is_not_computed_in_it() -> None:
    body = "let p = a * b + c * d for i = 0, 4 do out[i] = p + float(i) * a end"
    assert not _ordered(body)


def test_hashes_stay_as_they_are() -> None:
    body = "out[1] = fract(sin(a * 127.1 + b * 311.7 + c) * 43758.5453)"
    module = compute(HEAD + body)
    assert order_sums(module.functions[-1]) is module.functions[-1]


def test_strict_sums_keep_their_order() -> None:
    module = compute("out[1] = out[2] * out[3] + out[4] * out[5] + out[6]")
    done = optimized(module, fp="strict").functions[-1]
    last = [i for i in done.instructions() if i.op == "add"][-1]
    (load,) = (i for i in done.instructions() if i.id == last.args[1])
    assert load.op == "load"
    assert operations(done).count("add") == 2
