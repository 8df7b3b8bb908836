"""One MSL file: settles the names, then prints the parts in order.

A file holds any number of entry points.  Nothing in MSL is global but constants, so what a
function reaches of the outside (buffers, textures, samplers, threadgroup memory) is a parameter:
of an entry point with its index, of any other function after its own parameters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from luma.frontend.typed import Access
from luma.ir.effects import function_effects
from luma.ir.module import EntryPoint, Function, Global, IOVariable, Module, SpecConstant
from luma.ir.reach import select
from luma.language.stages import Stage
from luma.language.types import INT, Pointer, Sampler, Space, Texture, Type, is_integer, scalar_of
from luma.source import Source

from ..raising import expand
from ..text.body import Body, name_variables, prepare
from ..text.expressions import Form
from ..text.names import Scope, capitalized
from ..text.spelling import INDENT
from ..text.tables import read_tables
from .bindings import Bindings
from .printer import EXPANDED, MslPrinter
from .stages import tell_apart
from .structs import Forms, host_types, value_types

#: Builtin values: the attribute, and what the target's type must be converted to.
_BUILTINS = {
    "vertex_id": "vertex_id",
    "instance_id": "instance_id",
    "position": "position",
    "point_size": "point_size",
    "frag_coord": "position",
    "front_facing": "front_facing",
    "sample_id": "sample_id",
    "primitive_id": "primitive_id",
    "frag_depth": "depth(any)",
    "global_invocation_id": "thread_position_in_grid",
    "local_invocation_id": "thread_position_in_threadgroup",
    "workgroup_id": "threadgroup_position_in_grid",
    "num_workgroups": "threadgroups_per_grid",
    "local_invocation_index": "thread_index_in_threadgroup",
}

_KEYWORDS = {Stage.VERTEX: "vertex", Stage.FRAGMENT: "fragment", Stage.COMPUTE: "kernel"}


class MslFile:
    """The text of a module; ``tables`` are the argument tables by entry function."""

    def __init__(
        self,
        module: Module,
        tables: Mapping[str, Bindings],
        source: Source | None,
        precise: bool,
    ) -> None:
        self.module = module
        self.precise = precise
        self.printer = printer = MslPrinter(module, source)
        self.entries = {entry.function: entry for entry in module.entry_points}
        effects = function_effects(module)
        self.bodies: list[Body] = []
        for function in module.functions:
            printer.prepare(function)
            self.bodies.append(prepare(function, effects, printer))
        self.reached = reached_globals(module)
        self.measured = measured_globals(module)
        self.bindings = tables
        self.tables: dict[object, str] = {}
        self.spec_names: dict[str, str] = {}
        self.sizes_name = ""
        self.interfaces: list[list[str]] = []
        self.inputs: dict[str, str] = {}  # the struct of an entry point's stage input
        self.input_names: dict[str, tuple[str, ...]] = {}  # what each input is called in it
        self._settle()

    def text(self) -> str:
        """The whole file."""
        printer = self.printer
        functions = [self._function(body) for body in self.bodies]
        sections = [
            ["#include <metal_stdlib>"],
            ["using namespace metal;"],
            ["#pragma clang fp contract(off)"] if self.precise else [],
            *printer.forms.templates(),
            *printer.forms.lines(),
            *self.interfaces,
            self._constants(),
            *self._exchanges(),
            *functions,
        ]
        return "\n\n".join("\n".join(s) for s in sections if s) + "\n"

    # ------------------------------------------------------------ names

    def _settle(self) -> None:
        printer, names = self.printer, self.printer.names
        printer.name_structs(())
        used = [host_types(g.type, g.space) for g in self.module.globals]
        used = [(t, rules) for t, rules in used if not isinstance(t, Texture | Sampler)]
        for body in self.bodies:
            used += value_types(_living_types(body))
        printer.forms = Forms(printer, used)
        printer.forms.settle()
        for entry in self.module.entry_points:
            wanted = "main0" if entry.name == "main" else entry.name
            printer.function_names[entry.function] = names.add(wanted)
        for constant in self.module.spec_constants:
            printer.global_names[constant.name] = names.add(constant.name)
            self.spec_names[constant.name] = names.add(f"{constant.name}_given")
        for item in self.module.globals:
            printer.global_names[item.name] = names.add(item.name)
        printer.name_functions()
        for name in self.measured_names():
            printer.size_names[name] = names.add(f"{name}_size")
        if printer.size_names:
            self.sizes_name = names.add("buffer_sizes")
        self._name_exchanges()
        self._name_tables()
        self._stages()
        for entry in self.module.entry_points:
            self._interface(entry)

    def measured_names(self) -> list[str]:
        """The buffers whose size some function asks for."""
        asked = {name for names in self.measured.values() for name in names}
        return [item.name for item in self.module.globals if item.name in asked]

    def _stages(self) -> None:
        """Tell the printer the stage and the further arguments of each function."""
        for function in self.module.functions:
            name = function.name
            globals_ = [self.printer.global_names[g.name] for g in self.reached[name]]
            sizes = [self.printer.size_names[g] for g in self.measured[name]]
            self.printer.extra[name] = (*globals_, *sizes)
        for function in reversed(self.module.functions):
            entry = self.entries.get(function.name)
            if entry is not None:
                self.printer.stages[function.name] = entry.stage
            for instr in function.instructions():
                if instr.op == "call":
                    self.printer.stages[str(instr.imm[0])] = self.printer.stages[function.name]

    def _name_exchanges(self) -> None:
        """Each address space and type that is compared and exchanged in has a helper."""
        for body in self.bodies:
            for instr in body.function.instructions():
                if instr.op == "atomic_compare_exchange":
                    pointer = body.type(instr.args[0])
                    assert isinstance(pointer, Pointer)
                    space = "threadgroup" if pointer.space is Space.WORKGROUP else "device"
                    key = space, str(pointer.pointee)
                    if key not in self.printer.exchanges:
                        self.printer.exchanges[key] = self.printer.names.add("compare_exchange")

    def _name_tables(self) -> None:
        """Constant arrays become constants of the file, equal ones the same."""
        printer = self.printer
        for key, body, instr in read_tables(self.bodies):
            name = printer.names.add(body.function.names.get(instr.id, "table"))
            declared = printer.forms.declarator(instr.type, None, name)
            contents = printer.braces(body, instr.id)
            self.tables[key] = f"constant {declared} = {contents};"
            printer.tables[key] = name

    # ------------------------------------------------------------ stage interfaces

    def _interface(self, entry: EntryPoint) -> None:
        """The structs of what a stage takes in and gives out."""
        base = capitalized(entry.name)
        located = [v for v in entry.inputs if v.location is not None]
        if located:
            name = self.printer.names.add(f"{base}Input")
            fields = Scope(self.printer.reserved)
            lines = [self._input(v, fields.add(v.name), entry.stage) for v in located]
            self.inputs[entry.function] = name
            self.interfaces.append([f"struct {name} {{", *lines, "};"])
        if _is_plain(entry):
            plain = self.printer.type_name(entry.outputs[0].type)
            self.printer.outputs[entry.function] = plain, "", ("",)
        elif entry.outputs:
            name = self.printer.names.add(f"{base}Output")
            fields = Scope(self.printer.reserved)
            members = tuple(fields.add(v.name) for v in entry.outputs)
            lines = [
                self._output(v, member, entry.stage)
                for v, member in zip(entry.outputs, members, strict=True)
            ]
            self.printer.outputs[entry.function] = name, "", members
            self.interfaces.append([f"struct {name} {{", *lines, "};"])

    def _input(self, variable: IOVariable, name: str, stage: Stage) -> str:
        declared = f"{INDENT}{self.printer.type_name(variable.type)} {name}"
        mode = ""
        if stage is Stage.FRAGMENT:
            if is_integer(variable.type) or variable.interpolation == "flat":
                mode = " [[flat]]"
            elif variable.interpolation == "noperspective":
                mode = " [[center_no_perspective]]"
        return f"{declared} [[{input_attribute(variable, stage)}]]{mode};"

    def _output(self, variable: IOVariable, name: str, stage: Stage) -> str:
        declared = f"{INDENT}{self.printer.type_name(variable.type)} {name}"
        return f"{declared} [[{output_attribute(variable, stage)}]];"

    # ------------------------------------------------------------ the parts of the file

    def _constants(self) -> list[str]:
        constants = [line for c in self.module.spec_constants for line in self._constant(c)]
        return constants + list(self.tables.values())

    def _constant(self, constant: SpecConstant) -> Iterator[str]:
        t = scalar_of(constant.type)
        name, given = self.printer.global_names[constant.name], self.spec_names[constant.name]
        kind, value = self.printer.type_name(t), self.printer.literal(constant.default, t).text
        yield f"constant {kind} {given} [[function_constant({constant.id})]];"
        yield (
            f"constant {kind} {name} = is_function_constant_defined({given}) ? {given} : {value};"
        )

    def _exchanges(self) -> Iterator[list[str]]:
        """The helpers that compare and exchange until they succeed or find another value."""
        for (space, kind), name in self.printer.exchanges.items():
            yield [
                f"static {kind} {name}({space} atomic_{kind}* place, {kind} expected, "
                f"{kind} value) {{",
                f"    {kind} found = expected;",
                "    while (!atomic_compare_exchange_weak_explicit(place, &found, value,",
                "            memory_order_relaxed, memory_order_relaxed)) {",
                "        if (found != expected) {",
                "            break;",
                "        }",
                "    }",
                "    return found;",
                "}",
            ]

    # ------------------------------------------------------------ functions

    def _function(self, body: Body) -> list[str]:
        function = body.function
        entry = self.entries.get(function.name)
        name = self.printer.function_names[function.name]
        scope = self.printer.names.inner()
        if entry is not None:
            return [*self._entry(body, entry, name, scope)]
        given = {p.id: scope.add(p.name) for p in function.params}
        name_variables(body, scope, given)
        parameters = [
            f"{self.printer.type_name(p.type)} {body.names[p.id]}" for p in function.params
        ]
        parameters += [self._outside(item) for item in self.reached[function.name]]
        parameters += [f"uint {self.printer.size_names[g]}" for g in self.measured[function.name]]
        result = self.printer.type_name(function.results[0]) if function.results else "void"
        return [*self.printer.define(body, f"static {result} {name}", parameters, [])]

    def _entry(self, body: Body, entry: EntryPoint, name: str, scope: Scope) -> Iterator[str]:
        printer = self.printer
        parameters, given = self._stage_parameters(body.function, entry, scope)
        table = self.bindings[entry.function]
        first: list[str] = []
        for item in self.reached[entry.function]:
            if item.space is Space.WORKGROUP:
                place = printer.global_names[item.name]
                first.append(f"threadgroup {printer.forms.declarator(item.type, None, place)};")
            else:
                kind, index = table.slot(item.name)
                parameters.append(f"{self._outside(item)} [[{kind}({index})]]")
        measured = self.measured[entry.function]
        if measured:
            parameters.append(f"constant uint* {self.sizes_name} [[buffer({table.sizes})]]")
            sizes = {
                printer.size_names[g]: f"{self.sizes_name}[{table.buffers[g]}]" for g in measured
            }
            first += [f"uint {size} = {text};" for size, text in sizes.items()]
        result = "void"
        if entry.function in printer.outputs:
            result, _, members = printer.outputs[entry.function]
            printer.outputs[entry.function] = result, scope.add("out"), members
        name_variables(body, scope, given)
        head = f"{_qualifiers(entry)}{_KEYWORDS[entry.stage]} {result} {name}"
        yield from printer.define(body, head, parameters, first)

    def _stage_parameters(
        self, function: Function, entry: EntryPoint, scope: Scope
    ) -> tuple[list[str], dict[int, str]]:
        """What the pipeline passes, and the text of each of the function's parameters."""
        parameters: list[str] = []
        given: dict[int, str] = {}
        names: list[str] = []
        fields = Scope(self.printer.reserved)
        struct = scope.add("in") if entry.function in self.inputs else ""
        if struct:
            parameters.append(f"{self.inputs[entry.function]} {struct} [[stage_in]]")
        for param, variable in zip(function.params, entry.inputs, strict=True):
            if variable.builtin is None:
                names.append(fields.add(variable.name))
                given[param.id] = f"{struct}.{names[-1]}"
                continue
            names.append(name := scope.add(variable.name))
            kind = "uint" if variable.type == INT else self.printer.type_name(variable.type)
            parameters.append(f"{kind} {name} [[{input_attribute(variable, entry.stage)}]]")
            given[param.id] = f"int({name})" if variable.type == INT else name
        self.input_names[entry.function] = tuple(names)
        return parameters, given

    def _outside(self, item: Global) -> str:
        """The parameter that brings a global."""
        printer, name = self.printer, self.printer.global_names[item.name]
        if item.space is Space.HANDLE:
            return f"{printer.type_name(item.type)} {name}"
        place = printer.global_place(item)
        declared = printer.forms.parameter(item.type, place.rules, name, place.packed)
        return f"{_address_space(item)} {declared}"


