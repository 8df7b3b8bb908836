"""The plain passes: what goes, what stays, and that order is kept where it matters."""

from __future__ import annotations

import pytest

from luma.ir.module import CondBranch, Function, Module
from luma.ir.text import parse_module, print_function
from luma.ir.verify import verify
from luma.optimizer.branches import fold_branches, merge_blocks, select_arms
from luma.optimizer.dead import remove_dead
from luma.optimizer.fold import fold
from luma.optimizer.inline import inline
from luma.optimizer.memory import forward_loads, promote
from luma.optimizer.returns import single_return
from luma.optimizer.unroll import unroll
from tests.optimizer.sources import lowered, optimized, work


def _function(text: str) -> Function:
    module = parse_module(text)
    assert verify(module) == []
    return module.functions[-1]


def _ops(function: Function) -> list[str]:
    return [i.op for i in function.instructions()]


def _compute(body: str, before: str = "") -> Module:
    return lowered(f"""
        buffer storage out: []float
        buffer storage ints: []int
        uniform k: int
        {before}
        @entry(compute) @workgroup_size(1)
        function main(@builtin(global_invocation_id) id: uvec3)
          let n = ints[id.x]
          {body}
        end""")


def _main(body: str, before: str = "", level: str = "aggressive") -> Function:
    return optimized(_compute(body, before), level).function("main")


# ---------------------------------------------------------------- folding


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("sqrt(2.0)", 1.4142135381698608),
        ("floor(-2.5)", -3.0),
        ("0.1 + 0.2", 0.30000001192092896),
        ("float(int(7) / 2)", 3.0),
        ("float(-int(7) % 3)", -1.0),
        ("float(int(2147483647) + 1)", -2147483648.0),
        ("float(int(1) << 33)", 2.0),
        ("vec3(1.0, 2.0, 3.0).z * 2.0", 6.0),
        ("-0.0 * 1.0", -0.0),
    ],
)
def test_constants_fold_as_binary32(source: str, value: float) -> None:
    function = _main(f"out[0] = {source}", level="basic")
    (store,) = (i for i in function.instructions() if i.op == "store")
    (made,) = (i for i in function.instructions() if i.id == store.args[1])
    assert made.op == "const" and str(made.imm[0]) == str(value)


@pytest.mark.parametrize(
    "source",
    [
        "out[0] = sin(1.0)",
        "out[0] = exp(2.0)",
        "let z = 0.0 out[0] = 1.0 / z",
        "let x = 3e9 out[0] = float(int(x))",
        "let x = 3e38 out[0] = x * 10.0",
    ],
)
def test_what_targets_may_compute_otherwise_stays(source: str) -> None:
    assert work(_main(source, level="basic")) != ["store"]


def test_a_division_by_zero_is_neither_folded_nor_moved() -> None:
    function = _main("if n > 0 then out[0] = float(k / n) end")
    (block,) = (b for b in function.blocks if any(i.op == "div" for i in b.instrs))
    assert block is not function.blocks[0]


def test_a_division_by_a_constant_leaves_the_loop() -> None:
    function = _main("@unroll(9) for i = 0, n do out[i] = float(k / 3) end")
    assert any(i.op == "div" for i in function.blocks[0].instrs)


def test_what_is_put_into_aggregates_comes_out() -> None:
    before = """struct S
          a: float
          b: vec2
        end"""
    function = _main(
        "let s = S { a = float(n), b = vec2(1.0, 2.0) } s.b.x = s.a out[0] = s.b.x + s.b.y",
        before,
        "basic",
    )
    assert "insert" not in _ops(function) and "construct" not in _ops(function)


# ---------------------------------------------------------------- branches

DIAMOND = """
function @f(%0 "c": bool, %1 "x": float) -> (float) {
b0:
  %2: bool = const true
  cond_br %CONDITION b1(), b2() merge b3
b1:
  %3: float = add %1, %1
  br b3(%3)
b2:
  %4: float = WORK %1
  br b3(%4)
b3(%5: float):
  return %5
}
"""


def test_a_known_condition_takes_its_way() -> None:
    function = fold_branches(_function(DIAMOND.replace("CONDITION", "2").replace("WORK", "neg")))
    assert [b.label for b in function.blocks] == [0, 1, 3]
    assert len(merge_blocks(function).blocks) == 1


