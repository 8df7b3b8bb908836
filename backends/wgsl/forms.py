"""What WGSL can hold in memory, and what stands for the types that it cannot.

A bool in a buffer becomes a u32; in uniform memory, whose rules (std140) keep array elements and
matrix columns 16 bytes apart, a smaller element becomes a vec4 whose first components count (of
halves: a struct with a size).  A struct with such a part, or with a part that is used atomically,
gets a sister that is its form in memory.  WGSL specification, 14.4 (memory layout).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from luma.ir.module import Global, Module
from luma.language.layout import Rules, layout, round_up
from luma.language.types import (
    BOOL,
    FLOAT,
    HALF,
    UINT,
    Array,
    Field,
    Matrix,
    Pointer,
    Scalar,
    Space,
    Struct,
    Type,
    Vector,
    scalar_of,
    with_scalar,
)

#: Places inside a type: indices of fields, None for every element of an array.
Places = frozenset[tuple[int | None, ...]]

NOWHERE: Places = frozenset()


@dataclass(frozen=True, slots=True)
class Extent:
    """What is written on a member so that its struct has the layout it should have, in bytes."""

    align: int | None = None
    size: int | None = None


@dataclass(slots=True)
class MemoryTypes:
    """The forms in memory of a module's globals.

    ``extents`` and ``atomic`` tell, by a struct's name, what is written on its members and which
    of them hold atomics; ``wrappers`` are the structs around a single small element.
    """

    globals: dict[str, Type] = field(default_factory=dict)
    structs: list[Struct] = field(default_factory=list)
    extents: dict[str, tuple[Extent, ...]] = field(default_factory=dict)
    atomic: dict[str, frozenset[int]] = field(default_factory=dict)
    atomic_globals: set[str] = field(default_factory=set)
    wrappers: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class _Form:
    """One way that a struct lies in memory."""

    struct: Struct
    rules: Rules | None  # None: workgroup memory, which has no layout of its own
    padded: bool
    atomics: Places


def memory_types(module: Module, atomics: dict[str, Places]) -> MemoryTypes:
    """The forms of all globals; ``atomics`` are the places in them that are used atomically."""
    return _Former(module, atomics).run()


class _Former:
    def __init__(self, module: Module, atomics: dict[str, Places]) -> None:
        self.module = module
        self.atomics = atomics
        self.made = MemoryTypes()
        self.values = _value_structs(module)
        self.taken = {s.name for s in module.structs}
        self.padded = _nested_in_uniforms(module)
        self.forms: dict[str, list[_Form]] = {}
        self.found: dict[_Form, Struct] = {}

    def run(self) -> MemoryTypes:
        memory = [g for g in self.module.globals if g.space is not Space.HANDLE]
        for item in memory:
            self._collect(item.type, _rules(item), self.atomics.get(item.name, NOWHERE))
        for item in memory:
            places = self.atomics.get(item.name, NOWHERE)
            self.made.globals[item.name] = self._form(item.type, _rules(item), places)
            if places and not isinstance(base_of(item.type), Struct):
                self.made.atomic_globals.add(item.name)
        return self.made

    # ------------------------------------------------------------ which forms there are

    def _collect(self, t: Type, rules: Rules | None, atomics: Places) -> None:
        if isinstance(t, Array):
            self._collect(t.elem, rules, inner(atomics, None))
        elif isinstance(t, Struct):
            for at, member in enumerate(t.fields):
                self._collect(member.type, rules, inner(atomics, at))
            form = self._key(t, rules, atomics)
            known = self.forms.setdefault(t.name, [])
            if form not in known:
                known.append(form)

    def _key(self, t: Struct, rules: Rules | None, atomics: Places) -> _Form:
        padded = rules is Rules.STD140 and t.name in self.padded
        return _Form(t, rules, padded, atomics)

    # ------------------------------------------------------------ the forms

    def _form(self, t: Type, rules: Rules | None, atomics: Places) -> Type:
        match t:
            case Scalar() | Vector() if rules is not None and scalar_of(t) == BOOL:
                return with_scalar(t, UINT)
            case Matrix(cols, 2) if rules is Rules.STD140:
                return Array(Vector(FLOAT, 4), cols)
            case Array(elem, size):
                part = self._form(elem, rules, inner(atomics, None))
                return Array(self._wide(part) if rules is Rules.STD140 else part, size)
            case Struct():
                return self._struct(self._key(t, rules, atomics))
        return t

    def _wide(self, t: Type) -> Type:
        """An array's element, at least 16 bytes of it."""
        if not isinstance(t, Scalar | Vector) or layout(t, Rules.STD430).size > 8:
            return t
        if scalar_of(t) != HALF:
            return Vector(scalar_of(t), 4)
        wrapper = Struct(self._free(f"Padded_{t}"), (Field("value", t),))
        for known in self.made.structs:
            if known.name in self.made.wrappers and known.fields == wrapper.fields:
                return known
        self._add(wrapper, (Extent(size=16),), frozenset())
        self.made.wrappers.add(wrapper.name)
        return wrapper

    def _struct(self, form: _Form) -> Struct:
        if form not in self.found:
            self.found[form] = self._make(form)
        return self.found[form]

    def _make(self, form: _Form) -> Struct:
        t = form.struct
        types = [
            self._form(member.type, form.rules, inner(form.atomics, at))
            for at, member in enumerate(t.fields)
        ]
        fields = tuple(Field(m.name, new) for m, new in zip(t.fields, types, strict=True))
        atomic = frozenset(
            at
            for at, member in enumerate(t.fields)
            if inner(form.atomics, at) and not isinstance(base_of(member.type), Struct)
        )
        extents = self._extents(form, types)
        for other, struct in self.found.items():
            looks = struct.fields, self.made.extents[struct.name], self.made.atomic[struct.name]
            if other.struct == t and looks == (fields, extents, atomic):
                return struct
        struct = Struct(self._choose_name(form, fields, extents, atomic), fields)
        self._add(struct, extents, atomic)
        return struct

    def _choose_name(
        self,
        form: _Form,
        fields: tuple[Field, ...],
        extents: tuple[Extent, ...],
        atomic: frozenset[int],
    ) -> str:
        """The struct's own name where its values look the same or there are none."""
        t = form.struct
        same = fields == t.fields and not atomic
        plain = same and all(extent == Extent() for extent in extents)
        only = len(self.forms[t.name]) == 1
        if plain or (only and (same or t.name not in self.values)):
            return t.name
        return self._name(form)

    def _name(self, form: _Form) -> str:
        ending = {Rules.STD140: "Uniform", Rules.STD430: "Storage", None: "Shared"}[form.rules]
        return self._free(form.struct.name + ending)

    def _free(self, wanted: str) -> str:
        name, number = wanted, 0
        while name in self.taken:
            number += 1
            name = f"{wanted}{number}"
        return name

    def _add(self, struct: Struct, extents: tuple[Extent, ...], atomic: frozenset[int]) -> None:
        self.taken.add(struct.name)
        self.made.structs.append(struct)
        self.made.extents[struct.name] = extents
        self.made.atomic[struct.name] = atomic

    # ------------------------------------------------------------ layout

    def _extents(self, form: _Form, types: Sequence[Type]) -> tuple[Extent, ...]:
        """What makes WGSL's own layout of the members the one that is wanted."""
        if form.rules is None:
            return tuple(Extent() for _ in types)
        wanted = layout(form.struct, form.rules)
        extents: list[Extent] = []
        end = 0
        for t, offset in zip(types, wanted.offsets, strict=True):
            size, align = self.measure(t)
            moved = round_up(end, align) != offset
            extents.append(Extent(align=16) if moved else Extent())
            end = offset + size
        if form.padded and types:
            align = max(self.measure(t)[1] for t in types)
            if any(e.align for e in extents):
                align = max(align, 16)
            if round_up(end, align) != wanted.size:
                last = extents[-1]
                extents[-1] = Extent(last.align, wanted.size - wanted.offsets[-1])
        return tuple(extents)

    def measure(self, t: Type) -> tuple[int, int]:
        """WGSL's size and alignment of a type in memory."""
        match t:
            case Scalar() | Vector() | Matrix():
                known = layout(t, Rules.STD430)
                return known.size, known.align
            case Array(elem, count):
                size, align = self.measure(elem)
                return round_up(size, align) * (count or 0), align
            case Struct(name, fields):
                return self._measure_struct(fields, self.made.extents[name])
        raise TypeError(f"{t} has no memory layout")

    def _measure_struct(
        self, fields: Iterable[Field], extents: Iterable[Extent]
    ) -> tuple[int, int]:
        end, widest = 0, 1
        for member, extent in zip(fields, extents, strict=True):
            size, align = self.measure(member.type)
            align = max(align, extent.align or 1)
            end = round_up(end, align) + (extent.size or size)
            widest = max(widest, align)
        return round_up(end, widest), widest


