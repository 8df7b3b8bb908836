"""The tokens of a target's text, and the text with no more white space than keeps them apart.

What is left is what a minifier that renames nothing would leave: it lets texts be compared whatever
their comments, indentation and blank lines.
"""

from __future__ import annotations

import re
from functools import lru_cache

#: Longest first; a language that lacks one of them never has its characters side by side.
_OPERATORS = "<<= >>= << >> <= >= == != && || ^^ ++ -- += -= *= /= %= &= |= ^= -> ::"

_TOKEN = re.compile(
    r"""
      (?P<space>\s+)
    | (?P<line>//[^\n]*)
    | (?P<comment>/\*)
    | (?P<token>
          "(?:[^"\\\n]|\\.)*"?
        | \.?\d(?:[eEpP][+-]|[\w.])*
        | \w+
        | OPERATOR
        | .
      )
    """.replace("OPERATOR", " | ".join(re.escape(o) for o in _OPERATORS.split())),
    re.VERBOSE | re.DOTALL,
)
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"', re.DOTALL)
_DIRECTIVE = re.compile(r"[ \t]*#(?:[^\n\\]|\\.)*", re.DOTALL)
_NESTING = re.compile(r"/\*|\*/")


def tokens(text: str, *, nested: bool = False) -> list[str]:
    """The tokens of a text in a C-like language, a preprocessor's directive being one.

    A string that is not ended is one too, up to the end of its line.
    ``nested`` tells that comments nest, as they do in WGSL.
    """
    found: list[str] = []
    at, fresh = 0, True  # fresh: nothing but white space stands before on the line
    while at < len(text):
        if fresh and (directive := _DIRECTIVE.match(text, at)):
            words = _uncommented(directive[0], nested).replace("\\\n", " ").split()
            found.append(" ".join(words).rstrip("\\ "))  # at the end there is no line to join
            at = directive.end()
            continue
        match = _TOKEN.match(text, at)
        assert match is not None  # some alternative takes any character
        at = match.end()
        if match["comment"]:
            at = _end_of_comment(text, at, nested)
        elif match["token"]:
            found.append(match["token"])
        fresh = "\n" in match[0] if match["space"] else fresh and not match["token"]
    return found


def _end_of_comment(text: str, at: int, nested: bool) -> int:
    """Where a comment ends whose opening ends at ``at``."""
    depth = 1
    while depth and (mark := _NESTING.search(text, at)):
        at = mark.end()
        if mark[0] == "*/":
            depth -= 1
        elif nested:
            depth += 1
    return len(text) if depth else at


def _uncommented(line: str, nested: bool) -> str:
    """A directive without the comments in it."""
    line, at = line.split("//")[0], 0
    while (start := line.find("/*", at)) >= 0:
        line = line[:start] + " " + line[_end_of_comment(line, start + 2, nested) :]
        at = start + 1
    return line


def squeeze(text: str, *, nested: bool = False) -> str:
    """The text without comments and with only the white space that keeps its tokens apart."""
    parts: list[str] = []
    before = ""
    for token in tokens(text, nested=nested):
        if before.startswith('"') and not _STRING.fullmatch(before):
            parts.append("\n")  # only that ends it
            before = ""
        if token.startswith("#"):
            parts.append(f"{token}\n" if not parts or parts[-1].endswith("\n") else f"\n{token}\n")
            before = ""
            continue
        if before and _would_merge(before, token):
            parts.append(" ")
        parts.append(token)
        before = token
    return "".join(parts)


@lru_cache(maxsize=4096)
def _would_merge(first: str, second: str) -> bool:
    return tokens(first + second) != [first, second]
