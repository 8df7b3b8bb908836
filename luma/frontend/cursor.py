"""The parser's place in the tokens: looking, taking, reporting and recovering."""

from __future__ import annotations

from collections.abc import Sequence

from luma.diagnostics import Reporter
from luma.frontend.lexer import BAD, EOF, MAX_ERRORS, NAME, NUMBER, lex, too_many_errors
from luma.source import Source, Span

#: Deepest nesting of brackets, prefix operators, types and blocks.
MAX_NESTING = 200

#: Greatest height of an expression's tree; a chain ``a + b + c`` grows by one a term.
MAX_HEIGHT = 1000

_OPENERS = {"(": ")", "[": "]", "{": "}"}
_CLOSERS = frozenset(_OPENERS.values())

#: Assignments: the operator that they apply first, if any.
ASSIGNMENTS: dict[str, str | None] = {
    "=": None,
    "+=": "+",
    "-=": "-",
    "*=": "*",
    "/=": "/",
    "%=": "%",
}

#: What shows that a keyword before it was meant as a name.
_AFTER_NAMES = frozenset((":", "=", "(", ")", ",", ".", "["))

#: Words that only a declaration of the module begins with.
DECLARATION_STARTS = frozenset(("function", "struct", "uniform", "buffer", "shared"))

#: Words at which recovery inside a function stops.
STATEMENT_STARTS = DECLARATION_STARTS | frozenset(
    ("let", "const", "return", "if", "for", "while", "do", "end", "else", "elseif", "@", EOF)
)

#: What ends a list of statements.
BLOCK_ENDS = DECLARATION_STARTS | frozenset(("end", "else", "elseif", EOF))

_BLOCK_OPENERS = frozenset(("if", "do", "function", "struct"))


