"""The benchmarks' own code: what it reads, computes and writes.  No time is tested."""

from __future__ import annotations

import json
import math
from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks import (
    ablation,
    amd,
    assembly,
    cache,
    isa,
    peers,
    report,
    rule_count,
    scaling,
    sizes,
)
from benchmarks.comparison import Comparison, as_text
from benchmarks.compilers import PEERS, NotCompiled, luma
from benchmarks.figures import fitted_exponent, geometric_mean, interleaved, medians
from benchmarks.plots import bars, lines
from benchmarks.subjects import subjects
from luma import pipeline
from luma.language.stages import Stage

LISTING = """BB0:
	s_mov_b32 s0, s3                                            ; be800303
	s_load_dwordx4 s[8:11], s[2:3], null                        ; f4080201 fa000000
	s_waitcnt lgkmcnt(0)                                        ; bf8cc07f
	v_mul_lo_u32 v10, s8, v10                                   ; d569000a 00021408
BB1:
	v_rcp_f32_e32 v1, v1                                        ; 7e025501
	v_mul_f32_e32 v6, s6, v2                                    ; 100c0406
	(then repeated 3 times)
	s_cbranch_scc0 BB3                                          ; bf840068
BB2:
	v_add_f32_e32 v0, v0, v1
	s_branch BB1                                                ; bf82ff93
BB3:
	buffer_store_dword v0, v1, s[0:3], 0 offen
	s_endpgm                                                    ; bf810000
"""


# ---------------------------------------------------------------- arithmetic


def test_geometric_mean() -> None:
    assert geometric_mean([0.5, 2.0]) == pytest.approx(1.0)
    assert geometric_mean([8.0, 1.0, 1.0]) == pytest.approx(2.0)
    assert geometric_mean([]) == 1.0


@pytest.mark.parametrize("exponent", [0.0, 1.0, 1.2, 2.0])
def test_exponent_of_a_power(exponent: float) -> None:
    points = [(x, 3.0 * x**exponent) for x in (10.0, 50.0, 1000.0)]
    assert fitted_exponent(points) == pytest.approx(exponent)


def test_exponent_needs_two_sizes() -> None:
    with pytest.raises(ValueError, match="two sizes"):
        fitted_exponent([(3.0, 1.0), (3.0, 2.0)])


def test_interleaved_runs_each_in_every_round_and_drops_the_first() -> None:
    order: list[str] = []
    ticks = iter(range(100))
    runs = {name: lambda name=name: order.append(name) for name in "ab"}  # type: ignore[misc]
    times = interleaved(runs, 3, lambda: float(next(ticks)))
    assert order == ["a", "b", "b", "a", "a", "b", "b", "a"]
    assert {name: len(spent) for name, spent in times.items()} == {"a": 3, "b": 3}
    assert medians({"a": [3.0, 1.0, 2.0]}) == {"a": 2.0}


# ---------------------------------------------------------------- assembly


def test_reading_a_listing() -> None:
    issue = assembly.read(LISTING)
    assert (issue.vector, issue.transcendental, issue.multiplies, issue.scalar) == (7, 1, 1, 3)
    assert issue.cycles == (1 + 4) + (4 + 4 + 1) + (1 + 1)
    assert issue.loops == 1
    assert issue.weighted((10,)) == 5 + 10 * (9 + 2)


def test_weights_of_nested_loops() -> None:
    text = "BB0:\nv_a x\nBB1:\nv_b x\nBB2:\nv_c x\ns_cbranch_scc1 BB2\ns_cbranch_scc1 BB1\nv_d x\n"
    issue = assembly.read(text)
    assert issue.loops == 2
    assert issue.weighted((3, 5)) > issue.weighted((3, 1)) > issue.cycles


def test_forward_branches_are_no_loops() -> None:
    assert assembly.read("BB0:\ns_cbranch_execz BB2\nBB1:\nv_x y\nBB2:\ns_endpgm\n").loops == 0


