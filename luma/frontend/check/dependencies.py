"""Structs and consts in an order in which what one needs comes before it; cycles are reported.

Nothing here is recursive, so that a long chain of declarations is no danger to the stack.
"""

from __future__ import annotations

from collections.abc import Iterator

from luma.frontend import syntax
from luma.frontend.check.context import Context
from luma.source import Span


def in_order(ctx: Context) -> list[syntax.Declaration]:
    """The structs and consts of a module, dependencies first.

    Where they form a cycle, one of them is put down as being in error.
    """
    done: dict[str, bool] = {}  # True: placed, False: under way
    found: list[syntax.Declaration] = []
    for name, decl in ctx.declared.items():
        if name not in done and _depends(decl):
            _visit(ctx, name, done, found)
    return found


def _depends(decl: syntax.Declaration | None) -> bool:
    return isinstance(decl, syntax.StructDecl | syntax.ConstDecl)


def _visit(ctx: Context, root: str, done: dict[str, bool], found: list[syntax.Declaration]) -> None:
    done[root] = False
    path = [(root, _names(ctx.declared[root]))]
    while path:
        name, needs = path[-1]
        need = next((n for n in needs if _depends(ctx.declared.get(n)) and not done.get(n)), None)
        if need is None:
            path.pop()
            done[name] = True
            found.append(ctx.declared[name])
        elif need in done:
            _report(ctx, [n for n, _ in path], need)
        else:
            done[need] = False
            path.append((need, _names(ctx.declared[need])))


def _report(ctx: Context, path: list[str], name: str) -> None:
    decl = ctx.declared[name]
    cycle = " -> ".join([*path[path.index(name) :], name])
    if isinstance(decl, syntax.StructDecl):
        ctx.structs[name] = None
        ctx.error(
            "E0328",
            decl.name_span,
            f"struct `{name}` contains itself: {cycle}",
            help="a struct holds its fields in place; keep an index into a buffer instead",
        )
    else:
        ctx.values[name] = None
        ctx.error("E0509", decl.name_span, f"const `{name}` depends on itself: {cycle}")


def _names(decl: syntax.Declaration) -> Iterator[str]:
    """Every name in a declaration that may stand for another one."""
    stack: list[object] = [decl]
    while stack:
        node = stack.pop()
        match node:
            case syntax.Name(name=name) | syntax.NamedType(name=name):
                yield name
            case syntax.Call(callee=name):
                yield name
            case syntax.StructLiteral(name=str() as name):
                yield name
        if isinstance(node, tuple):
            stack.extend(reversed(node))
        elif hasattr(node, "__dataclass_fields__") and not isinstance(node, Span):
            stack.extend(
                getattr(node, field) for field in reversed(list(node.__dataclass_fields__))
            )
