"""Functions made ready to run: blocks of closures, and the loop that goes from block to block."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from luma.ir.effects import value_types
from luma.ir.interpret.instructions import step, waiting_step, waits
from luma.ir.interpret.machine import Discarded, Env, Machine, Step, Waiting, WaitingStep
from luma.ir.module import (
    Branch,
    CondBranch,
    Discard,
    Function,
    Module,
    Return,
    Terminator,
)
from luma.language.types import Type

_RESULT = 0  # the slot of the returned values


class _BlockCode:
    """A block: runs of steps, each but the last followed by a step that waits, and what is next."""

    __slots__ = ("cost", "end", "runs")

    def __init__(self) -> None:
        self.runs: list[tuple[tuple[Step, ...], WaitingStep | None]] = []
        self.end: _End = _unreachable
        self.cost = 1


_End: TypeAlias = Callable[[Env], _BlockCode | None]


def _unreachable(env: Env) -> None:
    raise AssertionError("control came to an unreachable block")


def load(machine: Machine, module: Module, name: str) -> Code:
    """Make a function and all that it calls ready.  Raises KeyError for an unknown one."""
    needed = {name}
    for function in reversed(module.functions):  # callers come after their callees
        if function.name in needed:
            needed |= {str(i.imm[0]) for i in function.instructions() if i.op == "call"}
    for function in module.functions:
        if function.name in needed:
            found = Code(machine, function)
            machine.functions[function.name] = found
            if function.name == name:
                return found
    raise KeyError(name)


class Code:
    """A function made ready (:class:`luma.ir.interpret.machine.Callee`)."""

    def __init__(self, machine: Machine, function: Function) -> None:
        self.machine = machine
        self.waits = any(waits(machine, instr) for instr in function.instructions())
        self._types = value_types(function)
        self._template: Env = [None]
        self._slots: dict[int, int] = {}
        for value in self._types:
            self._slots[value] = len(self._template)
            self._template.append(None)
        self._params = [self._slots[param.id] for param in function.params]
        self._ready(function)

    def slot(self, value: int) -> int:
        """The place of a value in the list."""
        return self._slots[value]

    def type_of(self, value: int) -> Type:
        """The type of a value."""
        return self._types[value]

    def preset(self, value: int, known: Any) -> None:
        """Give a value once and for all."""
        self._template[self._slots[value]] = known

    # ------------------------------------------------------------ making ready

    def _ready(self, function: Function) -> None:
        codes = {block.label: _BlockCode() for block in function.blocks}
        params = {b.label: [self._slots[p.id] for p in b.params] for b in function.blocks}
        for block in function.blocks:
            code = codes[block.label]
            steps: list[Step] = []
            for instr in block.instrs:
                if waits(self.machine, instr):
                    code.runs.append((tuple(steps), waiting_step(self, instr)))
                    steps = []
                elif (made := step(self, instr)) is not None:
                    steps.append(made)
            code.runs.append((tuple(steps), None))
            code.cost = len(block.instrs) + 1
            code.end = self._end(block.terminator, codes, params)
        self._entry = codes[function.blocks[0].label]

    def _end(
        self,
        terminator: Terminator,
        codes: dict[int, _BlockCode],
        params: dict[int, list[int]],
    ) -> _End:
        match terminator:
            case Branch():
                return self._go(terminator, codes, params)
            case CondBranch(cond, then, otherwise):
                slot = self._slots[cond]
                yes = self._go(then, codes, params)
                no = self._go(otherwise, codes, params)
                return lambda env: yes(env) if env[slot] else no(env)
            case Return(values):
                return self._return([self._slots[value] for value in values])
            case Discard():
                return _discard
        return _unreachable

    def _go(
        self, branch: Branch, codes: dict[int, _BlockCode], params: dict[int, list[int]]
    ) -> _End:
        """Go to a block; all its parameters take their values at once."""
        target, to = codes[branch.target], params[branch.target]
        source = [self._slots[arg] for arg in branch.args]
        if not to:
            return lambda env: target

        def go(env: Env) -> _BlockCode:
            values = [env[slot] for slot in source]
            for slot, value in zip(to, values, strict=True):
                env[slot] = value
            return target

        return go

    def _return(self, slots: list[int]) -> _End:
        def end(env: Env) -> None:
            env[_RESULT] = tuple([env[slot] for slot in slots])

        return end

    # ------------------------------------------------------------ running

    def _env(self, arguments: Sequence[Any]) -> Env:
        env = self._template.copy()
        for slot, argument in zip(self._params, arguments, strict=True):
            env[slot] = argument
        return env

    def call(self, arguments: Sequence[Any]) -> tuple[Any, ...]:
        """Run to the end; the returned values.  Raises Discarded."""
        env = self._env(arguments)
        burn = self.machine.burn
        block: _BlockCode | None = self._entry
        while block is not None:
            burn(block.cost)
            for run in block.runs[0][0]:
                run(env)
            block = block.end(env)
        return env[_RESULT]  # type: ignore[no-any-return]

    def start(self, arguments: Sequence[Any]) -> Waiting:
        """Run as a generator that gives each wait, and returns the returned values."""
        env = self._env(arguments)
        burn = self.machine.burn
        block: _BlockCode | None = self._entry
        while block is not None:
            burn(block.cost)
            for steps, wait in block.runs:
                for run in steps:
                    run(env)
                if wait is not None:
                    yield from wait(env)
            block = block.end(env)
        return env[_RESULT]


def _discard(env: Env) -> None:
    raise Discarded
