"""How MSL spells types, operations and statements."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from luma.ir.module import Function, Instr, Module
from luma.language.layout import Rules, layout
from luma.language.numbers import f32_bits
from luma.language.reserved_msl import MSL
from luma.language.stages import Stage
from luma.language.types import (
    HALF,
    Array,
    Kind,
    Matrix,
    Pointer,
    Sampler,
    Struct,
    Texture,
    Type,
    Vector,
    element,
    scalar_of,
)
from luma.source import Source

from ..text.body import Body
from ..text.code import BINARY, BIT_AND, SUM, TERNARY, Code, above, binary, call, negative
from ..text.lines import span_of
from ..text.printer import Printer
from ..text.spelling import INDENT
from ..text.statements import Declare, Discard, For, Loop, Statement
from ..text.tables import table_key
from ..text.wrapping import WIDTH, wrapped
from .structs import Forms
from .textures import Textures, texture_name
from .uses import Uses, uses_of

#: Operations without words in MSL, rewritten before printing.
EXPANDED = frozenset(
    {"inverse", "outer_product", "mod", "radians", "degrees", "sign.int", "neg.matrix"}
)

_ATOMICS = {
    "atomic_add": "atomic_fetch_add_explicit",
    "atomic_min": "atomic_fetch_min_explicit",
    "atomic_max": "atomic_fetch_max_explicit",
    "atomic_and": "atomic_fetch_and_explicit",
    "atomic_or": "atomic_fetch_or_explicit",
    "atomic_xor": "atomic_fetch_xor_explicit",
    "atomic_exchange": "atomic_exchange_explicit",
}
_RELAXED = Code("memory_order_relaxed")


class MslPrinter(Printer, Textures):
    """Prints the functions of one module."""

    reserved = MSL
    chooses_lazily = True
    types = {
        Kind.BOOL: "bool",
        Kind.INT: "int",
        Kind.UINT: "uint",
        Kind.FLOAT: "float",
        Kind.HALF: "half",
    }
    spell = {
        "round": "rint",
        "inversesqrt": "rsqrt",
        "pow": "powr",
        "bit_count": "popcount",
        "pack_snorm4x8": "pack_float_to_snorm4x8",
        "unpack_snorm4x8": "unpack_snorm4x8_to_float",
        "pack_unorm4x8": "pack_float_to_unorm4x8",
        "unpack_unorm4x8": "unpack_unorm4x8_to_float",
        "pack_snorm2x16": "pack_float_to_snorm2x16",
        "unpack_snorm2x16": "unpack_snorm2x16_to_float",
        "pack_unorm2x16": "pack_float_to_unorm2x16",
        "unpack_unorm2x16": "unpack_unorm2x16_to_float",
    }

    def __init__(self, module: Module, source: Source | None) -> None:
        super().__init__(module)
        self.source = source  # what #line directives tell of; None for none
        self.globals = {item.name: item for item in module.globals}
        self.entries = {entry.function: entry for entry in module.entry_points}
        self.size_names: dict[str, str] = {}  # of buffers whose size is asked for, by global
        self.tables: dict[object, str] = {}  # constant arrays, by their contents
        self.stages: dict[str, Stage] = {}  # the stage that each function runs in
        self.extra: dict[str, tuple[str, ...]] = {}  # further arguments of each function
        self.exchanges: dict[tuple[str, str], str] = {}  # helpers, by address space and type
        self.outputs: dict[str, tuple[str, str, tuple[str, ...]]] = {}  # type, variable, members
        self.uses = Uses()  # of the function that is being prepared
        self.forms: Forms

    def stage(self, body: Body) -> Stage:
        return self.stages[body.function.name]

    # ------------------------------------------------------------ types and literals

    def type_name(self, t: Type) -> str:
        match t:
            case Vector(elem, size):
                return f"{self.types[elem.kind]}{size}"
            case Matrix(cols, rows):
                return f"float{cols}x{rows}"
            case Array(elem, size):
                self.forms.uses_arrays = True
                return f"{self.forms.wrappers.array}<{self.type_name(elem)}, {size}>"
            case Texture():
                return texture_name(t)
            case Sampler():
                return "sampler"
        return super().type_name(t)

    def suffix(self, kind: Kind) -> str:
        return "h" if kind is Kind.HALF else super().suffix(kind)

    def not_finite(self, value: float, kind: Kind) -> Code:
        if math.isinf(value):
            code = Code("INFINITY") if value > 0 else negative(Code("INFINITY"))
        else:
            code = call("as_type<float>", Code(f"0x{f32_bits(value):08x}u"))
        return call(self.types[kind], code) if kind is Kind.HALF else code

    # ------------------------------------------------------------ what operands need

    def repeated(self, instr: Instr, types: Mapping[int, Type]) -> tuple[int, ...]:
        """Operands that the text has more than once."""
        match instr.op:
            case "find_lsb":
                return (0,)
            case "find_msb" if scalar_of(types[instr.args[0]]).kind is Kind.INT:
                return (0,)
            case "store" if isinstance(types[instr.args[1]], Array | Struct):
                return (0, *self._unmade(instr, (1,)))
            case "construct":
                split = instr.id in self.uses.stored
                named = [
                    at
                    for at, a in enumerate(instr.args)
                    if isinstance(types[a], Array) or (split and a in self.uses.reading)
                ]
                return self._unmade(instr, tuple(named))
            case "load" if isinstance(instr.type, Array | Struct | Matrix):
                return (0,)
            case _ if instr.op.startswith("sample") or instr.op == "texel_fetch":
                at = 1 if instr.op == "texel_fetch" else 2
                return self._unmade(instr, (at,)) if "Array" in str(types[instr.args[0]]) else ()
        return super().repeated(instr, types)

    def _unmade(self, instr: Instr, places: tuple[int, ...]) -> tuple[int, ...]:
        """The operands that are not put together in place."""
        return tuple(at for at in places if instr.args[at] not in self.uses.made)

    # ------------------------------------------------------------ operations

    def op_select(self, body: Body, instr: Instr) -> Code:
        """The function takes the condition last."""
        cond, a, b = self.values(body, instr.args)
        if isinstance(body.type(instr.args[0]), Vector):
            return call("select", b, a, cond)
        text = f"{above(cond, TERNARY)} ? {above(a, TERNARY)} : {above(b, TERNARY)}"
        return Code(text, TERNARY)

    def op_shl(self, body: Body, instr: Instr) -> Code:
        """A count of 32 or more is undefined."""
        mask = Code("31u" if scalar_of(instr.type).kind is Kind.UINT else "31")
        return self.shift(body, instr, lambda count: binary(count, "&", mask, BIT_AND))

    op_shr = op_shl

    def op_find_lsb(self, body: Body, instr: Instr) -> Code:
        """31 less the zeros above the lowest bit; clz(0) is 32."""
        x = self.value(body, instr.args[0])
        return self._highest(instr, binary(x, "&", negative(x), BIT_AND))

    def op_find_msb(self, body: Body, instr: Instr) -> Code:
        """31 less the zeros at the top; of a negative int its complement's."""
        x = self.value(body, instr.args[0])
        if scalar_of(body.type(instr.args[0])).kind is Kind.INT:
            symbol, precedence = BINARY["shr"]
            x = binary(x, "^", binary(x, symbol, Code("31"), precedence), BINARY["bit_xor"][1])
        return self._highest(instr, x)

    def _highest(self, instr: Instr, x: Code) -> Code:
        zeros = call(self.type_name(instr.type), call("clz", x))
        return binary(Code("31"), "-", zeros, SUM)

    def op_isnan(self, body: Body, instr: Instr) -> Code:
        """By bits, for fast math may take it that there is no NaN."""
        return self._exponent(body, instr, ">")

    def op_isinf(self, body: Body, instr: Instr) -> Code:
        """By bits, for fast math may take it that there is no infinity."""
        return self._exponent(body, instr, "==")

    def _exponent(self, body: Body, instr: Instr, symbol: str) -> Code:
        t = body.type(instr.args[0])
        half = scalar_of(t) == HALF
        size = str(t.size) if isinstance(t, Vector) else ""
        word = f"{'ushort' if half else 'uint'}{size}"
        mask, limit = ("0x7fff", "0x7c00") if half else ("0x7fffffffu", "0x7f800000u")
        if half and size:
            mask, limit = f"ushort({mask})", f"ushort({limit})"
        bits = binary(
            call(f"as_type<{word}>", self.value(body, instr.args[0])), "&", Code(mask), BIT_AND
        )
        return binary(bits, symbol, Code(limit), BINARY["gt" if symbol == ">" else "eq"][1])

    def op_pack_half2x16(self, body: Body, instr: Instr) -> Code:
        """Two halves as a uint."""
        return call("as_type<uint>", call("half2", self.value(body, instr.args[0])))

    def op_unpack_half2x16(self, body: Body, instr: Instr) -> Code:
        """A uint as two halves."""
        return call("float2", call("as_type<half2>", self.value(body, instr.args[0])))

    def op_array_length(self, body: Body, instr: Instr) -> Code:
        """From the size in bytes that the host passes."""
        pointer = body.forms.instrs[instr.args[0]]
        root, offset = pointer, 0
        if pointer.op == "access":
            root = body.forms.instrs[pointer.args[0]]
            offset = self._tail_offset(str(root.imm[0]))
        place = self.place(body, instr.args[0])
        size = Code(self.size_names[str(root.imm[0])])
        room = binary(size, "-", Code(f"{offset}u"), SUM) if offset else size
        stride = Code(f"{self._stride(place.type)}u")
        return call("int", binary(room, "/", stride, BINARY["div"][1]))

    def _tail_offset(self, name: str) -> int:
        return layout(self.globals[name].type, Rules.STD430).offsets[-1]

    def _stride(self, t: Type) -> int:
        return layout(t, Rules.STD430).stride

    def _atomic(self, body: Body, instr: Instr) -> Code:
        pointer = self.atomic_pointer(body, instr.args[0])
        value = self.value(body, instr.args[1])
        return call(_ATOMICS[instr.op], pointer, value, _RELAXED)

    op_atomic_add = op_atomic_min = op_atomic_max = op_atomic_and = op_atomic_or = _atomic
    op_atomic_xor = op_atomic_exchange = _atomic

    def op_atomic_compare_exchange(self, body: Body, instr: Instr) -> Code:
        """MSL has the weak kind alone; a helper tries again."""
        place = self.place(body, instr.args[0])
        space = "threadgroup" if place.space.value == "workgroup" else "device"
        kind = str(scalar_of(place.type))
        pointer = self.atomic_pointer(body, instr.args[0])
        return call(self.exchanges[space, kind], pointer, *self.values(body, instr.args[1:]))

    # ------------------------------------------------------------ values and memory

    def op_global(self, body: Body, instr: Instr) -> Code:
        """Memory or a resource."""
        return Code(self.global_names[str(instr.imm[0])])

    def op_spec(self, body: Body, instr: Instr) -> Code:
        """A specialization constant."""
        return Code(self.global_names[str(instr.imm[0])])

    def op_load(self, body: Body, instr: Instr) -> Code:
        """A read of memory."""
        return self.read(self.place(body, instr.args[0]))

    def op_access(self, body: Body, instr: Instr) -> Code:
        """A place inside memory."""
        return Code(self.place(body, instr.id).text)

    def op_construct(self, body: Body, instr: Instr) -> Code:
        """Structs and arrays are put together in braces."""
        values = ", ".join(code.text for code in self.values(body, instr.args))
        match instr.type:
            case Array():
                return Code(f"{self.type_name(instr.type)}{{{{{values}}}}}")
            case Struct():
                return Code(f"{self.type_name(instr.type)}{{{values}}}")
        return super().op_construct(body, instr)

    def op_extract(self, body: Body, instr: Instr) -> Code:
        """A part of a value, or of a constant table."""
        source = body.instr(instr.args[0])
        table = None if source is None else self.tables.get(table_key(body, source))
        if table is None:
            return super().op_extract(body, instr)
        return Code(table + self._steps(body, instr, body.type(instr.args[0]), False))

    def path(self, body: Body, instr: Instr, t: Type) -> str:
        """The members and indices of an extract or insert."""
        return self._steps(body, instr, t, True)

    def _steps(self, body: Body, instr: Instr, t: Type, wrapped_arrays: bool) -> str:
        dynamic = iter(instr.args[2:] if instr.op == "insert" else instr.args[1:])
        text = ""
        for index in instr.imm:
            if isinstance(t, Array):
                text += ".items" if wrapped_arrays else ""
            else:
                wrapped_arrays = True
            if index is None:
                text += f"[{self.value(body, next(dynamic)).text}]"
                t = element(t)
            else:
                text += self.member(t, int(index))
                t = element(t, int(index))
        return text

    def op_call(self, body: Body, instr: Instr) -> Code:
        """A call; what the callee reaches of the outside is passed along."""
        name = str(instr.imm[0])
        outside = [Code(text) for text in self.extra[name]]
        return call(self.function_names[name], *self.values(body, instr.args), *outside)

    # ------------------------------------------------------------ statements

    def statement(self, body: Body, statement: Statement) -> Iterator[str]:
        match statement:
            case Discard():
                yield "discard_fragment();"
                yield from self._give_up(body)
            case For(unroll=unroll) | Loop(unroll=unroll) if unroll is not None:
                yield "#pragma unroll"
                yield from super().statement(body, statement)
            case Declare(variable) if self._is_memory(body, variable):
                t = body.variable_type(variable)
                yield f"{self.forms.declarator(t, None, body.names[variable])};"
            case _:
                yield from super().statement(body, statement)

    def _is_memory(self, body: Body, variable: int) -> bool:
        return variable >= 0 and isinstance(body.forms.types[variable], Pointer)

    def _give_up(self, body: Body) -> Iterator[str]:
        """After a discard: nothing that the function gives matters."""
        function = body.function
        entry = self.entries.get(function.name)
        given = bool(entry.outputs) if entry is not None else bool(function.results)
        yield "return {};" if given else "return;"

    def perform(self, body: Body, instr: Instr, declares: bool) -> Iterator[str]:
        if instr.op == "workgroup_barrier":
            yield "threadgroup_barrier(mem_flags::mem_threadgroup);"
        elif instr.op == "storage_barrier":
            yield "threadgroup_barrier(mem_flags::mem_device);"
        elif instr.op != "store":
            yield f"{self.operation(body, instr).text};"
        elif declares:
            yield from self._declare(body, instr)
        else:
            yield from self._store(body, instr)

    def _store(self, body: Body, instr: Instr) -> Iterator[str]:
        place = self.place(body, instr.args[0])
        if self.is_split(place):
            yield from self.write(body, place, instr.args[1])
            return
        code = self.value(body, instr.args[1])
        whole = self.converted(place, code)
        made = body.instr(instr.args[1]) if whole is code and not place.packed else None
        yield f"{place.text} {self._assignment(body, made, place.text, whole)};"

    def _declare(self, body: Body, instr: Instr) -> Iterator[str]:
        """Local memory with its first contents."""
        place = self.place(body, instr.args[0])
        declared = self.forms.declarator(place.type, None, place.text)
        made = body.instr(instr.args[1])
        if not isinstance(place.type, Array):
            yield f"{declared} = {self.value(body, instr.args[1]).text};"
        elif made is not None and made.op == "construct":
            yield f"{declared} = {self.braces(body, instr.args[1])};"
        else:
            yield f"{declared};"
            yield from self.write(body, place, instr.args[1])

    def braces(self, body: Body, value: int) -> str:
        """The text of an array's contents between braces."""
        instr = body.forms.instrs.get(value)
        made = instr is not None and instr.op == "construct" and body.instr(value) is not None
        if not made or instr is None or not isinstance(instr.type, Array):
            return self.value(body, value).text
        return f"{{{', '.join(self.braces(body, part) for part in instr.args)}}}"

    def leave(self, body: Body, values: tuple[int, ...], last: bool) -> Iterator[str]:
        if body.function.name not in self.outputs:
            yield from super().leave(body, values, last)
            return
        struct, variable, names = self.outputs[body.function.name]
        if len(values) == 1:
            text = self.value(body, values[0]).text
            yield f"return {text};" if names == ("",) else f"return {{{text}}};"
            return
        yield f"{struct} {variable};"
        for name, value in zip(names, values, strict=True):
            yield f"{variable}.{name} = {self.value(body, value).text};"
        yield f"return {variable};"

    def marks(self, body: Body, statement: Statement) -> Iterator[str]:
        span = None if self.source is None else span_of(body.function, statement)
        if self.source is not None and span is not None:
            place = self.source.locate(span)
            file = place.file.replace("\\", "\\\\").replace('"', '\\"')
            yield f'#line {place.line_start} "{file}"'

    # ------------------------------------------------------------ functions

    def define(
        self, body: Body, head: str, parameters: list[str], first: list[str]
    ) -> Iterator[str]:
        """A whole function; ``first`` are declarations at its top.

        What stands on lines of its own in ``head`` stays there; the parameters of an entry point
        do too, unless they all fit in one line.
        """
        *before, last = head.split("\n")
        yield from before
        line = f"{last}({', '.join(parameters)}) {{"
        if body.function.name in self.entries and len(line) > WIDTH:
            yield f"{last}("
            yield from (f"{INDENT}{p}," for p in parameters[:-1])
            yield f"{INDENT}{parameters[-1]}"
            yield ") {"
        else:
            yield from wrapped(line)
        yield from (f"{INDENT}{line}" for line in first)
        for line in self.statements(body, body.tree.body, INDENT):
            yield from wrapped(line)
        yield "}"

    def prepare(self, function: Function) -> None:
        """Look at a function before the forms of its values are chosen."""
        self.uses = uses_of(function)
