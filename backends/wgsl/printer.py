"""How WGSL spells statements and functions."""

from __future__ import annotations

from collections.abc import Iterator

from luma.ir.module import EntryPoint, Function, Instr, IOVariable
from luma.language.stages import Stage
from luma.language.types import is_integer

from ..text.body import Body
from ..text.code import BINARY, Code, call
from ..text.lines import span_of
from ..text.spelling import INDENT
from ..text.statements import (
    Assign,
    Condition,
    Define,
    Discard,
    For,
    If,
    Loop,
    Return,
    Statement,
    walk,
)
from ..text.wrapping import wrapped
from .interface import BUILTINS
from .spelling import WgslSpeller

_INTERPOLATION = {"noperspective": "linear", "flat": "flat"}


class WgslPrinter(WgslSpeller):
    """Prints the functions of one module."""

    # ------------------------------------------------------------ statements

    def statement(self, body: Body, statement: Statement) -> Iterator[str]:
        match statement:
            case Loop(inner, condition=condition) if self._is_endless(body, condition):
                self._loops += 1
                yield "loop {"
                yield from self.statements(body, inner, INDENT)
                yield "}"
                self._loops -= 1
            case Loop() | For():
                self._loops += 1
                yield from super().statement(body, statement)
                self._loops -= 1
            case Discard():
                yield "discard;"
                if self._loops:  # which goes on otherwise: WGSL only makes a helper of it
                    yield self._zero_return(body.function)
            case _:
                yield from super().statement(body, statement)

    @staticmethod
    def _is_endless(body: Body, condition: Condition | None) -> bool:
        """Whether only a jump ends a loop."""
        if condition is None:
            return True
        instr = body.instr(condition.value)
        return instr is not None and instr.op == "const" and instr.imm[0] is not condition.negated

    def perform(self, body: Body, instr: Instr, declares: bool) -> Iterator[str]:
        if instr.op == "atomic_compare_exchange":
            yield from self._exchange(body, instr, None)
        elif instr.op == "store" and self._is_atomic(body, instr.args[0]):
            place, value = self._address(body, instr.args[0]), self.value(body, instr.args[1])
            yield f"{call('atomicStore', place, value).text};"
        else:
            yield from super().perform(body, instr, declares)

    def _update(self, body: Body, statement: Define, name: str) -> Iterator[str]:
        if statement.instr.op == "atomic_compare_exchange":
            if statement.declares:
                yield f"{self.declaration(body, statement.variable)};"
            yield from self._exchange(body, statement.instr, name)
        else:
            yield from super()._update(body, statement, name)

    def _exchange(self, body: Body, instr: Instr, old: str | None) -> Iterator[str]:
        """WGSL's exchange may fail for no reason, and is then tried again."""
        place = self._address(body, instr.args[0])
        expected, new = self.values(body, instr.args[1:])
        attempt = "attempt"
        while attempt in body.names.values() or self.names.has(attempt):
            attempt += "_"
        exchange = call("atomicCompareExchangeWeak", place, expected, new).text
        wrong = self.join(Code(f"{attempt}.old_value"), "!=", expected, BINARY["ne"][1]).text
        yield "loop {"
        yield f"{INDENT}let {attempt} = {exchange};"
        if old is not None:
            yield f"{INDENT}{old} = {attempt}.old_value;"
        yield f"{INDENT}if ({attempt}.exchanged || {wrong}) {{"
        yield f"{INDENT * 2}break;"
        yield f"{INDENT}}}"
        yield "}"

    def leave(self, body: Body, values: tuple[int, ...], last: bool) -> Iterator[str]:
        output = self.output_names.get(body.function.name)
        if output is None:
            yield from super().leave(body, values, last)
        else:
            yield f"return {call(output, *self.values(body, values)).text};"

    def _zero_return(self, function: Function) -> str:
        kind = self._result(function)
        return f"return {kind}();" if kind else "return;"

    def marks(self, body: Body, statement: Statement) -> Iterator[str]:
        span = span_of(body.function, statement) if self.source is not None else None
        if span is not None and self.source is not None:
            place = self.source.locate(span)
            yield f"// {place.file}:{place.line_start}"

    # ------------------------------------------------------------ functions

    def function(self, body: Body, name: str) -> Iterator[str]:
        function = body.function
        self._changed = _changed(body, self)
        entry = self.entries.get(function.name)
        if entry is not None:
            yield from _stage(entry)
        params = ", ".join(self.parameters(function, body))
        kind = self._result(function)
        if kind and entry is not None and function.name not in self.output_names:
            kind = self.io_attributes(entry.outputs[0], entry.stage is Stage.VERTEX) + kind
        arrow = f" -> {kind}" if kind else ""
        yield from wrapped(f"fn {name}({params}){arrow} {{")
        for line in self.statements(body, body.tree.body, INDENT):
            yield from wrapped(line)
        if kind and not _returns(body.tree.body):
            yield INDENT + self._zero_return(function)
        yield "}"

    def _result(self, function: Function) -> str:
        """The name of what a function returns; of nothing, nothing."""
        output = self.output_names.get(function.name)
        if output is not None:
            return output
        return self.type_name(function.results[0]) if function.results else ""

    def parameters(self, function: Function, body: Body) -> Iterator[str]:
        entry = self.entries.get(function.name)
        for at, param in enumerate(function.params):
            declared = self.declarator(param.type, body.names[param.id])
            if entry is not None:
                between = entry.stage is Stage.FRAGMENT
                declared = self.io_attributes(entry.inputs[at], between) + declared
            yield declared

    def io_attributes(self, variable: IOVariable, between: bool) -> str:
        """What stands before a stage's input or output; ``between`` two stages if it is."""
        if variable.builtin is not None:
            return f"@builtin({BUILTINS[variable.builtin]}) "
        text = f"@location({variable.location}) "
        mode = variable.interpolation or ""
        if between and is_integer(variable.type):
            mode = "flat"
        if between and mode in _INTERPOLATION:
            text += f"@interpolate({_INTERPOLATION[mode]}) "
        return text


def _stage(entry: EntryPoint) -> Iterator[str]:
    """The lines before an entry point's function."""
    if entry.stage is Stage.COMPUTE:
        size = list(entry.workgroup_size)
        while len(size) > 1 and size[-1] == 1:
            size.pop()
        yield f"@compute @workgroup_size({', '.join(map(str, size))})"
    else:
        yield f"@{entry.stage.value}"


def _changed(body: Body, printer: WgslPrinter) -> set[int]:
    """The variables that are given a value more than once, or part by part."""
    written: set[int] = set()
    changed: set[int] = set()
    for statement in walk(body.tree.body):
        match statement:
            case Define(variable=variable, instr=instr):
                updated = printer.updates(instr, body.forms.types)
                if updated or not statement.declares or variable in written:
                    changed.add(variable)
                written.add(variable)
            case Assign(variable=variable):
                if not statement.declares or variable in written:
                    changed.add(variable)
                written.add(variable)
            case For(init=init):
                changed.add(init.variable)
    locals_ = {i.id for i in body.function.instructions() if i.op == "local"}
    return changed | locals_


def _returns(body: list[Statement]) -> bool:
    """Whether every way through the statements ends in a return, as a compiler sees it."""
    if not body:
        return False
    match body[-1]:
        case Return():
            return True
        case If(then=then, otherwise=otherwise):
            return _returns(then) and _returns(otherwise)
    return False
