"""Optimizing with a user's rules beside Luma's own, and without them if they do harm."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from luma.diagnostics import Diagnostic, Level
from luma.ir.effects import function_effects
from luma.ir.module import Function, Module
from luma.ir.verify import verify
from luma.language.builtins import Effect
from luma.optimizer import levels
from luma.optimizer.apart import APART, GivenUp
from luma.optimizer.egraph import RULE_FILES
from luma.optimizer.levels import LEVELS, Pass
from luma.optimizer.levels import Level as OptLevel
from luma.optimizer.loads import forward_loads
from luma.optimizer.memory import promote
from luma.optimizer.products import Depths
from luma.optimizer.rewrite import Normalize, Phase, Plan, Step, rewrite
from luma.optimizer.rulefiles.read import known_by_us, read
from luma.optimizer.rulefiles.render import EXACT, FACTS, FAST, Replacement, UserRules, render
from luma.optimizer.schema import CYCLE, INSTRUCTION
from luma.optimizer.stated import given

#: One round of a user's rules: a rule that matches more often than this sits out.
MATCHES = 4_000


@lru_cache(maxsize=8)
def load(
    files: tuple[tuple[str, str], ...],
) -> tuple[tuple[UserRules, ...], tuple[Diagnostic, ...]]:
    """The rules of some files (names and texts), each knowing those before it.

    Gives what is wrong with them too; rules of a file with errors are not there.
    """
    known = known_by_us()
    rules: list[UserRules] = []
    found: list[Diagnostic] = []
    for name, text in files:
        file = read(name, text, known)
        found += file.diagnostics
        known = file.known
        if not any(d.level is Level.ERROR for d in file.diagnostics):
            rules.append(render(file))
    return tuple(rules), tuple(found)


def refusal(rules: Sequence[UserRules]) -> str | None:
    """Why the e-graph does not take some rules, None if it does."""
    try:
        plan = plan_with(LEVELS["basic"].plans["fast"], "fast", rules)
        APART.saturate([], Depths({}, {}), plan, [""])
    except GivenUp as reason:
        return str(reason)
    return None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The optimized module, what could not be optimized, and why user's rules were given up.

    ``used`` are the rules that were not.
    """

    module: Module
    warnings: tuple[str, ...]
    given_up: tuple[str, ...]
    used: tuple[UserRules, ...] = ()


def optimize(
    module: Module,
    level: str,
    fp: str | None,
    rules: Sequence[UserRules],
    target: str | None = None,
) -> Outcome:
    """:func:`luma.optimizer.optimize` with a user's rules as well.

    Rules that exceed their bounds, contradict themselves or make something ill-typed are left out:
    file by file if there are several, as one may be to blame.
    """
    if level == "none" or not rules:
        done, warnings = levels.optimize(module, level, fp=fp, target=target)
        return Outcome(done, warnings, ())
    outcome = _tried(module, level, fp, rules, target)
    if isinstance(outcome, Outcome):
        return outcome
    reasons = [f"the rules of {_named(rules)} were not used: {outcome}"]
    if len(rules) > 1:
        answers = {file: _tried(module, level, fp, [file], target) for file in rules}
        good = [file for file, answer in answers.items() if isinstance(answer, Outcome)]
        again = _tried(module, level, fp, good, target) if 0 < len(good) < len(rules) else None
        if isinstance(again, Outcome):
            reasons = [
                f"the rules of {file.name} were not used: {answer}"
                for file, answer in answers.items()
                if not isinstance(answer, Outcome)
            ]
            return replace(again, given_up=tuple(reasons))
    done, warnings = levels.optimize(module, level, fp=fp, target=target)
    return Outcome(done, warnings, tuple(reasons))


def idle(level: str, fp: str | None, rules: Sequence[UserRules]) -> tuple[str, ...]:
    """Which files have rules that a level cannot use, as it keeps results bit for bit."""
    if level == "none" or (fp or LEVELS[level].fp) == "fast":
        return ()
    why = "under strict floating point results stay bit for bit"
    return tuple(f"the fast rules of {f.name} are not used: {why}" for f in rules if f.fast)


def _named(rules: Sequence[UserRules]) -> str:
    return ", ".join(file.name for file in rules)


def _tried(
    module: Module, level: str, fp: str | None, rules: Sequence[UserRules], target: str | None
) -> Outcome | str:
    """The module optimized with rules, or why it could not be."""
    try:
        chosen = level_with(level, rules, fp)
        done, warnings = levels.optimize(module, chosen, fp=fp, target=target)
    except GivenUp as reason:
        return str(reason)
    except Exception as fault:  # what they made may break any assumption of what comes after
        return f"what they made cannot be used ({type(fault).__name__}: {fault})"
    problems = verify(done)
    if problems or any("a pass broke it" in w for w in warnings):
        return f"what they made is ill-typed ({(problems or warnings)[0]})"
    return Outcome(done, warnings, (), tuple(rules))


# ---------------------------------------------------------------- levels and plans


def level_with(level: str, rules: Sequence[UserRules], fp: str | None = None) -> OptLevel:
    """A level that runs a user's rules too: first of all those about the shader's functions.

    ``fp`` as in :func:`luma.optimizer.optimize`.
    """
    chosen = LEVELS[level]
    plans = {mode: plan_with(plan, mode, rules) for mode, plan in chosen.plans.items()}
    passes = chosen.passes
    if any(file.functions for file in rules):
        plan = plans[fp or chosen.fp]
        early: tuple[Pass, ...] = (_promoted, forward_loads, _replacing(rules, plan))
        passes = (*early, *passes)
    return replace(chosen, passes=passes, plans=plans)