def test_small_arms_become_a_choice() -> None:
    function = select_arms(_function(DIAMOND.replace("CONDITION", "0").replace("WORK", "neg")))
    assert _ops(function) == ["const", "add", "neg", "select"]


def test_dear_arms_stay_arms() -> None:
    text = DIAMOND.replace("CONDITION", "0").replace("WORK", "atan")
    assert len(select_arms(_function(text)).blocks) == 4


def test_arms_with_effects_stay_arms() -> None:
    function = _main("if n > 0 then out[0] = 1.0 end")
    assert any(isinstance(b.terminator, CondBranch) for b in function.blocks)


def test_a_loop_that_never_runs_goes() -> None:
    function = _main("let s = 1.0 for i = 3, 3 do s += 2.0 end out[0] = s")
    assert len(function.blocks) == 1


# ---------------------------------------------------------------- dead code


def test_unused_loop_variables_go() -> None:
    function = _main("let s = 1.0 @unroll(9) for i = 0, n do s += 2.0 ints[i] = 0 end")
    assert "float" not in {str(p.type) for b in function.blocks for p in b.params}


def test_memory_that_is_only_written_goes() -> None:
    function = _main("let a = [4]float { 0.0, 0.0, 0.0, 0.0 } a[n] = 1.0 ints[0] = n")
    assert "local" not in _ops(function)


def test_effects_stay() -> None:
    function = _main("let old = atomic_add(ints[0], 1) ints[1] = 2")
    assert "atomic_add" in _ops(function) and "store" in _ops(function)


def test_a_call_without_effects_goes() -> None:
    module = _compute("let x = f(n)", "function f(a: int) -> int return a * a end")
    function = optimized(module, "basic").function("main")
    assert "call" not in _ops(function)


# ---------------------------------------------------------------- inlining

EARLY = """function f(a: int) -> int
          if a < 2 then return 1 end
          if a < 5 then
            return a
          else
            a += 3
          end
          return a * 2
        end"""
MIXED = """function f(a: int) -> int
          if a < 2 then
            if a < 1 then return 7 end
            a += 1
          else
            a += 2
          end
          return a
        end"""
IN_LOOP = """function f(a: int) -> int
          @unroll(9) for i = 0, a do
            if i * i > a then return i end
          end
          return 0
        end"""


def test_early_returns_nest_into_the_other_arm() -> None:
    module = inline(_compute("ints[1] = f(n)", EARLY))
    assert verify(module) == []
    assert [f.name for f in module.functions] == ["main"]


@pytest.mark.parametrize("source", [MIXED, IN_LOOP])
def test_returns_that_cannot_be_nested_set_a_flag(source: str) -> None:
    module = inline(_compute("ints[1] = f(n)", source))
    assert verify(module) == []
    assert [f.name for f in module.functions] == ["main"]


def test_calls_in_loops_and_their_conditions() -> None:
    module = inline(
        _compute("@max_iterations(9) while f(n) < 9 do n += f(n) end ints[0] = n", EARLY)
    )
    assert verify(module) == []
    assert "call" not in _ops(module.function("main"))


def test_single_return_of_a_function_that_has_one() -> None:
    function = _compute("ints[0] = f(n)", "function f(a: int) -> int return a end").function("f")
    assert single_return(function) is not None


# ---------------------------------------------------------------- loops


def test_asked_for_a_loop_is_unrolled() -> None:
    function = _main("@unroll for i = 0, 20 do out[i] = float(i) end")
    assert len(function.blocks) == 1 and _ops(function).count("store") == 20


def test_nobody_asked_for_a_long_one() -> None:
    function = _main("for i = 0, 20 do out[i] = float(i) * float(n) end")
    assert any(b.loop is not None for b in function.blocks)


def test_short_loops_unroll_unasked() -> None:
    function = _main("let s: int = 0 for i = 0, 3 do s += n * i end ints[0] = s")
    assert len(function.blocks) == 1


def test_nested_loops_unroll_inside_out() -> None:
    body = "@unroll for i = 0, 3 do @unroll for j = 0, i do ints[i * 4 + j] = n end end"
    assert _ops(_main(body)).count("store") == 3


