"""Names in a target's text: the author's where the target allows them, else readable new ones.

Renaming is injective: two things of one scope never get one name, and no name hides another that
is visible where it stands.
"""

from __future__ import annotations

import re

from luma.language.reserved import Reserved


class Scope:
    """The names taken in one region of the text; an inner scope sees those around it."""

    def __init__(self, reserved: Reserved, parent: Scope | None = None) -> None:
        self._reserved = reserved
        self._parent = parent
        self._taken: set[str] = set()
        self._numbers: dict[str, int] = {}  # the last number behind a name

    def inner(self) -> Scope:
        """A new scope inside this one."""
        return Scope(self._reserved, self)

    def add(self, wanted: str) -> str:
        """Take ``wanted`` if it is free and legal, else a name made from it; return the name."""
        base = legal(wanted, self._reserved)
        number = self._last_number(base)
        name = _numbered(base, number) if number else base
        while self._reserved.forbids(name) or self.has(name):
            number += 1
            name = _numbered(base, number)
        self._taken.add(name)
        self._numbers[base] = number
        return name

    def _last_number(self, base: str) -> int:
        scope: Scope | None = self
        while scope is not None:
            if base in scope._numbers:
                return scope._numbers[base]
            scope = scope._parent
        return 0

    def has(self, name: str) -> bool:
        """Whether the name is taken here or around here."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope._taken:
                return True
            scope = scope._parent
        return False


def legal(name: str, reserved: Reserved) -> str:
    """``name`` without the beginnings and parts that the target forbids anywhere.

    Whole words that are forbidden stay: a number behind them makes them legal.
    """
    if not name.isidentifier():  # a part of an aggregate, such as a[0].b
        name = re.sub(r"\W+", "_", name).strip("_")
    for part in reserved.parts:
        while part in name:
            name = name.replace(part, part[: len(part) // 2] or "")
    for prefix in reserved.prefixes:
        while name.startswith(prefix):
            name = name.removeprefix(prefix)
    return name if re.match(r"[A-Za-z_]", name) else f"v{name}"


def _numbered(base: str, number: int) -> str:
    return f"{base}{number}" if base.endswith("_") else f"{base}_{number}"


def capitalized(name: str) -> str:
    """``name`` as a type's name: ``light_dir`` gives ``LightDir``."""
    return "".join(word[:1].upper() + word[1:] for word in name.split("_") if word) or "Block"
