"""How HLSL spells types, operations and statements.

A matrix of Luma's is its transpose in HLSL: ``matCxR`` is ``floatCxR``, whose rows are the columns.
Then ``m[i]`` means the same, and ``M * v`` is ``mul(v, M)``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from luma.frontend.typed import Unroll
from luma.ir.module import EntryPoint, Function, Instr, Module
from luma.language.numbers import f32_bits
from luma.language.reserved_hlsl import HLSL
from luma.language.stages import Stage
from luma.language.types import (
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
from luma.source import Span

from ..text.body import Body
from ..text.code import BINARY, BIT_AND, UNARY, Code, above, call
from ..text.lines import Lines, span_of
from ..text.statements import Assign, Define, Statement
from ..text.tables import table_key
from .memory import Memory

SHAPES = {Dim.D2: "2D", Dim.D3: "3D", Dim.CUBE: "Cube", Dim.D2_ARRAY: "2DArray"}


class HlslPrinter(Memory):
    """Prints one entry point and all that it reaches."""

    reserved = HLSL
    short_circuits = False  # not before HLSL 2021, and not in older compilers' SPIR-V
    spell = {
        "fract": "frac",
        "inversesqrt": "rsqrt",
        "mix": "lerp",
        "fma": "mad",
        "dfdx": "ddx",
        "dfdy": "ddy",
        "reverse_bits": "reversebits",
        "workgroup_barrier": "GroupMemoryBarrierWithGroupSync",
        "storage_barrier": "DeviceMemoryBarrierWithGroupSync",
    }
    scalars = {
        "min": (1,),
        "max": (1,),
        "clamp": (1, 2),
        "mix": (2,),
        "step": (0,),
        "smoothstep": (0, 1),
        "pow": (1,),
    }

    def __init__(
        self, module: Module, entry: EntryPoint, lines: Lines | None, precise: bool
    ) -> None:
        super().__init__(module, precise)
        self.entry = entry
        self.lines = lines
        self.tables: dict[object, str] = {}  # constant arrays, by their contents
        self.array_types: dict[str, str] = {}  # arrays that functions return: name to type
        self.uses_half = False
        self.output_struct = ""
        self.output_fields: tuple[str, ...] = ()
        self.output_variable = ""

    # ------------------------------------------------------------ types and literals

    def type_name(self, t: Type) -> str:
        match t:
            case Scalar(Kind.HALF):
                self.uses_half = True
            case Vector(elem, size):
                return f"{self.type_name(elem)}{size}"
            case Matrix(cols, rows):
                return f"float{cols}x{rows}"
            case Texture(dim, depth):
                return f"Texture{SHAPES[dim]}{'<float>' if depth else ''}"
            case Sampler(comparison):
                return "SamplerComparisonState" if comparison else "SamplerState"
            case Array():
                base, sizes = array_parts(t)
                return self.type_name(base) + sizes
        return super().type_name(t)

    def declarator(self, t: Type, name: str) -> str:
        base, sizes = array_parts(t)
        return f"{self.type_name(base)} {name}{sizes}"

    def suffix(self, kind: Kind) -> str:
        return "h" if kind is Kind.HALF else super().suffix(kind)

    def not_finite(self, value: float, kind: Kind) -> Code:
        code = call("asfloat", Code(f"0x{f32_bits(value):08x}u"))
        return self.cast("half", code) if kind is Kind.HALF else code

    def cast(self, name: str, code: Code) -> Code:
        """A conversion by a cast, which also repeats a scalar."""
        return Code(f"({name}){above(code, UNARY)}", UNARY)

    # ------------------------------------------------------------ operations

    def repeated(self, instr: Instr, types: Mapping[int, Type]) -> tuple[int, ...]:
        if instr.op in ("pack_half2x16", "unpack_half2x16", "find_msb"):
            return (0,)
        return super().repeated(instr, types)

    def binary(self, body: Body, instr: Instr) -> Code:
        """An operator; a scalar beside a vector is repeated by itself."""
        symbol, precedence = BINARY[instr.op]
        a, b = instr.args
        if isinstance(body.type(a), Vector):
            left, right = self._splat_of(body, a), self._splat_of(body, b)
            if right is not None:
                b = right
            elif left is not None:
                a = left
        left_code = self.value(body, a)
        if self._literal(body, a) and self._literal(body, b):
            left_code = self.cast("int", left_code)
        return self.join(left_code, symbol, self.value(body, b), precedence)

    def _literal(self, body: Body, value: int) -> bool:
        """Whether the text is an int without a type, which HLSL takes for one of 64 bits."""
        instr = body.instr(value)
        if instr is None or instr.type != INT:
            return False
        chosen = instr.op == "select" and all(self._literal(body, a) for a in instr.args[1:])
        return chosen or instr.op == "const"

    def op_ne(self, body: Body, instr: Instr) -> Code:
        """What differs from itself is no number; ``!=`` of DXC's says otherwise in SPIR-V."""
        a, b = instr.args
        if a == b and is_float(body.type(a)):
            return call("isnan", self.value(body, a))
        return self.binary(body, instr)

    def op_convert(self, body: Body, instr: Instr) -> Code:
        """A conversion by a constructor; DXC warns where a number becomes a bool.

        One of a vector that is itself converted is a cast: DXC's SPIR-V forgets both constructors.
        """
        if scalar_of(instr.type).kind is Kind.BOOL and body.is_constant(instr.args[0]):
            t = body.type(instr.args[0])
            zero = self.literal(0, scalar_of(t))
            value = self.value(body, instr.args[0])
            return self.join(value, "!=", zero, BINARY["ne"][1])
        inner = body.instr(instr.args[0])
        if isinstance(instr.type, Vector) and inner is not None and inner.op == "convert":
            return self.op_splat(body, instr)
        return super().op_convert(body, instr)

    def op_splat(self, body: Body, instr: Instr) -> Code:
        """A scalar in every component."""
        return self.cast(self.type_name(instr.type), self.value(body, instr.args[0]))

    def op_construct(self, body: Body, instr: Instr) -> Code:
        """A constructor; of a struct or array, a function of the file."""
        table = self.tables.get(table_key(body, instr))
        if table is not None:
            return Code(table)
        if isinstance(instr.type, Struct | Array):
            function = self.helper(f"make {instr.type}")
            return call(function, *self.values(body, instr.args))
        if isinstance(instr.type, Vector):
            if self._uniform(body, instr):
                return self.op_splat(body, instr)
            instr = replace(instr, args=tuple(self._flat(body, instr.args)))
        return super().op_construct(body, instr)

    def _flat(self, body: Body, args: tuple[int, ...]) -> Iterator[int]:
        """The parts of a vector, and of the vectors that are written inside it."""
        for arg in args:
            made = body.instr(arg)
            inside = made is not None and made.op == "construct" and isinstance(made.type, Vector)
            if made is not None and inside and not self._uniform(body, made):
                yield from self._flat(body, made.args)
            else:
                yield arg

    def _product(self, body: Body, instr: Instr) -> Code:
        """A product of linear algebra: with transposed matrices, the other way round."""
        a, b = self.values(body, instr.args)
        return call("mul", b, a)

    op_mat_vec = op_vec_mat = op_mat_mat = _product

    def op_shl(self, body: Body, instr: Instr) -> Code:
        """HLSL takes the count modulo 32, too, if it is no constant; a number to be shifted needs
        a type."""
        symbol, precedence = BINARY[instr.op]
        value, count = self.values(body, instr.args)
        steady = not body.forms.leaves[instr.args[1]]  # a constant, for all that can be seen
        if steady and not self._in_range(body, instr.args[1]):
            mask = self.literal(31, scalar_of(instr.type))
            count = self._reduced(body, instr.args[1]) or self.join(count, "&", mask, BIT_AND)
        untyped = body.is_constant(instr.args[0]) and isinstance(instr.type, Scalar)
        if (untyped and instr.type == INT) or self._literal(body, instr.args[0]):
            value = self.cast(self.type_name(instr.type), value)
        return self.join(value, symbol, count, precedence)

    def _reduced(self, body: Body, count: int) -> Code | None:
        """A constant count modulo 32."""
        instr = body.forms.instrs[count]
        if instr.op != "const" or not isinstance(instr.type, Scalar):
            return None
        return self.literal(int(instr.imm[0] or 0) & 31, instr.type)

    op_shr = op_shl

    def op_sign(self, body: Body, instr: Instr) -> Code:
        """HLSL's gives ints."""
        code = call("sign", self.value(body, instr.args[0]))
        if scalar_of(instr.type).kind is Kind.INT:
            return code
        return call(self.type_name(instr.type), code)

    def _signed(self, function: str, body: Body, instr: Instr) -> Code:
        """A function that gives uints, where ints are wanted."""
        code = call(function, self.value(body, instr.args[0]))
        if scalar_of(instr.type).kind is Kind.UINT:
            return code
        return call(self.type_name(instr.type), code)

    def op_bit_count(self, body: Body, instr: Instr) -> Code:
        """The number of bits set."""
        return self._signed("countbits", body, instr)

    def op_reverse_bits(self, body: Body, instr: Instr) -> Code:
        """Bits in reverse order."""
        return self._signed("reversebits", body, instr)

    def op_find_lsb(self, body: Body, instr: Instr) -> Code:
        """The lowest bit set; without one, all bits of the result."""
        return self._signed("firstbitlow", body, instr)

    def op_find_msb(self, body: Body, instr: Instr) -> Code:
        """The highest bit that differs from the sign: not what DXC makes of it for SPIR-V."""
        t = body.type(instr.args[0])
        if scalar_of(t).kind is Kind.UINT:
            return self._signed("firstbithigh", body, instr)
        x = above(self.value(body, instr.args[0]), UNARY)
        unsigned = self.type_name(with_scalar(t, UINT))
        return Code(f"{self.type_name(t)}(firstbithigh({unsigned}({x} ^ ({x} >> 31))))")

    def op_pack_half2x16(self, body: Body, instr: Instr) -> Code:
        """Two halves in a uint."""
        v = self.primary(body, instr.args[0])
        return Code(f"f32tof16({v}.x) | (f32tof16({v}.y) << 16)", BINARY["bit_or"][1], "|")

    def op_unpack_half2x16(self, body: Body, instr: Instr) -> Code:
        """f16tof32 reads the low half of its argument."""
        packed = above(self.value(body, instr.args[0]), UNARY)
        return Code(f"f16tof32(uint2({packed}, {packed} >> 16))")

    # ------------------------------------------------------------ textures

    def _method(self, name: str, body: Body, instr: Instr) -> Code:
        texture, *args = self.values(body, instr.args)
        return call(f"{texture.text}.{name}", *args)

    def op_sample(self, body: Body, instr: Instr) -> Code:
        """Sample with derivatives."""
        return self._method("Sample", body, instr)

    def op_sample_bias(self, body: Body, instr: Instr) -> Code:
        """Sample with derivatives and a bias."""
        return self._method("SampleBias", body, instr)

    def op_sample_level(self, body: Body, instr: Instr) -> Code:
        """Sample a level."""
        return self._method("SampleLevel", body, instr)

    def op_sample_grad(self, body: Body, instr: Instr) -> Code:
        """Sample with gradients."""
        return self._method("SampleGrad", body, instr)

    def op_sample_compare(self, body: Body, instr: Instr) -> Code:
        """Without derivatives, level 0 is meant."""
        derivatives = self.entry.stage is Stage.FRAGMENT
        return self._method("SampleCmp" if derivatives else "SampleCmpLevelZero", body, instr)

    def op_texel_fetch(self, body: Body, instr: Instr) -> Code:
        """One texel; the level is the coordinate's last part."""
        texture, at, level = self.values(body, instr.args)
        t = body.type(instr.args[1])
        assert isinstance(t, Vector)
        return call(f"{texture.text}.Load", call(f"int{t.size + 1}", at, level))

    def op_texture_size(self, body: Body, instr: Instr) -> Code:
        """The size of a level."""
        t = self.type_name(body.type(instr.args[0]))
        return call(self.helper(f"size {t}"), *self.values(body, instr.args))

    # ------------------------------------------------------------ statements

    def op_spec(self, body: Body, instr: Instr) -> Code:
        """A specialization constant."""
        return Code(self.global_names[str(instr.imm[0])])

    def setting(self, body: Body, statement: Define | Assign) -> Iterator[str]:
        """A variable gets a value."""
        if isinstance(statement, Define):
            instr = statement.instr
            name = body.names[statement.variable]
            if self.alone(instr, body.forms.types):
                if statement.declares:
                    yield f"{self.declaration(body, statement.variable)};"
                yield from self.atomic(body, instr, name)
                return
            if statement.declares and self._listed(body, instr):
                yield f"{self.declaration(body, statement.variable, self._list(body, instr))};"
                return
        yield from super().setting(body, statement)

    def perform(self, body: Body, instr: Instr, declares: bool) -> Iterator[str]:
        """An instruction for its effect."""
        if instr.op == "discard":
            yield "discard;"
            return
        if instr.op == "store" and declares:
            made = body.instr(instr.args[1])
            if made is not None and self._listed(body, made):
                yield f"{self.declaration(body, instr.args[0], self._list(body, made))};"
                return
        yield from super().perform(body, instr, declares)

    def _listed(self, body: Body, instr: Instr) -> bool:
        """Whether a declaration's value is written as a list in braces."""
        if instr.op != "construct" or table_key(body, instr) in self.tables:
            return False
        if isinstance(instr.type, Struct):  # DXC mixes up the types of arrays within
            return not any(isinstance(field.type, Array) for field in instr.type.fields)
        return isinstance(instr.type, Array)

    def _list(self, body: Body, instr: Instr) -> str:
        parts = []
        for arg in instr.args:
            made = body.instr(arg)
            nested = made is not None and self._listed(body, made)
            parts.append(self._list(body, made) if nested and made else self.value(body, arg).text)
        return f"{{ {', '.join(parts)} }}"

    def loop_hint(self, unroll: Unroll | int | None) -> str:
        """DXC takes ``[unroll]`` for an order, and fails where it cannot obey."""
        return ""

    def leave(self, body: Body, values: tuple[int, ...], last: bool) -> Iterator[str]:
        """A return; an entry point's outputs are a struct where there are several."""
        if body.function.name != self.entry.function or len(values) < 2:
            yield from super().leave(body, values, last)
            return
        variable = self.output_variable
        yield f"{self.output_struct} {variable};"
        for name, value in zip(self.output_fields, values, strict=True):
            yield f"{variable}.{name} = {self.value(body, value).text};"
        yield f"return {variable};"

    def marks(self, body: Body, statement: Statement) -> Iterator[str]:
        if self.lines is not None:
            span = span_of(body.function, statement)
            if span is not None:
                yield self.lines.directive(span)

    # ------------------------------------------------------------ functions

    def result_type(self, function: Function) -> str:
        """The name of what a function returns; of an array, a name made for it."""
        if function.results and isinstance(function.results[0], Array):
            return self.array_name(function.results[0])
        return super().result_type(function)

    def array_name(self, t: Array) -> str:
        """The name of an array type, which a function needs to return it."""
        key = f"type {t}"
        return self.helper(key)


def array_parts(t: Type) -> tuple[Type, str]:
    """What an array is made of, and its sizes in brackets."""
    sizes = ""
    while isinstance(t, Array):
        sizes += f"[{t.size}]"
        t = t.elem
    return t, sizes


class HlslLines(Lines):
    """Line directives that name the file."""

    def directive(self, span: Span) -> str:
        place = self._source.locate(span)
        file = place.file.replace("\\", "/").replace('"', "")
        return f'#line {place.line_start} "{file}"'
