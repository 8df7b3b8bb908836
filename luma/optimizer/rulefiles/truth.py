"""Whether a rule is true: proved where it is about bools and integers, tried where about floats."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from luma.language.types import (
    HALF,
    Array,
    Matrix,
    Scalar,
    Struct,
    Type,
    element,
    is_float,
    scalar_of,
)
from luma.optimizer.rulefiles import proof
from luma.optimizer.rulefiles.machine import Unknown
from luma.optimizer.rulefiles.sampling import POINTS, Counterexample, try_rule
from luma.optimizer.rulefiles.tree import Call, Rule, is_term, walk
from luma.optimizer.rulefiles.typings import Typing, typings


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known of a rule's truth.

    ``proved`` counts the types at which it is proved; ``points`` those it was tried on elsewhere,
    ``worst`` its greatest error there (fast rules).  ``open`` are types at which the solver gave
    up.  ``unknown`` tells what has no meaning for values, so that nothing could be judged.
    """

    proved: int = 0
    points: int = 0
    worst: float = 0.0
    open: int = 0
    unknown: str = ""
    counterexample: Counterexample | None = None

    @property
    def summary(self) -> str:
        """The verdict in some words."""
        if self.counterexample is not None:
            return "wrong"
        if self.unknown:
            return f"not checked: {self.unknown}"
        parts = []
        if self.proved:
            parts.append(f"proved at {self.proved} type{'s' * (self.proved != 1)}")
        if self.open:
            parts.append(f"not proved at {self.open} type{'s' * (self.open != 1)}")
        if self.points:
            error = f", error up to {self.worst:.1g}" if self.worst else ""
            parts.append(f"tried on {self.points} points{error}")
        return "; ".join(parts) or "not checked"


def judge(rule: Rule, points: int = POINTS) -> Verdict:
    """Prove or try a rule at every type that it matches."""
    if not is_term(rule.left):
        return Verdict(unknown="it is about types")
    if rule.right is None and not rule.states:
        return Verdict(unknown="it only hides terms")
    called = next((p for p in walk(rule.left) if isinstance(p, Call) and p.name in _CALLS), None)
    if called is not None:
        return Verdict(unknown="it is about a function of the shader's")
    proved, opened = 0, 0
    to_try: list[Typing] = []
    ways = typings(rule)
    for typing in ways[:: math.ceil(len(ways) / MOST_TYPES) or 1]:
        answer = False if opened >= MOST_OPEN else _proved(rule, typing)
        if isinstance(answer, proof.Refuted):
            return Verdict(proved, counterexample=_counterexample(answer))
        proved += answer is True
        opened += answer is False
        if answer is not True:
            to_try.append(typing)
    if not to_try:
        none = "" if proved else "the types of its terms do not follow from what they state"
        return Verdict(proved, unknown=none)
    try:
        tried = try_rule(rule, to_try, points)
    except Unknown as what:
        return Verdict(unknown=f"{what} has no meaning for values")
    none = "" if proved or tried.points else "no values meet its conditions"
    return Verdict(proved, tried.points, tried.worst, opened, none, tried.counterexample)


#: A rule is judged at so many of its types, and proved no more where the solver gave up so often.
MOST_TYPES, MOST_OPEN = 300, 2

_CALLS = frozenset(f"Call{n}" for n in range(10))


def _proved(rule: Rule, typing: Typing) -> proof.Refuted | bool | None:
    """The solver's answer, None if the rule is nothing for it."""
    if rule.right is None:
        return None
    try:
        return proof.prove(rule, typing)
    except (Unknown, KeyError):
        return None


def _counterexample(refuted: proof.Refuted) -> Counterexample:
    remark = "" if refuted.left != refuted.right else "the right side has no specified value"
    return Counterexample(
        refuted.typing, refuted.values, refuted.left, refuted.right, refuted.type, remark
    )


# ---------------------------------------------------------------- counterexamples in words


def told(example: Counterexample) -> str:
    """A counterexample as values of shaders: ``x = -0.0: left 0.0, right -0.0``."""
    values = [f"{name} = {shown(value, t)}" for name, (t, value) in example.values.items()]
    text = ", ".join(values)
    if example.right is None:
        return f"{text}: of {shown(example.left, example.type)} {example.remark}"
    sides = f"left {shown(example.left, example.type)}, right {shown(example.right, example.type)}"
    return f"{text}: {sides}" + (f" ({example.remark})" if example.remark else "")


def shown(value: object, t: Type | None) -> str:
    """A value as Luma writes it."""
    if isinstance(value, tuple):
        if t is None or isinstance(t, Array | Struct):
            inner = [element(t, n) if t is not None else None for n in range(len(value))]
            parts = ", ".join(shown(v, k) for v, k in zip(value, inner, strict=True))
            return f"{{{parts}}}"
        inner_type = t.column if isinstance(t, Matrix) else scalar_of(t)
        return f"{t}({', '.join(shown(v, inner_type) for v in value)})"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and isinstance(t, Scalar) and is_float(t):
        return str(np.float16(value) if t == HALF else np.float32(value))
    return str(value)
