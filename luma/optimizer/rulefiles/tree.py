"""Rules as a tree: patterns, conditions, and what a rule says besides its two sides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from luma.optimizer.schema import CONSTRUCTORS
from luma.source import Source, SourceSpan, Span

NOWHERE = Span(0, 0)


@dataclass(frozen=True, slots=True)
class Var:
    """A variable of a rule."""

    name: str
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Call:
    """A constructor, function, relation or primitive applied."""

    name: str
    args: tuple[Pattern, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Literal:
    """A number or string."""

    value: int | float | str
    span: Span = field(default=NOWHERE, compare=False, repr=False)


Pattern: TypeAlias = "Var | Call | Literal"


@dataclass(frozen=True, slots=True)
class Fact:
    """A condition or statement: two patterns that are equal, or (``right`` None) one that holds."""

    left: Pattern
    right: Pattern | None = None

    @property
    def sides(self) -> tuple[Pattern, ...]:
        """The patterns in it."""
        return (self.left,) if self.right is None else (self.left, self.right)


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    ``left`` is what it matches: the pattern of a rewrite, or of a general rule the term that its
    body speaks of, other terms of the body put in.  ``right`` is what becomes equal to it, None
    where the rule ``states`` facts instead.  ``comment`` is the text above it.
    """

    name: str
    ruleset: str
    left: Pattern
    right: Pattern | None
    conditions: tuple[Fact, ...]
    states: tuple[Fact, ...]
    subsumes: bool
    comment: tuple[str, ...]
    span: Span
    source: Source = field(repr=False, compare=False)

    @property
    def fast(self) -> bool:
        """Whether it may change rounding and assume numbers to be ordinary."""
        return is_fast(self.ruleset)

    @property
    def hides(self) -> bool:
        """Whether it only hides what it matches."""
        return self.right is None and not self.states

    @property
    def file(self) -> str:
        """The file it is in, as the file was named when it was read."""
        return self.source.name

    @property
    def line(self) -> int:
        """The line it begins in."""
        return self.place.line_start

    @property
    def place(self) -> SourceSpan:
        """Where it stands."""
        return self.source.locate(self.span)

    @property
    def summary(self) -> str:
        """Its comment in one line, remarks for tools left out."""
        return " ".join(line for line in self.comment if remark(line) is None)

    def remark(self, word: str) -> str | None:
        """The text of the comment that begins with a word meant for tools."""
        found = (remark(line) for line in self.comment)
        return next((text for head, text in filter(None, found) if head == word), None)


def is_fast(ruleset: str) -> bool:
    """Whether a ruleset's rules are true of real numbers only."""
    return ruleset.split("-")[0] == "fast"


#: The words that begin a comment meant for tools: a case, the error that the rule admits, why it
#: cannot make the graph grow, the Luma source that the cases include.
REMARKS = ("test", "error", "bounded", "include")


def remark(comment: str) -> tuple[str, str] | None:
    """The word and the text of a comment that is meant for tools, None of any other comment."""
    word, _, text = comment.partition(":")
    head = word.split("(")[0].strip()
    if head not in REMARKS or not text:
        return None
    return head, comment.strip()[len(head) :].lstrip(" :")


def walk(pattern: Pattern | None) -> Iterator[Pattern]:
    """The pattern and all patterns in it."""
    if pattern is None:
        return
    yield pattern
    if isinstance(pattern, Call):
        for a in pattern.args:
            yield from walk(a)


def variables(pattern: Pattern | None) -> set[str]:
    """The names of the variables in a pattern."""
    return {p.name for p in walk(pattern) if isinstance(p, Var)}


def is_term(pattern: Pattern | None) -> bool:
    """Whether a pattern is a term of the e-graph, and not of a number or type."""
    return isinstance(pattern, Call) and (pattern.name in CONSTRUCTORS or pattern.name in HELPERS)


#: Terms that stand for a computed number until it is brought to its type.
HELPERS = ("Rounded", "Wrapped")


def calls(pattern: Pattern | None) -> int:
    """How many terms a pattern is made of, literals not counted."""
    return sum(is_term(p) and p.name not in ("Lit", "Int") for p in walk(pattern))  # type: ignore[union-attr]


def replaced(pattern: Pattern, by: Mapping[str, Pattern]) -> Pattern:
    """The pattern with variables replaced."""
    match pattern:
        case Var(name):
            return by.get(name, pattern)
        case Call(name, args, span):
            return Call(name, tuple(replaced(a, by) for a in args), span)
    return pattern


def shown(pattern: Pattern) -> str:
    """The pattern as egglog writes it."""
    match pattern:
        case Var(name):
            return name
        case Call(name, args):
            return f"({' '.join([name, *map(shown, args)])})"
        case Literal(str() as text):
            return f'"{text}"'
    return str(pattern.value)
