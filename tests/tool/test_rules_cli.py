"""``luma rules`` and ``--rules``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from luma.cli.commands import luma
from luma.optimizer.egraph import RULE_FILES, rule_path
from luma.optimizer.rulefiles.read import ours

SHADER = """\
struct In
  @location(0) x: float
end
struct Out
  @location(0) color: vec4
end
@entry(fragment)
function main(i: In) -> Out
  return Out { color = vec4(sin(i.x)) }
end
"""
SINE = """\
; sin x = x
; test: sin(x) * 2.0 => x * 2.0
(rewrite (Sin t x) x :subsume :ruleset exact :name "my-sine")
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shade.luma").write_text(SHADER)
    (tmp_path / "sine.egg").write_text(SINE)
    return tmp_path


def _luma(*args: str) -> Result:
    return CliRunner().invoke(luma, args)


def test_compile_takes_rules(folder: Path) -> None:
    assert "sin(" in _luma("compile", "shade.luma").stdout
    assert "sin(" not in _luma("compile", "shade.luma", "--rules", "sine.egg").stdout
    assert "sin " not in _luma("dump-ir", "shade.luma", "--rules", "sine.egg").stdout


def test_the_configuration_names_rules(folder: Path) -> None:
    (folder / "pyproject.toml").write_text('[tool.luma]\nrules = ["sine.egg"]\n')
    (folder / "deep").mkdir()
    (folder / "deep" / "shade.luma").write_text(SHADER)
    assert "sin(" not in _luma("compile", "deep/shade.luma").stdout
    assert "sin(" not in _luma("compile", "shade.luma").stdout
    for command in ("compile", "stats", "explain", "bench size"):
        again = _luma(*command.split(), "shade.luma", "--rules", "sine.egg")
        assert again.exit_code == 0, again.stderr


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[tool.luma", "cannot be read"),
        ("[tool.luma]\nrules = 3", "no list of paths"),
        ("[tool.luma]\nrules = [1]", "no list of paths"),
        ("[tool.luma]\nrules = 'sine.egg'", "no list of paths"),
        ("[tool.luma]\nrules = ['none.egg']", "no rule file 'none.egg'"),
        ("[tool.luma]\nrules = ['', 'sine.egg']", "no rule file ''"),
        ('[tool.luma]\nrules = ["\\u0000"]', "no rule file"),
        ("[tool.luma]\nrule = ['sine.egg']", "has no 'rule'"),
        ("tool = 3", "'tool' is no table"),
        ("[[tool.luma]]", "'luma' is no table"),
        (f"a = {'[' * 3000}", "cannot be read"),
        (f"a = {'1' * 6000}", "cannot be read"),
    ],
)
def test_a_malformed_configuration(folder: Path, text: str, words: str) -> None:
    (folder / "pyproject.toml").write_text(text)
    result = _luma("compile", "shade.luma")
    assert result.exit_code == 1 and "error[E0914]: in '" in result.stderr
    assert words in result.stderr


def test_configurations_that_are_none(folder: Path) -> None:
    place = folder / "pyproject.toml"
    for text in ("", "[tool]", "[tool.luma]", "[tool.other]\nrules = 3"):
        place.write_text(text)
        assert _luma("compile", "shade.luma").exit_code == 0
    place.write_text("\ufeff[tool.luma]\nrules = ['sine.egg']")
    assert "sin(" not in _luma("compile", "shade.luma").stdout


def test_errors_have_places(folder: Path) -> None:
    (folder / "bad.egg").write_text("; x\n(rewrite (Sine t x) x)\n")
    result = _luma("compile", "shade.luma", "--rules", "bad.egg")
    assert result.exit_code == 1 and result.stdout == ""
    assert " --> bad.egg:2:11" in result.stderr and "did you mean 'Sin'?" in result.stderr
    assert _luma("compile", "shade.luma", "--rules", "none.egg").exit_code == 1


