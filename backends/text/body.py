"""One function on its way to text: the values' forms, variables, names and statements."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from luma.ir.module import Function, Instr, successors
from luma.language.builtins import Effect
from luma.language.types import Pointer, Type, Void

from .counters import merge_counters
from .expressions import Form, Forms, Needs, choose
from .hints import Hints
from .loops import Mentions, shape_loops
from .names import Scope
from .raising import forward_parts
from .scopes import declare
from .statements import Assign, Declare, Define, For, Statement, Tree, inner_lists
from .structure import build
from .tidying import tidy
from .variables import Variables, assign


@dataclass(slots=True)
class Body:
    """A function's statements and all that printing them needs to know.

    ``names`` has the name of each variable and parameter; a temporary has one too.
    """

    function: Function
    forms: Forms
    variables: Variables
    tree: Tree
    names: dict[int, str] = field(default_factory=dict)

    def instr(self, value: int) -> Instr | None:
        """The instruction whose text stands for the value; None for what has a name."""
        return None if self.forms.is_variable(value) else self.forms.instrs[value]

    def type(self, value: int) -> Type:
        """The type of a value."""
        return self.forms.types[value]

    def variable_type(self, variable: int) -> Type:
        """The type of a variable, a temporary or a local memory."""
        if variable < 0:
            variable = self.tree.temporaries[variable]
        found = self.forms.types[variable]
        return found.pointee if isinstance(found, Pointer) else found

    def is_constant(self, value: int) -> bool:
        """Whether the value is made of constants alone."""
        instr = self.forms.instrs.get(value)
        if instr is None:
            return False
        parts = instr.op in ("construct", "splat") and all(map(self.is_constant, instr.args))
        return instr.op == "const" or parts


def prepare(function: Function, effects: Mapping[str, Effect], needs: Needs) -> Body:
    """Everything about a function's text but the names."""
    function = tidy(forward_parts(merge_counters(function)))
    forms = choose(function, effects, needs)
    updates = frozenset(
        instr.id
        for instr in function.instructions()
        if not isinstance(instr.type, Void)
        and forms.form[instr.id] is Form.NAMED
        and needs.updates(instr, forms.types)
    )
    variables = assign(forms, updates)
    tree = build(forms, variables)
    mentions = Mentions(forms, variables)
    shape_loops(tree, mentions)
    declare(tree, forms, mentions)
    return Body(function, forms, variables, tree)


def name_variables(body: Body, scope: Scope, given: Mapping[int, str]) -> None:
    """Name every variable, in the order of the text.  ``given`` are names already settled."""
    body.names.update(given)
    wanted: dict[int, str] = {}
    for value, name in sorted(body.function.names.items()):
        local = value in body.forms.instrs and body.forms.instrs[value].op == "local"
        if local or (value in body.forms.types and body.forms.is_variable(value)):
            wanted.setdefault(body.variables.of(value), name)
    variables = body.variables
    wanted |= _upcoming(body, wanted)
    hints = Hints(
        body.forms,
        lambda value: body.names.get(variables.of(value)) or wanted.get(variables.of(value)),
    )
    _name(body, body.tree.body, scope, _Wishes(wanted, hints))


def _upcoming(body: Body, wanted: Mapping[int, str]) -> dict[int, str]:
    """Names for what a loop's variable becomes later: the variable itself has the plain name."""
    function, of = body.function, body.variables.of
    headers = {b.label: b for b in function.blocks if b.loop is not None}
    changing = {of(param.id) for header in headers.values() for param in header.params}
    blocks = {block.label: block for block in function.blocks}
    found: dict[int, str] = {}
    for block in function.blocks:
        for edge in successors(block.terminator):
            header = headers.get(edge.target)
            if header is not None and header.loop and header.loop.continue_ != block.label:
                continue  # the loop's start
            for param, value in zip(blocks[edge.target].params, edge.args, strict=True):
                name, held = wanted.get(of(value)), of(param.id)
                starts = of(value) not in changing and held in changing
                if starts and name is not None and wanted.get(held) == name:
                    found[of(value)] = f"next_{name}"
    return found


@dataclass(frozen=True, slots=True)
class _Wishes:
    wanted: Mapping[int, str]  # by the author
    hints: Hints

    def of(self, body: Body, variable: int, otherwise: str) -> str:
        """The name that suits a variable best."""
        if variable < 0:
            kept = body.tree.temporaries[variable]
            return f"next_{self.wanted.get(kept) or body.names.get(kept, 'value')}"
        return self.wanted.get(variable) or self.hints.of(variable) or otherwise


def _name(body: Body, statements: list[Statement], scope: Scope, wishes: _Wishes) -> None:
    for statement in statements:
        inside = scope
        variable = _declared(statement)
        if isinstance(statement, For):
            inside = scope.inner()
            variable = statement.init.variable
        if variable is not None:
            otherwise = _counter(inside) if isinstance(statement, For) else "value"
            body.names[variable] = inside.add(wishes.of(body, variable, otherwise))
        for inner in inner_lists(statement):
            _name(body, inner, inside.inner(), wishes)


def _counter(scope: Scope) -> str:
    """A name for a loop's variable that has none."""
    return next((name for name in "ijk" if not scope.has(name)), "i")


def _declared(statement: Statement) -> int | None:
    match statement:
        case Declare(variable=variable):
            return variable
        case Define(variable=variable, declares=True) | Assign(variable=variable, declares=True):
            return variable
    if getattr(statement, "declares", False):  # a store that fills a local memory
        return int(statement.instr.args[0])  # type: ignore[union-attr]
    return None
