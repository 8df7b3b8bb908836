"""Why the optimized code is what it is: rules that fired, what each saved, chains behind values.

:func:`explain` optimizes as :func:`luma.optimize` does, with an onlooker: the code that comes out
is the same, and everything told of it was seen while it was made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from luma.diagnostics import LumaError
from luma.faults import run_stage
from luma.pipeline import Options, front, kept_functions, load_rules, rule_text
from luma.selection import select_entries, selected
from luma.statistics import measure

if TYPE_CHECKING:
    from luma.ir.module import Function, Module
    from luma.optimizer.provenance.account import Account
    from luma.optimizer.provenance.forest import Vertex
    from luma.optimizer.provenance.replay import Firing
    from luma.optimizer.provenance.watch import Watch
    from luma.optimizer.rulefiles.render import UserRules
    from luma.optimizer.rulefiles.tree import Rule
    from luma.source import Source


@dataclass(frozen=True, slots=True)
class RuleUse:
    """What a rule did in one function.

    ``fired`` counts what it matched, ``changed`` those matches that told the optimizer something
    new, ``used`` those that the code rests on in the end.  ``saved`` is what the code became
    cheaper by, in tenths of a GPU's issue cycle; a rule that only opens the way for another saves
    nothing, or less.
    """

    name: str
    ruleset: str
    file: str
    line: int
    summary: str
    fired: int
    changed: int
    used: int
    saved: int


@dataclass(frozen=True, slots=True)
class Step:
    """``before`` became ``after`` by a rule, read from right to left if ``backward``.

    ``depth`` is 0 for the value itself and its operands, more for what had to be known before the
    next step of less depth.
    """

    rule: str
    before: str
    after: str
    backward: bool
    depth: int


@dataclass(frozen=True, slots=True)
class Derivation:
    """How a value that the author named came to be computed.

    ``outcome`` is ``rewritten``, ``as written``, ``input`` (a parameter, or what memory or a call
    gives), ``constant``, or ``not needed``; ``note`` says more.  ``line`` is the place in the
    source, as ``file:line``.
    """

    name: str
    function: str
    line: str
    source: str
    result: str
    outcome: str
    note: str = ""
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class FunctionExplanation:
    """One function of the optimized module.

    Or one that is ``inlined`` everywhere, and was rewritten before that because something is stated
    of its parameters.  ``before`` is its IR as lowered from the source, ``after`` as optimized or
    inlined.  ``cost_before`` is that of its expressions as the rules found them, ``cost_after`` as
    they left them, both 0 where no rules ran.
    """

    name: str
    before: str
    after: str
    instructions_before: int
    instructions_after: int
    cost_before: int
    cost_after: int
    rules: tuple[RuleUse, ...]
    values: tuple[Derivation, ...]
    inlined: bool = False


@dataclass(frozen=True, slots=True)
class PassEffect:
    """The instructions of each function before and after a pass; one that is not there has 0."""

    name: str
    functions: Mapping[str, tuple[int, int]]

    @property
    def changed(self) -> dict[str, tuple[int, int]]:
        """The functions whose size it changed."""
        return {name: pair for name, pair in self.functions.items() if pair[0] != pair[1]}


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why the code of a source is what it is, at one level.

    ``bytes_before`` and ``bytes_after`` are the sizes of the target's output at the level ``none``
    and at this one.  ``removed`` are the author's values that were gone before any rule ran.
    """

    target: str
    opt: str
    fp: str
    bytes_before: int
    bytes_after: int
    passes: tuple[PassEffect, ...]
    functions: tuple[FunctionExplanation, ...]
    removed: tuple[Derivation, ...]
    notes: tuple[str, ...]
    module: Module = field(repr=False)

    def why(self, name: str) -> tuple[Derivation, ...]:
        """The values of a name, or of a line (a number, or ``file:line``)."""
        every = [d for f in self.functions for d in f.values] + list(self.removed)
        named = [d for d in every if d.name == name]
        found = named or [d for d in every if name in (d.line, d.line.rpartition(":")[2])]
        return tuple(dict.fromkeys(found))  # what is inlined twice is told once

    def names(self) -> tuple[str, ...]:
        """The names that there are values of."""
        every = [d.name for f in self.functions for d in f.values]
        return tuple(dict.fromkeys(every + [d.name for d in self.removed]))

    def to_json(self) -> dict[str, Any]:
        """All of it as plain data."""
        whole = asdict(self)
        del whole["module"]
        return whole


def explain(
    source: str | bytes,
    options: Options | None = None,
    *,
    name: str = "<string>",
    **changes: Any,
) -> Explanation:
    """Explain what optimization makes of a source; arguments as of :func:`luma.compile`.

    All entry points that the options select are explained together.  Raises LumaError if the
    source has errors.  Takes several times as long as optimizing.
    """
    asked = replace(options or Options(), **changes)
    module, expanded, found = front(source, asked, name)
    if module is None:
        raise LumaError(found)
    part = selected(module, select_entries(module, asked), kept_functions(asked))
    outputs = measure(
        source, [asked.target], ["none", asked.opt], name=name, **_other_options(asked)
    )
    sizes = outputs[0].bytes, outputs[1].bytes
    return run_stage("explanation", lambda: _explain(part, expanded, asked, sizes))


