"""A file of HLSL: its names, and its parts in order."""

from __future__ import annotations

from collections.abc import Iterator

from luma.frontend.typed import Access
from luma.ir.effects import function_effects
from luma.ir.module import EntryPoint, Function, Global, IOVariable, Module, SpecConstant
from luma.language.layout import Rules, layout
from luma.language.reserved_hlsl import HLSL_MEMBERS
from luma.language.stages import Stage
from luma.language.types import (
    Array,
    Pointer,
    Sampler,
    Space,
    Struct,
    Type,
    is_integer,
    scalar_of,
)

from ..text.body import Body, name_variables, prepare
from ..text.expressions import Form
from ..text.lines import Lines
from ..text.names import Scope, capitalized
from ..text.printer import Printer
from ..text.spelling import INDENT
from ..text.tables import table_key
from ..text.wrapping import wrapped
from .blocks import Packing, is_raw, is_wide
from .helpers import Helpers
from .places import held, packing_of
from .printer import HlslPrinter

_PROFILES = {Stage.VERTEX: "vs", Stage.FRAGMENT: "ps", Stage.COMPUTE: "cs"}

#: The semantics of builtin values.
SEMANTICS = {
    "vertex_id": "SV_VertexID",
    "instance_id": "SV_InstanceID",
    "position": "SV_Position",
    "point_size": "PSIZE",
    "frag_coord": "SV_Position",
    "front_facing": "SV_IsFrontFace",
    "sample_id": "SV_SampleIndex",
    "primitive_id": "SV_PrimitiveID",
    "frag_depth": "SV_Depth",
    "global_invocation_id": "SV_DispatchThreadID",
    "local_invocation_id": "SV_GroupThreadID",
    "workgroup_id": "SV_GroupID",
    "local_invocation_index": "SV_GroupIndex",
}


