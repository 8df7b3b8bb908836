"""``luma compile --lsb``: the files that the Lume engine loads a shader of Luma's from."""

from __future__ import annotations

from dataclasses import replace

import luma as api
from luma.cli.session import Session
from luma.diagnostics import LumaError
from luma.faults import error
from luma.pipeline import Options, Result


def for_engine(
    text: bytes, results: dict[str, Result], options: Options, name: str, session: Session
) -> tuple[dict[str, Result], dict[str, bytes]]:
    """The results with the entry point's name that the engine looks for, and the LSB of each.

    Raises LumaError (E0802 of an output with several entry points, E0843, E0844).
    """
    from luma.lume.own import for_engine as engine_files

    outputs: dict[str, Result] = {}
    files: dict[str, bytes] = {}
    for key, result in results.items():
        entry = _only_entry(result)
        plain = replace(options, entry=entry, stage=None, opt="none", debug=True, validate=False)
        declared = api.compile(text, plain, name=name)
        if not declared.success:
            raise LumaError(declared.diagnostics)
        binary, files[key], warnings = engine_files(result.output, declared.output)
        session.show(warnings)
        outputs[key] = replace(result, output=binary)
    return outputs, files


def _only_entry(result: Result) -> str:
    entries = () if result.module is None else result.module.entry_points
    if len(entries) != 1:
        problem = f"--lsb needs an output of one entry point, not of {len(entries)}"
        raise LumaError([error("E0802", problem, "say --entry, --stage or --all-entries")])
    return entries[0].name
