"""A whole module: globals, specialization constants, entry points and their interfaces."""

from __future__ import annotations

from luma.backends import EmitOptions
from luma.backends.spirv import debug
from luma.backends.spirv.body import Body, Place
from luma.backends.spirv.builder import Builder, put, text_words
from luma.backends.spirv.control import write_function
from luma.backends.spirv.grammar import (
    BuiltIn,
    Capability,
    Decoration,
    ExecutionMode,
    ExecutionModel,
    Op,
    StorageClass,
)
from luma.backends.spirv.members import Members, touched_members
from luma.backends.spirv.problems import NO_ENTRY_POINT, Unsupported
from luma.backends.spirv.types import Types, scalar_bits

from luma.frontend.typed import Access
from luma.ir.module import EntryPoint, Function, Global, IOVariable, Module
from luma.language.layout import Rules, rules_for
from luma.language.stages import BUILTIN_VALUE, Stage
from luma.language.types import Field, Scalar, Space, Struct, is_integer

#: The storage class and the 16-bit capability of each address space that lies in buffers.
_BUFFERS = {
    Space.UNIFORM: (StorageClass.Uniform, Capability.UniformAndStorageBuffer16BitAccess),
    Space.STORAGE: (StorageClass.StorageBuffer, Capability.StorageBuffer16BitAccess),
    Space.PUSH_CONSTANT: (StorageClass.PushConstant, Capability.StoragePushConstant16),
}

_MODELS = {
    Stage.VERTEX: ExecutionModel.Vertex,
    Stage.FRAGMENT: ExecutionModel.Fragment,
    Stage.COMPUTE: ExecutionModel.GLCompute,
}

#: What reading a builtin value asks of the device.
_BUILTIN_CAPABILITIES = {
    "sample_id": Capability.SampleRateShading,
    "primitive_id": Capability.Geometry,
}

_INTERPOLATIONS = {"flat": Decoration.Flat, "noperspective": Decoration.NoPerspective}


