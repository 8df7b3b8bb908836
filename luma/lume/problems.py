"""The diagnostics of this package that have no place in a source of Luma's own."""

from __future__ import annotations

from luma.diagnostics import Diagnostic, Level, LumaError
from luma.source import SourceSpan

#: What glslang says of a shader, and the programs that are needed for it.
GLSL, TOOL = "E0841", "E0842"

#: SPIR-V that has no reflection; reflection that no LSB can hold; bytes that are no LSB.
SPIRV, UNFIT, LSB = "E0843", "E0844", "E0845"

#: Snippets: no JSON; a member missing or wrong; nowhere to insert; no set left for uniforms.
JSON, MEMBER, TEMPLATE, LAYOUT = "E0846", "E0847", "E0848", "E0849"

#: A path that cannot be a source; a source that two outputs would come from.
SOURCE = "E0850"

#: Warnings: what an LSB leaves out; a call of a snippet that does not match; what is ignored; and
#: what glslang warns of; GLSL that cannot be made for OpenGL; a layout that lacks something.
LEFT_OUT, MISMATCH, IGNORED, GLSL_WARNING = "W0995", "W0996", "W0997", "W0998"
NO_GL, UNBOUND = "W0999", "W0994"


def error(
    code: str, message: str, help: str | None = None, span: SourceSpan | None = None
) -> Diagnostic:
    """An error of the tools'."""
    return Diagnostic(Level.ERROR, code, message, span, help=help)


def warning(
    code: str, message: str, help: str | None = None, span: SourceSpan | None = None
) -> Diagnostic:
    """A warning of the tools'."""
    return Diagnostic(Level.WARNING, code, message, span, help=help)


def failure(code: str, message: str, help: str | None = None) -> LumaError:
    """An error to raise."""
    return LumaError([error(code, message, help)])
