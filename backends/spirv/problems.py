"""What SPIR-V cannot express, as an exception inside the backend and a diagnostic outside."""

from __future__ import annotations

from luma.diagnostics import Diagnostic, Level
from luma.source import SourceSpan

#: Nothing to emit: a module without entry points.
NO_ENTRY_POINT = "E0803"

#: A value is beyond a limit of SPIR-V's, or a type outside its model.
UNSUPPORTED = "E0701"


class Unsupported(Exception):
    """Raised where the module cannot be expressed; the message says why."""

    def __init__(self, message: str, code: str = UNSUPPORTED) -> None:
        super().__init__(message)
        self.code = code

    def diagnostic(self, span: SourceSpan | None = None) -> Diagnostic:
        """The error as it is reported."""
        return Diagnostic(Level.ERROR, self.code, str(self), span)
