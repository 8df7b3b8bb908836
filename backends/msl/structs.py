"""The structs of a file: which are printed, in how many forms, and what each is called.

A struct that is a value and lies in memory is printed once if MSL's own layout will do for both,
else once for each form.  Value structs hold arrays in a wrapper, for arrays themselves can neither
be copied nor returned.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from luma.language.layout import Rules
from luma.language.types import (
    Array,
    Matrix,
    Pointer,
    Scalar,
    Space,
    Struct,
    Type,
    Vector,
)

from ..text.spelling import Speller
from .memory import HOST_SPACES, Member, members, memory_rules, pads, stored, structs_in

_SUFFIX = {None: "", Rules.STD140: "Uniform", Rules.STD430: "Storage"}


@dataclass(frozen=True, slots=True)
class Wrappers:
    """The names of the templates around arrays and around padded elements."""

    array: str = "Array"
    padded: str = "Padded"


class Forms:
    """The forms of the structs of one file, and the spelling of types in memory."""

    def __init__(self, speller: Speller, used: Iterable[tuple[Type, Rules | None]]) -> None:
        self._speller = speller
        self._names: dict[tuple[str, Rules | None], str] = {}
        self._align: dict[tuple[str, Rules | None], int] = {}
        self._printed: list[list[str]] = []
        self.wrappers = Wrappers()
        self.uses_arrays = self.uses_padding = False
        self._collect(used)

    def _collect(self, used: Iterable[tuple[Type, Rules | None]]) -> None:
        forms: dict[Struct, list[Rules | None]] = {}
        for t, rules in used:
            for struct in structs_in(t):
                known = forms.setdefault(struct, [])
                if rules not in known:
                    known.append(rules)
        self._forms = forms

    def settle(self) -> None:
        """Name every form and write its text, equal ones once."""
        names = self._speller.names
        own = {struct: names.add(struct.name) for struct in self._forms}
        self.wrappers = Wrappers(names.add("Array"), names.add("Padded"))
        for struct, forms in self._forms.items():
            texts: dict[tuple[str, ...], str] = {}
            for rules in sorted(forms, key=lambda r: (r is not None, r is Rules.STD140)):
                self._settle(struct, rules, own[struct], texts)

    def _settle(
        self, struct: Struct, rules: Rules | None, own: str, texts: dict[tuple[str, ...], str]
    ) -> None:
        lines, says = self._text(struct, rules)
        text = (_head("", says), *lines)
        name = texts.get(text)
        if name is None and rules is not None and (struct.name, None) in self._names:
            name = self._same_as_value(struct, rules, lines)
        if name is None:
            name = own if not texts else self._speller.names.add(struct.name + _SUFFIX[rules])
            self._printed.append([_head(name, says), *lines, "};"])
            self._speller.struct_names.setdefault(struct.name, name)
        texts[text] = name
        self._names[struct.name, rules] = name

    def _same_as_value(self, struct: Struct, rules: Rules, lines: tuple[str, ...]) -> str | None:
        """The value form's name, if that can take on the alignments of this form."""
        value = self._names[struct.name, None]
        taken = any((struct.name, other) in self._names for other in Rules)
        if taken or not self.is_plain_inside(struct, rules):
            return None
        for printed in self._printed:
            if printed[0].split()[-2] == value:
                printed[:] = [_head(value, members(struct, rules).says), *lines, "};"]
        return value

    def name(self, struct: Struct, rules: Rules | None) -> str:
        """What a struct is called in memory of a layout, or as a value (None)."""
        return self._names[struct.name, rules]

    def is_plain_inside(self, struct: Struct, rules: Rules) -> bool:
        """Whether every member is, but for its alignment, as in a value."""
        return all(
            not member.packed and self.is_plain(member.type, rules)
            for member in members(struct, rules).members
        )

    def is_plain(self, t: Type, rules: Rules | None) -> bool:
        """Whether what lies in memory can be read and written as it is."""
        match t:
            case Scalar() | Vector():
                return stored(t, rules) == t
            case Matrix():
                return not pads(t.column, t, rules)
            case Struct(name):
                return self._names[name, rules] == self._names.get((name, None))
        return False

    def lines(self) -> Iterator[list[str]]:
        """The structs' texts, members before what holds them."""
        yield from self._printed

    # ------------------------------------------------------------ spelling

    def _text(self, struct: Struct, rules: Rules | None) -> tuple[tuple[str, ...], int]:
        names = self._speller.field_names[struct.name]
        if rules is None:
            lines = [
                f"    {self._speller.declarator(f.type, name)};"
                for f, name in zip(struct.fields, names, strict=True)
            ]
            return tuple(lines), 0
        whole = members(struct, rules)
        pairs = zip(whole.members, names, strict=True)
        return tuple(f"    {self._member(m, n, rules)};" for m, n in pairs), whole.says

    def _member(self, member: Member, name: str, rules: Rules) -> str:
        aligned = f"alignas({member.align}) " if member.align else ""
        return aligned + self.declarator(member.type, rules, name, member.packed)

    def declarator(self, t: Type, rules: Rules | None, name: str, packed: bool = False) -> str:
        """The declaration of a place in memory."""
        base, sizes = self._parts(t, rules)
        return f"{'packed_' if packed else ''}{base} {name}{sizes}"

    def parameter(self, t: Type, rules: Rules | None, name: str, packed: bool = False) -> str:
        """The declaration of a reference to memory; of an array, a pointer to its elements."""
        base, sizes = self._parts(t, rules)
        if not sizes:
            return f"{'packed_' if packed else ''}{base}& {name}"
        rest = sizes[sizes.index("]") + 1 :]
        return f"{base} (*{name}){rest}" if rest else f"{base}* {name}"

    def _parts(self, t: Type, rules: Rules | None) -> tuple[str, str]:
        """The innermost element's type, and the sizes in brackets."""
        match t:
            case Array(elem, size):
                base, sizes = self._parts(elem, rules)
                return self._padded(base, elem, t, rules), f"[{size or 1}]{sizes}"
            case Matrix() if pads(t.column, t, rules):
                base = self._speller.type_name(t.column)
                return self._padded(base, t.column, t, rules), f"[{t.cols}]"
            case Struct(name):
                return self._names[name, rules], ""
        return self._speller.type_name(stored(t, rules)), ""

    def _padded(self, base: str, part: Type, whole: Type, rules: Rules | None) -> str:
        if not pads(part, whole, rules):
            return base
        self.uses_padding = True
        return f"{self.wrappers.padded}<{base}>"

    def templates(self) -> Iterator[list[str]]:
        """The wrappers' texts, those that are used."""
        if self.uses_arrays:
            yield [
                "template <typename T, size_t N>",
                f"struct {self.wrappers.array} {{",
                "    T items[N];",
                "};",
            ]
        if self.uses_padding:
            yield [
                "template <typename T>",
                f"struct alignas(16) {self.wrappers.padded} {{",
                "    T value;",
                "};",
            ]


def _head(name: str, says: int) -> str:
    return f"struct alignas({says}) {name} {{" if says else f"struct {name} {{"


def host_types(t: Type, space: Space) -> tuple[Type, Rules | None]:
    """A global's type with the rules that it is laid out by."""
    return t, memory_rules(space)


def value_types(types: Iterable[Type]) -> Iterator[tuple[Type, Rules | None]]:
    """What a function's values and own memory are made of."""
    for t in types:
        if not isinstance(t, Pointer):
            yield t, None
        elif t.space not in HOST_SPACES and t.space is not Space.HANDLE:
            yield t.pointee, None


__all__ = ["Forms", "Wrappers", "host_types", "value_types"]
