"""What calls need not pass: constants that all of them share, and what nobody reads.

Entry points keep their inputs and outputs, which are the shader's interface.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from luma.ir.module import Function, FunctionParam, Instr, Module, Return, operands
from luma.ir.shape import next_id, substitute
from luma.language.types import VOID

#: A constant apart from any function: its operation, its parts, and what an Instr has beside them.
Constant: TypeAlias = tuple[Instr, tuple["Constant", ...]]

_CONSTANT = frozenset({"const", "construct", "splat"})


def share_constants(module: Module) -> Module:
    """The module with arguments that are the same constant in every call moved into the function.

    Callers come first, so that constants are handed on.
    """
    functions = {f.name: f for f in module.functions}
    callers = _callers(functions)
    for name in reversed(list(functions)):
        calls = _calls(functions, callers, name)
        if calls:
            functions[name] = _with_constants(functions[name], calls)
    return _with_functions(module, functions)


def drop_unused(module: Module) -> Module:
    """The module without parameters and results that nobody reads, and functions nobody calls."""
    functions = {f.name: f for f in _called_functions(module)}
    callers = _callers(functions)
    called = [name for name in functions if callers.get(name)]
    for name in called:  # callees come first: what they do not take is not read
        _drop_parameters(functions, callers, name)
    for name in reversed(called):
        if functions[name].results:
            _drop_result(functions, callers, name)
    return _with_functions(module, functions)


def _with_functions(module: Module, functions: dict[str, Function]) -> Module:
    made = tuple(functions.values())
    same = len(made) == len(module.functions) and all(
        a is b for a, b in zip(made, module.functions, strict=True)
    )
    return module if same else replace(module, functions=made)


def _called_functions(module: Module) -> Iterator[Function]:
    """The functions that entry points come to; all of them where there are no entry points."""
    used = {e.function for e in module.entry_points} or {f.name for f in module.functions}
    for function in reversed(module.functions):  # callers before what they call
        if function.name in used:
            used.update(str(i.imm[0]) for i in function.instructions() if i.op == "call")
    return (f for f in module.functions if f.name in used)


#: The names of the functions that call each function.
Callers: TypeAlias = dict[str, list[str]]


def _callers(functions: dict[str, Function]) -> Callers:
    found: Callers = {}
    for name, function in functions.items():
        for callee in {str(i.imm[0]): None for i in function.instructions() if i.op == "call"}:
            found.setdefault(callee, []).append(name)
    return found


def _calls(
    functions: dict[str, Function], callers: Callers, name: str
) -> list[tuple[Function, Instr]]:
    """Every call of a function, with the caller."""
    return [
        (functions[caller], instr)
        for caller in callers.get(name, ())
        for instr in functions[caller].instructions()
        if instr.op == "call" and instr.imm[0] == name
    ]


# ---------------------------------------------------------------- constants


def _with_constants(function: Function, calls: list[tuple[Function, Instr]]) -> Function:
    makers = {id(caller): {i.id: i for i in caller.instructions()} for caller, _ in calls}
    read = _read(function)
    made: list[Instr] = []
    same: dict[int, int] = {}
    fresh = next_id(function)

    def new() -> int:
        nonlocal fresh
        fresh += 1
        return fresh - 1

    for at, param in enumerate(function.params):
        if param.id not in read:
            continue
        given = [_constant(makers[id(caller)], call.args[at]) for caller, call in calls]
        if given[0] is not None and all(_equal(g, given[0]) for g in given):
            made += _instructions(given[0], new)
            same[param.id] = made[-1].id
    if not same:
        return function
    changed = substitute(function, same)
    entry, *rest = changed.blocks
    return replace(changed, blocks=(replace(entry, instrs=(*made, *entry.instrs)), *rest))


def _constant(makers: dict[int, Instr], value: int) -> Constant | None:
    """The constant that a value is, if it is one."""
    instr = makers.get(value)
    if instr is None or instr.op not in _CONSTANT:
        return None
    parts = [_constant(makers, a) for a in instr.args]
    return (instr, tuple(p for p in parts if p is not None)) if None not in parts else None


def _equal(one: Constant | None, other: Constant | None) -> bool:
    if one is None or other is None:
        return False
    (a, parts), (b, others) = one, other
    return (
        (a.op, a.type, len(parts)) == (b.op, b.type, len(others))
        and [repr(v) for v in a.imm] == [repr(v) for v in b.imm]  # -0.0 is not 0.0
        and all(_equal(p, o) for p, o in zip(parts, others, strict=True))
    )


def _instructions(constant: Constant, new: Callable[[], int]) -> list[Instr]:
    """Instructions that make a constant, the last one itself."""
    instr, parts = constant
    made = [_instructions(part, new) for part in parts]
    args = tuple(m[-1].id for m in made)
    return [*(i for m in made for i in m), replace(instr, id=new(), args=args)]


# ---------------------------------------------------------------- what nobody reads


def _read(function: Function) -> set[int]:
    """The values that a function reads."""
    read: set[int] = set()
    for block in function.blocks:
        read.update(operands(block.terminator), *(i.args for i in block.instrs))
    return read


def _drop_parameters(functions: dict[str, Function], callers: Callers, name: str) -> None:
    function = functions[name]
    read = _read(function)
    kept = [at for at, p in enumerate(function.params) if p.id in read or _is_half(p)]
    if len(kept) < len(function.params):
        functions[name] = replace(function, params=tuple(function.params[at] for at in kept))
        change = partial(_with_arguments, kept)
        _change_calls(functions, callers, name, change)


def _with_arguments(kept: list[int], call: Instr) -> Instr:
    return replace(call, args=tuple(call.args[at] for at in kept))


def _is_half(param: FunctionParam) -> bool:
    """Whether a parameter is the texture or sampler of a combined sampler: both stay."""
    return param.combined is not None


def _drop_result(functions: dict[str, Function], callers: Callers, name: str) -> None:
    if any(call.id in _read(caller) for caller, call in _calls(functions, callers, name)):
        return
    function = functions[name]
    blocks = tuple(
        replace(b, terminator=Return()) if isinstance(b.terminator, Return) else b
        for b in function.blocks
    )
    functions[name] = replace(function, results=(), blocks=blocks)
    _change_calls(functions, callers, name, lambda call: replace(call, type=VOID))


def _change_calls(
    functions: dict[str, Function], callers: Callers, name: str, change: Callable[[Instr], Instr]
) -> None:
    for caller in (functions[c] for c in callers[name]):
        blocks = tuple(
            replace(
                b,
                instrs=tuple(
                    change(i) if i.op == "call" and i.imm[0] == name else i for i in b.instrs
                ),
            )
            for b in caller.blocks
        )
        functions[caller.name] = replace(caller, blocks=blocks)
