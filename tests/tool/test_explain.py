"""``luma explain`` and ``luma.explain``: what they tell, and how."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

import luma
from luma.explanation import Derivation
from luma.optimizer.egraph import rule_path

SHADE = """
uniform tint: vec4
function bright(c: vec3) -> float
    return dot(c, vec3(0.25, 0.5, 0.25))
end
@entry(fragment)
function shade(uv: vec2, n: vec3) -> (color: vec4)
    let half_turn = 3.0 * 0.5
    let glow = pow(uv.x, 4.0) * half_turn
    let facing = n / length(n)
    let plain = max(uv.x, uv.y)
    let unused = sin(uv.y)
    let light = bright(facing) * 1.0
    let doubled = light + 0.0
    return { color = tint * vec4(facing, glow + plain + doubled) }
end
"""
BAD = "function f() -> float\n    return 1.0 + true\nend\n"


def _ran(folder: Path, *arguments: str, seed: str = "0") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "luma", "explain", *arguments]
    env = {**os.environ, "PYTHONHASHSEED": seed}
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env=env)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "shade.luma").write_text(SHADE)
    (tmp_path / "bad.luma").write_text(BAD)
    return tmp_path


def _one(name: str, opt: str = "aggressive") -> Derivation:
    (found,) = luma.explain(SHADE, opt=opt).why(name)
    return found


def test_the_module_is_what_compiling_gives() -> None:
    for opt in ("none", "basic", "aggressive"):
        told = luma.explain(SHADE, opt=opt)
        result = luma.compile(SHADE, opt=opt)
        assert told.module == result.module
        assert told.bytes_after == len(result.output)
        assert told.bytes_before == len(luma.compile(SHADE, opt="none").output)


def test_passes_add_up() -> None:
    told = luma.explain(SHADE, opt="aggressive")
    names = [p.name for p in told.passes]
    assert names[0] == "clean" and names[-1] == "rules" and "inline" in names
    for function in told.functions:
        sizes = [p.functions[function.name] for p in told.passes]
        assert sizes[0][0] == function.instructions_before
        assert sizes[-1][1] == function.instructions_after
        assert all(a[1] == b[0] for a, b in pairwise(sizes))


def test_rules_add_up() -> None:
    (shade,) = luma.explain(SHADE, opt="aggressive").functions
    saved = sum(r.saved for r in shade.rules)
    assert saved == shade.cost_before - shade.cost_after > 0
    for rule in shade.rules:
        assert rule.fired >= rule.changed >= 0 and rule.fired >= rule.used >= 0
        assert rule.summary
    (four,) = [r for r in shade.rules if r.name == "pow-four"]
    assert (four.ruleset, four.fired, four.used) == ("fast", 1, 1) and four.saved > 0
    text = Path(rule_path(four.file)).read_text().split("\n")
    assert '"pow-four"' in text[four.line - 1]


def test_a_value_that_was_rewritten() -> None:
    glow = _one("glow")
    assert glow.outcome == "rewritten" and glow.line == "<string>:9"
    assert glow.source == "pow(uv.x, 4.0) * half_turn"
    assert [(s.rule, s.before, s.after) for s in glow.steps if s.rule == "pow-four"] == [
        ("pow-four", "pow(uv.x, 4.0)", "uv.x * uv.x * (uv.x * uv.x)")
    ]
    facing = _one("facing")
    (step,) = [s for s in facing.steps if s.rule == "div-length"]
    assert step.before == facing.source == "n / vec3(length(n))" and step.after == "normalize(n)"
    assert (facing.outcome, facing.result) == ("rewritten", "normalize(n)")


def test_chains_begin_at_the_source() -> None:
    told = luma.explain(SHADE, opt="aggressive")
    for function in told.functions:
        for value in function.values:
            outer = [s for s in value.steps if s.depth == 0]
            if outer and value.outcome == "rewritten":
                assert all(s.before != s.after for s in outer)
                spelled = value.source + "".join(s.after for s in value.steps)
                assert all(s.before in spelled for s in outer if "..." not in s.before)


def test_values_that_were_not_rewritten() -> None:
    assert _one("half_turn").outcome == "constant" and _one("half_turn").result == "1.5"
    plain = _one("plain")
    assert (plain.outcome, plain.steps, plain.source) == ("as written", (), "max(uv.x, uv.y)")
    assert _one("uv").outcome == "input"
    unused = _one("unused")
    assert unused.outcome == "not needed" and "clean" in unused.note
    assert "inline" in _one("c").note or "inlined" in _one("c").note


def test_exact_rules_at_basic() -> None:
    light = _one("light", "basic")
    assert [s.rule for s in light.steps] == ["mul-one"]
    assert luma.explain(SHADE).opt == "basic" and luma.explain(SHADE).fp == "strict"


STATED = """
@unit uniform sun: vec3
function lit(@unit normal: vec3) -> float
    let n = normalize(normal)
    return dot(n, sun)
