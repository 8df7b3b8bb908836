"""How HLSL text reads and writes memory, so that every byte is where the layout has it.

Uniforms are constant buffers whose structs are padded (:mod:`blocks`).  Storage buffers are byte
address buffers, read and written at computed offsets.  Push constants are a constant buffer too,
of plain words where their layout is none that a constant buffer can have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from luma.frontend.typed import Access
from luma.ir.module import Global, Instr, Module
from luma.language.layout import Rules, layout, round_up, rules_for
from luma.language.types import (
    BOOL,
    HALF,
    INT,
    UINT,
    Array,
    Kind,
    Matrix,
    Pointer,
    Scalar,
    Space,
    Struct,
    Type,
    Vector,
    element,
    scalar_of,
    width,
    with_scalar,
)

from ..text.body import Body
from ..text.code import EQUALITY, PRODUCT, SUM, UNARY, Code, above, binary, call
from ..text.printer import Printer
from ..text.spelling import COMPONENTS, INDENT
from .blocks import ROW, Block, arrange, is_raw

_CONSTANT = (Space.UNIFORM, Space.PUSH_CONSTANT)
_ATOMICS = {
    "atomic_add": "InterlockedAdd",
    "atomic_min": "InterlockedMin",
    "atomic_max": "InterlockedMax",
    "atomic_and": "InterlockedAnd",
    "atomic_or": "InterlockedOr",
    "atomic_xor": "InterlockedXor",
    "atomic_exchange": "InterlockedExchange",
    "atomic_compare_exchange": "InterlockedCompareExchange",
}


@dataclass(frozen=True, slots=True)
class Place:
    """A constant in a buffer: its text, its type, and whether it takes a whole row."""

    text: str
    type: Type
    wide: bool = False


class Memory(Printer):
    """The part of the printer that deals with memory."""

    types = {
        Kind.BOOL: "bool",
        Kind.INT: "int",
        Kind.UINT: "uint",
        Kind.FLOAT: "float",
        Kind.HALF: "half",
    }

    def __init__(self, module: Module) -> None:
        super().__init__(module)
        self.globals: Mapping[str, Global] = {item.name: item for item in module.globals}
        self.global_names: dict[str, str] = {}
        self.block_names: dict[tuple[str, Rules], str] = {}
        self.helpers: dict[str, str] = {}  # names of functions that the printer writes itself
        self.used_helpers: set[str] = set()
        self._nested = _nested_structs(module)

    def helper(self, key: str) -> str:
        """The name of a function of the printer's own, which is then part of the file."""
        self.used_helpers.add(key)
        return self.helpers[key]

    # ------------------------------------------------------------ declarations

    def stored_type(self, t: Type, wide: bool, rules: Rules) -> tuple[str, str]:
        """A type in a constant buffer: what comes before the name, and behind it."""
        sizes = ""
        while isinstance(t, Array):
            sizes += f"[{t.size}]"
            t = t.elem
        match t:
            case Struct(name):
                return self.block_names[name, rules], sizes
            case Matrix(cols, rows):
                return f"row_major float{cols}x{4 if wide else rows}", sizes
        elem = scalar_of(t)
        elem = UINT if elem == BOOL or (wide and elem == HALF) else elem
        return self.type_name(Vector(elem, 4) if wide else with_scalar(t, elem)), sizes

    def arranged(self, struct: Struct, rules: Rules) -> Block:
        """A struct as constant buffers have it."""
        return arrange(struct, rules, (struct.name, rules) in self._nested)

    def block_members(self, struct: Struct, rules: Rules) -> Iterator[str]:
        """The members of a struct in a constant buffer, padding included."""
        block = self.arranged(struct, rules)
        names = self.field_names[struct.name]
        taken = set(names)
        for field, member, name in zip(struct.fields, block.members, names, strict=True):
            yield from _padding(member.pads, taken)
            before, after = self.stored_type(field.type, member.wide, rules)
            yield f"{INDENT}{before} {name}{after};"
        yield from _padding(block.tail, taken)

    # ------------------------------------------------------------ constant buffers

    def root(self, body: Body, pointer: int) -> Global | None:
        """The global that a pointer points into; None for local memory."""
        instr = body.forms.instrs[pointer]
        while instr.op == "access":
            instr = body.forms.instrs[instr.args[0]]
        return self.globals[str(instr.imm[0])] if instr.op == "global" else None

    def _raw(self, item: Global) -> bool:
        return item.space is Space.PUSH_CONSTANT and is_raw(item.type)

    def _place(self, body: Body, pointer: int) -> Place:
        """A place in a constant buffer."""
        instr = body.forms.instrs[pointer]
        if instr.op == "global":
            item = self.globals[str(instr.imm[0])]
            name = self.global_names[item.name]
            if item.space is Space.PUSH_CONSTANT and not isinstance(item.type, Struct):
                wide = not isinstance(item.type, Scalar | Vector)
                return Place(f"{name}.value", item.type, wide)
            return Place(name, item.type)
        place = self._place(body, instr.args[0])
        root = self.root(body, pointer)
        assert root is not None
        dynamic = iter(instr.args[1:])
        for index in instr.imm:
            inner = self.value(body, next(dynamic)).text if index is None else str(int(index))
            place = self._step(place, root, index, inner)
        return place

    def _step(self, place: Place, root: Global, index: object, inner: str) -> Place:
        """A part of a place."""
        t = place.type
        if isinstance(t, Struct):
            at = int(inner)
            member = self.arranged(t, rules_for(root.space)).members[at]
            text = f"{place.text}.{self.field_names[t.name][at]}"
            return Place(text, t.fields[at].type, member.wide)
        if isinstance(t, Vector):
            if place.wide and t.elem == HALF:
                value = self._narrowed(place)
                text = above(value, UNARY) if value.precedence <= UNARY else value.text
                return Place(f"{text}[{inner}]", t.elem)
            named = index is not None
            suffix = f".{COMPONENTS[int(inner)]}" if named else f"[{inner}]"
            return Place(place.text + suffix, t.elem)
        return Place(f"{place.text}[{inner}]", element(t), place.wide)

    def _narrowed(self, place: Place) -> Code:
        """The value of a place, without what fills its row."""
        t, text = place.type, place.text
        if isinstance(t, Matrix):
            return Code(f"({self.type_name(t)}){text}", UNARY) if place.wide else Code(text)
        if place.wide and scalar_of(t) == HALF:
            words = [f"{text}.x", f"{text}.x >> 16", f"{text}.y", f"{text}.y >> 16"][: width(t)]
            bits = (
                Code(words[0]) if len(words) == 1 else call(f"uint{len(words)}", *map(Code, words))
            )
            return Code(f"({self.type_name(t)}){call('f16tof32', bits).text}", UNARY)
        if place.wide and width(t) < 4:
            text += f".{COMPONENTS[: width(t)]}"
        if scalar_of(t) == BOOL:
            return Code(f"{text} != 0", EQUALITY, "!=")
        return Code(text)

    # ------------------------------------------------------------ offsets

    def _offset(self, body: Body, pointer: int, rules: Rules) -> tuple[int, list[Code]]:
        """How far into its buffer a place lies: constant bytes, and terms to be added."""
        instr = body.forms.instrs[pointer]
        if instr.op == "global":
            return 0, []
        constant, terms = self._offset(body, instr.args[0], rules)
        pointee = body.type(instr.args[0])
        assert isinstance(pointee, Pointer)
        t = pointee.pointee
        dynamic = iter(instr.args[1:])
        for index in instr.imm:
            if isinstance(t, Struct):
                constant += layout(t, rules).offsets[int(index or 0)]
                t = t.fields[int(index or 0)].type
                continue
            stride = _stride(t, rules)
            t = element(t)
            if index is None:
                variable, number = self._split(body, next(dynamic), "add")
                constant += stride * number
                variable, factor = self._split(body, variable, "mul")
                unit = stride * (factor or 1)
                value = self.value(body, variable)
                term = value if unit == 1 else binary(value, "*", Code(str(unit)), PRODUCT)
                terms = [*terms, term]
            else:
                constant += stride * int(index)
        return constant, terms

    def _split(self, body: Body, value: int, op: str) -> tuple[int, int]:
        """An index as another one and a number to be added to it, or to multiply it by."""
        instr = body.instr(value)
        if instr is not None and instr.op == op:
            for one, other in (instr.args, instr.args[::-1]):
                number = body.forms.instrs.get(other)
                if number is not None and number.op == "const" and int(number.imm[0] or 0) > 0:
                    return one, int(number.imm[0] or 0)
        return value, 0

    def _bytes(self, body: Body, pointer: int, more: int = 0) -> Code:
        """The offset of a place in its buffer, or so many bytes behind it."""
        constant, terms = self._offset(body, pointer, Rules.STD430)
        constant += more
        if not terms:
            return Code(str(constant))
        code = terms[0]
        for term in terms[1:]:
            code = binary(code, "+", term, SUM)
        return binary(code, "+", Code(str(constant)), SUM) if constant else code

    # ------------------------------------------------------------ loads and stores

    def op_global(self, body: Body, instr: Instr) -> Code:
        """Memory or a resource."""
        return Code(self.global_names[str(instr.imm[0])])

    def op_load(self, body: Body, instr: Instr) -> Code:
        """A read of memory."""
        item = self.root(body, instr.args[0])
        if item is None or item.space is Space.WORKGROUP:
            return super().op_load(body, instr)
        if item.space is Space.STORAGE:
            return self._buffer_load(body, instr, item)
        if self._raw(item):
            return self._word_load(body, instr, item)
        return self._narrowed(self._place(body, instr.args[0]))

    def _buffer_load(self, body: Body, instr: Instr, item: Global) -> Code:
        t = instr.type
        logical = scalar_of(t) == BOOL
        name = self.type_name(with_scalar(t, UINT) if logical else t)
        offset = self._bytes(body, instr.args[0]).text
        if t == HALF and not self._starts_word(body, instr.args[0]):
            key = "load_half" if item.access is Access.READ else "rw_load_half"
            return call(self.helper(key), Code(self.global_names[item.name]), Code(offset))
        function = "Load" if name == "uint" else f"Load<{name}>"
        code = Code(f"{self.global_names[item.name]}.{function}({offset})")
        return Code(f"{code.text} != 0", EQUALITY, "!=") if logical else code

    def _starts_word(self, body: Body, pointer: int) -> bool:
        """Whether a place is known to lie at a multiple of four bytes."""
        instr = body.forms.instrs[pointer]
        if instr.op == "global":
            return True
        constant, _ = self._offset(body, pointer, Rules.STD430)
        return constant % 4 == 0 and self._strides_by_words(body, instr)

    def _strides_by_words(self, body: Body, instr: Instr) -> bool:
        """Whether every run-time index of a place counts whole words."""
        if instr.op == "global":
            return True
        pointer = body.type(instr.args[0])
        assert isinstance(pointer, Pointer)
        t = pointer.pointee
        for index in instr.imm:
            if index is None and _stride(t, Rules.STD430) % 4:
                return False
            t = element(t, int(index or 0))
        return self._strides_by_words(body, body.forms.instrs[instr.args[0]])

    def _word_load(self, body: Body, instr: Instr, item: Global) -> Code:
        """A read of push constants that are declared as words."""
        t = instr.type
        name = f"{self.global_names[item.name]}.words"
        constant, terms = self._offset(body, instr.args[0], Rules.STD430)
        scalar = scalar_of(t)
        size = layout(scalar, Rules.STD430).size
        count = width(t)
        words = round_up(size * count + constant % 4, 4) // 4
        texts = [_word(name, constant // 4 + i, terms, constant) for i in range(words)]
        if scalar == HALF:
            return self._halves(t, texts, constant, terms)
        if count == 1:
            code = Code(texts[0])
        elif not terms:
            row, at = constant // ROW, constant % ROW // 4
            code = Code(f"{name}[{row}].{COMPONENTS[at : at + count]}")
            code = Code(f"{name}[{row}]") if count == 4 else code
        else:
            code = call(f"uint{count}", *map(Code, texts))
        match scalar.kind:
            case Kind.FLOAT:
                return call("asfloat", code)
            case Kind.INT:
                return call("asint", code)
            case Kind.BOOL:
                return Code(f"{code.text} != 0", EQUALITY, "!=")
        return code

    def _halves(self, t: Type, words: list[str], constant: int, terms: list[Code]) -> Code:
        if terms and constant % 4 == 0 and len(words) == 1 and width(t) == 1:
            total = terms[0]
            for term in terms[1:]:
                total = binary(total, "+", term, SUM)
            shift = f"(({total.text}) & 2) * 8"
            return Code(f"({self.type_name(t)})f16tof32({words[0]} >> {shift})", UNARY)
        pieces = []
        for i in range(width(t)):
            at = constant % 4 // 2 + i
            pieces.append(words[at // 2] + (" >> 16" if at % 2 else ""))
        bits = (
            Code(pieces[0]) if len(pieces) == 1 else call(f"uint{len(pieces)}", *map(Code, pieces))
        )
        return Code(f"({self.type_name(t)}){call('f16tof32', bits).text}", UNARY)

    def perform(self, body: Body, instr: Instr, declares: bool) -> Iterator[str]:
        """An instruction for its effect."""
        if instr.op == "store":
            item = self.root(body, instr.args[0])
            if item is not None and item.space is Space.STORAGE:
                yield from self._buffer_store(body, instr, item)
                return
        if instr.op in _ATOMICS:
            yield self._atomic(body, instr, None)
            return
        yield from super().perform(body, instr, declares)

    def repeated(self, instr: Instr, types: Mapping[int, Type]) -> tuple[int, ...]:
        """Operands whose text appears more than once."""
        if instr.op == "store" and types[instr.args[1]] == Vector(HALF, 3):
            return (1,)
        return super().repeated(instr, types)

    def _buffer_store(self, body: Body, instr: Instr, item: Global) -> Iterator[str]:
        t = body.type(instr.args[1])
        value = self.value(body, instr.args[1])
        name = self.global_names[item.name]
        place = self._bytes(body, instr.args[0])
        if t == HALF:
            yield f"{self.helper('store_half')}({name}, {place.text}, {value.text});"
            return
        if t == Vector(HALF, 3):
            whole, last = self.primary(body, instr.args[1]), self._bytes(body, instr.args[0], 4)
            yield f"{name}.Store<{self.type_name(Vector(HALF, 2))}>({place.text}, {whole}.xy);"
            yield f"{self.helper('store_half')}({name}, {last.text}, {whole}.z);"
            return
        if scalar_of(t) == BOOL:
            t = with_scalar(t, UINT)
            value = Code(f"({self.type_name(t)}){above(value, UNARY)}", UNARY)
        kind = self.type_name(t)
        function = "Store" if kind == "uint" else f"Store<{kind}>"
        yield f"{name}.{function}({place.text}, {value.text});"

    # ------------------------------------------------------------ atomics

    def is_helped(self, op: str, t: Type, space: Space) -> bool:
        """Whether an atomic is one that DXC fails to compile to valid SPIR-V."""
        signed = op in ("atomic_min", "atomic_max", "atomic_compare_exchange")
        return signed and t == INT and space is Space.STORAGE

    def alone(self, instr: Instr, types: Mapping[int, Type]) -> bool:
        """The old value of an atomic comes by an out parameter."""
        if instr.op not in _ATOMICS:
            return super().alone(instr, types)
        pointer = types[instr.args[0]]
        assert isinstance(pointer, Pointer)
        return not self.is_helped(instr.op, instr.type, pointer.space)

    def _atomic(self, body: Body, instr: Instr, old: str | None) -> str:
        """The statement of an atomic; ``old`` is the variable that takes the old value."""
        item = self.root(body, instr.args[0])
        assert item is not None
        if self.is_helped(instr.op, instr.type, item.space):
            return f"{self._helped_atomic(body, instr).text};"
        values = [value.text for value in self.values(body, instr.args[1:])]
        function = _ATOMICS[instr.op]
        if item.space is Space.STORAGE:
            function = f"{self.global_names[item.name]}.{function}"
            place = self._bytes(body, instr.args[0]).text
        else:
            place = self.value(body, instr.args[0]).text
        if old is None and instr.op in ("atomic_exchange", "atomic_compare_exchange"):
            old = self.unused_variable
            name = self.type_name(instr.type)
            block = ", ".join([place, *values, old])
            return f"{{ {name} {old}; {function}({block}); }}"
        return f"{function}({', '.join([place, *values, *([old] if old else [])])});"

    #: What takes the old value of an exchange that nobody reads, in a block of its own.
    unused_variable = "unused"

    def _helped_atomic(self, body: Body, instr: Instr) -> Code:
        item = self.root(body, instr.args[0])
        assert item is not None
        args = [Code(self.global_names[item.name]), self._bytes(body, instr.args[0])]
        return call(self.helper(instr.op), *args, *self.values(body, instr.args[1:]))

    op_atomic_min = op_atomic_max = op_atomic_compare_exchange = _helped_atomic

    def op_array_length(self, body: Body, instr: Instr) -> Code:
        """The length of a runtime array, from the size of its buffer."""
        item = self.root(body, instr.args[0])
        pointer = body.type(instr.args[0])
        assert item is not None and isinstance(pointer, Pointer)
        start, _ = self._offset(body, instr.args[0], Rules.STD430)
        stride = layout(pointer.pointee, Rules.STD430).stride
        key = "byte_size" if item.access is Access.READ else "rw_byte_size"
        code = call(self.helper(key), Code(self.global_names[item.name]))
        if start:
            code = binary(code, "-", Code(str(start)), SUM)
        if stride > 1:
            code = binary(code, "/", Code(str(stride)), PRODUCT)
        return call("int", code)


def _nested_structs(module: Module) -> frozenset[tuple[str, Rules]]:
    """The structs that stand inside others, or in arrays, in constant buffers."""
    found: set[tuple[str, Rules]] = set()

    def visit(t: Type, rules: Rules, inside: bool) -> None:
        if isinstance(t, Array):
            visit(t.elem, rules, True)
        elif isinstance(t, Struct):
            if inside:
                found.add((t.name, rules))
            for field in t.fields:
                visit(field.type, rules, True)

    for item in module.globals:
        if item.space in _CONSTANT:
            visit(item.type, rules_for(item.space), False)
    return frozenset(found)


def _padding(types: tuple[str, ...], taken: set[str]) -> Iterator[str]:
    for t in types:
        number = 0
        while f"pad_{number}" in taken:
            number += 1
        taken.add(f"pad_{number}")
        yield f"{INDENT}{t} pad_{number};"


def _stride(t: Type, rules: Rules) -> int:
    if isinstance(t, Vector):
        return layout(t.elem, rules).size
    return layout(t, rules).stride


def _word(name: str, at: int, terms: list[Code], constant: int) -> str:
    """A word of push constants."""
    if not terms:
        return f"{name}[{at // 4}].{COMPONENTS[at % 4]}"
    total = terms[0]
    for term in terms[1:]:
        total = binary(total, "+", term, SUM)
    index = binary(total, "/", Code("4"), PRODUCT)
    if at:
        index = binary(index, "+", Code(str(at)), SUM)
    row = binary(index, "/", Code("4"), PRODUCT).text
    return f"{name}[{row}][{binary(index, '%', Code('4'), PRODUCT).text}]"
