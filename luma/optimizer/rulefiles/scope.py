"""What the variables of a rule are, and whether each name is used as its signature says."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from luma.diagnostics import Reporter
from luma.optimizer.rulefiles.tree import Call, Fact, Literal, Pattern, Var, variables, walk
from luma.optimizer.rulefiles.vocabulary import (
    EXPR,
    FLOAT,
    INT,
    PARTIAL,
    PRIMITIVES,
    STRING,
    TYPE,
    Signature,
    Vocabulary,
)
from luma.optimizer.schema import CONSTRUCTORS
from luma.source import Span


class Scope:
    """The sorts of one rule's variables, learnt from where they stand."""

    def __init__(self, words: Vocabulary, report: Reporter) -> None:
        self.words, self.report = words, report
        self.sorts: dict[str, str] = {}
        self.silent = False

    # ------------------------------------------------------------ sorts

    def learn(self, patterns: Iterable[tuple[Pattern, str | None]]) -> None:
        """Find the sorts of the variables in patterns, and what contradicts them."""
        known = list(patterns)
        self.silent = True
        for _ in range(2):
            for pattern, sort in known:
                self.check(pattern, sort)
        self.silent = False
        for pattern, sort in known:
            self.check(pattern, sort)

    def _error(self, code: str, span: Span, message: str, help: str | None = None) -> None:
        if not self.silent:
            self.report.error(code, span, message, help=help)

    def check(self, pattern: Pattern, expected: str | None) -> str | None:
        """The sort of a pattern; reports what does not fit."""
        match pattern:
            case Var(name, span):
                found = self.sorts.get(name)
                if found is None and expected is not None:
                    self.sorts[name] = found = expected
            case Literal(value, span):
                found = STRING if isinstance(value, str) else _number(value)
            case Call(span=span):
                found = self._call(pattern, expected)
        if found is not None and expected is not None and found != expected:
            what = _MEANING.get(expected, expected)
            self._error("E0903", span, f"here {what} is expected, not {_MEANING.get(found, found)}",
                        _hint(pattern, expected))  # fmt: skip
            return None
        return found

    def _call(self, call: Call, expected: str | None) -> str | None:
        signatures = self.words.get(call.name)
        if signatures is None:
            self._unknown(call)
            return None
        fitting = [s for s in signatures if len(s.args) == len(call.args)]
        if not fitting:
            self._arity(call, signatures[0])
            return signatures[0].result
        if len(fitting) > 1:
            sorts = [self.sort(a) for a in call.args]
            agreeing = [s for s in fitting if _agrees(s, sorts, expected)]
            if not agreeing:
                self._disagreement(call, sorts, expected)
                return None
            fitting = agreeing
        self._own_number(call)
        chosen = fitting[0]
        certain = len(fitting) == 1
        for argument, sort in zip(call.args, chosen.args, strict=True):
            self.check(argument, sort if certain else None)
        return chosen.result if certain else None

    def _own_number(self, call: Call) -> None:
        """Report the number of a leaf or a block that is written out: the shader numbers them."""
        constructor = CONSTRUCTORS.get(call.name)
        if constructor is None or not (constructor.pinned or call.name == "Leaf"):
            return
        number = call.args[1 + constructor.sorts.index("I")]
        if not isinstance(number, Var):
            self._error("E0903", number.span, "the shader tells this number, and no rule",
                        "use a variable, the same on both sides")  # fmt: skip

    def _disagreement(self, call: Call, sorts: list[str | None], expected: str | None) -> None:
        """Report operands that no form of a primitive takes together, or not for such a result."""
        given = list(dict.fromkeys(_MEANING.get(s, s) for s in sorts if s is not None))
        if len(given) == 1 and expected is not None:
            message = f"here {_MEANING.get(expected, expected)} is expected, not {given[0]}"
        else:
            message = f"'{call.name}' cannot take {' and '.join(given)}"
        self._error("E0903", call.span, message)

    def sort(self, pattern: Pattern) -> str | None:
        """The sort of a pattern, as far as it is known without asking for one."""
        silent, self.silent = self.silent, True
        before = dict(self.sorts)
        found = self.check(pattern, None)
        self.silent, self.sorts = silent, before
        return found

    def _unknown(self, call: Call) -> None:
        name = Span(call.span.start + 1, call.span.start + 1 + len(call.name))
        near = difflib.get_close_matches(call.name, self.words, 1, 0.6)
        folded = {w.lower(): w for w in self.words}
        close = folded.get(call.name.lower().replace("_", "")) or (near[0] if near else None)
        self._error(
            "E0902", name, f"there is no term, fact or function '{call.name}'",
            f"did you mean '{close}'?" if close else "docs/writing-rules.md tells the terms' names",
        )  # fmt: skip

    def _arity(self, call: Call, signature: Signature) -> None:
        form = " ".join([call.name, *map(_short, signature.args)])
        count = len(signature.args)
        self._error(
            "E0903", call.span,
            f"'{call.name}' takes {count} argument{'s' * (count != 1)}, not {len(call.args)}",
            f"its form is ({form})" + "; the type comes first" * (signature.kind == "term"),
        )  # fmt: skip

    # ------------------------------------------------------------ variables

    def bind(self, left: Pattern, facts: Iterable[Fact]) -> set[str]:
        """The variables that a left side and its conditions give a value; reports the others."""
        facts = list(facts)
        bound = self._given(left)
        pending = list(facts)
        while pending:
            later = [f for f in pending if not self._binds(f, bound)]
            if len(later) == len(pending):
                break
            pending = later
        self.demand(left, bound | {n for f in facts for n in variables_of(f)})
        for fact in facts:
            for name, span in _free(fact, bound):
                self._error(
                    "E0905", span,
                    f"'{name}' stands in a condition only, where it would match anything",
                    "a condition may speak of what the left side names",
                )  # fmt: skip
                bound.add(name)
        return bound

    def _binds(self, fact: Fact, bound: set[str]) -> bool:
        """Let a condition whose operands are known give values to the rest of its variables."""
        sides = fact.sides
        if isinstance(fact.left, Call) and fact.left.name == "=" and len(fact.left.args) == 2:
            sides = fact.left.args
        if len(sides) == 2:
            for a, b in (sides, sides[::-1]):
                if variables(b) <= bound and isinstance(a, Var):
                    bound.add(a.name)
                    return True
                if isinstance(a, Var) and a.name in bound and self._is_term(b):
                    bound |= self._given(b)
                    return True
        elif isinstance(fact.left, Call) and self._is_relation(fact.left):
            mine = self._given(fact.left)
            if mine & bound or not mine:
                bound |= mine
                return True
        return variables_of(fact) <= bound

    def _given(self, pattern: Pattern) -> set[str]:
        """The variables that a pattern gives a value where it matches: not what it computes of."""
        if isinstance(pattern, Var):
            return {pattern.name}
        if not isinstance(pattern, Call):
            return set()
        if any(s.kind in ("primitive", "function") for s in self.words.get(pattern.name, ())):
            return set()
        return {name for a in pattern.args for name in self._given(a)}

    def _is_term(self, pattern: Pattern) -> bool:
        return isinstance(pattern, Call) and any(
            s.kind in ("term", "helper") for s in self.words.get(pattern.name, ())
        )

    def _is_function(self, call: Call) -> bool:
        return any(s.kind == "function" for s in self.words.get(call.name, ()))

    def _is_relation(self, call: Call) -> bool:
        return any(s.kind == "relation" for s in self.words.get(call.name, ())) or self._is_term(
            call
        )

    def demand(self, pattern: Pattern, bound: set[str]) -> None:
        """Report the variables of a right side that nothing gives a value."""
        for p in walk(pattern):
            if isinstance(p, Var) and p.name not in bound:
                near = difflib.get_close_matches(p.name, bound, 1, 0.5)
                self._error(
                    "E0904", p.span, f"nothing gives '{p.name}' a value",
                    f"did you mean '{near[0]}'?" if near else "the left side has to name it",
                )  # fmt: skip

    def demand_plain(self, pattern: Pattern, *, stated: bool = False) -> None:
        """Report functions asked for where egglog does not look them up: in terms."""
        for p in walk(pattern):
            if isinstance(p, Call) and self._is_function(p) and not (stated and p is pattern):
                self._error(
                    "E0908", p.span, f"'{p.name}' may have no value here",
                    f"in the body and in :when that is no match: (= v ({p.name} x))",
                )  # fmt: skip

    def demand_value(self, pattern: Pattern, *, stated: bool = False) -> None:
        """Report what may have no value; on a right side that would end the run.

        A function may be ``stated`` there, to which something gives a value.
        """
        self.demand_plain(pattern, stated=stated)
        for p in walk(pattern):
            if not isinstance(p, Call) or p.name not in PRIMITIVES or not p.args:
                continue
            sort = self.sort(p.args[0]) or self.sort(p)
            if p.name in PARTIAL.get(sort or INT, ()):
                self._error(
                    "E0908", p.span, f"'{p.name}' may have no value here",
                    "compute it in the body of a rule, where that is no match: (= v (...))",
                )  # fmt: skip


