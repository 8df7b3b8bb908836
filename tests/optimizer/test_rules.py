"""Every rule: it is true, it fires, it is named once, it cannot run wild."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from luma.language.types import FLOAT, HALF, INT, UINT, Type, Vector, scalar_of
from luma.optimizer.egraph import RULE_FILES, Rules, rule_path
from luma.optimizer.rulefiles.drawing import constants_of, draw, indices
from luma.optimizer.rulefiles.growth import dangers
from luma.optimizer.rulefiles.machine import Machine, point, type_of
from luma.optimizer.rulefiles.meaning import FUNCTIONS, RELATIONS, SHAPES
from luma.optimizer.rulefiles.read import ours
from luma.optimizer.rulefiles.render import render, user_ruleset
from luma.optimizer.rulefiles.tree import Call, Pattern, Rule, Var, variables, walk
from luma.optimizer.rulefiles.truth import judge, told
from luma.optimizer.rulefiles.typings import Typing, misfit, typings
from luma.optimizer.schema import CONSTRUCTORS
from luma.optimizer.term import Definition, Ref, Stated, Term
from luma.optimizer.user import DECLARED
from tests.optimizer.documented import DOCUMENTATION, documented, judged_by_itself

OURS = [r for file in ours() for r in file.rules]
RULES = [*OURS, *filter(judged_by_itself, documented().rules)]
NAMED = pytest.mark.parametrize

#: The values that a rule's sides define in its test.
LEFT, RIGHT = 900, 901


@NAMED("rule", RULES, ids=lambda r: r.name)
def test_is_true(rule: Rule) -> None:
    """Proved where it is about bools and integers, tried on 100,000 points where about floats."""
    verdict = judge(rule)
    assert verdict.counterexample is None, f"{rule.name}: {told(verdict.counterexample)}"
    assert not verdict.open, f"{rule.name} is {verdict.summary}"
    if verdict.unknown:
        assert verdict.unknown in ("it is about types", "it only hides terms"), verdict
    elif verdict.points:
        enough = verdict.points >= 100_000 or (rule.conditions and not verdict.unknown)
        assert enough, f"{rule.name}: {verdict.summary}"
    else:
        assert verdict.proved


# ---------------------------------------------------------------- lint


def test_the_documented_rules_are_well_formed() -> None:
    assert documented().diagnostics == ()


@NAMED("file", RULE_FILES)
def test_every_file_has_a_class(file: str) -> None:
    lines = Path(rule_path(file)).read_text("utf-8").splitlines()
    assert any(line.startswith("; Class: ") or "  Class: " in line for line in lines[:6])


@NAMED("rule", OURS, ids=lambda r: r.name)
def test_has_a_comment(rule: Rule) -> None:
    assert rule.summary


@NAMED("rule", RULES, ids=lambda r: r.name)
def test_cannot_grow_without_bound(rule: Rule) -> None:
    assert list(dangers(rule)) == []


@NAMED("rule", [r for r in RULES if r.right is not None], ids=lambda r: r.name)
def test_both_sides_have_one_type(rule: Rule) -> None:
    for typing in typings(rule):
        assert isinstance(rule.left, Call)
        assert misfit(rule.right, type_of(rule.left.args[0], typing), typing) is None, typing


# ---------------------------------------------------------------- firing


@pytest.fixture(scope="module")
def graph() -> Rules:
    """All rules, and those of the documentation."""
    texts = [("user", DECLARED), (DOCUMENTATION, render(documented()).text)]
    return Rules([rule_path(name) for name in RULE_FILES], texts)


@NAMED("rule", RULES, ids=lambda r: r.name)
def test_fires(rule: Rule, graph: Rules) -> None:
    """On its own left side the rule matches, and makes both sides one class."""
    if rule.ruleset == "facts":
        return _fact_fires(rule, graph)
    if isinstance(rule.left, Call) and rule.left.name in ("Rounded", "Wrapped"):
        return _helper_fires(rule, graph)
    build = _Build(rule, *_sample(rule))
    definitions, right = build.definitions(), build.right()
    graph.push()
    try:
        graph.load(definitions)
        graph.state(build.facts())
        graph.run("(saturate (run facts))")
        if rule.right is not None:
            graph.run("(repeat 2 (run bounds) (run fast-facts))")
        own = rule.file == DOCUMENTATION
        graph.run(f"(run {user_ruleset(rule.ruleset) if own else rule.ruleset})")
        assert graph.report.num_matches_per_rule.get(rule.name, 0) > 0
        graph.run("(repeat 3 (seq (run fold) (run vector)))")
        classes = graph.freeze().classes
        assert right is None or classes[LEFT] == classes[right]
    finally:
        graph.pop()
    return None


def _helper_fires(rule: Rule, graph: Rules) -> None:
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


def _fact_fires(rule: Rule, graph: Rules) -> None:
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


def _sample(rule: Rule) -> tuple[Typing, dict[str, Any]]:
    """Types and values that meet a rule's conditions."""
    rng = np.random.default_rng(1)
    for typing in typings(rule):
        for at in indices(typing)[0]:
            drawn = draw(rule, typing, at, 1000, rng)
            met = np.flatnonzero(drawn.held)
            if met.size:
                values = {n: point(v, int(met[0])) for n, v in drawn.values.items()}
                return typing, values
    raise AssertionError(f"{rule.name}: no values meet its conditions")


