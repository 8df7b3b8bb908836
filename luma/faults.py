"""Errors without a place in the source, and stages whose own faults become such errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from luma.diagnostics import Diagnostic, Level, LumaError
from luma.stack import run_deep

T = TypeVar("T")

INTERNAL_ERROR = "E0999"


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Whether any of the diagnostics is an error."""
    return any(d.level is Level.ERROR for d in diagnostics)


def error(code: str, message: str, help: str | None = None) -> Diagnostic:
    """An error that has no place in the source."""
    return Diagnostic(Level.ERROR, code, message, help=help)


def run_stage(name: str, run: Callable[[], T]) -> T:
    """Run a stage on the deep stack; raise LumaError (E0999) when it fails by its own fault."""
    try:
        return run_deep(run)
    except LumaError:
        raise
    except Exception as fault:
        raise LumaError([internal_error(name, fault)]) from fault


def internal_error(place: str, fault: Exception) -> Diagnostic:
    """The diagnostic for a fault of the compiler's own, found in the pass called ``place``."""
    what = f"{type(fault).__name__}: {fault} ({_innermost(fault)})"
    report = "this is a fault of Luma's, not of the shader; please report it with the source"
    return error(INTERNAL_ERROR, f"the compiler failed in {place}: {what}", report)


def _innermost(fault: BaseException) -> str:
    trace = fault.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return "unknown place"
    code = trace.tb_frame.f_code
    return f"{code.co_filename.replace(chr(92), '/').rsplit('/', 1)[-1]}:{trace.tb_lineno}"
