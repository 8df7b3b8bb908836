"""The rules that the documentation shows."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from luma.optimizer.rulefiles.read import RuleFile, known_by_us, read

DOCUMENTATION = "writing-rules.md"


def documented_text() -> str:
    """The rules as text."""
    page = (Path(__file__).parents[2] / "docs" / DOCUMENTATION).read_text(encoding="utf-8")
    return "".join(re.findall(r"^```egg\n(.*?)^```", page, re.MULTILINE | re.DOTALL))


@cache
def documented() -> RuleFile:
    """The rules."""
    return read(DOCUMENTATION, documented_text(), known_by_us())
