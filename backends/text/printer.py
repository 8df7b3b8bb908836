"""Statements and functions as text: the printer that all targets of the C family share."""

from __future__ import annotations

from collections.abc import Iterator

from luma.frontend.typed import Unroll
from luma.ir.module import Function, Instr
from luma.language.types import Array, Scalar, Type, Vector, is_integer

from .body import Body
from .code import BINARY, TERNARY, Code, above
from .spelling import BROADCASTING, COMPONENTS, INDENT, Speller
from .statements import (
    Assign,
    Break,
    Continue,
    Declare,
    Define,
    Discard,
    For,
    If,
    Loop,
    Perform,
    Return,
    Statement,
)
from .wrapping import WIDTH, wrapped

_COMPOUND = BROADCASTING | {"bit_and", "bit_or", "bit_xor", "shl", "shr", "mat_scale"}

#: A choice of one of two values in longer text than this is told by branches.
LONGEST_CHOICE = WIDTH + WIDTH // 2


class Printer(Speller):
    """Prints the functions of one module; a target prints the rest of the file."""

    #: Whether ``?:`` leaves out what it does not take.
    chooses_lazily = False

    # ------------------------------------------------------------ statements

    def statements(self, body: Body, statements: list[Statement], indent: str) -> Iterator[str]:
        """The lines of a list of statements."""
        ahead = iter([*statements[1:], None])
        chosen: Statement | None = None
        for statement in statements:
            following = next(ahead)
            if statement is chosen:
                continue
            yield from self.marks(body, statement)
            choice = self._choice(body, statement, following)
            if choice is not None and len(indent + choice) <= LONGEST_CHOICE:
                chosen = following
                yield f"{indent}{choice}"
                continue
            for line in self.statement(body, statement):
                yield f"{indent}{line}"

    def _choice(self, body: Body, first: Statement, second: Statement | None) -> str | None:
        """A declaration with one of two values, if that is all that two statements are.

        It serves where ``?:`` evaluates no more than the value that it takes.
        """
        if not self.chooses_lazily or self.precise or not isinstance(first, Declare):
            return None
        if not isinstance(second, If) or first.variable < 0:
            return None
        values = [
            self._only_value(body, first.variable, s) for s in (second.then, second.otherwise)
        ]
        if None in values or not isinstance(body.variable_type(first.variable), Scalar | Vector):
            return None
        condition = self.condition(body, second.condition)
        parts = [above(code, TERNARY) for code in (condition, *values) if code is not None]
        return f"{self.declaration(body, first.variable, '{} ? {} : {}'.format(*parts))};"

    def _only_value(self, body: Body, variable: int, arm: list[Statement]) -> Code | None:
        """What an arm gives a variable, if it does nothing else."""
        match arm:
            case [Define(given, instr)] if given == variable:
                types = body.forms.types
                if not self.updates(instr, types) and not self.alone(instr, types):
                    return self.operation(body, instr)
            case [Assign(given, value)] if given == variable:
                return self.value(body, value)
        return None

    def marks(self, body: Body, statement: Statement) -> Iterator[str]:
        """Lines before a statement that tell where it comes from."""
        return iter(())

    def statement(self, body: Body, statement: Statement) -> Iterator[str]:
        """The lines of one statement."""
        match statement:
            case Define() | Assign():
                yield from self.setting(body, statement)
            case Declare(variable):
                yield f"{self.declaration(body, variable)};"
            case Perform(instr, declares):
                yield from self.perform(body, instr, declares)
            case If():
                yield from self.branch(body, statement)
            case Loop(inner, _, unroll, condition):
                head = "true" if condition is None else self.condition(body, condition).text
                yield f"{self.loop_hint(unroll)}while ({head}) {{"
                yield from self.statements(body, inner, INDENT)
                yield "}"
            case For():
                yield from self.counted(body, statement)
            case Return(values):
                yield from self.leave(body, values, statement is body.tree.body[-1])
            case Discard():
                yield "discard;"
            case Break():
                yield "break;"
            case Continue():
                yield "continue;"

    def loop_hint(self, unroll: Unroll | int | None) -> str:
        """What stands before a loop that the author wants unrolled."""
        return ""

    def branch(self, body: Body, statement: If) -> Iterator[str]:
        """An if statement with its else-if chain."""
        yield f"if ({self.condition(body, statement.condition).text}) {{"
        yield from self.statements(body, statement.then, INDENT)
        rest = statement.otherwise
        while len(rest) == 1 and isinstance(rest[0], If):
            inner = rest[0]
            yield f"}} else if ({self.condition(body, inner.condition).text}) {{"
            yield from self.statements(body, inner.then, INDENT)
            rest = inner.otherwise
        if rest:
            yield "} else {"
            yield from self.statements(body, rest, INDENT)
        yield "}"

    def counted(self, body: Body, loop: For) -> Iterator[str]:
        """A for loop."""
        name = body.names[loop.init.variable]
        value = self._set_value(body, loop.init).text
        start = self.declaration(body, loop.init.variable, value)
        test = self.condition(body, loop.condition).text
        step = _short_step(name, self._change(body, loop.step).removesuffix(";"))
        yield f"{self.loop_hint(loop.unroll)}for ({start}; {test}; {step}) {{"
        yield from self.statements(body, loop.body, INDENT)
        yield "}"

    def leave(self, body: Body, values: tuple[int, ...], last: bool) -> Iterator[str]:
        """A return."""
        if values:
            yield f"return {self.value(body, values[0]).text};"
        elif not last:
            yield "return;"

    def setting(self, body: Body, statement: Define | Assign) -> Iterator[str]:
        """A variable gets a value."""
        name = body.names[statement.variable]
        if isinstance(statement, Define) and self.updates(statement.instr, body.forms.types):
            yield from self._update(body, statement, name)
            return
        if statement.declares:
            value = self._set_value(body, statement).text
            yield f"{self.declaration(body, statement.variable, value)};"
        else:
            yield self._change(body, statement)

    def declaration(self, body: Body, variable: int, value: str | None = None) -> str:
        """The declaration of a variable, with its first value if that is known."""
        t = body.variable_type(variable)
        declared = self.declarator(t, body.names[variable])
        if self.precise and not is_integer(_innermost(t)):
            declared = f"precise {declared}"
        return declared if value is None else f"{declared} = {value}"

    def _set_value(self, body: Body, statement: Define | Assign) -> Code:
        if isinstance(statement, Define):
            return self.operation(body, statement.instr)
        return self.value(body, statement.value)

    def _change(self, body: Body, statement: Define | Assign) -> str:
        """An assignment; ``x = x + y`` is ``x += y``."""
        name = body.names[statement.variable]
        instr: Instr | None
        if isinstance(statement, Define):
            instr = statement.instr
        else:
            instr = None if statement.value < 0 else body.instr(statement.value)
        whole = self._set_value(body, statement)
        return f"{name} {self._assignment(body, instr, name, whole)};"

    def _assignment(self, body: Body, instr: Instr | None, place: str, whole: Code) -> str:
        """The operator and right side that give a place a value; ``instr`` computes it."""
        if instr is not None and instr.op in _COMPOUND:
            symbol = "*" if instr.op == "mat_scale" else BINARY[instr.op][0]
            if (symbol, whole.symbol) == ("+", "-"):
                symbol = "-"
            start = f"{place} {symbol} "
            first = self.value(body, instr.args[0]).text
            if whole.symbol == symbol and whole.text.startswith(start) and first == place:
                return f"{symbol}= {_bare(whole.text.removeprefix(start))}"
        return f"= {whole.text}"

    def _update(self, body: Body, statement: Define, name: str) -> Iterator[str]:
        """An insert or a write through a swizzle: copy, then assign the part."""
        instr = statement.instr
        whole = self.value(body, instr.args[0])
        if statement.declares:
            yield f"{self.declaration(body, statement.variable, whole.text)};"
        elif whole.text != name:
            yield f"{name} = {whole.text};"
        if instr.op == "insert":
            part = instr.args[1]
            place = name + self.path(body, instr, instr.type)
        else:
            place, part = f"{name}.{_written(instr)}", instr.args[1]
        code = self.value(body, part)
        if instr.op == "shuffle":
            code = self.swizzle(body, part, _read(instr))
        yield f"{place} {self._assignment(body, body.instr(part), place, code)};"

    def perform(self, body: Body, instr: Instr, declares: bool) -> Iterator[str]:
        """An instruction for its effect."""
        if instr.op != "store":
            yield f"{self.operation(body, instr).text};"
            return
        place = self.value(body, instr.args[0]).text
        whole = self.value(body, instr.args[1])
        if declares:
            yield f"{self.declaration(body, instr.args[0], whole.text)};"
        else:
            yield f"{place} {self._assignment(body, body.instr(instr.args[1]), place, whole)};"

    # ------------------------------------------------------------ functions

    def function(self, body: Body, name: str) -> Iterator[str]:
        """A whole function."""
        params = ", ".join(self.parameters(body.function, body))
        yield from wrapped(f"{self.result_type(body.function)} {name}({params}) {{")
        for line in self.statements(body, body.tree.body, INDENT):
            yield from wrapped(line)
        yield "}"

    def parameters(self, function: Function, body: Body) -> Iterator[str]:
        """The declarations of a function's parameters."""
        for param in function.params:
            yield self.declarator(param.type, body.names[param.id])

    def result_type(self, function: Function) -> str:
        """The name of what a function returns."""
        return self.type_name(function.results[0]) if function.results else "void"