def inner(places: Places, index: int | None) -> Places:
    """The places inside one part."""
    return frozenset(p[1:] for p in places if p and p[0] == index)


def base_of(t: Type) -> Type:
    """What an array, of arrays perhaps, is made of."""
    while isinstance(t, Array):
        t = t.elem
    return t


def _rules(item: Global) -> Rules | None:
    if item.space is Space.WORKGROUP:
        return None
    return Rules.STD140 if item.space is Space.UNIFORM else Rules.STD430


def _value_structs(module: Module) -> set[str]:
    """The names of the structs that some value has, or that function memory holds."""
    found: set[str] = set()
    for function in module.functions:
        types: list[Type] = [param.type for param in function.params]
        types += function.results
        for block in function.blocks:
            types += [param.type for param in block.params]
            for instr in block.instrs:
                t = instr.type
                if not isinstance(t, Pointer):
                    types.append(t)
                elif t.space is Space.FUNCTION:
                    types.append(t.pointee)
        for t in types:
            found.update(s.name for s in structs_in(t))
    return found


def structs_in(t: Type) -> Iterator[Struct]:
    """The structs in a type, members before what holds them."""
    if isinstance(t, Array):
        yield from structs_in(t.elem)
    elif isinstance(t, Struct):
        for member in t.fields:
            yield from structs_in(member.type)
        yield t


def _nested_in_uniforms(module: Module) -> set[str]:
    """The names of the structs that are parts of uniforms, not whole ones."""
    found: set[str] = set()
    for item in module.globals:
        if item.space is Space.UNIFORM:
            found.update(s.name for s in structs_in(item.type) if s != item.type)
    return found
