"""Statements of the typed tree as blocks.  What cannot be reached is dropped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from luma.frontend import typed
from luma.ir import module as ir
from luma.ir.lower import entry, places
from luma.ir.lower.context import Context
from luma.ir.lower.draft import Draft
from luma.ir.lower.expressions import evaluate, evaluate_apart, place
from luma.ir.lower.loops import lower_for, lower_while
from luma.language.types import VOID


def lower_statements(ctx: Context, body: Sequence[typed.Statement]) -> None:
    """Lower statements in order, up to the first that control does not leave."""
    for statement in body:
        if not ctx.draft.is_open:
            return
        _lower(ctx, statement)


def _lower(ctx: Context, node: typed.Statement) -> None:
    match node:
        case typed.Let(local, value, span):
            first = evaluate_apart(ctx, value, span)
            if local in ctx.memory:
                ctx.draft.emit("store", VOID, (ctx.memory[local], first), span=span)
            else:
                ctx.draft.hint(first, local.name)
                ctx.env.write(local, first)
        case typed.Assign():
            _assign(ctx, node)
        case typed.Evaluate(typed.Operation("discard")):
            ctx.draft.finish(ir.Discard())
        case typed.Evaluate(value):
            evaluate(ctx, value)
        case typed.Return():
            _return(ctx, node)
        case typed.If():
            _if(ctx, node)
        case typed.For():
            lower_for(ctx, node, lower_statements)
        case typed.While():
            lower_while(ctx, node, lower_statements)
        case typed.Block(body):
            lower_statements(ctx, body)


def _assign(ctx: Context, node: typed.Assign) -> None:
    target = place(ctx, node.place)
    ctx.old = target
    value = evaluate_apart(ctx, node.value, node.span)
    ctx.old = None
    places.store(ctx, target, value, node.span)


def _return(ctx: Context, node: typed.Return) -> None:
    if node.value is None:
        ctx.draft.finish(ir.Return())
        return
    value = evaluate_apart(ctx, node.value, node.span)
    if ctx.outputs is None:
        ctx.draft.finish(ir.Return((value,)))
    else:
        parts = entry.outputs(ctx, value, node.value.type, ctx.outputs, node.span)
        ctx.draft.finish(ir.Return(parts))


# ---------------------------------------------------------------- if


@dataclass(slots=True)
class _Fork:
    """An if whose ways are being lowered.

    ``incoming`` has, for each predecessor of the merge block, the variables changed on the way.
    """

    node: typed.If
    merge: Draft
    incoming: list[dict[typed.Local, int]] = field(default_factory=list)


def _if(ctx: Context, node: typed.If) -> None:
    """Lower an if with its elseifs, which may be many: they nest, but without recursion."""
    forks = [_open(ctx, node)]
    while len(node.otherwise) == 1 and isinstance(node.otherwise[0], typed.If):
        node = node.otherwise[0]
        forks.append(_open(ctx, node))
    lower_statements(ctx, node.otherwise)
    for fork in reversed(forks):
        _close(ctx, fork)


def _open(ctx: Context, node: typed.If) -> _Fork:
    """Lower the condition and the first way, and start the second if there is one."""
    cond = evaluate(ctx, node.condition)
    then, merge = Draft(), Draft()
    fork = _Fork(node, merge)
    otherwise = Draft() if node.otherwise else merge
    if not node.otherwise:
        fork.incoming.append({})
    ctx.draft.fork(cond, then, otherwise, merge)
    ctx.draft.start(then)
    ctx.env.begin()
    lower_statements(ctx, node.then)
    _leave(ctx, fork)
    if node.otherwise:
        ctx.draft.start(otherwise)
        ctx.env.begin()
    return fork


def _leave(ctx: Context, fork: _Fork) -> None:
    changes = ctx.env.end()
    if ctx.draft.is_open:
        fork.incoming.append(changes)
        ctx.draft.jump(fork.merge)


def _close(ctx: Context, fork: _Fork) -> None:
    """Join the ways in the merge block."""
    if fork.node.otherwise:
        _leave(ctx, fork)
    ctx.draft.start(fork.merge)
    if not fork.incoming:
        ctx.draft.finish(ir.Unreachable())
        return
    changed = {local: None for changes in fork.incoming for local in changes}
    for local in changed:
        before = ctx.env.read(local)
        values = [changes.get(local, before) for changes in fork.incoming]
        value = values[0]
        if any(other != value for other in values):
            value = ctx.draft.phi(fork.merge, local.type, values, local.span).id
            ctx.draft.hint(value, local.name)
        ctx.env.write(local, value)
