"""Long lines are broken where a person breaks them: outside the most parentheses, late."""

from __future__ import annotations

from collections.abc import Iterator

WIDTH = 100

_LOOSE = (" + ", " - ", " && ", " || ", " ? ", " : ", " | ", " & ", " ^ ")
_TIGHT = (" * ", " / ")
_LISTED = (", ", "; ")


def wrapped(line: str) -> Iterator[str]:
    """The line, in pieces of at most ``WIDTH`` characters as far as it can be broken."""
    text = line.lstrip(" ")
    indent = line[: len(line) - len(text)]
    if text.startswith(("#", "//")):  # not of the code: at the margin, whole
        yield text
        return
    while len(indent) + len(text) > WIDTH:
        at = _break(text, WIDTH - len(indent))
        if at is None:
            break
        yield indent + text[:at].rstrip()
        text = text[at:].lstrip()
        if not indent or len(indent) == len(line) - len(line.lstrip(" ")):
            indent += "    "
    yield indent + text


def _break(text: str, limit: int) -> int | None:
    """Where to break: at the place of the least rank, and of that as late as fits."""
    best: tuple[int, int] | None = None
    for at, rank in _places(text):
        if at > limit:
            break
        if at >= 16 and (best is None or rank <= best[1]):
            best = at, rank
    return None if best is None else best[0]


def _places(text: str) -> Iterator[tuple[int, int]]:
    """The places where the text may be broken, each with its rank: the least is the best.

    What is inside fewer parentheses comes first; then commas, loose operators, tight ones.  An
    assignment's value is moved to a line of its own before an operator in parentheses is broken.
    """
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if letter not in " ,;":
            continue
        if text.startswith(_LISTED, at):
            yield at + 2, 8 * depth
        elif text.startswith(_LOOSE, at):
            yield at + 1, 8 * depth + 2
        elif text.startswith(_TIGHT, at):
            yield at + 1, 8 * depth + 4
        elif text.startswith(" = ", at):
            yield at + 3, 8 * depth + 9
