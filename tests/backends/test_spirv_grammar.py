"""The committed SPIR-V numbers are those of Khronos' grammar."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

from luma.backends.spirv import grammar

GENERATOR = Path(__file__).parents[2] / "tools" / "generate_spirv_grammar.py"


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate_spirv_grammar", GENERATOR)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_generating_gives_the_committed_numbers() -> None:
    """The grammar's revision may be another one; what both have must agree."""
    made = generator()
    core, std = (
        json.loads((made.DEFAULT_DIRECTORY / name).read_text())
        for name in ("spirv.core.grammar.json", "extinst.glsl.std.450.grammar.json")
    )
    fresh: dict[str, object] = {}
    exec("\n".join(made.lines(core, std)), fresh)
    for name in ("Op", "Std", *made.KINDS):
        committed = numbers(getattr(grammar, name))
        assert committed and committed.items() <= numbers(fresh[name]).items()
    assert fresh["MAGIC"] == grammar.MAGIC


def numbers(members: object) -> dict[str, int]:
    found = vars(members).items()
    return {k: v for k, v in found if isinstance(v, int) and not k.startswith("_")}
