"""The entry points that are compiled, and what of a module they need."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from luma.diagnostics import Diagnostic, LumaError
from luma.faults import error, run_stage
from luma.options import Options

if TYPE_CHECKING:
    from luma.ir.module import EntryPoint, Module


def select_entries(module: Module, options: Options) -> tuple[EntryPoint, ...]:
    """The entry points that ``entry`` and ``stage`` select; never none.

    Raises LumaError (E0801 to E0803) when there is no such entry point.
    """
    every = module.entry_points
    chosen = tuple(
        e
        for e in every
        if options.entry in (None, e.name) and options.stage in (None, e.stage.value)
    )
    if chosen:
        return chosen
    if not every:
        raise LumaError(
            [
                error(
                    "E0803",
                    "the source has no entry point",
                    "mark a function with @entry(vertex), @entry(fragment) or @entry(compute)",
                )
            ]
        )
    wanted = " ".join(
        w
        for w in (
            options.stage,
            "entry point",
            f"named '{options.entry}'" if options.entry is not None else None,
        )
        if w
    )
    raise LumaError([error("E0801", f"there is no {wanted}", f"there is {_listed(every)}")])


def selected(
    module: Module, chosen: Sequence[EntryPoint], kept: frozenset[str] = frozenset()
) -> Module:
    """What some entry points reach, and some functions with what these reach."""

    def run() -> Module:
        from luma.ir.reach import select

        present = {f.name for f in module.functions}
        return select(module, tuple(e.name for e in chosen), kept & present)

    return run_stage("selection", run)


def too_many(entries: Sequence[EntryPoint], target: str) -> Diagnostic:
    """The error that a target's output holds one entry point, and more are selected."""
    return error(
        "E0802",
        f"the source has {len(entries)} entry points, and {target} output holds one",
        "choose one with --entry or --stage, or write each to a file of its own with "
        f"--all-entries -o DIR; there is {_listed(entries)}",
    )


def _listed(entries: Sequence[EntryPoint]) -> str:
    return ", ".join(f"'{e.name}' ({e.stage.value})" for e in entries)
