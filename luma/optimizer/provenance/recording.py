"""Rules that tell when they fire.

Beside each rule stands a recorder: the same left side and conditions in the same ruleset, which
writes down what the variables were.  Recorders only write into tables of their own, so the graph
becomes what it becomes without them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from luma.diagnostics import Reporter
from luma.optimizer.egraph import Rules
from luma.optimizer.rulefiles.read import RuleFile
from luma.optimizer.rulefiles.scope import Scope, variables_of
from luma.optimizer.rulefiles.tree import (
    HELPERS,
    Call,
    Fact,
    Pattern,
    Rule,
    Var,
    replaced,
    shown,
    variables,
    walk,
)
from luma.optimizer.rulefiles.vocabulary import EXPR, PRIMITIVES, Vocabulary
from luma.optimizer.schema import SORT
from luma.optimizer.term import Ref, Term

#: The letter of each sort, as in ``Constructor.sorts``.
_LETTERS = {sort: letter for letter, sort in SORT.items()}

#: The sorts of what helper terms hold, their own class last.
HELPER_SORTS = {"Rounded": "TFE", "Wrapped": "TIE"}
assert set(HELPER_SORTS) == set(HELPERS)

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Recorder:
    """A rule's recorder.

    ``columns`` are what it writes down: the rule's variables and, as egglog writes them, the
    numbers that the right side computes; ``root`` is the variable for the whole left side.
    """

    rule: Rule
    right: Pattern
    table: str
    root: str
    columns: tuple[str, ...]
    computed: tuple[Call, ...]
    sorts: str

    @property
    def text(self) -> str:
        """The recorder as commands for egglog, one a line."""
        rule = self.rule
        body = [f"(= {_text(Var(self.root))} {_text(rule.left)})"]
        body += [_condition(fact) for fact in rule.conditions]
        names = self.columns[: len(self.columns) - len(self.computed)]
        cells = [*(_text(Var(n)) for n in names), *map(_text, self.computed)]
        sorts = " ".join(SORT[s] for s in self.sorts)
        return (
            f"(relation {self.table} ({sorts}))\n"
            f"(rule ({' '.join(body)}) (({self.table} {' '.join(cells)}))"
            f' :ruleset {rule.ruleset} :name "{self.table}")\n'
        )


def recorders(files: Iterable[RuleFile]) -> list[Recorder]:
    """A recorder for each rule that makes terms equal, in the order of the files."""
    found: list[Recorder] = []
    for file in files:
        for rule in file.rules:
            if rule.right is not None:
                table = f"fired-{len(found):05}-here"  # no name may be another's and digits
                found.append(_recorder(rule, rule.right, table, file))
    return found


def _recorder(rule: Rule, right: Pattern, table: str, file: RuleFile) -> Recorder:
    bound = variables(rule.left).union(*map(variables_of, rule.conditions))
    # a general rule's own name for what it matches, if its right side speaks of it
    root = next((v for v in sorted(variables(right)) if v not in bound), "the-whole")
    sorts = _sorts(rule, right, root, file.known.words)
    names = [root, *sorted((variables(rule.left) | variables(right)) - {root})]
    computed = {shown(p): p for p in _computed(right)}
    found = [*(sorts[n] for n in names), *(_number_sort(p, sorts) for p in computed.values())]
    letters = "".join(_LETTERS[s] for s in found)
    columns = (*names, *computed)
    return Recorder(rule, right, table, root, columns, tuple(computed.values()), letters)


def _sorts(rule: Rule, right: Pattern, root: str, words: Vocabulary) -> dict[str, str]:
    """The sort of each variable."""
    scope = Scope(words, Reporter(rule.source))
    demands: list[tuple[Pattern, str | None]] = [(Var(root), EXPR), (rule.left, EXPR)]
    for fact in rule.conditions:
        equal = fact.left if fact.right is None else Call("=", (fact.left, fact.right))
        demands.append((equal, None))
    scope.learn([*demands, (right, EXPR)])
    return scope.sorts


def _computed(pattern: Pattern) -> Iterator[Call]:
    """The outermost primitives in a pattern."""
    if isinstance(pattern, Call):
        if pattern.name in PRIMITIVES:
            yield pattern
        else:
            for a in pattern.args:
                yield from _computed(a)


def _number_sort(pattern: Call, sorts: dict[str, str]) -> str:
    """The sort of a number that a primitive gives."""
    of_literals = {int: "i64", float: "f64"}
    signatures = PRIMITIVES[pattern.name]
    if len({s.result for s in signatures}) == 1 and signatures[0].result is not None:
        return signatures[0].result
    for p in walk(pattern):
        match p:
            case Var(name):
                return sorts[name]
            case Call():
                continue
            case _:
                return of_literals[type(p.value)]
    raise AssertionError(shown(pattern))


def _condition(fact: Fact) -> str:
    if fact.right is None:
        return _text(fact.left)
    return f"(= {_text(fact.left)} {_text(fact.right)})"


def _text(pattern: Pattern) -> str:
    """A pattern as egglog writes it, its variables named as nothing else is in any file."""
    return shown(replaced(pattern, {n: Var(f"the-{n}") for n in variables(pattern)}))


class RecordingRules(Rules):
    """Rules with recorders beside them, for one use."""

    def __init__(
        self, files: Sequence[str], texts: Sequence[tuple[str, str]], beside: Sequence[Recorder]
    ) -> None:
        super().__init__(files, [*texts, ("recorders", "".join(r.text for r in beside))])
        self._beside = beside
        #: What was made equal from outside the rules, in order.
        self.united: list[tuple[Ref | Term, Term]] = []

    def unite(self, pairs: Iterable[tuple[Ref | Term, Term]]) -> None:
        known = list(pairs)
        self.united += known
        super().unite(known)

    def size(self) -> int:
        return super().size() - self.recorded()

    def recorded(self) -> int:
        """The number of rows in the recorders' tables."""
        return sum(self.sizes(r.table for r in self._beside))

    def firings(self) -> Iterator[tuple[Recorder, Row]]:
        """What fired, by rule, in the numbers of the graph that was frozen last."""
        for recorder in self._beside:
            for row in self.rows(recorder.table, recorder.sorts):
                yield recorder, dict(zip(recorder.columns, row, strict=True))

    def helpers(self) -> Iterator[tuple[str, tuple[Any, ...], int]]:
        """The helper terms of that graph: constructor, type and arguments, class."""
        for name, sorts in HELPER_SORTS.items():
            for *inputs, made in self.rows(name, sorts):
                yield name, tuple(inputs), made
