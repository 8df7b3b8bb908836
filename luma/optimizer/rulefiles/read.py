"""Reading a rule file: its commands, rules and declarations, and what is wrong with them."""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TypeAlias

from luma.diagnostics import Diagnostic, Reporter
from luma.language.numbers import f32
from luma.optimizer.egraph import RULE_FILES, rule_path
from luma.optimizer.rulefiles.calls import CALL, Blocks, spelled
from luma.optimizer.rulefiles.parts import (
    RESERVED,
    demands_of,
    fact_with,
    number_of,
    options_of,
    root_of,
)
from luma.optimizer.rulefiles.scope import Scope
from luma.optimizer.rulefiles.sexpr import (
    Atom,
    Comment,
    Expr,
    Form,
    String,
    SyntaxProblem,
    read_text,
)
from luma.optimizer.rulefiles.tree import (
    HELPERS,
    Call,
    Fact,
    Literal,
    Pattern,
    Rule,
    Var,
    is_term,
    replaced,
    walk,
)
from luma.optimizer.rulefiles.vocabulary import EXPR, SORTS, TYPE, Signature, Vocabulary, own
from luma.source import Source, Span


@dataclass(frozen=True, slots=True)
class Known:
    """What earlier files have declared: names, rulesets, and rules (by name, with their files)."""

    words: Vocabulary
    rulesets: frozenset[str] = frozenset()
    rules: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Command:
    """A command for egglog, and the ruleset of the rule that it is."""

    form: Form
    ruleset: Atom | None = None


@dataclass(frozen=True, slots=True)
class RuleFile:
    """A rule file in parts; unusable if some diagnostic is an error."""

    source: Source
    rules: tuple[Rule, ...]
    commands: tuple[Command, ...]
    comments: tuple[Comment, ...]
    known: Known
    declared: frozenset[str]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def name(self) -> str:
        """The path that it was read under."""
        return self.source.name


def read(name: str, text: str, known: Known, *, trusted: bool = False) -> RuleFile:
    """Read a file; ``known`` is what it may use.  A ``trusted`` one may declare terms of its own.

    Never raises: what is wrong is in the diagnostics.
    """
    return _Reader(Source.plain(text, name), known, trusted).run()


@cache
def ours() -> tuple[RuleFile, ...]:
    """Luma's own rule files, in the order of loading.  Raises AssertionError if one is broken."""
    files: list[RuleFile] = []
    known = Known(own())
    for name in RULE_FILES:
        text = Path(rule_path(name)).read_text(encoding="utf-8")
        found = read(name, text, known, trusted=True)
        assert not found.diagnostics, found.diagnostics[0].render()
        files.append(found)
        known = found.known
    return tuple(files)


def known_by_us() -> Known:
    """What a user's file may use: all that Luma's own files declare."""
    return ours()[-1].known


_ALLOWED = "(ruleset, relation, function, rewrite, rule, and facts of relations)"
_OPTIONS = {":when", ":ruleset", ":name", ":subsume"}