end
function wild(normal: vec3) -> float
    return length(normal)
end
@entry(fragment)
function shade(other: vec3) -> (color: vec4)
    let far = length(sun)
    return { color = vec4(lit(other), wild(other), far, 1.0) }
end
"""


def test_what_is_stated_of_parameters_counts_before_inlining() -> None:
    told = luma.explain(STATED, opt="aggressive")
    assert told.module == luma.compile(STATED, opt="aggressive").module
    lit, shade = told.functions
    assert (lit.name, lit.inlined, shade.name, shade.inlined) == ("lit", True, "shade", False)
    assert lit.instructions_before > lit.instructions_after
    assert [r.name for r in lit.rules if r.used] == ["normalize-unit"]
    assert sum(r.saved for r in lit.rules) == lit.cost_before - lit.cost_after > 0
    assert "@unit" in lit.before and "normalize" not in lit.after
    sizes = {p.name: p.changed for p in told.passes}
    assert sizes["use_facts"] == {"lit": (lit.instructions_before, lit.instructions_after)}
    assert sizes["inline"]["lit"] == (lit.instructions_after, 0)
    (n,) = told.why("n")
    assert (n.function, n.outcome, n.result) == ("lit", "rewritten", "normal")
    (far,) = told.why("far")
    assert (far.outcome, [s.rule for s in far.steps]) == ("constant", ["length-unit"])


def test_nothing_is_used_before_inlining_where_nothing_is_stated() -> None:
    for opt, fp in (("aggressive", "strict"), ("basic", "fast")):
        told = luma.explain(STATED, opt=opt, fp=fp)
        assert "use_facts" not in [p.name for p in told.passes]
        assert not any(f.inlined for f in told.functions)


def test_what_a_line_defines() -> None:
    told = luma.explain(SHADE, opt="aggressive")
    assert [d.name for d in told.why("9")] == ["glow"] == [d.name for d in told.why("<string>:9")]
    assert told.why("nonesuch") == ()


def test_nothing_is_explained_at_none() -> None:
    told = luma.explain(SHADE, opt="none")
    assert told.passes == () and told.notes == ("the level 'none' changes nothing",)


def test_errors_are_raised() -> None:
    with pytest.raises(luma.LumaError):
        luma.explain(BAD)
    with pytest.raises(luma.LumaError):
        luma.explain(SHADE, entry="nonesuch")
    with pytest.raises(luma.LumaError):
        luma.explain(SHADE, target="nonesuch")


def test_command(folder: Path) -> None:
    done = _ran(folder, "shade.luma", "--opt=aggressive")
    assert (done.returncode, done.stderr) == (0, "")
    for words in ("function shade:", "pow-four", "inline", "before\n", "after\n", "saved"):
        assert words in done.stdout
    brief = _ran(folder, "shade.luma", "--opt=aggressive", "--brief", "--all").stdout
    assert "before\n" not in brief and "see --all" not in brief


def test_command_tells_the_same_each_time(folder: Path) -> None:
    texts = {
        _ran(folder, "shade.luma", "--opt=aggressive", *more, seed=seed).stdout
        for seed in ("1", "2", "77")
        for more in ((), ("--all",), ("--why=glow",))
    }
    assert len(texts) == 3


def test_command_in_json(folder: Path) -> None:
    done = _ran(folder, "shade.luma", "--opt=aggressive", "--json", "--target=wgsl")
    told = luma.explain(SHADE, name="shade.luma", opt="aggressive", target="wgsl")
    assert json.loads(done.stdout) == json.loads(json.dumps(told.to_json()))
    found = _ran(folder, "shade.luma", "--opt=aggressive", "--why=plain", "--json")
    assert [d["outcome"] for d in json.loads(found.stdout)] == ["as written"]


def test_command_explains_one_value(folder: Path) -> None:
    done = _ran(folder, "shade.luma", "--opt=aggressive", "--why=glow")
    assert done.stdout.startswith("glow  (shade.luma:9)\n  = pow(uv.x, 4.0) * half_turn\n")
    assert "by pow-four" in done.stdout


def test_command_fails_with_a_code(folder: Path) -> None:
    wrong = _ran(folder, "shade.luma", "--why=glo")
    assert wrong.returncode == 1 and "E0813" in wrong.stderr and "'glow'" in wrong.stderr
    other = _ran(folder, "shade.luma", "--why=nonesuch")
    assert "help: there is " in other.stderr and "glow, " in other.stderr
    assert _ran(folder, "bad.luma").returncode == 1
    assert "E0804" in _ran(folder, "shade.luma", "--target=nonesuch").stderr


def test_the_example_in_the_documentation(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "cli.md").read_text()
    example = page.partition("$ luma explain shade.luma ")[2].partition("```")[0]
    arguments, _, output = example.partition("\n")
    shader = _example()
    (tmp_path / "shade.luma").write_text(shader)
    done = _ran(tmp_path, "shade.luma", *arguments.split())
    assert done.stdout == output


def _example() -> str:
    """The shader of the example in docs/api.md."""
    page = (Path(__file__).parents[2] / "docs" / "api.md").read_text()
    found = re.search(r'luma\.explain\(\s*"""\n(.*?)"""', page, re.DOTALL)
    assert found is not None
    return found[1]


RULES = """
; the luminance that our shaders ask for is that of a rule
(rewrite (Exp2 t x) (Pow t (Lit t 2.0) x) :ruleset fast :name "mine-unused")