def _number(value: int | float) -> str:
    return FLOAT if isinstance(value, float) else INT


def _agrees(s: Signature, sorts: list[str | None], expected: str | None) -> bool:
    if expected is not None and s.result != expected:
        return False
    return all(known in (None, sort) for known, sort in zip(sorts, s.args, strict=True))


def variables_of(fact: Fact) -> set[str]:
    """The variables of a condition."""
    return {name for side in fact.sides for name in variables(side)}


def _free(fact: Fact, bound: set[str]) -> list[tuple[str, Span]]:
    found = [p for side in fact.sides for p in walk(side) if isinstance(p, Var)]
    return [(p.name, p.span) for p in found if p.name not in bound]


_MEANING = {
    TYPE: "a type", EXPR: "an expression", INT: "an integer", FLOAT: "a float", STRING: "a string",
}  # fmt: skip

_SHORT = {TYPE: "type", EXPR: "expression", INT: "integer", FLOAT: "float", STRING: "string"}


def _short(sort: str) -> str:
    return _SHORT.get(sort, sort)


def _hint(pattern: Pattern, expected: str) -> str | None:
    match pattern, expected:
        case Literal(int() as value), "f64":
            return f"write {value}.0"
        case Literal(float() as value), "Expr":
            return f"a float is a term with its type: (Lit t {value})"
        case Literal(int() as value), "Expr":
            return f"an integer is a term with its type: (Int t {value})"
    return None
