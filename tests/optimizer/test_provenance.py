"""What is told of rules is true: the code is the same, and every step an instance of its rule."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

import luma
from luma.ir.module import Module
from luma.language.builtins import OPERATIONS
from luma.language.numbers import f32
from luma.optimizer.egraph import Rules
from luma.optimizer.levels import optimize
from luma.optimizer.provenance.forest import SORTS, Forest, Vertex
from luma.optimizer.provenance.recording import HELPER_SORTS, recorders
from luma.optimizer.provenance.replay import Firing
from luma.optimizer.provenance.watch import Watch
from luma.optimizer.rulefiles.read import ours
from luma.optimizer.rulefiles.scope import variables_of
from luma.optimizer.rulefiles.tree import Rule
from luma.optimizer.schema import CONSTRUCTORS
from luma.optimizer.term import Definition, Ref, Term
from luma.stack import run_deep
from tests.harness.cases import shader_files
from tests.ir.random_ir import random_module
from tests.ir.random_programs import Generator, source
from tests.optimizer.sources import lowered

#: Shaders that between them fire most kinds of rules: loops, matrices, integers, vectors.
SHADERS = (
    "fxaa.luma", "joint_skinning.luma", "noise.luma", "pbr_four_lights.luma", "raymarcher.luma",
    "fft_stage.luma", "color_space.luma", "depth_of_field.luma",
)  # fmt: skip


def _module(name: str) -> Module:
    path = shader_files()[name]
    return luma.lower(luma.check(luma.parse(path.read_text(), str(path))))


def _watched(module: Module, level: str, fp: str | None = None) -> tuple[Watch, Module]:
    watch = Watch()
    done, _ = run_deep(lambda: optimize(module, level, fp=fp, watcher=watch))
    return watch, done


LEVELS = [("basic", None), ("aggressive", None), ("aggressive", "strict")]


@pytest.mark.parametrize(("level", "fp"), LEVELS)
@pytest.mark.parametrize("name", SHADERS)
def test_the_code_is_that_of_a_compile(name: str, level: str, fp: str | None) -> None:
    module = _module(name)
    watch, done = _watched(module, level, fp)
    assert done == luma.optimize(module, level, fp=fp)
    assert set(watch.accounts) == {f.name for f in done.functions}
    for account in watch.accounts.values():
        assert account.replay.unknown == 0


@pytest.mark.parametrize("seed", [1020, *range(5)])  # in 1020 egglog forgets a type
def test_of_random_programs_too(seed: int) -> None:
    for module in (random_module(seed, 60), lowered(source(Generator(seed).body()))):
        for level, fp in (("basic", "strict"), ("aggressive", "fast")):
            watch, done = _watched(module, level, fp)
            assert done == luma.optimize(module, level, fp=fp)
            assert all(account.replay.unknown == 0 for account in watch.accounts.values())


@pytest.mark.parametrize("name", SHADERS)
def test_savings_add_up(name: str) -> None:
    watch, _ = _watched(_module(name), "aggressive")
    for account in watch.accounts.values():
        before, savings = account.savings()
        assert before - sum(s.saved for s in savings) == account.chosen.cost
        assert {s.rule for s in savings} == {f.rule for f in account.used}
        assert account.used <= set(account.firings())


def test_ways_lead_from_the_source_to_the_choice() -> None:
    watch, _ = _watched(_module("pbr_four_lights.luma"), "aggressive")
    (account,) = watch.accounts.values()
    for v in account.values.values():
        if account.forest.final[v] in account.targets:
            at = v
            for hop in account.way(v):
                assert hop.start == at
                at = hop.end
            assert at == account.targets[account.forest.final[v]]


# ---------------------------------------------------------------- instances


def _alone(rule: Rule) -> Rules:
    """An e-graph that knows one rule, and the facts that its conditions may ask for."""
    commands: list[str] = []
    for file in ours():
        for command in file.commands:
            span = command.form.span
            mine = file.source is rule.source and span == rule.span
            kind = None if command.ruleset is None else command.ruleset.text
            states = span in {r.span for r in file.rules if r.right is None and r.states}
            if mine or states or kind in (None, "fold"):
                commands.append(" ".join(file.source.text[span.start : span.end].split("\n")))
    return Rules([], [("one rule", "\n".join(commands))])


def _reached(forest: Forest, roots: Iterable[Vertex]) -> list[Vertex]:
    """The terms under some, operands first."""
    found: dict[Vertex, None] = {}

    def visit(v: Vertex) -> None:
        if v not in found:
            for kid in forest.made[v].kids:
                visit(kid)
            found[v] = None

    for root in roots:
        visit(root)
    return list(found)


def _term(forest: Forest, v: Vertex) -> Term:
    """A term as the optimizer loads it; a helper term by the literal that it became."""
    made = forest.made[v]
    if made.constructor in HELPER_SORTS:
        literals = (forest.members.get((forest.final[v], name)) for name in ("Lit", "Int"))
        made = forest.made[next(found[0] for found in literals if found)]
    sorts = SORTS[made.constructor]
    args = [Ref(a) if s == "E" else a for s, a in zip(sorts, made.args, strict=True)]
    return Term(made.constructor, made.type, tuple(args))


def _asked(firing: Firing) -> list[Vertex]:
    """The terms that conditions speak of."""
    assert firing.recorder is not None
    rule = firing.recorder.rule
    names = {n for fact in rule.conditions for n in variables_of(fact)}
    return [firing.bound[n] for n in sorted(names) if n in firing.bound]


def _forms(forest: Forest, v: Vertex) -> list[Vertex]:
    """All terms that are equal to one: a fact may be known of any of them."""
    return [u for u, c in enumerate(forest.final) if c == forest.final[v]]


def _is_instance(firing: Firing, forest: Forest, rules: Rules) -> bool:
    """Whether the rule alone makes the firing's left side equal to its right side."""
    assert firing.recorder is not None
    asked = [(v, form) for v in _asked(firing) for form in _forms(forest, v)]
    pairs = [*firing.inner, *asked]
    known = _reached(forest, [firing.left, *(v for pair in pairs for v in pair)])
    rules.push()
    rules.load(Definition(v, _term(forest, v)) for v in known)
    rules.unite((Ref(a), _term(forest, b)) for a, b in pairs if a != b)
    stated = {r.ruleset for f in ours() for r in f.rules if r.right is None and r.states}
    known_facts = " ".join(f"(saturate (run {name}))" for name in sorted(stated))
    facts = f"(seq {known_facts} (saturate (run fold)) {known_facts})"
    rules.run(f"(seq {facts} (run {firing.recorder.rule.ruleset}) {facts})")
    every = dict.fromkeys([*known, *_reached(forest, [firing.right])])
    rules.load(Definition(v, _term(forest, v)) for v in every)
    classes = rules.freeze().classes
    rules.pop()
    return classes[firing.left] == classes[firing.right]


