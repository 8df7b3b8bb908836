"""All that can be told of a rule file without running it: errors, warnings, and what is true."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from luma.diagnostics import Diagnostic, Level, Reporter
from luma.optimizer.rulefiles.growth import dangers
from luma.optimizer.rulefiles.read import RuleFile, known_by_us, ours, read
from luma.optimizer.rulefiles.render import called_in, render
from luma.optimizer.rulefiles.tree import Call, Rule, is_term, walk
from luma.optimizer.rulefiles.typings import is_typed, known_type, misfit, typings
from luma.optimizer.user import refusal


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule and what is known of its truth, in words."""

    rule: Rule
    verdict: str


@dataclass(frozen=True, slots=True)
class Report:
    """What came of checking some files."""

    files: tuple[RuleFile, ...]
    findings: tuple[Finding, ...]
    diagnostics: tuple[Diagnostic, ...]


class NeedsLibraries(Exception):
    """NumPy or z3 is not installed."""


def check(files: Sequence[tuple[str, str]], points: int | None = None) -> Report:
    """Check rule files (names and texts), each knowing those before it.

    Files of Luma's own, by their text, are checked as what they are.  Floats are tried on
    ``points`` points.  Raises NeedsLibraries.
    """
    own = {file.source.text: file for file in ours()}
    known = known_by_us()
    read_files: list[RuleFile] = []
    for name, text in files:
        file = own[text] if text in own else read(name, text, known)
        known = known if text in own else file.known
        read_files.append(file)
    found: list[Diagnostic] = []
    findings: list[Finding] = []
    for file in read_files:
        found += file.diagnostics
        for rule in file.rules:
            report = Reporter(file.source)
            findings.append(Finding(rule, _check(rule, report, points)))
            found += report.diagnostics
    users = [render(file) for file in read_files if file.source.text not in own]
    if users and not any(d.level is Level.ERROR for d in found):
        reason = refusal(users)
        if reason is not None:
            found.append(
                Diagnostic(Level.ERROR, "E0901", f"egglog does not take the rules: {reason}")
            )
    return Report(tuple(read_files), tuple(findings), tuple(found))


def _check(rule: Rule, report: Reporter, points: int | None) -> str:
    if not rule.summary:
        report.warning("W0980", rule.span, f"the rule '{rule.name}' has no comment above it",
                       help="say in a line what it does")  # fmt: skip
    for danger, help in dangers(rule):
        report.warning("W0981", rule.span, f"'{rule.name}': {danger}", help=help)
    if not _check_types(rule, report):
        return "wrong"
    return _check_truth(rule, report, points)


def _check_types(rule: Rule, report: Reporter) -> bool:
    """Report a rule that fits no types, or whose sides differ in type."""
    if not isinstance(rule.left, Call) or not is_term(rule.left) or called_in(rule.left):
        return True
    fitting = typings(rule)
    if not fitting and not _mentions_other_terms(rule):
        report.error("E0909", rule.left.span, f"'{rule.name}' matches nothing at any types",
                     help="see the signatures in the reference")  # fmt: skip
        return False
    for typing in fitting:
        t = known_type(rule.left.args[0], typing)
        wrong = None if t is None else misfit(rule.right, t, typing)
        if wrong is not None:
            types: Mapping[str, object] = {**typing.types, **typing.expressions}
            at = ", ".join(f"{name}: {kind}" for name, kind in types.items())
            report.error("E0909", wrong.span, f"this is not of the type {t} that it has to be",
                         help=f"where {at}")  # fmt: skip
            return False
    return True


def _mentions_other_terms(rule: Rule) -> bool:
    """Whether types do not follow from the terms: those of memory, names and kept operations."""
    return any(isinstance(p, Call) and is_term(p) and not is_typed(p) for p in walk(rule.left))


def _advice(rule: Rule, left: object) -> str | None:
    while isinstance(left, tuple):
        left = left[0]
    if rule.fast or not isinstance(left, float):
        return None
    return "a fast rule may assume NaN, infinities and -0.0 away, and round"


def _check_truth(rule: Rule, report: Reporter, points: int | None) -> str:
    try:
        from luma.optimizer.rulefiles.sampling import POINTS
        from luma.optimizer.rulefiles.truth import judge, told
    except ImportError as fault:
        raise NeedsLibraries(fault.name) from None
    verdict = judge(rule, points or POINTS)
    if verdict.counterexample is not None:
        kind = "a fast" if rule.fast else "an exact"
        report.error("E0910", rule.span, f"'{rule.name}' is not true as {kind} rule",
                     notes=[(told(verdict.counterexample), None)],
                     help=_advice(rule, verdict.counterexample.left))  # fmt: skip
    elif verdict.open or (verdict.unknown and is_term(rule.left) and not rule.hides):
        report.warning("W0982", rule.span, f"'{rule.name}' is {verdict.summary}")
    return verdict.summary
