"""The part of a module that given entry points reach."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from luma.ir.module import EntryPoint, Function, Global, Module
from luma.language.layout import Rules, rules_for
from luma.language.types import Array, Pointer, Space, Struct, Type


def select(
    module: Module, entry_names: tuple[str, ...] | None = None, kept: Iterable[str] = ()
) -> Module:
    """The module with what the named entry points reach (all entry points if None); order stays.

    Functions that are ``kept`` stay too, with what they reach.  Raises KeyError for a name that is
    no entry point's.
    """
    if entry_names is not None:
        known = {entry.name for entry in module.entry_points}
        for name in entry_names:
            if name not in known:
                raise KeyError(name)
    entries = tuple(e for e in module.entry_points if entry_names is None or e.name in entry_names)
    functions = _reached_functions(module, entries, kept)
    used = {
        (instr.op, instr.imm[0])
        for function in functions
        for instr in function.instructions()
        if instr.op in ("global", "spec")
    }
    globals_ = tuple(g for g in module.globals if ("global", g.name) in used)
    types = [
        *(g.type for g in globals_),
        *(t for function in functions for t in _types(function)),
        *(v.type for entry in entries for v in (*entry.inputs, *entry.outputs)),
    ]
    structs = set(_structs(types))
    return Module(
        tuple(struct for struct in module.structs if struct.name in structs),
        globals_,
        tuple(s for s in module.spec_constants if ("spec", s.name) in used),
        functions,
        entries,
    )


def reached_globals(module: Module) -> dict[str, tuple[str, ...]]:
    """The names of the globals that each entry point reaches, by the entry point's name."""
    return {
        entry.name: tuple(item.name for item in select(module, (entry.name,)).globals)
        for entry in module.entry_points
    }


#: The memory that a host fills or reads.
HOST_SPACES = (Space.UNIFORM, Space.STORAGE, Space.PUSH_CONSTANT)


def host_structs(module: Module, globals_: Iterable[Global]) -> list[tuple[Struct, Rules]]:
    """Each struct in the host's memory with the rules it is laid out by, in the module's order."""
    used: dict[tuple[Struct, Rules], None] = {}
    for item in globals_:
        if item.space in HOST_SPACES:
            for struct in _structs_inside(item.type):
                used[struct, rules_for(item.space)] = None
    order = {struct.name: at for at, struct in enumerate(module.structs)}
    return sorted(used, key=lambda pair: (order[pair[0].name], pair[1].value))


def _structs_inside(t: Type) -> Iterator[Struct]:
    match t:
        case Array(elem):
            yield from _structs_inside(elem)
        case Struct(fields=fields):
            yield t
            for member in fields:
                yield from _structs_inside(member.type)


def _reached_functions(
    module: Module, entries: tuple[EntryPoint, ...], kept: Iterable[str]
) -> tuple[Function, ...]:
    reached = {*(entry.function for entry in entries), *kept}
    for function in reversed(module.functions):  # callers come after their callees
        if function.name in reached:
            reached |= {str(i.imm[0]) for i in function.instructions() if i.op == "call" and i.imm}
    return tuple(function for function in module.functions if function.name in reached)


def _types(function: Function) -> Iterator[Type]:
    yield from (param.type for param in function.params)
    yield from function.results
    for block in function.blocks:
        yield from (param.type for param in block.params)
        yield from (instr.type for instr in block.instrs)


def _structs(types: Iterable[Type]) -> Iterator[str]:
    """The names of the structs in some types, at any depth."""
    pending = list(types)
    seen: set[Type] = set()
    while pending:
        t = pending.pop()
        if t in seen:
            continue
        seen.add(t)
        match t:
            case Struct(name=name, fields=fields):
                yield name
                pending += (f.type for f in fields)
            case Array(elem=inner) | Pointer(pointee=inner):
                pending.append(inner)