def plan_with(plan: Plan, fp: str, rules: Sequence[UserRules]) -> Plan:
    """A plan whose rounds each begin with the user's rules; under ``strict``, the exact ones."""
    steps = tuple(_step_with(step, fp) for step in plan.phases)
    texts = tuple((file.name, file.text) for file in rules)
    user = (("user", DECLARED), *texts)
    # all files, as conditions may ask for any fact
    return replace(plan, phases=steps, files=RULE_FILES, user=user, instead=None)


#: What the text of a user's rules takes for granted.
DECLARED = "".join(f"(ruleset {name})\n" for name in (EXACT, FAST, FACTS))


def _step_with(step: Step, fp: str) -> Step:
    match step:
        case Normalize():
            return step
        case Phase(schedule, rounds):
            rulesets = [FACTS, FACTS, EXACT] + [FAST] * (fp == "fast")
            runs = " ".join(f"(run-with bounded {name})" for name in rulesets)
            scheduler = f"(back-off :match-limit {MATCHES} :ban-length 5)"
            bounded = f"(let-scheduler bounded {scheduler})"
            return Phase(f"(seq {bounded} {runs} {schedule})", rounds)


# ---------------------------------------------------------------- rules about functions


def _promoted(module: Module) -> Module:
    """Local memory as values, so that arguments can be seen."""
    functions = tuple(promote(f) for f in module.functions)
    if all(a is b for a, b in zip(functions, module.functions, strict=True)):
        return module
    return replace(module, functions=functions)


def _replacing(rules: Sequence[UserRules], plan: Plan) -> Pass:
    """The pass that rewrites calls of functions, before these are inlined."""
    replacements = [r for file in rules for r in file.replacements]

    def replace_calls(module: Module) -> Module:
        return _with_calls_replaced(module, replacements, plan)

    return replace_calls


def _with_calls_replaced(module: Module, replacements: Sequence[Replacement], plan: Plan) -> Module:
    pure = {name for name, effect in function_effects(module).items() if effect in _FREE}
    matched = frozenset(n for r in replacements for n in r.matched) & pure
    called = {n for r in replacements if r.matched <= pure for n in r.called}
    kept = _reached(module, called)  # a function must not come to call itself
    chosen = [f for f in module.functions if f.name not in kept and _calls(f) & matched]
    if not chosen:
        return module
    plan = replace(plan, calls=matched, prices=_prices(module), given=given(module.globals))
    done, _ = rewrite(chosen, plan)
    by_name = {f.name: f for f in done}
    functions = [by_name.get(f.name, f) for f in module.functions]
    made = replace(module, functions=tuple(_callees_first(functions)))
    problems = verify(made)
    if problems:
        raise GivenUp(f"what they made is ill-typed ({problems[0]})")
    return made


def _prices(module: Module) -> tuple[tuple[str, int], ...]:
    """What calling each function costs: its operations, and those of what it calls."""
    prices: dict[str, int] = {}
    for function in module.functions:  # callees come first
        own = [i for i in function.instructions() if i.op not in ("const", "global", "access")]
        inner = sum(prices[str(i.imm[0])] for i in own if i.op == "call")
        prices[function.name] = inner + (CYCLE + INSTRUCTION) * (1 + len(own))
    return tuple(prices.items())


#: What may be computed anywhere or not at all: a loop may not end, but the call stays in its block.
_FREE = (Effect.PURE, Effect.PARTIAL)


def _calls(function: Function) -> frozenset[str]:
    return frozenset(str(i.imm[0]) for i in function.instructions() if i.op == "call")


def _reached(module: Module, names: Iterable[str]) -> set[str]:
    reached = set(names)
    for function in reversed(module.functions):  # callers come after their callees
        if function.name in reached:
            reached |= _calls(function)
    return reached


def _callees_first(functions: Sequence[Function]) -> list[Function]:
    """The functions with callees before their callers, else in their order."""
    by_name = {f.name: f for f in functions}
    done: dict[str, Function] = {}

    def place(function: Function) -> None:
        if function.name not in done:
            for name in sorted(_calls(function)):
                place(by_name[name])
            done[function.name] = function

    for function in functions:
        place(function)
    return list(done.values())


def called_functions(rules: Sequence[UserRules]) -> frozenset[str]:
    """The functions that rules may call instead of others: to be kept though nothing calls them."""
    return frozenset(n for file in rules for r in file.replacements for n in r.called)


def misplaced(module: Module, rules: Sequence[UserRules]) -> tuple[Diagnostic, ...]:
    """What is wrong with the functions that rules call where they match some of the module's."""
    effects = function_effects(module)
    takes = {f.name: len(f.params) for f in module.functions}
    found: list[Diagnostic] = []
    for file in rules:
        for rule in file.replacements:
            if not rule.matched <= effects.keys():
                continue
            for name, count in sorted(rule.calls):
                problem = None
                if name not in effects:
                    problem = f"the shader has no function '{name}'"
                elif takes[name] != count:
                    problem = f"the function '{name}' has {takes[name]} parameters, not {count}"
                elif effects[name] not in _FREE:
                    problem = f"the function '{name}' does more than compute its result"
                if problem is not None:
                    message = f"{problem}, which the rule '{rule.rule}' calls"
                    found.append(Diagnostic(Level.ERROR, "E0911", message, rule.place))
    return tuple(found)
