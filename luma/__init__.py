"""Luma, a shader compiler whose optimizer is made of rules.

    import luma

    result = luma.compile(source, target="spirv", opt="aggressive")
    if result.success:
        ...  # result.output holds the bytes

The stages can be run one by one: ``parse``, ``check``, ``lower``, ``optimize``, ``emit``; and
``reflect`` tells what a shader's host needs to know.  See ``docs/api.md``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from luma.diagnostics import Diagnostic, Level, LumaError, Note
    from luma.explanation import Explanation, explain
    from luma.host import reflect
    from luma.pipeline import (
        Checked,
        Options,
        Parsed,
        Result,
        check,
        compile,
        compile_all,
        emit,
        hash_ir,
        lower,
        optimize,
        parse,
    )
    from luma.source import Source, SourceSpan, Span
    from luma.statistics import Statistics, measure

__version__ = "0.1.0"

__all__ = [
    "Checked",
    "Diagnostic",
    "Explanation",
    "Level",
    "LumaError",
    "Note",
    "Options",
    "Parsed",
    "Result",
    "Source",
    "SourceSpan",
    "Span",
    "Statistics",
    "check",
    "compile",
    "compile_all",
    "emit",
    "explain",
    "hash_ir",
    "lower",
    "measure",
    "optimize",
    "parse",
    "reflect",
]

_HOMES = {
    "Diagnostic": "luma.diagnostics",
    "Explanation": "luma.explanation",
    "Level": "luma.diagnostics",
    "LumaError": "luma.diagnostics",
    "Note": "luma.diagnostics",
    "Source": "luma.source",
    "SourceSpan": "luma.source",
    "Span": "luma.source",
    "Statistics": "luma.statistics",
    "explain": "luma.explanation",
    "measure": "luma.statistics",
    "reflect": "luma.host",
}


def __getattr__(name: str) -> Any:
    """Load a public name from its room when it is first asked for."""
    if name not in __all__:
        raise AttributeError(f"module 'luma' has no attribute '{name}'")
    from importlib import import_module

    value = getattr(import_module(_HOMES.get(name, "luma.pipeline")), name)
    globals()[name] = value
    return value
