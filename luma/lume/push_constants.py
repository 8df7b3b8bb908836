"""Push constants as an LSB tells them: the bytes that a shader accesses, and all members.

The number of bytes is a sum over the members that instructions reach directly; padding before the
next member counts with a member, padding before the first one does not.
"""

from __future__ import annotations

from collections.abc import Iterator

from luma.backends.spirv.grammar import Op, StorageClass
from luma.backends.spirv.reader import EntryPoint, Instruction, Module
from luma.lume import types
from luma.lume.lsb import MAX_MEMBERS, Member, PushConstants
from luma.lume.problems import UNFIT, failure

#: Where the index of a member stands among the operands of the instructions that have one.
_MEMBER_INDEX = {
    Op.AccessChain: 3,
    Op.InBoundsAccessChain: 3,
    Op.PtrAccessChain: 4,
    Op.InBoundsPtrAccessChain: 4,
}


def push_constants(module: Module, entry: EntryPoint, variables: list[int]) -> PushConstants | None:
    """The push constants that an entry point accesses; None if it accesses none.

    Raises Malformed for a module that makes no sense.
    """
    blocks = [v for v in variables if module.variables[v].word(2) == StorageClass.PushConstant]
    if not blocks:
        return None
    struct = module.pointee(module.variables[blocks[0]].word(0))
    size = sum(
        _reach(module, struct, member) for member in _accessed(module, entry, blocks[0], struct)
    )
    if size == 0:
        return None
    return PushConstants(size, tuple(_distinct(module, blocks).values()))


def _distinct(module: Module, blocks: list[int]) -> dict[str, Member]:
    """The members of all blocks, the first of each name.  Raises LumaError (E0844) if an LSB
    cannot count them: structs of structs can have more than there is memory."""
    found: dict[str, Member] = {}
    for block in blocks:
        pointee = module.pointee(module.variables[block].word(0))
        for seen, member in enumerate(_members(module, pointee, module.names.get(block, ""), 0)):
            found.setdefault(member.name, member)
            if seen > MAX_MEMBERS:
                raise failure(UNFIT, f"an LSB cannot hold more than {MAX_MEMBERS} push constants")
    return found


def _accessed(module: Module, entry: EntryPoint, block: int, struct: int) -> list[int]:
    """The members of a block that some reachable instruction goes to, each once."""
    found: dict[int, None] = {}
    count = len(module.type(struct).words) - 1
    for instruction in _reachable(module, entry):
        at = _MEMBER_INDEX.get(instruction.op)
        if at is not None and instruction.word(2) == block and len(instruction.words) > at:
            member = types.value(module, instruction.word(at))
            if member < count:
                found[member] = None
    return list(found)


def _reachable(module: Module, entry: EntryPoint) -> Iterator[Instruction]:
    """The instructions of the entry point's function and of all that it calls."""
    pending, seen = [entry.function], {entry.function}
    while pending:
        for instruction in module.bodies.get(pending.pop(), ()):
            yield instruction
            if instruction.op == Op.FunctionCall and instruction.word(2) not in seen:
                seen.add(instruction.word(2))
                pending.append(instruction.word(2))


def _reach(module: Module, struct: int, index: int) -> int:
    """The bytes from a member to the next one; of the last, its own."""
    if index + 2 < len(module.type(struct).words):
        here, after = (types.member_offset(module, struct, i) for i in (index, index + 1))
        return after - here
    return types.member_size(module, struct, index)


def _members(module: Module, struct: int, path: str, base: int) -> Iterator[Member]:
    """The members of a struct, those of structs inside in their place; arrays of structs count
    as one struct."""
    for index, member in enumerate(module.type(struct).words[1:]):
        name = f"{path}.{module.member_names.get((struct, index), '')}"
        offset = base + types.member_offset(module, struct, index)
        inner, arrays = types.unwrapped(module, member)
        if module.type(inner).op == Op.TypeStruct:
            yield from _members(module, inner, name, offset)
            continue
        yield Member(
            name,
            types.gl_type(module, inner),
            offset,
            types.member_size(module, struct, index),
            types.length(module, arrays[-1]) if arrays else 0,
            types.array_stride(module, member),
            types.matrix_stride(module, struct, index),
        )
