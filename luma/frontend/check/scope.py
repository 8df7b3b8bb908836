"""The names visible at a point of a function's body, and what becomes of its locals."""

from __future__ import annotations

from dataclasses import dataclass, field

from luma.frontend import typed
from luma.frontend.check.context import Context, FunctionInfo, declared_here
from luma.language.types import Type
from luma.source import Span

#: The code of the warning that a local of a kind is never read.
_UNUSED = {"variable": "W0901", "parameter": "W0902"}


@dataclass(slots=True, eq=False)
class LocalSymbol:
    """A local in scope.  ``local`` is None when its declaration was in error."""

    name: str
    kind: str  # variable, parameter, loop variable
    span: Span
    local: typed.Local | None
    read: bool = False


@dataclass(slots=True)
class Body:
    """The body under check; ``owner`` is None for a constant expression outside functions.

    ``result`` is the type that ``return`` needs (None: unknown because of an error).  ``hidden``
    tells which fields of an entry parameter are stripped: those of a ``@varying`` struct that has
    builtins.
    """

    ctx: Context
    owner: FunctionInfo | None = None
    result: Type | None = None
    scopes: list[dict[str, LocalSymbol]] = field(default_factory=list)
    symbols: dict[typed.Local, LocalSymbol] = field(default_factory=dict)
    hidden: dict[typed.Local, tuple[int, ...]] = field(default_factory=dict)

    def enter(self) -> None:
        """Open a block."""
        self.scopes.append({})

    def leave(self) -> None:
        """Close the innermost block, noting what in it was never read."""
        for symbol in self.scopes.pop().values():
            code = _UNUSED.get(symbol.kind)
            if code and not symbol.read and not symbol.name.startswith("_"):
                message = f"{symbol.kind} `{symbol.name}` is never read"
                self.ctx.unused.append((code, symbol.span, message))

    def declare(self, name: str, kind: str, span: Span, type: Type | None) -> typed.Local | None:
        """Add a local to the innermost block; a second of the same name there is an error."""
        scope = self.scopes[-1]
        earlier = scope.get(name)
        if earlier is not None:
            self.ctx.error(
                "E0304",
                span,
                f"`{name}` is declared twice in one block",
                notes=declared_here(name, earlier.span),
                help=f"assign to it (`{name} = ...`), or choose another name",
            )
        local = None if type is None else typed.Local(name, type, span)
        symbol = LocalSymbol(name, kind, span, local, read=earlier is not None)
        scope[name] = symbol
        self.ctx.locals.append(name)
        if local is not None:
            self.symbols[local] = symbol
        return local

    def declare_parameter(self, name: str, span: Span, local: typed.Local | None) -> None:
        """Add a parameter, whose local the signature has made already."""
        symbol = LocalSymbol(name, "parameter", span, local)
        self.scopes[-1][name] = symbol
        self.ctx.locals.append(name)
        if local is not None:
            self.symbols[local] = symbol

    def find(self, name: str) -> LocalSymbol | None:
        """The innermost local of a name."""
        for scope in reversed(self.scopes):
            symbol = scope.get(name)
            if symbol is not None:
                return symbol
        return None

    def visible(self) -> list[str]:
        """The names of all locals in scope, innermost first."""
        return [name for scope in reversed(self.scopes) for name in scope]
