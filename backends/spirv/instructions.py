"""Instructions that compute: most by the operations table, the rest each by a small function."""

from __future__ import annotations

from collections.abc import Callable

from luma.backends.spirv import memory, textures
from luma.backends.spirv.analysis import extract_root, scaling
from luma.backends.spirv.body import Body, scalar_kind
from luma.backends.spirv.grammar import Capability, MemorySemantics, Op, Scope, Std, StorageClass
from luma.backends.spirv.types import parts_of

from luma.ir.module import Instr
from luma.language.builtins import OPERATIONS
from luma.language.types import (
    BOOL,
    FLOAT,
    Array,
    Kind,
    Matrix,
    Scalar,
    Struct,
    Type,
    Vector,
    is_bool,
    is_float,
    width,
    with_scalar,
)

Writer = Callable[[Body, Instr], "int | None"]

#: Where the columns of the table's ``spirv`` words stand.
_COLUMN = {Kind.FLOAT: 0, Kind.HALF: 0, Kind.INT: 1, Kind.UINT: 2, Kind.BOOL: 3}


def _codes(words: str) -> tuple[tuple[bool, int] | None, ...]:
    """The table's words as (of GLSL.std.450?, number)."""
    found: list[tuple[bool, int] | None] = []
    for word in words.split():
        if word == "-":
            found.append(None)
        elif word.startswith("std."):
            found.append((True, getattr(Std, word[4:])))
        else:
            found.append((False, getattr(Op, word)))
    return tuple(found)


#: The table's instructions by operation.
CODES = {row.name: _codes(row.spirv) for row in OPERATIONS.values() if row.spirv is not None}


def write(body: Body, instr: Instr) -> int | None:
    """Write one instruction; the id of its value if it has one."""
    if _on_halves(body, instr):
        body.types.half_arithmetic()
    special = SPECIAL.get(instr.op)
    return by_table(body, instr) if special is None else special(body, instr)


def by_table(body: Body, instr: Instr) -> int:
    """An operation that is one instruction, chosen by the type of its first operand."""
    operands = tuple(map(body.value, instr.args))
    choice = CODES[instr.op]
    column = _COLUMN[scalar_kind(body.type_of(instr.args[0]))] if len(choice) > 1 else 0
    code = choice[column]
    assert code is not None, f"{instr.op} on {body.type_of(instr.args[0])}"
    extended, number = code
    type_id = body.types.value(instr.type)
    if extended:
        return body.std(number, type_id, *operands)
    return body.op(number, type_id, *operands)


#: What may be done to halves with the storage capabilities alone.
_MOVES = frozenset({"load", "store", "access", "global", "local"})


def _on_halves(body: Body, instr: Instr) -> bool:
    if instr.op in _MOVES:
        return False
    types = [instr.type, *(body.type_of(a) for a in instr.args)]
    halves = [isinstance(t, Scalar | Vector) and scalar_kind(t) is Kind.HALF for t in types]
    if instr.op == "convert" and any(halves):
        return not all(is_float(t) for t in types)
    return any(halves)


# ---------------------------------------------------------------- arithmetic


def _multiply(body: Body, instr: Instr) -> int:
    scaled = scaling(body.facts, instr)
    if scaled is None:
        return by_table(body, instr)
    vector, scalar = map(body.value, scaled)
    return body.op(Op.VectorTimesScalar, body.types.value(instr.type), vector, scalar)


def _negate(body: Body, instr: Instr) -> int:
    """A matrix is scaled by -1, which changes nothing but signs."""
    if not isinstance(instr.type, Matrix):
        return by_table(body, instr)
    minus_one = body.types.scalar(FLOAT, -1.0)
    type_id = body.types.value(instr.type)
    return body.op(Op.MatrixTimesScalar, type_id, body.value(instr.args[0]), minus_one)


def _remainder(body: Body, instr: Instr) -> int:
    """Signed: a - b * (a / b), because drivers disagree about OpSRem of negative numbers."""
    if scalar_kind(instr.type) is not Kind.INT:
        return by_table(body, instr)
    a, b = map(body.value, instr.args)
    type_id = body.types.value(instr.type)
    quotient = body.op(Op.SDiv, type_id, a, b)
    product = body.op(Op.IMul, type_id, b, quotient)
    return body.op(Op.ISub, type_id, a, product)


