"""The plain passes: memory."""

from __future__ import annotations

from luma.ir.text import print_function
from luma.optimizer.fold import fold
from luma.optimizer.memory import forward_loads, promote
from tests.optimizer.sources import (
    compute,
    last_function,
    main_of,
    operations,
)

LOCAL = """
function @f(%0 "x": float, %1 "c": bool) -> (float) {
b0:
  %2 "a": ptr<function, [3]float> = local
  %3: ptr<function, float> = access [1] %2
  %9: ptr<function, float> = access [2] %2
  store %3, %0
  cond_br %1 b1(), b2() merge b2
b1:
  %4: float = neg %0
  store %3, %4
  br b2()
b2:
  %5: float = load %3
  %6: float = load %9
  %7: float = add %5, %6
  return %7
}
"""


def test_memory_with_constant_indices_becomes_values() -> None:
    function = promote(last_function(LOCAL))
    assert "load" not in operations(function) and "store" not in operations(function)
    assert "local" not in operations(fold(function))


def test_unrolled_arrays_become_values() -> None:
    body = """let a = [4]float { 0.0, 0.0, 0.0, 0.0 }
          @unroll for i = 0, 4 do a[i] = float(i * n) end
          out[0] = a[0] + a[3]"""
    assert "local" not in operations(main_of(body))


def test_a_run_time_index_keeps_memory() -> None:
    body = "let a = [4]float { 1.0, 2.0, 3.0, 4.0 } a[n] = 0.0 out[0] = a[k]"
    assert "local" in operations(main_of(body))


def test_loads_are_not_done_twice() -> None:
    function = forward_loads(compute("out[0] = float(ints[3] + ints[3])").functions[-1])
    assert operations(function).count("load") == 2  # of ints[id.x], and of ints[3]


def test_a_store_between_loads_counts() -> None:
    """The load before the loop's stores keeps its place; the one after sees them."""
    body = "let v = ints[n] for i = 0, 90 do ints[i] = 0 end ints[n] = v"
    text = print_function(main_of(body))
    assert text.index("load") < text.index("loop")
    body = "let a = ints[1] ints[n] = 5 ints[2] = a + ints[1]"
    assert operations(main_of(body)).count("load") == 3


def test_a_barrier_between_loads_counts() -> None:
    before = "shared tile: [4]int"
    body = "let a = tile[0] workgroup_barrier() ints[0] = a + tile[0]"
    assert operations(main_of(body, before)).count("load") == 2
