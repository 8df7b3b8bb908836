"""Inlining: calls replaced by what the called function does, where that pays for its size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from luma.ir.module import Block, Branch, Function, Instr, Loop, Module, Param, Return
from luma.ir.shape import (
    copied,
    copied_terminator,
    next_id,
    next_label,
    ordered,
    retargeted,
    size,
    substitute,
)
from luma.language.types import VOID
from luma.optimizer.branches import merge_blocks
from luma.optimizer.course import Outline
from luma.optimizer.returns import single_return
from luma.optimizer.unroll import construct

#: A function that would grow beyond this keeps its calls.
MAX_INSTRUCTIONS = 8_000
#: How many instructions inlining all calls of a function may add to the module.
MAX_GROWTH = 0
#: What a call costs, and what a function costs beside its instructions.
CALL, DEFINITION = 2, 5
#: Calls that become at most so many instructions are inlined, however many there are.
SMALL = 6


def inline(
    module: Module,
    *,
    from_loops: bool = False,
    ready: Callable[[Function], Function] | None = None,
) -> Module:
    """The module with calls inlined that can be and are worth it, unused functions dropped.

    Drivers inline whatever they get, so a call costs a GPU nothing, and a large function that is
    called often is shorter as it is.  But what is known of arguments is lost in a call: where
    little is left to do with constant arguments, it is inlined.

    A function that returns from a loop is, only if ``from_loops``: with one return its loop needs
    flags, which a GPU pays for in every round and a driver's own inlining does without.

    What an author states of a parameter is lost with the parameter: it holds where the call is
    made, and of an argument that says nothing anywhere else.  ``ready`` changes what is inlined of
    each function of whose parameters something is stated, so that its body makes use of that.
    """
    bodies: dict[str, _Body] = {}
    functions: list[Function] = []
    calls = Counter(_called(module.functions))
    for function in module.functions:  # callees come first
        inlined = _Inliner(function, bodies).run()
        functions.append(inlined)
        if not from_loops and _returns_from_loop(inlined):
            continue
        if ready is not None and any(p.facts for p in function.params):
            inlined = ready(inlined)
        body = single_return(inlined)
        if body is not None:
            bodies[function.name] = _Body(merge_blocks(body), calls[function.name])
    used = _reached(functions, (e.function for e in module.entry_points))
    return replace(module, functions=tuple(f for f in functions if f.name in used))


def _returns_from_loop(function: Function) -> bool:
    """Whether control may return from inside a loop."""
    outline = Outline(function)
    return any(
        isinstance(inside.terminator, Return)
        for block in function.blocks
        if block.loop is not None
        for inside in construct(outline, block)
    )


def _called(functions: Iterable[Function]) -> list[str]:
    return [str(i.imm[0]) for f in functions for i in f.instructions() if i.op == "call"]


#: Instructions that all functions share, or that make nothing.
_SHARED = frozenset({"const", "global"})


class _Body:
    """A function that can be inlined, and whether it should be."""

    def __init__(self, function: Function, calls: int) -> None:
        self.function = function
        self.work = [i for i in function.instructions() if i.op not in _SHARED]
        growth = (calls - 1) * len(self.work) - calls * CALL - DEFINITION
        self.pays = growth <= MAX_GROWTH

    def inlined(self, constant: Sequence[bool]) -> bool:
        """Whether a call is, whose arguments are constants or not."""
        if self.pays or len(self.work) <= SMALL:
            return True
        known = {p.id for p, c in zip(self.function.params, constant, strict=True) if c}
        if not known:
            return False
        known |= {i.id for i in self.function.instructions() if i.op == "const"}
        left = 0
        for instr in self.work:
            if instr.args and known.issuperset(instr.args):
                known.add(instr.id)
            else:
                left += 1
        return left <= SMALL


def _reached(functions: list[Function], roots: Iterable[str]) -> set[str]:
    used = set(roots)
    for function in reversed(functions):  # callers before what they call
        if function.name in used:
            calls = (i for i in function.instructions() if i.op == "call")
            used.update(str(i.imm[0]) for i in calls)
    return used


class _Inliner:
    def __init__(self, caller: Function, bodies: dict[str, _Body]) -> None:
        self.caller, self.bodies = caller, bodies
        self.fresh, self.label = next_id(caller), next_label(caller)
        self.names, self.spans = dict(caller.names), dict(caller.spans)
        self.same: dict[int, int] = {}
        #: Continue blocks that were split keep their label for the last part.
        self.moved: dict[int, int] = {}
        self.last_parts: set[int] = set()
        self.continues = {b.loop.continue_ for b in caller.blocks if b.loop is not None}
        self.size = size(caller)
        self.locals: list[Instr] = []
        self.constants = {i.id for i in caller.instructions() if i.op == "const"}

    def run(self) -> Function:
        if not any(self._body(i) for i in self.caller.instructions()):
            return self.caller
        blocks: list[Block] = []
        for block in self.caller.blocks:
            blocks += self._block(block)
        blocks = [self._redirect(b) for b in blocks]
        entry = blocks[0]
        blocks[0] = replace(entry, instrs=(*self.locals, *entry.instrs))
        whole = replace(self.caller, blocks=tuple(blocks), names=self.names, spans=self.spans)
        return merge_blocks(ordered(substitute(whole, self.same)))

    def _redirect(self, block: Block) -> Block:
        """Branches to a continue block that was split go to its first part."""
        if block.label in self.last_parts:
            return block
        return replace(block, terminator=retargeted(block.terminator, self.moved))

    def _body(self, instr: Instr) -> Function | None:
        body = self.bodies.get(str(instr.imm[0])) if instr.op == "call" else None
        if body is None or not body.inlined([a in self.constants for a in instr.args]):
            return None
        return body.function

    def _block(self, block: Block) -> list[Block]:
        """The block, cut at each call that can be inlined, and the called blocks between."""
        done: list[Block] = []
        label, params, loop = block.label, block.params, block.loop
        if block.label in self.continues and any(self._body(i) for i in block.instrs):
            label, self.label = self.label, self.label + 1
            self.moved[block.label] = label
        instrs: list[Instr] = []
        for instr in block.instrs:
            body = self._body(instr)
            if body is None or self.size + size(body) > MAX_INSTRUCTIONS:
                instrs.append(instr)
                continue
            self.size += size(body)
            inner, entry, after, results = self._copy(body, instr)
            done.append(Block(label, params, tuple(instrs), Branch(entry), loop))
            done += inner
            if instr.type != VOID:
                self.same[instr.id] = results[0]
                if instr.id in self.names:  # nothing tells more of a value without a name
                    self.names.setdefault(results[0], self.names[instr.id])
            label, params, loop, instrs = after, (), None, []
        if label == self.moved.get(block.label):  # nothing was inlined after all
            label = block.label
            del self.moved[label]
        elif block.label in self.moved:
            self.last_parts.add(label)
            done.append(Block(label, params, tuple(instrs), Branch(block.label)))
            label, params, instrs = block.label, (), []
        return [*done, Block(label, params, tuple(instrs), block.terminator, loop)]

    def _copy(self, body: Function, call: Instr) -> tuple[list[Block], int, int, tuple[int, ...]]:
        """The body with numbers of its own: its blocks, their entry, the block after, results."""
        values = dict(zip((p.id for p in body.params), call.args, strict=True))
        labels = {b.label: self.label + n for n, b in enumerate(body.blocks)}
        self.label += len(body.blocks)
        after, self.label = self.label, self.label + 1
        for block in body.blocks:
            for id in (*(p.id for p in block.params), *(i.id for i in block.instrs)):
                values[id], self.fresh = self.fresh, self.fresh + 1
                if id in body.names:
                    self.names[values[id]] = body.names[id]
                if id in body.spans:
                    self.spans[values[id]] = body.spans[id]
        blocks: list[Block] = []
        results: tuple[int, ...] = ()
        for block in body.blocks:
            made = self._copy_block(block, values, labels)
            if isinstance(made.terminator, Return):
                results = made.terminator.values
                made = replace(made, terminator=Branch(after))
            blocks.append(made)
        return blocks, labels[body.blocks[0].label], after, results

    def _copy_block(self, block: Block, values: dict[int, int], labels: dict[int, int]) -> Block:
        instrs: list[Instr] = []
        for instr in block.instrs:
            (self.locals if instr.op == "local" else instrs).append(copied(instr, values))
        loop = block.loop
        if loop is not None:
            loop = Loop(labels[loop.merge], labels[loop.continue_], loop.unroll)
        params = tuple(Param(values[p.id], p.type) for p in block.params)
        terminator = copied_terminator(block.terminator, values, labels)
        return Block(labels[block.label], params, tuple(instrs), terminator, loop)
