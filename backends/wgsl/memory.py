"""Memory as WGSL has it: every access, load and store is rewritten for the types in memory.

A load of what lies differently in memory is a load and a conversion; whole structs and arrays are
converted by helper functions, those with atomic parts piece by piece.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from luma.ir.effects import value_types
from luma.ir.module import Block, Function, Immediate, Instr, Module
from luma.ir.shape import next_id
from luma.language.types import (
    VOID,
    Pointer,
    Scalar,
    Space,
    Struct,
    Type,
    Vector,
    element,
    element_count,
)

from ..raising.builder import Builder
from .forms import NOWHERE, MemoryTypes, Places, inner, memory_types
from .helpers import Converters, pack, unpack


@dataclass(frozen=True, slots=True)
class MemoryModule:
    """The rewritten module, its types in memory, and the pointers to atomics: by the function's
    name and the value's number."""

    module: Module
    types: MemoryTypes
    atomic_pointers: frozenset[tuple[str, int]]


def raise_memory(module: Module) -> MemoryModule:
    """Rewrite all of a module's accesses to its globals."""
    atomics = _atomic_places(module)
    types = memory_types(module, atomics)
    converters = Converters(module, types)
    pointers: set[tuple[str, int]] = set()
    functions = []
    for function in module.functions:
        rewriter = _Rewriter(function, module, types, atomics, converters)
        functions.append(rewriter.run())
        pointers |= {(function.name, value) for value in rewriter.atomic_pointers}
    globals_ = tuple(replace(g, type=types.globals.get(g.name, g.type)) for g in module.globals)
    made = {struct.name for struct in types.structs}
    structs = (*types.structs, *(s for s in module.structs if s.name not in made))
    raised = replace(
        module,
        structs=structs,
        globals=globals_,
        functions=(*converters.functions(), *functions),
    )
    return MemoryModule(raised, types, frozenset(pointers))


# ---------------------------------------------------------------- atomics


def _atomic_places(module: Module) -> dict[str, Places]:
    """The places of each global that some atomic operation works on."""
    found: dict[str, set[tuple[int | None, ...]]] = {}
    for function in module.functions:
        places: dict[int, tuple[str, Type, tuple[int | None, ...]]] = {}
        for instr in function.instructions():
            if instr.op == "global" and isinstance(instr.type, Pointer):
                places[instr.id] = str(instr.imm[0]), instr.type.pointee, ()
            elif instr.op == "access" and instr.args[0] in places:
                name, t, path = places[instr.args[0]]
                for index in instr.imm:
                    path = (*path, int(index or 0) if isinstance(t, Struct) else None)
                    t = element(t, int(index or 0))
                places[instr.id] = name, t, path
            elif instr.op.startswith("atomic") and instr.args[0] in places:
                name, _, path = places[instr.args[0]]
                found.setdefault(name, set()).add(path)
    return {name: frozenset(paths) for name, paths in found.items()}


# ---------------------------------------------------------------- pointers


@dataclass(frozen=True, slots=True)
class _Place:
    """What a pointer points to: as the program sees it, and as it is in memory."""

    logical: Type
    memory: Type
    space: Space
    atomics: Places = NOWHERE


class _Rewriter:
    def __init__(
        self,
        function: Function,
        module: Module,
        types: MemoryTypes,
        atomics: dict[str, Places],
        converters: Converters,
    ) -> None:
        self.function = function
        self.module = module
        self.types = types
        self.atomics = atomics
        self.converters = converters
        self.builder = Builder(value_types(function), next_id(function))
        self.places: dict[int, _Place] = {}
        self.atomic_pointers: set[int] = set()

    def run(self) -> Function:
        blocks = tuple(self._block(block) for block in self.function.blocks)
        return replace(self.function, blocks=blocks)

    def _block(self, block: Block) -> Block:
        self.builder.instrs = []
        for instr in block.instrs:
            self._instr(instr)
        return replace(block, instrs=tuple(self.builder.instrs))

    def _instr(self, instr: Instr) -> None:
        b = self.builder
        match instr.op:
            case "global" if isinstance(instr.type, Pointer):
                name = str(instr.imm[0])
                memory = self.types.globals[name]
                t, space = instr.type.pointee, instr.type.space
                place = _Place(t, memory, space, self.atomics.get(name, NOWHERE))
                self._point(replace(instr, type=Pointer(space, memory)), place)
            case "access" if instr.args[0] in self.places:
                self._access(instr)
            case "load" if instr.args[0] in self.places:
                value = self._load(instr.args[0], self.places[instr.args[0]])
                self._rename(value, instr)
            case "store" if instr.args[0] in self.places:
                self._store(instr, instr.args[0], instr.args[1], self.places[instr.args[0]])
            case _:
                b.append(instr)

    def _point(self, instr: Instr, place: _Place) -> None:
        self.builder.append(instr)
        self.places[instr.id] = place
        if () in place.atomics:
            self.atomic_pointers.add(instr.id)

    def _rename(self, value: int, instr: Instr) -> None:
        """Let the instruction just added give the value of the one that it replaces."""
        last = self.builder.instrs.pop()
        assert last.id == value
        self.builder.append(replace(last, id=instr.id))

    def _access(self, instr: Instr) -> None:
        place = self.places[instr.args[0]]
        path: list[Immediate] = []
        for index in instr.imm:
            place = self._step(place, index, path)
        pointer = Pointer(place.space, place.memory)
        self._point(replace(instr, type=pointer, imm=tuple(path)), place)

    def _step(self, place: _Place, index: Immediate, path: list[Immediate]) -> _Place:
        """Go to one part, adding to the path what leads there in memory."""
        path.append(index)
        at = None if index is None else int(index)
        field = at if isinstance(place.logical, Struct) else None
        logical, memory = element(place.logical, at or 0), element(place.memory, at or 0)
        atomics = inner(place.atomics, field)
        if isinstance(memory, Struct) and memory.name in self.types.wrappers:
            path.append(0)
            memory = memory.fields[0].type
        if isinstance(logical, Scalar) and isinstance(memory, Vector):
            path.append(0)
            memory = memory.elem
        return _Place(logical, memory, place.space, atomics)

    # ------------------------------------------------------------ loads and stores

    def _load(self, pointer: int, place: _Place) -> int:
        b = self.builder
        if place.atomics and () not in place.atomics:
            parts = [self._load(*self._part(pointer, place, i)) for i in _parts(place)]
            return b.construct(place.logical, parts)
        value = b.add("load", place.memory, [pointer])
        return unpack(b, value, place.logical, self.converters)

    def _store(self, instr: Instr, pointer: int, value: int, place: _Place) -> None:
        b = self.builder
        if place.atomics and () not in place.atomics:
            for index in _parts(place):
                part, inside = self._part(pointer, place, index)
                self._store(instr, part, b.part(value, index), inside)
            return
        packed = pack(b, value, place.memory, self.converters)
        b.append(Instr(instr.id, "store", VOID, (pointer, packed)))

    def _part(self, pointer: int, place: _Place, index: int) -> tuple[int, _Place]:
        path: list[Immediate] = []
        inside = self._step(place, index, path)
        t = Pointer(inside.space, inside.memory)
        part = self.builder.add("access", t, [pointer], tuple(path))
        self.places[part] = inside
        if () in inside.atomics:
            self.atomic_pointers.add(part)
        return part, inside


def _parts(place: _Place) -> range:
    return range(element_count(place.logical))
