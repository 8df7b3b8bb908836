"""Functions that mean one thing in fragment stages and another elsewhere, told apart.

``sample_compare`` takes its level from derivatives in a fragment stage and is level 0 in others,
so a function that uses it and is called from both becomes two.
"""

from __future__ import annotations

from dataclasses import replace

from luma.ir.module import Block, Function, Instr, Module
from luma.language.stages import Stage


def tell_apart(module: Module) -> Module:
    """The module with no function that samples with comparison in stages of both kinds."""
    fragment = _reached(module, {e.function for e in module.entry_points if _is_fragment(e.stage)})
    other = _reached(module, {e.function for e in module.entry_points if not _is_fragment(e.stage)})
    both = fragment & other & _comparing(module)
    if not both:
        return module
    taken = {function.name for function in module.functions}
    copies = {f.name: _fresh(f.name, taken) for f in module.functions if f.name in both}
    functions: list[Function] = []
    for function in module.functions:
        if function.name in other and function.name not in fragment:
            functions.append(_calling(function, copies))
            continue
        functions.append(function)
        if function.name in both:
            copy = replace(function, name=copies[function.name])
            functions.append(_calling(copy, copies))
    return replace(module, functions=tuple(functions))


def _is_fragment(stage: Stage) -> bool:
    return stage is Stage.FRAGMENT


def _calls(function: Function) -> set[str]:
    return {str(i.imm[0]) for i in function.instructions() if i.op == "call"}


def _reached(module: Module, names: set[str]) -> set[str]:
    found = set(names)
    for function in reversed(module.functions):  # callers come after their callees
        if function.name in found:
            found |= _calls(function)
    return found


def _comparing(module: Module) -> set[str]:
    found: set[str] = set()
    for function in module.functions:
        own = any(i.op == "sample_compare" for i in function.instructions())
        if own or _calls(function) & found:
            found.add(function.name)
    return found


def _fresh(name: str, taken: set[str]) -> str:
    wanted, number = f"{name}_level_0", 0
    while wanted in taken:
        number += 1
        wanted = f"{name}_level_0_{number}"
    taken.add(wanted)
    return wanted


def _calling(function: Function, copies: dict[str, str]) -> Function:
    """The function, calling the copies."""

    def changed(instr: Instr) -> Instr:
        copy = copies.get(str(instr.imm[0])) if instr.op == "call" else None
        return instr if copy is None else replace(instr, imm=(copy,))

    def block(b: Block) -> Block:
        return replace(b, instrs=tuple(map(changed, b.instrs)))

    return replace(function, blocks=tuple(map(block, function.blocks)))
