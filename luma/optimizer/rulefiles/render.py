"""A user's commands as text for the e-graph: one a line, calls spelled out, rulesets our own."""

from __future__ import annotations

import json
from dataclasses import dataclass

from luma.language.numbers import f32
from luma.optimizer.rulefiles.calls import CALL, Blocks, spelled
from luma.optimizer.rulefiles.parts import number_of
from luma.optimizer.rulefiles.read import Command, RuleFile
from luma.optimizer.rulefiles.sexpr import Atom, Expr, Form, String
from luma.optimizer.rulefiles.tree import Call, Literal, Pattern, Rule, is_fast, walk
from luma.source import SourceSpan

#: The rulesets that a user's rules are put into, whatever they call theirs: these are run in bounds
#: of their own.
EXACT, FAST, FACTS = "user-exact", "user-fast", "user-facts"


@dataclass(frozen=True, slots=True)
class Replacement:
    """A rule about calls: the functions whose calls it matches, and the calls it makes instead.

    ``calls`` are names with numbers of arguments.
    """

    rule: str
    matched: frozenset[str]
    calls: frozenset[tuple[str, int]]
    place: SourceSpan

    @property
    def called(self) -> frozenset[str]:
        """The functions that it calls."""
        return frozenset(name for name, _ in self.calls)


@dataclass(frozen=True, slots=True)
class UserRules:
    """A user's rule file, ready for the e-graph.  ``fast``: some of its rules are only fast."""

    name: str
    text: str
    replacements: tuple[Replacement, ...]
    fast: bool = False

    @property
    def functions(self) -> frozenset[str]:
        """The functions of the shader whose calls the rules match."""
        return frozenset(n for r in self.replacements for n in r.matched)


def render(file: RuleFile) -> UserRules:
    """The commands of a file that has no errors."""
    lines = [_command(c) for c in file.commands if c.form.head != "ruleset"]
    replacements = tuple(filter(None, map(_replacement, file.rules)))
    fast = any(rule.fast for rule in file.rules)
    return UserRules(file.name, "\n".join(lines) + "\n", replacements, fast)


def user_ruleset(ruleset: str) -> str:
    """Where the rules of a ruleset go."""
    if ruleset == "facts":
        return FACTS
    return FAST if is_fast(ruleset) else EXACT


def _command(command: Command) -> str:
    blocks = Blocks()
    form = command.form
    rule = form.head in ("rewrite", "rule")
    parts: list[str] = []
    positions = 0
    items = list(form.items)
    while items:
        item = items.pop(0)
        if rule and isinstance(item, Atom) and item.text == ":ruleset":
            name = items.pop(0)
            assert isinstance(name, Atom)
            parts += [":ruleset", user_ruleset(name.text)]
            continue
        if rule and not isinstance(item, Atom | String):
            positions += 1
            blocks.matched = positions == 2  # the third, if any, are conditions again
        parts.append(_shown(item, blocks))
    return f"({' '.join(parts)})"


def _shown(expr: Expr, blocks: Blocks) -> str:
    match expr:
        case Atom(text):
            number = number_of(text)
            return text if number is None else repr(_single(number))
        case String(text):
            return json.dumps(text, ensure_ascii=False)
        case Form((Atom(head), *args)) if head == CALL and len(args) >= 2:
            block = blocks.name()
            type_, name, *rest = (_shown(a, blocks) for a in args)
            return f"({' '.join([str(spelled(len(rest))), type_, name, block, *rest])})"
        case Form(items):
            return f"({' '.join(_shown(i, blocks) for i in items)})"


def _single(number: int | float) -> int | float:
    """A number as shaders have it."""
    return f32(number) if isinstance(number, float) else number


def _replacement(rule: Rule) -> Replacement | None:
    matched = called_in(rule.left)
    if not matched:
        return None
    return Replacement(rule.name, matched, _calls_in(rule.right), rule.place)


def called_in(pattern: Pattern | None) -> frozenset[str]:
    """The functions of the shader that a pattern calls."""
    return frozenset(name for name, _ in _calls_in(pattern))


def _calls_in(pattern: Pattern | None) -> frozenset[tuple[str, int]]:
    """The same with the numbers of their arguments."""
    return frozenset(
        (str(p.args[1].value), len(p.args) - 3)
        for p in walk(pattern)
        if isinstance(p, Call) and _is_call(p) and isinstance(p.args[1], Literal)
    )


def _is_call(call: Call) -> bool:
    return call.name.startswith(CALL) and call.name[len(CALL) :].isdigit()
