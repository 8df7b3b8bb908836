"""The functions that the printer writes itself, where HLSL has no expression for something."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from luma.frontend.typed import Access
from luma.ir.module import Global, Instr
from luma.language.types import HALF, Array, Dim, Struct, Texture, Type, Vector

from ..text.body import Body
from ..text.expressions import Form, defines
from ..text.spelling import INDENT
from ..text.tables import table_key
from .memory import length_helper
from .places import in_bytes
from .printer import HlslPrinter, array_parts

_SIZES = {
    Dim.D2: ("int2", ("width", "height"), 2),
    Dim.CUBE: ("int2", ("width", "height"), 2),
    Dim.D3: ("int3", ("width", "height", "depth"), 3),
    Dim.D2_ARRAY: ("int3", ("width", "height", "layers"), 3),
}


class Helpers:
    """Finds the functions that a file may need, names them, and writes those that it uses."""

    def __init__(self, printer: HlslPrinter, bodies: Sequence[Body]) -> None:
        self._printer = printer
        self._shared: dict[str, str] = {}  # overloads have one name
        self._types: dict[str, Type] = {}
        self._buffers: dict[str, Global] = {}
        for body in bodies:
            for instr in body.function.instructions():
                if not defines(instr) or body.forms.form.get(instr.id) is not Form.DEAD:
                    self._instruction(body, instr)
            for t in body.function.results:
                if isinstance(t, Array):
                    self._array(t)

    def _instruction(self, body: Body, instr: Instr) -> None:
        match instr.op:
            case "texture_size":
                t = body.type(instr.args[0])
                self._types[f"size {self._printer.type_name(t)}"] = t
                self._add(f"size {self._printer.type_name(t)}", "texture_size")
            case "load" if instr.type == HALF:
                item = self._printer.root(body, instr.args[0])
                if item is not None and in_bytes(item):
                    read = item.access is Access.READ
                    self._add("load_half" if read else "rw_load_half", "load_half")
            case "store" if body.type(instr.args[1]) in (HALF, Vector(HALF, 3)):
                self._add("store_half", "store_half")
            case "array_length":
                item = self._printer.root(body, instr.args[0])
                assert item is not None
                key = length_helper(item)
                self._buffers[key] = item
                self._add(key, "byte_size" if in_bytes(item) else f"{item.name}_length")
            case "atomic_min" | "atomic_max" | "atomic_compare_exchange":
                item = self._printer.root(body, instr.args[0])
                if item is not None and self._printer.is_helped(instr, item):
                    self._add(instr.op, instr.op)
            case "construct" if isinstance(instr.type, Struct | Array):
                if table_key(body, instr) is None:
                    self._make(instr.type)

    def _add(self, key: str, wanted: str) -> None:
        if key in self._printer.helpers:
            return
        if wanted not in self._shared:
            self._shared[wanted] = self._printer.names.add(wanted)
        self._printer.helpers[key] = self._shared[wanted]

    def _make(self, t: Type) -> None:
        key = f"make {t}"
        self._types[key] = t
        if isinstance(t, Array):
            self._array(t)
            self._add(key, f"make_{_array_word(t)}")
        else:
            self._add(key, f"make_{t}")

    def _array(self, t: Array) -> None:
        self._types[f"type {t}"] = t
        self._add(f"type {t}", _array_word(t))

    # ------------------------------------------------------------ text

    def types(self) -> list[str]:
        """The names of array types that functions return."""
        printer = self._printer
        for key in sorted(printer.used_helpers):
            if key.startswith("make ") and isinstance(self._types[key], Array):
                printer.helper(f"type {self._types[key]}")
        return [
            f"typedef {printer.declarator(self._types[key], name)};"
            for key, name in printer.helpers.items()
            if key.startswith("type ") and key in printer.used_helpers
        ]

    def functions(self) -> list[list[str]]:
        """The functions that the file uses."""
        printer = self._printer
        return [
            [*self._function(key, name)]
            for key, name in printer.helpers.items()
            if key in printer.used_helpers and not key.startswith("type ")
        ]

    def _function(self, key: str, name: str) -> Iterator[str]:
        match key.split(" ")[0]:
            case "size":
                yield from self._size(self._types[key], name)
            case "length":
                buffer = self._printer.global_names[self._buffers[key].name]
                yield f"int {name}() {{"
                yield f"{INDENT}uint length, stride;"
                yield f"{INDENT}{buffer}.GetDimensions(length, stride);"
                yield f"{INDENT}return int(length);"
                yield "}"
            case "byte_size" | "rw_byte_size":
                kind = "RWByteAddressBuffer" if key.startswith("rw") else "ByteAddressBuffer"
                yield f"uint {name}({kind} data) {{"
                yield f"{INDENT}uint size;"
                yield f"{INDENT}data.GetDimensions(size);"
                yield f"{INDENT}return size;"
                yield "}"
            case "load_half" | "rw_load_half":
                self._printer.uses_half = True
                kind = "RWByteAddressBuffer" if key.startswith("rw") else "ByteAddressBuffer"
                yield from _half_load(name, kind)
            case "store_half":
                self._printer.uses_half = True
                yield from _half_store(name)
            case "atomic_compare_exchange":
                yield from _compare_exchange(name)
            case "atomic_min" | "atomic_max":
                yield from _atomic_loop(name, key.removeprefix("atomic_"))
            case "make":
                yield from self._maker(self._types[key], name)

    def _size(self, t: Type, name: str) -> Iterator[str]:
        assert isinstance(t, Texture)
        result, parts, count = _SIZES[t.dim]
        words = ", ".join(parts)
        yield f"{result} {name}({self._printer.type_name(t)} image, int level) {{"
        yield f"{INDENT}uint {words}, levels;"
        yield f"{INDENT}image.GetDimensions(level, {words}, levels);"
        yield f"{INDENT}return {result}({', '.join(parts[:count])});"
        yield "}"

    def _maker(self, t: Type, name: str) -> Iterator[str]:
        printer = self._printer
        if isinstance(t, Struct):
            names = printer.field_names[t.name]
            fields = [(f.type, n) for f, n in zip(t.fields, names, strict=True)]
            result = printer.struct_names[t.name]
        else:
            assert isinstance(t, Array)
            fields = [(t.elem, f"e{i}") for i in range(t.size or 0)]
            result = printer.helpers[f"type {t}"]
        variable = "made" if all(n != "made" for _, n in fields) else "made_value"
        params = ", ".join(printer.declarator(f, n) for f, n in fields)
        yield f"{result} {name}({params}) {{"
        yield f"{INDENT}{result} {variable} = {{ {', '.join(n for _, n in fields)} }};"
        yield f"{INDENT}return {variable};"
        yield "}"


def _array_word(t: Array) -> str:
    base, sizes = array_parts(t)
    shape = "x".join(sizes.strip("[]").split("]["))
    return f"{base}_array{shape}"


def _atomic_loop(name: str, function: str) -> Iterator[str]:
    """An atomic on ints of a buffer, where DXC makes invalid SPIR-V of the plain one."""
    yield f"int {name}(RWByteAddressBuffer data, uint place, int value) {{"
    yield f"{INDENT}uint found = data.Load(place);"
    yield f"{INDENT}uint expected;"
    yield f"{INDENT}do {{"
    yield f"{INDENT * 2}expected = found;"
    yield f"{INDENT * 2}uint wanted = uint({function}(int(expected), value));"
    yield f"{INDENT * 2}data.InterlockedCompareExchange(place, expected, wanted, found);"
    yield f"{INDENT}}} while (found != expected);"
    yield f"{INDENT}return int(found);"
    yield "}"


def _compare_exchange(name: str) -> Iterator[str]:
    """A compare-exchange of ints of a buffer, which DXC may crash on."""
    yield f"int {name}(RWByteAddressBuffer data, uint place, uint expected, uint value) {{"
    yield f"{INDENT}uint found;"
    yield f"{INDENT}data.InterlockedCompareExchange(place, expected, value, found);"
    yield f"{INDENT}return int(found);"
    yield "}"


def _half_store(name: str) -> Iterator[str]:
    """A half alone: for SPIR-V, DXC would write the whole word."""
    yield f"void {name}(RWByteAddressBuffer data, uint place, half value) {{"
    yield "#ifdef __spirv__"
    yield f"{INDENT}uint shift = (place & 2u) * 8u;"
    yield f"{INDENT}data.InterlockedAnd(place & ~3u, ~(0xffffu << shift));"
    yield f"{INDENT}data.InterlockedOr(place & ~3u, f32tof16(value) << shift);"
    yield "#else"
    yield f"{INDENT}data.Store<half>(place, value);"
    yield "#endif"
    yield "}"


def _half_load(name: str, kind: str) -> Iterator[str]:
    """A half that does not begin a word: DXC takes the word's first half for SPIR-V."""
    yield f"half {name}({kind} data, uint place) {{"
    yield f"{INDENT}uint word = data.Load(place & ~3u);"
    yield f"{INDENT}return half(f16tof32(word >> (place & 2u) * 8u));"
    yield "}"
