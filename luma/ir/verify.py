"""The verifier: everything that must hold of a module, whatever pass made it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from luma.ir.cfg import Dominance
from luma.ir.module import (
    Block,
    Branch,
    CondBranch,
    EntryPoint,
    Function,
    FunctionParam,
    Global,
    Instr,
    IOVariable,
    Module,
    Return,
    operands,
    successors,
)
from luma.ir.verify_structure import check_shape, check_structure
from luma.ir.verify_types import Names, check_instr, check_type
from luma.language.builtins import OPERATIONS
from luma.language.facts import SUITS, Fact, contradiction, suits
from luma.language.stages import BUILTIN_VALUE, INTERPOLATIONS, Stage
from luma.language.types import (
    BOOL,
    FLOAT,
    INT,
    UINT,
    VOID,
    Array,
    Matrix,
    Pointer,
    Scalar,
    Space,
    Struct,
    Type,
    Vector,
    is_bool,
    is_opaque,
)


def verify(module: Module) -> list[str]:
    """The problems of a module, each a sentence that names the place; none if it is sound."""
    names = Names.of(module)
    problems = [*_declarations(module, names)]
    for function in module.functions:
        checker = _FunctionChecker(function, names)
        problems += (f"@{function.name}: {problem}" for problem in checker.problems())
        names.functions[function.name] = function
    for entry in module.entry_points:
        problems += (f"entry {entry.name}: {p}" for p in _entry_problems(entry, module, names))
    return problems


# ---------------------------------------------------------------- declarations


def _twice(what: str, found: Iterable[str]) -> Iterator[str]:
    seen: set[str] = set()
    for name in found:
        if name in seen:
            yield f"there are two {what} called {name}"
        seen.add(name)


def _declarations(module: Module, names: Names) -> Iterator[str]:
    yield from _twice("structs", (s.name for s in module.structs))
    yield from _twice("globals", (g.name for g in module.globals))
    yield from _twice("specialization constants", (s.name for s in module.spec_constants))
    yield from _twice("functions", (f.name for f in module.functions))
    yield from _twice("entry points", (e.name for e in module.entry_points))
    known: dict[str, Struct] = {}
    for struct in module.structs:
        for field in struct.fields:
            for problem in check_type(field.type, Names({}, {}, known)):
                yield f"struct {struct.name}: {problem} before it"
            for problem in _fact_problems(field.type, field.facts):
                yield f"struct {struct.name}: {field.name}: {problem}"
        known[struct.name] = struct
    for item in module.globals:
        yield from (f"@{item.name}: {problem}" for problem in _global_problems(item, names))
    for spec in module.spec_constants:
        wanted = {BOOL: bool, INT: int, UINT: int, FLOAT: float}
        kind = wanted.get(spec.type) if isinstance(spec.type, Scalar) else None
        if kind is None or type(spec.default) is not kind:
            yield f"@{spec.name}: {spec.default!r} is no default for {spec.type}"


def _global_problems(item: Global, names: Names) -> Iterator[str]:
    yield from check_type(item.type, names)
    yield from _fact_problems(item.type, item.facts)
    if is_opaque(item.type) != (item.space is Space.HANDLE) or item.space is Space.FUNCTION:
        yield f"{item.type} does not live in {item.space.value}"
    if not _memory_type(item.type, item.space is Space.STORAGE):
        yield f"{item.type} does not fit {item.space.value} memory"
    bound = item.space in (Space.UNIFORM, Space.STORAGE, Space.HANDLE)
    if bound != (item.group is not None and item.binding is not None):
        yield "is bound to a group and binding, or should be"


def _fact_problems(t: Type, facts: tuple[Fact, ...]) -> Iterator[str]:
    for fact in facts:
        if not suits(fact.name, t):
            yield f"{fact} is about {SUITS[fact.name][1]}, not {t}"
            return
    why = contradiction(facts, t)
    if why is not None:
        yield f"what is stated contradicts itself: {why}"


def _parameter_facts(param: FunctionParam) -> Iterator[str]:
    """What is wrong with what is stated of a parameter, or of the square matrix it is part of."""
    whole = param.type
    if param.column is not None:
        size = whole.size if isinstance(whole, Vector) else 0
        if not 0 <= param.column < size:
            yield f"{whole} is no column {param.column}"
            return
        whole = Matrix(size, size)
    yield from _fact_problems(whole, param.facts)


def _memory_type(t: Type, endless: bool) -> bool:
    """Whether memory may be of a type; ``endless`` if it may end in a runtime array."""
    match t:
        case Array(elem, size):
            return (size is not None or endless) and _memory_type(elem, False)
        case Struct(fields=fields):
            last = len(fields) - 1
            return all(_memory_type(f.type, endless and i == last) for i, f in enumerate(fields))
        case Scalar() | Vector() | Matrix():
            return True
    return is_opaque(t)


# ---------------------------------------------------------------- functions


class _FunctionChecker:
    """Problems of one function: its shape, then its values, then its structure."""

    def __init__(self, function: Function, names: Names) -> None:
        self._function = function
        self._names = names
        self._types: dict[int, Type] = {}
        self._home: dict[int, int] = {}  # the block of each value; parameters have none
        self._problems: list[str] = []
        self._blocks: dict[int, Block] = {}

    def problems(self) -> list[str]:
        self._problems += check_shape(self._function)
        if self._problems:
            return self._problems
        self._blocks = {block.label: block for block in self._function.blocks}
        self._define_all()
        if not self._problems:
            dominance = Dominance(self._function)
            self._check_uses(dominance)
            self._problems += check_structure(self._function, dominance)
        return self._problems

    def _define(self, value: int, t: Type, block: int | None) -> None:
        if value in self._types:
            self._problems.append(f"%{value} is defined twice")
        self._types[value] = t
        if block is not None:
            self._home[value] = block

    def _define_all(self) -> None:
        for param in self._function.params:
            self._define(param.id, param.type, None)
            self._problems += self._value_type(param.id, param.type, opaque=True)
            self._problems += (f"%{param.id}: {p}" for p in _parameter_facts(param))
        for block in self._function.blocks:
            for block_param in block.params:
                self._define(block_param.id, block_param.type, block.label)
                self._problems += self._value_type(block_param.id, block_param.type, opaque=False)
            for instr in block.instrs:
                if instr.type != VOID:
                    self._define(instr.id, instr.type, block.label)

    def _value_type(self, value: int, t: Type, *, opaque: bool) -> Iterator[str]:
        yield from (f"%{value}: {problem}" for problem in check_type(t, self._names))
        if is_opaque(t) and opaque:
            return
        if not _memory_type(t, False) or is_opaque(t) or isinstance(t, Pointer):
            yield f"%{value}: a parameter cannot be of type {t}"

    def _check_uses(self, dominance: Dominance) -> None:
        roots: dict[int, Global] = {}
        for block in self._function.blocks:
            known = {p.id for p in self._function.params} | {p.id for p in block.params}
            for instr in block.instrs:
                if instr.op == "local" and block is not self._function.blocks[0]:
                    self._problems.append(f"{_where(instr, block)} stands outside the entry block")
                wrong = [*self._use_problems(instr.args, block.label, known, dominance)]
                if not wrong:
                    args = tuple(self._types[a] for a in instr.args)
                    wrong = [*check_instr(instr, args, roots, self._names)]
                if wrong:
                    where = _where(instr, block)
                    self._problems += (f"{where}: {problem}" for problem in wrong)
                if instr.type != VOID:
                    known.add(instr.id)
            used = operands(block.terminator)
            wrong = [*self._use_problems(used, block.label, known, dominance)]
            wrong = wrong or [*self._terminator_problems(block)]
            self._problems += (f"b{block.label}: {problem}" for problem in wrong)

    def _use_problems(
        self, values: Iterable[int], label: int, known: set[int], tree: Dominance
    ) -> Iterator[str]:
        reached = label in tree.idom
        for value in values:
            if value in known:
                continue
            home = self._home.get(value)
            if home is None:
                yield f"%{value} is not defined"
            elif home == label:
                yield f"%{value} is used before it is defined"
            elif reached and not (home in tree.idom and tree.dominates(home, label)):
                yield f"%{value} is defined in b{home}, which does not dominate b{label}"

    def _terminator_problems(self, block: Block) -> Iterator[str]:
        match block.terminator:
            case CondBranch(cond=cond) if self._types[cond] != BOOL:
                yield f"%{cond} is no bool to branch on"
            case Return(values):
                if tuple(self._types[v] for v in values) != self._function.results:
                    yield "returns other values than the function's results"
        for branch in successors(block.terminator):
            yield from self._branch_problems(branch)

    def _branch_problems(self, branch: Branch) -> Iterator[str]:
        wanted = tuple(p.type for p in self._blocks[branch.target].params)
        given = tuple(self._types[a] for a in branch.args)
        if wanted != given:
            yield (
                f"b{branch.target} takes ({', '.join(map(str, wanted))}),"
                f" not ({', '.join(map(str, given))})"
            )


def _where(instr: Instr, block: Block) -> str:
    """How a problem names an instruction."""
    if instr.type == VOID:
        return f"b{block.label}: {instr.op}"
    return f"%{instr.id} = {instr.op}"


# ---------------------------------------------------------------- entry points


def _entry_problems(entry: EntryPoint, module: Module, names: Names) -> Iterator[str]:
    function = names.functions.get(entry.function)
    if function is None:
        yield f"there is no function @{entry.function}"
        return
    if tuple(v.type for v in entry.inputs) != tuple(p.type for p in function.params):
        yield "the inputs are not the function's parameters"
    if tuple(v.type for v in entry.outputs) != function.results:
        yield "the outputs are not the function's results"
    if any(not 1 <= size <= 65535 for size in entry.workgroup_size):
        yield f"the workgroup size {entry.workgroup_size} is out of range"
    for variables, output in ((entry.inputs, False), (entry.outputs, True)):
        yield from _twice("variables", (_slot(v) for v in variables))
        for variable in variables:
            for problem in _variable_problems(variable, entry.stage, output):
                yield f"{variable.name}: {problem}"
    yield from _stage_problems(entry, names)


def _slot(variable: IOVariable) -> str:
    return variable.builtin or f"location {variable.location}"


def _variable_problems(variable: IOVariable, stage: Stage, output: bool) -> Iterator[str]:
    if (variable.location is None) == (variable.builtin is None):
        yield "has neither or both of a location and a builtin"
        return
    if variable.interpolation not in (None, *INTERPOLATIONS):
        yield f"there is no interpolation {variable.interpolation}"
    if variable.builtin is not None:
        known = BUILTIN_VALUE.get(variable.builtin)
        if known is None or known.stage is not stage or known.output != output:
            yield f"{variable.builtin} does not belong there"
        elif known.type != variable.type:
            yield f"{variable.builtin} is of type {known.type}"
        return
    if not isinstance(variable.type, Scalar | Vector) or is_bool(variable.type):
        yield f"{variable.type} cannot cross between stages"
    if stage is Stage.COMPUTE:
        yield "a compute entry point has no locations"


def _stage_problems(entry: EntryPoint, names: Names) -> Iterator[str]:
    """Operations of other stages in what the entry point reaches."""
    pending = [entry.function]
    seen = {entry.function}
    while pending:
        function = names.functions.get(pending.pop())
        if function is None:
            continue
        for instr in function.instructions():
            row = OPERATIONS.get(instr.op)
            if row is not None and row.stages and entry.stage.value not in row.stages:
                yield f"@{function.name} uses {instr.op}, which the stage lacks"
            callee = str(instr.imm[0]) if instr.op == "call" and instr.imm else entry.function
            if callee not in seen:
                seen.add(callee)
                pending.append(callee)
