"""Loops: a header with a phi for each variable that the body assigns, a body, a continue block
that goes back, and a merge block.

A loop that may run at most N times counts its iterations in a variable of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from luma.frontend import typed
from luma.ir.lower.chains import constant_index
from luma.ir.lower.context import Context
from luma.ir.lower.draft import Draft, LoopDraft
from luma.ir.lower.expressions import combine, evaluate
from luma.ir.lower.ssa import Phi
from luma.ir.lower.totality import is_total, splits_blocks
from luma.language.numbers import INT_MAX, INT_MIN, UINT_MAX
from luma.language.types import BOOL, INT, UINT, Scalar
from luma.source import Span

#: Lowers the statements of a body.
Body = Callable[[Context, Sequence[typed.Statement]], None]


@dataclass(slots=True)
class _Loop:
    """A loop under construction: its blocks, and the phis of the variables it changes."""

    node: typed.For | typed.While
    header: Draft = field(default_factory=Draft)
    body: Draft = field(default_factory=Draft)
    continue_: Draft = field(default_factory=Draft)
    merge: Draft = field(default_factory=Draft)
    phis: dict[typed.Local, Phi] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Counter:
    """A variable that grows by ``step`` with each iteration."""

    local: typed.Local
    step: int


def lower_for(ctx: Context, node: typed.For, lower_body: Body) -> None:
    """Lower a counted loop; the bounds are evaluated once, before it."""
    start, stop = evaluate(ctx, node.start), evaluate(ctx, node.stop)
    ctx.env.write(node.local, start)
    counters = [_Counter(node.local, node.step)]
    limit = _limit(node)
    if limit is not None:
        counters.append(_iterations(ctx, node.span))
    loop = _begin(ctx, node, counters, node.unroll)
    draft = ctx.draft
    index = ctx.env.read(node.local)
    span = node.start.span.to(node.stop.span)
    cond = draft.emit("lt" if node.step > 0 else "gt", BOOL, (index, stop), span=span)
    if _may_pass_zero(node):
        ahead = draft.emit("le", BOOL, (index, start), span=span)
        cond = draft.emit("and", BOOL, (cond, ahead), span=span)
    if limit is not None:
        below = _below(ctx, counters[1], limit, span)
        cond = draft.emit("and", BOOL, (cond, below), span=span)
    _finish(ctx, loop, cond, counters, lower_body)


def _limit(node: typed.For) -> int | None:
    """How often the loop may run, if its condition alone could let it run more often."""
    wanted = node.unroll if isinstance(node.unroll, int) else None
    rounds = _rounds(node)
    if rounds is None:
        return wanted
    if rounds and not _holds(node, rounds[-1] + node.step):  # the variable would wrap around
        return min(len(rounds), INT_MAX if wanted is None else wanted)
    return wanted if wanted is not None and wanted < len(rounds) else None


def _rounds(node: typed.For) -> range | None:
    """The values of a loop's variable, if they are known."""
    start, stop = constant_index(node.start), constant_index(node.stop)
    return None if start is None or stop is None else range(start, stop, node.step)


def _holds(node: typed.For, value: int) -> bool:
    """Whether a loop's variable can be of a value."""
    low, high = (0, UINT_MAX) if node.local.type == UINT else (INT_MIN, INT_MAX)
    return low <= value <= high


def _may_pass_zero(node: typed.For) -> bool:
    """Whether a uint that counts down could step over its stop and zero, to a number above its
    start."""
    stop = constant_index(node.stop)
    return (
        node.local.type == UINT
        and node.step < 0
        and _rounds(node) is None
        and (stop or 0) + node.step + 1 < 0
    )


def lower_while(ctx: Context, node: typed.While, lower_body: Body) -> None:
    """Lower a while loop; its condition is evaluated in the header or, if it takes several
    blocks, after it."""
    counters = [] if node.limit is None else [_iterations(ctx, node.span)]
    loop = _begin(ctx, node, counters, None)
    condition, span = node.condition, node.condition.span
    guarded = bool(counters) and not is_total(condition)
    if guarded or splits_blocks(condition):
        start = Draft()
        ctx.draft.jump(start)
        ctx.draft.start(start)
    if node.limit is None:
        cond = evaluate(ctx, condition)
    else:
        below = _below(ctx, counters[0], node.limit, span)
        cond = combine(
            ctx,
            below,
            lambda: evaluate(ctx, condition),
            eager=not guarded,
            disjunction=False,
            span=span,
        )
    _finish(ctx, loop, cond, counters, lower_body)


def _iterations(ctx: Context, span: Span) -> _Counter:
    """A nameless variable that counts iterations from 0."""
    local = typed.Local("", INT, span)
    ctx.env.write(local, ctx.draft.const(0, INT, span))
    return _Counter(local, 1)


def _below(ctx: Context, counter: _Counter, limit: int, span: Span) -> int:
    bound = ctx.draft.const(limit, INT, span)
    return ctx.draft.emit("lt", BOOL, (ctx.env.read(counter.local), bound), span=span)


def _begin(
    ctx: Context,
    node: typed.For | typed.While,
    counters: Sequence[_Counter],
    unroll: typed.Unroll | int | None,
) -> _Loop:
    """Enter the header, with a phi for every variable that changes in the loop."""
    loop = _Loop(node)
    loop.header.loop = LoopDraft(loop.merge, loop.continue_, unroll)
    ctx.draft.jump(loop.header)
    ctx.draft.start(loop.header)
    assigned = (local for local in ctx.analysis.assigned[node] if local in ctx.env.values)
    for local in (*(counter.local for counter in counters), *assigned):
        phi = ctx.draft.phi(loop.header, local.type, [ctx.env.read(local)], local.span)
        ctx.draft.hint(phi.id, local.name)
        ctx.env.write(local, phi.id)
        loop.phis[local] = phi
    return loop


def _finish(
    ctx: Context, loop: _Loop, cond: int, counters: Sequence[_Counter], lower_body: Body
) -> None:
    """Lower the body, go back to the header, and go on in the merge block."""
    draft, env = ctx.draft, ctx.env
    draft.fork(cond, loop.body, loop.merge, None)
    draft.start(loop.body)
    env.begin()
    lower_body(ctx, loop.node.body)
    comes_back = draft.is_open
    if comes_back:
        draft.jump(loop.continue_)
    draft.start(loop.continue_)
    if comes_back:
        for counter in counters:
            _advance(ctx, counter, loop.node.span)
    for local, phi in loop.phis.items():
        phi.operands.append(env.read(local) if comes_back else None)
    env.end()
    draft.jump(loop.header)
    draft.start(loop.merge)


def _advance(ctx: Context, counter: _Counter, span: Span) -> None:
    type = counter.local.type
    assert isinstance(type, Scalar)
    step = ctx.draft.const(counter.step, type, span)
    value = ctx.draft.emit("add", type, (ctx.env.read(counter.local), step), span=span)
    ctx.env.write(counter.local, value)
