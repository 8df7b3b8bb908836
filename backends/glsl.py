"""GLSL 4.50 in Vulkan's flavour: a file for one entry point, which it calls ``main``."""

from __future__ import annotations

from collections.abc import Iterator

from luma.diagnostics import Diagnostic, Level
from luma.frontend.typed import Access
from luma.ir.effects import function_effects
from luma.ir.module import EntryPoint, Function, Global, IOVariable, Module, SpecConstant
from luma.language.stages import Stage
from luma.language.types import (
    HALF,
    Array,
    Pointer,
    Sampler,
    Space,
    Struct,
    Texture,
    Type,
    Vector,
    is_integer,
    scalar_of,
)

from . import Backend, EmitOptions, Emitted
from .glsl_blocks import load_members
from .glsl_limits import LIMITS
from .glsl_printer import BUILTINS, GlslPrinter, sampler_name
from .text.body import Body, name_variables, prepare
from .text.expressions import Form
from .text.lines import Lines
from .text.names import Scope, capitalized
from .text.printer import Printer
from .text.spelling import INDENT
from .text.tables import read_tables

_ACCESS = {Access.READ: "readonly ", Access.WRITE: "writeonly ", Access.READ_WRITE: ""}

#: What GLSL calls every entry point.
ENTRY_NAME = "main"

_STORAGE_16 = "GL_EXT_shader_16bit_storage"


def emit(module: Module, options: EmitOptions) -> Emitted:
    """The GLSL of a module's one entry point; of any other number of them an error."""
    from .glsl_description import describe

    if len(module.entry_points) != 1:
        return Emitted(b"", (_not_one(len(module.entry_points)),))
    module = load_members(module)
    lines = Lines(options.source) if options.debug and options.source is not None else None
    file = File(module, module.entry_points[0], lines, options.precise)
    return Emitted(file.text().encode(), describe=lambda: (describe(file),))


def _not_one(count: int) -> Diagnostic:
    code = "E0802" if count else "E0803"
    message = f"a GLSL file holds one entry point, not {count}"
    return Diagnostic(Level.ERROR, code, message, help="choose one by its name")


__all__ = ["BACKEND", "LIMITS", "emit"]

BACKEND = Backend("glsl", ".glsl", binary=False, single_entry=True, emit=emit)


