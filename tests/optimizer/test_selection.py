"""Forms that targets have a word for are found, whatever way the author wrote them."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from luma.backends.spirv.grammar import Op

import luma
from luma.cli.commands import luma as command
from luma.ir.module import Module
from luma.language.types import FLOAT, Type
from luma.optimizer import rewrite
from luma.optimizer.levels import LEVELS
from luma.optimizer.schema import CONSTRUCTORS
from luma.optimizer.targets import NEUTRAL, Selection, instruction_words
from luma.pipeline import optimize_for
from tests.harness.spirv_reader import instructions

SOURCE = """
struct Frame
    turn: mat3
    other: mat3
    @rigid pose: mat3
end

uniform frame: Frame

@entry(fragment)
function main(a: vec3, b: vec3, t: float)
    -> (held: vec3, rooted: vec3, blended: vec3, turned: vec3, chained: vec3, back: vec3)
    let held = max(min(a * 2.0, vec3(1.0)), vec3(0.0))
    let rooted = b / sqrt(t)
    let blended = a * (1.0 - t) + b * t
    let turned = transpose(frame.turn) * a
    let chained = (frame.turn * frame.other) * b
    let back = inverse(frame.pose) * a
    return {
        held = held, rooted = rooted, blended = blended,
        turned = turned, chained = chained, back = back,
    }
end
"""
#: What stands in each target's text for each of the six.
FORMS = {
    "glsl": (
        "clamp(a * 2.0, 0.0, 1.0)",
        "b * inversesqrt(t)",
        "mix(a, b, t)",
        "a * frame.turn",
        "frame.turn * (frame.other * b)",
        "a * frame.pose",
    ),
    "hlsl": (
        "saturate(a * 2.0)",
        "b * rsqrt(t)",
        "lerp(a, b, t)",
        "mul(frame.turn, a)",
        "mul(mul(b, frame.other), frame.turn)",
        "mul(frame.pose, a)",
    ),
    "msl": (
        "saturate(in.a * 2.0)",
        "in.b * rsqrt(in.t)",
        "mix(in.a, in.b, float3(in.t))",
        "in.a * frame.turn",
        "frame.turn * (frame.other * in.b)",
        "in.a * frame.pose",
    ),
    "wgsl": (
        "saturate(a * 2.0)",
        "b * inverseSqrt(t)",
        "mix(a, b, t)",
        "a * frame.turn",
        "frame.turn * (frame.other * b)",
        "a * frame.pose",
    ),
}


@pytest.mark.parametrize("target", FORMS)
def test_native_forms(target: str) -> None:
    made = luma.compile(SOURCE, target=target, opt="aggressive")
    assert made.diagnostics == ()
    text = made.output.decode()
    for form in FORMS[target]:
        assert form in text, text
    assert "inverse(" not in text and "transpose(" not in text


# ---------------------------------------------------------------- what one target alone chooses

TARGETS = ("glsl", "hlsl", "msl", "spirv", "wgsl")
SUMS = """
@entry(fragment)
function main(x: float, y: float, v: vec3) -> (colour: vec4)
    return { colour = vec4(v * x + v.zyx, x * y + 2.0) }
end
"""


def _lowered(source: str) -> Module:
    return luma.lower(luma.check(luma.parse(source)))


def _fused(module: Module) -> list[Type]:
    return [i.type for f in module.functions for i in f.instructions() if i.op == "fma"]


@pytest.mark.parametrize("target", TARGETS)
def test_a_product_and_a_sum_are_one_where_that_is_shorter(target: str) -> None:
    """In SPIR-V, of scalars, where rounding may change."""
    module = _lowered(SUMS)
    done = luma.optimize(module, "aggressive", target=target)
    assert _fused(done) == ([FLOAT] if target == "spirv" else [])
    for opt, fp in (("aggressive", "strict"), ("basic", "fast"), ("none", None)):
        assert _fused(luma.optimize(module, opt, fp=fp, target=target)) == []


def test_only_what_comes_out_otherwise_has_another_hash() -> None:
    made = {t: luma.compile(SUMS, target=t, opt="aggressive") for t in TARGETS}
    assert all(result.success for result in made.values())
    others = {result.hash for target, result in made.items() if target != "spirv"}
    assert len(others) == 1 and made["spirv"].hash not in others
    same = {luma.compile(SUMS, target=t, opt="basic").hash for t in TARGETS}
    assert len(same) == 1


@pytest.mark.parametrize("rules", [(), ("mine.egg",)])
def test_several_targets_at_once(rules: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each gets what it gets alone, in whatever order, and what they share is done once."""
    text = '; x - x = 0\n(rewrite (Sub (F32) x x) (Lit (F32) 0.0) :ruleset fast :name "gone")\n'
    options = luma.Options(opt="aggressive", rules=rules, file_reader=lambda path: text)
    module = _lowered(SUMS)
    alone = [optimize_for(module, options, (target,))[0] for target in TARGETS]
    grown: list[object] = []
    grow = rewrite._grow
    monkeypatch.setattr(rewrite, "_grow", lambda *job: grown.append(job) or grow(*job))
    assert optimize_for(module, options, TARGETS) == alone
    assert optimize_for(module, options, TARGETS[::-1]) == alone[::-1]
    assert len(grown) == (0 if rules else 2)
    assert [bool(_fused(done)) for done, _ in alone] == [t == "spirv" for t in TARGETS]


