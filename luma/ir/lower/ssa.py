"""SSA form for structured code, built in one pass.

Follows Brandis and Moessenboeck, "Single-Pass Generation of Static Single-Assignment Form for
Structured Languages" (1994): with no goto, break or continue, the values of variables form an
environment that is forked at a branch and joined at its merge block; a loop's header gets a phi
for each variable that its body assigns.  Superfluous phis (trivial ones, and those that nothing
uses) are removed when the function is complete, which leaves minimal, pruned SSA.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from luma.frontend.typed import Local
from luma.language.types import Type


@dataclass(slots=True, eq=False)
class Phi:
    """A block parameter under construction.

    ``operands`` has one value a predecessor of its block, in their order; None comes from a
    predecessor that is never left.
    """

    id: int
    type: Type
    operands: list[int | None]


@dataclass(slots=True)
class Environment:
    """The current value of each variable, with a log of changes for each open branch."""

    values: dict[Local, int] = field(default_factory=dict)
    _logs: list[dict[Local, int | None]] = field(default_factory=list)

    def read(self, local: Local) -> int:
        """The variable's value now."""
        return self.values[local]

    def write(self, local: Local, value: int) -> None:
        """Give the variable a new value."""
        if self._logs:
            self._logs[-1].setdefault(local, self.values.get(local))
        self.values[local] = value

    def begin(self) -> None:
        """Enter a branch."""
        self._logs.append({})

    def end(self) -> dict[Local, int]:
        """Leave the branch: undo its changes and give those to variables from before it."""
        changes: dict[Local, int] = {}
        for local, old in self._logs.pop().items():
            if old is None:
                del self.values[local]
            else:
                changes[local] = self.values[local]
                self.values[local] = old
        return changes


@dataclass(slots=True)
class Substitution:
    """Which value stands for a removed phi."""

    forward: dict[int, int] = field(default_factory=dict)

    def __call__(self, value: int) -> int:
        """The value that ``value`` turned into (itself if it still exists)."""
        seen: list[int] = []
        while value in self.forward:
            seen.append(value)
            value = self.forward[value]
        for old in seen:
            self.forward[old] = value
        return value


def remove_trivial(phis: Sequence[Phi]) -> Substitution:
    """Find the phis that only ever merge one value with themselves.

    Removing one may make others trivial, so those are looked at again.
    """
    substitution = Substitution()
    users: dict[int, list[Phi]] = {phi.id: [] for phi in phis}
    for phi in phis:
        for operand in phi.operands:
            if operand in users:
                users[operand].append(phi)
    work = list(reversed(phis))
    while work:
        phi = work.pop()
        if phi.id in substitution.forward:
            continue
        distinct = {substitution(o) for o in phi.operands if o is not None} - {phi.id}
        if len(distinct) == 1:
            substitution.forward[phi.id] = distinct.pop()
            work.extend(users[phi.id])
            users.setdefault(substitution(phi.id), []).extend(users[phi.id])
    return substitution


def live_phis(phis: Sequence[Phi], used: Iterable[int], substitution: Substitution) -> set[int]:
    """The phis that an instruction or terminator needs, directly or through other phis."""
    remaining = {phi.id: phi for phi in phis if phi.id not in substitution.forward}
    live: set[int] = set()
    work = [value for value in used if value in remaining]
    while work:
        value = work.pop()
        if value in live:
            continue
        live.add(value)
        operands = (substitution(o) for o in remaining[value].operands if o is not None)
        work.extend(o for o in operands if o in remaining)
    return live