def _cost(cycles: int, weighted: int, throughput: int, loops: int) -> amd.Cost:
    return amd.Cost(10, cycles, weighted, throughput, 100, 8, loops)


def test_times_are_compared_by_what_is_comparable() -> None:
    straight, looping = _cost(5, 5, 9, 0), _cost(4, 32, 70, 1)
    assert amd.comparable([straight, straight]) == "cycles"
    assert amd.comparable([looping, looping]) == "throughput"
    assert amd.comparable([straight, looping]) == "weighted"
    row = isa.Row("s", "navi21", {"luma aggressive": looping, "dxc": straight}, {"dxc": "hlsl"}, {})
    assert row.figure("luma aggressive", "time") == 32
    assert row.ratio("luma aggressive", "time") == pytest.approx(32 / 5)


# ---------------------------------------------------------------- tables


TABLE = Comparison(
    "bytes",
    {
        "one": {"luma none": 300.0, "luma aggressive": 80.0, "x": 100.0, "y": 200.0},
        "two": {"luma none": 100.0, "luma aggressive": 90.0, "x": 60.0},
        "three": {"luma aggressive": 5.0},
    },
    {"one": ["y"]},
    {"two": "loop"},
)


def test_comparison_with_the_best_peer() -> None:
    assert TABLE.compilers == ("luma none", "luma aggressive", "x", "y")
    assert TABLE.best_peer("one") == 100
    assert TABLE.ratios("luma aggressive") == {"one": 0.8, "two": 1.5}
    assert TABLE.mean("luma aggressive") == pytest.approx(math.sqrt(0.8 * 1.5))
    assert TABLE.mean_to("luma aggressive", "y") == pytest.approx(0.4)
    assert TABLE.worst("luma aggressive") == ("two", 1.5)


def test_table_survives_json() -> None:
    assert Comparison.of_json(json.loads(json.dumps(TABLE.as_json()))) == TABLE


def test_table_as_text_marks_what_was_borrowed() -> None:
    text = as_text(TABLE)
    assert "200*" in text and "100*" not in text
    assert "at worst 1.50 (two)" in text


def test_plots_are_xml() -> None:
    bar = ElementTree.fromstring(bars("a < b", {"one": 0.5, "two & three": 1.5}))
    line = ElementTree.fromstring(lines("c", {"s": [(10.0, 0.1), (1000.0, 20.0)]}))
    for picture in (bar, line):
        assert picture.tag.endswith("svg")


# ---------------------------------------------------------------- the cache


def test_cache_keeps_what_was_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    made: list[int] = []

    def make() -> bytes:
        made.append(1)
        return b"output"

    assert cache.kept(("a", "b"), make) == cache.kept(("a", "b"), make) == b"output"
    assert cache.kept(("ab", ""), make) == b"output"
    assert len(made) == 2


def test_cache_keeps_no_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    def fail() -> bytes:
        raise NotCompiled("no")

    for _ in range(2):
        with pytest.raises(NotCompiled):
            cache.kept(("x",), fail)
    assert cache.kept(("x",), lambda: b"now") == b"now"


# ---------------------------------------------------------------- small runs of the real thing


def test_subjects_have_texts() -> None:
    every = subjects()
    assert len(every) >= 30
    assert sum("glsl" in s.twins for s in every) >= 30
    assert {s.stage for s in every} == set(Stage)
    with pytest.raises(KeyError):
        subjects(["no such shader"])


@pytest.mark.parametrize("name", ["tonemap", "vertex_transform", "blur"])
def test_costs_of_each_stage(name: str) -> None:
    """A fragment, a vertex and a compute stage."""
    (row,) = isa.measure(subjects([name]), ["navi21"], ["none", "aggressive"], ["spirv-opt-O"])
    assert not row.failed
    assert row.costs.keys() == {"luma none", "luma aggressive", "spirv-opt-O"}
    for cost in row.costs.values():
        assert 0 < cost.cycles < 4 * cost.instructions
        assert cost.registers > 0
    assert name in isa.report([row])
    assert isa.comparisons([row])[0].title == "navi21 instructions"


