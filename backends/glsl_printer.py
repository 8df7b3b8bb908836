"""How GLSL spells types, operations and statements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from luma.frontend.typed import Unroll
from luma.ir.module import EntryPoint, Function, Instr, Module
from luma.language.numbers import f32_bits
from luma.language.reserved import GLSL
from luma.language.stages import Stage
from luma.language.types import (
    FLOAT,
    HALF,
    Array,
    Dim,
    Kind,
    Matrix,
    Sampler,
    Scalar,
    Space,
    Struct,
    Texture,
    Type,
    Vector,
    scalar_of,
    with_scalar,
)

from .glsl_blocks import holds_structs_with_bools
from .text.body import Body
from .text.code import BINARY, BIT_AND, PRODUCT, SUM, Code, binary, call
from .text.lines import Lines, span_of
from .text.printer import Printer
from .text.spelling import COMPONENTS
from .text.statements import Statement
from .text.tables import table_key

#: The variables of the builtin values.
BUILTINS = {
    "vertex_id": "gl_VertexIndex",
    "instance_id": "gl_InstanceIndex",
    "position": "gl_Position",
    "point_size": "gl_PointSize",
    "frag_coord": "gl_FragCoord",
    "front_facing": "gl_FrontFacing",
    "sample_id": "gl_SampleID",
    "primitive_id": "gl_PrimitiveID",
    "frag_depth": "gl_FragDepth",
    "global_invocation_id": "gl_GlobalInvocationID",
    "local_invocation_id": "gl_LocalInvocationID",
    "workgroup_id": "gl_WorkGroupID",
    "num_workgroups": "gl_NumWorkGroups",
    "local_invocation_index": "gl_LocalInvocationIndex",
}

_COMPARISONS = {
    "eq": "equal",
    "ne": "notEqual",
    "lt": "lessThan",
    "le": "lessThanEqual",
    "gt": "greaterThan",
    "ge": "greaterThanEqual",
}

_PREFIX = {Kind.BOOL: "b", Kind.INT: "i", Kind.UINT: "u", Kind.FLOAT: "", Kind.HALF: "f16"}


class GlslPrinter(Printer):
    """Prints one entry point and all that it reaches."""

    reserved = GLSL
    chooses_lazily = True
    types = {
        Kind.BOOL: "bool",
        Kind.INT: "int",
        Kind.UINT: "uint",
        Kind.FLOAT: "float",
        Kind.HALF: "float16_t",
    }
    spell = {
        "atan2": "atan",
        "round": "roundEven",
        "dfdx": "dFdx",
        "dfdy": "dFdy",
        "outer_product": "outerProduct",
        "reverse_bits": "bitfieldReverse",
        "find_lsb": "findLSB",
        "find_msb": "findMSB",
        "pack_snorm4x8": "packSnorm4x8",
        "unpack_snorm4x8": "unpackSnorm4x8",
        "pack_unorm4x8": "packUnorm4x8",
        "unpack_unorm4x8": "unpackUnorm4x8",
        "pack_snorm2x16": "packSnorm2x16",
        "unpack_snorm2x16": "unpackSnorm2x16",
        "pack_unorm2x16": "packUnorm2x16",
        "unpack_unorm2x16": "unpackUnorm2x16",
        "pack_half2x16": "packHalf2x16",
        "unpack_half2x16": "unpackHalf2x16",
        "atomic_add": "atomicAdd",
        "atomic_min": "atomicMin",
        "atomic_max": "atomicMax",
        "atomic_and": "atomicAnd",
        "atomic_or": "atomicOr",
        "atomic_xor": "atomicXor",
        "atomic_exchange": "atomicExchange",
        "atomic_compare_exchange": "atomicCompSwap",
    }
    scalars = {
        "min": (1,),
        "max": (1,),
        "clamp": (1, 2),
        "mix": (2,),
        "step": (0,),
        "smoothstep": (0, 1),
        "mod": (1,),
    }

    def __init__(
        self, module: Module, entry: EntryPoint, lines: Lines | None, precise: bool
    ) -> None:
        super().__init__(module, precise)
        self.entry = entry
        self.lines = lines
        self.extensions: set[str] = set()
        self.globals = {item.name: item for item in module.globals}
        self.blocks = [g.type for g in module.globals if isinstance(g.type, Struct)]
        self.tables: dict[object, str] = {}  # constant arrays, by their contents
        self.output_names: tuple[str, ...] = ()

    # ------------------------------------------------------------ types and literals

    def type_name(self, t: Type) -> str:
        match t:
            case Scalar(Kind.HALF):
                self.extensions.add("GL_EXT_shader_explicit_arithmetic_types_float16")
            case Vector(elem, size):
                self.type_name(elem)
                return f"{_PREFIX[elem.kind]}vec{size}"
            case Matrix():
                return str(t)
            case Array():
                base, sizes = _array_parts(t)
                return self.type_name(base) + sizes
            case Texture(dim):
                return f"texture{dim.value}"
            case Sampler(comparison):
                return "samplerShadow" if comparison else "sampler"
        return super().type_name(t)

    def declarator(self, t: Type, name: str) -> str:
        base, sizes = _array_parts(t)
        return f"{self.type_name(base)} {name}{sizes}"

    def suffix(self, kind: Kind) -> str:
        return "hf" if kind is Kind.HALF else super().suffix(kind)

    def not_finite(self, value: float, kind: Kind) -> Code:
        code = call("uintBitsToFloat", Code(f"0x{f32_bits(value):08x}u"))
        return call(self.types[kind], code) if kind is Kind.HALF else code

    # ------------------------------------------------------------ operations

    def repeated(self, instr: Instr, types: Mapping[int, Type]) -> tuple[int, ...]:
        if instr.op == "rem" and scalar_of(instr.type).kind is Kind.INT:
            return (0, 1)
        if instr.op in ("and", "or") and isinstance(instr.type, Vector):
            return (0, 1)
        if instr.op == "store" and types[instr.args[1]] in self.blocks:
            return (1,)  # GLSL cannot assign to a whole block
        if instr.op in ("store", "construct"):
            return tuple(
                at for at, a in enumerate(instr.args) if holds_structs_with_bools(types[a])
            )
        return super().repeated(instr, types)

    def binary(self, body: Body, instr: Instr) -> Code:
        if isinstance(body.type(instr.args[0]), Vector):
            if instr.op in _COMPARISONS:
                return call(_COMPARISONS[instr.op], *self.values(body, instr.args))
            if instr.op in ("and", "or"):
                return self._both(body, instr)
        return super().binary(body, instr)

    def _both(self, body: Body, instr: Instr) -> Code:
        """GLSL has no logical operators on vectors."""
        assert isinstance(instr.type, Vector)
        symbol, precedence = BINARY[instr.op]
        a, b = (self.primary(body, value) for value in instr.args)
        parts = [
            binary(Code(f"{a}.{c}"), symbol, Code(f"{b}.{c}"), precedence)
            for c in COMPONENTS[: instr.type.size]
        ]
        return call(self.type_name(instr.type), *parts)

    def op_all(self, body: Body, instr: Instr) -> Code:
        """``all(equal(a, b))`` is ``a == b``."""
        return self._whole(body, instr, "eq") or call("all", self.value(body, instr.args[0]))

    def op_any(self, body: Body, instr: Instr) -> Code:
        """``any(notEqual(a, b))`` is ``a != b``."""
        return self._whole(body, instr, "ne") or call("any", self.value(body, instr.args[0]))

    def _whole(self, body: Body, instr: Instr, comparison: str) -> Code | None:
        compared = body.instr(instr.args[0])
        if compared is None or compared.op != comparison:
            return None
        symbol, precedence = BINARY[comparison]
        a, b = self.values(body, compared.args)
        return binary(a, symbol, b, precedence)

    def op_not(self, body: Body, instr: Instr) -> Code:
        if isinstance(instr.type, Vector):
            return call("not", self.value(body, instr.args[0]))
        return super().op_not(body, instr)

    def op_select(self, body: Body, instr: Instr) -> Code:
        if isinstance(body.type(instr.args[0]), Scalar):
            return super().op_select(body, instr)
        cond, a, b = self.values(body, instr.args)
        return call("mix", b, a, cond)

    def op_rem(self, body: Body, instr: Instr) -> Code:
        """``%`` of negative ints is undefined in GLSL (4.60 specification, 5.9)."""
        if scalar_of(instr.type).kind is Kind.UINT:
            return self.binary(body, instr)
        a, b = self.values(body, instr.args)
        quotient = binary(a, "/", b, PRODUCT)
        return binary(a, "-", binary(b, "*", quotient, PRODUCT), SUM)

    def op_shl(self, body: Body, instr: Instr) -> Code:
        """A count of 32 or more is undefined in GLSL."""
        mask = Code("31u" if scalar_of(instr.type).kind is Kind.UINT else "31")
        return self.shift(body, instr, lambda count: binary(count, "&", mask, BIT_AND))

    op_shr = op_shl

    def op_saturate(self, body: Body, instr: Instr) -> Code:
        """GLSL clamps with scalar limits."""
        kind = scalar_of(instr.type)
        limits = self.literal(0.0, kind), self.literal(1.0, kind)
        return call("clamp", self.value(body, instr.args[0]), *limits)

    def op_dfdx(self, body: Body, instr: Instr) -> Code:
        """Vulkan has derivatives of floats only (SPIR-V specification, OpDPdx)."""
        function, value = self.spell.get(instr.op, instr.op), self.value(body, instr.args[0])
        if scalar_of(instr.type) != HALF:
            return call(function, value)
        wide = call(self.type_name(with_scalar(instr.type, FLOAT)), value)
        return call(self.type_name(instr.type), call(function, wide))

    op_dfdy = op_fwidth = op_dfdx

    def op_bit_count(self, body: Body, instr: Instr) -> Code:
        """bitCount gives ints."""
        count = call("bitCount", self.value(body, instr.args[0]))
        unsigned = scalar_of(instr.type).kind is Kind.UINT
        return call(self.type_name(instr.type), count) if unsigned else count

    def op_array_length(self, body: Body, instr: Instr) -> Code:
        """The length of a runtime array."""
        return Code(f"{self.primary(body, instr.args[0])}.length()")

    # ------------------------------------------------------------ textures

    def _half(self, body: Body, value: int) -> tuple[str, str | None]:
        """A texture's or sampler's name, and the combined sampler that it is half of."""
        for param in body.function.params:
            if param.id == value:
                return body.names[value], param.combined
        instr = body.forms.instrs[value]
        item = self.globals[str(instr.imm[0])]
        return self.global_names[item.name], item.combined

    def _sampler(self, body: Body, instr: Instr) -> Code:
        """What a sampling function samples: a combined sampler, or the two put together."""
        (texture, whole), (sampler, other) = (self._half(body, v) for v in instr.args[:2])
        if whole is not None and whole == other:
            return Code(texture)
        t = body.type(instr.args[0])
        assert isinstance(t, Texture)
        return call(sampler_name(t), Code(texture), Code(sampler))

    def _sampling(self, function: str, body: Body, instr: Instr) -> Code:
        return call(function, self._sampler(body, instr), *self.values(body, instr.args[2:]))

    def op_sample(self, body: Body, instr: Instr) -> Code:
        """Sample with derivatives."""
        return self._sampling("texture", body, instr)

    op_sample_bias = op_sample

    def op_sample_level(self, body: Body, instr: Instr) -> Code:
        """Sample a level."""
        return self._sampling("textureLod", body, instr)

    def op_sample_grad(self, body: Body, instr: Instr) -> Code:
        """Sample with gradients."""
        return self._sampling("textureGrad", body, instr)

    def op_sample_compare(self, body: Body, instr: Instr) -> Code:
        """The reference is the coordinate's last part; without derivatives level 0 is meant."""
        t = body.type(instr.args[0])
        assert isinstance(t, Texture)
        size = 3 if t.dim is Dim.D2 else 4
        packed = call(f"vec{size}", *self.values(body, instr.args[2:]))
        sampler = self._sampler(body, instr)
        if self.entry.stage is Stage.FRAGMENT:
            return call("texture", sampler, packed)
        if t.dim is Dim.D2:
            return call("textureLod", sampler, packed, Code("0.0"))
        flat = Code("vec3(0.0)" if t.dim is Dim.CUBE else "vec2(0.0)")
        return call("textureGrad", sampler, packed, flat, flat)

    def _query(self, function: str, body: Body, instr: Instr) -> Code:
        texture, whole = self._half(body, instr.args[0])
        if whole is None:
            self.extensions.add("GL_EXT_samplerless_texture_functions")
        return call(function, Code(texture), *self.values(body, instr.args[1:]))

    def op_texel_fetch(self, body: Body, instr: Instr) -> Code:
        """One texel."""
        return self._query("texelFetch", body, instr)

    def op_texture_size(self, body: Body, instr: Instr) -> Code:
        """The size of a level."""
        return self._query("textureSize", body, instr)

    # ------------------------------------------------------------ memory, calls, statements

    def op_global(self, body: Body, instr: Instr) -> Code:
        """Memory or a resource."""
        return Code(self.global_names[str(instr.imm[0])])

    def op_construct(self, body: Body, instr: Instr) -> Code:
        table = self.tables.get(table_key(body, instr))
        if table is not None:
            return Code(table)
        diagonal = self._diagonal(body, instr) if isinstance(instr.type, Matrix) else None
        if diagonal is not None:
            return call(self.type_name(instr.type), self.value(body, diagonal))
        return super().op_construct(body, instr)

    def _diagonal(self, body: Body, instr: Instr) -> int | None:
        """The one constant on the diagonal of a matrix that is zero elsewhere."""
        if not body.is_constant(instr.id):
            return None
        found: dict[str, int] = {}
        for col, column in enumerate(instr.args):
            made = body.forms.instrs[column]
            parts = made.args * instr.type.rows if made.op == "splat" else made.args  # type: ignore[union-attr]
            for row, part in enumerate(parts):
                number = repr(body.forms.instrs[part].imm)
                if row != col and number != "(0.0,)":
                    return None
                if row == col:
                    found[number] = part
        return next(iter(found.values())) if len(found) == 1 else None

    def op_spec(self, body: Body, instr: Instr) -> Code:
        """A specialization constant."""
        return Code(self.global_names[str(instr.imm[0])])

    def op_call(self, body: Body, instr: Instr) -> Code:
        callee = self.module.function(str(instr.imm[0]))
        args = [
            self.value(body, arg)
            for arg, param in zip(instr.args, callee.params, strict=True)
            if not (param.combined and isinstance(param.type, Sampler))
        ]
        return call(self.function_names[callee.name], *args)

    def perform(self, body: Body, instr: Instr, declares: bool) -> Iterator[str]:
        if instr.op == "workgroup_barrier":
            yield "barrier();"  # which orders shared memory too (GL_KHR_memory_scope_semantics)
        elif instr.op == "storage_barrier":
            yield from ("memoryBarrierBuffer();", "barrier();")
        elif instr.op == "discard":
            yield "discard;"
        elif instr.op == "store" and body.forms.instrs[instr.args[0]].op == "global":
            yield from self._store_whole(body, instr)
        else:
            yield from super().perform(body, instr, declares)

    def _store_whole(self, body: Body, instr: Instr) -> Iterator[str]:
        target = body.forms.instrs[instr.args[0]]
        t = body.type(instr.args[1])
        block = self.global_names[str(target.imm[0])]
        if isinstance(t, Struct) and self.globals[str(target.imm[0])].space is Space.STORAGE:
            whole = self.primary(body, instr.args[1])
            for name in self.field_names[t.name]:
                yield f"{block}.{name} = {whole}.{name};"
        else:
            yield from super().perform(body, instr, False)

    def loop_hint(self, unroll: Unroll | int | None) -> str:
        if unroll is None:
            return ""
        self.extensions.add("GL_EXT_control_flow_attributes")
        return "[[unroll]] "

    def leave(self, body: Body, values: tuple[int, ...], last: bool) -> Iterator[str]:
        if body.function.name != self.entry.function:
            yield from super().leave(body, values, last)
            return
        for name, value in zip(self.output_names, values, strict=True):
            yield f"{name} = {self.value(body, value).text};"
        if not last:
            yield "return;"

    def marks(self, body: Body, statement: Statement) -> Iterator[str]:
        if self.lines is not None:
            span = span_of(body.function, statement)
            if span is not None:
                yield self.lines.directive(span)

    # ------------------------------------------------------------ functions

    def parameters(self, function: Function, body: Body) -> Iterator[str]:
        params = () if function.name == self.entry.function else function.params
        for param in params:
            if param.combined is None:
                yield self.declarator(param.type, body.names[param.id])
            elif isinstance(param.type, Texture):
                yield f"{sampler_name(param.type)} {body.names[param.id]}"

    def result_type(self, function: Function) -> str:
        entry = function.name == self.entry.function
        return "void" if entry else super().result_type(function)


def sampler_name(t: Texture) -> str:
    """The type of a texture and its sampler in one."""
    return f"sampler{t.dim.value}{'Shadow' if t.depth else ''}"


def _array_parts(t: Type) -> tuple[Type, str]:
    """What an array is made of, and its sizes in brackets."""
    sizes = ""
    while isinstance(t, Array):
        sizes += "[]" if t.size is None else f"[{t.size}]"
        t = t.elem
    return t, sizes
