"""Runs a case as MSL: all levels are compiled in one go, each is run by itself."""

from __future__ import annotations

import atexit
import pickle
from functools import lru_cache

from luma.backends import EmitOptions, find
from luma.backends.msl import bindings

from luma.diagnostics import Level
from luma.ir.module import EntryPoint, Module
from tests.harness.cases import Case
from tests.harness.compile import LEVELS, CompileError, optimized
from tests.harness.jobs import Outputs, Slot
from tests.harness.msl.host import Stage
from tests.harness.msl.source import Source
from tests.harness.msl.toolchain import compile_texts, runtime
from tests.harness.worker import Driver


@lru_cache(maxsize=1)
def driver() -> Driver:
    """The process that runs MSL, started when it is first needed."""
    made = Driver(module="tests.harness.msl.worker")
    atexit.register(made.close)
    return made


def run(case: Case, level: str) -> Outputs:
    """What a case gives.  Raises CompileError, MslError or DriverError."""
    job = case.job()
    library, sources = _compiled(case.stages(), case.fp)
    stages = []
    for number, (source, entry, _) in enumerate(case.stages()):
        module = optimized(source, entry, level, case.fp)
        space = f"{level}_{number}"
        stages.append(stage_of(module, entry, library, space, sources[space]))
    return driver().run(job, tuple(map(pickle.dumps, stages)))


@lru_cache(maxsize=4)
def _compiled(
    stages: tuple[tuple[str, str, str], ...], fp: str | None
) -> tuple[str, dict[str, Source]]:
    texts = {}
    for level in LEVELS:
        for number, (source, entry, _) in enumerate(stages):
            texts[f"{level}_{number}"] = emit_text(optimized(source, entry, level, fp))
    library, sources = compile_texts(texts)
    return str(library), sources


def emit_text(module: Module) -> str:
    """The MSL of a module.  Raises CompileError."""
    made = find("msl").emit(module, EmitOptions())
    errors = [d.render() for d in made.diagnostics if d.level is Level.ERROR]
    if errors:
        raise CompileError("\n\n".join(errors))
    return str(made.output.decode())


def stage_of(module: Module, entry: str, library: str, space: str, source: Source) -> Stage:
    """A compiled entry point of a module, with where its resources go."""
    point: EntryPoint = next(e for e in module.entry_points if e.name == entry)
    table = bindings(module, point)
    tables: dict[Slot, tuple[str, int]] = {}
    for item in module.globals:
        if item.group is not None and item.binding is not None:
            for kind, indices in (
                ("buffer", table.buffers),
                ("texture", table.textures),
                ("sampler", table.samplers),
            ):
                if item.name in indices:
                    tables[item.group, item.binding] = kind, indices[item.name]
    (found,) = source.entries.values()
    return Stage(
        str(runtime()),
        library,
        space,
        found,
        source.structs.get(found.stage_in, ()),
        source.outputs(found),
        tables,
        table.push_constants,
        table.sizes,
        point.workgroup_size,
    )