def _other_options(options: Options) -> dict[str, Any]:
    """The options but for those that :func:`measure` is told otherwise."""
    every = {f.name: getattr(options, f.name) for f in fields(options)}
    return {k: v for k, v in every.items() if k not in ("target", "opt", "validate")}


def _explain(
    module: Module, source: Source, options: Options, sizes: tuple[int, int]
) -> Explanation:
    from luma.ir.reach import select
    from luma.ir.shape import size
    from luma.ir.text import print_function
    from luma.optimizer import levels, user
    from luma.optimizer.provenance.watch import Watch

    watch = Watch()
    rules = load_rules(options.rules, options.file_reader)
    used: tuple[UserRules, ...] = ()
    given_up: tuple[str, ...] = ()
    if rules:  # first where they can do no harm
        outcome = user.optimize(module, options.opt, options.fp, rules, options.target)
        used, given_up = outcome.used, outcome.given_up
    idle = user.idle(options.opt, options.fp, rules)
    level = user.level_with(options.opt, used) if used else options.opt
    target = options.target
    done, warnings = levels.optimize(module, level, fp=options.fp, target=target, watcher=watch)
    if user.called_functions(rules):
        done = select(done)  # functions may have been there for the rules only
    written = _rules_as_written(options)
    before = {f.name: f for f in module.functions}
    functions = []
    inlined = _inlined(watch, done)
    for function in (*inlined, *done.functions):
        account = watch.accounts.get(function.name)
        uses, cost = _uses(account, written)
        functions.append(
            FunctionExplanation(
                function.name,
                print_function(before[function.name]),
                print_function(function),
                size(before[function.name]),
                size(function),
                cost,
                account.chosen.cost if account else 0,
                uses,
                _derivations(account, source) if account else (),
                function in inlined,
            )
        )
    chosen = levels.LEVELS.get(options.opt)
    told = {(d.name, d.line) for f in functions if f.inlined for d in f.values}
    return Explanation(
        options.target,
        options.opt,
        options.fp or (chosen.fp if chosen else "strict"),
        *sizes,
        tuple(PassEffect(name, _sizes(a, b)) for name, a, b in watch.passes),
        tuple(functions),
        tuple(d for d in _removed(watch.passes, source) if (d.name, d.line) not in told),
        (*_nothing(options), *idle, *given_up, *watch.notes, *warnings),
        done,
    )


def _inlined(watch: Watch, done: Module) -> list[Function]:
    """The functions that are gone, as rules rewrote them before they were inlined."""
    from luma.optimizer.levels import USE_FACTS

    rewritten = watch.accounts.keys() - {f.name for f in done.functions}
    modules = (after for name, _, after in watch.passes if name == USE_FACTS)
    return [f for module in modules for f in module.functions if f.name in rewritten]


def _nothing(options: Options) -> tuple[str, ...]:
    return ("the level 'none' changes nothing",) if options.opt == "none" else ()


def _sizes(before: Module, after: Module) -> dict[str, tuple[int, int]]:
    from luma.ir.shape import size

    old, new = ({f.name: size(f) for f in m.functions} for m in (before, after))
    return {name: (old.get(name, 0), new.get(name, 0)) for name in {**old, **new}}


# ---------------------------------------------------------------- rules


def _rules_as_written(options: Options) -> dict[str, Rule]:
    """The rules of the user's files by name: the optimizer has them in words of its own."""
    from luma.optimizer.rulefiles.read import known_by_us, read

    known = known_by_us()
    found: dict[str, Rule] = {}
    for path in options.rules:
        file = read(path, rule_text(path, options.file_reader), known)
        known = file.known
        found |= {rule.name: rule for rule in file.rules}
    return found


def _uses(account: Account | None, written: Mapping[str, Rule]) -> tuple[tuple[RuleUse, ...], int]:
    """What each rule did, the most saving first; and what the function cost before."""
    if account is None:
        return (), 0
    before, savings = account.savings()
    saved: Counter[str] = Counter()
    for saving in savings:
        saved[saving.rule] += saving.saved
    fired, changed, used = (Counter[str]() for _ in range(3))
    first: dict[str, Firing] = {}
    for firing in account.firings():
        first.setdefault(firing.rule, firing)
        fired[firing.rule] += 1
        changed[firing.rule] += firing.effective
        used[firing.rule] += firing in account.used
    uses = [_use(f, written, fired[n], changed[n], used[n], saved[n]) for n, f in first.items()]
    return tuple(sorted(uses, key=lambda u: (-u.saved, -u.used, u.name))), before