def _shift(body: Body, instr: Instr) -> int:
    """The count is taken modulo 32; SPIR-V leaves greater counts undefined."""
    value, count = instr.args
    t = instr.type
    assert isinstance(t, Scalar | Vector)
    type_id = body.types.value(t)
    known = body.number(count)
    if known is not None:
        shift_by = body.types.same(t, int(known) & 31)
    else:
        mask = body.types.same(t, 31)
        shift_by = body.op(Op.BitwiseAnd, type_id, body.value(count), mask)
    opcode = Op.ShiftLeftLogical
    if instr.op == "shr":
        signed = scalar_kind(t) is Kind.INT
        opcode = Op.ShiftRightArithmetic if signed else Op.ShiftRightLogical
    return body.op(opcode, type_id, body.value(value), shift_by)


def _saturate(body: Body, instr: Instr) -> int:
    assert isinstance(instr.type, Scalar | Vector)
    low, high = body.types.same(instr.type, 0.0), body.types.same(instr.type, 1.0)
    type_id = body.types.value(instr.type)
    return body.std(Std.FClamp, type_id, body.value(instr.args[0]), low, high)


def _derivative(body: Body, instr: Instr) -> int:
    """Derivatives exist in 32 bits only."""
    if scalar_kind(instr.type) is not Kind.HALF:
        return by_table(body, instr)
    ((_, opcode),) = (code for code in CODES[instr.op] if code is not None)
    wide = body.types.value(with_scalar(instr.type, FLOAT))
    operand = body.op(Op.FConvert, wide, body.value(instr.args[0]))
    return body.op(Op.FConvert, body.types.value(instr.type), body.op(opcode, wide, operand))


def _select(body: Body, instr: Instr) -> int:
    cond, then, otherwise = map(body.value, instr.args)
    cond_type = body.type_of(instr.args[0])
    assert isinstance(cond_type, Scalar | Vector)
    return choose(body, instr.type, (cond, cond_type), then, otherwise)


def choose(
    body: Body, t: Type, cond: tuple[int, Scalar | Vector], then: int, otherwise: int
) -> int:
    """One of two values of any type; a scalar condition of vectors is made a vector.

    OpSelect knows composites and mixed sizes from SPIR-V 1.4 on only.
    """
    type_id = body.types.value(t)
    if isinstance(t, Matrix | Array | Struct):
        parts = []
        for at, part in enumerate(parts_of(t)):
            part_id = body.types.value(part)
            a = body.op(Op.CompositeExtract, part_id, then, at)
            b = body.op(Op.CompositeExtract, part_id, otherwise, at)
            parts.append(choose(body, part, cond, a, b))
        return body.op(Op.CompositeConstruct, type_id, *parts)
    decider, cond_type = cond
    size = width(t)
    if size > 1 and isinstance(cond_type, Scalar):
        key = ("splat", decider, size)
        wide = body.types.value(Vector(BOOL, size))
        decider = body.known(key) or body.remember(
            key, body.op(Op.CompositeConstruct, wide, *(decider,) * size)
        )
    return body.op(Op.Select, type_id, decider, then, otherwise)


# ---------------------------------------------------------------- conversions

#: The conversion from one kind of number to another.
_CONVERSIONS = {
    (Kind.INT, Kind.FLOAT): Op.ConvertSToF,
    (Kind.INT, Kind.HALF): Op.ConvertSToF,
    (Kind.UINT, Kind.FLOAT): Op.ConvertUToF,
    (Kind.UINT, Kind.HALF): Op.ConvertUToF,
    (Kind.FLOAT, Kind.INT): Op.ConvertFToS,
    (Kind.HALF, Kind.INT): Op.ConvertFToS,
    (Kind.FLOAT, Kind.UINT): Op.ConvertFToU,
    (Kind.HALF, Kind.UINT): Op.ConvertFToU,
    (Kind.INT, Kind.UINT): Op.Bitcast,
    (Kind.UINT, Kind.INT): Op.Bitcast,
    (Kind.FLOAT, Kind.HALF): Op.FConvert,
    (Kind.HALF, Kind.FLOAT): Op.FConvert,
}


def _convert(body: Body, instr: Instr) -> int:
    source, target = body.type_of(instr.args[0]), instr.type
    value = body.value(instr.args[0])
    if source == target:
        return value
    assert isinstance(source, Scalar | Vector) and isinstance(target, Scalar | Vector)
    type_id = body.types.value(target)
    if is_bool(target):
        zero = body.types.same(source, 0)
        opcode = Op.FUnordNotEqual if is_float(source) else Op.INotEqual
        return body.op(opcode, type_id, value, zero)
    if is_bool(source):
        one, zero = body.types.same(target, 1), body.types.same(target, 0)
        return body.op(Op.Select, type_id, value, one, zero)
    opcode = _CONVERSIONS[scalar_kind(source), scalar_kind(target)]
    if opcode == Op.Bitcast:
        return body.bitcast(type_id, body.types.value(source), value)
    return body.op(opcode, type_id, value)