def test_no_target_sees_what_the_rules_of_another_have_made() -> None:
    plan = LEVELS["aggressive"].plans["fast"]
    functions = _lowered(SUMS).functions
    selections = (
        Selection("(run fast-spirv)", {"Fma": 1000}),
        NEUTRAL,
        Selection("(seq (run fast-spirv))"),
    )
    together, _ = rewrite.rewrite_for(selections, functions, plan)
    alone = [rewrite.rewrite_for((s,), functions, plan)[0][0] for s in selections]
    assert together == alone
    fused = [any(i.op == "fma" for f in done for i in f.instructions()) for done in alone]
    assert fused == [False, False, True]


def test_an_author_that_fuses_gives_no_other_target_a_fused_form() -> None:
    """Where `fma(x, y, z)` is written, `x * y + z` is equal to it for SPIR-V alone."""
    source = SUMS.replace("x * y + 2.0", "fma(x, y, 2.0) - v.z * (x * y + 2.0)")
    module = _lowered(source)
    options = luma.Options(opt="aggressive")
    together = dict(zip(TARGETS, optimize_for(module, options, TARGETS), strict=True))
    for target in TARGETS:
        assert together[target] == optimize_for(module, options, (target,))[0]
    assert together["glsl"] != together["spirv"]


def test_what_is_fused_is_explained() -> None:
    told = luma.explain(SUMS, target="spirv", opt="aggressive")
    (function,) = told.functions
    fused = [r.name for r in function.rules if r.ruleset == "fast-spirv" and r.used]
    assert fused == ["mul-add-fma"]
    assert function.cost_before - function.cost_after == sum(r.saved for r in function.rules)
    (function,) = luma.explain(SUMS, target="glsl", opt="aggressive").functions
    assert not any(r.ruleset == "fast-spirv" for r in function.rules)


#: An instruction of SPIR-V each, by the term that it is written for.
WORDS = {
    "Extract": ("v.y", Op.CompositeExtract),
    "Swz2": ("dot(v.zy, v.xx)", Op.VectorShuffle),
    "Swz3": ("length(v.zyx)", Op.VectorShuffle),
    "Vec2": ("length(vec2(x, y))", Op.CompositeConstruct),
    "Vec3": ("length(vec3(x, y, x))", Op.CompositeConstruct),
    "Join2": ("length(vec4(v, y))", Op.CompositeConstruct),
    "Add": ("x + y", Op.FAdd),
    "Neg": ("-x", Op.FNegate),
    "Not": ("select(not (x < y), 1.0, 2.0)", Op.LogicalNot),
    "Select": ("select(x < y, x, y)", Op.Select),
    "Dot": ("dot(v, v)", Op.Dot),
    "Saturate": ("saturate(x)", Op.ExtInst),
    "Clamp": ("clamp(x, y, 2.0)", Op.ExtInst),
    "Max": ("max(x, y)", Op.ExtInst),
    "Sqrt": ("sqrt(x)", Op.ExtInst),
    "Fma": ("fma(x, y, x)", Op.ExtInst),
    "Mod": ("mod(x, y)", Op.FMod),
}


@pytest.mark.parametrize("term", WORDS)
def test_prices_follow_the_length_of_instructions(term: str) -> None:
    text, opcode = WORDS[term]
    source = SUMS.replace("vec4(v * x + v.zyx, x * y + 2.0)", text).replace("vec4)", "float)", 1)
    made = luma.compile(source, target="spirv", opt="none")
    words = {1 + len(rest) for op, rest in instructions(made.output) if op == opcode}
    assert words == {instruction_words(CONSTRUCTORS[term])}


def test_a_target_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(luma.LumaError) as refused:
        luma.optimize(_lowered(SUMS), target="metal")
    assert [d.code for d in refused.value.diagnostics] == ["E0804"]


def test_the_ir_of_a_target_is_shown() -> None:
    shown = {}
    for words in ([], ["--target=glsl"], ["--target=spirv"]):
        done = CliRunner().invoke(command, ["dump-ir", "-", "--opt=aggressive", *words], SUMS)
        assert done.exit_code == 0, done.output
        shown["".join(words)] = done.output
    assert shown[""] == shown["--target=glsl"] != shown["--target=spirv"]
    assert "fma" in shown["--target=spirv"]
