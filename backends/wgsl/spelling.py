"""How WGSL spells types and operations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from luma.ir.module import EntryPoint, Instr, Module
from luma.language.numbers import INT_MIN, f32_bits
from luma.language.reserved import WGSL, WGSL_MEMBERS
from luma.language.types import (
    BOOL,
    INT,
    UINT,
    Array,
    Dim,
    Kind,
    Matrix,
    Sampler,
    Scalar,
    Struct,
    Texture,
    Type,
    Vector,
    is_float,
    scalar_of,
    with_scalar,
)
from luma.source import Source

from ..text.body import Body
from ..text.code import BINARY, BIT_AND, RELATION, SUM, Code, binary, call, parenthesized
from ..text.names import Scope
from ..text.printer import Printer
from ..text.tables import table_key

_RELATIONS = frozenset({"==", "!=", "<", "<=", ">", ">="})
_SHIFTS = frozenset({"<<", ">>"})
_DIMENSIONS = {Dim.D2: "2d", Dim.D3: "3d", Dim.CUBE: "cube", Dim.D2_ARRAY: "2d_array"}


class WgslSpeller(Printer):
    """Spells the expressions of a module whose memory, inputs and constants are WGSL's already."""

    reserved = WGSL
    types = {
        Kind.BOOL: "bool",
        Kind.INT: "i32",
        Kind.UINT: "u32",
        Kind.FLOAT: "f32",
        Kind.HALF: "f16",
    }
    spell = {
        "inversesqrt": "inverseSqrt",
        "faceforward": "faceForward",
        "dfdx": "dpdx",
        "dfdy": "dpdy",
        "bit_count": "countOneBits",
        "reverse_bits": "reverseBits",
        "pack_snorm4x8": "pack4x8snorm",
        "unpack_snorm4x8": "unpack4x8snorm",
        "pack_unorm4x8": "pack4x8unorm",
        "unpack_unorm4x8": "unpack4x8unorm",
        "pack_snorm2x16": "pack2x16snorm",
        "unpack_snorm2x16": "unpack2x16snorm",
        "pack_unorm2x16": "pack2x16unorm",
        "unpack_unorm2x16": "unpack2x16unorm",
        "pack_half2x16": "pack2x16float",
        "unpack_half2x16": "unpack2x16float",
        "sample": "textureSample",
        "sample_bias": "textureSampleBias",
        "sample_level": "textureSampleLevel",
        "sample_grad": "textureSampleGrad",
        "texel_fetch": "textureLoad",
        "atomic_add": "atomicAdd",
        "atomic_min": "atomicMin",
        "atomic_max": "atomicMax",
        "atomic_and": "atomicAnd",
        "atomic_or": "atomicOr",
        "atomic_xor": "atomicXor",
        "atomic_exchange": "atomicExchange",
        "workgroup_barrier": "workgroupBarrier",
        "storage_barrier": "storageBarrier",
    }
    scalars = {"mix": (2,)}

    def __init__(
        self,
        module: Module,
        atomic_pointers: frozenset[tuple[str, int]],
        fragment_functions: frozenset[str],
        source: Source | None,
    ) -> None:
        super().__init__(module)
        self.atomic_pointers = atomic_pointers
        self.fragment_functions = fragment_functions
        self.source = source
        self.entries: dict[str, EntryPoint] = {e.function: e for e in module.entry_points}
        self.output_names: dict[str, str] = {}  # an entry point's struct of outputs
        self.tables: dict[object, str] = {}  # constant arrays, by their contents
        self.bits: dict[int, str] = {}  # variables that hold what no literal may be
        self.halves = False
        self._changed: set[int] = set()  # the variables of the function that are not `let`
        self._loops = 0

    def name_structs(self, printed: Sequence[Struct]) -> None:
        for struct in printed:
            self.struct_names[struct.name] = self.names.add(struct.name)
        for struct in self.module.structs:
            fields = Scope(WGSL_MEMBERS)
            self.field_names[struct.name] = tuple(fields.add(f.name) for f in struct.fields)

    # ------------------------------------------------------------ what operands need

    def lazy(self, instr: Instr, types: Mapping[int, Type]) -> tuple[int, ...]:
        return () if instr.op == "select" else super().lazy(instr, types)

    def repeated(self, instr: Instr, types: Mapping[int, Type]) -> tuple[int, ...]:
        if instr.op == "atomic_compare_exchange":
            return (0, 1, 2)
        return super().repeated(instr, types)

    def updates(self, instr: Instr, types: Mapping[int, Type]) -> bool:
        """No assignment to a swizzle; a comparison and exchange takes several statements."""
        return instr.op in ("insert", "atomic_compare_exchange")

    # ------------------------------------------------------------ types and literals

    def type_name(self, t: Type, atomic: bool = False) -> str:
        match t:
            case Scalar(kind):
                self.halves |= kind is Kind.HALF
                name = self.types[kind]
                return f"atomic<{name}>" if atomic else name
            case Vector(elem, size):
                return f"vec{size}<{self.type_name(elem)}>"
            case Matrix(cols, rows):
                return f"mat{cols}x{rows}<f32>"
            case Array(elem, size):
                count = "" if size is None else f", {size}"
                return f"array<{self.type_name(elem, atomic)}{count}>"
            case Texture(dim, depth):
                shape = _DIMENSIONS[dim]
                return f"texture_depth_{shape}" if depth else f"texture_{shape}<f32>"
            case Sampler(comparison):
                return "sampler_comparison" if comparison else "sampler"
        return super().type_name(t)

    def declarator(self, t: Type, name: str) -> str:
        return f"{name}: {self.type_name(t)}"

    def declaration(self, body: Body, variable: int, value: str | None = None) -> str:
        name = body.names[variable]
        if value is None:
            return f"var {self.declarator(body.variable_type(variable), name)}"
        return f"{'var' if variable in self._changed else 'let'} {name} = {value}"

    def suffix(self, kind: Kind) -> str:
        return "h" if kind is Kind.HALF else super().suffix(kind)

    def integer(self, value: int, kind: Kind) -> Code:
        return Code(f"i32({INT_MIN})") if value == INT_MIN else super().integer(value, kind)

    def not_finite(self, value: float, kind: Kind) -> Code:
        code = call("bitcast<f32>", Code(self.bits[f32_bits(value)]))
        return call(self.types[kind], code) if kind is Kind.HALF else code

    # ------------------------------------------------------------ operators

    def join(self, left: Code, symbol: str, right: Code, precedence: int) -> Code:
        """WGSL's grammar neither chains comparisons nor shifts."""
        for alone in (_RELATIONS, _SHIFTS):
            if symbol in alone:
                left, right = (_alone(code, alone) for code in (left, right))
        return binary(left, symbol, right, precedence)

    def values(self, body: Body, values: tuple[int, ...]) -> list[Code]:
        """Several texts between commas: ``a < b, c > d`` would be a template's arguments."""
        found = super().values(body, values)
        if len(found) < 2:
            return found
        return [Code(parenthesized(c)) if c.symbol == "<" else c for c in found]

    def binary(self, body: Body, instr: Instr) -> Code:
        same = instr.op in ("eq", "ne") and instr.args[0] == instr.args[1]
        if same and is_float(body.type(instr.args[0])):  # a test for NaN
            return self._by_bits(body, instr, "<=" if instr.op == "eq" else ">")
        if instr.op in ("and", "or") and isinstance(instr.type, Vector):
            symbol, precedence = BINARY[f"bit_{instr.op}"]
            left, right = self.values(body, instr.args)
            return self.join(left, symbol, right, precedence)
        return super().binary(body, instr)

    def op_neg(self, body: Body, instr: Instr) -> Code:
        """A uint has no minus in WGSL."""
        if scalar_of(instr.type) == UINT:
            return self.join(Code("0u"), "-", self.value(body, instr.args[0]), SUM)
        return super().op_neg(body, instr)

    def op_select(self, body: Body, instr: Instr) -> Code:
        """WGSL has what is taken where the condition fails first."""
        cond, yes, no = self.values(body, instr.args)
        return call("select", no, yes, cond)

    def op_shl(self, body: Body, instr: Instr) -> Code:
        """The count is a u32; WGSL takes it modulo 32, but forbids greater constants."""
        symbol, precedence = BINARY[instr.op]
        t = with_scalar(instr.type, UINT)
        count = self._count(body, instr.args[1])
        if count is None:
            count = self.value(body, instr.args[1])
            if scalar_of(instr.type) == INT:
                count = call(self.type_name(t), count)
            mask = Code("31u")
            if isinstance(t, Vector):
                mask = call(self.type_name(t), mask)
            count = self.join(count, "&", mask, BIT_AND)
        return self.join(self.value(body, instr.args[0]), symbol, count, precedence)

    op_shr = op_shl

    def _count(self, body: Body, value: int) -> Code | None:
        """A constant count as a u32; None for any other."""
        instr = body.forms.instrs.get(value)
        if instr is None or not body.is_constant(value):
            return None
        if instr.op == "const":
            return self.literal(instr.imm[0], UINT)
        parts = [self._count(body, part) for part in instr.args]
        known = [part for part in parts if part is not None]
        t = with_scalar(body.type(value), UINT)
        if len({part.text for part in known}) == 1:
            known = known[:1]
        return call(self.type_name(t), *known)

    def op_isnan(self, body: Body, instr: Instr) -> Code:
        """By its bits: WGSL lets a compiler assume that there is no NaN."""
        return self._by_bits(body, instr, ">")

    def op_isinf(self, body: Body, instr: Instr) -> Code:
        """By its bits, as isnan."""
        return self._by_bits(body, instr, "==")

    def _by_bits(self, body: Body, instr: Instr, comparison: str) -> Code:
        given = body.type(instr.args[0])
        bits = with_scalar(given, UINT)
        value = self.value(body, instr.args[0])
        if scalar_of(given).kind is Kind.HALF:
            value = call(f"vec{given.size}<f32>" if isinstance(given, Vector) else "f32", value)
        raw = call(f"bitcast<{self.type_name(bits)}>", value)
        magnitude, greatest = Code("0x7fffffffu"), Code("0x7f800000u")
        if isinstance(bits, Vector):
            magnitude, greatest = (call(self.type_name(bits), c) for c in (magnitude, greatest))
        return self.join(self.join(raw, "&", magnitude, BIT_AND), comparison, greatest, RELATION)

    def op_find_lsb(self, body: Body, instr: Instr) -> Code:
        """Gives the argument's type, and all bits set where there is none."""
        return self._found(body, instr, "firstTrailingBit")

    def op_find_msb(self, body: Body, instr: Instr) -> Code:
        """As find_lsb."""
        return self._found(body, instr, "firstLeadingBit")

    def _found(self, body: Body, instr: Instr, function: str) -> Code:
        found = call(function, self.value(body, instr.args[0]))
        if scalar_of(body.type(instr.args[0])) == INT:
            return found
        return call(self.type_name(instr.type), found)

    # ------------------------------------------------------------ textures, memory, calls

    def op_sample_compare(self, body: Body, instr: Instr) -> Code:
        """Without derivatives level 0 is meant."""
        inside = body.function.name in self.fragment_functions
        name = "textureSampleCompare" if inside else "textureSampleCompareLevel"
        return call(name, *self.values(body, instr.args))

    def op_texture_size(self, body: Body, instr: Instr) -> Code:
        """The size of a level, as ints; an array's count of layers with it."""
        return call(self.type_name(instr.type), self._counted(body, instr))

    def op_array_length(self, body: Body, instr: Instr) -> Code:
        """The length of a runtime array, as an int."""
        return call("i32", self._counted(body, instr))

    def _counted(self, body: Body, instr: Instr) -> Code:
        """A size as WGSL tells it, unsigned."""
        if instr.op == "array_length":
            return call("arrayLength", self._address(body, instr.args[0]))
        texture, level = self.values(body, instr.args)
        size = call("textureDimensions", texture, level)
        t = body.type(instr.args[0])
        if isinstance(t, Texture) and t.dim is Dim.D2_ARRAY:
            size = call("vec3<u32>", size, call("textureNumLayers", texture))
        return size

    def op_convert(self, body: Body, instr: Instr) -> Code:
        """A conversion; sizes, which are small, are not made ints on the way."""
        inner = body.instr(instr.args[0])
        if inner is None or inner.op not in ("array_length", "texture_size"):
            return super().op_convert(body, instr)
        size = self._counted(body, inner)
        same = scalar_of(instr.type) == UINT
        return size if same else call(self.type_name(instr.type), size)

    def op_global(self, body: Body, instr: Instr) -> Code:
        """Memory or a resource."""
        return Code(self.global_names[str(instr.imm[0])])

    op_spec = op_global

    def op_construct(self, body: Body, instr: Instr) -> Code:
        table = self.tables.get(table_key(body, instr)) if self.tables else None
        if table is not None:
            return Code(table)
        if isinstance(instr.type, Vector) and instr.type.elem == BOOL:
            return call(self.type_name(instr.type), *self.values(body, instr.args))
        return super().op_construct(body, instr)

    def _vector(self, body: Body, t: Vector, parts: list[tuple[int, int | None]]) -> Code:
        return super()._vector(body, t, [self._origin(body, *part) for part in parts])

    def _origin(self, body: Body, source: int, index: int | None) -> tuple[int, int | None]:
        """A component of what is a swizzle itself is one of what that is taken from."""
        instr = body.instr(source)
        while index is not None and instr is not None:
            if instr.op != "shuffle" or len(instr.args) != 1:
                break
            source, index = instr.args[0], int(instr.imm[index] or 0)
            instr = body.instr(source)
        return source, index

    def op_load(self, body: Body, instr: Instr) -> Code:
        if self._is_atomic(body, instr.args[0]):
            return call("atomicLoad", self._address(body, instr.args[0]))
        return super().op_load(body, instr)

    def _is_atomic(self, body: Body, pointer: int) -> bool:
        return (body.function.name, pointer) in self.atomic_pointers

    def _address(self, body: Body, pointer: int) -> Code:
        return Code(f"&{self.primary(body, pointer)}")

    def operation(self, body: Body, instr: Instr) -> Code:
        if instr.op.startswith("atomic_"):
            place = self._address(body, instr.args[0])
            return call(self.spell[instr.op], place, *self.values(body, instr.args[1:]))
        return super().operation(body, instr)


def _alone(code: Code, symbols: frozenset[str]) -> Code:
    return Code(parenthesized(code)) if code.symbol in symbols else code
