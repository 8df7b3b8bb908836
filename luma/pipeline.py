"""From source to artifact: the stages in order, and the one call that runs them all.

Every function here works on strings; files are read only for ``#include``.  A stage reports what
is wrong with the input as diagnostics; a failure of the compiler itself becomes a diagnostic too
(``E0999``, naming the stage), so that ``compile`` never raises for any input.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from luma.diagnostics import Diagnostic, Level, LumaError, Reporter
from luma.faults import error, has_errors, run_stage
from luma.options import FP_MODES as FP_MODES
from luma.options import OPT_LEVELS as OPT_LEVELS
from luma.options import Options as Options
from luma.options import check_buffer, expect, expect_source, one_of, paths
from luma.selection import select_entries, selected, too_many
from luma.source import FileReader, Source

if TYPE_CHECKING:
    from luma.backends import Backend, Emitted
    from luma.frontend import syntax, typed
    from luma.ir.module import Module
    from luma.optimizer.rulefiles.render import UserRules
    from luma.optimizer.user import Outcome

#: Optimizes a module as some options ask, and gives warnings too.
Optimizer: TypeAlias = "Callable[[Module, Options], Optimized]"
#: An optimized module, and warnings.
Optimized: TypeAlias = "tuple[Module, tuple[Diagnostic, ...]]"


@dataclass(frozen=True)
class Parsed:
    """A syntax tree with the source it speaks of."""

    tree: syntax.Module
    source: Source
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True)
class Checked:
    """A typed tree (None if the source has errors) with its source."""

    tree: typed.Module | None
    source: Source
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True)
class Result:
    """What came of a compilation.

    ``output`` is the artifact (UTF-8 text or a binary), empty if there are errors; ``module`` the
    optimized IR it was made from.
    """

    output: bytes
    diagnostics: tuple[Diagnostic, ...]
    module: Module | None = None

    @property
    def success(self) -> bool:
        """Whether there is an output: no diagnostic is an error."""
        return not has_errors(self.diagnostics)

    @property
    def text(self) -> str:
        """The output of a text target.  Raises ValueError for a binary one."""
        try:
            return self.output.decode()
        except UnicodeDecodeError:
            raise ValueError("the output is a binary; its bytes are in `output`") from None

    @cached_property
    def hash(self) -> str | None:
        """SHA-256 (hexadecimal) of the canonical IR, or None if there are errors."""
        return None if self.module is None else hash_ir(self.module)


# ---------------------------------------------------------------- the stages, one by one


def parse(
    source: str | bytes,
    name: str = "<string>",
    *,
    include_dirs: Sequence[str] = (),
    file_reader: FileReader | None = None,
) -> Parsed:
    """Preprocess and parse a source.

    ``name`` is the path that diagnostics show and quoted includes are relative to.  The tree is
    usable even where there are errors; they are in ``diagnostics``.  Raises TypeError for what is
    no source or no path.
    """
    expect_source(source)
    shown, folders = os.fspath(name), paths("include_dirs", include_dirs)

    def run() -> Parsed:
        from luma.frontend.parser import parse as parse_source
        from luma.frontend.preprocess import preprocess

        expanded, found = preprocess(source, shown, include_dirs=folders, file_reader=file_reader)
        reporter = Reporter(expanded)
        tree = parse_source(expanded, reporter)
        return Parsed(tree, expanded, (*found, *reporter.diagnostics))

    return run_stage("parsing", run)


def check(parsed: Parsed) -> Checked:
    """Resolve names and types.  A tree with syntax errors is not checked further."""
    expect(parsed, Parsed, "luma.parse")
    if has_errors(parsed.diagnostics):
        return Checked(None, parsed.source, parsed.diagnostics)

    def run() -> Checked:
        from luma.frontend.check import check as check_tree

        reporter = Reporter(parsed.source)
        tree = check_tree(parsed.tree, reporter)
        found = (*parsed.diagnostics, *reporter.diagnostics)
        return Checked(None if has_errors(found) else tree, parsed.source, found)

    return run_stage("checking", run)


def lower(checked: Checked) -> Module:
    """The IR of a checked source.  Raises LumaError if it has errors."""
    expect(checked, Checked, "luma.check")
    tree = checked.tree
    if tree is None:
        raise LumaError([d for d in checked.diagnostics if d.level is Level.ERROR])

    def run() -> Module:
        from luma.ir.lower import lower as lower_tree

        return lower_tree(tree)

    return run_stage("lowering", run)


def optimize(
    module: Module,
    opt: str = "basic",
    *,
    fp: str | None = None,
    target: str | None = None,
    rules: Sequence[str] = (),
    file_reader: FileReader | None = None,
) -> Module:
    """The module optimized at a level; the keywords as in :class:`Options`.

    Without a ``target`` equal forms are chosen for none in particular.  Raises LumaError if there
    is no such target, and if a rule file cannot be read or has errors.
    """
    _expect_module(module)
    one_of("opt", opt, OPT_LEVELS)
    one_of("fp", fp, (None, *FP_MODES))
    if target is not None:
        backend_of(target)
    loaded = load_rules(paths("rules", rules), file_reader)
    return _optimize(module, opt, fp, loaded, (target,))[0][0]


def _expect_module(value: object) -> None:
    from luma.ir.module import Module

    expect(value, Module, "luma.lower")


def load_rules(
    paths: Sequence[str], file_reader: FileReader | None = None
) -> tuple[UserRules, ...]:
    """The rules of some files.  Raises LumaError (E0807, and those of rule files)."""
    if not paths:
        return ()
    files = tuple((path, rule_text(path, file_reader)) for path in paths)

    def run() -> tuple[UserRules, ...]:
        from luma.optimizer.user import load

        rules, found = load(files)
        if has_errors(found):
            raise LumaError([d for d in found if d.level is Level.ERROR])
        return rules

    return run_stage("reading rules", run)


def rule_text(path: str, file_reader: FileReader | None) -> str:
    """The text of a rule file.  Raises LumaError (E0807, E0101)."""
    found = _content(path, file_reader)
    if isinstance(found, str):
        return found
    if not isinstance(found, bytes):
        none = found is None
        raise _unreadable(path, "there is no such file" if none else "the reader gives no text")
    try:
        return found.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise LumaError([error("E0101", f"'{path}' is not UTF-8")]) from None


def _content(path: str, file_reader: FileReader | None) -> object:
    try:
        return file_reader(path) if file_reader else Path(path).read_bytes()
    except OSError as fault:
        raise _unreadable(path, fault.strerror or str(fault)) from None
    except Exception as fault:  # the caller's reader, or a path that no file can have
        raise _unreadable(path, repr(fault)) from None


def _unreadable(path: str, why: str) -> LumaError:
    return LumaError([error("E0807", f"cannot read '{path}': {why}")])


def _optimize(
    module: Module,
    opt: str,
    fp: str | None,
    rules: tuple[UserRules, ...],
    targets: Sequence[str | None],
) -> list[Optimized]:
    def run() -> list[Optimized]:
        from luma.optimizer import StrandedError, optimize_for

        try:
            if rules:
                return _optimize_with(module, opt, fp, rules, targets)
            return [
                (optimized, tuple(Diagnostic(Level.WARNING, "W0990", w) for w in warnings))
                for optimized, warnings in optimize_for(targets, module, opt, fp=fp)
            ]
        except StrandedError:
            problem = "this process was forked from one that had already optimized a shader"
            advice = "start workers with multiprocessing's spawn or forkserver method"
            raise LumaError([error("E0810", problem, advice)]) from None

    return run_stage("optimization", run)


def _optimize_with(
    module: Module,
    opt: str,
    fp: str | None,
    rules: tuple[UserRules, ...],
    targets: Sequence[str | None],
) -> list[Optimized]:
    from luma.optimizer import user
    from luma.optimizer.targets import selection_of

    wrong = user.misplaced(module, rules)
    if wrong:
        raise LumaError(wrong)
    idle = tuple(
        Diagnostic(Level.WARNING, "W0984", reason, help="use --opt=aggressive or --fp=fast")
        for reason in user.idle(opt, fp, rules)
    )
    chosen = {selection_of(target): target for target in targets}
    done = {
        s: _told(user.optimize(module, opt, fp, rules, target), rules, idle)
        for s, target in chosen.items()
    }
    return [done[selection_of(target)] for target in targets]


def _told(
    outcome: Outcome, rules: tuple[UserRules, ...], idle: tuple[Diagnostic, ...]
) -> Optimized:
    given_up = [Diagnostic(Level.WARNING, "W0983", reason) for reason in outcome.given_up]
    others = [Diagnostic(Level.WARNING, "W0990", w) for w in outcome.warnings]
    done = outcome.module
    if any(file.functions for file in rules) and done.entry_points:  # some are needed no more
        from luma.ir.reach import select

        done = select(done)
    return done, (*idle, *given_up, *others)


def emit(
    module: Module,
    target: str,
    *,
    debug: bool = False,
    source: Source | None = None,
    unoptimized: Module | None = None,
    first_buffer: int = 0,
    precise: bool = False,
) -> Emitted:
    """The module in a target's form.  Raises LumaError for an unknown target.

    ``unoptimized`` is the module before optimization, if it is another: what a host binds goes by
    that.  ``first_buffer`` as in :class:`Options`; ``precise`` asks the target's own compiler to
    round as written too.
    """
    _expect_module(module)
    check_buffer(first_buffer)

    def run() -> Emitted:
        from luma.backends import EmitOptions
        from luma.ir.reach import reached_globals

        backend = backend_of(target)
        if first_buffer and not backend.numbers_buffers:
            raise LumaError([_no_numbers(target)])
        reached = reached_globals(unoptimized or module)
        return backend.emit(module, EmitOptions(debug, source, reached, first_buffer, precise))

    return run_stage(f"emission ({target})", run)


def hash_ir(module: Module) -> str:
    """SHA-256 (hexadecimal) of the module's canonical text."""

    def run() -> str:
        import hashlib

        from luma.ir.text import print_module

        return hashlib.sha256(print_module(module).encode()).hexdigest()

    return run_stage("printing the IR", run)