def _use(
    firing: Firing,
    written: Mapping[str, Rule],
    fired: int,
    changed: int,
    used: int,
    saved: int,
) -> RuleUse:
    from luma.optimizer.provenance.replay import PRODUCTS, SUMMARY

    if firing.recorder is None:
        return RuleUse(PRODUCTS, "fast", "", 0, SUMMARY, fired, changed, used, saved)
    rule = written.get(firing.rule, firing.recorder.rule)
    return RuleUse(
        rule.name, rule.ruleset, rule.file, rule.line, rule.summary, fired, changed, used, saved
    )


# ---------------------------------------------------------------- values


def _place(function: Function, value: int, source: Source) -> str:
    span = function.spans.get(value)
    if span is None:
        return ""
    place = source.locate(span)
    return f"{place.file}:{place.line_start}"


def _derivations(account: Account, source: Source) -> tuple[Derivation, ...]:
    function = account.item.function
    named = {p.id: p.name for p in function.params} | dict(function.names)
    return tuple(
        _derivation(account, name, account.values[value], _place(function, value, source))
        for value, name in sorted(named.items())
        if value in account.values
    )


def _derivation(account: Account, name: str, v: Vertex, line: str) -> Derivation:
    made, final = account.forest.made[v], account.forest.final[v]
    function = account.item.function.name
    source = account.written.spell(v)
    if made.constructor == "Leaf":
        return Derivation(name, function, line, source, name, "input")
    if final not in account.targets:
        note = "what used it was rewritten so as not to"
        return Derivation(name, function, line, source, "", "not needed", note)
    target = account.targets[final]
    steps = tuple(_steps(account, v))
    outcome = "rewritten" if steps else "as written"
    if account.forest.made[target].constructor in ("Lit", "Int"):
        outcome = "constant"
    result = account.finished.spell(target)
    note = ""
    if account.forest.made[target].constructor == "Leaf":
        result = account.finished.name(target) or result
        note = f"it is equal to {result}"
    return Derivation(name, function, line, source, result, outcome, note, steps)


def _steps(account: Account, v: Vertex) -> Iterator[Step]:
    """The rules between a term as written and as computed, and those of its unnamed operands."""
    seen: set[tuple[Vertex, Vertex]] = set()
    met = {v}
    work = [v]
    for term in work:  # grows as operands are met
        target = account.targets[account.forest.final[term]]
        yield from _between(account, (term, target), 0, seen)
        kids = account.forest.made[target].kids
        work += [k for k in kids if k not in account.names and k not in met]
        met.update(kids)


def _between(
    account: Account, pair: tuple[Vertex, Vertex], depth: int, seen: set[tuple[Vertex, Vertex]]
) -> Iterator[Step]:
    from luma.optimizer.provenance.replay import Firing

    if pair in seen:
        return
    seen.add(pair)
    for hop in account.forest.path(*pair) or ():
        fired = isinstance(hop.reason, Firing)
        for inner in account.within(hop):
            yield from _between(account, inner, depth + fired, seen)
        if isinstance(hop.reason, Firing):
            before, after = account.written.spell(hop.start), account.written.spell(hop.end)
            yield Step(hop.reason.rule, before, after, hop.backward, depth)


_Passes = Sequence[tuple[str, "Module", "Module"]]


def _removed(passes: _Passes, source: Source) -> tuple[Derivation, ...]:
    """The values that had a name in the source and were gone when the rules began."""
    if not passes:
        return ()
    first, last = passes[0][1], passes[-1][1]
    kept = set(_named(last, source))
    found: list[Derivation] = []
    for function in first.functions:
        for value, name in sorted(function.names.items()):
            line = _place(function, value, source)
            if (name, line) not in kept:
                result, outcome, note = _fate(function, value, name, line, passes, source)
                found.append(Derivation(name, function.name, line, "", result, outcome, note))
    return tuple(dict.fromkeys(found))


def _named(module: Module, source: Source) -> Iterator[tuple[str, str]]:
    """The names of the values that a module has, each with its place."""
    from luma.ir.effects import value_types

    for function in module.functions:
        living = value_types(function)
        for value, name in function.names.items():
            if value in living:
                yield name, _place(function, value, source)


def _fate(
    function: Function, value: int, name: str, line: str, passes: _Passes, source: Source
) -> tuple[str, str, str]:
    """What became of a value that is gone: result, outcome and note."""
    from luma.optimizer.fold import fold

    made = {i.id: i for i in fold(function).instructions()}.get(value)
    if made is not None and made.op == "const":
        return str(made.imm[0]), "constant", "it was folded before any rule ran"
    step = _where(passes, name, line, source)
    if step == "inline" and any(p.id == value for p in function.params):
        note = "a parameter of an inlined function: see what the call gives it"
    elif step == "inline" and made is not None and made.op == "call":
        note = "a call that was inlined: see the values of the function"
    else:
        note = f"it was gone after the pass '{step}'"
    return "", "not needed", note


def _where(passes: _Passes, name: str, line: str, source: Source) -> str:
    """The pass after which a value was gone."""
    for step, _, after in passes:
        if (name, line) not in set(_named(after, source)):
            return step
    return passes[-1][0]
