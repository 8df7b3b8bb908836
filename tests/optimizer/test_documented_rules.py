"""What the page about writing rules shows is what happens."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from luma.cli.commands import luma
from luma.rule_cases import run_cases
from tests.optimizer.documented import blocks, documented

RULES, WRONG = blocks("egg"), "add-nothing"


def _transcripts() -> list[tuple[str, str]]:
    """The commands that the page shows, with what they print."""
    found = []
    for block in blocks("console"):
        for part in block.split("$ ")[1:]:
            command, _, output = part.partition("\n")
            if command.startswith("luma rules") and output:
                found.append((command, output))
    return found


@pytest.mark.parametrize(("command", "output"), _transcripts())
def test_a_command_prints_what_the_page_shows(
    command: str, output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = RULES[0]
    if WRONG in output:
        text = "; x\n" + next(line[4:] for line in output.splitlines() if line.startswith("2 | ("))
    Path("project.egg").write_text(text)
    result = CliRunner().invoke(luma, command.split()[1:])
    assert output.strip() in (result.stdout + "\n" + result.stderr)


def test_the_cases_on_the_page_pass() -> None:
    results = run_cases([documented()])
    assert len(results) >= 3
    assert [r.problem for r in results if r.problem] == []


def test_its_rules_are_checked_without_errors(tmp_path: Path) -> None:
    file = tmp_path / "page.egg"
    file.write_text("\n".join(RULES))
    result = CliRunner().invoke(luma, ["rules", "check", str(file)])
    assert result.exit_code == 0, result.stderr
    assert {w for w in ("W0980", "W0981") if w in result.stderr} == set()
