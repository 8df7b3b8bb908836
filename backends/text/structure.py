"""From blocks to statements: the structure that the IR declares becomes if, for and while.

Nothing is recovered: merge and continue blocks tell where a construct ends.  A branch's values
become assignments, put in an order in which none destroys what another still reads.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from luma.ir.module import Block, Branch, CondBranch
from luma.ir.module import Discard as DiscardEnd
from luma.ir.module import Return as ReturnEnd
from luma.language.types import BOOL

from .expressions import Form, Forms, defines
from .logic import Logic, negation
from .statements import (
    Assign,
    Break,
    Condition,
    Continue,
    Define,
    Discard,
    If,
    Loop,
    Perform,
    Return,
    Statement,
    Tree,
    ends,
    inner_lists,
)
from .variables import Variables, is_statement, live_moves


def build(forms: Forms, variables: Variables) -> Tree:
    """The statements of a function."""
    builder = _Builder(forms, variables)
    body = builder.region(forms.function.blocks[0].label, None)
    tree = Tree(body, builder.temporaries)
    flatten(tree.body, forms)
    return tree


@dataclass(frozen=True, slots=True)
class _LoopAround:
    header: int
    merge: int
    continue_: int


class _Builder:
    def __init__(self, forms: Forms, variables: Variables) -> None:
        self.forms = forms
        self.variables = variables
        self.temporaries: dict[int, int] = {}
        self.logic = Logic(forms, variables)
        self._loops: list[_LoopAround] = []

    def region(self, label: int | None, follow: int | None) -> list[Statement]:
        """The statements from a block up to ``follow``, where control goes on by itself."""
        out: list[Statement] = []
        while label is not None and label != follow:
            block = self.forms.blocks[label]
            if block.loop is not None:
                self._loop(block, out)
                label = block.loop.merge
            else:
                label = self._block(block, out, follow)
        return out

    # ------------------------------------------------------------ blocks and edges

    def _block(self, block: Block, out: list[Statement], follow: int | None) -> int | None:
        """Add a block's statements; give the block that comes after them, if one does."""
        self._instructions(block, out)
        match block.terminator:
            case Branch() as edge:
                return self._go(edge, out, follow)
            case CondBranch(merge=None) as split:
                return self._leave_or_stay(split, out, follow)
            case CondBranch(cond, then, otherwise, merge):
                condition = self._condition(cond, out)
                ways = self._walk(then, merge), self._walk(otherwise, merge)
                plain = then.target == merge, otherwise.target == merge
                joined = self.logic.joined(condition, *ways)
                out.append(joined or _branch(condition, *ways, *plain))
                return merge
            case ReturnEnd(values):
                if len(values) == 1:
                    values = (self.logic.inlined(values[0], out),)
                out.append(Return(values))
            case DiscardEnd():
                out.append(Discard())
        return None

    def _instructions(self, block: Block, out: list[Statement]) -> None:
        for instr in block.instrs:
            if not is_statement(self.forms, instr):
                continue
            if defines(instr) and self.forms.form[instr.id] is Form.NAMED:
                out.append(Define(self.variables.of(instr.id), instr))
            else:
                out.append(Perform(instr))

    def _go(self, edge: Branch, out: list[Statement], follow: int | None) -> int | None:
        """Add what an edge does; give its target if that is still to be written."""
        out += self._moves(edge, out)
        around = self._loops[-1] if self._loops else None
        if edge.target == follow:
            return None
        if around is not None and edge.target == around.merge:
            out.append(Break())
            return None
        if around is not None and edge.target == around.continue_:
            out.append(Continue())
            return None
        return edge.target

    def _walk(self, edge: Branch, follow: int | None) -> list[Statement]:
        """Everything that happens on one way of a branch."""
        out: list[Statement] = []
        label = self._go(edge, out, follow)
        out += self.region(label, follow)
        return out

    def _condition(self, value: int, out: list[Statement]) -> Condition:
        return self.logic.condition(value, out)

    def _leave_or_stay(
        self, split: CondBranch, out: list[Statement], follow: int | None
    ) -> int | None:
        """A branch one of whose ways leaves or continues the loop: the other goes on below."""
        condition = self._condition(split.cond, out)
        then: list[Statement] = []
        otherwise: list[Statement] = []
        after_then = self._go(split.then, then, follow)
        after_otherwise = self._go(split.otherwise, otherwise, follow)
        if after_then is None and ends(then):
            out.append(If(condition, then, []))
            out += otherwise
            return after_otherwise
        if after_otherwise is None and ends(otherwise):
            out.append(If(negation(condition), otherwise, []))
            out += then
            return after_then
        then += self.region(after_then, follow)
        otherwise += self.region(after_otherwise, follow)
        out.append(_branch(condition, then, otherwise, False, False))
        return None

    # ------------------------------------------------------------ loops

    def _loop(self, header: Block, out: list[Statement]) -> None:
        loop = header.loop
        assert loop is not None
        self._loops.append(_LoopAround(header.label, loop.merge, loop.continue_))
        body: list[Statement] = []
        label = self._block(header, body, loop.continue_)
        body += self.region(label, loop.continue_)
        _drop_last_continue(body)
        tail: list[Statement] = []
        if not ends(body) or _continues(body):
            self._block(self.forms.blocks[loop.continue_], tail, header.label)
        self._loops.pop()
        condition = _leading_test(body)
        if condition is not None:
            del body[0]
        out.append(Loop(body, tail, loop.unroll, condition))

    # ------------------------------------------------------------ values of an edge

    def _moves(self, edge: Branch, before: list[Statement]) -> list[Statement]:
        """The assignments of an edge, one after the other."""
        pending: list[tuple[int, int]] = []
        for param, value in live_moves(self.forms, edge):
            target = self.variables.of(param)
            if not (self.forms.is_variable(value) and self.variables.of(value) == target):
                pending.append((target, value))
        if len(pending) == 1 and self.forms.types[pending[0][1]] == BOOL:
            pending = [(pending[0][0], self.logic.value(pending[0][1], before))]
        out: list[Statement] = []
        held: list[Statement] = []
        while pending:
            at = next((i for i, move in enumerate(pending) if self._free(move, pending)), None)
            if at is not None:
                target, value = pending.pop(at)
                out.append(Assign(target, value))
            else:  # a cycle: keep one new value aside, and give it its variable last
                target, value = pending.pop(0)
                temporary = -1 - len(self.temporaries)
                self.temporaries[temporary] = target
                out.append(Assign(temporary, value))
                held.append(Assign(target, temporary))
        return out + held

    def _free(self, move: tuple[int, int], pending: list[tuple[int, int]]) -> bool:
        """Whether no other pending move reads the variable that this one overwrites."""
        target = move[0]
        return not any(
            self.variables.of(leaf) == target
            for other in pending
            if other is not move
            for leaf in self.forms.leaves[other[1]]
        )


