"""The call graph: recursion, unused functions, what a stage cannot do, and the order of output."""

from __future__ import annotations

from luma.frontend import typed
from luma.frontend.check.context import Context, FunctionInfo
from luma.frontend.wording import listed
from luma.source import Span


def order(ctx: Context) -> tuple[typed.Function, ...]:
    """All functions, callees first; recursion is reported."""
    done: dict[FunctionInfo, bool] = {}  # True: finished, False: under way
    found: list[typed.Function] = []
    for root in ctx.functions.values():
        _visit(ctx, root, done, found)
    return tuple(found)


def _visit(
    ctx: Context,
    root: FunctionInfo,
    done: dict[FunctionInfo, bool],
    found: list[typed.Function],
) -> None:
    """Depth first without recursion, so that long chains of calls are no danger."""
    if root in done:
        return
    done[root] = False
    path = [(root, iter(root.calls.items()))]
    while path:
        info, calls = path[-1]
        step = next(calls, None)
        if step is None:
            path.pop()
            done[info] = True
            if info.function is not None:
                found.append(info.function)
            continue
        callee, span = step
        if callee not in done:
            done[callee] = False
            path.append((callee, iter(callee.calls.items())))
        elif not done[callee]:
            _report_cycle(ctx, [i for i, _ in path], callee, span)


def _report_cycle(ctx: Context, path: list[FunctionInfo], callee: FunctionInfo, span: Span) -> None:
    cycle = path[path.index(callee) :]
    names = [i.decl.name for i in (*cycle, callee)]
    notes = [
        (f"`{caller.decl.name}` calls `{called.decl.name}` here", caller.calls[called])
        for caller, called in zip(cycle, (*cycle[1:], callee), strict=True)
        if caller.calls[called] != span
    ]
    ctx.error(
        "E0502",
        span,
        f"recursion is not possible on a GPU: {' -> '.join(names)}",
        notes=notes,
        help="use a loop",
    )


def check_stages(ctx: Context) -> None:
    """Report what an entry point does, itself or through calls, that its stage cannot."""
    for info in ctx.functions.values():
        if info.stage is not None:
            _check_stage(ctx, info, info.stage.value)


def _check_stage(ctx: Context, entry: FunctionInfo, stage: str) -> None:
    came_from: dict[FunctionInfo, FunctionInfo | None] = {entry: None}
    queue = [entry]
    for info in queue:
        for use in info.restricted:
            if stage not in use.stages:
                _report(ctx, entry, info, came_from, use.what, use.stages, use.span, use.help)
        for callee in info.calls:
            if callee not in came_from:
                came_from[callee] = info
                queue.append(callee)


def _report(
    ctx: Context,
    entry: FunctionInfo,
    info: FunctionInfo,
    came_from: dict[FunctionInfo, FunctionInfo | None],
    what: str,
    stages: tuple[str, ...],
    span: Span,
    help: str | None,
) -> None:
    assert entry.stage is not None
    notes: list[tuple[str, Span | None]] = []
    where = span
    at = info
    while True:
        caller = came_from[at]
        if caller is None:
            break
        notes.insert(0, (f"`{at.decl.name}` is called here", caller.calls[at]))
        where = caller.calls[at]
        at = caller
    if info is not entry:
        notes = [*notes[1:], (f"{what} is used here", span)]
    ctx.error(
        "E0425" if what.startswith("shared") else "E0424",
        where,
        f"{what} exists in {listed(stages)} entry points only, and `{entry.decl.name}` is a "
        f"{entry.stage.value} entry point",
        notes=notes,
        help=help,
    )


def find_unused(ctx: Context) -> None:
    """Note functions of the main file that nothing calls, if it has entry points at all."""
    infos = list(ctx.functions.values())
    called = {callee for info in infos for callee in info.calls if callee is not info}
    if not any(info.is_entry for info in infos):
        return
    for info in infos:
        name, span = info.decl.name, info.decl.name_span
        if info.is_entry or info in called or name.startswith("_"):
            continue
        if not ctx.reporter.source.locate(span).included_from:
            ctx.unused.append(("W0903", span, f"function `{name}` is never called"))
