"""The reader of the IR's text form, which :mod:`luma.ir.text` describes and writes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn, TypeVar

from luma.frontend.typed import Access, Unroll
from luma.ir.module import (
    Block,
    Branch,
    CondBranch,
    Discard,
    EntryPoint,
    Function,
    FunctionParam,
    Global,
    Immediate,
    Instr,
    IOVariable,
    Loop,
    Module,
    Param,
    Return,
    SpecConstant,
    Terminator,
    Unreachable,
)
from luma.language.facts import SUITS, Fact
from luma.language.stages import Stage
from luma.language.types import NAMED_TYPES, VOID, Array, Field, Pointer, Space, Struct, Type

_T = TypeVar("_T")

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<comment>--.*)
      | (?P<string>"(?:[^"\\]|\\.)*")
      | (?P<value>%-?\d+)
      | (?P<float>-?(?:\d+\.\d*(?:e[+-]?\d+)?|\d+e[+-]?\d+)|-inf\b)
      | (?P<int>-?\d+)
      | (?P<name>[A-Za-z_][A-Za-z_0-9]*)
      | (?P<mark>->|[][(){}<>,:=@.])
    )""",
    re.VERBOSE,
)
_LABEL = re.compile(r"b(\d+)\Z")
_SPACES = {space.value: space for space in Space}
_GLOBAL_SPACES = {word: space for word, space in _SPACES.items() if space is not Space.FUNCTION}
_MAX_DEPTH = 100


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str


def parse_module(text: str) -> Module:
    """The module that the text describes.

    Raises ValueError, which names the line, if the text is not in the form.  What it means is not
    checked: that is :func:`luma.ir.verify.verify`'s.
    """
    lines = [
        _Line(number, tokens)
        for number, line in enumerate(text.splitlines(), 1)
        if (tokens := _tokens(line, number))
    ]
    return _Reader(lines).module()


def _tokens(line: str, number: int) -> list[_Token]:
    tokens: list[_Token] = []
    at, end = 0, len(line.rstrip())
    while at < end:
        found = _TOKEN.match(line, at)
        if found is None:
            raise ValueError(f"line {number}: cannot read {line[at:end].strip()!r}")
        kind = found.lastgroup or ""
        if kind != "comment":
            tokens.append(_Token(kind, found[kind]))
        at = found.end()
    return tokens


class _Line:
    """The tokens of one line, taken from the left."""

    def __init__(self, number: int, tokens: list[_Token]) -> None:
        self._number = number
        self._tokens = tokens
        self._at = 0

    def fail(self, wanted: str) -> NoReturn:
        found = repr(self._tokens[self._at].text) if self.more() else "the end of the line"
        raise ValueError(f"line {self._number}: expected {wanted}, found {found}")

    def more(self) -> bool:
        return self._at < len(self._tokens)

    def done(self) -> None:
        if self.more():
            self.fail("the end of the line")

    def peek(self) -> str:
        """The next token's text, or "" at the end; a string is never taken for a word."""
        if not self.more() or self._tokens[self._at].kind == "string":
            return ""
        return self._tokens[self._at].text

    def kind(self) -> str:
        return self._tokens[self._at].kind if self.more() else ""

    def back(self) -> None:
        """Give the last token back, so that an error points at it."""
        self._at -= 1

    def take(self, kind: str, wanted: str) -> str:
        if self.kind() != kind:
            self.fail(wanted)
        self._at += 1
        return self._tokens[self._at - 1].text

    def accept(self, text: str) -> bool:
        found = self.peek() == text
        self._at += found
        return found

    def expect(self, text: str) -> None:
        if not self.accept(text):
            self.fail(repr(text))

    def string(self) -> str:
        at = self._at
        try:
            return str(json.loads(self.take("string", "a quoted name")))
        except json.JSONDecodeError:
            self._at = at
            self.fail("a quoted name")

    def name(self) -> str:
        return self.string() if self.kind() == "string" else self.take("name", "a name")

    def global_name(self) -> str:
        self.expect("@")
        return self.name()

    def integer(self) -> int:
        return int(self.take("int", "an integer"))

    def value(self) -> int:
        return int(self.take("value", "a value")[1:])

    def label(self) -> int:
        found = _LABEL.match(self.peek())
        if found is None:
            self.fail("a block")
        self._at += 1
        return int(found[1])

    def listed(self, item: Callable[[], _T], end: str) -> tuple[_T, ...]:
        """Items with commas between, up to the closing mark, which is taken too."""
        items: list[_T] = []
        while not self.accept(end):
            if items:
                self.expect(",")
            items.append(item())
        return tuple(items)

    def in_parentheses(self, item: Callable[[], _T]) -> _T:
        self.expect("(")
        found = item()
        self.expect(")")
        return found

    def immediate(self) -> Immediate:
        match self.kind():
            case "string":
                return self.string()
            case "float":
                return float(self.take("float", "a number"))
            case "int":
                return self.integer()
        for text, value in (("true", True), ("false", False), (".", None)):
            if self.accept(text):
                return value
        for text in ("inf", "nan"):
            if self.accept(text):
                return float(text)
        self.fail("a constant")


