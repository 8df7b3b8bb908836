"""The rules that the documentation shows."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from luma.optimizer.rulefiles.read import RuleFile, known_by_us, read
from luma.optimizer.rulefiles.render import called_in
from luma.optimizer.rulefiles.tree import Call, Rule, walk

DOCUMENTATION = "writing-rules.md"
PAGE = Path(__file__).parents[2] / "docs" / DOCUMENTATION


def blocks(language: str) -> list[str]:
    """The page's code in one language."""
    text = PAGE.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


@cache
def documented() -> RuleFile:
    """The rules."""
    return read(DOCUMENTATION, "\n".join(blocks("egg")), known_by_us())


def judged_by_itself(rule: Rule) -> bool:
    """Whether a rule speaks of nothing that only its author knows: own facts, own functions."""
    patterns = [rule.left, *(s for f in (*rule.conditions, *rule.states) for s in f.sides)]
    own = {p.name for side in patterns for p in walk(side) if isinstance(p, Call)}
    return not own & documented().declared and not called_in(rule.left)