def said(module: Module) -> Module:
    """The module in what MSL has words for, without what no entry point reaches."""
    return tell_apart(select(expand(module, EXPANDED)))


def input_attribute(variable: IOVariable, stage: Stage) -> str:
    """What ties a stage's input to the pipeline."""
    if variable.builtin is not None:
        return _BUILTINS[variable.builtin]
    number = variable.location
    return f"attribute({number})" if stage is Stage.VERTEX else f"user(locn{number})"


def _is_plain(entry: EntryPoint) -> bool:
    """Whether a stage gives one value whose attribute MSL takes for granted."""
    if len(entry.outputs) != 1:
        return False
    (only,) = entry.outputs
    return only.location == 0 if entry.stage is Stage.FRAGMENT else only.builtin == "position"


def output_attribute(variable: IOVariable, stage: Stage) -> str:
    """What ties a stage's output to the pipeline."""
    if variable.builtin is not None:
        return _BUILTINS[variable.builtin]
    number = variable.location
    return f"color({number})" if stage is Stage.FRAGMENT else f"user(locn{number})"


def _address_space(item: Global) -> str:
    match item.space:
        case Space.STORAGE:
            return "const device" if item.access is Access.READ else "device"
        case Space.WORKGROUP:
            return "threadgroup"
    return "constant"


