"""Where variables are declared: as late and as far inside as all their mentions allow."""

from __future__ import annotations

from dataclasses import dataclass

from .expressions import Form, Forms
from .loops import Mentions, writes
from .statements import (
    Assign,
    Declare,
    Define,
    For,
    If,
    Loop,
    Perform,
    Statement,
    Tree,
    inner_lists,
)


@dataclass(slots=True)
class _Region:
    """A list of statements; ``at`` is the place in ``parent`` of the statement it is inside of.

    It is open while the visit is inside of it.
    """

    body: list[Statement]
    parent: _Region | None
    at: int
    loop: bool
    open: bool = True


def declare(tree: Tree, forms: Forms, mentions: Mentions) -> None:
    """Mark the statements that declare their variable, and insert declarations for the others.

    Parameters are declared by the function.
    """
    placer = _Placer(forms, mentions)
    placer.visit(_Region(tree.body, None, 0, False))
    placer.insert()


class _Placer:
    def __init__(self, forms: Forms, mentions: Mentions) -> None:
        self._forms = forms
        self._mentions = mentions
        self._places: dict[int, tuple[_Region, int]] = {}
        self._given = {p.id for p in forms.function.params}
        self._regions: list[_Region] = []

    def visit(self, region: _Region) -> None:
        """Find the innermost region, and the place in it, that holds all mentions of a variable."""
        self._regions.append(region)
        for at, statement in enumerate(region.body):
            own = statement.init.variable if isinstance(statement, For) else None
            if own is not None:
                self._given.add(own)
            for variable in sorted(self._mentions.all(statement)):
                self._note(variable, region, at)
            loop = isinstance(statement, Loop | For)
            for inner in inner_lists(statement):
                self.visit(_Region(inner, region, at, loop))
        region.open = False

    def _note(self, variable: int, region: _Region, at: int) -> None:
        known = self._places.get(variable)
        if known is None:
            self._places[variable] = region, at
            return
        other, place = known
        while not other.open:  # the nearest region around both mentions is open now
            assert other.parent is not None
            other, place = other.parent, other.at
        self._places[variable] = other, place

    def insert(self) -> None:
        """Declare every variable at its place."""
        wanted: dict[int, list[tuple[int, int]]] = {}
        for variable, (region, at) in self._places.items():
            if variable in self._given:
                continue
            if self._is_memory(variable) and not self._fills(region.body[at], variable):
                while (outer := _loop_around(region)) is not None:
                    assert outer.parent is not None
                    region, at = outer.parent, outer.at
            wanted.setdefault(id(region.body), []).append((at, variable))
        for region in self._regions:
            self._insert(region.body, wanted.get(id(region.body), []))

    def _insert(self, body: list[Statement], wanted: list[tuple[int, int]]) -> None:
        by_place: dict[int, list[int]] = {}
        for at, variable in wanted:
            by_place.setdefault(at, []).append(variable)
        for at in sorted(by_place, reverse=True):
            statement, fresh = body[at], by_place[at]
            new: list[Statement] = []
            if isinstance(statement, If) and self._is_default(statement, fresh):
                new = [_declaring(s) for s in statement.otherwise]
                statement.otherwise = []
                given = {writes(s) for s in new}
                fresh = [variable for variable in fresh if variable not in given]
            for variable in fresh:
                if isinstance(statement, Define | Assign | Perform) and self._fills(
                    statement, variable
                ):
                    statement.declares = True
                else:
                    new.insert(0, Declare(variable))
            body[at:at] = new

    def _is_memory(self, variable: int) -> bool:
        instr = self._forms.instrs.get(variable)
        return instr is not None and instr.op == "local"

    def _fills(self, statement: Statement, variable: int) -> bool:
        """Whether a statement gives the whole variable a value without reading it."""
        match statement:
            case Define(variable=written) | Assign(variable=written):
                return written == variable and variable not in self._mentions.reads(statement)
            case Perform(instr=instr):
                return (
                    instr.op == "store"
                    and instr.args[0] == variable
                    and variable not in self._forms.leaves[instr.args[1]]
                )
        return False

    def _is_default(self, statement: If, fresh: list[int]) -> bool:
        """Whether the second way only gives values to variables that begin with this statement."""
        return statement.default and all(
            isinstance(s, Assign) and s.variable in fresh and self._is_simple(s.value)
            for s in statement.otherwise
        )

    def _is_simple(self, value: int) -> bool:
        return value >= 0 and self._forms.form.get(value, Form.NAMED) is not Form.NESTED


def _loop_around(region: _Region) -> _Region | None:
    """The region itself or the nearest around it that is a loop's body."""
    around: _Region | None = region
    while around is not None and not around.loop:
        around = around.parent
    return around


def _declaring(statement: Statement) -> Statement:
    assert isinstance(statement, Assign)
    return Assign(statement.variable, statement.value, declares=True)
