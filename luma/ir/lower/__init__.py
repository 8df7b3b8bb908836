"""Lowering: from the typed tree to SSA.

Locals become values, control flow becomes structured blocks, places become pointers, the sugar of
the tree (combined samplers, short-circuit operators, matrix shapes, stage structs) is taken apart.
The result is faithful: nothing is optimized here, except that superfluous phis are left out.
"""

from __future__ import annotations

from luma.frontend import typed
from luma.ir import module as ir
from luma.ir.lower import declarations
from luma.ir.lower.functions import lower_entry, lower_function

__all__ = ["lower"]


def lower(module: typed.Module) -> ir.Module:
    """The IR of a checked module, with one function for each of its functions."""
    resources = declarations.split_bindings(module.bindings)
    entries = {point.function: point for point in module.entry_points}
    functions = tuple(
        lower_entry(entries[function], resources)
        if function in entries
        else lower_function(function, resources)
        for function in module.functions
    )
    variables = tuple(item for parts in resources.values() for item in parts)
    types = [item.type for item in variables]
    types += [local.type for function in module.functions for local in function.parameters]
    types += [instr.type for function in functions for instr in function.instructions()]
    return ir.Module(
        declarations.ordered_structs(module.structs, types),
        variables,
        declarations.spec_constants(module),
        functions,
        tuple(map(declarations.entry_point, module.entry_points)),
    )