class File:
    """One file: settles the names, then prints the parts in order."""

    def __init__(
        self, module: Module, entry: EntryPoint, lines: Lines | None, precise: bool
    ) -> None:
        self.module = module
        self.entry = entry
        self.lines = lines
        self.printer = GlslPrinter(module, entry, lines, precise)
        effects = function_effects(module)
        self.bodies = [prepare(f, effects, self.printer) for f in module.functions]
        self.structs = self._printed_structs()
        self.tables: dict[object, str] = {}
        self.block_names: dict[str, str] = {}
        self.inputs: tuple[str, ...] = ()
        self.interface = self._settle_names()

    def text(self) -> str:
        """The whole file."""
        functions = [self._function(body) for body in self.bodies]
        sections = [
            self._qualifiers(),
            *([*self._struct(struct)] for struct in self.structs),
            self._constants(),
            *self._resources(),
            self._variables(),
            *functions,
        ]
        head = ["#version 450", *self._extensions(), *self._file_list()]
        return "\n\n".join("\n".join(s) for s in (head, *sections) if s) + "\n"

    # ------------------------------------------------------------ names

    def _settle_names(self) -> Scope:
        """Name everything outside functions; give the scope that stage variables are in."""
        printer, names = self.printer, self.printer.names
        printer.name_structs(self.structs)
        whole: dict[str, str] = {}
        for item in self.module.globals:
            if item.combined is not None:
                known = whole.get(item.combined) or names.add(item.combined)
                printer.global_names[item.name] = whole[item.combined] = known
            else:
                printer.global_names[item.name] = names.add(item.name)
        for constant in self.module.spec_constants:
            printer.global_names[constant.name] = names.add(constant.name)
        printer.function_names[self.entry.function] = ENTRY_NAME
        printer.name_functions()
        interface = names.inner()
        self._name_variables(interface)
        self._name_tables(interface)
        for item in self.module.globals:
            if item.space in (Space.UNIFORM, Space.STORAGE, Space.PUSH_CONSTANT):
                self.block_names[item.name] = interface.add(_block_name(item, interface))
        return interface

    def _name_variables(self, scope: Scope) -> None:
        """Name the stage's inputs and outputs.

        What passes between stages keeps its name in both; a vertex attribute or a colour gives way
        to whatever else wants its name.
        """
        entry = self.entry
        inputs = {v.name for v in entry.inputs if v.builtin is None}
        outputs = {v.name for v in entry.outputs if v.builtin is None}
        first = second = ""
        if entry.stage is Stage.VERTEX and inputs & outputs:
            first = "in_"
        locals_ = set(self.module.function(entry.function).names.values())
        if entry.stage is Stage.FRAGMENT and outputs & (inputs | locals_):
            second = "out_"
        later = [self._variable(v, scope, second) for v in entry.outputs]
        self.inputs = tuple(self._variable(v, scope, first) for v in entry.inputs)
        self.printer.output_names = tuple(later)

    def _name_tables(self, scope: Scope) -> None:
        """Constant arrays become constants of the file, equal ones the same."""
        for key, body, instr in read_tables(self.bodies):
            name = scope.add(body.function.names.get(instr.id, "table"))
            self.printer.names.add(name)  # so that no function hides it
            value = Printer.op_construct(self.printer, body, instr).text
            self.tables[key] = f"const {self.printer.declarator(instr.type, name)} = {value};"
            self.printer.tables[key] = name

    def _variable(self, variable: IOVariable, scope: Scope, prefix: str) -> str:
        return semantic(variable) if variable.builtin else scope.add(prefix + variable.name)

    # ------------------------------------------------------------ structs

    def _printed_structs(self) -> list[Struct]:
        """The structs that some printed type names, members before what holds them."""
        found: list[Struct] = []
        for item in self.module.globals:
            block = item.space is not Space.WORKGROUP and isinstance(item.type, Struct)
            for t in [f.type for f in item.type.fields] if block else [item.type]:  # type: ignore[union-attr]
                _collect(t, found)
        for body in self.bodies:
            for t in _value_types(body, self.entry):
                _collect(t, found)
        return found

    def _struct(self, struct: Struct) -> Iterator[str]:
        yield f"struct {self.printer.struct_names[struct.name]} {{"
        yield from self._members(struct)
        yield "};"

    def _members(self, struct: Struct) -> Iterator[str]:
        names = self.printer.field_names[struct.name]
        for member, name in zip(struct.fields, names, strict=True):
            yield f"{INDENT}{self.printer.declarator(member.type, name)};"

    # ------------------------------------------------------------ the parts of the file

    def _extensions(self) -> list[str]:
        return [f"#extension {name} : require" for name in sorted(self.printer.extensions)]

    def _file_list(self) -> list[str]:
        if self.lines is None:
            return []
        return [f"// {number}: {name}" for name, number in self.lines.files.items()]

    def _qualifiers(self) -> list[str]:
        lines = []
        if self.entry.stage is Stage.COMPUTE:
            sizes = zip("xyz", self.entry.workgroup_size, strict=True)
            told = [(axis, size) for axis, size in sizes if size != 1 or axis == "x"]
            local = ", ".join(f"local_size_{axis} = {size}" for axis, size in told)
            lines.append(f"layout({local}) in;")
        if self.entry.early_depth:
            lines.append("layout(early_fragment_tests) in;")
        return lines

    def _constants(self) -> list[str]:
        constants = [self._constant(c) for c in self.module.spec_constants]
        return constants + list(self.tables.values())

    def _constant(self, constant: SpecConstant) -> str:
        name = self.printer.global_names[constant.name]
        declared = self.printer.declarator(constant.type, name)
        value = self.printer.literal(constant.default, scalar_of(constant.type)).text
        return f"layout(constant_id = {constant.id}) const {declared} = {value};"

    def _resources(self) -> list[list[str]]:
        """Blocks, one a section; then textures and samplers; then shared memory."""
        blocks: list[list[str]] = []
        handles: list[str] = []
        shared: list[str] = []
        for item in self.module.globals:
            name = self.printer.global_names[item.name]
            if item.space is Space.WORKGROUP:
                shared.append(f"shared {self.printer.declarator(item.type, name)};")
            elif item.space is not Space.HANDLE:
                blocks.append([*self._block(item, name)])
            elif not self.is_absorbed(item):
                handles.append(self._handle(item, name))
        return [*blocks, handles, shared]

    def is_absorbed(self, item: Global) -> bool:
        """Whether a global is a sampler that the texture it is combined with brings along."""
        return isinstance(item.type, Sampler) and any(
            other.combined == item.combined and is_combined(other) for other in self.module.globals
        )

    def _handle(self, item: Global, name: str) -> str:
        kind = sampler_name(item.type) if is_combined(item) else self.printer.type_name(item.type)  # type: ignore[arg-type]
        return f"layout({_qualified(item)}) uniform {kind} {name};"

    def _block(self, item: Global, name: str) -> Iterator[str]:
        """A block; one of a plain value has that as its only member and no name of its own."""
        if _has_half(item.type):
            self.printer.extensions.add(_STORAGE_16)
        yield f"layout({self._layout(item)}) {self._keyword(item)} {self.block_names[item.name]} {{"
        if isinstance(item.type, Struct):
            yield from self._members(item.type)
            yield f"}} {name};"
        else:
            yield f"{INDENT}{self.printer.declarator(item.type, name)};"
            yield "};"

    def _layout(self, item: Global) -> str:
        if item.space is Space.PUSH_CONSTANT:
            return "push_constant, std430"
        rules = "std140" if item.space is Space.UNIFORM else "std430"
        return f"{_qualified(item)}, {rules}"

    def _keyword(self, item: Global) -> str:
        return f"{_ACCESS[item.access]}buffer" if item.space is Space.STORAGE else "uniform"

    def _variables(self) -> list[str]:
        entry = self.entry
        lines = [
            self._io(variable, name, "in", entry.stage is Stage.FRAGMENT)
            for variable, name in zip(entry.inputs, self.inputs, strict=True)
            if variable.builtin is None
        ]
        lines += [
            self._io(variable, name, "out", entry.stage is Stage.VERTEX)
            for variable, name in zip(entry.outputs, self.printer.output_names, strict=True)
            if variable.builtin is None
        ]
        return lines

    def _io(self, variable: IOVariable, name: str, way: str, between: bool) -> str:
        if _has_half(variable.type):
            self.printer.extensions.add(_STORAGE_16)
        mode = ""
        if between:
            mode = "flat" if is_integer(variable.type) else (variable.interpolation or "")
        words = [f"layout({semantic(variable)})", way]
        if mode in ("flat", "noperspective"):
            words.insert(1, mode)
        return f"{' '.join(words)} {self.printer.declarator(variable.type, name)};"

    # ------------------------------------------------------------ functions

    def _function(self, body: Body) -> list[str]:
        function = body.function
        if function.name != self.entry.function:
            scope = self.printer.names.inner()
            name_variables(body, scope, _parameter_names(function, scope))
            return [*self.printer.function(body, self.printer.function_names[function.name])]
        scope = self.interface.inner()
        given = {p.id: n for p, n in zip(function.params, self.inputs, strict=True)}
        copies = []
        for param, variable in zip(function.params, self.entry.inputs, strict=True):
            if self._is_copied(variable, body.forms.uses.get(param.id, 0)):
                name = scope.add(param.name)
                declared = self.printer.declarator(param.type, name)
                copies.append(f"{INDENT}{declared} = {given[param.id]};")
                given[param.id] = name
        name_variables(body, scope, given)
        head, *rest = self.printer.function(body, ENTRY_NAME)
        return [head, *copies, *rest]

    def _is_copied(self, variable: IOVariable, uses: int) -> bool:
        """Whether a builtin value is read so often that the author's name is the shorter text."""
        if variable.builtin is None:
            return False
        spelled = len(BUILTINS[variable.builtin])
        declared = len(f"{self.printer.type_name(variable.type)} {variable.name}=;") + spelled
        return uses * (spelled - len(variable.name)) > declared


