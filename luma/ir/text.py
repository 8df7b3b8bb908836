"""The text form of the IR: :func:`print_module` writes it, :func:`parse_module` reads it back.

One line an instruction; ``--`` starts a comment.  Values are ``%1``, globals, functions and
specialization constants ``@name``, blocks ``b0``.  Immediates stand before the operands: a constant
or a name bare, a path or list of indices in brackets, where ``.`` takes the next operand.  Every
module comes back equal, and with the author's names; spans are not kept.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping

from luma.frontend.typed import Access, Unroll
from luma.ir.module import (
    Block,
    Branch,
    CondBranch,
    Discard,
    EntryPoint,
    Function,
    FunctionParam,
    Global,
    Immediate,
    Instr,
    IOVariable,
    Loop,
    Module,
    Param,
    Return,
    SpecConstant,
    Terminator,
    Unreachable,
)
from luma.ir.parse_text import parse_module
from luma.language.facts import Fact
from luma.language.types import VOID, Array, Pointer, Struct, Type

__all__ = ["parse_module", "print_function", "print_module"]

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z_0-9]*\Z")


def print_module(module: Module) -> str:
    """The text of a module; the same module always gives the same text."""
    sections = (
        [_struct(item) for item in module.structs],
        [_global(item) for item in module.globals],
        [_spec(item) for item in module.spec_constants],
        *([_entry(item)] for item in module.entry_points),
        *([print_function(item)] for item in module.functions),
    )
    return "\n\n".join("\n".join(section) for section in sections if section) + "\n"


def _name(name: str) -> str:
    return name if _PLAIN.match(name) else json.dumps(name)


def _type(t: Type) -> str:
    match t:
        case Struct(name=name):
            return _name(name)
        case Array(elem, size):
            return f"[{'' if size is None else size}]{_type(elem)}"
        case Pointer(space, pointee):
            return f"ptr<{space.value}, {_type(pointee)}>"
    return str(t)


def _struct(struct: Struct) -> str:
    fields = ", ".join(f"{_name(f.name)}: {_type(f.type)}{_facts(f.facts)}" for f in struct.fields)
    return f"struct {_name(struct.name)} {{ {fields} }}"


def _global(item: Global) -> str:
    words = [f"{item.space.value} @{_name(item.name)}: {_type(item.type)}{_facts(item.facts)}"]
    if item.access is not Access.READ:
        words.append(item.access.value)
    if item.group is not None:
        words.append(f"group({item.group})")
    if item.binding is not None:
        words.append(f"binding({item.binding})")
    if item.combined is not None:
        words.append(f"combined({json.dumps(item.combined)})")
    return " ".join(words)


def _spec(item: SpecConstant) -> str:
    value = _immediate(item.default)
    return f"spec @{_name(item.name)}: {_type(item.type)} id({item.id}) = {value}"


def _entry(entry: EntryPoint) -> str:
    head = f"entry {entry.stage.value} {_name(entry.name)} = @{_name(entry.function)}"
    if entry.workgroup_size != (1, 1, 1):
        head += " workgroup({}, {}, {})".format(*entry.workgroup_size)
    if entry.early_depth:
        head += " early_depth"
    variables = [("in", v) for v in entry.inputs] + [("out", v) for v in entry.outputs]
    lines = [f"  {way} {_variable(v)}" for way, v in variables]
    return "\n".join((head + " {", *lines, "}"))


def _variable(variable: IOVariable) -> str:
    words = [f"{json.dumps(variable.name)}: {_type(variable.type)}"]
    if variable.location is not None:
        words.append(f"location({variable.location})")
    if variable.builtin is not None:
        words.append(f"builtin({_name(variable.builtin)})")
    if variable.interpolation is not None:
        words.append(f"interpolation({_name(variable.interpolation)})")
    return " ".join(words)


def print_function(function: Function) -> str:
    """The text of one function."""
    names = function.names
    params = ", ".join(_function_param(p) for p in function.params)
    results = ", ".join(_type(t) for t in function.results)
    head = f"function @{_name(function.name)}({params})"
    if function.results:
        head += f" -> ({results})"
    lines = [line for block in function.blocks for line in _block(block, names)]
    return "\n".join((head + " {", *lines, "}"))


def _facts(facts: tuple[Fact, ...]) -> str:
    return "".join(f" {fact}" for fact in facts)


def _function_param(param: FunctionParam) -> str:
    text = f"%{param.id} {json.dumps(param.name)}: {_type(param.type)}{_facts(param.facts)}"
    if param.column is not None:
        text += f" column({param.column})"
    return text if param.combined is None else f"{text} combined({json.dumps(param.combined)})"


def _block(block: Block, names: Mapping[int, str]) -> Iterator[str]:
    params = ", ".join(_param(p, names) for p in block.params)
    head = f"b{block.label}" + (f"({params})" if params else "") + ":"
    yield head if block.loop is None else f"{head} {_loop(block.loop)}"
    for instr in block.instrs:
        yield f"  {_instr(instr, names)}"
    yield f"  {_terminator(block.terminator)}"


def _definition(value: int, names: Mapping[int, str]) -> str:
    return f"%{value} {json.dumps(names[value])}" if value in names else f"%{value}"


def _param(param: Param, names: Mapping[int, str]) -> str:
    return f"{_definition(param.id, names)}: {_type(param.type)}"


def _loop(loop: Loop) -> str:
    text = f"loop merge b{loop.merge} continue b{loop.continue_}"
    match loop.unroll:
        case None:
            return text
        case Unroll():
            return f"{text} unroll {loop.unroll.value}"
    return f"{text} unroll {loop.unroll}"


def _instr(instr: Instr, names: Mapping[int, str]) -> str:
    text = instr.op
    if instr.imm:
        text += f" {_immediates(instr)}"
    if instr.args:
        text += f" {_values(instr.args)}"
    if instr.type != VOID:
        return f"{_definition(instr.id, names)}: {_type(instr.type)} = {text}"
    return text if instr.id == -1 else f"%{instr.id} = {text}"


def _immediates(instr: Instr) -> str:
    match instr.imm:
        case (str() as name,):
            return f"@{_name(name)}"
        case (value,) if instr.op == "const":
            return _immediate(value)
    return f"[{', '.join(_immediate(value) for value in instr.imm)}]"


def _immediate(value: Immediate) -> str:
    match value:
        case None:
            return "."
        case bool():
            return "true" if value else "false"
        case str():
            return json.dumps(value)
        case float() if not math.isfinite(value):
            return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    return repr(value)


def _values(values: Iterable[int]) -> str:
    return ", ".join(f"%{value}" for value in values)


def _branch(branch: Branch) -> str:
    return f"b{branch.target}({_values(branch.args)})"


def _terminator(terminator: Terminator) -> str:
    match terminator:
        case Branch():
            return f"br {_branch(terminator)}"
        case CondBranch(cond, then, otherwise, merge):
            text = f"cond_br %{cond} {_branch(then)}, {_branch(otherwise)}"
            return text if merge is None else f"{text} merge b{merge}"
        case Return(values):
            return f"return {_values(values)}".rstrip()
        case Discard():
            return "discard"
        case Unreachable():
            return "unreachable"
