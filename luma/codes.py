"""Every diagnostic code with a one-line title; ``docs/errors.md`` explains them."""

from __future__ import annotations

#: Titles by code, in order.  A code never changes its meaning and is never used again.
CODES: dict[str, str] = {
    # E01xx: files, directives and tokens.
    "E0101": "the file is not UTF-8 text",
    "E0102": "the file holds a NUL character",
    "E0103": "a directive is not written right",
    "E0104": "Luma has no such directive",
    "E0105": "an included file was not found",
    "E0106": "an included file cannot be read",
    "E0107": "a file includes itself",
    "E0108": "a block comment is never closed",
    "E0110": "a character has no meaning in Luma",
    "E0111": "a number is not written right",
    "E0112": "a name is not made of ASCII letters, digits and `_`",
    "E0113": "a comment of C",
    "E0114": "Luma has no strings",
    "E0115": "`#` is not the first character of its line",
    # E02xx: syntax.
    "E0201": "something else was expected here",
    "E0202": "an `end` is missing",
    "E0203": "nothing is open that this could close or continue",
    "E0204": "Luma says this in another way",
    "E0205": "comparisons do not chain",
    "E0206": "an expression is no statement",
    "E0207": "this is not a place that can be assigned",
    "E0208": "a declaration stands in the wrong place",
    "E0209": "an attribute stands before nothing that takes it",
    "E0210": "a function without `->` returns a value",
    "E0211": "a type is missing",
    "E0212": "a type is not possible here",
    "E0213": "only functions can be called, by their names",
    # E06xx: limits.
    "E0601": "nesting is too deep, or an expression too long",
    "E0602": "a name or number is too long",
    "E0603": "includes nest too deeply",
    "E0604": "the source is too long",
    "E0605": "too many includes",
    "E0606": "too many errors",
}