def _folds(firing: Firing, forest: Forest) -> bool:
    """Whether a rule that computes a literal has computed it right."""
    left, right = forest.made[firing.left], forest.made[firing.right]
    if right.constructor in HELPER_SORTS:
        row = OPERATIONS[CONSTRUCTORS[left.constructor].op]
        assert row.eval is not None
        forms = dict(firing.inner)
        value = row.eval(*(forest.made[forms.get(k, k)].args[0] for k in left.kids))
        return bool(right.args[0] == value)
    return bool(
        right.args[0] == (f32(left.args[0]) if left.constructor == "Rounded" else left.args[0])
    )


@pytest.mark.parametrize("name", SHADERS)
def test_every_step_is_an_instance_of_its_rule(name: str) -> None:
    watch, _ = _watched(_module(name), "aggressive")
    alone: dict[str, Rules] = {}
    try:
        for account in watch.accounts.values():
            forest = account.forest
            for firing in account.used:
                if firing.recorder is None:
                    continue
                ends = (forest.made[firing.left], forest.made[firing.right])
                if any(made.constructor in HELPER_SORTS for made in ends):
                    assert _folds(firing, forest), firing.rule
                    continue
                rules = alone.get(firing.rule) or _alone(firing.recorder.rule)
                alone[firing.rule] = rules
                assert _is_instance(firing, forest, rules), firing.rule
    finally:
        for rules in alone.values():
            rules.close()


def test_every_rule_that_rewrites_is_recorded() -> None:
    found = {r.rule.name for r in recorders(ours())}
    assert found == {r.name for f in ours() for r in f.rules if r.right is not None}


def test_rules_that_contradict_each_other() -> None:
    text = """
@entry(fragment)
function shade(x: float) -> (c: vec4)
    let zero = 0.0
    return { c = vec4(x / zero, (x * 2.0) / zero, (1.0 / zero) * zero, 1.0) }
end
"""
    module = luma.lower(luma.check(luma.parse(text)))
    watch, done = _watched(module, "aggressive")
    assert done == luma.optimize(module, "aggressive")
    assert set(watch.accounts) == {"shade"}