class _Build:
    """A rule's sides as terms: variables become leaves, constants literals."""

    def __init__(self, rule: Rule, typing: Typing, values: dict[str, Any]) -> None:
        self.rule, self.typing, self.values = rule, typing, values
        self.constants = constants_of(rule.conditions)
        conditions = [f.left for f in rule.conditions if isinstance(f.left, Call)]
        self.opened = {next(iter(variables(c))) for c in conditions if c.name == "open"}
        self.ids = {name: 10 + n for n, name in enumerate(typing.expressions)}

    def definitions(self) -> list[Definition]:
        made = [Definition(i, self._variable(n)) for n, i in self.ids.items()]
        made.append(Definition(LEFT, self._term(self.rule.left)))
        if self.right() == RIGHT:
            assert self.rule.right is not None
            made.append(Definition(RIGHT, self._term(self.rule.right)))
        return made

    def facts(self) -> list[Stated]:
        """What the conditions say of variables, true of their values."""
        found = []
        for call in (p for f in self.rule.conditions for side in f.sides for p in walk(side)):
            if isinstance(call, Call) and call.args and isinstance(call.args[0], Var):
                name = call.args[0].name
                if call.name in RELATIONS and call.name not in SHAPES:
                    found.append(Stated(self.ids[name], call.name))
                elif call.name in FUNCTIONS and name not in self.constants:
                    found.append(Stated(self.ids[name], call.name, self._bound(call.name, name)))
        return found

    def _bound(self, fact: str, name: str) -> int | float:
        value = self.values[name]
        parts = value if isinstance(value, tuple) else (value,)
        found = min(parts) if fact in ("least", "low") else max(parts)
        return found if isinstance(found, float) else int(found)

    def right(self) -> int | None:
        """The value that the left side must become equal to; None if only folding can tell."""
        right = self.rule.right
        if right is None:
            return None
        if isinstance(right, Var):
            return self.ids[right.name]
        helpers = {p.name for p in walk(right) if isinstance(p, Call)} & {"Rounded", "Wrapped"}
        return None if helpers else RIGHT

    def _variable(self, name: str) -> Term:
        t = self.typing.expressions[name]
        if name in self.constants:
            value = self.values[name]
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
        return Term(name, type_of(pattern.args[0], self.typing), args)

    def _argument(self, sort: str, pattern: Pattern) -> Any:
        if sort == "T":
            return type_of(pattern, self.typing)
        if sort == "E":
            if isinstance(pattern, Var):
                return Ref(self.ids[pattern.name])
            return self._term(pattern)
        machine = Machine(self.typing, 1, self.values, np.random.default_rng(1))
        return machine.number(pattern).item()


def _constant(t: Type, value: Any) -> Term:
    if isinstance(t, Vector):
        return Term("Splat", t, (_constant(t.elem, value),))
    if isinstance(value, float):
        return Term("Lit", t, (value,))
    return Term("Int", t, (int(value),))