def _innermost(t: Type) -> Type:
    """What an array of arrays holds in the end."""
    while isinstance(t, Array):
        t = t.elem
    return t


def _short_step(name: str, change: str) -> str:
    """``i++`` for ``i += 1``, ``i -= 2`` for ``i += -2``."""
    start = f"{name} += -"
    if change.startswith(start) and change.removeprefix(start).isdigit():
        change = f"{name} -= {change.removeprefix(start)}"
    for sign in "+-":
        if change in (f"{name} {sign}= 1", f"{name} {sign}= 1u"):
            return name + sign * 2
    return change


def _bare(text: str) -> str:
    """The text without parentheses that enclose all of it."""
    if not (text.startswith("(") and text.endswith(")")):
        return text
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return text[1:-1] if at == len(text) - 1 else text
    return text


def _replaced(instr: Instr) -> list[tuple[int, int]]:
    """The index in the second vector and the component it goes to, in the second's order."""
    assert isinstance(instr.type, Vector)
    size = instr.type.size
    return sorted((int(i) - size, at) for at, i in enumerate(instr.imm) if int(i or 0) >= size)  # type: ignore[arg-type]


def _written(instr: Instr) -> str:
    return "".join(COMPONENTS[at] for _, at in _replaced(instr))


def _read(instr: Instr) -> list[int]:
    return [index for index, _ in _replaced(instr)]
