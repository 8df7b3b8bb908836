"""Cases in the comments of rule files: ``; test: before => after``, compiled with the rules.

Variables are floats unless they are declared, as parameters are: ``; test (n: vec3): before =>
after``.  ``; include: "library.luma"`` makes the functions of a library known to all cases of a
file.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from luma import pipeline
from luma.diagnostics import Diagnostic, Level, LumaError, Note
from luma.frontend import typed
from luma.ir.module import Block, Function, Instr, Module, operands
from luma.ir.text import print_module
from luma.optimizer.rulefiles.read import RuleFile
from luma.optimizer.rulefiles.render import render
from luma.optimizer.rulefiles.sexpr import Comment
from luma.optimizer.rulefiles.tree import remark
from luma.optimizer.user import optimize as optimize_with


@dataclass(frozen=True, slots=True)
class CaseResult:
    """A case as it is written, and what is wrong with it."""

    case: str
    problem: Diagnostic | None


def run_cases(files: Sequence[RuleFile]) -> tuple[CaseResult, ...]:
    """Run the cases of some files, each with the rules of all of them."""
    rules = [render(file) for file in files]
    results = []
    for file in files:
        remarks = [(c, remark(c.text)) for c in file.comments]
        includes = [found[1] for _, found in remarks if found and found[0] == "include"]
        for comment, found in remarks:
            if found is not None and found[0] == "test":
                case = comment.text.removeprefix("test").lstrip(" :")
                problem = _Case(file, comment, comment.text, includes).run(rules)
                results.append(CaseResult(case, problem))
    return tuple(results)


_FORM = re.compile(r"test\s*(?:\((?P<params>[^)]*)\))?\s*:(?P<before>.*?)=>(?P<after>.*)")
_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*(?!\w)(?!\s*\()")
_WORDS = frozenset({"true", "false", "and", "or", "not"})
_BEFORE, _AFTER, _VALUE = "case_before", "case_after", "case_value"


class _Case:
    def __init__(
        self, file: RuleFile, comment: Comment, text: str, includes: Sequence[str]
    ) -> None:
        self.file, self.comment, self.text, self.includes = file, comment, text, includes

    def run(self, rules: Sequence[object]) -> Diagnostic | None:
        """Compile both sides; what is wrong, if they are not the same."""
        form = _FORM.fullmatch(self.text)
        if form is None:
            return self._problem("a case has the form: test: before => after")
        before, after = form["before"].strip(), form["after"].strip()
        params = form["params"] or _inferred(f"{before} {after}")
        try:
            module = self._module(params, before, after)
        except LumaError as failed:
            first = failed.diagnostics[0]
            return self._problem(f"the case is no Luma: {first.message}", help=first.help)
        fp = "fast" if self._is_fast() else "strict"
        outcome = optimize_with(module, "basic", fp, rules)  # type: ignore[arg-type]
        if outcome.given_up:
            return self._problem(outcome.given_up[0])
        made, wanted = (_lines(outcome.module.function(n)) for n in (_BEFORE, _AFTER))
        if made == wanted:
            return None
        difference = list(difflib.unified_diff(wanted, made, "wanted", "made", n=99, lineterm=""))
        return self._problem(f"'{before}' does not become '{after}'", ["\n".join(difference)])

    def _problem(
        self, message: str, notes: Sequence[str] = (), help: str | None = None
    ) -> Diagnostic:
        place = self.file.source.locate(self.comment.span)
        told = tuple(Note(n) for n in notes)
        return Diagnostic(Level.ERROR, "E0912", message, place, told, help)

    def _is_fast(self) -> bool:
        """Whether the rule below is fast, or the last one where there is none below."""
        start = self.comment.span.start
        below = [r for r in self.file.rules if r.span.start > start] or self.file.rules[-1:]
        return bool(below) and below[0].fast

    def _module(self, params: str, before: str, after: str) -> Module:
        """Both sides as functions.  Raises LumaError."""
        lines = [f"#include {name}" for name in self.includes]
        for name, side in ((_BEFORE, before), (_AFTER, after)):
            lines += [f"function {name}({params})", f"let {_VALUE} = {side}", "end"]
        checked = pipeline.check(pipeline.parse("\n".join(lines) + "\n", self.file.name))
        tree = checked.tree
        if tree is not None:
            functions = tuple(_returning(f) if f.name in (_BEFORE, _AFTER) else f
                              for f in tree.functions)  # fmt: skip
            checked = replace(checked, tree=replace(tree, functions=functions))
        return pipeline.lower(checked)


def _returning(function: typed.Function) -> typed.Function:
    """A side's function giving the value that it computes."""
    (let,) = function.body
    assert isinstance(let, typed.Let)
    given = typed.Return(let.value, let.span)
    return replace(function, result=let.value.type, body=(given,))


def _ordered(block: Block) -> Block:
    """The block with what its end needs in the order of use, after what it does not need."""
    made = {i.id: i for i in block.instrs}
    done: dict[int, Instr] = {}

    def place(value: int) -> None:
        if value in made and value not in done:
            for operand in made[value].args:
                place(operand)
            done[value] = made[value]

    for value in operands(block.terminator):
        place(value)
    others = [i for i in block.instrs if i.id not in done]
    return replace(block, instrs=(*others, *done.values()))


def _inferred(text: str) -> str:
    names = dict.fromkeys(n for n in _NAME.findall(text) if n not in _WORDS)
    return ", ".join(f"{name}: float" for name in names)


_QUOTED = re.compile(r' "[^"]*"')
_VALUE_NUMBER = re.compile(r"%\d+")


def _lines(function: Function) -> list[str]:
    """The function's text, values in the order of their use, numbered and without names."""
    blocks = tuple(_ordered(block) for block in function.blocks)
    plain = replace(function, name="value", blocks=blocks)
    text = print_module(Module((), (), (), (plain,), ()))
    numbers: dict[str, str] = {}

    def number(found: re.Match[str]) -> str:
        return numbers.setdefault(found[0], f"%{len(numbers)}")

    return [_VALUE_NUMBER.sub(number, _QUOTED.sub("", line)).strip() for line in text.splitlines()]
