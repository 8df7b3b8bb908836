"""How HLSL text reads and writes memory, so that every byte is where the layout has it.

Uniforms are constant buffers whose structs are padded (:mod:`blocks`).  Storage buffers are
structured buffers where that is possible, else byte address buffers, read and written at computed
offsets.  Push constants are a constant buffer too, of plain words where their layout is none that a
constant buffer can have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from luma.frontend.typed import Access
from luma.ir.module import Global, Instr
from luma.language.layout import Rules, layout
from luma.language.types import (
    BOOL,
    HALF,
    INT,
    UINT,
    Matrix,
    Pointer,
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
from ..text.code import PRODUCT, SUM, UNARY, Code, above, binary, call
from ..text.spelling import COMPONENTS
from .blocks import Packing
from .offsets import Offsets
from .places import held, in_bytes, packing_of

ATOMICS = {
    "atomic_add": "InterlockedAdd",
    "atomic_min": "InterlockedMin",
    "atomic_max": "InterlockedMax",
    "atomic_and": "InterlockedAnd",
    "atomic_or": "InterlockedOr",
    "atomic_xor": "InterlockedXor",
    "atomic_exchange": "InterlockedExchange",
    "atomic_compare_exchange": "InterlockedCompareExchange",
}


class Memory(Offsets):
    """The part of the printer that deals with memory."""

    def op_global(self, body: Body, instr: Instr) -> Code:
        """Memory or a resource."""
        return Code(self.global_names[str(instr.imm[0])])

    def op_load(self, body: Body, instr: Instr) -> Code:
        """A read of memory."""
        item = self.root(body, instr.args[0])
        if item is None or item.space is Space.WORKGROUP:
            return super().op_load(body, instr)
        if packing_of(item) is None:
            if item.space is Space.STORAGE:
                return self._buffer_load(body, instr, item)
            return self._word_load(body, instr, item)
        return self._narrowed(self._place(body, instr.args[0]))

    def op_extract(self, body: Body, instr: Instr) -> Code:
        """A part of a value; DXC takes the wrong one from a matrix that is cast first."""
        source = body.instr(instr.args[0])
        if source is not None and source.op == "load" and isinstance(source.type, Matrix):
            item = self.root(body, source.args[0])
            if item is not None and packing_of(item) is not None:
                place = self._place(body, source.args[0])
                return self._narrowed(self._steps(body, instr, item, place))
        return super().op_extract(body, instr)

    def perform(self, body: Body, instr: Instr, declares: bool) -> Iterator[str]:
        """An instruction for its effect."""
        if instr.op == "store":
            item = self.root(body, instr.args[0])
            if item is not None and item.space is Space.STORAGE:
                typed = packing_of(item) is not None
                yield from (self._typed_store if typed else self._buffer_store)(body, instr, item)
                return
        if instr.op in ATOMICS:
            yield from self.atomic(body, instr, None)
            return
        yield from super().perform(body, instr, declares)

    def repeated(self, instr: Instr, types: Mapping[int, Type]) -> tuple[int, ...]:
        """Operands whose text appears more than once."""
        if instr.op == "store" and types[instr.args[1]] == Vector(HALF, 3):  # in two parts
            return (1,)
        return super().repeated(instr, types)

    def _typed_store(self, body: Body, instr: Instr, item: Global) -> Iterator[str]:
        """A write to a structured buffer."""
        place = self._place(body, instr.args[0])
        text, value = place.text, self.value(body, instr.args[1])
        if not isinstance(place.type, Struct) and scalar_of(place.type) == BOOL:
            name = self.type_name(with_scalar(place.type, UINT))
            yield f"{text} = ({name}){above(value, UNARY)};"
            return
        if place.wide and width(place.type) < 4:
            text += f".{COMPONENTS[: width(place.type)]}"
        yield f"{text} {self._assignment(body, body.instr(instr.args[1]), text, value)};"

    # ------------------------------------------------------------ atomics

    def is_helped(self, instr: Instr, item: Global) -> bool:
        """Whether an atomic is one that DXC fails to compile to valid SPIR-V."""
        signed = instr.op in ("atomic_min", "atomic_max", "atomic_compare_exchange")
        return signed and instr.type == INT and in_bytes(item)

    def alone(self, instr: Instr, types: Mapping[int, Type]) -> bool:
        """The old value of an atomic comes by an out parameter."""
        return instr.op in ATOMICS or super().alone(instr, types)

    def atomic(self, body: Body, instr: Instr, old: str | None) -> Iterator[str]:
        """The statements of an atomic; ``old`` is the variable that takes the old value."""
        item = self.root(body, instr.args[0])
        assert item is not None
        values = [value.text for value in self.values(body, instr.args[1:])]
        name = self.global_names[item.name]
        if self.is_helped(instr, item):
            place = self._bytes(body, instr.args[0]).text
            args = ", ".join([name, place, *values])
            yield f"{'' if old is None else f'{old} = '}{self.helper(instr.op)}({args});"
            return
        function = ATOMICS[instr.op]
        if in_bytes(item):
            function = f"{name}.{function}"
            place = self._bytes(body, instr.args[0]).text
        elif item.space is Space.STORAGE:
            place = self._place(body, instr.args[0]).text
        else:
            place = self.value(body, instr.args[0]).text
        args = ", ".join([place, *values])
        if old is not None:
            yield f"{function}({args}, {old});"
        elif instr.op in ("atomic_exchange", "atomic_compare_exchange"):
            unused = self.unused_variable
            yield f"{{ {self.type_name(instr.type)} {unused}; {function}({args}, {unused}); }}"
        else:
            yield f"{function}({args});"

    #: What takes the old value of an exchange that nobody reads, in a block of its own.
    unused_variable = "unused"

    def op_array_length(self, body: Body, instr: Instr) -> Code:
        """The length of a runtime array, from the size of its buffer."""
        item = self.root(body, instr.args[0])
        pointer = body.type(instr.args[0])
        assert item is not None and isinstance(pointer, Pointer)
        function = self.helper(length_helper(item))
        if not in_bytes(item):  # DXC gives a structured buffer that is passed on a counter
            return call(function)
        code = call(function, Code(self.global_names[item.name]))
        start, _ = self._offset(body, instr.args[0], Rules.STD430)
        stride = layout(pointer.pointee, Rules.STD430).stride
        if start:
            code = binary(code, "-", Code(str(start)), SUM)
        if stride > 1:
            code = binary(code, "/", Code(str(stride)), PRODUCT)
        return call("int", code)

    def buffer_type(self, item: Global) -> str:
        """The type of a storage buffer."""
        prefix = "" if item.access is Access.READ else "RW"
        if in_bytes(item):
            return f"{prefix}ByteAddressBuffer"
        element_type, _ = self.stored_type(element(held(item)), False, Packing.STRUCTURED)
        return f"{prefix}StructuredBuffer<{element_type}>"


def length_helper(item: Global) -> str:
    """The key of the function that tells a buffer's size or length."""
    if in_bytes(item):
        return "byte_size" if item.access is Access.READ else "rw_byte_size"
    return f"length {item.name}"
