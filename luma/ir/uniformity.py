"""Uniform control flow: where all invocations that run together must come together.

Derivatives, samples that choose their level by them, and barriers have no defined result where only
some of the invocations arrive.  The analysis is WGSL's (WGSL specification, 15.2), on SSA: a value
is uniform unless it comes from something that differs between invocations, or is computed where
control flow is not uniform.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from luma.diagnostics import Diagnostic, Level, Note
from luma.frontend.typed import Access
from luma.ir.cfg import Dominance, predecessors
from luma.ir.module import (
    Block,
    CondBranch,
    Discard,
    EntryPoint,
    Function,
    Instr,
    Module,
    Return,
    successors,
)
from luma.language.builtins import OPERATIONS, Effect
from luma.language.stages import Stage
from luma.language.types import Pointer, Space
from luma.source import Source, Span

_QUAD = frozenset(name for name, row in OPERATIONS.items() if row.effect is Effect.QUAD)
_BARRIERS = frozenset({"workgroup_barrier", "storage_barrier"})
_UNIFORM_INPUTS = frozenset({"workgroup_id", "num_workgroups"})

_HELP = {
    "sample": "use `sample_level` or `sample_grad`, or sample before the branch and choose "
    "with `select`",
    "sample_bias": "use `sample_level` or `sample_grad`, or sample before the branch and choose "
    "with `select`",
    "sample_compare": "compare before the branch and choose with `select`",
    "workgroup_barrier": "move it out of the branch, so that the whole workgroup reaches it",
    "storage_barrier": "move it out of the branch, so that the whole workgroup reaches it",
}
_DERIVATIVE_HELP = "take the derivative before the branch"


@dataclass(frozen=True, slots=True)
class Problem:
    """An operation that not all invocations may reach together.

    ``reason`` names what differs between them; ``branch`` is where control flow parts, ``origin``
    where what differs comes from, as far as that is known.
    """

    function: str
    op: str
    reason: str
    span: Span | None = None
    branch: Span | None = None
    origin: Span | None = None

    def diagnostic(self, level: Level, code: str, source: Source | None) -> Diagnostic:
        """The problem as an error or warning."""

        def place(span: Span | None) -> object:
            return None if span is None or source is None else source.locate(span)

        notes = [("control flow parts here", self.branch), ("this differs", self.origin)]
        return Diagnostic(
            level,
            code,
            f"`{self.op}` needs uniform control flow, and whether `{self.function}` comes to it "
            f"depends on {self.reason}, which may differ between invocations",
            place(self.span),  # type: ignore[arg-type]
            tuple(Note(m, place(s)) for m, s in notes if place(s) is not None),  # type: ignore[arg-type]
            _HELP.get(self.op, _DERIVATIVE_HELP),
        )


def check_uniformity(module: Module) -> list[Problem]:
    """Every use of derivatives and barriers that control flow may not reach uniformly.

    A problem is told once, at the operation, whatever the number of ways to it.
    """
    needing = _functions_in_need(module)
    if not needing:
        return []
    entries = {entry.function: entry for entry in module.entry_points}
    summaries: dict[str, _Summary] = {}
    for function in module.functions:  # callees come first
        analysis = _Analysis(module, function, entries.get(function.name), summaries)
        summaries[function.name] = analysis.run()
    stages = _stages(module)
    found: dict[tuple[object, ...], Problem] = {}
    for name, summary in summaries.items():
        for problem in summary.problems:
            if problem.op in _BARRIERS or Stage.FRAGMENT in stages[name]:
                key = problem.op, problem.span or (problem.function, len(found))
                found.setdefault(key, problem)
    return list(found.values())


def _functions_in_need(module: Module) -> bool:
    return any(
        instr.op in _QUAD or instr.op in _BARRIERS
        for function in module.functions
        for instr in function.instructions()
    )


def _stages(module: Module) -> dict[str, set[Stage]]:
    """The stages that each function is used in."""
    stages: dict[str, set[Stage]] = {function.name: set() for function in module.functions}
    for entry in module.entry_points:
        stages[entry.function].add(entry.stage)
    for function in reversed(module.functions):
        for instr in function.instructions():
            if instr.op == "call":
                stages[str(instr.imm[0])] |= stages[function.name]
    return stages


# ---------------------------------------------------------------- what a value depends on


@dataclass(frozen=True, slots=True)
class _Origin:
    """Something that differs between invocations."""

    reason: str
    span: Span | None


class _State(NamedTuple):
    """What decides a value, or whether control comes to a block.

    ``params`` are the function's parameters by position; ``call`` tells that the flow at the
    function's calls counts.
    """

    origin: _Origin | None = None
    params: frozenset[int] = frozenset()
    call: bool = False


_UNIFORM = _State()


def _both(a: _State, b: _State) -> _State:
    if a == b or b == _UNIFORM:
        return a
    if a == _UNIFORM:
        return b
    return _State(a.origin or b.origin, a.params | b.params, a.call or b.call)


@dataclass(frozen=True, slots=True)
class _Need:
    """An operation in a function or below it that needs what ``state`` depends on uniform.

    ``branch`` is where control flow parted before it.
    """

    op: str
    span: Span | None
    branch: Span | None
    function: str
    state: _State


@dataclass(frozen=True, slots=True)
class _Summary:
    """What callers must know of a function, and the problems inside it."""

    result: _State
    needs: tuple[_Need, ...]
    problems: tuple[Problem, ...]


# ---------------------------------------------------------------- one function


class _Analysis:
    def __init__(
        self,
        module: Module,
        function: Function,
        entry: EntryPoint | None,
        summaries: Mapping[str, _Summary],
    ) -> None:
        self.function = function
        self.entry = entry
        self.summaries = summaries
        self.blocks = {block.label: block for block in function.blocks}
        self.before = predecessors(function)
        self.globals = {item.name: item for item in module.globals}
        self.values: dict[int, _State] = {}
        self.flow: dict[int, _State] = {}
        self.parted: dict[int, Span] = {}  # the condition that made a block's flow not uniform
        self.memory: dict[int, _State] = {}  # of local memory, by its number
        self.roots: dict[int, Instr] = {}  # the global or local of each pointer
        self.constructs = _Constructs(function, self.before)

    def run(self) -> _Summary:
        """Analyze until nothing changes; tell what was found."""
        self._seed()
        while self._pass():
            pass
        result = _UNIFORM
        for block in self.function.blocks:
            if isinstance(block.terminator, Return):
                result = _both(result, self.flow[block.label])
                for value in block.terminator.values:
                    result = _both(result, self.values[value])
        needs = [need for block in self.function.blocks for need in self._needs(block)]
        problems = tuple(self._problem(need) for need in needs if need.state.origin)
        open_ = tuple(n for n in needs if not n.state.origin and n.state != _UNIFORM)
        return _Summary(result, open_, problems)

    def _seed(self) -> None:
        spans = self.function.spans
        for at, param in enumerate(self.function.params):
            state = _State(params=frozenset({at}))
            if self.entry is not None:
                builtin = self.entry.inputs[at].builtin
                origin = _Origin(f"the input `{param.name}`", spans.get(param.id))
                state = _UNIFORM if builtin in _UNIFORM_INPUTS else _State(origin)
            self.values[param.id] = state
        first = self.function.blocks[0].label
        self.flow = dict.fromkeys(self.blocks, _UNIFORM)
        self.flow[first] = _State(call=self.entry is None)
        for block in self.function.blocks:
            for block_param in block.params:
                self.values[block_param.id] = _UNIFORM

    def _pass(self) -> bool:
        """Go over all blocks once; tell whether anything is less uniform than before."""
        changed = False
        for block in self.function.blocks:
            if self.before[block.label]:
                changed |= self._raise_flow(block)
            for param, state in self._params(block):
                changed |= self._raise(self.values, param, state)
            flow = self.flow[block.label]
            for instr in block.instrs:
                changed |= self._instr(instr, flow)
        return changed

    @staticmethod
    def _raise(states: dict[int, _State], key: int, state: _State) -> bool:
        known = states.get(key, _UNIFORM)
        states[key] = _both(known, state)
        return states[key] != known

    # ------------------------------------------------------------ control flow

    def _raise_flow(self, block: Block) -> bool:
        changed = False
        for source, target in self._ways(block.label):
            met = target is None
            state = self.flow[source] if target is None else self._edge(source, target)
            if self._raise(self.flow, block.label, state):
                changed = True
                self._note_branch(source, block.label, met)
        return changed

    def _ways(self, label: int) -> Iterator[tuple[int, int | None]]:
        """The edges whose flow counts for a block; to None, all of the flow at their source."""
        constructs = self.constructs
        if label in constructs.met:
            yield constructs.met[label], None
        elif label in constructs.done:
            header = constructs.done[label]
            for source in self.before[header]:
                if source != self._continue(header):
                    yield source, header
        else:
            for source in self.before[label]:
                yield source, label
            for source in constructs.also.get(label, ()):
                yield source, None

    def _continue(self, header: int) -> int | None:
        loop = self.blocks[header].loop
        return None if loop is None else loop.continue_

    def _note_branch(self, source: int, target: int, met: bool) -> None:
        """Remember which condition made the flow of a block less uniform."""
        end = self.blocks[source].terminator
        span = self.parted.get(source)
        if span is None and not met and isinstance(end, CondBranch):
            span = self.function.spans.get(end.cond)
        if span is not None:
            self.parted.setdefault(target, span)

    def _edge(self, source: int, target: int) -> _State:
        """The flow on the way from one block to another."""
        flow, end = self.flow[source], self.blocks[source].terminator
        return _both(flow, self.values[end.cond]) if isinstance(end, CondBranch) else flow

    def _params(self, block: Block) -> Iterator[tuple[int, _State]]:
        """The states that flow into a block's parameters."""
        if not block.params:
            return
        for label in dict.fromkeys(self.before[block.label]):
            edge = self._edge(label, block.label)
            for branch in successors(self.blocks[label].terminator):
                if branch.target == block.label:
                    for param, value in zip(block.params, branch.args, strict=True):
                        yield param.id, _both(edge, self.values.get(value, _UNIFORM))

    # ------------------------------------------------------------ values

    def _instr(self, instr: Instr, flow: _State) -> bool:
        state = flow
        for arg in instr.args:
            state = _both(state, self.values.get(arg, _UNIFORM))
        if isinstance(instr.type, Pointer):
            self.roots[instr.id] = self.roots[instr.args[0]] if instr.args else instr
        if instr.op == "store":
            root = self.roots[instr.args[0]]
            return root.op == "local" and self._raise(self.memory, root.id, state)
        if instr.op == "call":
            state = _both(flow, self._result(instr, flow))
        origin = self._origin(instr)
        if origin is not None:
            state = _both(state, _State(origin))
        elif instr.op == "load" and self.roots[instr.args[0]].op == "local":
            state = _both(state, self.memory.get(self.roots[instr.args[0]].id, _UNIFORM))
        return self._raise(self.values, instr.id, state)

    def _result(self, call: Instr, flow: _State) -> _State:
        return self._at_call(self.summaries[str(call.imm[0])].result, call, flow)

    def _at_call(self, state: _State, call: Instr, flow: _State) -> _State:
        """What a callee's state is at one of its calls."""
        found = _State(state.origin)
        if state.call:
            found = _both(found, flow)
        for at in sorted(state.params):
            found = _both(found, self.values.get(call.args[at], _UNIFORM))
        return found

    def _origin(self, instr: Instr) -> _Origin | None:
        """What makes an instruction's value differ between invocations by itself."""
        span = self.function.spans.get(instr.id)
        if instr.op in _QUAD or instr.op.startswith("atomic_"):
            return _Origin(f"a result of `{instr.op}`", span)
        if instr.op != "load":
            return None
        root = self.roots[instr.args[0]]
        if root.op != "global" or not isinstance(root.type, Pointer):
            return None
        item = self.globals[str(root.imm[0])]
        shared = item.space is Space.WORKGROUP
        if shared or (item.space is Space.STORAGE and item.access is not Access.READ):
            return _Origin(f"the contents of `{item.name}`", span)
        return None

    # ------------------------------------------------------------ what was found

    def _needs(self, block: Block) -> Iterator[_Need]:
        flow, spans = self.flow[block.label], self.function.spans
        branch = self.parted.get(block.label)
        for instr in block.instrs:
            if instr.op in _QUAD or instr.op in _BARRIERS:
                yield _Need(instr.op, spans.get(instr.id), branch, self.function.name, flow)
            elif instr.op == "call":
                for need in self.summaries[str(instr.imm[0])].needs:
                    state = self._at_call(need.state, instr, flow)
                    yield replace(need, state=state, branch=need.branch or branch)

    @staticmethod
    def _problem(need: _Need) -> Problem:
        origin = need.state.origin
        assert origin is not None
        return Problem(need.function, need.op, origin.reason, need.span, need.branch, origin.span)