class _Reader:
    """Reads a module line by line; structs first, since they may stand in any order."""

    def __init__(self, lines: list[_Line]) -> None:
        self._lines = lines
        self._at = 0
        self._structs: dict[str, Struct | _Line] = {}
        self._depth = 0

    def _next(self) -> _Line:
        if self._at >= len(self._lines):
            raise ValueError(f"line {len(self._lines)}: the text ends inside a block of lines")
        self._at += 1
        return self._lines[self._at - 1]

    # ------------------------------------------------------------ the parts of a module

    def module(self) -> Module:
        structs = self._read_structs()
        globals_: list[Global] = []
        specs: list[SpecConstant] = []
        entries: list[EntryPoint] = []
        functions: list[Function] = []
        while self._at < len(self._lines):
            line = self._next()
            word = line.peek()
            if word in _GLOBAL_SPACES:
                globals_.append(self._global(line))
            elif line.accept("spec"):
                specs.append(self._spec(line))
            elif line.accept("entry"):
                entries.append(self._entry(line))
            elif line.accept("function"):
                functions.append(self._function(line))
            else:
                line.fail("a struct, global, spec, entry or function")
        return Module(structs, tuple(globals_), tuple(specs), tuple(functions), tuple(entries))

    def _read_structs(self) -> tuple[Struct, ...]:
        """Take the struct lines out, then read each when it is first asked for."""
        rest: list[_Line] = []
        for line in self._lines:
            if line.accept("struct"):
                name = line.name()
                if name in self._structs:
                    line.fail(f"one struct {name!r}")
                self._structs[name] = line
            else:
                rest.append(line)
        self._lines = rest
        return tuple(self._struct(name) for name in self._structs)

    def _struct(self, name: str) -> Struct:
        known = self._structs[name]
        if isinstance(known, Struct):
            return known
        if known.peek() != "{":
            known.fail("'{', and no struct that holds itself")
        known.expect("{")
        fields = known.listed(lambda: self._field(known), "}")
        known.done()
        struct = Struct(name, fields)
        self._structs[name] = struct
        return struct

    def _field(self, line: _Line) -> Field:
        name = line.name()
        return Field(name, self._typed(line), self._facts(line))

    def _range(self, line: _Line) -> tuple[float, float]:
        line.expect("(")
        low = float(line.take("float", "a number"))
        line.expect(",")
        high = float(line.take("float", "a number"))
        if low > high:
            line.back()
            line.fail("a number that is not less")
        line.expect(")")
        return low, high

    def _facts(self, line: _Line) -> tuple[Fact, ...]:
        found = []
        while line.accept("@"):
            word = line.name()
            if word not in SUITS:
                line.back()
                line.fail("a fact")
            found.append(Fact(word, self._range(line) if word == "range" else ()))
        return tuple(found)

    def _typed(self, line: _Line) -> Type:
        line.expect(":")
        return self._type(line)

    def _type(self, line: _Line) -> Type:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            line.fail("a type less deeply nested")
        found = self._type_inside(line)
        self._depth -= 1
        return found

    def _type_inside(self, line: _Line) -> Type:
        if line.accept("["):
            size = line.integer() if line.kind() == "int" else None
            line.expect("]")
            return Array(self._type(line), size)
        quoted = line.kind() == "string"
        word = line.name()
        if not quoted and word == "ptr" and line.accept("<"):
            space = self._word(line, _SPACES, "an address space")
            line.expect(",")
            pointee = self._type(line)
            line.expect(">")
            return Pointer(space, pointee)
        if word in self._structs:
            return self._struct(word)
        found = VOID if word == "void" else NAMED_TYPES.get(word)
        if found is None or quoted:
            line.back()
            line.fail("a type")
        return found

    def _word(self, line: _Line, words: dict[str, _T], wanted: str) -> _T:
        if line.peek() not in words:
            line.fail(wanted)
        return words[line.name()]

    def _global(self, line: _Line) -> Global:
        space = self._word(line, _GLOBAL_SPACES, "an address space")
        name = line.global_name()
        type_ = self._typed(line)
        facts = self._facts(line)
        accesses = {access.value: access for access in Access}
        access = accesses[line.name()] if line.peek() in accesses else Access.READ
        group = line.in_parentheses(line.integer) if line.accept("group") else None
        binding = line.in_parentheses(line.integer) if line.accept("binding") else None
        combined = line.in_parentheses(line.string) if line.accept("combined") else None
        line.done()
        return Global(name, type_, space, access, group, binding, combined, facts)

    def _spec(self, line: _Line) -> SpecConstant:
        name = line.global_name()
        type_ = self._typed(line)
        line.expect("id")
        number = line.in_parentheses(line.integer)
        line.expect("=")
        default = line.immediate()
        if default is None or isinstance(default, str):
            line.fail("a number or a bool")
        line.done()
        return SpecConstant(name, type_, number, default)

    def _entry(self, line: _Line) -> EntryPoint:
        stage = self._word(line, {stage.value: stage for stage in Stage}, "a stage")
        name = line.name()
        line.expect("=")
        function = line.global_name()
        size = (1, 1, 1)
        if line.accept("workgroup"):
            line.expect("(")
            match line.listed(line.integer, ")"):
                case (x, y, z):
                    size = (x, y, z)
                case _:
                    line.fail("three sizes")
        early = line.accept("early_depth")
        line.expect("{")
        line.done()
        inputs: list[IOVariable] = []
        outputs: list[IOVariable] = []
        while not (line := self._next()).accept("}"):
            way = self._word(line, {"in": inputs, "out": outputs}, "'in', 'out' or '}'")
            way.append(self._variable(line))
            line.done()
        line.done()
        return EntryPoint(name, stage, function, tuple(inputs), tuple(outputs), size, early)

    def _variable(self, line: _Line) -> IOVariable:
        name = line.string()
        type_ = self._typed(line)
        location = line.in_parentheses(line.integer) if line.accept("location") else None
        builtin = line.in_parentheses(line.name) if line.accept("builtin") else None
        kind = line.in_parentheses(line.name) if line.accept("interpolation") else None
        return IOVariable(name, type_, location, builtin, kind)

    # ------------------------------------------------------------ functions

    def _function(self, line: _Line) -> Function:
        name = line.global_name()
        line.expect("(")
        params = line.listed(lambda: self._function_param(line), ")")
        results: tuple[Type, ...] = ()
        if line.accept("->"):
            line.expect("(")
            results = line.listed(lambda: self._type(line), ")")
        line.expect("{")
        line.done()
        names = {param.id: param.name for param in params}
        blocks: list[Block] = []
        while not (line := self._next()).accept("}"):
            blocks.append(self._block(line, names))
        line.done()
        return Function(name, params, results, tuple(blocks), names)

    def _function_param(self, line: _Line) -> FunctionParam:
        value = line.value()
        name = line.string()
        type_ = self._typed(line)
        facts = self._facts(line)
        column = line.in_parentheses(line.integer) if line.accept("column") else None
        combined = line.in_parentheses(line.string) if line.accept("combined") else None
        return FunctionParam(value, name, type_, combined, facts, column)

    def _block(self, line: _Line, names: dict[int, str]) -> Block:
        label = line.label()
        params: tuple[Param, ...] = ()
        if line.accept("("):
            params = line.listed(lambda: self._param(line, names), ")")
        line.expect(":")
        loop = self._loop(line) if line.accept("loop") else None
        line.done()
        instrs: list[Instr] = []
        while True:
            line = self._next()
            terminator = self._terminator(line)
            if terminator is not None:
                line.done()
                return Block(label, params, tuple(instrs), terminator, loop)
            instrs.append(self._instr(line, names))
            line.done()

    def _definition(self, line: _Line, names: dict[int, str]) -> int:
        value = line.value()
        if line.kind() == "string":
            names[value] = line.string()
        return value

    def _param(self, line: _Line, names: dict[int, str]) -> Param:
        value = self._definition(line, names)
        return Param(value, self._typed(line))

    def _loop(self, line: _Line) -> Loop:
        line.expect("merge")
        merge = line.label()
        line.expect("continue")
        continue_ = line.label()
        unroll: Unroll | int | None = None
        if line.accept("unroll"):
            unroll = Unroll.FULL if line.accept(Unroll.FULL.value) else line.integer()
        return Loop(merge, continue_, unroll)

    def _terminator(self, line: _Line) -> Terminator | None:
        """The terminator on the line, or None if it holds an instruction."""
        if line.accept("br"):
            return self._branch(line)
        if line.accept("cond_br"):
            cond = line.value()
            then = self._branch(line)
            line.expect(",")
            otherwise = self._branch(line)
            merge = line.label() if line.accept("merge") else None
            return CondBranch(cond, then, otherwise, merge)
        if line.accept("return"):
            return Return(self._values(line))
        if line.accept("discard"):
            return Discard()
        return Unreachable() if line.accept("unreachable") else None

    def _branch(self, line: _Line) -> Branch:
        target = line.label()
        line.expect("(")
        return Branch(target, line.listed(line.value, ")"))

    def _values(self, line: _Line) -> tuple[int, ...]:
        values: list[int] = []
        while line.kind() == "value" or values:
            values.append(line.value())
            if not line.accept(","):
                break
        return tuple(values)

    def _instr(self, line: _Line, names: dict[int, str]) -> Instr:
        value = -1
        result: Type = VOID
        if line.kind() == "value":
            value = self._definition(line, names)
            result = VOID if line.peek() == "=" else self._typed(line)
            line.expect("=")
        op = line.take("name", "an operation or terminator")
        imm = self._immediates(line, op)
        return Instr(value, op, result, self._values(line), imm)

    def _immediates(self, line: _Line, op: str) -> tuple[Immediate, ...]:
        if line.peek() == "@":
            return (line.global_name(),)
        if line.accept("["):
            return line.listed(line.immediate, "]")
        return (line.immediate(),) if op == "const" else ()
