"""Places in buffers whose members have types: constant buffers and structured buffers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from luma.ir.module import Global, Instr, Module
from luma.language.reserved_hlsl import HLSL_LOCALS, HLSL_MEMBERS
from luma.language.types import (
    BOOL,
    HALF,
    UINT,
    Array,
    Field,
    Kind,
    Matrix,
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
from ..text.code import EQUALITY, UNARY, Code, above, call
from ..text.names import Scope
from ..text.printer import Printer
from ..text.spelling import COMPONENTS, INDENT
from .blocks import Block, Packing, arrange, is_plain_element, is_raw, is_structured, is_wide

#: The member of a struct that is made for a buffer's elements.
_VALUE = "value"


@dataclass(frozen=True, slots=True)
class Place:
    """A constant in a buffer: its text, its type, and whether it takes a whole row."""

    text: str
    type: Type
    wide: bool = False


class Places(Printer):
    """The part of the printer that knows how structs lie in buffers."""

    types = {
        Kind.BOOL: "bool",
        Kind.INT: "int",
        Kind.UINT: "uint",
        Kind.FLOAT: "float",
        Kind.HALF: "half",
    }

    def __init__(self, module: Module, precise: bool = False) -> None:
        super().__init__(module, precise)
        self.globals: Mapping[str, Global] = {item.name: item for item in module.globals}
        self.block_names: dict[tuple[str, Packing], str] = {}
        self.helpers: dict[str, str] = {}  # names of functions that the printer writes itself
        self.used_helpers: set[str] = set()
        self._nested = nested_structs(module)

    def name_structs(self, printed: Sequence[Struct]) -> None:
        """Settle the names of the structs that are printed, and of all structs' members."""
        super().name_structs(printed)
        for struct in self.module.structs:
            members = Scope(HLSL_MEMBERS)
            names = tuple(members.add(field.name) for field in struct.fields)
            self.field_names[struct.name] = names
        for item in self.module.globals:
            wrapper = wrapper_of(item)
            if wrapper is not None:
                self.field_names[wrapper.name] = (_VALUE,)

    def local_scope(self) -> Scope:
        """A new scope for what a function declares."""
        return Scope(HLSL_LOCALS, self.names)

    def helper(self, key: str) -> str:
        """The name of a function of the printer's own, which is then part of the file."""
        self.used_helpers.add(key)
        return self.helpers[key]

    # ------------------------------------------------------------ declarations

    def stored_type(self, t: Type, wide: bool, packing: Packing) -> tuple[str, str]:
        """A type in a buffer: what comes before the name, and behind it."""
        sizes = ""
        while isinstance(t, Array):
            sizes += f"[{t.size}]"
            t = t.elem
        match t:
            case Struct(name):
                return self.block_names[name, packing], sizes
            case Matrix(cols, rows):
                return f"row_major float{cols}x{4 if wide else rows}", sizes
        elem = scalar_of(t)
        elem = UINT if elem == BOOL or (wide and elem == HALF) else elem
        return self.type_name(Vector(elem, 4) if wide else with_scalar(t, elem)), sizes

    def arranged(self, struct: Struct, packing: Packing) -> Block:
        """A struct as buffers have it."""
        return arrange(struct, packing, (struct.name, packing) in self._nested)

    def block_members(self, struct: Struct, packing: Packing) -> Iterator[str]:
        """The members of a struct in a buffer, padding included."""
        block = self.arranged(struct, packing)
        names = self.field_names[struct.name]
        taken = set(names)
        for field, member, name in zip(struct.fields, block.members, names, strict=True):
            yield from _padding(member.pads, taken)
            before, after = self.stored_type(field.type, member.wide, packing)
            yield f"{INDENT}{before} {name}{after};"
        yield from _padding(block.tail, taken)

    # ------------------------------------------------------------ places that have a type

    def root(self, body: Body, pointer: int) -> Global | None:
        """The global that a pointer points into; None for local memory."""
        instr = body.forms.instrs[pointer]
        while instr.op == "access":
            instr = body.forms.instrs[instr.args[0]]
        return self.globals[str(instr.imm[0])] if instr.op == "global" else None

    def _place(self, body: Body, pointer: int) -> Place:
        """A place in a constant or structured buffer."""
        instr = body.forms.instrs[pointer]
        if instr.op == "global":
            item = self.globals[str(instr.imm[0])]
            name = self.global_names[item.name]
            if item.space is Space.PUSH_CONSTANT and not isinstance(item.type, Struct):
                return Place(f"{name}.value", item.type, is_wide(item.type, Packing.PUSH))
            return Place(name, item.type)
        place = self._place(body, instr.args[0])
        root = self.root(body, pointer)
        assert root is not None
        return self._steps(body, instr, root, place)

    def _steps(self, body: Body, instr: Instr, root: Global, place: Place) -> Place:
        """The part of a place that an access or extract picks."""
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
            packing = packing_of(root)
            assert packing is not None
            member = self.arranged(t, packing).members[at]
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
        found = Place(f"{place.text}[{inner}]", element(t), place.wide)
        wrapper = wrapper_of(root) if t is root.type else None
        if wrapper is None:
            return found
        member = self.arranged(wrapper, Packing.STRUCTURED).members[0]
        return Place(f"{found.text}.{_VALUE}", found.type, member.wide)

    def _narrowed(self, place: Place) -> Code:
        """The value of a place, without what fills its row."""
        t, text = place.type, place.text
        if isinstance(t, Struct):
            return Code(text)
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


def packing_of(item: Global) -> Packing | None:
    """How a buffer packs its structs; None where it has no structs, only bytes or words."""
    match item.space:
        case Space.UNIFORM:
            return Packing.UNIFORM
        case Space.PUSH_CONSTANT:
            return None if is_raw(item.type) else Packing.PUSH
        case Space.STORAGE if is_structured(item.type):
            return Packing.STRUCTURED
    return None


def wrapper_of(item: Global) -> Struct | None:
    """The struct that holds each element of a structured buffer, where they need padding."""
    t = item.type
    if packing_of(item) is not Packing.STRUCTURED or not isinstance(t, Array):
        return None
    if is_plain_element(t.elem):
        return None
    return Struct(f"{item.name}.element", (Field(_VALUE, t.elem),))


def held(item: Global) -> Type:
    """The type of a buffer as HLSL has it."""
    wrapper = wrapper_of(item)
    return item.type if wrapper is None else Array(wrapper, None)


def in_bytes(item: Global) -> bool:
    """Whether a storage buffer is read and written at offsets."""
    return item.space is Space.STORAGE and packing_of(item) is None


def nested_structs(module: Module) -> frozenset[tuple[str, Packing]]:
    """The structs that stand inside others, or in arrays, in buffers."""
    found: set[tuple[str, Packing]] = set()

    def visit(t: Type, packing: Packing, inside: bool) -> None:
        if isinstance(t, Array):
            visit(t.elem, packing, True)
        elif isinstance(t, Struct):
            if inside:
                found.add((t.name, packing))
            for field in t.fields:
                visit(field.type, packing, True)

    for item in module.globals:
        packing = packing_of(item)
        if packing is not None:
            visit(held(item), packing, False)
    return frozenset(found)


def _padding(types: tuple[str, ...], taken: set[str]) -> Iterator[str]:
    for t in types:
        number = 0
        while f"pad_{number}" in taken:
            number += 1
        taken.add(f"pad_{number}")
        yield f"{INDENT}{t} pad_{number};"
