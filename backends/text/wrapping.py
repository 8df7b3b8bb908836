"""Long lines are broken where a person breaks them: outside the most parentheses, late."""

from __future__ import annotations

from collections.abc import Iterator

WIDTH = 100

_LOOSE = (" + ", " - ", " && ", " || ", " ? ", " : ", " | ", " & ", " ^ ")
_TIGHT = (" * ", " / ")
_LISTED = (", ", "; ")


def wrapped(line: str) -> Iterator[str]:
    """The line, in pieces of at most ``WIDTH`` characters as far as it can be broken.

    A piece stands four columns inside the one that opened the parentheses it is in.
    """
    text = line.lstrip(" ")
    start = len(line) - len(text)
    if text.startswith(("#", "//")):  # not of the code: at the margin, whole
        yield text
        return
    indent, opened = start, list[int]()
    while indent + len(text) > WIDTH:
        at = _break(text, WIDTH - indent)
        if at is None:
            break
        piece = text[:at].rstrip()
        yield " " * indent + piece
        _follow(piece, indent, opened)
        text = text[at:].lstrip()
        indent = (opened[-1] if opened else start) + 4
    yield " " * indent + text


def _follow(piece: str, indent: int, opened: list[int]) -> None:
    """Keep track of the indentation of the lines that opened each parenthesis still open."""
    for letter in piece:
        if letter in "([{":
            opened.append(indent)
        elif letter in ")]}" and opened:
            opened.pop()


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
