"""Names in scope while a random program is made."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random

from tests.run.programs.nodes import Expr, Function, Variable


@dataclass(slots=True)
class Scopes:
    """The state of one program's making.

    ``budget`` is how many statements may still be made, ``result`` the type that ``return`` gives
    here (None in the entry point).
    """

    random: Random
    scopes: list[dict[str, Variable]] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    keys: int = 0
    budget: int = 0
    result: str | None = None

    def expr(self, type_: str, depth: int) -> Expr:
        """A random expression of a type."""
        raise NotImplementedError

    def leaf(self, type_: str) -> Expr:
        """A variable or a constant."""
        raise NotImplementedError

    @contextmanager
    def scope(self) -> Iterator[None]:
        """A block of its own."""
        self.scopes.append({})
        yield
        self.scopes.pop()

    def declare(self, type_: str, mutable: bool = True) -> Variable | None:
        """A new variable, which may shadow an outer one; None if the names are used up here."""
        free = [n for n in "abcdefgh" if n not in self.scopes[-1]]
        if not free:
            return None
        self.keys += 1
        return Variable(self.random.choice(free), type_, self.keys, mutable)

    def visible(self, type_: str, mutable: bool = False) -> list[Variable]:
        """The variables of a type that a name reaches here."""
        found: dict[str, Variable] = {}
        for scope in self.scopes:
            found |= scope
        return [v for v in found.values() if v.type == type_ and (v.mutable or not mutable)]