class Cursor:
    """A position in the tokens of one source.

    ``kind`` is the kind of the current token.  Errors at one token are reported once: after the
    first, what the parser says about the same token is a consequence.
    """

    __slots__ = (
        "_error_at",
        "at",
        "brace_depth",
        "condition_depth",
        "depth",
        "else_ifs",
        "ends",
        "function_column",
        "height",
        "kind",
        "kinds",
        "misfit",
        "over_limit",
        "repeats",
        "reporter",
        "result",
        "returns_value",
        "semicolons",
        "source",
        "starts",
        "text",
        "wanted",
    )

    def __init__(self, source: Source, reporter: Reporter) -> None:
        tokens = lex(source.text, reporter)
        self.source = source
        self.text = source.text
        self.reporter = reporter
        self.kinds, self.starts, self.ends = tokens.kinds, tokens.starts, tokens.ends
        self.at = 0
        self.kind = self.kinds[0]
        self.depth = 0
        #: Height of the tree of the expression parsed last.
        self.height = 0
        #: The depth at which a condition is being parsed: there, `{` may be a C block.
        self.condition_depth = -1
        #: Blocks around this place that were opened with a `{`.
        self.brace_depth = 0
        #: Whether the function around this place has a `->`.
        self.returns_value = False
        #: The column of the ``function`` around this place.
        self.function_column = 0
        #: Lua's ``repeat`` words that wait for their ``until``.
        self.repeats = 0
        #: What to mention when an ``end`` is missing in the current function: each ``else if``,
        #: and the first block whose end is indented unlike its start.
        self.else_ifs: list[Span] = []
        self.misfit: Span | None = None
        #: How many `;` were taken.
        self.semicolons = 0
        #: Whether the current statement was reported as too deep or too long.
        self.over_limit = False
        #: The type, as it is written, of the value about to be parsed, if it is known.
        self.wanted = ""
        #: The type, as it is written, that the function around this place returns.
        self.result = ""
        self._error_at = -1

    # ------------------------------------------------------------ looking and taking

    def advance(self) -> None:
        """Go to the next token (never past the last)."""
        if self.kind is not EOF:
            self.at += 1
            self.kind = self.kinds[self.at]

    def peek(self, distance: int = 1) -> str:
        """The kind of a token further on."""
        at = self.at + distance
        return self.kinds[at] if at < len(self.kinds) else EOF

    def rewind(self, at: int) -> None:
        """Go back to the token with that index."""
        self.at = at
        self.kind = self.kinds[at]

    def respell(self, keyword: str) -> None:
        """Take the current token for a keyword."""
        self.kinds[self.at] = self.kind = keyword

    @property
    def start(self) -> int:
        """Where the current token starts."""
        return self.starts[self.at]

    @property
    def previous_end(self) -> int:
        """Where the last token taken ends."""
        return self.ends[self.at - 1] if self.at else 0

    @property
    def span(self) -> Span:
        """The current token's span."""
        return Span(self.starts[self.at], self.ends[self.at])

    def since(self, start: int) -> Span:
        """The span from an offset to the end of the last token taken."""
        return Span(start, max(start, self.previous_end))

    def word(self, distance: int = 0) -> str:
        """The text of the current token, or of one further on."""
        at = min(self.at + distance, len(self.kinds) - 1)
        return self.text[self.starts[at] : self.ends[at]]

    def accept(self, kind: str) -> bool:
        """Take the current token if it is of that kind."""
        if self.kind != kind:
            return False
        self.advance()
        return True

    def on_new_line(self, distance: int = 0) -> bool:
        """Whether the current token (or one further on) is the first of its line."""
        at = self.at + distance
        if not 0 < at < len(self.kinds):
            return True
        return self.text.find("\n", self.ends[at - 1], self.starts[at]) >= 0

    def at_assignment(self) -> bool:
        """Whether an assignment starts here, on a line of its own: no expression goes on so."""
        return self.kind is NAME and self.peek() in ASSIGNMENTS and self.on_new_line()

    def nested(self) -> bool:
        """Whether the current token stands farther right than the function around it."""
        return self.column(self.start) > self.function_column

    def column(self, offset: int) -> int:
        """The 1-based column of an offset."""
        return offset - self.text.rfind("\n", 0, offset)

    # ------------------------------------------------------------ reporting

    def error(
        self,
        code: str,
        span: Span,
        message: str,
        *,
        notes: Sequence[tuple[str, Span | None]] = (),
        help: str | None = None,
    ) -> None:
        """Report an error, unless one was reported at this very token."""
        if self.at == self._error_at:
            return
        self._error_at = self.at
        self.remark(code, span, message, notes=notes, help=help)

    def remark(
        self,
        code: str,
        span: Span,
        message: str,
        *,
        notes: Sequence[tuple[str, Span | None]] = (),
        help: str | None = None,
    ) -> None:
        """Report an error that does not stand in the way of parsing on."""
        if self.reporter.error_count < MAX_ERRORS:
            self.reporter.error(code, span, message, notes=notes, help=help)
        elif self.reporter.error_count == MAX_ERRORS:
            too_many_errors(self.reporter, span.start)
            self.at = len(self.kinds) - 1
            self.kind = EOF

    def expected(
        self,
        what: str,
        *,
        notes: Sequence[tuple[str, Span | None]] = (),
        help: str | None = None,
        code: str = "E0201",
    ) -> None:
        """Report that something else was expected here.

        When the token found is on a later line, the place is the end of the line that lacks
        something; so the file is the right one at the end of an include, too.
        """
        if self.kind is BAD:  # the lexer has said what is wrong here
            self.silence()
            return
        span = self.span
        if self.at and (self.kind is EOF or self.on_new_line()):
            span = Span(self.previous_end, self.previous_end)
        self.error(code, span, f"expected {what}, found {self.found()}", notes=notes, help=help)

    def found(self) -> str:
        """The current token in words."""
        if self.kind is EOF:
            return "the end of the file"
        text = self.word()
        shown = text if len(text) <= 40 else text[:37] + "..."
        if self.kind is NAME:
            return f"the name `{shown}`"
        if self.kind is NUMBER:
            return f"the number `{shown}`"
        return f"`{shown}`"

    def expect(self, kind: str, after: str) -> bool:
        """Take a token of that kind, or report that it is missing after something."""
        if self.kind == kind:
            self.advance()
            return True
        self.expected(f"`{kind}` {after}")
        return False

    def name(self, what: str) -> tuple[str, Span]:
        """Take a name; an empty one stands for what is missing."""
        if self.kind is NAME:
            span = self.span
            self.advance()
            return self.text[span.start : span.end], span
        if self.kind is BAD:
            span = self.span
            self.advance()
            return "", span
        if not self.kind.isalpha():
            self.expected(what)
            return "", Span(self.previous_end, self.previous_end)
        word, span = self.kind, self.span
        if self.on_new_line() or self.peek() not in _AFTER_NAMES:
            self.expected(what)
            return "", Span(self.previous_end, self.previous_end)
        self.expected(what, help=f"`{word}` is a keyword; choose another name")
        self.advance()
        return word, span

    def silence(self) -> None:
        """Report nothing at the current token: it would be a consequence of an earlier error."""
        self._error_at = self.at

    def semicolon(self) -> None:
        """Take a ``;``, reporting the first of the source only: a habit, not many errors."""
        if not self.semicolons:
            help = "leave out every `;`: statements need nothing between them"
            self.remark("E0204", self.span, "Luma has no `;`", help=help)
        self.semicolons += 1
        self.advance()

    # ------------------------------------------------------------ depth

    def enter(self, levels: int = 1) -> bool:
        """Go deeper; False, with an error, when that is too deep."""
        if self.depth + levels > MAX_NESTING:
            self.too_deep()
            return False
        self.depth += levels
        return True

    def leave(self, levels: int = 1) -> None:
        """Come back from levels that were entered."""
        self.depth -= levels

    def too_deep(self) -> None:
        """Report nesting that is too deep at the current token, once a statement."""
        if self.over_limit:
            return
        self.over_limit = True
        self.error(
            "E0601",
            self.span,
            f"this nests too deeply: the limit is {MAX_NESTING} levels",
            help="split it with `let`s or functions",
        )

    # ------------------------------------------------------------ recovering

    def skip_to_close(self, close: str) -> None:
        """Skip to the bracket that closes the current list and take it.

        Stops before anything that can only begin a statement.
        """
        depth = 0
        while True:
            kind = self.kind
            if kind in STATEMENT_STARTS and kind != "@":
                return
            if kind in _OPENERS:
                depth += 1
            elif kind in _CLOSERS:
                if depth == 0:
                    if kind == close:
                        self.advance()
                    return
                depth -= 1
            elif close != "}" and depth == 0 and self.at_assignment():
                return
            self.advance()

    def skip_statement(self) -> None:
        """Skip at least one token, up to what looks like the start of a statement."""
        self.advance()
        while self.kind not in STATEMENT_STARTS and not (self.kind is NAME and self.on_new_line()):
            self.advance()

    def skip_line(self) -> None:
        """Skip to the next line or keyword of a statement."""
        while self.kind not in STATEMENT_STARTS and not self.on_new_line():
            self.advance()

    def skip_loop_header(self) -> None:
        """Skip to the ``do`` or ``{`` of a loop, within its line."""
        depth = 0
        while self.kind not in ("do", "{", "end", EOF) and (depth > 0 or not self.on_new_line()):
            depth += (self.kind == "(") - (self.kind == ")")
            self.advance()

    def skip_block(self) -> None:
        """Skip a block's content up to the ``end`` that closes it, and take it."""
        depth = 0
        while self.kind is not EOF:
            if self.kind in _BLOCK_OPENERS:
                depth += 1
            elif self.kind == "end":
                if depth == 0:
                    self.advance()
                    return
                depth -= 1
            self.advance()

    def skip_token(self) -> None:
        """Skip one token, so that a loop that took none goes on."""
        self.advance()

    def skip_field(self) -> None:
        """Skip at least one token, up to the next line or what closes a struct."""
        self.advance()
        while self.kind not in STATEMENT_STARTS and self.kind != "}" and not self.on_new_line():
            self.advance()
