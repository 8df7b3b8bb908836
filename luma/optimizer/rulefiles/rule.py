"""The rules as data: what egglog reads in the rule files, taken apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from luma.optimizer.egraph import RULE_FILES, bindings, rule_path
from luma.optimizer.schema import CONSTRUCTORS


@dataclass(frozen=True)
class Var:
    """A variable of a rule."""

    name: str


@dataclass(frozen=True)
class Call:
    """A constructor, function or primitive applied."""

    name: str
    args: tuple[Pattern, ...]


@dataclass(frozen=True)
class Literal:
    """A number or string."""

    value: int | float | str


Pattern: TypeAlias = "Var | Call | Literal"


@dataclass(frozen=True)
class Fact:
    """A condition: two patterns that are equal, or (``right`` None) one that is there."""

    left: Pattern
    right: Pattern | None


@dataclass(frozen=True)
class RuleText:
    """One rule.  ``right`` is None where it states a fact instead of an equality."""

    name: str
    ruleset: str
    file: str
    line: int
    left: Pattern
    right: Pattern | None
    conditions: tuple[Fact, ...]
    subsumes: bool

    @property
    def fast(self) -> bool:
        """Whether it may change rounding and assume numbers to be ordinary."""
        return self.ruleset.split("-")[0] == "fast"


def _pattern(expr: Any, lets: dict[str, Pattern]) -> Pattern:
    kind = type(expr).__name__
    if kind == "Var":
        return lets.get(expr.name, Var(expr.name))
    if kind == "Call":
        return Call(expr.name, tuple(_pattern(a, lets) for a in expr.args))
    return Literal(expr.value.value)


def _facts(conditions: list[Any]) -> list[Fact]:
    found = []
    for c in conditions:
        if type(c).__name__ == "Eq":
            found.append(Fact(_pattern(c.left, {}), _pattern(c.right, {})))
        else:
            found.append(Fact(_pattern(c.expr, {}), None))
    return found


def _line(span: Any) -> int:
    return int(span.file.contents.count("\n", 0, span.i)) + 1


def _of_rewrite(command: Any, file: str) -> RuleText:
    r = command.rewrite
    return RuleText(
        r.name, command.name, file, _line(r.span), _pattern(r.lhs, {}), _pattern(r.rhs, {}),
        tuple(_facts(r.conditions)), bool(getattr(command, "subsume", False)),
    )  # fmt: skip


def _of_rule(command: Any, file: str) -> RuleText:
    r = command.rule
    facts = _facts(r.body)
    root = next(f for f in facts if isinstance(f.right, Call) and f.right.name in ALL_TERMS)
    facts.remove(root)
    lets: dict[str, Pattern] = {}
    right: Pattern | None = None
    for action in r.head:
        if type(action).__name__ == "Let":
            lets[action.lhs] = _pattern(action.rhs, lets)
        elif type(action).__name__ == "Union":
            right = _pattern(action.rhs, lets)
    assert root.right is not None
    return RuleText(r.name, r.ruleset, file, _line(r.span), root.right, right, tuple(facts), False)


ALL_TERMS = {*CONSTRUCTORS, "Rounded", "Wrapped", "VecT"}


def read(file: str, text: str) -> list[RuleText]:
    """The rules of one file, in order."""
    found = []
    for command in bindings().EGraph().parse_program(text, file):
        kind = type(command).__name__
        if kind == "RewriteCommand":
            found.append(_of_rewrite(command, file))
        elif kind == "RuleCommand":
            found.append(_of_rule(command, file))
    return found


@cache
def rules() -> tuple[RuleText, ...]:
    """Every rule of the rule files, in order."""
    return tuple(
        r for file in RULE_FILES for r in read(file, Path(rule_path(file)).read_text("utf-8"))
    )


def walk(pattern: Pattern) -> Iterator[Pattern]:
    """The pattern and all patterns in it."""
    yield pattern
    if isinstance(pattern, Call):
        for a in pattern.args:
            yield from walk(a)


def variables(pattern: Pattern) -> set[str]:
    """The names of the variables in a pattern."""
    return {p.name for p in walk(pattern) if isinstance(p, Var)}


def calls(pattern: Pattern) -> int:
    """How many terms a pattern is made of, literals not counted."""
    terms = CONSTRUCTORS.keys() - {"Lit", "Int"}
    return sum(isinstance(p, Call) and p.name in terms for p in walk(pattern))