# ---------------------------------------------------------------- all of them


def compile(
    source: str | bytes,
    options: Options | None = None,
    *,
    name: str = "<string>",
    **changes: Any,
) -> Result:
    """Compile a source: the main entrance of the library.

    ``options`` and the keyword arguments (fields of :class:`Options`, which win) say how.  Never
    raises for any text: errors are in the result.  Raises TypeError or ValueError for options that
    do not exist, and TypeError for a source that is no text.
    """
    asked = _asked(options, changes)
    try:
        module, expanded, found = front(source, asked, name)
        if module is None:
            return Result(b"", found)
        return back(module, expanded, found, asked)
    except LumaError as failed:
        return Result(b"", failed.diagnostics)


def compile_all(
    source: str | bytes,
    options: Options | None = None,
    *,
    name: str = "<string>",
    **changes: Any,
) -> dict[str, Result]:
    """Compile every entry point that the options select into an output of its own.

    The results are keyed by the entry points' names, in the order of the source.  If the source
    has errors they are the only result, keyed by the empty string.
    """
    asked = _asked(options, changes)
    try:
        module, expanded, found = front(source, asked, name)
        if module is None:
            return {"": Result(b"", found)}
        chosen = select_entries(module, asked)
        return {e.name: back(module, expanded, found, replace(asked, entry=e.name)) for e in chosen}
    except LumaError as failed:
        return {"": Result(b"", failed.diagnostics)}


