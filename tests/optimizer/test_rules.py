"""Every rule: it is true, it fires, it is named once, it cannot run wild."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from luma.language.types import FLOAT, HALF, INT, UINT, Type, Vector, scalar_of
from luma.optimizer.egraph import RULE_FILES, Rules, rule_path
from luma.optimizer.rulefiles.rule import (
    Call,
    Pattern,
    RuleText,
    Var,
    calls,
    rules,
    variables,
)
from luma.optimizer.rulefiles.truth import (
    NoValue,
    Sample,
    _constants,
    _number,
    draw,
    falsify,
    type_of,
)
from luma.optimizer.rulefiles.typings import typings
from luma.optimizer.schema import CONSTRUCTORS
from luma.optimizer.term import Definition, Ref, Term
from tests.optimizer.documented import DOCUMENTATION, documented, documented_text

REWRITES = [r for r in (*rules(), *documented()) if r.right is not None]
NAMED = pytest.mark.parametrize

#: The values that a rule's sides define in its test.
LEFT, RIGHT = 900, 901


@NAMED("rule", REWRITES, ids=lambda r: r.name)
def test_both_sides_agree(rule: RuleText) -> None:
    assert falsify(rule, samples=40 if not rule.fast else 25) is None


# ---------------------------------------------------------------- lint


def test_names_are_unique() -> None:
    names = Counter(r.name for r in (*rules(), *documented()))
    assert [n for n, count in names.items() if count > 1] == []


@NAMED("file", RULE_FILES)
def test_every_rule_has_a_comment_above_it_and_every_file_a_class(file: str) -> None:
    lines = Path(rule_path(file)).read_text("utf-8").splitlines()
    assert any(line.startswith("; Class: ") or "  Class: " in line for line in lines[:6])
    for rule in rules():
        if rule.file == file:
            above = next(n for n in range(rule.line - 1, 0, -1) if lines[n - 1].strip())
            assert lines[above - 1].startswith(("; ", "(ruleset", "(function", "(relation")), rule


@NAMED("rule", rules(), ids=lambda r: r.name)
def test_conditions_speak_of_the_left_side(rule: RuleText) -> None:
    """A variable that is only in a condition matches anything."""
    bound = variables(rule.left)
    for fact in rule.conditions:
        bound |= {p.name for p in (fact.left, fact.right) if isinstance(p, Var)}
    for fact in rule.conditions:
        assert variables(fact.left) <= bound
        assert fact.right is None or variables(fact.right) <= bound
    assert rule.right is None or variables(rule.right) <= bound


#: Integer primitives that may have no value; on a right side that would end the run.
PARTIAL = {"*", "/", "%", "<<", ">>"}


@NAMED("rule", REWRITES, ids=lambda r: r.name)
def test_right_sides_always_have_a_value(rule: RuleText) -> None:
    if isinstance(rule.left, Call) and rule.left.name == "Rounded":
        return  # floats only
    partial = {p.name for p in _walk(rule.right) if isinstance(p, Call)} & PARTIAL
    assert not partial or ("(Int " not in str(rule.left) and "Lit" in str(rule.left))


@NAMED("rule", REWRITES, ids=lambda r: r.name)
def test_only_what_shrinks_hides_its_left_side(rule: RuleText) -> None:
    assert rule.right is not None
    if isinstance(rule.left, Call) and rule.left.name in ("Rounded", "Wrapped"):
        return  # a literal instead of what stands for it
    assert not rule.subsumes or calls(rule.right) <= calls(rule.left)


def _walk(pattern: Pattern | None) -> list[Pattern]:
    if pattern is None:
        return []
    inner = [p for a in pattern.args for p in _walk(a)] if isinstance(pattern, Call) else []
    return [pattern, *inner]


# ---------------------------------------------------------------- firing


@pytest.fixture(scope="module")
def graph() -> Rules:
    """All rules, and those of the documentation."""
    return Rules([rule_path(name) for name in RULE_FILES], [(DOCUMENTATION, documented_text())])


@NAMED("rule", [*rules(), *documented()], ids=lambda r: r.name)
def test_fires(rule: RuleText, graph: Rules) -> None:
    """On its own left side the rule matches, and makes both sides one class."""
    if rule.file == "facts.egg":
        return _fact_fires(rule, graph)
    if isinstance(rule.left, Call) and rule.left.name in ("Rounded", "Wrapped"):
        return _helper_fires(rule, graph)
    build = _Build(rule, _sample(rule))
    definitions, right = build.definitions(), build.right()
    graph.push()
    try:
        graph.load(definitions)
        graph.run("(saturate (run facts))")
        graph.run(f"(run {rule.ruleset})")
        assert graph.report.num_matches_per_rule.get(rule.name, 0) > 0
        graph.run("(repeat 3 (seq (run fold) (run vector)))")
        classes = graph.freeze().classes
        assert right is None or classes[LEFT] == classes[right]
    finally:
        graph.pop()
    return None


def _helper_fires(rule: RuleText, graph: Rules) -> None:
    """What brings a folded number back to its type fires when something is folded."""
    sums = [(FLOAT, 1.0, 2.0), (HALF, 1.0, 2.0), (FLOAT, 1.0, -1.0), (INT, 1, 2), (UINT, 1, 2)]
    terms = [Term("Add", t, (_constant(t, a), _constant(t, b))) for t, a, b in sums]
    graph.push()
    try:
        graph.load([Definition(n, t) for n, t in enumerate(terms)])
        graph.run("(repeat 2 (run fold))")
        assert graph.report.num_matches_per_rule.get(rule.name, 0) > 0
    finally:
        graph.pop()


def _fact_fires(rule: RuleText, graph: Rules) -> None:
    one, two = Term("Lit", FLOAT, (1.0,)), Term("Int", INT, (2,))
    terms = [
        one, two, Term("Splat", Vector(FLOAT, 3), (one,)), Term("Splat", Vector(INT, 3), (two,)),
        *(Term(f"Vec{n}", Vector(FLOAT, n), (one,) * n) for n in (2, 3, 4)),
    ]  # fmt: skip
    graph.push()
    try:
        graph.load([Definition(n, t) for n, t in enumerate(terms)])
        graph.run("(saturate (run facts))")
        assert graph.report.num_matches_per_rule.get(rule.name, 0) > 0
    finally:
        graph.pop()


def _sample(rule: RuleText) -> Sample:
    rng = random.Random(1)
    for typing in typings(rule):
        for _ in range(200):
            try:
                return draw(rule, typing, rng)
            except NoValue:
                continue
    raise AssertionError(f"{rule.name}: no values meet its conditions")


class _Build:
    """A rule's sides as terms: variables become leaves, constants literals."""

    def __init__(self, rule: RuleText, sample: Sample) -> None:
        self.rule, self.sample = rule, sample
        self.constants = _constants(rule.conditions)
        conditions = [f.left for f in rule.conditions if isinstance(f.left, Call)]
        self.opened = {next(iter(variables(c))) for c in conditions if c.name == "open"}
        self.ids = {name: 10 + n for n, name in enumerate(sample.typing.expressions)}

    def definitions(self) -> list[Definition]:
        made = [Definition(i, self._variable(n)) for n, i in self.ids.items()]
        made.append(Definition(LEFT, self._term(self.rule.left)))
        if self.right() == RIGHT:
            assert self.rule.right is not None
            made.append(Definition(RIGHT, self._term(self.rule.right)))
        return made

    def right(self) -> int | None:
        """The value that the left side must become equal to; None if only folding can tell."""
        right = self.rule.right
        if right is None:
            return None
        if isinstance(right, Var):
            return self.ids[right.name]
        helpers = {p.name for p in _walk(right) if isinstance(p, Call)} & {"Rounded", "Wrapped"}
        return None if helpers else RIGHT

    def _variable(self, name: str) -> Term:
        t = self.sample.typing.expressions[name]
        if name in self.constants:
            value = self.sample.values[name]
            while isinstance(value, tuple):
                value = value[0]
            return _constant(t, value)
        if name in self.opened:
            leaf = Term("Leaf", scalar_of(t), (self.ids[name],))
            return Term("Splat", t, (leaf,))
        return Term("Leaf", t, (self.ids[name],))

    def _term(self, pattern: Pattern) -> Term:
        assert isinstance(pattern, Call), pattern
        name = pattern.name
        sorts = CONSTRUCTORS[name].sorts
        args = tuple(self._argument(s, p) for s, p in zip(sorts, pattern.args[1:], strict=True))
        return Term(name, type_of(pattern.args[0], self.sample), args)

    def _argument(self, sort: str, pattern: Pattern) -> Any:
        if sort == "T":
            return type_of(pattern, self.sample)
        if sort == "E":
            if isinstance(pattern, Var):
                return Ref(self.ids[pattern.name])
            return self._term(pattern)
        return _number(pattern, self.sample)


def _constant(t: Type, value: Any) -> Term:
    if isinstance(t, Vector):
        return Term("Splat", t, (_constant(t.elem, value),))
    if isinstance(value, float):
        return Term("Lit", t, (value,))
    return Term("Int", t, (int(value),))