class ModuleWriter:
    """Writes a module: entry points first, then whatever they reach.

    ``last_member`` maps the variable of a buffer to the index of its block's last declared member;
    ``inputs`` are the declared inputs, by entry point and name.
    """

    __slots__ = (
        "_functions",
        "_places",
        "_queue",
        "_sensitive",
        "_specs",
        "builder",
        "debug",
        "files",
        "inputs",
        "last_member",
        "module",
        "precise",
        "types",
    )

    def __init__(self, module: Module, options: EmitOptions) -> None:
        self.module = module
        self.builder = Builder()
        self.debug = options.debug
        self.precise = options.precise
        members = Members() if options.debug else touched_members(module)
        self.types = Types(self.builder, options.debug, members)
        self.files = None
        if options.debug and options.source is not None:
            self.files = debug.Files(self.builder, options.source)
        self.last_member: dict[int, int] = {}
        self.inputs: set[tuple[str, str]] = set()
        self._places: dict[str, Place] = {}
        self._specs: dict[str, int] = {}
        self._functions: dict[tuple[str, bool], int] = {}
        self._queue: list[tuple[Function, bool]] = []
        self._sensitive = _stage_sensitive(module)

    def write(self) -> bytes:
        """The module's binary.  Raises Unsupported."""
        if not self.module.entry_points:
            raise Unsupported("a SPIR-V module needs at least one entry point", NO_ENTRY_POINT)
        for entry in self.module.entry_points:
            self._entry_point(entry)
        while self._queue:
            function, fragment = self._queue.pop(0)
            key = (function.name, fragment and function.name in self._sensitive)
            write_function(Body(self, function, fragment), self._functions[key], ())
        if self.files is not None:
            self.files.declare()
        return self.builder.assemble()

    # ------------------------------------------------------------ functions

    def function_id(self, name: str, fragment: bool) -> int:
        """The id of a function as called from the given kind of stage; written later.

        A function that compares depths is another one outside fragment stages.
        """
        key = (name, fragment and name in self._sensitive)
        found = self._functions.get(key)
        if found is None:
            found = self._functions[key] = self.builder.new_id()
            self._queue.append((self.module.function(name), fragment))
            if self.debug:
                debug.name(self.builder, found, name)
        return found

    def _entry_point(self, entry: EntryPoint) -> None:
        function = self.module.function(entry.function)
        function_id = self.builder.new_id()
        fragment = entry.stage is Stage.FRAGMENT
        body = Body(self, function, fragment)
        inputs = []
        for variable, parameter in zip(entry.inputs, function.params, strict=True):
            if parameter.id in body.facts.live or variable.location is not None:
                inputs.append((parameter, self._io(variable, StorageClass.Input, fragment)))
                self.inputs.add((entry.name, variable.name))
        body.outputs = tuple(self._io(v, StorageClass.Output, False) for v in entry.outputs)
        interface = (*(variable for _, variable in inputs), *body.outputs)
        model = _MODELS[entry.stage]
        name = text_words(entry.name)
        put(self.builder.entry_points, Op.EntryPoint, model, function_id, *name, *interface)
        self._modes(entry, function_id)
        if self.debug:
            debug.name(self.builder, function_id, entry.name)
        write_function(body, function_id, inputs)

    def _modes(self, entry: EntryPoint, function_id: int) -> None:
        def mode(*operands: int) -> None:
            put(self.builder.modes, Op.ExecutionMode, function_id, *operands)

        match entry.stage:
            case Stage.FRAGMENT:
                mode(ExecutionMode.OriginUpperLeft)
                if entry.early_depth:
                    mode(ExecutionMode.EarlyFragmentTests)
                if any(v.builtin == "frag_depth" for v in entry.outputs):
                    mode(ExecutionMode.DepthReplacing)
            case Stage.COMPUTE:
                mode(ExecutionMode.LocalSize, *entry.workgroup_size)

    def _io(self, variable: IOVariable, storage: int, fragment_input: bool) -> int:
        """The variable of a stage input or output."""
        pointer = self.types.pointer(storage, self.types.value(variable.type))
        result = self.builder.new_constant(Op.Variable, pointer, storage)
        self.types.half_storage(variable.type, Capability.StorageInputOutput16)
        if variable.builtin is not None:
            row = BUILTIN_VALUE[variable.builtin]
            self.builder.decorate(result, Decoration.BuiltIn, getattr(BuiltIn, row.spirv))
            capability = _BUILTIN_CAPABILITIES.get(variable.builtin)
            if capability is not None:
                self.builder.capability(capability)
        elif variable.location is not None:
            self.builder.decorate(result, Decoration.Location, variable.location)
        if fragment_input:
            wish = variable.interpolation
            if is_integer(variable.type):
                wish = "flat"
            if wish in _INTERPOLATIONS:
                self.builder.decorate(result, _INTERPOLATIONS[wish])
        if self.debug:
            debug.name(self.builder, result, variable.name)
        return result

    # ------------------------------------------------------------ globals

    def place(self, name: str) -> Place:
        """The memory of a global, declared at its first use."""
        found = self._places.get(name)
        if found is None:
            item = self.module.global_(name)
            found = self._places[name] = self._declare(item)
            if self.debug:
                debug.name(self.builder, found.base, name)
        return found

    def _declare(self, item: Global) -> Place:
        if item.space is Space.HANDLE:
            variable = self._variable(
                item, StorageClass.UniformConstant, self.types.value(item.type)
            )
            return Place(variable, StorageClass.UniformConstant, None, item.type)
        if item.space is Space.WORKGROUP:
            storage = StorageClass.Workgroup
            variable = self._variable(item, storage, self.types.value(item.type))
            return Place(variable, storage, None, item.type)
        storage, capability = _BUFFERS[item.space]
        self.types.half_storage(item.type, capability)
        return self._buffer(item, storage, rules_for(item.space))

    def _buffer(self, item: Global, storage: int, rules: Rules) -> Place:
        """A buffer; what is not a struct becomes the one member of a block."""
        wrapped = not isinstance(item.type, Struct)
        root = block_type(item)
        variable = self._variable(item, storage, self.types.block(root, rules))
        if item.space is Space.STORAGE:
            if item.access is Access.READ:
                self.builder.decorate(variable, Decoration.NonWritable)
            elif item.access is Access.WRITE:
                self.builder.decorate(variable, Decoration.NonReadable)
        self.last_member[variable] = len(self.types.members.kept(root)) - 1
        indices = (self.types.index(0),) if wrapped else ()
        return Place(variable, storage, rules, item.type, indices)

    def _variable(self, item: Global, storage: int, type_id: int) -> int:
        pointer = self.types.pointer(storage, type_id)
        variable = self.builder.new_constant(Op.Variable, pointer, storage)
        for decoration, number in slot(item).items():
            self.builder.decorate(variable, decoration, number)
        return variable

    def declares(self, name: str) -> bool:
        """Whether the module that was written has a global or specialization constant."""
        return name in self._places or name in self._specs

    def spec(self, name: str) -> int:
        """The id of a specialization constant, declared at its first use."""
        found = self._specs.get(name)
        if found is not None:
            return found
        item = next(s for s in self.module.spec_constants if s.name == name)
        assert isinstance(item.type, Scalar)
        type_id = self.types.value(item.type)
        if isinstance(item.default, bool):
            opcode = Op.SpecConstantTrue if item.default else Op.SpecConstantFalse
            found = self.builder.new_constant(opcode, type_id)
        else:
            bits = scalar_bits(item.type.kind, item.default)
            found = self.builder.new_constant(Op.SpecConstant, type_id, bits)
        self.builder.decorate(found, Decoration.SpecId, item.id)
        if self.debug:
            debug.name(self.builder, found, name)
        self._specs[name] = found
        return found


def slot(item: Global) -> dict[int, int]:
    """The decorations that tell where a resource is bound; push constants have none."""
    if item.group is None or item.binding is None:
        return {}
    return {Decoration.DescriptorSet: item.group, Decoration.Binding: item.binding}


def block_type(item: Global) -> Struct:
    """The struct at the root of a buffer: one with one member where the source has no struct."""
    if isinstance(item.type, Struct):
        return item.type
    return Struct(item.name, (Field("value", item.type),))


def _stage_sensitive(module: Module) -> frozenset[str]:
    """The functions that compare depths, themselves or through those they call."""
    found: set[str] = set()
    for function in module.functions:  # callees come first
        for instr in function.instructions():
            if instr.op == "sample_compare" or (instr.op == "call" and instr.imm[0] in found):
                found.add(function.name)
                break
    return frozenset(found)