class File:
    """One file: settles the names, then prints the parts in order.  The module is raised."""

    def __init__(
        self, module: Module, entry: EntryPoint, lines: Lines | None, precise: bool
    ) -> None:
        self.module = module
        self.entry = entry
        self.lines = lines
        self.printer = HlslPrinter(module, entry, lines, precise)
        effects = function_effects(module)
        self.bodies = [prepare(f, effects, self.printer) for f in module.functions]
        self.structs = self._value_structs()
        self.blocks = self._blocks()
        self.block_texts: list[list[str]] = []
        self.tables: dict[object, str] = {}
        self.wrappers: dict[str, str] = {}  # structs and blocks made for plain globals
        self.inputs: tuple[str, ...] = ()
        self.declared: frozenset[str] = frozenset()  # the inputs that the entry function has
        self.interface = self._settle_names()

    def text(self) -> str:
        """The whole file."""
        functions = [self._function(body) for body in self.bodies]
        resources = self._resources()
        sections = [
            *(
                [f"struct {self.printer.struct_names[s.name]} {{", *self._struct(s), "};"]
                for s in self.structs
            ),
            *self.block_texts,
            self.helpers.types(),
            *self._constants(),
            *resources,
            *self.helpers.functions(),
            self._output_struct(),
            *functions,
        ]
        return "\n\n".join("\n".join(s) for s in ([self._head()], *sections) if s) + "\n"

    def _head(self) -> str:
        """How to compile the file."""
        flags = " -enable-16bit-types" if self.printer.uses_half else ""
        profile = _PROFILES[self.entry.stage]
        return f"// dxc -T {profile}_6_2 -E {self.entry_name} -HV 2021{flags}"

    # ------------------------------------------------------------ names

    def _settle_names(self) -> Scope:
        """Name everything outside functions; give the scope that stage variables are in."""
        printer, names = self.printer, self.printer.names
        self.entry_name = names.add(self.entry.name)
        printer.function_names[self.entry.function] = self.entry_name
        printer.name_structs(self.structs)
        printer.name_globals()
        printer.name_functions()
        self._name_blocks()
        self._name_tables()
        self.helpers = Helpers(printer, self.bodies)
        outputs = Scope(HLSL_MEMBERS)
        printer.output_fields = tuple(outputs.add(v.name) for v in self._outputs())
        if len(self.entry.outputs) > 1:
            wanted = capitalized(self.entry.stage.value) + "Output"
            printer.output_struct = names.add(wanted)
        interface = printer.local_scope()
        self.inputs = tuple(interface.add(v.name) for v in self.entry.inputs)
        if len(self.entry.outputs) > 1:
            printer.output_variable = interface.add("output")
        printer.unused_variable = interface.add("unused")
        return interface

    def _name_blocks(self) -> None:
        """Name the structs of buffers; those that are the same as another share its name."""
        printer = self.printer
        known = {(s.name, *self._struct(s)): printer.struct_names[s.name] for s in self.structs}
        taken = {struct.name for struct in self.structs}
        for struct, packing in self.blocks:
            members = [*printer.block_members(struct, packing)]
            text = (struct.name, *members)
            if text not in known:
                simple = _simple(struct.name)
                wanted = simple if struct.name not in taken else f"{simple}Block"
                taken.add(struct.name)
                known[text] = printer.names.add(wanted)
                self.block_texts.append([f"struct {known[text]} {{", *members, "};"])
            printer.block_names[struct.name, packing] = known[text]
        for item in self.module.globals:
            plain = not isinstance(item.type, Struct)
            if item.space is Space.UNIFORM and plain:
                self.wrappers[item.name] = printer.names.add(capitalized(item.name) + "Block")
            elif item.space is Space.PUSH_CONSTANT and (plain or is_raw(item.type)):
                wanted = "Words" if is_raw(item.type) else "Block"
                self.wrappers[item.name] = printer.names.add(capitalized(item.name) + wanted)

    def _name_tables(self) -> None:
        """Constant arrays become constants of the file, equal ones the same."""
        for body in self.bodies:
            for instr in body.forms.instrs.values():
                if body.forms.form.get(instr.id) is Form.DEAD:
                    continue
                key = table_key(body, instr)
                if key is None or key in self.tables:
                    continue
                name = self.printer.names.add(body.function.names.get(instr.id, "table"))
                declared = self.printer.declarator(instr.type, name)
                value = self._table(body, instr.id)
                self.tables[key] = f"static const {declared} = {value};"
                self.printer.tables[key] = name

    def _table(self, body: Body, value: int) -> str:
        instr = body.forms.instrs[value]
        if not isinstance(instr.type, Array):
            return Printer.operation(self.printer, body, instr).text
        return f"{{ {', '.join(self._table(body, part) for part in instr.args)} }}"

    # ------------------------------------------------------------ structs

    def _value_structs(self) -> list[Struct]:
        """The structs that values, shared and local memory have, members before their holders."""
        found: list[Struct] = []
        for item in self.module.globals:
            if item.space is Space.WORKGROUP:
                collect(item.type, found)
        for body in self.bodies:
            for value, t in body.forms.types.items():
                if body.forms.form.get(value) is Form.DEAD:
                    continue
                if not isinstance(t, Pointer):
                    collect(t, found)
                elif t.space is Space.FUNCTION:
                    collect(t.pointee, found)
        return found

    def _blocks(self) -> list[tuple[Struct, Packing]]:
        """The structs of buffers, members before their holders."""
        found: list[tuple[Struct, Packing]] = []
        for item in self.module.globals:
            packing = packing_of(item)
            if packing is not None:
                structs: list[Struct] = []
                collect(held(item), structs)
                found += [(s, packing) for s in structs if (s, packing) not in found]
        return found

    def _struct(self, struct: Struct) -> Iterator[str]:
        printer = self.printer
        names = printer.field_names[struct.name]
        for member, name in zip(struct.fields, names, strict=True):
            yield f"{INDENT}{printer.declarator(member.type, name)};"

    # ------------------------------------------------------------ constants and resources

    def _constants(self) -> list[list[str]]:
        constants = [self._constant(c) for c in self.module.spec_constants]
        return [*constants, list(self.tables.values())]

    def _constant(self, constant: SpecConstant) -> list[str]:
        """A specialization constant: only SPIR-V has any, elsewhere it is its default."""
        name = self.printer.global_names[constant.name]
        declared = self.printer.declarator(constant.type, name)
        value = self.printer.literal(constant.default, scalar_of(constant.type)).text
        return [
            "#ifdef __spirv__",
            f"[[vk::constant_id({constant.id})]] const {declared} = {value};",
            "#else",
            f"static const {declared} = {value};",
            "#endif",
        ]

    def _resources(self) -> list[list[str]]:
        """Constant buffers, one a section; then buffers, textures and samplers; shared memory."""
        blocks: list[list[str]] = []
        bound: list[str] = []
        shared: list[str] = []
        for item in self.module.globals:
            name = self.printer.global_names[item.name]
            match item.space:
                case Space.WORKGROUP:
                    shared.append(f"groupshared {self.printer.declarator(item.type, name)};")
                case Space.UNIFORM:
                    blocks.append([*self._uniform(item, name)])
                case Space.PUSH_CONSTANT:
                    blocks.append([*self._push_constants(item, name)])
                case Space.STORAGE:
                    kind = self.printer.buffer_type(item)
                    bound.append(f"{kind} {name} : {self._register(item)};")
                case Space.HANDLE:
                    kind = self.printer.type_name(item.type)
                    bound.append(f"{kind} {name} : {self._register(item)};")
        return [*blocks, bound, shared]

    def _uniform(self, item: Global, name: str) -> Iterator[str]:
        where = self._register(item)
        if isinstance(item.type, Struct):
            block = self.printer.block_names[item.type.name, Packing.UNIFORM]
            yield f"ConstantBuffer<{block}> {name} : {where};"
            return
        before, after = self.printer.stored_type(item.type, False, Packing.UNIFORM)
        yield f"cbuffer {self.wrappers[item.name]} : {where} {{"
        yield f"{INDENT}{before} {name}{after};"
        yield "};"

    def _push_constants(self, item: Global, name: str) -> Iterator[str]:
        """Push constants: root constants of Direct3D, in a space of their own."""
        block = self.wrappers.get(item.name)
        if is_raw(item.type):
            rows = (layout(item.type, Rules.STD430).size + 15) // 16
            yield from (f"struct {block} {{", f"{INDENT}uint4 words[{rows}];", "};")
        elif block is not None:
            wide = is_wide(item.type, Packing.PUSH)
            before, after = self.printer.stored_type(item.type, wide, Packing.PUSH)
            yield from (f"struct {block} {{", f"{INDENT}{before} value{after};", "};")
        else:
            assert isinstance(item.type, Struct)
            block = self.printer.block_names[item.type.name, Packing.PUSH]
        yield from ("#ifdef __spirv__", "[[vk::push_constant]]", "#endif")
        yield f"ConstantBuffer<{block}> {name} : {self._register(item)};"

    def place(self, item: Global) -> dict[str, int | str]:
        """Where a resource is bound."""
        if item.group is None or item.binding is None:
            groups = [g.group for g in self.module.globals if g.group is not None]
            return {"class": "b", "register": 0, "space": max(groups, default=-1) + 1}
        return {"class": _register_class(item), "register": item.binding, "space": item.group}

    def _register(self, item: Global) -> str:
        at = self.place(item)
        space = f", space{at['space']}" if at["space"] else ""
        return f"register({at['class']}{at['register']}{space})"

    # ------------------------------------------------------------ the entry point

    def _outputs(self) -> tuple[IOVariable, ...]:
        return self.entry.outputs

    def _output_struct(self) -> list[str]:
        """Several outputs, in the order of their locations, the builtin ones last."""
        entry = self.entry
        if len(entry.outputs) < 2:
            return []
        named = list(zip(entry.outputs, self.printer.output_fields, strict=True))
        named.sort(key=lambda item: _order(item[0]))
        fields: list[str] = []
        for variable, name in named:
            if variable.builtin == "point_size":
                fields += ["#ifdef __spirv__", f'{INDENT}[[vk::builtin("PointSize")]]', "#endif"]
            fields.append(f"{INDENT}{self._io(variable, name, False)};")
        return [f"struct {self.printer.output_struct} {{", *fields, "};"]

    def _io(self, variable: IOVariable, name: str, given: bool) -> str:
        """The declaration of an input or output with its semantic."""
        entry = self.entry
        between = entry.stage is (Stage.FRAGMENT if given else Stage.VERTEX)
        mode = ""
        if between and variable.builtin is None:
            if is_integer(variable.type) or variable.interpolation == "flat":
                mode = "nointerpolation "
            elif variable.interpolation == "noperspective":
                mode = "noperspective "
        declared = self.printer.declarator(variable.type, name)
        return f"{mode}{declared} : {self.semantic(variable, given)}"

    def semantic(self, variable: IOVariable, given: bool) -> str:
        """What ties an input (``given``) or output to the pipeline."""
        if variable.builtin is not None:
            return SEMANTICS[variable.builtin]
        colour = self.entry.stage is Stage.FRAGMENT and not given
        return f"{'SV_Target' if colour else 'TEXCOORD'}{variable.location}"

    def _entry(self, body: Body) -> Iterator[str]:
        entry = self.entry
        if entry.stage is Stage.COMPUTE:
            yield f"[numthreads({', '.join(map(str, entry.workgroup_size))})]"
        if entry.early_depth:
            yield "[earlydepthstencil]"
        named = list(zip(entry.inputs, self.inputs, strict=True))
        used = [item for item in named if item[0].builtin is None or self._reads(body, item[1])]
        used.sort(key=lambda item: _order(item[0]))
        self.declared = frozenset(name for _, name in used)
        params = ", ".join(self._io(variable, name, True) for variable, name in used)
        result, semantic = "void", ""
        if len(entry.outputs) == 1:
            (output,) = entry.outputs
            result = self.printer.type_name(output.type)
            semantic = f" : {self.semantic(output, False)}"
        elif entry.outputs:
            result = self.printer.output_struct
        yield from wrapped(f"{result} {self.entry_name}({params}){semantic} {{")
        for line in self.printer.statements(body, body.tree.body, INDENT):
            yield from wrapped(line)
        yield "}"

    def _reads(self, body: Body, name: str) -> bool:
        """Whether a builtin input is used at all."""
        (value,) = (v for v, n in body.names.items() if n == name and v in self._params(body))
        return bool(body.forms.uses.get(value))

    def _params(self, body: Body) -> set[int]:
        return {param.id for param in body.function.params}

    def _function(self, body: Body) -> list[str]:
        function = body.function
        if function.name == self.entry.function:
            given = {p.id: n for p, n in zip(function.params, self.inputs, strict=True)}
            name_variables(body, self.interface.inner(), given)
            return [*self._entry(body)]
        scope = self.printer.local_scope()
        name_variables(body, scope, _parameter_names(function, scope))
        return [*self.printer.function(body, self.printer.function_names[function.name])]


def _register_class(item: Global) -> str:
    match item.space:
        case Space.UNIFORM:
            return "b"
        case Space.STORAGE:
            return "t" if item.access is Access.READ else "u"
    return "s" if isinstance(item.type, Sampler) else "t"


def collect(t: Type, found: list[Struct]) -> None:
    """Add the structs that a type is made of, inner ones first."""
    if isinstance(t, Array):
        collect(t.elem, found)
    elif isinstance(t, Struct) and t not in found:
        for member in t.fields:
            collect(member.type, found)
        found.append(t)


def _order(variable: IOVariable) -> int:
    return 1 << 16 if variable.location is None else variable.location


def _parameter_names(function: Function, scope: Scope) -> dict[int, str]:
    return {param.id: scope.add(param.name) for param in function.params}


def _simple(name: str) -> str:
    """The wanted name of a struct; ``data.element`` is one that was made for a buffer."""
    return capitalized(name.replace(".", "_")) if "." in name else name
