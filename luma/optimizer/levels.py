"""The optimization levels, as data: which passes run, and which rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from luma.ir.effects import function_effects
from luma.ir.module import Function, Module
from luma.ir.verify import verify
from luma.optimizer.bounds import drop_bounds
from luma.optimizer.branches import fold_branches, merge_blocks, select_arms, use_conditions
from luma.optimizer.calls import drop_unused, share_constants
from luma.optimizer.counters import fuse_counters
from luma.optimizer.dead import remove_dead
from luma.optimizer.egraph import EXACT_FILES
from luma.optimizer.fold import fold
from luma.optimizer.inline import inline
from luma.optimizer.loads import forward_loads, narrow_loads
from luma.optimizer.memory import promote
from luma.optimizer.rewrite import Normalize, Phase, Plan, Watcher, rewrite, rewrite_for
from luma.optimizer.rewrite import prepare as prepare_plan
from luma.optimizer.stated import given
from luma.optimizer.stores import remove_dead_stores
from luma.optimizer.sums import order_sums
from luma.optimizer.targets import Selection, selection_of
from luma.optimizer.unroll import unroll

_EXACT = "(seq (saturate (run facts)) (run fold) (run spent) (run exact) (run vector))"
_BOUNDED = f"(seq (repeat 4 (run bounds)) {_EXACT})"
_ZEROS = "(saturate (run fast-zero) (saturate (run facts)))"
_FAST = f"(seq {_EXACT} {_ZEROS} (run fast-guard) (run fast))"
_FAST_KNOWING = f"(seq (repeat 4 (run bounds) (run fast-facts)) {_FAST})"
_EXACT_MEETING = f"(seq (run comm) {_EXACT})"
_FAST_MEETING = f"(seq (run comm) (run fast-comm) {_FAST} (run fast-factor) {_FAST})"

#: The name of what is done before inlining, as a watcher is told it.
USE_FACTS = "use_facts"

#: How often cleaning up starts again because it changed something.
_CLEANUP_ROUNDS = 8

#: A pass makes a module of a module, and gives back the same one if it changes nothing.
Pass = Callable[[Module], Module]


@dataclass(frozen=True, slots=True)
class Level:
    """What a level does: passes, each cleaned up after, then rules by floating-point mode."""

    passes: tuple[Pass, ...]
    plans: dict[str, Plan]
    fp: str


class PassWatcher(Watcher, Protocol):
    """Looks on while a module is optimized."""

    def passed(self, name: str, before: Module, after: Module) -> None:
        """A pass was run, and what it left was cleaned up."""


def _each(change: Callable[[Function], Function]) -> Pass:
    """A pass that does something to every function by itself."""

    def run(module: Module) -> Module:
        functions = tuple(change(f) for f in module.functions)
        if all(a is b for a, b in zip(functions, module.functions, strict=True)):
            return module
        return replace(module, functions=functions)

    run.__name__ = change.__name__
    return run


_BASIC_STRICT = Plan((Phase(_BOUNDED, 8),), EXACT_FILES)
_STRICT = Plan((Phase(_BOUNDED, 8), Phase(_EXACT_MEETING, 2), Phase(_EXACT, 6)))
_BASIC_FAST = Plan((Phase(_FAST_KNOWING, 8),), guard_hashes=True, instead=_BASIC_STRICT)
_AGGRESSIVE = Plan(
    (Phase(_FAST_KNOWING, 8), Normalize(), Phase(_FAST_MEETING, 2), Phase(_FAST, 6)),
    guard_hashes=True,
    assume=True,
    selects=True,
    fuses=True,
    instead=_STRICT,
)

LEVELS: dict[str, Level] = {
    "basic": Level(
        passes=(_each(promote), forward_loads, remove_dead_stores),
        plans={"strict": _BASIC_STRICT, "fast": _BASIC_FAST},
        fp="strict",
    ),
    "aggressive": Level(
        passes=(
            share_constants,
            inline,
            drop_unused,
            _each(drop_bounds),
            _each(fuse_counters),
            _each(unroll),
            _each(promote),
            _each(narrow_loads),
            forward_loads,
            remove_dead_stores,
            _each(use_conditions),
            _each(select_arms),
        ),
        plans={"strict": _STRICT, "fast": _AGGRESSIVE},
        fp="fast",
    ),
}


def optimize(
    module: Module,
    level: str | Level = "basic",
    *,
    fp: str | None = None,
    target: str | None = None,
    watcher: PassWatcher | None = None,
) -> tuple[Module, tuple[str, ...]]:
    """The module optimized, and warnings about what could not be.

    ``level`` is ``none``, ``basic``, ``aggressive`` or one of your own making; ``fp`` is ``strict``
    (every result stays bit for bit) or ``fast`` (real algebra), None for the level's own.  Raises
    KeyError for others.  Forms are chosen for a ``target``, None for none in particular.  A
    ``watcher`` is told of each step.

    What comes out is verified; a module that some pass has broken is left as it was.
    """
    return optimize_for((target,), module, level, fp=fp, watcher=watcher)[0]


def optimize_for(
    targets: Sequence[str | None],
    module: Module,
    level: str | Level = "basic",
    *,
    fp: str | None = None,
    watcher: PassWatcher | None = None,
) -> list[tuple[Module, tuple[str, ...]]]:
    """As :func:`optimize`, for each of some targets: what they share is done once."""
    if level == "none":
        return [(module, ())] * len(targets)
    chosen, plan = _planned(level, fp)
    if watcher is None:
        prepare_plan(plan)
    wanted = [selection_of(target) for target in targets]
    selections = tuple(dict.fromkeys(wanted))
    modules, warnings = _optimized(module, chosen, plan, selections, watcher)
    done = {s: _sound(m, module, warnings) for s, m in zip(selections, modules, strict=True)}
    return [done[selection] for selection in wanted]


def _sound(
    done: Module, before: Module, warnings: tuple[str, ...]
) -> tuple[Module, tuple[str, ...]]:
    """What came out, or if that is broken what went in."""
    problems = verify(done)
    if problems:
        return before, (f"the module was not optimized: a pass broke it ({problems[0]})",)
    return done, warnings


def prepare(level: str, *, fp: str | None = None) -> None:
    """Begin to make the rules ready that :func:`optimize` will need; do not wait for it.

    They load on a thread of their own, mostly outside the interpreter's lock, so that whatever is
    done meanwhile (reading the source) costs no time.  Raises KeyError for levels that do not
    exist.
    """
    if level != "none":
        prepare_plan(_planned(level, fp)[1])


def _planned(level: str | Level, fp: str | None) -> tuple[Level, Plan]:
    chosen = LEVELS[level] if isinstance(level, str) else level
    return chosen, chosen.plans[fp or chosen.fp]


def _optimized(
    module: Module,
    chosen: Level,
    plan: Plan,
    selections: Sequence[Selection],
    watcher: PassWatcher | None,
) -> tuple[list[Module], tuple[str, ...]]:
    def told(name: str, before: Module, after: Module) -> Module:
        if watcher is not None:
            watcher.passed(name, before, after)
        return after

    module = told("clean", module, _cleaned(module, ()))
    if plan.assume:
        plan = replace(plan, given=given(module.globals))
    for change in chosen.passes:
        if change is inline and plan.assume:
            module, changed = _inlined(module, plan, watcher)
        else:
            changed = change(module)
        if changed is not module:
            changed = _cleaned(changed, module.functions)
        module = told(change.__name__, module, changed)
    rewritten, warnings = rewrite_for(selections, module.functions, plan, watcher)
    last = order_sums if plan.fuses else (lambda function: function)
    made = [replace(module, functions=tuple(map(last, f))) for f in rewritten]
    done = [_cleaned(m, module.functions) for m in made]
    return [told("rules", module, m) for m in done], tuple(warnings)


def _inlined(module: Module, plan: Plan, watcher: PassWatcher | None) -> tuple[Module, Module]:
    """The module with the functions changed that use what is stated of their parameters, if they
    are then inlined; and the module with calls inlined."""
    entries = {entry.function for entry in module.entry_points}
    knowing: dict[str, Function] = {}

    def ready(function: Function) -> Function:
        if function.name in entries:
            return function
        knowing[function.name] = rewrite([function], plan, watcher)[0][0]
        return knowing[function.name]

    done = inline(module, ready=ready)
    for function in done.functions:
        knowing.pop(function.name, None)  # it is rewritten when all passes are done
    if not knowing:
        return module, done
    functions = tuple(knowing.get(f.name, f) for f in module.functions)
    before = replace(module, functions=functions)
    if watcher is not None:
        watcher.passed(USE_FACTS, module, before)
    return before, done


def _cleaned(module: Module, clean: tuple[Function, ...]) -> Module:
    """Constants and known branches folded, dead code removed; ``clean`` functions are so already.

    One gives the others something to do, so all run until nothing changes.
    """
    known = {id(f) for f in clean}
    effects = function_effects(module)

    def clean_function(function: Function) -> Function:
        if id(function) in known:
            return function
        for _ in range(_CLEANUP_ROUNDS):
            before = function
            function = merge_blocks(fold_branches(fold(function)))
            function = remove_dead(function, effects)
            if function is before:
                break
        return function

    return _each(clean_function)(module)
