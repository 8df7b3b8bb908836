"""The plain passes: branches."""

from __future__ import annotations

from luma.ir.module import CondBranch
from luma.optimizer.branches import fold_branches, merge_blocks, select_arms
from tests.optimizer.sources import (
    DIAMOND,
    last_function,
    main_of,
    operations,
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
