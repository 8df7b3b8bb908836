"""The lexer: expanded source text to tokens.

A token is a kind and two offsets, held in three parallel lists.  The kind of a keyword or of
punctuation is its own text, so the parser compares short strings and slices names out of the
text only where it needs them.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction

from luma.diagnostics import Reporter
from luma.language.numbers import f16, f32
from luma.source import Span

NAME = "<name>"
NUMBER = "<number>"
#: Stands for something whose error the lexer has reported; the parser takes it as an operand.
BAD = "<bad>"
EOF = "<eof>"

_WORDS = (
    "function end let return if then elseif else for while do in and or not true false "
    "struct uniform buffer const shared"
)
KEYWORDS: dict[str, str] = {word: word for word in _WORDS.split()}

#: Longest name or number, in characters: GLSL compilers reject tokens of more than 1024, and a
#: backend may add to a name.
MAX_TOKEN = 512

#: Errors after which the rest of a source is not looked at.
MAX_ERRORS = 100

#: Kinds that only other languages have: they are lexed whole so that the parser can name the
#: Luma way.
_FOREIGN = "... .. === !== ~= && || ++ ** :: => <<= >>= &= |= ^= // /* ! ? ; ^"
_OWN = "-> == != <= >= << >> += -= *= /= %= ( ) [ ] { } . , : = < > + - * / % & | ~ @"
_SYMBOLS = "|".join(
    re.escape(symbol) for symbol in sorted(f"{_FOREIGN} {_OWN}".split(), key=len, reverse=True)
)

# A number is scanned as far as letters, digits and dots go and judged afterwards, so that `1.0f`
# and `1..2` are one error each.
_SCAN = re.compile(
    r"""[ \t\n\r\f\v]*(?:
      (?P<name>[^\W\d]\w*)
    | (?P<comment>--(?:\[(?P<level>=*)\[(?:.*?\](?P=level)\]|(?P<unclosed>))|[^\n]*))
    | (?P<number>0[xX][\w.]*|\.?[0-9](?:[eE][+-](?=[0-9])|[\w.])*)
    | (?P<string>"[^"\n]*"?|'[^'\n]*'?)
    | (?P<symbol>"""
    + _SYMBOLS
    + r""")
    | (?P<other>[^\w\s"'#()\[\]{}.,:=<>+\-*/%&|~@!?;^]+|.)
    | (?P<eof>\Z)
    )""",
    re.VERBOSE | re.DOTALL,
)

_DECIMAL = re.compile(r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_HEXADECIMAL = re.compile(r"0[xX][0-9a-fA-F]+")

#: Characters that editors and word processors put where ASCII was meant.
_LOOKALIKES = {
    "\u2212": "-",
    "\u2013": "-",
    "\u2014": "--",
    "\u00d7": "*",
    "\u00f7": "/",
    "\u2264": "<=",
    "\u2265": ">=",
    "\u2260": "!=",
    "\u2192": "->",
    "\u201c": '"',
    "\u201d": '"',
    "\u2018": "'",
    "\u2019": "'",
    "\u00a0": "an ordinary space",
    "\u200b": "nothing (it is a zero-width space)",
    "\ufeff": "nothing (it is a byte order mark)",
}


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a text; the last is always :data:`EOF` at the text's end."""

    kinds: list[str]
    starts: list[int]
    ends: list[int]


def lex(text: str, reporter: Reporter) -> Tokens:
    """Split a text into tokens, reporting what is none.

    Lexing always reaches the end: what has been reported is left out or becomes :data:`BAD`.
    """
    tokens = Tokens([], [], [])
    kinds, starts, ends = tokens.kinds, tokens.starts, tokens.ends
    keyword = KEYWORDS.get
    skip_to = 0
    for match in _SCAN.finditer(text):
        group = match.lastgroup
        start, end = match.span(group or 0)
        if start < skip_to:
            continue
        if reporter.error_count >= MAX_ERRORS:
            too_many_errors(reporter, start)
            break
        if group == "name":
            word = match[group]
            kind = keyword(word, NAME)
            if kind is NAME and not (end - start <= MAX_TOKEN and word.isascii()):
                _check_name(reporter, word, start)
        elif group == "symbol":
            kind = match[group]
            if kind == "//" or kind == "/*":
                skip_to = _foreign_comment(text, reporter, kind, start)
                if kind == "/*" or not _divides(text, kinds, ends, start):
                    continue
                kind, skip_to = "/", 0
        elif group == "number":
            kind = _number(reporter, match[group], start)
        elif group == "comment":
            if match["unclosed"] is not None:
                _unclosed(reporter, start, match.end("level") + 1)
                break
            continue
        elif group == "eof":
            break
        else:
            found = _other(reporter, text[start:end], start)
            if text[start] == "#":
                skip_to = _line_end(text, start)
            if found is None:
                continue
            kind = found
        kinds.append(kind)
        starts.append(start)
        ends.append(end)
    kinds.append(EOF)
    starts.append(len(text))
    ends.append(len(text))
    return tokens


def too_many_errors(reporter: Reporter, at: int) -> None:
    """Report, once, that the rest of the source is not looked at."""
    if reporter.error_count == MAX_ERRORS:
        reporter.error("E0606", Span(at, at), "too many errors; the rest is not looked at")


def number_value(text: str) -> tuple[int | float, bool]:
    """The value of a well-formed number, and whether it has a fraction or exponent."""
    if text[:2] in ("0x", "0X"):
        return int(text, 16), False
    if text.isdigit():
        return int(text), False
    return _narrowable(text), True


def _narrowable(text: str) -> float:
    """The number as a float that rounds to the same binary32 and binary16 as the text itself.

    Where the nearest float lies halfway between two narrower ones, rounding twice could take the
    wrong one; then the neighbour on the text's side is taken.
    """
    value = float(text)
    below, above = math.nextafter(value, -math.inf), math.nextafter(value, math.inf)
    if not math.isfinite(value) or (f32(below) == f32(above) and f16(below) == f16(above)):
        return value
    exact = Fraction(text)
    if exact == value:
        return value
    return above if exact > value else below


def _number(reporter: Reporter, text: str, start: int) -> str:
    span = Span(start, start + len(text))
    if len(text) > MAX_TOKEN:
        reporter.error("E0602", span, f"a number may have at most {MAX_TOKEN} characters")
        return BAD
    if _DECIMAL.fullmatch(text) or _HEXADECIMAL.fullmatch(text):
        return NUMBER
    reporter.error("E0111", span, f"`{text}` is not a number", help=_number_help(text))
    return BAD


def _number_help(text: str) -> str:
    digits = _DECIMAL.match(text)
    rest = text[digits.end() :] if digits else text
    lower = text.lower()
    if lower.startswith("0x"):
        return "a hexadecimal number is `0x` and hexadecimal digits, like `0x1F`"
    if lower.startswith(("0b", "0o")):
        return "numbers are decimal or hexadecimal; write it as `0x...`"
    if "_" in text:
        return "digits are not grouped with `_`"
    if text.find("..") >= 0:
        return "Luma has no `..`; a loop over a range is `for i = first, stop do`"
    if rest.lower() in ("f", "u", "h", "l", "lf", "i", "ul"):
        return "numbers have no suffix: the type comes from the context or a constructor"
    if rest.lower() == "e":
        return "an exponent needs digits, like `1e-3`"
    return "leave a space between a number and what follows it"


def _check_name(reporter: Reporter, word: str, start: int) -> None:
    span = Span(start, start + len(word))
    if len(word) > MAX_TOKEN:
        reporter.error("E0602", span, f"a name may have at most {MAX_TOKEN} characters")
    if not word.isascii():
        reporter.error(
            "E0112",
            span,
            f"`{word[:40]}` is not a name: names are made of ASCII letters, digits and `_`",
            help="any text may stand in a comment",
        )


def _foreign_comment(text: str, reporter: Reporter, kind: str, start: int) -> int:
    """Report a C comment and give the offset after it."""
    reporter.error(
        "E0113",
        Span(start, start + 2),
        f"`{kind}` does not start a comment",
        help="write `-- to the end of the line` or `--[[ a block ]]`; division is `/`",
    )
    if kind == "//":
        return _line_end(text, start)
    close = text.find("*/", start)
    return len(text) if close < 0 else close + 2


#: What a division may go on with on its line: operands with operators and brackets between.
_OPERAND = r"[-(\s]*(?:[A-Za-z_][\w.]*|[0-9.]+(?!\w))[)\]\s]*"
_REST = re.compile(
    rf"{_OPERAND}(?:(?:[-+*/%<>&|~,(\[]|[=!<>]=|(?:and|or)\b){_OPERAND})*"
    r"(?:(?:then|do|end|else)\b.*|[})\],;]*(?:--.*)?)",
)


def _divides(text: str, kinds: list[str], ends: list[int], start: int) -> bool:
    """Whether a ``//`` is meant as a division: a value stands before it and another after it.

    A comment of one word may be taken for a value, too; it then has one error all the same.
    """
    if not kinds or text.find("\n", ends[-1], start) >= 0:
        return False
    value_before = kinds[-1] in (NAME, NUMBER, ")", "]")
    line = text[start + 2 : min(_line_end(text, start), start + _LONGEST_REST)]
    return value_before and _REST.fullmatch(line.strip()) is not None


#: Longest rest of a line that is looked at to tell a division from a comment, in characters.
_LONGEST_REST = 200


def _unclosed(reporter: Reporter, start: int, end: int) -> None:
    reporter.error(
        "E0108",
        Span(start, end),
        "this block comment is never closed",
        help=f"close it with `{comment_close(end - start)}`",
    )


def comment_close(opening: int) -> str:
    """What closes a block comment whose opening has that many characters."""
    return "]" + "=" * (opening - 4) + "]"


def _other(reporter: Reporter, found: str, start: int) -> str | None:
    """Report a string or stray characters; the kind of the token that stands for them, if any."""
    span = Span(start, start + len(found))
    if found[0] in "\"'":
        reporter.error("E0114", span, "Luma has no strings")
        return BAD
    if found[0] == "#":
        reporter.error(
            "E0115", span, "`#` starts a directive only as the first character of its line"
        )
        return None
    meant = _LOOKALIKES.get(found)
    reporter.error(
        "E0110",
        span,
        f"{_shown(found)} has no meaning in Luma",
        help=None if meant is None else f"write {meant if ' ' in meant else f'`{meant}`'}",
    )
    return meant if meant in _OWN.split() else None


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def _shown(found: str) -> str:
    if len(found) == 1:
        return f"`{found}`" if found.isprintable() else f"the character U+{ord(found):04X}"
    return f"`{found[:20]}`" if found.isprintable() else f"a run of {len(found)} characters"
