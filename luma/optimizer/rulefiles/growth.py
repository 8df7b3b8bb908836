"""Rules that may make the e-graph grow without bound, found by their form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from luma.optimizer.rulefiles.tree import (
    Call,
    Literal,
    Pattern,
    Rule,
    Var,
    calls,
    is_term,
    variables,
    walk,
)

#: Rulesets that run once or twice and never to the end, so that growing is bounded there.
BOUNDED = frozenset({"comm", "fast-comm", "fast-factor"})


def dangers(rule: Rule) -> Iterator[tuple[str, str]]:
    """What about a rule may make the graph explode, each with what to do about it."""
    left, right = rule.left, rule.right
    if right is None or not is_term(left):
        return
    if _is_small(right):
        if not rule.subsumes and not _helper(left):
            yield (
                "the right side drops operands, but the left side stays to be matched",
                "say :subsume, or other rules would match all that is now equal to it",
            )
        return
    if rule.subsumes and calls(right) > calls(left) and not _helper(left):
        yield (
            "the left side is hidden although the right side is larger",
            "leave :subsume out",
        )
    if rule.ruleset in BOUNDED or rule.subsumes or rule.remark("bounded") is not None:
        return
    if _turns_round(left, right):
        yield (
            "it turns operands round: every sum or product gets as many forms as it has orders",
            "write the other order out where a rule needs it",
        )
    elif _regroups(rule):
        yield (
            "it regroups operands: a chain of n has more than 2 to the n groupings",
            "let one operand be a constant: (= v (uniform k))",
        )
    elif _feeds_itself(left, right):
        yield (
            "its right side matches its left side again, and is larger",
            "state a condition that the new term does not meet",
        )
    shared = _factors(rule)
    if shared is not None:
        yield (
            f"two parts of the left side share '{shared}', and the right side builds terms: "
            "where a class has many forms (zero has), all pairs of them match",
            f"guard it: (!= {shared} ...), or let the other operands be constants",
        )


def _helper(left: Pattern) -> bool:
    return isinstance(left, Call) and left.name in ("Rounded", "Wrapped")


def _is_small(pattern: Pattern) -> bool:
    """Whether a pattern is a variable or a literal."""
    match pattern:
        case Var() | Literal() | Call("Lit" | "Int"):
            return True
        case Call("Splat", (_, inner)):
            return isinstance(inner, Call) and inner.name in ("Lit", "Int")
    return False


def _turns_round(left: Pattern, right: Pattern) -> bool:
    """(f x y) => (f y x)"""
    if not isinstance(left, Call) or not isinstance(right, Call) or left.name != right.name:
        return False
    plain = all(not is_term(a) for a in (*left.args, *right.args))
    return plain and left != right and Counter(left.args) == Counter(right.args)


def _regroups(rule: Rule) -> bool:
    """(f (f x y) z) => (f x (f y z)), no operand a constant"""
    left, right = rule.left, rule.right
    assert isinstance(left, Call) and isinstance(right, Call)
    inner = [a for a in left.args if is_term(a)]
    if len(inner) != 1 or not isinstance(inner[0], Call) or inner[0].name != left.name:
        return False
    if any(not isinstance(a, Var) for a in inner[0].args[1:]):
        return False
    if right.name != left.name or _names(left) != _names(right):
        return False
    constants = {n for f in rule.conditions for side in f.sides for n in variables(side)}
    counts = [Counter(p.name for p in walk(s) if isinstance(p, Var)) for s in (left, right)]
    distinct = all(counts[0][n] == 1 for n in variables(left) - _types(left))
    return distinct and counts[0] == counts[1] and not constants & (variables(left) - _types(left))


def _names(pattern: Pattern) -> Counter[str]:
    return Counter(p.name for p in walk(pattern) if isinstance(p, Call))


def _types(pattern: Pattern) -> set[str]:
    return {
        n for p in walk(pattern) if isinstance(p, Call) and is_term(p) for n in variables(p.args[0])
    }


def _feeds_itself(left: Pattern, right: Pattern) -> bool:
    """Whether the left side matches some part of the right side otherwise than as itself."""
    if calls(right) <= calls(left):
        return False
    for part in walk(right):
        found: dict[str, Pattern] = {}
        itself = not is_term(part) or not _matches(left, part, found)
        if not itself and any(p != Var(name) for name, p in found.items()):
            return True
    return False


def _matches(pattern: Pattern, term: Pattern, found: dict[str, Pattern]) -> bool:
    match pattern:
        case Var(name):
            return found.setdefault(name, term) == term
        case Call(name, args):
            if not isinstance(term, Call) or term.name != name or len(args) != len(term.args):
                return False
            return all(_matches(a, b, found) for a, b in zip(args, term.args, strict=True))
    return pattern == term


def _factors(rule: Rule) -> str | None:
    """The variable that two parts of the left side share, beside other variables of each."""
    left, right = rule.left, rule.right
    assert isinstance(left, Call) and right is not None
    guarded = {n for f in rule.conditions for side in f.sides for n in variables(side)}
    parts = [a for a in left.args if is_term(a)]
    own = [_operands(p) for p in parts]
    for n, first in enumerate(own):
        for second in own[n + 1 :]:
            shared = (first & second) - guarded
            apart = first - second and second - first and not guarded & (first | second)
            if shared and apart and sum(is_term(p) for p in walk(right)) > 1:
                return min(shared)
    return None


def _operands(pattern: Pattern) -> set[str]:
    return variables(pattern) - _types(pattern)