def _qualifiers(entry: EntryPoint) -> str:
    if entry.early_depth:
        return "[[early_fragment_tests]]\n"
    if entry.stage is Stage.COMPUTE:
        x, y, z = entry.workgroup_size
        return f"[[max_total_threads_per_threadgroup({x * y * z})]]\n"
    return ""


def reached_globals(module: Module) -> dict[str, tuple[Global, ...]]:
    """The globals that each function and what it calls uses, in the module's order."""
    found: dict[str, frozenset[str]] = {}
    for function in module.functions:  # callees come first
        names: set[str] = set()
        for instr in function.instructions():
            if instr.op == "global":
                names.add(str(instr.imm[0]))
            elif instr.op == "call":
                names |= found[str(instr.imm[0])]
        found[function.name] = frozenset(names)
    return {
        name: tuple(item for item in module.globals if item.name in used)
        for name, used in found.items()
    }


def measured_globals(module: Module) -> dict[str, tuple[str, ...]]:
    """The buffers whose length each function and what it calls asks for."""
    found: dict[str, frozenset[str]] = {}
    for function in module.functions:
        instrs = {i.id: i for i in function.instructions()}
        names: set[str] = set()
        for instr in function.instructions():
            if instr.op == "array_length":
                root = instrs[instr.args[0]]
                while root.op == "access":
                    root = instrs[root.args[0]]
                names.add(str(root.imm[0]))
            elif instr.op == "call":
                names |= found[str(instr.imm[0])]
        found[function.name] = frozenset(names)
    return {
        name: tuple(item.name for item in module.globals if item.name in used)
        for name, used in found.items()
    }


def _living_types(body: Body) -> Iterator[Type]:
    """The types that a function's text may name."""
    for value, t in body.forms.types.items():
        if body.forms.form.get(value) is not Form.DEAD:
            yield t