def _asked(options: Options | None, changes: dict[str, Any]) -> Options:
    if options is not None:
        expect(options, Options, "luma.Options")
    return replace(options or Options(), **changes)


def front(
    source: str | bytes, options: Options, name: str
) -> tuple[Module | None, Source, tuple[Diagnostic, ...]]:
    """The stages that do not depend on the target: source to IR (None if there are errors).

    As soon as the source is known to be right, the rules that will be needed begin to load.
    """
    parsed = parse(source, name, include_dirs=options.include_dirs, file_reader=options.file_reader)
    checked = check(parsed)
    if checked.tree is None:
        return None, checked.source, checked.diagnostics
    if options.opt != "none" and not options.rules:
        from luma.optimizer import prepare

        prepare(options.opt, fp=options.fp)
    return lower(checked), checked.source, checked.diagnostics


def back(
    module: Module,
    source: Source,
    found: tuple[Diagnostic, ...],
    options: Options,
    optimizer: Optimizer | None = None,
) -> Result:
    """The stages that depend on the target: select, optimize, emit, validate.

    ``optimizer`` is :func:`optimize_as_asked` if there is none.
    """
    backend = backend_of(options.target)
    chosen = select_entries(module, options)
    if backend.single_entry and len(chosen) > 1:
        raise LumaError((*found, too_many(chosen, backend.name)))

    part = selected(module, chosen, kept_functions(options))
    optimized, emitted = optimize_and_emit(part, source, options, optimizer)
    found = (*found, *emitted.diagnostics)
    if has_errors(found):
        return Result(b"", found, optimized)
    found = (*found, *_uniformity(part, source))
    if options.validate:
        from luma.validation import validate

        found = (*found, *validate(emitted.output, options.target, chosen))
    return Result(b"" if has_errors(found) else emitted.output, found, optimized)


