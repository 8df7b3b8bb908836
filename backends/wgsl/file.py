"""What a WGSL file is made of, in order: structs, constants, resources, functions."""

from __future__ import annotations

import math
from collections.abc import Iterator

from luma.frontend.typed import Access
from luma.ir.effects import function_effects
from luma.ir.module import EntryPoint, Function, Global, Module, SpecConstant
from luma.language.numbers import f32_bits
from luma.language.reserved import WGSL_MEMBERS
from luma.language.stages import Stage
from luma.language.types import Pointer, Space, Struct, Type, scalar_of
from luma.source import Source

from ..text.body import Body, name_variables, prepare
from ..text.expressions import Form
from ..text.names import Scope, capitalized
from ..text.printer import Printer
from ..text.spelling import INDENT
from ..text.tables import read_tables
from .forms import MemoryTypes, structs_in
from .interface import fragment_functions
from .memory import MemoryModule
from .printer import WgslPrinter


class File:
    """One file: settles the names, then prints the parts."""

    def __init__(self, raised: MemoryModule, module: Module, source: Source | None) -> None:
        self.module = module
        self.memory: MemoryTypes = raised.types
        inside = fragment_functions(module)
        self.printer = WgslPrinter(module, raised.atomic_pointers, inside, source)
        effects = function_effects(module)
        self.bodies = [prepare(f, effects, self.printer) for f in module.functions]
        self.structs = self._printed_structs()
        self.tables: dict[object, str] = {}
        self._settle_names()

    def text(self) -> str:
        """The whole file."""
        functions = [self._function(body) for body in self.bodies]
        sections = [
            *([*self._struct(struct)] for struct in self.structs),
            *([*self._outputs(entry)] for entry in self.module.entry_points),
            self._constants(),
            self._resources(),
            self._workgroup(),
            *functions,
        ]
        if self.printer.halves:
            sections.insert(0, ["enable f16;"])
        return "\n\n".join("\n".join(s) for s in sections if s) + "\n"

    # ------------------------------------------------------------ names

    def _settle_names(self) -> None:
        printer, names = self.printer, self.printer.names
        for entry in self.module.entry_points:
            printer.function_names[entry.function] = names.add(entry.name)
        printer.name_structs(self.structs)
        printer.name_globals()
        printer.name_functions()
        for entry in self.module.entry_points:
            if len(entry.outputs) > 1:
                name = names.add(f"{capitalized(entry.name)}Output")
                printer.output_names[entry.function] = name
        self._name_bits()
        self._name_tables()

    def _name_bits(self) -> None:
        """Infinities and NaN come from the bits of a variable."""
        for function in self.module.functions:
            for instr in function.instructions():
                value = instr.imm[0] if instr.op == "const" else 0
                if isinstance(value, float) and not math.isfinite(value):
                    bits = f32_bits(value)
                    if bits not in self.printer.bits:
                        word = "nan" if math.isnan(value) else "infinity"
                        word = f"negative_{word}" if bits >> 31 else word
                        self.printer.bits[bits] = self.printer.names.add(f"{word}_bits")

    def _name_tables(self) -> None:
        """Constant arrays become constants of the file, equal ones the same."""
        for key, body, instr in read_tables(self.bodies):
            name = self.printer.names.add(body.function.names.get(instr.id, "table"))
            value = Printer.op_construct(self.printer, body, instr).text
            self.tables[key] = f"const {name} = {value};"
            self.printer.tables[key] = name

    # ------------------------------------------------------------ structs

    def _printed_structs(self) -> list[Struct]:
        """The structs that some printed type names, members before what holds them."""
        found: dict[str, Struct] = {}
        for t in self._printed_types():
            for struct in structs_in(t):
                found.setdefault(struct.name, struct)
        return list(found.values())

    def _printed_types(self) -> Iterator[Type]:
        for item in self.module.globals:
            yield item.type
        for body in self.bodies:
            for value, t in body.forms.types.items():
                if body.forms.form.get(value) is Form.DEAD:
                    continue
                if not isinstance(t, Pointer):
                    yield t
                elif t.space is Space.FUNCTION:
                    yield t.pointee

    def _struct(self, struct: Struct) -> Iterator[str]:
        yield f"struct {self.printer.struct_names[struct.name]} {{"
        names = self.printer.field_names[struct.name]
        extents = self.memory.extents.get(struct.name)
        atomic = self.memory.atomic.get(struct.name, frozenset())
        for at, (member, name) in enumerate(zip(struct.fields, names, strict=True)):
            attributes = ""
            if extents is not None and extents[at].align is not None:
                attributes += f"@align({extents[at].align}) "
            if extents is not None and extents[at].size is not None:
                attributes += f"@size({extents[at].size}) "
            kind = self.printer.type_name(member.type, at in atomic)
            yield f"{INDENT}{attributes}{name}: {kind},"
        yield "}"

    def _outputs(self, entry: EntryPoint) -> Iterator[str]:
        """The struct of an entry point's outputs, if there are several."""
        name = self.printer.output_names.get(entry.function)
        if name is None:
            return
        yield f"struct {name} {{"
        for variable, field in zip(entry.outputs, output_fields(entry), strict=True):
            attributes = self.printer.io_attributes(variable, entry.stage is Stage.VERTEX)
            declared = self.printer.declarator(variable.type, field)
            yield f"{INDENT}{attributes}{declared},"
        yield "}"

    # ------------------------------------------------------------ constants and memory

    def _constants(self) -> list[str]:
        lines = [self._constant(c) for c in self.module.spec_constants]
        lines += self.tables.values()
        for bits, name in self.printer.bits.items():
            lines.append(f"var<private> {name} = 0x{bits:08x}u;")
        return lines

    def _constant(self, constant: SpecConstant) -> str:
        declared = self.printer.declarator(constant.type, self.printer.global_names[constant.name])
        value = self.printer.literal(constant.default, scalar_of(constant.type)).text
        return f"@id({constant.id}) override {declared} = {value};"

    def _resources(self) -> list[str]:
        return [self._resource(g) for g in self.module.globals if g.space is not Space.WORKGROUP]

    def _resource(self, item: Global) -> str:
        where = " ".join(f"@{word}({number})" for word, number in place(item).items())
        return f"{where} var{_qualifier(item)} {self._declared(item)};"

    def _workgroup(self) -> list[str]:
        return [
            f"var<workgroup> {self._declared(g)};"
            for g in self.module.globals
            if g.space is Space.WORKGROUP
        ]

    def _declared(self, item: Global) -> str:
        atomic = item.name in self.memory.atomic_globals
        kind = self.printer.type_name(item.type, atomic)
        return f"{self.printer.global_names[item.name]}: {kind}"

    # ------------------------------------------------------------ functions

    def _function(self, body: Body) -> list[str]:
        function: Function = body.function
        scope = self.printer.names.inner()
        given = {param.id: scope.add(param.name) for param in function.params}
        name_variables(body, scope, given)
        return [*self.printer.function(body, self.printer.function_names[function.name])]


def output_fields(entry: EntryPoint) -> list[str]:
    """What the members of the struct of several outputs are called."""
    fields = Scope(WGSL_MEMBERS)
    return [fields.add(variable.name) for variable in entry.outputs]


def place(item: Global) -> dict[str, int]:
    """The attributes that tell where a resource is bound."""
    assert item.group is not None and item.binding is not None
    return {"group": item.group, "binding": item.binding}


def _qualifier(item: Global) -> str:
    match item.space:
        case Space.UNIFORM:
            return "<uniform>"
        case Space.STORAGE:
            return "<storage, read>" if item.access is Access.READ else "<storage, read_write>"
    return ""