def test_a_partner_stage_does_not_change_the_measured_one() -> None:
    """The vertex stage alone has the instructions, whatever it is joined with."""
    (subject,) = subjects(["vertex_transform"])
    gpu = amd.Gpu("navi21")
    made = luma(subject, "none")
    first = gpu.compile(subject, made.binary, made.entry)
    assert first.assembly == gpu.compile(subject, made.binary, made.entry).assembly


def test_every_peer_compiles_a_stage() -> None:
    (subject,) = subjects(["tonemap"])
    for peer in PEERS.values():
        made = peer.run(subject)
        assert made.binary[:4] == b"\x03\x02\x23\x07"
        assert made == peer.run(subject)  # from the cache


def test_sizes_of_a_stage() -> None:
    chosen = subjects(["tonemap"])
    size, count = sizes.spirv_sizes(chosen, ["none", "aggressive"], ["glslc-O"])
    row = size.rows["tonemap"]
    assert row["luma aggressive"] <= row["luma none"]
    assert count.rows["tonemap"]["glslc-O"] < row["glslc-O"]
    left = sizes.left_by_luma(chosen, "aggressive")["tonemap"]
    assert left["-O"] <= 10
    assert "`spirv-opt -Os` takes" in sizes.told({"tonemap": left})


def test_texts_of_a_stage() -> None:
    """crosstl is no part of the tests' environment, so it may be missing here."""
    tables = sizes.text_sizes(subjects(["tonemap"]), ["aggressive"], ["msl"])
    row = tables["msl"].rows["tonemap"]
    assert row.keys() >= {"luma aggressive", "spirv-cross", "slang"}
    assert all(100 < size < 10_000 for size in row.values())


@pytest.mark.parametrize("kind", scaling.KINDS)
def test_made_shaders_compile_and_grow(kind: str) -> None:
    """A small one of each kind, at the level that does most."""
    counts = []
    for size in (24, 96):
        spent, count, left = scaling.compile_once(scaling.KINDS[kind](size), "basic")
        assert spent.keys() == set(scaling.STAGES)
        assert left > 0
        counts.append(count)
    assert 2 < counts[1] / counts[0] < 5


def test_exponents_of_points() -> None:
    points = [
        {
            "kind": "straight",
            "size": n,
            "instructions": n,
            "left": n,
            "seconds": dict.fromkeys(scaling.STAGES, 1e-5 * n),
            "mib": 0.01 * n,
        }
        for n in (50, 100, 1000, 10_000)
    ]
    assert scaling.exponents(points)["all"] == pytest.approx(1.0)
    assert "exponents from 100 to 10000: all 1.00" in scaling.report(points)


def test_made_rules_are_taken() -> None:
    points = rule_count.measure((0, 3))
    assert [p["rules"] for p in points] == [0, 3]
    assert "rules" in rule_count.report(points)


def test_a_part_of_the_optimizer_can_be_left_out(tmp_path: Path) -> None:
    levels = ablation.parts(tmp_path)
    full = levels[ablation.FULL]
    assert len(levels["pass inline"].passes) == len(full.passes) - 1
    assert "(run comm)" not in repr(levels["ruleset comm"].plans["fast"].phases)
    without = (tmp_path / "algebra.egg").read_text(encoding="utf-8")
    assert "(rewrite" not in without
    (effect,) = ablation.run(subjects(["vertex_transform"]), ["rules matrix.egg"])
    assert effect.time > 1.2  # the driver multiplies matrices as it is told
    assert effect.changed == 1
    assert effect.part in ablation.report([effect])


# ---------------------------------------------------------------- the page


def test_the_page_is_that_of_the_kept_figures() -> None:
    for path, text in report.files().items():
        assert path.read_text(encoding="utf-8") == text, f"run python -m benchmarks.report ({path})"


def test_sections_and_levels_exist() -> None:
    assert set(peers.SECTIONS) >= {"sizes", "isa", "running", "compiling", "scaling", "ablation"}
    assert report.BEST.removeprefix("luma ") in pipeline.OPT_LEVELS
