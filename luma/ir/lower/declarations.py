"""Module-level declarations: globals with combined samplers split, structs, constants."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from luma.frontend import typed
from luma.ir import module as ir
from luma.language.types import Array, Combined, Pointer, Space, Struct, Type, is_opaque


def split_bindings(bindings: Iterable[typed.Binding]) -> dict[typed.Binding, tuple[ir.Global, ...]]:
    """The globals of each binding, in order of declaration."""
    bindings = tuple(bindings)
    taken = {binding.name for binding in bindings if not isinstance(binding.type, Combined)}
    return {binding: tuple(_globals(binding, taken)) for binding in bindings}


def _globals(binding: typed.Binding, taken: set[str]) -> Iterator[ir.Global]:
    name, group, slot = binding.name, binding.group, binding.binding
    if isinstance(binding.type, Combined):
        halves: tuple[tuple[str, Type], ...] = (
            ("tex", binding.type.texture),
            ("samp", binding.type.sampler),
        )
        for at, (ending, type) in enumerate(halves):
            half = _unused(f"{name}_{ending}", taken)
            place = None if slot is None else slot + at
            yield ir.Global(
                half,
                type,
                Space.HANDLE,
                group=group,
                binding=place,
                combined=name,
                span=binding.span,
            )
        return
    space = Space.HANDLE if is_opaque(binding.type) else binding.space
    yield ir.Global(
        name,
        binding.type,
        space,
        binding.access,
        group,
        slot,
        facts=binding.facts,
        span=binding.span,
    )


def _unused(name: str, taken: set[str]) -> str:
    """``name``, or with a number if another global has it; taken from now on."""
    free, number = name, 1
    while free in taken:
        free = f"{name}_{number}"
        number += 1
    taken.add(free)
    return free


def ordered_structs(declared: Iterable[Struct], types: Iterable[Type]) -> tuple[Struct, ...]:
    """All structs, as declared but nested ones first; then any others that ``types`` hold."""
    found: dict[Struct, None] = {}
    for type in (*declared, *types):
        _collect(type, found)
    return tuple(found)


def _collect(type: Type, found: dict[Struct, None]) -> None:
    match type:
        case Array(elem):
            _collect(elem, found)
        case Pointer(_, pointee):
            _collect(pointee, found)
        case Struct() if type not in found:
            for member in type.fields:
                _collect(member.type, found)
            found[type] = None


def spec_constants(module: typed.Module) -> tuple[ir.SpecConstant, ...]:
    """The specialization constants."""
    return tuple(
        ir.SpecConstant(item.name, item.type, item.id, item.value, item.span)
        for item in module.spec_constants
    )


def entry_point(entry: typed.EntryPoint) -> ir.EntryPoint:
    """The entry point without its tree."""
    return ir.EntryPoint(
        entry.name,
        entry.stage,
        entry.function.name,
        tuple(map(_io_variable, entry.inputs)),
        tuple(map(_io_variable, entry.outputs)),
        entry.workgroup_size,
        entry.early_depth,
        entry.span,
    )


def _io_variable(item: typed.IOVariable) -> ir.IOVariable:
    return ir.IOVariable(
        item.name, item.type, item.location, item.builtin, item.interpolation, item.span
    )
