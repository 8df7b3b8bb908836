"""Luma's own shaders for the engine: the entry point gets its name, and there is an LSB."""

from __future__ import annotations

from dataclasses import replace

from luma.backends.spirv.builder import text_words
from luma.backends.spirv.grammar import Op
from luma.backends.spirv.reader import EntryPoint, Instruction, Malformed, read, rewritten
from luma.diagnostics import Diagnostic
from luma.lume import lsb
from luma.lume.lsb_reader import checked
from luma.lume.problems import SPIRV, failure
from luma.lume.reflect import reflect

#: The only entry point that the engine looks for.
ENTRY_POINT = "main"


def for_engine(
    binary: bytes, declared: bytes, version: int = lsb.NEWEST
) -> tuple[bytes, bytes, tuple[Diagnostic, ...]]:
    """A shader's SPIR-V as the engine takes it, its LSB, and warnings.

    ``binary`` is the finished shader with one entry point, ``declared`` the same before
    optimization and with names, which is what an LSB tells of.  Raises LumaError (E0843, E0844).
    """
    reflected = reflect(declared)
    data = checked(_anonymous(reflected.reflection), version)
    return _renamed(binary), data, reflected.warnings


def _anonymous(reflection: lsb.Reflection) -> lsb.Reflection:
    """The reflection with push constants named as members of a block without a name: the engine
    puts a name of its own before the point."""
    pushed = reflection.push_constants
    if pushed is None:
        return reflection
    members = tuple(replace(m, name=m.name[m.name.index(".") :]) for m in pushed.members)
    return replace(reflection, push_constants=replace(pushed, members=members))


def _renamed(binary: bytes) -> bytes:
    try:
        module = read(binary)
        (entry,) = module.entry_points
        return rewritten(
            binary, (_entry(entry) if i.op == Op.EntryPoint else i for i in module.instructions)
        )
    except (Malformed, ValueError) as fault:
        raise failure(SPIRV, f"the SPIR-V is not a shader of one entry point: {fault}") from None


def _entry(entry: EntryPoint) -> Instruction:
    name = text_words(ENTRY_POINT)
    return Instruction(Op.EntryPoint, (entry.model, entry.function, *name, *entry.interface))
