"""The plain passes: branches."""

from __future__ import annotations

from luma.ir.module import CondBranch
from luma.ir.verify import verify
from luma.optimizer.branches import fold_branches, merge_blocks, select_arms, use_conditions
from tests.optimizer.sources import (
    DIAMOND,
    compute,
    last_function,
    main_of,
    operations,
    optimized,
    ran,
    with_last,
)


def test_a_known_condition_takes_its_way() -> None:
    function = fold_branches(
        last_function(DIAMOND.replace("CONDITION", "2").replace("WORK", "neg"))
    )
    assert [b.label for b in function.blocks] == [0, 1, 3]
    assert len(merge_blocks(function).blocks) == 1


def test_small_arms_become_a_choice() -> None:
    function = select_arms(last_function(DIAMOND.replace("CONDITION", "0").replace("WORK", "neg")))
    assert operations(function) == ["const", "add", "neg", "select"]


def test_dear_arms_stay_arms() -> None:
    text = DIAMOND.replace("CONDITION", "0").replace("WORK", "atan")
    assert len(select_arms(last_function(text)).blocks) == 4


def test_arms_with_effects_stay_arms() -> None:
    function = main_of("if n > 0 then out[0] = 1.0 end")
    assert any(isinstance(b.terminator, CondBranch) for b in function.blocks)


def test_a_loop_that_never_runs_goes() -> None:
    function = main_of("let s = 1.0 for i = 3, 3 do s += 2.0 end out[0] = s")
    assert len(function.blocks) == 1


def test_a_condition_is_known_in_its_arms() -> None:
    body = """let c = n > k
          if c then if c then ints[1] = 1 else ints[2] = 2 end
          else ints[3] = int(c) if not c then ints[4] = 4 end end"""
    module = compute(body)
    function = use_conditions(module.functions[-1])
    assert verify(with_last(module, function)) == []
    done = optimized(module)
    assert sum(isinstance(b.terminator, CondBranch) for b in done.functions[-1].blocks) == 1
    for n in (0, 5, 9):
        assert ran(done, n) == ran(module, n)


def test_the_parts_of_a_condition_are_known_in_its_arms() -> None:
    body = """let a = n > 3 let b = k > 3
          if not (a or b) then
            if a then ints[1] = 1 end
            if b then ints[2] = 2 else ints[3] = 3 end
          elseif a and b then ints[4] = int(a) + int(b)
          elseif a then ints[5] = int(b) end"""
    module = compute(body)
    function = use_conditions(module.functions[-1])
    assert verify(with_last(module, function)) == []
    done = optimized(module)
    assert sum(isinstance(b.terminator, CondBranch) for b in done.functions[-1].blocks) == 3
    for n, k in ((0, 0), (5, 0), (0, 5), (5, 5)):
        assert ran(done, n, k) == ran(module, n, k)


def test_a_condition_is_not_known_behind_its_arms() -> None:
    body = """let c = n > k
          if c then ints[1] = ints[2] end
          if c then ints[3] = ints[4] end"""
    function = compute(body).functions[-1]
    assert use_conditions(function) is function


def test_a_condition_of_a_loop_is_known_in_its_body_and_behind_it() -> None:
    body = """let s: int = 0
          @max_iterations(9) while s < n do
            s += 2
            if s < n then ints[s] = 1 end
          end
          ints[20] = s"""
    module = compute(body)
    done = optimized(with_last(module, use_conditions(module.functions[-1])))
    for n in (0, 5, 9):
        assert ran(done, n) == ran(module, n)
