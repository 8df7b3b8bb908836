"""Stores that nobody sees: what they write is overwritten, or its memory gone, before any load."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from luma.ir.cfg import reverse_postorder
from luma.ir.effects import function_effects
from luma.ir.module import Block, Function, Instr, Module, successors
from luma.ir.shape import defined
from luma.language.builtins import Effect
from luma.language.types import Space
from luma.optimizer.places import Memory, Place

#: Where more places are read than this, nothing is dropped.
MAX_PLACES = 256


def remove_dead_stores(module: Module) -> Module:
    """The module without stores whose value no load, here or elsewhere, can see."""
    effects = function_effects(module)
    functions = tuple(_Removal(f, effects).run() for f in module.functions)
    if all(a is b for a, b in zip(functions, module.functions, strict=True)):
        return module
    return replace(module, functions=functions)


@dataclass(frozen=True, slots=True)
class _State:
    """What becomes of memory from some point on.

    ``read`` are the places of the function's own memory that may be read, ``overwritten`` those of
    shared memory that are written before anybody sees them.
    """

    read: frozenset[Place] = frozenset()
    overwritten: frozenset[Place] = frozenset()


class _Removal:
    """Goes backwards through the blocks, and again while what loops read is not known."""

    def __init__(self, function: Function, effects: Mapping[str, Effect]) -> None:
        self.function = function
        self.memory = Memory(function, effects)
        self.states: dict[int, _State] = {}
        self.dead: set[int] = set()

    def run(self) -> Function:
        if not any(i.op == "store" for i in self.function.instructions()):
            return self.function
        blocks = {b.label: b for b in self.function.blocks}
        order = [blocks[label] for label in reversed(reverse_postorder(self.function))]
        changed = True
        while changed:  # ever more places are known to be read, or to be overwritten
            changed = False
            self.dead = set()
            for block in order:
                state = self._block(block)
                if len(state.read) + len(state.overwritten) > MAX_PLACES:
                    return self.function
                if state != self.states.get(block.label, _State()):
                    self.states[block.label] = state
                    changed = True
        if not self.dead:
            return self.function
        kept = tuple(
            replace(b, instrs=tuple(i for i in b.instrs if id(i) not in self.dead))
            for b in self.function.blocks
        )
        return replace(self.function, blocks=kept)

    def _block(self, block: Block) -> _State:
        """What becomes of memory from a block's start on."""
        ways = [self.states.get(w.target, _State()) for w in successors(block.terminator)]
        read = set().union(*(w.read for w in ways))
        overwritten = set.intersection(*(set(w.overwritten) for w in ways)) if ways else set()
        for instr in reversed(block.instrs):
            self._instr(instr, read, overwritten)
        own = set(defined(block))
        return _State(
            frozenset(place.without(own) for place in read),
            frozenset(place for place in overwritten if place.without(own) is place),
        )

    def _instr(self, instr: Instr, read: set[Place], overwritten: set[Place]) -> None:
        if instr.op == "load":
            place = self.memory.of(instr.args[0])
            if place.space is Space.FUNCTION:
                read.add(place)
            overwritten -= {other for other in overwritten if place.may_be(other)}
        elif instr.op == "store":
            place = self.memory.of(instr.args[0])
            if place.space is Space.FUNCTION:
                seen = any(place.may_be(other) for other in read)
                read -= {other for other in read if place.covers(other)}
            else:
                seen = not any(other.covers(place) for other in overwritten)
                overwritten.add(place)
            if not seen:
                self.dead.add(id(instr))
        elif self.memory.sees_shared(instr):
            overwritten.clear()
