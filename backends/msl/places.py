"""Memory in MSL's words: the text of a place, and what a read or write of it needs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from luma.ir.module import Global
from luma.language.layout import Rules, layout
from luma.language.types import (
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
    element_count,
    scalar_of,
)

from ..text.body import Body
from ..text.code import BINARY, Code, binary, call
from ..text.spelling import COMPONENTS, INDENT, Speller
from .memory import is_tight, members, memory_rules, pads, stored
from .structs import Forms

#: Arrays longer than this are copied by a loop.
MOST_SPELLED = 8


@dataclass(frozen=True, slots=True)
class Place:
    """A place in memory: its text, its type, and the layout rules of the memory around it.

    ``packed`` marks a vector without the fourth component's room, ``wrapped`` what is inside a
    value's form, where arrays have their wrapper.
    """

    text: str
    type: Type
    rules: Rules | None
    space: Space
    packed: bool = False
    wrapped: bool = False


class Places(Speller):
    """Reads and writes memory; a printer's base."""

    forms: Forms
    globals: dict[str, Global]
    global_names: dict[str, str]

    def place(self, body: Body, pointer: int) -> Place:
        """The place that a pointer points to."""
        instr = body.forms.instrs[pointer]
        if instr.op == "local":
            assert isinstance(instr.type, Pointer)
            return Place(body.names[pointer], instr.type.pointee, None, Space.FUNCTION)
        if instr.op == "global":
            return self.global_place(self.globals[str(instr.imm[0])])
        place = self.place(body, instr.args[0])
        dynamic = iter(instr.args[1:])
        for index in instr.imm:
            text = self.value(body, next(dynamic)).text if index is None else str(int(index))
            place = self.part(place, None if index is None else int(index), text)
        return place

    def global_place(self, item: Global) -> Place:
        """The whole memory of a global."""
        rules = memory_rules(item.space)
        packed = rules is not None and is_tight(item.type, _size(item.type, rules))
        return Place(self.global_names[item.name], item.type, rules, item.space, packed)

    def part(self, place: Place, at: int | None, text: str) -> Place:
        """The part of a place at an index, which is constant or has a text."""
        t = place.type
        inner = element(t, at or 0)
        packed, wrapped = False, place.wrapped
        match t:
            case Struct(name):
                suffix = f".{self.field_names[name][int(at or 0)]}"
                if place.rules is None:
                    wrapped = True
                else:
                    packed = members(t, place.rules).members[int(at or 0)].packed
            case Vector() if at is not None and not place.packed:
                suffix = f".{COMPONENTS[at]}"
            case _:
                suffix = f"[{text}]"
                if isinstance(t, Array) and wrapped:
                    suffix = f".items{suffix}"
                if isinstance(t, Array | Matrix) and pads(inner, t, place.rules):
                    suffix += ".value"
        return Place(place.text + suffix, inner, place.rules, place.space, packed, wrapped)

    def is_plain(self, place: Place) -> bool:
        """Whether a place holds what a value of its type is."""
        if isinstance(place.type, Array):
            return place.wrapped
        return self.forms.is_plain(place.type, place.rules)

    # ------------------------------------------------------------ reading

    def read(self, place: Place) -> Code:
        """The value in a place."""
        t = place.type
        match t:
            case Scalar() | Vector():
                if stored(t, place.rules) != t:
                    symbol, precedence = BINARY["ne"]
                    whole = self._unpacked(place, stored(t, place.rules))
                    return binary(whole, symbol, Code("0u"), precedence)
                return self._unpacked(place, t)
            case Matrix(cols) if not self.is_plain(place):
                columns = [self.read(self.part(place, i, str(i))) for i in range(cols)]
                return call(self.type_name(t), *columns)
            case Array(size=int() as size) if not self.is_plain(place):
                items = [self.read(self.part(place, i, str(i))).text for i in range(size)]
                return Code(f"{self.type_name(t)}{{{{{', '.join(items)}}}}}")
            case Struct(fields=fields) if not self.is_plain(place):
                parts = [self.read(self.part(place, i, "")).text for i in range(len(fields))]
                return Code(f"{self.type_name(t)}{{{', '.join(parts)}}}")
        return Code(place.text)

    def _unpacked(self, place: Place, t: Type) -> Code:
        return call(self.type_name(t), Code(place.text)) if place.packed else Code(place.text)

    # ------------------------------------------------------------ writing

    def write(self, body: Body, place: Place, value: int) -> Iterator[str]:
        """The assignments that put a value into a place."""
        made = body.instr(value)
        if self.is_split(place) and made is not None and made.op == "construct":
            for at, part in enumerate(made.args):
                yield from self.write(body, self.part(place, at, str(at)), part)
        else:
            yield from self._put(place, self.value(body, value), place.type)

    def _put(self, place: Place, value: Code, t: Type) -> Iterator[str]:
        if not self.is_split(place):
            yield f"{place.text} = {self.converted(place, value).text};"
        elif isinstance(t, Struct):
            for at, name in enumerate(self.field_names[t.name]):
                part = self.part(place, at, "")
                yield from self._put(part, Code(f"{value.text}.{name}"), element(t, at))
        elif (size := element_count(t)) > MOST_SPELLED:
            name = _free_name(place.text + value.text)
            yield f"for (int {name} = 0; {name} < {size}; {name}++) {{"
            part, item = self.part(place, None, name), Code(f"{value.text}.items[{name}]")
            yield from (INDENT + line for line in self._put(part, item, element(t)))
            yield "}"
        else:
            for at in range(size):
                item = Code(f"{value.text}.items[{at}]")
                yield from self._put(self.part(place, at, str(at)), item, element(t))

    def converted(self, place: Place, value: Code) -> Code:
        """A value as what the place holds."""
        t = place.type
        if isinstance(t, Scalar | Vector) and stored(t, place.rules) != t:
            return call(self.type_name(stored(t, place.rules)), value)
        return value

    def is_split(self, place: Place) -> bool:
        """Whether a value is written part by part."""
        return isinstance(place.type, Array | Struct) and not self.is_plain(place)

    # ------------------------------------------------------------ atomics

    def atomic_pointer(self, body: Body, pointer: int) -> Code:
        """The address of a place as that of an atomic."""
        place = self.place(body, pointer)
        space = "threadgroup" if place.space is Space.WORKGROUP else "device"
        kind = "int" if scalar_of(place.type).kind is Kind.INT else "uint"
        return Code(f"({space} atomic_{kind}*)&{place.text}")


def _size(t: Type, rules: Rules) -> int:
    return layout(t, rules).size


def _free_name(text: str) -> str:
    """A counter's name that the text does not have."""
    names = (f"{letter}{number}" for number in ("", *range(9)) for letter in "ijkn")
    return next(name for name in names if not re.search(rf"\b{name}\b", text))
