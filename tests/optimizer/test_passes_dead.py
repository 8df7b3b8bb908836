"""The plain passes: dead code."""

from __future__ import annotations

from tests.optimizer.sources import (
    compute,
    main_of,
    operations,
    optimized,
)


def test_unused_loop_variables_go() -> None:
    function = main_of("let s = 1.0 @unroll(9) for i = 0, n do s += 2.0 ints[i] = 0 end")
    assert "float" not in {str(p.type) for b in function.blocks for p in b.params}


def test_memory_that_is_only_written_goes() -> None:
    function = main_of("let a = [4]float { 0.0, 0.0, 0.0, 0.0 } a[n] = 1.0 ints[0] = n")
    assert "local" not in operations(function)


def test_effects_stay() -> None:
    function = main_of("let old = atomic_add(ints[0], 1) ints[1] = 2")
    assert "atomic_add" in operations(function) and "store" in operations(function)


def test_a_call_without_effects_goes() -> None:
    module = compute("let x = f(n)", "function f(a: int) -> int return a * a end")
    function = optimized(module, "basic").function("main")
    assert "call" not in operations(function)