def _uniformity(module: Module, source: Source) -> tuple[Diagnostic, ...]:
    """Warnings of what is undefined where control flow is not uniform (an error for WGSL)."""

    def run() -> tuple[Diagnostic, ...]:
        from luma.ir.uniformity import check_uniformity

        problems = check_uniformity(module)
        return tuple(p.diagnostic(Level.WARNING, "W0992", source) for p in problems)

    return run_stage("the check of uniformity", run)


def kept_functions(options: Options) -> frozenset[str]:
    """The functions that rules may call, so that they are there although nothing calls them."""
    if not options.rules:
        return frozenset()
    from luma.optimizer.user import called_functions

    return called_functions(load_rules(options.rules, options.file_reader))


def optimize_as_asked(module: Module, options: Options) -> Optimized:
    """The module optimized by the options, and warnings."""
    return optimize_for(module, options, (options.target,))[0]


def optimize_for(module: Module, options: Options, targets: Sequence[str]) -> list[Optimized]:
    """The module optimized by the options for each of some targets; what they share, once."""
    rules = load_rules(options.rules, options.file_reader)
    return _optimize(module, options.opt, options.fp, rules, targets)


def optimize_and_emit(
    module: Module, source: Source | None, options: Options, optimizer: Optimizer | None = None
) -> tuple[Module, Emitted]:
    """The optimized module, and its output with all warnings; ``optimizer`` as of :func:`back`."""
    optimized, warnings = (optimizer or optimize_as_asked)(module, options)
    emitted = emit(
        optimized,
        options.target,
        debug=options.debug,
        source=source,
        unoptimized=module,
        first_buffer=options.first_buffer,
        precise=options.fp == "strict",
    )
    return optimized, replace(emitted, diagnostics=(*warnings, *emitted.diagnostics))


def _no_numbers(target: str) -> Diagnostic:
    return error(
        "E0811",
        f"{target} output has its buffers where the source says, not in a table from a number on",
        "leave --first-buffer out, or compile for msl",
    )


def backend_of(target: str) -> Backend:
    """The backend of a target.  Raises LumaError (E0804) if there is none."""
    from luma import backends

    try:
        return backends.find(target)
    except KeyError:
        known = ", ".join(backends.names())
        raise LumaError([error("E0804", f"there is no target '{target}'", f"{known}")]) from None
