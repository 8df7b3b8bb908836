"""Loops as a person writes them: ``for`` where one variable counts, else ``while``.

A loop arrives as a body, a condition tested first (if it has one) and a tail, the statements of its
continue block.  It is a ``for`` when a variable that lives in the loop alone is set right before
it, tested by the condition and changed once a round, in the tail.
"""

from __future__ import annotations

from collections.abc import Iterator

from luma.ir.module import Instr
from luma.language.types import INT, UINT

from .expressions import Forms
from .statements import (
    Assign,
    Define,
    For,
    If,
    Loop,
    Perform,
    Return,
    Statement,
    Tree,
    ends,
    inner_lists,
    walk,
)
from .structure import repeat_tail
from .variables import Variables

_Simple = Define | Assign | Perform


class Mentions:
    """Which variables a statement itself (not what is inside it) reads and writes."""

    def __init__(self, forms: Forms, variables: Variables) -> None:
        self._forms = forms
        self._variables = variables

    def reads(self, statement: Statement) -> frozenset[int]:
        """The variables that the statement's expressions read."""
        return frozenset(self._reads(statement))

    def _reads(self, statement: Statement) -> Iterator[int]:
        match statement:
            case Define(instr=instr) | Perform(instr=instr):
                yield from self._of(*instr.args)
            case Assign(value=value):
                yield from self._of(value)
            case If(condition=condition):
                yield from self._of(condition.value)
            case Loop(condition=condition) if condition is not None:
                yield from self._of(condition.value)
            case For(init, condition, step):
                yield from (*self._of(condition.value), *self._reads(init), *self._reads(step))
            case Return(values):
                yield from self._of(*values)

    def _of(self, *values: int) -> Iterator[int]:
        for value in values:
            if value < 0:
                yield value
            else:
                yield from (self._variables.of(leaf) for leaf in self._forms.leaves[value])

    def is_movable(self, statement: Statement) -> bool:
        """Whether a statement gives a variable a value that no memory and no call tells."""
        match statement:
            case Define(instr=instr):
                return self._is_pure(instr)
            case Assign(value=value):
                held = value < 0 or self._forms.is_variable(value)
                return held or self._is_pure(self._forms.instrs[value])
        return False

    def plainness(self, statement: Statement) -> int | None:
        """How little a step surprises: 0 for ``i++``; None for what does not count."""
        match statement:
            case Define(instr=instr):
                pass
            case Assign(value=value) if value >= 0 and not self._forms.is_variable(value):
                instr = self._forms.instrs[value]
            case _:
                return None
        if instr.type not in (INT, UINT) or instr.op not in ("add", "sub", "mul", "shl", "shr"):
            return None
        by = self._forms.instrs.get(instr.args[1])
        constant = by.imm[0] if by is not None and by.op == "const" else None
        if instr.op not in ("add", "sub"):
            return 3
        return 2 if constant is None else int(constant not in (1, -1))

    def _is_pure(self, instr: Instr) -> bool:
        if instr.op in ("load", "call") or instr.op.startswith("atomic"):
            return False
        parts = [a for a in instr.args if not self._forms.is_variable(a)]
        return all(self._is_pure(self._forms.instrs[part]) for part in parts)

    def all(self, statement: Statement) -> frozenset[int]:
        """The variables that the statement mentions."""
        written = writes(statement)
        read = self.reads(statement)
        return read if written is None else read | {written}


def writes(statement: Statement) -> int | None:
    """The variable that a statement gives a new value."""
    return statement.variable if isinstance(statement, Define | Assign) else None


def shape_loops(tree: Tree, mentions: Mentions) -> None:
    """Turn every loop of a tree into its best form; afterwards no loop has a tail."""
    counts: dict[int, int] = {}
    for statement in walk(tree.body):
        for variable in mentions.all(statement):
            counts[variable] = counts.get(variable, 0) + 1
    _Shaper(mentions, counts).shape(tree.body)


class _Shaper:
    def __init__(self, mentions: Mentions, counts: dict[int, int]) -> None:
        self._mentions = mentions
        self._counts = counts

    def shape(self, body: list[Statement]) -> None:
        at = 0
        while at < len(body):
            statement = body[at]
            if isinstance(statement, Loop):
                at = self._loop(statement, body, at)
            for inner in inner_lists(body[at]):
                self.shape(inner)
            at += 1

    def _loop(self, loop: Loop, body: list[Statement], at: int) -> int:
        """Shape the loop at a place of its list; give its place afterwards."""
        tail = [s for s in loop.tail if isinstance(s, Define | Assign | Perform)]
        for step in self._steps(loop, tail):
            start = self._init(step.variable, body, at)
            if start is None or not self._is_private(step, body[start], loop):
                continue
            init = body.pop(start)
            self._append(loop.body, [s for s in tail if s is not step])
            assert loop.condition is not None and isinstance(init, Assign | Define)
            body[at - 1] = For(init, loop.condition, step, loop.body, loop.unroll)
            return at - 1
        self._append(loop.body, tail)
        loop.tail = []
        return at

    def _append(self, body: list[Statement], tail: list[_Simple]) -> None:
        repeat_tail(body, tail)
        if not ends(body):
            body += tail

    def _steps(self, loop: Loop, tail: list[_Simple]) -> list[Assign | Define]:
        """The statements of the tail that may end each round after all others, those first that
        count most plainly.
        """
        if loop.condition is None:
            return []
        tested = self._mentions.reads(loop)
        found: list[tuple[int, Assign | Define]] = []
        for at, step in enumerate(tail):
            read = self._mentions.reads(step)
            variable = writes(step)
            if variable is None or variable not in tested or variable not in read:
                continue
            later = tail[at + 1 :]
            if later and not self._mentions.is_movable(step):
                continue
            if any(writes(s) in read or variable in self._mentions.reads(s) for s in later):
                continue
            rank = self._mentions.plainness(step)
            if not isinstance(step, Perform) and rank is not None:
                found.append((rank, step))
        return [step for _, step in sorted(found, key=lambda item: item[0])]

    def _init(self, variable: int | None, body: list[Statement], at: int) -> int | None:
        """The place before the loop where its variable is set, if the setting can move to it."""
        between: list[Statement] = []
        for place in range(at - 1, -1, -1):
            statement = body[place]
            if not isinstance(statement, Assign | Define):
                return None
            if statement.variable == variable:
                read = self._mentions.reads(statement)
                stays = between and not self._mentions.is_movable(statement)
                return None if stays or any(writes(s) in read for s in between) else place
            if variable in self._mentions.reads(statement):
                return None
            between.append(statement)
        return None

    def _is_private(self, step: Assign | Define, init: Statement, loop: Loop) -> bool:
        """Whether only the loop and its init mention the variable, and only the step changes it."""
        variable = step.variable
        inside = [loop, *walk(loop.body), *walk(loop.tail)]
        count = sum(variable in self._mentions.all(s) for s in (init, *inside))
        if count != self._counts[variable]:
            return False
        return all(s is step or writes(s) != variable for s in inside)