def _branch(
    condition: Condition,
    then: list[Statement],
    otherwise: list[Statement],
    plain_then: bool,
    plain_otherwise: bool,
) -> If:
    """An if statement; one whose first way does nothing of its own is turned around."""
    if (not then and otherwise) or (plain_then and not plain_otherwise):
        return If(negation(condition), otherwise, then, default=plain_then)
    return If(condition, then, otherwise, default=plain_otherwise)


# ---------------------------------------------------------------- tidying


def _leading_test(body: list[Statement]) -> Condition | None:
    """The condition under which a loop goes on, if testing it is all that a round begins with."""
    match body[:1]:
        case [If(condition=Condition(value, negated), then=[Break()], otherwise=[])]:
            return negation(Condition(value, negated))
    return None


def _drop_last_continue(body: list[Statement]) -> None:
    """Remove what says only that control goes where it goes anyway."""
    while body and isinstance(body[-1], Continue):
        body.pop()
    if body and isinstance(body[-1], If):
        for inner in inner_lists(body[-1]):
            _drop_last_continue(inner)


def _continues(body: list[Statement]) -> bool:
    return any(
        isinstance(s, Continue) or (isinstance(s, If) and any(map(_continues, inner_lists(s))))
        for s in body
    )


def flatten(body: list[Statement], forms: Forms) -> None:
    """Unnest what follows a way that leaves (``if (c) { return a; } return b;``), turn around an
    if whose first way is empty, drop one that does nothing."""
    at = 0
    while at < len(body):
        statement = body[at]
        for inner in inner_lists(statement):
            flatten(inner, forms)
        if isinstance(statement, If):
            if not statement.then and not statement.otherwise:
                if not _has_effects(statement.condition.value, forms):
                    del body[at]
                    continue
            elif not statement.then:
                statement.condition = negation(statement.condition)
                statement.then, statement.otherwise = statement.otherwise, []
            elif ends(statement.then):
                body[at + 1 : at + 1] = statement.otherwise
                statement.otherwise = []
        at += 1


def _has_effects(value: int, forms: Forms) -> bool:
    """Whether evaluating a value's text does more than give the value."""
    instr = forms.instrs.get(value)
    if instr is None or forms.form[value] is not Form.NESTED:
        return False
    if instr.op == "call" or instr.op.startswith("atomic"):
        return True
    return any(_has_effects(part, forms) for part in instr.args)


def repeat_tail(body: list[Statement], tail: list[Define | Assign | Perform]) -> None:
    """Put a loop's tail before each ``continue`` of that loop."""
    at = 0
    while at < len(body):
        statement = body[at]
        if isinstance(statement, Continue):
            body[at:at] = [replace(part) for part in tail]
            at += len(tail)
        elif isinstance(statement, If):
            for inner in inner_lists(statement):
                repeat_tail(inner, tail)
        at += 1