class _Constructs:
    """Where control meets again, and what a loop's rounds depend on.

    ``met`` maps a selection's merge block to its header, and ``done`` a loop's merge block to its
    header, where no way through the construct leaves it for anywhere else: control is then as
    uniform after it as before.  ``also`` maps a block to others whose flow counts for it although
    they leave for elsewhere: WGSL's analysis goes on behind a ``return`` or ``break`` as if control
    did.

    A discarded invocation goes on as a helper, except out of a loop.
    """

    def __init__(self, function: Function, before: Mapping[int, tuple[int, ...]]) -> None:
        self.met: dict[int, int] = {}
        self.done: dict[int, int] = {}
        self.also: dict[int, tuple[int, ...]] = {}
        headers = [block for block in function.blocks if _merge(block) is not None]
        if not headers:
            return
        dominance = Dominance(function, structural=True)
        inside = {h.label: _inside(function, dominance, h) for h in headers}
        looped = {block.label for h in headers if h.loop is not None for block in inside[h.label]}
        for header in headers:
            merge = _merge(header)
            assert merge is not None
            blocks = inside[header.label]
            if header.loop is not None:
                ends = tuple(b.label for b in blocks if _ends(b, looped))
                if not ends:
                    self.done[merge] = header.label
                if not before[header.loop.continue_]:
                    self._add(header.label, ends)
                continue
            labels = {block.label for block in blocks} | {merge}
            gone = [b for b in blocks if _ends(b, looped) or _leaves(b, labels)]
            if gone:
                self._add(merge, tuple(b.label for b in gone))
                self._add_second_way(header, blocks, {b.label for b in gone}, dominance)
            else:
                self.met[merge] = header.label

    def _add(self, label: int, sources: tuple[int, ...]) -> None:
        self.also[label] = (*self.also.get(label, ()), *sources)

    def _add_second_way(
        self, header: Block, blocks: list[Block], gone: set[int], dominance: Dominance
    ) -> None:
        """Where the first way always leaves, the second is behind it in the text."""
        split = header.terminator
        assert isinstance(split, CondBranch)
        then, otherwise, merge = split.then.target, split.otherwise.target, split.merge
        if merge is None or merge in (then, otherwise):
            return
        first = [block for block in blocks if dominance.dominates(then, block.label)]
        comes = {branch.target for block in first for branch in successors(block.terminator)}
        if merge not in comes:
            self._add(otherwise, tuple(b.label for b in first if b.label in gone))


def _inside(function: Function, dominance: Dominance, header: Block) -> list[Block]:
    merge = _merge(header)
    assert merge is not None
    return [
        block
        for block in function.blocks
        if dominance.dominates(header.label, block.label)
        and not dominance.dominates(merge, block.label)
    ]


def _merge(block: Block) -> int | None:
    if block.loop is not None:
        return block.loop.merge
    return block.terminator.merge if isinstance(block.terminator, CondBranch) else None


def _ends(block: Block, looped: set[int]) -> bool:
    """Whether a block ends the function's run for the invocations in it."""
    discards = isinstance(block.terminator, Discard) and block.label in looped
    return discards or isinstance(block.terminator, Return)


def _leaves(block: Block, construct: set[int]) -> bool:
    return any(branch.target not in construct for branch in successors(block.terminator))