@pytest.mark.parametrize("end", ["return", "if n > j then return else return end"])
def test_loops_whose_ends_are_never_reached(end: str) -> None:
    """A loop's copies take along the merge and continue blocks that control never comes to."""
    body = f"for i = 0, 3 do @unroll for j = 0, n do ints[j] = i {end} end end"
    _main(body)  # which verifies
    module = _compute(body)
    assert verify(_with(module, unroll(module.functions[-1]))) == []


def test_loops_left_early_stay() -> None:
    module = _compute("@unroll for i = 0, 4 do if i > n then return end ints[i] = i end")
    assert verify(module) == []
    done = unroll(module.functions[-1])
    assert done is module.functions[-1] or verify(_with(module, done)) == []


def _with(module: Module, function: Function) -> Module:
    from dataclasses import replace

    return replace(module, functions=(*module.functions[:-1], function))


def test_invariants_leave_loops() -> None:
    function = _main("@unroll(9) for i = 0, n do out[i] = sqrt(float(k)) * float(i) end")
    assert any(i.op == "sqrt" for i in function.blocks[0].instrs)


# ---------------------------------------------------------------- memory

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
    function = promote(_function(LOCAL))
    assert "load" not in _ops(function) and "store" not in _ops(function)
    assert "local" not in _ops(fold(function))


def test_unrolled_arrays_become_values() -> None:
    body = """let a = [4]float { 0.0, 0.0, 0.0, 0.0 }
          @unroll for i = 0, 4 do a[i] = float(i * n) end
          out[0] = a[0] + a[3]"""
    assert "local" not in _ops(_main(body))


def test_a_run_time_index_keeps_memory() -> None:
    body = "let a = [4]float { 1.0, 2.0, 3.0, 4.0 } a[n] = 0.0 out[0] = a[k]"
    assert "local" in _ops(_main(body))


def test_loads_are_not_done_twice() -> None:
    function = forward_loads(_compute("out[0] = float(ints[3] + ints[3])").functions[-1])
    assert _ops(function).count("load") == 2  # of ints[id.x], and of ints[3]


def test_a_store_between_loads_counts() -> None:
    """The load before the loop's stores keeps its place; the one after sees them."""
    body = "let v = ints[n] for i = 0, 9 do ints[i] = 0 end ints[n] = v"
    text = print_function(_main(body))
    assert text.index("load") < text.index("loop")
    body = "let a = ints[1] ints[n] = 5 ints[2] = a + ints[1]"
    assert _ops(_main(body)).count("load") == 3


def test_a_barrier_between_loads_counts() -> None:
    before = "shared tile: [4]int"
    body = "let a = tile[0] workgroup_barrier() ints[0] = a + tile[0]"
    assert _ops(_main(body, before)).count("load") == 2


# ---------------------------------------------------------------- quads


def test_samples_and_derivatives_stay_in_their_blocks() -> None:
    module = lowered("""
        uniform image: sampler2D
        @entry(fragment)
        function main(@location(0) uv: vec2) -> (@location(0) color: vec4)
          let c = sample(image, uv)
          let d = dfdx(uv.x)
          let r = vec4(0.0)
          if uv.x > 0.5 then r = c * d end
          return { color = r }
        end""")
    function = optimized(module, "aggressive").function("main")
    first = [i.op for i in function.blocks[0].instrs]
    assert "sample" in first and "dfdx" in first


def test_equal_samples_of_one_block_are_one() -> None:
    module = lowered("""
        uniform image: sampler2D
        @entry(fragment)
        function main(@location(0) uv: vec2) -> (@location(0) color: vec4)
          return { color = sample(image, uv) + sample(image, uv).zyxw }
        end""")
    assert _ops(optimized(module).function("main")).count("sample") == 1


def test_names_are_kept() -> None:
    function = _main("let wave = sqrt(float(n)) out[0] = wave * wave + wave")
    assert "wave" in function.names.values()


def test_remove_dead_keeps_what_is_used() -> None:
    function = _function(DIAMOND.replace("CONDITION", "0").replace("WORK", "neg"))
    cleaned = remove_dead(function, {})
    assert _ops(cleaned) == ["add", "neg"]
    assert remove_dead(cleaned, {}) is cleaned
