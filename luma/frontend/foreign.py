"""What people type out of habit from Lua, C and GLSL, and how it is said in Luma."""

from __future__ import annotations

#: Operators of other languages: the Luma operator that is meant, and what to say.
BINARY: dict[str, tuple[str, str]] = {
    "&&": ("and", "write `and`"),
    "||": ("or", "write `or`"),
    "~=": ("!=", "not equal is `!=`; exclusive or is `x = x ~ y`"),
    "===": ("==", "write `==`"),
    "!==": ("!=", "write `!=`"),
    "^": ("*", "a power is `pow(x, y)`, exclusive or is `~`"),
    "**": ("*", "a power is `pow(x, y)`"),
    "..": ("+", "Luma has no strings to join, and a range is `for i = first, stop do`"),
    "...": ("+", "a function has a fixed list of parameters"),
    "::": ("+", "Luma has no namespaces"),
    "=>": (">=", "greater or equal is `>=`"),
}

#: Compound assignments of other languages: the operator, and what to say.
ASSIGNMENT: dict[str, tuple[str, str]] = {
    "<<=": ("<<", "write `x = x << n`"),
    ">>=": (">>", "write `x = x >> n`"),
    "&=": ("&", "write `x = x & y`"),
    "|=": ("|", "write `x = x | y`"),
    "^=": ("~", "exclusive or is `x = x ~ y`"),
}

#: Words that begin a statement elsewhere, when they stand where only a name is possible.
STATEMENT: dict[str, str] = {
    "break": "leave a loop through its condition, or put it in a function and `return`",
    "continue": "put the rest of the loop's body in an `if`",
    "goto": "use `if`, `while` or a function",
    "until": "write `while not condition do ... end`",
    "repeat": "write `while not condition do ... end`",
    "switch": "write `if ... elseif ... else ... end`",
    "case": "write `if ... elseif ... else ... end`",
    "default": "write `if ... elseif ... else ... end`",
    "try": "shaders have no exceptions",
    "discard": "it is a function: write `discard()`",
}

#: Words before a name that declare a variable elsewhere.
DECLARATORS = frozenset(("local", "var", "auto", "val", "mut", "static", "final"))

#: Words for ``function``.
FUNCTION_WORDS = frozenset(("fn", "func", "def", "fun", "proc"))

#: Misspellings of ``elseif``.
ELSEIF_WORDS = frozenset(("elif", "elsif", "elsei", "elseIf"))

#: Words for ``end``.
END_WORDS = frozenset(
    ("endif", "endfor", "endwhile", "endfunction", "endstruct", "endloop", "fi", "done", "od")
)

#: Words that begin a declaration elsewhere.
DECLARATION: dict[str, str] = {
    "local": "leave it out: functions and consts belong to the module",
    "static": "leave it out",
    "inline": "leave it out: the optimizer decides",
    "extern": "leave it out",
    "export": "leave it out",
    "public": "leave it out",
    "layout": "write `@location(n)` on a struct field, `@group(n) @binding(n)` on a uniform",
    "in": "inputs are parameters of the entry point",
    "out": "outputs are what the entry point returns",
    "varying": "mark a struct with `@varying`",
    "attribute": "inputs are parameters of the entry point",
    "groupshared": "write `shared name: T`",
    "workgroup": "write `shared name: T`",
    "cbuffer": "write `uniform name: StructName`",
    "typedef": "Luma has no type aliases",
    "type": "Luma has no type aliases; a struct is `struct Name ... end`",
    "enum": "write a `const` for each value",
    "import": '`#include "path"` inserts a file',
    "require": '`#include "path"` inserts a file',
    "precision": "types say their precision: `half` or `float`",
    "void": "write `function name(...)` without `->`",
}

#: Names in an expression that stand for a missing value elsewhere.
NOTHING = frozenset(("nil",))
