"""The plain passes: memory."""

from __future__ import annotations

import pytest

from luma.ir.text import print_function
from luma.optimizer.fold import fold
from luma.optimizer.loads import forward_loads
from luma.optimizer.memory import promote
from tests.optimizer.sources import (
    compute,
    last_function,
    main_of,
    operations,
    optimized,
    ran,
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
    function = forward_loads(compute("out[0] = float(ints[3] + ints[3])")).functions[-1]
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


# ---------------------------------------------------------------- across blocks


def _count(op: str, body: str, before: str = "") -> int:
    """How many instructions of a kind are left; what the shader does is not changed."""
    module = compute(body, before)
    done = optimized(module)
    for n, k in ((0, 0), (1, 5), (3, 2), (7, -4)):
        assert ran(done, n, k) == ran(module, n, k)
    return operations(done.function("main")).count(op)


def test_a_load_on_every_way_is_done_once() -> None:
    body = """let a = ints[3] let s: int = 0
          if n > k then s = a * 3 @unroll(20) for i = 0, n do s += i end else s = 2 end
          ints[5] = ints[3] + s"""
    assert _count("load", body) == 3  # of n, of k, of ints[3]


def test_a_store_on_one_way_counts() -> None:
    body = "let a = ints[3] if n > k then ints[n] = 1 end ints[5] = a + ints[3]"
    assert _count("load", body) == 4


def test_a_store_in_a_loop_counts_from_its_start() -> None:
    body = "let a = ints[3] for i = 0, 30 do ints[7] = ints[3] + i ints[3] = i end ints[5] = a"
    assert _count("load", body) == 2


def test_known_indices_are_apart() -> None:
    assert _count("load", "let a = ints[3] ints[4] = n ints[5] = a + ints[3]") == 2
    assert _count("load", "let a = ints[3] ints[k] = n ints[5] = a + ints[3]") == 4


def test_two_buffers_may_be_one() -> None:
    assert _count("load", "let a = ints[3] out[3] = 1.5 ints[5] = a + ints[3]") == 2


def test_what_was_stored_is_known() -> None:
    assert _count("load", "let j = k & 7 ints[j] = n * 3 ints[5] = ints[j]") == 2


PAIR = """struct Pair
          a: int
          b: [4]int
        end
        buffer storage pairs: [2]Pair
        function touch(i: int) -> int pairs[1].a = i return i end
        function look(i: int) -> int return pairs[1].a + i end"""


def test_a_part_of_what_was_stored_is_known() -> None:
    body = (
        "pairs[0] = Pair { a = n, b = [4]int { k, 2, 3, 4 } } ints[5] = pairs[0].b[2] + pairs[0].a"
    )
    assert _count("load", body, PAIR) == 2


def test_a_call_that_writes_ends_what_is_known() -> None:
    module = compute("let a = pairs[1].a let c = touch(n) ints[5] = a + pairs[1].a + c", PAIR)
    done = forward_loads(module)
    assert operations(done.function("main")).count("load") == 3


def test_a_call_that_reads_leaves_it_known() -> None:
    module = compute("let a = pairs[1].a let c = look(n) ints[5] = a + pairs[1].a + c", PAIR)
    done = forward_loads(module)
    assert operations(done.function("main")).count("load") == 2


def test_only_the_part_in_use_is_loaded() -> None:
    function = main_of("let p = pairs[k & 1] ints[5] = p.b[2]", PAIR)
    assert [str(i.type) for i in function.instructions() if i.op == "load"] == ["int", "int"]


def test_one_atomic_ends_what_is_known() -> None:
    body = "let a = ints[3] let old = atomic_add(ints[9], 1) ints[5] = a + ints[3] + old"
    assert _count("load", body) == 2


def test_barriers_leave_the_functions_own_memory_alone() -> None:
    before = "shared tile: [4]int"
    body = """let a = [4]int { 1, 2, 3, 4 } a[k & 3] = n
          let j = n & 3 let b = a[j] workgroup_barrier() ints[5] = b + a[j] + tile[1]"""
    function = main_of(body, before)
    types = [i.args[0] for i in function.instructions() if i.op == "load"]
    assert len(types) == 4  # n, k, the array's element, tile[1]


# ---------------------------------------------------------------- stores


def test_a_store_that_is_overwritten_goes() -> None:
    assert _count("store", "ints[3] = n ints[4] = k ints[3] = k") == 2


@pytest.mark.parametrize(
    "between",
    ["out[1] = float(ints[k])", "storage_barrier()",
     "let old = atomic_add(ints[9], 1)", "if n > 2 then return end"],
)  # fmt: skip
def test_a_store_that_is_seen_first_stays(between: str) -> None:
    function = main_of(f"ints[3] = n {between} ints[3] = k")
    stores = [i for i in function.instructions() if i.op == "store"]
    assert len(stores) - between.count("out") == 2


def test_a_store_that_both_ways_overwrite_goes() -> None:
    body = "ints[3] = 9 if n > k then ints[3] = n * k else ints[3] = n + 7 end"
    assert _count("store", body) == 2
    body = "ints[3] = 9 if n > k then ints[3] = n * k else ints[4] = n + 7 end"
    assert _count("store", body) == 3


def test_a_store_to_an_array_that_is_not_read_again_goes() -> None:
    body = """let a = [4]int { 1, 2, 3, 4 } a[k & 3] = n ints[5] = a[n & 3]
          a[n & 3] = 7 if n > 3 then a[2] = 9 end"""
    function = main_of(body)
    assert operations(function).count("store") == 3  # the array, its element, ints[5]


def test_what_the_next_round_reads_stays() -> None:
    body = """let a = [4]int { 1, 2, 3, 4 }
          for i = 0, 20 do ints[5] = ints[5] * 3 + a[i & 3] a[(i + k) & 3] = i end"""
    assert _count("store", body) == 3


def test_what_only_the_next_round_overwrites_stays() -> None:
    body = "@unroll(9) for i = 0, n do ints[i + 4] = k ints[i + 5] = i end"
    assert _count("store", body) == 2
