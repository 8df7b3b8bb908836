"""Questions about SPIR-V's types that reflection asks: shapes, sizes, formats and GL's numbers.

Sizes are those that SPIRV-Cross calls declared: up to the end of the last member, without padding.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from enum import Enum

from luma.backends.spirv.grammar import Decoration, Op
from luma.backends.spirv.reader import Instruction, Malformed, Module


class Kind(Enum):
    """The kinds of scalars."""

    BOOL = "bool"
    FLOAT = "float"
    INT = "int"
    UINT = "uint"


def scalar(module: Module, id: int) -> tuple[Kind, int] | None:
    """The kind and bits of a scalar type, or of what a vector or matrix is made of."""
    declared = module.type(id)
    match declared.op:
        case Op.TypeBool:
            return Kind.BOOL, 32
        case Op.TypeFloat:
            return Kind.FLOAT, declared.word(1)
        case Op.TypeInt:
            return (Kind.INT if declared.word(2) else Kind.UINT), declared.word(1)
        case Op.TypeVector | Op.TypeMatrix:
            return scalar(module, declared.word(1))
    return None


def columns_and_rows(module: Module, id: int) -> tuple[int, int]:
    """(columns, components of one) of a scalar, vector or matrix type."""
    declared = module.type(id)
    match declared.op:
        case Op.TypeVector:
            return 1, declared.word(2)
        case Op.TypeMatrix:
            return declared.word(2), columns_and_rows(module, declared.word(1))[1]
    return 1, 1


def unwrapped(module: Module, id: int) -> tuple[int, tuple[int, ...]]:
    """The type inside all arrays, and the arrays' types, the outermost first."""
    arrays: dict[int, None] = {}
    while (declared := module.type(id)).op in (Op.TypeArray, Op.TypeRuntimeArray):
        if id in arrays:
            raise Malformed(f"type %{id} is an array of itself")
        arrays[id] = None
        id = declared.word(1)
    return id, tuple(arrays)


def length(module: Module, array: int) -> int:
    """The elements of an array type: 0 without a size, the default of a size to specialize."""
    declared = module.type(array)
    return 0 if declared.op == Op.TypeRuntimeArray else value(module, declared.word(2))


# ---------------------------------------------------------------- constants


#: What may make up the size of an array or workgroup, on 32-bit integers.
_OPERATIONS: dict[int, Callable[[int, int], int]] = {
    Op.IAdd: operator.add,
    Op.ISub: operator.sub,
    Op.IMul: operator.mul,
    Op.UDiv: lambda a, b: a // b if b else 0,
    Op.SDiv: lambda a, b: a // b if b else 0,
    Op.UMod: lambda a, b: a % b if b else 0,
    Op.ShiftLeftLogical: lambda a, b: a << (b & 31),
    Op.ShiftRightLogical: lambda a, b: a >> (b & 31),
    Op.BitwiseAnd: operator.and_,
    Op.BitwiseOr: operator.or_,
    Op.BitwiseXor: operator.xor,
}

#: Most operations that are followed to find a size.
_MAX_DEPTH = 64


def value(module: Module, id: int, depth: int = 0) -> int:
    """The (default) value of an integer constant, unsigned.  Raises Malformed for other things."""
    declared = module.constant(id)
    match declared.op:
        case Op.Constant | Op.SpecConstant:
            return declared.word(2)
        case Op.ConstantNull | Op.ConstantFalse | Op.SpecConstantFalse:
            return 0
        case Op.ConstantTrue | Op.SpecConstantTrue:
            return 1
        case Op.SpecConstantOp if depth < _MAX_DEPTH:
            return _computed(module, declared, depth)
    raise Malformed(f"%{id} is not an integer constant")


def _computed(module: Module, declared: Instruction, depth: int) -> int:
    """The value of an operation on constants."""
    code = declared.word(2)
    if code == Op.Select:
        chosen = 4 if value(module, declared.word(3), depth + 1) else 5
        return value(module, declared.word(chosen), depth + 1)
    operation = _OPERATIONS.get(code)
    if operation is None:
        raise Malformed(f"operation {code} in the size of an array is not supported")
    a, b = (value(module, declared.word(i), depth + 1) for i in (3, 4))
    return operation(a, b) & 0xFFFFFFFF


# ---------------------------------------------------------------- sizes


def member_offset(module: Module, struct: int, index: int) -> int:
    """The offset of a member in bytes.  Raises Malformed where there is none."""
    found = module.member_decoration(struct, index, Decoration.Offset)
    if found is None:
        raise Malformed(f"member {index} of struct %{struct} has no offset")
    return found


