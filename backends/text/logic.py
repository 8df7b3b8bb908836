"""``and`` and ``or`` come back: a branch that only picks a bool is an operator of the text.

The IR has a branch where the second operand may not be evaluated for nothing; ``&&`` and ``||`` of
the targets do not evaluate it either, so the operator means the same and reads better.
"""

from __future__ import annotations

from luma.ir.module import Instr
from luma.language.types import BOOL

from .expressions import Form, Forms
from .statements import Assign, Condition, Statement
from .variables import Variables


def negation(condition: Condition) -> Condition:
    """The opposite condition."""
    return Condition(condition.value, not condition.negated)


class Logic:
    """Makes the operators, as instructions of a function's forms that exist in the text only."""

    def __init__(self, forms: Forms, variables: Variables) -> None:
        self._forms = forms
        self._variables = variables
        self._first = self._next = max(forms.types, default=0) + 1

    def joined(
        self, condition: Condition, then: list[Statement], otherwise: list[Statement]
    ) -> Assign | None:
        """The assignment that says the same as an if statement, if there is one."""
        match then, otherwise:
            case [Assign() as yes], [Assign() as no] if yes.variable == no.variable >= 0:
                if {yes.value, no.value} & self._forms.bound:
                    return None
                if self._constant(no.value) is False:
                    made = self._make("and", self._plain(condition), yes.value)
                elif self._constant(yes.value) is True:
                    made = self._make("or", self._plain(condition), no.value)
                elif self._constant(yes.value) is False:
                    made = self._make("and", self._plain(negation(condition)), no.value)
                elif self._constant(no.value) is True:
                    made = self._make("or", self._plain(negation(condition)), yes.value)
                else:
                    return None
                return Assign(yes.variable, made)
        return None

    def condition(self, value: int, out: list[Statement]) -> Condition:
        """A condition; one that the last statement has just made is taken from there."""
        instr = self._forms.instrs.get(value)
        if (
            instr is not None
            and instr.op == "not"
            and instr.type == BOOL
            and self._forms.form[value] is Form.NESTED
        ):
            return negation(self.condition(instr.args[0], out))
        return Condition(self.inlined(value, out))

    def value(self, value: int, out: list[Statement]) -> int:
        """A bool value; one that the last statement has just made is taken from there."""
        count = len(out)
        condition = self.condition(value, out)
        return value if len(out) == count else self._plain(condition)

    def inlined(self, value: int, out: list[Statement]) -> int:
        """The operator that the last statement assigns to ``value`` and nothing else uses."""
        if not out or not self._forms.is_variable(value):
            return value
        last = out[-1]
        if not isinstance(last, Assign) or last.value < self._first:
            return value
        if last.variable != self._variables.of(value):
            return value
        for member in self._variables.members(value):  # each flows into the next, the last here
            if self._forms.uses.get(member) != 1 or member in self._forms.function.names:
                return value
        out.pop()
        return last.value

    def _constant(self, value: int) -> object:
        instr = self._forms.instrs.get(value)
        return instr.imm[0] if instr is not None and instr.op == "const" else None

    def _plain(self, condition: Condition) -> int:
        return self._make("not", condition.value) if condition.negated else condition.value

    def _make(self, op: str, *args: int) -> int:
        value = self._next
        self._next += 1
        forms = self._forms
        forms.instrs[value] = Instr(value, op, BOOL, args)
        forms.form[value] = Form.NESTED
        forms.types[value] = BOOL
        forms.leaves[value] = frozenset[int]().union(*(forms.leaves[a] for a in args))
        return value
