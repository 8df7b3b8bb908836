"""How messages are worded: articles, lists, counts, and names that were nearly right."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

#: How many names a misspelt one is compared with at most.
_SUGGESTIONS = 500

#: Beginnings that sound unlike they look: "a uint", "an hvec2".
_SOUNDS = {"uint": "a", "uvec": "a", "uni": "a", "hvec": "an"}


def an(thing: object) -> str:
    """A type or word with its article: ``an int``, ``a uint``, ``a vec3``."""
    word = str(thing)
    lower = word.lower()
    for beginning, article in _SOUNDS.items():
        if lower.startswith(beginning):
            return f"{article} {word}"
    return f"an {word}" if lower[:1] in tuple("aeiou") else f"a {word}"


def listed(words: Iterable[str], last: str = "or") -> str:
    """``a, b or c``."""
    every = list(words)
    if len(every) < 2:
        return "".join(every)
    return f"{', '.join(every[:-1])} {last} {every[-1]}"


def counted(number: int, noun: str) -> str:
    """``1 argument``, ``2 arguments``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def are(number: int) -> str:
    """The verb after a number of things."""
    return "is" if number == 1 else "are"


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate that a misspelt name is nearest to, if it is near.

    One that differs in case and underscores only is nearest, as ``bitCount`` to ``bit_count``.
    """
    every = list(candidates)
    plain = _plain(name)
    same = next((c for c in every if _plain(c) == plain), None)
    if same is not None:
        return same
    likely = [c for c in every if abs(len(c) - len(name)) <= 3][:_SUGGESTIONS]
    near = difflib.get_close_matches(name, likely, n=1, cutoff=0.7)
    return near[0] if near else None


def _plain(name: str) -> str:
    return name.lower().replace("_", "")


def did_you_mean(name: str, candidates: Iterable[str]) -> str | None:
    """The help that proposes the candidate nearest to a misspelt name."""
    near = nearest(name, candidates)
    return None if near is None else f"did you mean `{near}`?"


def is_misspelling(word: str, keyword: str) -> bool:
    """Whether a word looks like a keyword with a slip: in its case, or of a letter or two.

    The shorter the keyword, the less may differ, because short names are common.
    """
    lower = word.lower()
    if lower == keyword:
        return True
    if sorted(lower) == sorted(keyword):  # letters swapped
        return _distance(lower, keyword) == 1
    if len(keyword) < 3:
        return False
    if len(keyword) == 3:  # a letter too many or too few
        return abs(len(lower) - 3) == 1 and len(lower) > 1 and _distance(lower, keyword) == 1
    return _distance(lower, keyword) <= (2 if len(keyword) >= 6 else 1)


def _distance(left: str, right: str) -> int:
    """The edit distance of two words, counting two neighbours swapped as one edit; at most 3."""
    if abs(len(left) - len(right)) > 2:
        return 3
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, x in enumerate(left, start=1):
        new = [i]
        for j, y in enumerate(right, start=1):
            cost = min(row[j] + 1, new[-1] + 1, row[j - 1] + (x != y))
            if i > 1 and j > 1 and x == right[j - 2] and left[i - 2] == y:
                cost = min(cost, before[j - 2] + 1)
            new.append(cost)
        before, row = row, new
    return min(row[-1], 3)
