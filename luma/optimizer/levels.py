"""The optimization levels, as data: which passes run, and which rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from luma.ir.effects import function_effects
from luma.ir.module import Function, Module
from luma.optimizer.branches import fold_branches, merge_blocks, select_arms
from luma.optimizer.dead import remove_dead
from luma.optimizer.fold import fold
from luma.optimizer.inline import inline
from luma.optimizer.memory import forward_loads, promote
from luma.optimizer.rewrite import Phase, Plan, rewrite
from luma.optimizer.unroll import unroll

#: A pass makes a module of a module, and may have warnings.
Pass = Callable[[Module], tuple[Module, tuple[str, ...]]]

_CLEANUP_ROUNDS = 6

_FACTS = "(saturate (run facts))"
_EXACT = f"(seq {_FACTS} (run fold) (run spent) (run exact) (run vector))"
_FAST = f"(seq {_FACTS} (run fold) (run spent) (run exact) (run vector) (run fast))"
_EXACT_MEETING = f"(seq (run comm) {_EXACT})"
_FAST_MEETING = f"(seq (run comm) (run fast-comm) {_FAST} (run fast-factor) {_FAST})"


@dataclass(frozen=True, slots=True)
class Level:
    """What a level does: its passes before and after the rules, and the rules by mode."""

    before: tuple[Pass, ...]
    plans: dict[str, Plan]
    after: tuple[Pass, ...]
    fp: str


def _cleanup(module: Module) -> tuple[Module, tuple[str, ...]]:
    """Constants, known branches, dead code, as long as one gives the others something to do."""
    effects = function_effects(module)

    def clean(function: Function) -> Function:
        for _ in range(_CLEANUP_ROUNDS):
            before = function
            function = merge_blocks(fold_branches(fold(function)))
            function = remove_dead(function, effects)
            if function == before:
                break
        return function

    return _each(module, clean), ()


def _inline(module: Module) -> tuple[Module, tuple[str, ...]]:
    return inline(module), ()


def _memory(module: Module) -> tuple[Module, tuple[str, ...]]:
    return _each(module, lambda f: forward_loads(promote(f))), ()


def _unroll(module: Module) -> tuple[Module, tuple[str, ...]]:
    return _each(module, unroll), ()


def _select_arms(module: Module) -> tuple[Module, tuple[str, ...]]:
    return _each(module, select_arms), ()


def _each(module: Module, change: Callable[[Function], Function]) -> Module:
    functions = tuple(change(f) for f in module.functions)
    return module if functions == module.functions else replace(module, functions=functions)


LEVELS: dict[str, Level] = {
    "basic": Level(
        before=(_cleanup, _memory, _cleanup),
        plans={"strict": Plan((Phase(_EXACT, 8),)), "fast": Plan((Phase(_FAST, 8),), True)},
        after=(_cleanup,),
        fp="strict",
    ),
    "aggressive": Level(
        before=(
            _cleanup,
            _inline,
            _cleanup,
            _unroll,
            _cleanup,
            _memory,
            _cleanup,
            _select_arms,
            _cleanup,
        ),
        plans={
            "strict": Plan((Phase(_EXACT, 8), Phase(_EXACT_MEETING, 2), Phase(_EXACT, 6))),
            "fast": Plan((Phase(_FAST, 8), Phase(_FAST_MEETING, 2), Phase(_FAST, 6)), True),
        },
        after=(_cleanup,),
        fp="fast",
    ),
}


def optimize(
    module: Module, level: str = "basic", *, fp: str | None = None
) -> tuple[Module, tuple[str, ...]]:
    """The module optimized, and warnings about what could not be.

    ``level`` is ``none``, ``basic`` or ``aggressive``; ``fp`` is ``strict`` (every result stays bit
    for bit) or ``fast`` (real algebra), None for the level's own.  Raises KeyError for others.
    """
    if level == "none":
        return module, ()
    chosen = LEVELS[level]
    warnings: list[str] = []
    rules: Pass = partial(_rules, plan=chosen.plans[fp or chosen.fp])
    for step in (*chosen.before, rules, *chosen.after):
        module, found = step(module)
        warnings += found
    return module, tuple(warnings)


def _rules(module: Module, plan: Plan) -> tuple[Module, tuple[str, ...]]:
    functions, warnings = rewrite(module.functions, plan)
    return replace(module, functions=tuple(functions)), tuple(warnings)
