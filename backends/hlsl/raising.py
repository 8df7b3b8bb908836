"""What HLSL cannot say, said in IR that it can: before a file is printed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from luma.ir.effects import value_types
from luma.ir.module import (
    EntryPoint,
    Function,
    FunctionParam,
    Instr,
    IOVariable,
    Module,
    operands,
    with_operands,
)
from luma.ir.shape import next_id
from luma.language.types import (
    BOOL,
    FLOAT,
    INT,
    UINT,
    VOID,
    Array,
    Matrix,
    Pointer,
    Space,
    Struct,
    Type,
    element,
    element_count,
    scalar_of,
)

from ..raising import expand, fold
from ..raising.builder import Builder
from ..text.raising import forward_parts
from .blocks import Member, Packing, arrange
from .places import nested_structs, packing_of

#: Operations that the IR is rid of.  HLSL has no select() of vectors below Shader Model 6.0's
#: successors, defines ``%`` of ints for equal signs only, and faceforward by sign().
LACKS = frozenset(
    {
        "mod",
        "inverse",
        "outer_product",
        "faceforward",
        "rem.int",
        "select.vector",
        "and.vector",
        "or.vector",
        "pack_snorm4x8",
        "pack_unorm4x8",
        "pack_snorm2x16",
        "pack_unorm2x16",
        "unpack_snorm4x8",
        "unpack_unorm4x8",
        "unpack_snorm2x16",
        "unpack_unorm2x16",
    }
)

#: Builtin values that Direct3D has as uints.
_UNSIGNED = frozenset({"vertex_id", "instance_id", "sample_id", "primitive_id"})


def raised(module: Module) -> Module:
    """The module with every operation in a form that the printer spells."""
    module = expand(module, LACKS)
    module = replace(module, functions=tuple(forward_parts(f) for f in module.functions))
    module = fold(module)  # HLSL computes with literals in 64 bits
    (entry,) = module.entry_points
    functions = tuple(
        _entry_function(f, entry) if f.name == entry.function else f for f in module.functions
    )
    functions = tuple(_split_memory(f, module) for f in functions)
    inputs = tuple(_unsigned(variable) for variable in entry.inputs)
    return replace(module, functions=functions, entry_points=(replace(entry, inputs=inputs),))


# ---------------------------------------------------------------- stage inputs


def _unsigned(variable: IOVariable) -> IOVariable:
    return replace(variable, type=UINT) if variable.builtin in _UNSIGNED else variable


def _entry_function(function: Function, entry: EntryPoint) -> Function:
    """Builtin inputs as Luma has them, made of those that Direct3D gives."""
    builder = Builder(value_types(function), next_id(function))
    renamed: dict[int, int] = {}
    params: list[FunctionParam] = []
    used = set(_read(function))
    for param, variable in zip(function.params, entry.inputs, strict=True):
        if variable.builtin in _UNSIGNED:
            params.append(replace(param, type=UINT))
            builder.types[param.id] = UINT
            if param.id in used:
                renamed[param.id] = builder.add("convert", INT, (param.id,))
            continue
        params.append(param)
        if variable.builtin == "frag_coord" and _reads_w(function, param.id):
            reciprocal = builder.add(
                "div", FLOAT, (builder.constant(1.0, FLOAT), builder.part(param.id, 3))
            )
            parts = [*(builder.part(param.id, i) for i in range(3)), reciprocal]
            renamed[param.id] = builder.construct(param.type, parts)
    if not renamed:
        return replace(function, params=tuple(params))
    return _renamed(replace(function, params=tuple(params)), renamed, tuple(builder.instrs))


def _read(function: Function) -> Iterator[int]:
    for block in function.blocks:
        for instr in block.instrs:
            yield from instr.args
        yield from operands(block.terminator)


def _reads_w(function: Function, value: int) -> bool:
    """Whether anything but the first three components of a vector is read."""
    known = 0
    for instr in function.instructions():
        if value not in instr.args:
            continue
        plain = instr.op == "extract" and instr.imm[0] in (0, 1, 2)
        swizzle = instr.op == "shuffle" and len(instr.args) == 1 and 3 not in instr.imm
        if not (plain or swizzle):
            return True
        known += 1
    return list(_read(function)).count(value) != known


def _renamed(function: Function, new: dict[int, int], first: tuple[Instr, ...]) -> Function:
    """The function with values replaced, and instructions put at its beginning."""
    blocks = []
    for at, block in enumerate(function.blocks):
        instrs = tuple(replace(i, args=tuple(new.get(a, a) for a in i.args)) for i in block.instrs)
        end = block.terminator
        end = with_operands(end, tuple(new.get(v, v) for v in operands(end)))
        instrs = first + instrs if at == 0 else instrs
        blocks.append(replace(block, instrs=instrs, terminator=end))
    return replace(function, blocks=tuple(blocks))


# ---------------------------------------------------------------- whole aggregates in memory


def _split_memory(function: Function, module: Module) -> Function:
    """Loads and stores of aggregates, part by part where memory's types are not the values'."""
    splitter = _Splitter(function, module)
    blocks = []
    for block in function.blocks:
        splitter.builder.instrs = []
        for instr in block.instrs:
            splitter.instruction(instr)
        blocks.append(replace(block, instrs=tuple(splitter.builder.instrs)))
    return replace(function, blocks=tuple(blocks))


class _Splitter:
    def __init__(self, function: Function, module: Module) -> None:
        self.builder = Builder(value_types(function), next_id(function))
        self._instrs = {i.id: i for i in function.instructions() if i.op in ("access", "global")}
        self._made = {i.id for i in function.instructions() if i.op == "construct"}
        self._globals = {item.name: item for item in module.globals}
        self._nested = nested_structs(module)

    def instruction(self, instr: Instr) -> None:
        """Add an instruction, or what it is split into."""
        b = self.builder
        if instr.op == "load" and self._splits(instr.args[0], stored=False):
            self._load(instr.args[0])
            b.append(replace(b.instrs.pop(), id=instr.id))
        elif instr.op == "store" and self._splits(instr.args[0], stored=True):
            self._store(instr.args[0], instr.args[1])
        elif instr.op == "store" and self._is_made(instr):
            for index, part in enumerate(self._parts(instr.args[0])):
                self._store(part, b.part(instr.args[1], index))
        else:
            b.append(instr)

    def _splits(self, pointer: int, stored: bool) -> bool:
        """Whether a value is read or written in parts."""
        t = self.builder.types[pointer]
        assert isinstance(t, Pointer)
        instr = self._instrs.get(pointer)
        while instr is not None and instr.op == "access":
            instr = self._instrs.get(instr.args[0])
        item = None if instr is None else self._globals[str(instr.imm[0])]
        if item is None or item.space is Space.WORKGROUP:
            return False
        packing = packing_of(item)
        if packing is None:
            return isinstance(t.pointee, Struct | Array | Matrix)
        if isinstance(t.pointee, Struct):
            return not self._is_same(t.pointee, packing)
        return isinstance(t.pointee, Array) or (stored and isinstance(t.pointee, Matrix))

    def _is_made(self, instr: Instr) -> bool:
        """Whether a store writes a struct to a buffer that was just put together."""
        pointer = self.builder.types[instr.args[0]]
        assert isinstance(pointer, Pointer)
        made = instr.args[1] in self._made
        return made and pointer.space is Space.STORAGE and isinstance(pointer.pointee, Struct)

    def _is_same(self, struct: Struct, packing: Packing) -> bool:
        """Whether a buffer's struct is that of its values."""
        block = arrange(struct, packing, (struct.name, packing) in self._nested)
        inner = all(self._is_plain(field.type, packing) for field in struct.fields)
        return inner and not block.tail and all(m == Member() for m in block.members)

    def _is_plain(self, t: Type, packing: Packing) -> bool:
        match t:
            case Array(elem=elem):
                return self._is_plain(elem, packing)
            case Struct():
                return self._is_same(t, packing)
        return not isinstance(t, Matrix) and scalar_of(t) != BOOL

    def _parts(self, pointer: int) -> list[int]:
        """Pointers to the parts of an aggregate."""
        b = self.builder
        t = b.types[pointer]
        assert isinstance(t, Pointer)
        access = self._instrs.get(pointer)
        args, path = (pointer,), ()
        if access is not None and access.op == "access":
            args, path = access.args, access.imm  # type: ignore[assignment]
        found = []
        for index in range(element_count(t.pointee)):
            part: Type = Pointer(t.space, element(t.pointee, index))
            instr = Instr(b.next_id, "access", part, args, (*path, index))
            b.next_id += 1
            b.append(instr)
            self._instrs[instr.id] = instr
            found.append(instr.id)
        return found

    def _load(self, pointer: int) -> int:
        b = self.builder
        t = b.types[pointer]
        assert isinstance(t, Pointer)
        if not self._splits(pointer, stored=False):
            return b.add("load", t.pointee, (pointer,))
        return b.construct(t.pointee, [self._load(part) for part in self._parts(pointer)])

    def _store(self, pointer: int, value: int) -> None:
        b = self.builder
        if not self._splits(pointer, stored=True):
            b.append(Instr(b.next_id, "store", VOID, (pointer, value)))
            b.next_id += 1
            return
        for index, part in enumerate(self._parts(pointer)):
            self._store(part, b.part(value, index))