def _block_name(item: Global, scope: Scope) -> str:
    t = item.type
    name = t.name if isinstance(t, Struct) else capitalized(item.name)
    if not scope.has(name) and name != item.name:
        return name
    kind = "Buffer" if item.space is Space.STORAGE and not isinstance(t, Struct) else "Block"
    return capitalized(item.name) + kind


def _parameter_names(function: Function, scope: Scope) -> dict[int, str]:
    """The names of parameters; the halves of a combined sampler share one."""
    whole: dict[str, str] = {}
    names: dict[int, str] = {}
    for param in function.params:
        if param.combined is None:
            names[param.id] = scope.add(param.name)
        else:
            if param.combined not in whole:
                whole[param.combined] = scope.add(param.combined)
            names[param.id] = whole[param.combined]
    return names


def _value_types(body: Body, entry: EntryPoint) -> Iterator[Type]:
    """The types that a function's text may name."""
    forms = body.forms
    for value, t in forms.types.items():
        if forms.form.get(value) is Form.DEAD:
            continue
        if not isinstance(t, Pointer):
            yield t
        elif t.space is Space.FUNCTION:
            yield t.pointee


def _collect(t: Type, found: list[Struct]) -> None:
    if isinstance(t, Array):
        _collect(t.elem, found)
    elif isinstance(t, Struct) and t not in found:
        for member in t.fields:
            _collect(member.type, found)
        found.append(t)


def is_combined(item: Global) -> bool:
    """Whether a texture is printed as one with its sampler."""
    return isinstance(item.type, Texture) and item.combined is not None


def place(item: Global) -> dict[str, int]:
    """The layout qualifiers that tell where a resource is bound; push constants have none."""
    if item.group is None or item.binding is None:
        return {}
    return {"set": item.group, "binding": item.binding}


def _qualified(item: Global) -> str:
    """Where a resource is bound; what names no set is in the first one."""
    words = {word: n for word, n in place(item).items() if n or word != "set"}
    return ", ".join(f"{word} = {number}" for word, number in words.items())


def semantic(variable: IOVariable) -> str:
    """What ties an input or output to the pipeline: a location, or one of GLSL's variables."""
    if variable.builtin is not None:
        return BUILTINS[variable.builtin]
    return f"location = {variable.location}"


def _has_half(t: Type) -> bool:
    match t:
        case Array(elem=elem):
            return _has_half(elem)
        case Struct(fields=fields):
            return any(_has_half(member.type) for member in fields)
        case Vector(elem=elem):
            return elem == HALF
    return t == HALF
