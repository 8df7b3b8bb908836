"""Buffers without types: storage buffers of bytes, and push constants of words.

Where no struct of HLSL has the layout, text computes how far into its buffer a value lies.
"""

from __future__ import annotations

from collections.abc import Iterator

from luma.frontend.typed import Access
from luma.ir.module import Global, Instr
from luma.language.layout import Rules, layout, round_up
from luma.language.types import (
    BOOL,
    HALF,
    UINT,
    Kind,
    Pointer,
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
from ..text.spelling import COMPONENTS
from .blocks import ROW
from .places import Places


class Offsets(Places):
    """The part of the printer that reads and writes at offsets."""

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