; a difference with what is never there
(rewrite (Sinh t (Asin t x)) (Tanh t x) :ruleset fast :name "mine-wild")
"""
WILD = """
@entry(fragment)
function shade(uv: vec2) -> (color: vec4)
    let wild = sinh(asin(uv.x)) * 2.0
    return { color = vec4(wild) }
end
"""


def test_rules_of_the_users(folder: Path) -> None:
    rules = RULES.replace("Exp2", "ExpTwo")
    (folder / "mine.egg").write_text(rules)
    (folder / "wild.luma").write_text(WILD)
    options = {"opt": "aggressive", "rules": (str(folder / "mine.egg"),)}
    told = luma.explain(WILD, **options)
    assert told.module == luma.compile(WILD, **options).module
    (use,) = [r for r in told.functions[0].rules if r.name == "mine-wild"]
    assert (use.ruleset, use.fired, use.used) == ("fast", 1, 1) and use.saved > 0
    assert (use.file, use.line) == (str(folder / "mine.egg"), 6)
    assert use.summary == "a difference with what is never there"
    done = _ran(folder, "wild.luma", "--opt=aggressive", "--rules=mine.egg", "--why=wild")
    assert "by mine-wild\n" in done.stdout and "-> tanh(uv.x)" in done.stdout
    missing = _ran(folder, "wild.luma", "--rules=none.egg")
    assert missing.returncode == 1 and "E0807" in missing.stderr
