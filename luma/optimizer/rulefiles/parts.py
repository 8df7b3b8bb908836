"""The parts of a command: options, conditions, the term that a rule's body speaks of."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from luma.optimizer.rulefiles.sexpr import Atom, Expr, Form
from luma.optimizer.rulefiles.tree import Call, Fact, Pattern, Var, replaced, variables


def options_of(form: Form) -> tuple[list[Expr], dict[str, Expr | None]]:
    """The parts of a form and its options, by their names."""
    parts: list[Expr] = []
    options: dict[str, Expr | None] = {}
    rest = list(form.items[1:])
    while rest:
        item = rest.pop(0)
        if not (isinstance(item, Atom) and item.text.startswith(":")):
            if options:
                options["a part behind the options"] = None
            parts.append(item)
        elif item.text in options:
            options[f"a second {item.text}"] = None
        elif item.text == ":subsume" or not rest:
            options[item.text] = None
        else:
            options[item.text] = rest.pop(0)
    return parts, options


def demands_of(facts: Sequence[Fact]) -> list[tuple[Pattern, str | None]]:
    """The conditions as patterns, whose sorts they tell."""
    found: list[tuple[Pattern, str | None]] = []
    for fact in facts:
        if fact.right is None:
            found.append((fact.left, None))
        else:
            found.append((Call("=", (fact.left, fact.right), fact.left.span), None))
    return found


def root_of(
    facts: Sequence[Fact], is_term: Callable[[Pattern | None], bool]
) -> tuple[tuple[str, Pattern] | None, list[Fact]]:
    """The first term of a body with its variable, other terms put in; and the remaining facts."""
    rest: list[Fact] = []
    terms: dict[str, Pattern] = {}
    for n, fact in enumerate(facts):
        sides = fact.sides
        if is_term(fact.left) and fact.right is None:
            sides = (Var(f"_{n}"), fact.left)
        for a, b in (sides, sides[::-1]) if len(sides) == 2 else ():
            if isinstance(a, Var) and is_term(b) and a.name not in terms:
                terms[a.name] = b
                break
        else:
            rest.append(fact)
    if not terms:
        return None, rest
    name, left = next(iter(terms.items()))
    del terms[name]
    for _ in range(len(terms)):
        inner = {n: t for n, t in terms.items() if n in variables(left)}
        if not inner:
            break
        left = replaced(left, inner)
        terms = {n: t for n, t in terms.items() if n not in inner}
        rest = [fact_with(f, inner) for f in rest]
    rest += [Fact(Var(n), t) for n, t in terms.items()]
    return (name, left), rest


def fact_with(fact: Fact, by: Mapping[str, Pattern]) -> Fact:
    """The fact with variables replaced."""
    right = None if fact.right is None else replaced(fact.right, by)
    return Fact(replaced(fact.left, by), right)


_INTEGER = re.compile(r"[+-]?[0-9]{1,40}")
_FLOAT = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")

#: Atoms that egglog takes for values of its own, which no rule may use.
RESERVED = frozenset({"NaN", "inf", "-inf", "true", "false"})


def number_of(text: str) -> int | float | None:
    """The number that an atom is to egglog, if it is one; an integer of over 64 bits is a float."""
    if _INTEGER.fullmatch(text) and -(1 << 63) <= int(text) < 1 << 63:
        return int(text)
    return float(text) if _FLOAT.fullmatch(text) else None