def test_list(folder: Path) -> None:
    (line,) = _luma("rules", "list", "sine.egg").stdout.splitlines()
    assert line.split() == ["my-sine", "exact", "exact", "sin", "x", "=", "x", "(sine.egg:3)"]
    lines = _luma("rules", "list").stdout.splitlines()
    assert len(lines) == sum(len(f.rules) for f in ours())
    (folder / "none.egg").touch()
    assert _luma("rules", "list", "none.egg").stdout == ""
    rows = json.loads(_luma("rules", "list", "--json").stdout)
    assert {row["class"] for row in rows} == {"exact", "fast"}
    assert all(row["comment"] and row["name"] and row["line"] for row in rows)


def test_check_tells_verdicts_and_counterexamples(folder: Path) -> None:
    result = _luma("rules", "check", "sine.egg", "--points", "2000")
    assert result.exit_code == 1
    assert "my-sine  wrong" in result.stdout
    assert "error[E0910]: 'my-sine' is not true as an exact rule" in result.stderr
    assert "note: x = " in result.stderr and "left " in result.stderr
    told = json.loads(_luma("rules", "check", "sine.egg", "--points", "2000", "--json").stdout)
    assert told["rules"][0]["verdict"] == "wrong"
    assert told["diagnostics"][0]["code"] == "E0910"


def test_check_finds_nothing_wrong_with_ours() -> None:
    name = rule_path(next(n for n in RULE_FILES if n == "order.egg"))
    result = _luma("rules", "check", name)
    assert result.exit_code == 0 and result.stderr == "" and "proved at" in result.stdout


def test_check_without_its_libraries(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    import luma.optimizer.rulefiles as package

    for name in ("truth", "sampling", "proof"):
        monkeypatch.delitem(sys.modules, f"luma.optimizer.rulefiles.{name}", raising=False)
        monkeypatch.delattr(package, name, raising=False)
    monkeypatch.setitem(sys.modules, "z3", None)
    result = _luma("rules", "check", "sine.egg")
    assert result.exit_code == 1
    assert "error[E0913]" in result.stderr and "pip install 'luma-shader[rules]'" in result.stderr


def test_cases(folder: Path) -> None:
    result = _luma("rules", "test", "sine.egg")
    assert result.exit_code == 0 and result.stdout == "ok      sin(x) * 2.0 => x * 2.0\n"
    (folder / "fails.egg").write_text(SINE.replace("=> x * 2.0", "=> x * 3.0"))
    result = _luma("rules", "test", "fails.egg")
    assert result.exit_code == 1 and result.stdout.startswith("FAILED")
    assert "error[E0912]" in result.stderr and " --> fails.egg:2:1" in result.stderr
    assert "-%1: float = const 3.0" in result.stderr and "+%1: float = const 2.0" in result.stderr


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ("sin(x)", "a case has the form"),
        ("sin(x) => nosuch(x)", "there is no function"),
        ("sin(x) => sin(x", "the case is no Luma"),
        ("sin(x) => true", "does not become"),
    ],
)
def test_cases_that_are_none(folder: Path, case: str, words: str) -> None:
    (folder / "odd.egg").write_text(SINE + f"; test: {case}\n")
    result = _luma("rules", "test", "odd.egg")
    assert result.exit_code == 1 and words in result.stderr


def test_cases_with_types_and_a_library(folder: Path) -> None:
    (folder / "library.luma").write_text("function halved(v: vec3) -> vec3 return v * 0.5 end\n")
    (folder / "half.egg").write_text(
        '; include: "library.luma"\n; half of a double\n'
        "; test (v: vec3): halved(v + v) => v\n; test (v: vec3, x: float): v * x => v * x\n"
        '(rewrite (Call t "halved" (Add t v v)) v :subsume :ruleset fast :name "h")\n'
    )
    result = _luma("rules", "test", "half.egg")
    assert result.exit_code == 0, result.stderr
    assert "ok      (v: vec3): halved(v + v) => v" in result.stdout


@pytest.mark.parametrize("command", ["check", "test"])
def test_wrong_usage_and_files(folder: Path, command: str) -> None:
    assert _luma("rules", command).exit_code == 2
    assert "E0807" in _luma("rules", command, "none.egg").stderr
    (folder / "binary.egg").write_bytes(b"\xff\xfe\x00")
    assert "E0101" in _luma("rules", command, "binary.egg").stderr
