"""The table of codes, the page about them and the compiler agree."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from luma.codes import CODES
from luma.diagnostics import Level
from tests.frontend.checking import run

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
_SECTION = re.compile(r"^### ([EW]\d{4}): (.*)$", re.MULTILINE)
_BLOCK = re.compile(r"^```luma\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: Codes of what happens after the check, or before the source is text: no source alone gives them.
_NO_EXAMPLE = ("E06", "E07", "E08", "E09", "W098", "W099")


def _sections() -> dict[str, str]:
    heads = list(_SECTION.finditer(PAGE))
    ends = [h.start() for h in heads[1:]] + [len(PAGE)]
    return {h.group(1): PAGE[h.end() : end] for h, end in zip(heads, ends, strict=True)}


SECTIONS = _sections()
EXAMPLES = {c: _BLOCK.findall(text) for c, text in SECTIONS.items() if _BLOCK.search(text)}


def test_the_page_documents_every_code_under_its_title() -> None:
    assert {m.group(1): m.group(2) for m in _SECTION.finditer(PAGE)} == CODES


def test_the_page_is_in_order() -> None:
    assert list(SECTIONS) == list(CODES)


def test_every_code_in_the_compiler_is_in_the_table() -> None:
    used: set[str] = set()
    for folder in ("luma", "backends"):
        for path in (ROOT / folder).rglob("*.py"):
            if path.name != "codes.py":
                used |= set(re.findall(r"\"([EW]0\d{3})\"", path.read_text(encoding="utf-8")))
    assert sorted(used - set(CODES)) == []


def test_every_code_of_the_checker_has_an_example() -> None:
    owed = [c for c in CODES if not c.startswith(_NO_EXAMPLE) and c[:3] not in ("E01", "E02")]
    assert [c for c in owed if c not in EXAMPLES] == []


@pytest.mark.parametrize("code", EXAMPLES)
def test_the_example_gives_exactly_its_code(code: str) -> None:
    for source in EXAMPLES[code]:
        found = run(source)[1]
        level = Level.WARNING if code.startswith("W") else Level.ERROR
        assert [d.code for d in found if d.level is level] == [code]