class _Reader:
    def __init__(self, source: Source, known: Known, trusted: bool) -> None:
        self.source, self.trusted = source, trusted
        self.words = dict(known.words)
        self.rulesets = set(known.rulesets)
        self.names = dict(known.rules)
        self.declared: set[str] = set()
        self.report = Reporter(source)
        self.rules: list[Rule] = []
        self.commands: list[Command] = []
        self.comments: tuple[Comment, ...] = ()
        self.blocks = Blocks()

    def run(self) -> RuleFile:
        try:
            text = read_text(self.source.text)
        except SyntaxProblem as problem:
            self.report.error("E0901", problem.span, problem.message)
        else:
            self.comments = text.comments
            for form in text.forms:
                self._command(form)
        known = Known(self.words, frozenset(self.rulesets), self.names)
        return RuleFile(
            self.source, tuple(self.rules), tuple(self.commands), self.comments, known,
            frozenset(self.declared), self.report.diagnostics,
        )  # fmt: skip

    def _error(self, code: str, span: Span, message: str, help: str | None = None) -> None:
        self.report.error(code, span, message, help=help)

    # ------------------------------------------------------------ commands

    def _command(self, form: Form) -> None:
        before = self.report.error_count
        self.blocks = Blocks()
        ruleset: Atom | None = None
        match form.head:
            case "ruleset":
                self._ruleset(form)
            case "relation" | "function":
                self._declaration(form)
            case "constructor" if self.trusted:
                self._declaration(form)
            case "rewrite" | "rule":
                ruleset = self._rule(form)
            case "set":
                self._fact(form, form.items[1:])
            case str(head) if any(s.kind == "relation" for s in self.words.get(head, ())):
                self._fact(form, (form,))
            case head:
                self._foreign(form, head)
        if self.report.error_count == before:
            self.commands.append(Command(form, ruleset))

    def _foreign(self, form: Form, head: str | None) -> None:
        near = difflib.get_close_matches(head or "", ("ruleset", "relation", "function", "rewrite",
                                                      "rule"), 1, 0.7)  # fmt: skip
        help = f"did you mean '{near[0]}'?" if near else f"it may have {_ALLOWED}"
        if head == "birewrite":
            help = "write a rule for each direction; each has a name, and may grow"
        what = f"'{head}'" if head else "this"
        self._error("E0907", form.span, f"a rule file cannot have the command {what}", help)

    def _ruleset(self, form: Form) -> None:
        match form.items:
            case (_, Atom(name)):
                if not self.trusted and name in self.rulesets:
                    self._error("E0906", form.span, f"there is a ruleset '{name}' already",
                                "use it without declaring it")  # fmt: skip
                self.rulesets.add(name)
                self.declared.add(name)
            case _:
                self._error("E0901", form.span, "the form of this command is (ruleset NAME)")

    def _declaration(self, form: Form) -> None:
        kind = str(form.head)
        match form.items:
            case (_, Atom(name) as at, Form(items), *rest):
                args = tuple(self._sort(i) for i in items)
                result = EXPR if kind == "constructor" else None
                if kind == "function" and rest:
                    result = self._sort(rest[0])
                if name in self.words:
                    self._error("E0906", at.span, f"the name '{name}' is taken")
                self.words[name] = (
                    Signature("helper" if kind == "constructor" else kind, args, result),
                )
                self.declared.add(name)
                if kind == "function":
                    self._merging(form, rest[1:])
            case _:
                end = " SORT" if kind == "function" else ""
                shape = f"({kind} NAME (SORT...){end})"
                self._error("E0901", form.span, f"the form of this command is {shape}")

    def _merging(self, form: Form, options: Sequence[Expr]) -> None:
        """What a function may say about two values: nothing, or how they make one."""
        match options:
            case [Atom(":no-merge")]:
                return
            case [Atom(":merge"), merge]:
                scope = Scope(self.words, self.report)
                pattern = self._pattern(merge)
                sort = self.words[str(form.items[1].text)][0].result  # type: ignore[union-attr]
                scope.sorts = {"old": str(sort), "new": str(sort)}
                scope.learn([(pattern, sort)])
                scope.demand(pattern, {"old", "new"})
                # without a value it is a contradiction, as all is without :merge
            case _:
                help = "end with :no-merge, or with :merge (min old new)"
                self._error("E0901", form.span, "what if two rules give it two values?", help)

    def _sort(self, item: Expr) -> str:
        if isinstance(item, Atom) and item.text in SORTS:
            return item.text
        self._error("E0902", item.span, "this is no sort", f"a sort is one of {', '.join(SORTS)}")
        return EXPR

    def _fact(self, form: Form, parts: Sequence[Expr]) -> None:
        """A fact of a term: one of the file's own, as nobody could check one of ours."""
        patterns = [self._pattern(p) for p in parts]
        scope = Scope(self.words, self.report)
        scope.learn([(_together(patterns, form.span), None)])
        for p in patterns:
            scope.demand(p, set())
            scope.demand_value(p, stated=p is patterns[0])
        stated = patterns[0] if patterns else None
        if not self.trusted and isinstance(stated, Call) and stated.name in known_by_us().words:
            self._error("E0907", form.span, f"what '{stated.name}' tells has to follow from a rule",
                        "say (rule ((= e TERM)) (FACT) :ruleset facts ...)")  # fmt: skip

    # ------------------------------------------------------------ rules

    def _rule(self, form: Form) -> Atom | None:
        parts, options = options_of(form)
        for name, value in options.items():
            if name not in _OPTIONS or (name != ":subsume" and value is None):
                self._error("E0901", form.span, f"'{name}' is no option, or lacks its value",
                            f"a rule may say {', '.join(sorted(_OPTIONS))}")  # fmt: skip
                return None
        if len(parts) != 2:
            shapes = {
                "rewrite": "(rewrite LEFT RIGHT ...)",
                "rule": "(rule (BODY...) (ACTION...) ...)",
            }
            self._error("E0901", form.span, f"the form of a rule is {shapes[str(form.head)]}")
            return None
        ruleset = self._ruleset_of(form, options)
        name = self._name_of(form, options)
        before = self.report.error_count
        if form.head == "rewrite":
            made = self._rewrite(form, parts, options)
        else:
            made = self._general(form, parts)
        if made is not None and ruleset is not None and self.report.error_count == before:
            left, right, facts, states, subsumes = made
            subsumes = subsumes or ":subsume" in options
            self.rules.append(
                Rule(name, ruleset.text, left, right, facts, states, subsumes, self._above(form),
                     form.span, self.source)
            )  # fmt: skip
        return ruleset

    def _ruleset_of(self, form: Form, options: Mapping[str, Expr | None]) -> Atom | None:
        ruleset = options.get(":ruleset")
        if not isinstance(ruleset, Atom):
            self._error("E0906", form.span, "this rule is in no ruleset",
                        "say :ruleset exact, or fast if it may change rounding")  # fmt: skip
            return None
        if ruleset.text not in self.rulesets:
            near = difflib.get_close_matches(ruleset.text, self.rulesets, 1, 0.5)
            help = f"did you mean '{near[0]}'?" if near else f"declare it: (ruleset {ruleset.text})"
            self._error("E0902", ruleset.span, f"there is no ruleset '{ruleset.text}'", help)
        return ruleset

    def _name_of(self, form: Form, options: Mapping[str, Expr | None]) -> str:
        name = options.get(":name")
        if not isinstance(name, String) or not name.text:
            self._error("E0906", form.span, "this rule has no name", 'say :name "what-it-does"')
            return ""
        if name.text in self.names:
            self._error("E0906", name.span,
                        f"a rule of {self.names[name.text]} has the name '{name.text}' already",
                        "names tell rules apart in every report")  # fmt: skip
        self.names[name.text] = self.source.name
        return name.text

    def _above(self, form: Form) -> tuple[str, ...]:
        """The comment lines right above a command."""
        text = self.source.text
        lines: list[str] = []
        end = text.rfind("\n", 0, form.span.start)
        while end >= 0:
            start = text.rfind("\n", 0, end) + 1
            line = text[start:end].strip()
            if not line.startswith(";"):
                break
            lines.append(line.lstrip(";").strip())
            end = start - 1
        return tuple(reversed(lines))

    def _rewrite(
        self, form: Form, parts: Sequence[Expr], options: Mapping[str, Expr | None]
    ) -> _Parts | None:
        left = self._pattern(parts[0])
        self.blocks.matched = True
        right = self._pattern(parts[1])
        conditions = options.get(":when")
        if conditions is not None and not isinstance(conditions, Form):
            self._error("E0901", conditions.span, "the conditions stand in parentheses")
            return None
        facts = [self._condition(c) for c in conditions.items] if conditions else []
        scope = Scope(self.words, self.report)
        scope.learn([(left, EXPR), *demands_of(facts), (right, EXPR)])
        if not is_term(left):
            if not isinstance(left, Call) or left.name in self.words:
                self._error("E0903", parts[0].span, "the left side has to be a term")
            return None
        self._matchable(left)
        scope.demand_plain(left)
        bound = scope.bind(left, facts)
        scope.demand(right, bound)
        scope.demand_value(right)
        return left, right, tuple(facts), (), False

    def _general(self, form: Form, parts: Sequence[Expr]) -> _Parts | None:
        body, head = parts
        if not isinstance(body, Form) or not isinstance(head, Form):
            self._error("E0901", form.span, "the form of a rule is (rule (BODY...) (ACTION...))")
            return None
        facts = [self._condition(c) for c in body.items]
        self.blocks.matched = True
        actions = [self._pattern(a) for a in head.items]
        root, facts = root_of(facts, is_term)
        sort = EXPR
        if root is None:
            root, facts = root_of(facts, lambda p: isinstance(p, Call) and p.name == "VecT")
            sort = TYPE
        if root is None:
            self._error("E0903", body.span, "the body has to name a term",
                        "begin with (= e (Add t x y))")  # fmt: skip
            return None
        name, left = root
        self._matchable(left)
        scope = Scope(self.words, self.report)
        scope.learn([(left, sort), (Var(name), sort), *demands_of(facts)])
        bound = scope.bind(left, facts) | {name}
        made = self._actions(actions, (Var(name), left), scope, bound)
        if made is None:
            return None
        right, states, subsumes = made
        own = {name: left}
        return (
            left, right, tuple(fact_with(f, own) for f in facts),
            tuple(fact_with(f, own) for f in states), subsumes,
        )  # fmt: skip

    def _actions(
        self, actions: Sequence[Pattern], root: tuple[Var, Pattern], scope: Scope, bound: set[str]
    ) -> tuple[Pattern | None, list[Fact], bool] | None:
        lets: dict[str, Pattern] = {}
        right: Pattern | None = None
        states: list[Fact] = []
        subsumes = False
        used: list[tuple[Pattern, str | None]]
        for action in actions:
            action = replaced(action, lets)
            match action:
                case Call("let", (Var(name), value)):
                    lets[name] = value
                    used = [(value, None)]
                case Call("union", (a, b)) if right is None and (a in root or b in root):
                    right = b if a in root else a
                    used = [(a, EXPR), (b, EXPR)]
                case Call("union", (_, _)):
                    self._error("E0907", action.span,
                                "a rule makes one thing equal to the first term of its body",
                                "write a rule for each")  # fmt: skip
                    return None
                case Call("set", (Call() as place, value)):
                    states.append(Fact(place, value))
                    used = [(place, None), (value, None)]
                    scope.learn([(_together([place, value], action.span), None)])
                case Call("subsume", (Call() as term,)):
                    subsumes = True
                    used = [(term, EXPR)]
                case Call(name) if any(s.kind == "relation" for s in self.words.get(name, ())):
                    states.append(Fact(action))
                    used = [(action, None)]
                case _:
                    self._error("E0907", action.span, "a rule cannot do this",
                                "it may union, set, subsume, let, and state facts")  # fmt: skip
                    return None
            scope.learn(used)
            for pattern, _ in used:
                scope.demand(pattern, bound)
                scope.demand_value(pattern, stated=bool(states) and pattern == states[-1].left)
        return right, states, subsumes

    # ------------------------------------------------------------ patterns

    def _pattern(self, expr: Expr) -> Pattern:
        match expr:
            case String(text, span):
                return Literal(text, span)
            case Atom(text, span):
                number = number_of(text)
                if isinstance(number, float) and not self.trusted:
                    number = f32(number)
                if text in RESERVED or (isinstance(number, float) and not math.isfinite(number)):
                    self._error("E0903", span, f"'{text}' is no number that a term may hold",
                                "numbers are finite; a bool is a term: (Int (Bool) 1)")  # fmt: skip
                if number is not None:
                    return Literal(number, span)
                if text == "_":
                    return Var(f"_{span.start}", span)
                self._shadowing(text, span)
                return Var(text, span)
            case Form((Atom(head), *args), span) if head == CALL and len(args) >= 2:
                return self._user_call(args, span)
            case Form((Atom(name), *args), span):
                return Call(name, tuple(self._pattern(a) for a in args), span)
        self._error("E0901", expr.span, "a term begins with its name")
        return Literal(0, expr.span)

    def _user_call(self, args: Sequence[Expr], span: Span) -> Pattern:
        """(Call t "f" x y): the term of calls with so many arguments, in the block of the call.

        What the right side calls is called where the first call of the left side was.
        """
        if self.blocks.matched and self.blocks.count == 0:
            self._error("E0904", span, "the right side calls a function, the left side does not",
                        "what it calls is called in place of a call")  # fmt: skip
            self.blocks.count = 1
        block = Var(self.blocks.name(), span)
        parts = [self._pattern(a) for a in args]
        name = spelled(len(parts) - 2)
        if name is None:
            self._error("E0903", span, "a call has too many arguments for a term")
            return Literal(0, span)
        return Call(name, (*parts[:2], block, *parts[2:]), span)

    def _matchable(self, left: Pattern) -> None:
        """Refuse to match numbers on their way to a literal, where they are nothing's value."""
        for p in walk(left):
            if not self.trusted and isinstance(p, Call) and p.name in HELPERS:
                self._error("E0903", p.span, f"'{p.name}' is only for right sides",
                            "what it becomes is a Lit or an Int")  # fmt: skip

    def _shadowing(self, name: str, span: Span) -> None:
        """A name without parentheses is a variable, whatever else has that name."""
        if any(s.kind != "primitive" for s in self.words.get(name, ())):
            self._error("E0903", span, f"'{name}' without parentheses would be a variable",
                        f"write ({name})")  # fmt: skip

    def _condition(self, expr: Expr) -> Fact:
        pattern = self._pattern(expr)
        if isinstance(pattern, Call) and pattern.name == "=" and len(pattern.args) == 2:
            return Fact(*pattern.args)
        return Fact(pattern)


def _together(patterns: Sequence[Pattern], span: Span) -> Pattern:
    """A fact and what it tells, if it tells something: of one sort."""
    return patterns[0] if len(patterns) == 1 else Call("=", tuple(patterns), span)


_Parts: TypeAlias = "tuple[Pattern, Pattern | None, tuple[Fact, ...], tuple[Fact, ...], bool]"