# ---------------------------------------------------------------- composites


def _construct(body: Body, instr: Instr) -> int:
    parts = tuple(map(body.value, instr.args))
    return body.op(Op.CompositeConstruct, body.types.value(instr.type), *parts)


def _splat(body: Body, instr: Instr) -> int:
    assert isinstance(instr.type, Vector)
    parts = (body.value(instr.args[0]),) * instr.type.size
    return body.op(Op.CompositeConstruct, body.types.value(instr.type), *parts)


def _extract(body: Body, instr: Instr) -> int:
    root = extract_root(body.facts, instr)
    if root is None:
        return memory.extract(body, instr)
    return memory.extract_fixed(body, *root)


def _insert(body: Body, instr: Instr) -> int:
    whole, part = map(body.value, instr.args)
    path = [step for step in instr.imm if isinstance(step, int)]
    parts = body.parts(whole)
    if parts is not None and isinstance(instr.type, Struct) and len(path) == 1:
        parts = (*parts[: path[0]], part, *parts[path[0] + 1 :])
        return body.op(Op.CompositeConstruct, body.types.value(instr.type), *parts)
    return body.op(Op.CompositeInsert, body.types.value(instr.type), part, whole, *path)


def _shuffle(body: Body, instr: Instr) -> int:
    vectors = tuple(map(body.value, instr.args))
    picks = [pick for pick in instr.imm if isinstance(pick, int)]
    return body.op(Op.VectorShuffle, body.types.value(instr.type), *(vectors * 2)[:2], *picks)


# ---------------------------------------------------------------- memory, calls, effects


def _store(body: Body, instr: Instr) -> None:
    memory.store(body, instr)


def _atomic(body: Body, instr: Instr) -> int:
    place = memory.place_of(body, instr.args[0])
    shared = place.storage == StorageClass.Workgroup
    scope = body.types.index(Scope.Workgroup if shared else Scope.Device)
    relaxed = body.types.index(MemorySemantics.Relaxed)
    operands = [body.value(value) for value in instr.args[1:]]
    if instr.op == "atomic_compare_exchange":
        operands = [relaxed, *reversed(operands)]  # for inequality; new value, expected value
    choice = CODES[instr.op]
    code = choice[_COLUMN[scalar_kind(instr.type)] if len(choice) > 1 else 0]
    assert code is not None
    pointer = memory.pointer(body, place)
    return body.op(code[1], body.types.value(instr.type), pointer, scope, relaxed, *operands)


def _barrier(body: Body, instr: Instr) -> None:
    """Both wait for the workgroup; they differ in the memory that is then seen, and how far."""
    buffers = instr.op == "storage_barrier"
    what = MemorySemantics.UniformMemory if buffers else MemorySemantics.WorkgroupMemory
    workgroup = body.types.index(Scope.Workgroup)
    reach = body.types.index(Scope.Device) if buffers else workgroup
    semantics = body.types.index(MemorySemantics.AcquireRelease | what)
    body.effect(Op.ControlBarrier, workgroup, reach, semantics)


def _call(body: Body, instr: Instr) -> int:
    callee = body.module.function_id(str(instr.imm[0]), body.fragment)
    arguments = tuple(map(body.value, instr.args))
    return body.op(Op.FunctionCall, body.types.value(instr.type), callee, *arguments)


def _texture_size(body: Body, instr: Instr) -> int:
    body.builder.capability(Capability.ImageQuery)
    return textures.query_size(body, instr)


#: Operations that are not just the table's instruction.
SPECIAL: dict[str, Writer] = {
    "mul": _multiply,
    "neg": _negate,
    "rem": _remainder,
    "shl": _shift,
    "shr": _shift,
    "saturate": _saturate,
    "dfdx": _derivative,
    "dfdy": _derivative,
    "fwidth": _derivative,
    "select": _select,
    "convert": _convert,
    "construct": _construct,
    "splat": _splat,
    "extract": _extract,
    "insert": _insert,
    "shuffle": _shuffle,
    "load": memory.load,
    "store": _store,
    "array_length": memory.array_length,
    "call": _call,
    "workgroup_barrier": _barrier,
    "storage_barrier": _barrier,
    "sample": textures.sample,
    "sample_bias": textures.sample,
    "sample_level": textures.sample,
    "sample_grad": textures.sample,
    "sample_compare": textures.compare,
    "texel_fetch": textures.fetch,
    "texture_size": _texture_size,
    **{name: _atomic for name in OPERATIONS if name.startswith("atomic_")},
}
