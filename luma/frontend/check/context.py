"""What the parts of the checker share: the module's declarations and what is known of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from luma.diagnostics import Reporter
from luma.frontend import syntax, typed
from luma.language.stages import Stage
from luma.language.types import Struct, Type
from luma.source import Span

Notes: TypeAlias = "list[tuple[str, Span | None]]"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class AttributeUse:
    """An attribute whose arguments are known: numbers, or words."""

    name: str
    arguments: tuple[int | float | str, ...]
    span: Span

    @property
    def number(self) -> int:
        """The first argument of an attribute that takes numbers."""
        return int(self.arguments[0])

    @property
    def word(self) -> str:
        """The first argument of an attribute that takes words."""
        return str(self.arguments[0])


Attributes: TypeAlias = dict[str, AttributeUse]


@dataclass(slots=True, eq=False)
class StructInfo:
    """A struct with its fields' declarations and attributes."""

    decl: syntax.StructDecl
    type: Struct
    varying: bool
    fields: tuple[Attributes, ...]


@dataclass(frozen=True, slots=True)
class Restricted:
    """Something in a function's body that only some stages have."""

    what: str  # as a message names it: "`dfdx`"
    stages: tuple[str, ...]
    span: Span
    help: str | None


@dataclass(slots=True, eq=False)
class FunctionInfo:
    """A function's signature, and what the check of its body finds out.

    ``function`` is None if the signature has an error; ``types`` holds None for a parameter whose
    type does.  ``fields`` are the attributes of a tuple result's fields.
    """

    decl: syntax.FunctionDecl
    attributes: Attributes
    parameters: tuple[typed.Local | None, ...]
    parameter_attributes: tuple[Attributes, ...]
    result: Type | None
    fields: tuple[Attributes, ...]
    function: typed.Function | None
    stage: Stage | None
    is_entry: bool
    calls: dict[FunctionInfo, Span] = field(default_factory=dict)
    restricted: list[Restricted] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Defaulted:
    """A variable that is a float because a whole number gave it its type."""

    name: str
    value: str
    span: Span


#: What a module-level name stands for once it is resolved.
Value: TypeAlias = typed.Binding | typed.Constant | typed.SpecConstant


@dataclass(slots=True)
class Context:
    """The module under check.

    ``tuples`` are the structs made for tuple results, with their functions' names.  ``nesting``
    tells how deep each struct goes, ``parts`` how many fields it has, with those of the structs
    inside.  ``locals`` are the names of locals of the function
    under check, which are no constants; ``defaulted`` are those that are floats by default.
    """

    reporter: Reporter
    declared: dict[str, syntax.Declaration] = field(default_factory=dict)
    structs: dict[str, StructInfo | None] = field(default_factory=dict)
    nesting: dict[str, int] = field(default_factory=dict)
    parts: dict[str, int] = field(default_factory=dict)
    values: dict[str, Value | None] = field(default_factory=dict)
    functions: dict[str, FunctionInfo] = field(default_factory=dict)
    tuples: dict[Struct, str] = field(default_factory=dict)
    flexible: dict[syntax.Expression, bool] = field(default_factory=dict)
    folded: dict[typed.Expression, typed.Value] = field(default_factory=dict)
    unused: list[tuple[str, Span, str]] = field(default_factory=list)
    locals: list[str] = field(default_factory=list)
    defaulted: dict[typed.Local, Defaulted] = field(default_factory=dict)

    def error(
        self,
        code: str,
        span: Span,
        message: str,
        *,
        notes: Iterable[tuple[str, Span | None]] = (),
        help: str | None = None,
    ) -> T | None:
        """Report an error.  Gives None, so that a caller can return it as its own result."""
        self.reporter.error(code, span, message, notes=tuple(notes), help=help)
        return None

    def named(self, struct: Struct) -> str:
        """A struct as a message names it: a tuple result has no name of its own."""
        function = self.tuples.get(struct)
        return f"struct `{struct}`" if function is None else f"the result of `{function}`"

    def text(self, span: Span, limit: int = 40) -> str:
        """The source at a span if it is short and on one line, else ``...``."""
        text = self.reporter.source.text[span.start : span.end]
        return text if len(text) <= limit and "\n" not in text else "..."


def declared_here(name: str, span: Span) -> Notes:
    """The note that shows where something was declared."""
    return [(f"`{name}` is declared here", span)]