def member_size(module: Module, struct: int, index: int) -> int:
    """The declared size of a member in bytes.  Raises Malformed for what has none."""
    member = module.type(struct).word(1 + index)
    inner, arrays = unwrapped(module, member)
    if arrays:
        return array_stride(module, member) * length(module, arrays[0])
    declared = module.type(inner)
    match declared.op:
        case Op.TypeStruct:
            return struct_size(module, inner)
        case Op.TypePointer:
            return 8  # an address of physical storage
    shape = scalar(module, inner)
    if shape is None:
        raise Malformed(f"member {index} of struct %{struct} has no size")
    columns, rows = columns_and_rows(module, inner)
    if declared.op == Op.TypeMatrix:
        row_major = Decoration.RowMajor in module.member_decorations.get((struct, index), {})
        return matrix_stride(module, struct, index) * (rows if row_major else columns)
    return rows * shape[1] // 8


def struct_size(module: Module, struct: int) -> int:
    """The end of a struct's last member in bytes."""
    members = range(len(module.type(struct).words) - 1)
    last = max(members, key=lambda i: member_offset(module, struct, i), default=None)
    if last is None:
        return 0
    return member_offset(module, struct, last) + member_size(module, struct, last)


def array_stride(module: Module, id: int) -> int:
    """The stride of an array type in bytes; 0 for what is no array."""
    return module.decoration(id, Decoration.ArrayStride) or 0


def matrix_stride(module: Module, struct: int, index: int) -> int:
    """The stride of a matrix member in bytes; 0 for what is no matrix."""
    return module.member_decoration(struct, index, Decoration.MatrixStride) or 0


# ---------------------------------------------------------------- numbers of GL and Vulkan


#: VkFormat of one component by kind and bits; each further component has the number 3 higher
#: (7 for halves, between which other formats lie).
_FORMATS = {
    (Kind.INT, 32): (99, 3),
    (Kind.UINT, 32): (98, 3),
    (Kind.FLOAT, 32): (100, 3),
    (Kind.FLOAT, 16): (76, 7),
}

_GL_SCALARS = {Kind.FLOAT: 0x1406, Kind.UINT: 0x1405}

#: GL's numbers of the vectors of two; three and four follow.
_GL_VECTORS = {Kind.FLOAT: 0x8B50, Kind.UINT: 0x8DC6}

#: GL's numbers of the matrices, by (columns, rows).
_GL_MATRICES = {
    (2, 2): 0x8B5A,
    (3, 3): 0x8B5B,
    (4, 4): 0x8B5C,
    (2, 3): 0x8B65,
    (2, 4): 0x8B66,
    (3, 2): 0x8B67,
    (3, 4): 0x8B68,
    (4, 2): 0x8B69,
    (4, 3): 0x8B6A,
}


def vertex_format(module: Module, id: int) -> int:
    """The VkFormat of an input: a matrix or array has that of its column or element, 0 is none."""
    inner = unwrapped(module, id)[0]
    found = _FORMATS.get(scalar(module, inner) or (Kind.BOOL, 0))
    if found is None:
        return 0
    first, step = found
    return first + step * (columns_and_rows(module, inner)[1] - 1)


def gl_type(module: Module, id: int) -> int:
    """OpenGL's number of a member's type; 0 for what the engine's tools do not know."""
    shape = scalar(module, id)
    if shape is None or shape[0] not in _GL_SCALARS or shape[1] != 32:
        return 0
    columns, rows = columns_and_rows(module, id)
    if columns > 1:
        return _GL_MATRICES[columns, rows]
    return _GL_SCALARS[shape[0]] if rows == 1 else _GL_VECTORS[shape[0]] + rows - 2


def _format_names() -> Iterator[tuple[int, str]]:
    letters = {Kind.INT: "sint", Kind.UINT: "uint", Kind.FLOAT: "sfloat"}
    for (kind, bits), (first, step) in _FORMATS.items():
        for count in range(1, 5):
            channels = "".join(f"{c}{bits}" for c in "rgba"[:count])
            yield first + step * (count - 1), f"{channels}_{letters[kind]}"


def _gl_names() -> Iterator[tuple[int, str]]:
    for kind, number in _GL_SCALARS.items():
        yield number, kind.value
    for kind, number in _GL_VECTORS.items():
        prefix = "u" if kind is Kind.UINT else ""
        yield from ((number + n - 2, f"{prefix}vec{n}") for n in (2, 3, 4))
    for (columns, rows), number in _GL_MATRICES.items():
        yield number, f"mat{columns}" if columns == rows else f"mat{columns}x{rows}"


#: Names for people of the formats and types that an LSB may have.
FORMAT_NAMES: dict[int, str] = {0: "none", **dict(_format_names())}
GL_NAMES: dict[int, str] = {0: "unknown", **dict(_gl_names())}
