"""``luma bench size``: what it measures adds up, and what it shows can be read."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import luma
from luma.sizes.comparison import compare
from luma.sizes.page import page
from luma.sizes.plots import plots, svg
from luma.sizes.report import MEASURES, Failure, Report, Row, geometric_mean, measure_sources
from luma.statistics import CLASSES

SHADE = """
#include "tint.luma"
@entry(fragment)
function shade(uv: vec2) -> (color: vec4)
    return { color = tinted(vec4(uv, 0.0, 1.0) * 1.0 + vec4(pow(uv.x, 4.0))) }
end
"""
TINT = "uniform tint: vec4\nfunction tinted(c: vec4) -> vec4 return c * tint end\n"
FLAT = "@entry(fragment) function flat() -> (c: vec4) return { c = vec4(2.0 * 0.25) } end\n"
BAD = "function f() -> float\n    return 1.0 + true\nend\n"
PUSH = """
@push_constant
uniform shift: float
@entry(fragment) function pushed() -> (c: vec4) return { c = vec4(shift) } end
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inside = tmp_path / "shaders"
    (inside / "more").mkdir(parents=True)
    (inside / "shade.luma").write_text(SHADE)
    (inside / "tint.luma").write_text(TINT)
    (inside / "more" / "flat.luma").write_text(FLAT)
    return tmp_path


def _ran(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "luma", "bench", "size", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


@pytest.fixture
def report(folder: Path) -> Report:
    return measure_sources([str(folder / "shaders")])


def test_directories_are_searched_in_order(folder: Path, report: Report) -> None:
    names = [Path(s).relative_to(folder / "shaders").as_posix() for s in report.shaders]
    assert names == ["more/flat.luma", "shade.luma"]  # an include is no shader
    assert report.failures == ()
    assert len(report.rows) == 2 * 5 * 3


def test_numbers_are_those_of_the_statistics(folder: Path, report: Report) -> None:
    path = (folder / "shaders" / "shade.luma").as_posix()
    for s in luma.measure(SHADE, name=path):
        row = report.row(path, s.target, s.opt)
        assert row is not None
        assert (row.bytes, row.minified, row.tokens) == (s.bytes, s.minified, s.tokens)
        assert row.by_class == s.instructions and row.instructions == s.total


def test_summaries_add_up(report: Report) -> None:
    for summary in report.summaries():
        rows = [r for r in report.rows if (r.target, r.opt) == (summary.target, summary.opt)]
        assert summary.shaders == len(rows) == 2
        assert summary.totals["bytes"] == sum(r.bytes for r in rows)
        changes = [report.change(r, "bytes") for r in rows]
        expected = math.sqrt(math.prod(c for c in changes if c is not None))
        assert summary.means["bytes"] == pytest.approx(expected)
        if summary.opt == "none":
            assert summary.means["bytes"] == 1.0
        if summary.target == "spirv":
            assert summary.totals["minified"] is None and summary.means["tokens"] is None


def test_geometric_mean() -> None:
    assert geometric_mean([2.0, 8.0]) == pytest.approx(4.0)
    assert geometric_mean([None, 0.5]) == pytest.approx(0.5)
    assert geometric_mean([]) is None and geometric_mean([None]) is None


def test_none_is_always_measured(folder: Path) -> None:
    found = measure_sources([str(folder / "shaders")], ["glsl"], ["aggressive"])
    assert found.levels == ("none", "aggressive")
    assert found.change(found.rows[1], "bytes") is not None


def test_processes_give_the_same_report(folder: Path, report: Report) -> None:
    assert measure_sources([str(folder / "shaders")], jobs=2) == report


def test_reports_can_be_read_back(report: Report) -> None:
    assert Report.from_json(json.loads(json.dumps(report.to_json()))) == report
    for wrong in (None, [], {}, {"form": 2}, {"form": 1, "rows": [{}]}):
        with pytest.raises(ValueError):
            Report.from_json(wrong)


def test_what_fails_is_told_and_the_rest_done(folder: Path) -> None:
    (folder / "bad.luma").write_text(BAD)
    (folder / "push.luma").write_text(PUSH)
    done = _ran(folder, "bad.luma", "push.luma", "missing.luma", "shaders", "--json=-")
    assert done.returncode == 1
    told = json.loads(done.stdout)
    assert [f["shader"] for f in told["failures"]] == ["bad.luma", "push.luma", "missing.luma"]
    assert {r["target"] for r in told["rows"] if r["shader"] == "push.luma"} == {
        "glsl", "hlsl", "msl", "spirv",
    }  # fmt: skip
    assert done.stderr.count("E0814") == 3 and "E0731" in done.stderr and "(wgsl)" in done.stderr
    assert {r["shader"] for r in told["rows"]} >= {"shaders/shade.luma"}


def test_table(folder: Path) -> None:
    done = _ran(folder, "shaders", "--targets=glsl,spirv", "--opt=basic")
    assert (done.returncode, done.stderr) == (0, "")
    for words in ("shaders/shade.luma", "spirv (2)", "minified", "transcendental", "-", "none"):
        assert words in done.stdout
    assert "hlsl" not in done.stdout and "aggressive" not in done.stdout


def test_all_outputs_at_once(folder: Path) -> None:
    kinds = ("json", "csv", "html", "svg")
    done = _ran(folder, "shaders", *(f"--{k}=out.{k}" for k in kinds))
    assert done.returncode == 0, done.stderr
    report = Report.from_json(json.loads((folder / "out.json").read_text()))
    rows = list(csv.DictReader(io.StringIO((folder / "out.csv").read_text())))
    assert len(rows) == len(report.rows)
    for read, row in zip(rows, report.rows, strict=True):
        assert (read["shader"], read["target"], read["level"]) == row.case
        assert int(read["bytes"]) == row.bytes and int(read["alu"]) == row.by_class["alu"]
        assert float(read["bytes to none"]) == report.change(row, "bytes")
    assert (folder / "out.html").read_text() == page(report)
    assert (folder / "out.svg").read_text() == svg(report)


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        ([], 2, "FILES or DIRS"),
        (["shaders", "--fail-above=1"], 2, "--compare"),
        (["shaders", "--json=-", "--csv=-"], 2, "a place of its own"),
        (["shaders", "--json=out", "--csv=./out"], 2, "a place of its own"),
        (["--compare", "a.json", "b.json", "--fail-above=nan"], 2, "--fail-above"),
        (["--compare", "a.json", "b.json", "--html=x.html"], 2, "--json"),
        (["--compare", "a.json", "b.json"], 1, "E0807"),
        (["--compare", "shaders/tint.luma", "shaders/tint.luma"], 1, "E0815"),
        (["shaders", "--targets=nonesuch"], 1, "E0804"),
        (["shaders", "--csv=no/such/place.csv"], 1, "E0808"),
        (["empty"], 1, "E0807"),
    ],
)
def test_errors(folder: Path, arguments: list[str], status: int, words: str) -> None:
    (folder / "empty").mkdir()
    done = _ran(folder, *arguments)
    assert (done.returncode, words in done.stderr) == (status, True), done.stderr


def test_tables_of_nothing_are_left_out(folder: Path) -> None:
    (folder / "bad.luma").write_text("function")
    done = _ran(folder, "bad.luma")
    assert (done.returncode, done.stdout) == (1, "nothing was measured\n")
    assert "bad.luma:1: E0201" in done.stderr


def test_names_that_are_no_unicode(folder: Path) -> None:
    name = b"bad\xff.luma".decode(errors="surrogateescape")
    (folder / name).write_text(FLAT)
    for kind in ("html", "csv", "svg", "json"):
        done = _ran(folder, name, f"--{kind}=-")
        assert done.returncode == 0 and done.stdout, done.stderr


# ---------------------------------------------------------------- comparing


def _row(shader: str, target: str, size: int, instructions: int = 10) -> Row:
    return Row(shader, target, "none", size, size, 5, instructions, dict.fromkeys(CLASSES, 1))


def _report(*rows: Row) -> Report:
    return Report(("glsl",), ("none",), (), rows)


def test_comparison() -> None:
    before = _report(_row("a", "glsl", 100), _row("b", "glsl", 100), _row("gone", "glsl", 1))
    after = _report(_row("a", "glsl", 110), _row("b", "glsl", 90), _row("new", "glsl", 1))
    found = compare(before, after)
    assert [(c.shader, c.measure, c.before, c.after) for c in found.changes] == [
        ("a", "bytes", 100, 110), ("a", "minified", 100, 110),
        ("b", "bytes", 100, 90), ("b", "minified", 100, 90),
    ]  # fmt: skip
    (mean,) = found.means
    assert mean.shaders == 2 and mean.ratios["bytes"] == pytest.approx(math.sqrt(1.1 * 0.9))
    assert mean.ratios["tokens"] == 1.0
    assert (found.gone, found.new) == ((("gone", "glsl", "none"),), (("new", "glsl", "none"),))
    assert [c.shader for c in found.above(5)] == ["a", "a"] and found.above(10.5) == ()


@pytest.mark.parametrize(
    "change",
    [
        {"form": 2}, {"rows": 3}, {"rows": [3]}, {"targets": None}, {"failures": [1]},
        {"shader": 5}, {"bytes": "5"}, {"bytes": -1}, {"bytes": 1 << 60}, {"tokens": 1.5},
        {"by_class": []}, {"by_class": {"alu": "x"}}, {"extra": 1},
    ],
)  # fmt: skip
def test_what_is_no_report(folder: Path, change: dict[str, object]) -> None:
    data = _report(_row("a", "glsl", 5)).to_json()
    whole = set(change) <= set(data)
    (data if whole else data["rows"][0]).update(change)
    (folder / "bad.json").write_text(json.dumps(data))
    done = _ran(folder, "--compare", "bad.json", "bad.json")
    assert (done.returncode, "error[E0815]: 'bad.json'" in done.stderr) == (1, True), done.stderr


def test_reports_of_different_shaders(folder: Path) -> None:
    for name in "ab":
        report = _report(_row(name, "glsl", 5))
        (folder / f"{name}.json").write_text(json.dumps(report.to_json()))
    done = _ran(folder, "--compare", "a.json", "b.json")
    assert "no shader in common" in done.stdout and "only in the first: a glsl" in done.stdout


def test_comparison_fails_past_a_threshold(folder: Path) -> None:
    for name, size in (("a", 100), ("b", 103)):
        data = json.dumps(_report(_row("s", "glsl", size)).to_json())
        (folder / f"{name}.json").write_text(data)
    assert _ran(folder, "--compare", "a.json", "b.json").returncode == 0
    assert _ran(folder, "--compare", "a.json", "b.json", "--fail-above=3.5").returncode == 0
    done = _ran(folder, "--compare", "a.json", "b.json", "--fail-above=2")
    assert done.returncode == 1 and "E0816" in done.stderr and "+3.0 %" in done.stderr
    same = _ran(folder, "--compare", "a.json", "a.json", "--fail-above=0", "--json=-")
    assert same.returncode == 0 and json.loads(same.stdout)["changes"] == []


# ---------------------------------------------------------------- plots and the page

#: Asks the browser what it has drawn.
PROBE = """
<script>
const problems = [];
for (const svg of document.querySelectorAll("svg")) {
  const frame = svg.getBoundingClientRect(), texts = [...svg.querySelectorAll("text")];
  const boxes = texts.map(t => t.getBoundingClientRect());
  boxes.forEach((a, i) => {
    const what = texts[i].textContent;
    if (a.width == 0 || a.height < 8) problems.push("too small: " + what);
    if (a.left < frame.left - 1 || a.right > frame.right + 1) problems.push("cut off: " + what);
    for (let j = 0; j < i; j++) {
      const b = boxes[j], wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (wide > 2 && high > 6) problems.push("over each other: " + what + " / "
        + texts[j].textContent);
    }
  });
}
const shine = color => { const [r, g, b] = color.match(/[0-9.]+/g).slice(0, 3)
  .map(v => v / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const contrast = (a, b) => { const [x, y] = [shine(a), shine(b)].sort((p, q) => q - p);
  return (x + 0.05) / (y + 0.05); };
const back = getComputedStyle(document.body).backgroundColor;
let faint = 21, bars = 21;
for (const e of document.querySelectorAll("p, td, th, h1, h2, li, span"))
  faint = Math.min(faint, contrast(getComputedStyle(e).color, back));
for (const e of document.querySelectorAll("svg text"))
  faint = Math.min(faint, contrast(getComputedStyle(e).fill, back));
for (const e of document.querySelectorAll("svg rect"))
  bars = Math.min(bars, contrast(getComputedStyle(e).fill, back));
document.body.dataset.found = JSON.stringify({
  problems, faint, bars, back,
  dark: matchMedia("(prefers-color-scheme: dark)").matches,
  fetched: performance.getEntriesByType("resource").map(e => e.name),
  figures: document.querySelectorAll("figure svg").length,
  wider: document.documentElement.scrollWidth > innerWidth + 1,
});
</script>
"""


def _browser() -> str:
    for name in ("chromium-headless-shell", "chromium", "google-chrome"):
        found = shutil.which(name)
        if found:
            return found
    raise FileNotFoundError("no Chromium: run tools/setup")


def _shown(path: Path, *, dark: bool, width: int = 1200) -> dict[str, Any]:
    """What a browser says of a page that holds the probe."""
    command = [
        _browser(), "--headless", "--no-sandbox", "--disable-gpu", f"--window-size={width},1000",
        f"--blink-settings=preferredColorScheme={0 if dark else 1}", "--dump-dom", path.as_uri(),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    (found,) = re.findall(r'<body data-found="([^"]*)"', done.stdout)
    told: dict[str, Any] = json.loads(found.replace("&quot;", '"').replace("&amp;", "&"))
    return told


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1200, 600])
def test_page_in_a_browser(tmp_path: Path, report: Report, dark: bool, width: int) -> None:
    path = tmp_path / "page.html"
    path.write_text(page(report).replace("</body>", f"{PROBE}</body>"))
    found = _shown(path, dark=dark, width=width)
    assert found["dark"] == dark
    assert found["problems"] == [] or width < 1000  # small text is scaled with its plot
    assert not [p for p in found["problems"] if "small" not in p]
    assert found["fetched"] == [] and not found["wider"]
    assert found["figures"] == len(plots(report)) == 2 + 5
    assert found["faint"] >= 4.5 and found["bars"] >= 3.0  # WCAG 2.2, AA


def test_page_of_names_that_are_markup(tmp_path: Path) -> None:
    row = _row("<script>alert(1)</script>.luma", "glsl", 10)
    failure = Failure("<b>.luma", ("E0999: <i>",))
    report = Report(("glsl",), ("none",), ("<u>.egg",), (row,), (failure,))
    text = page(report)
    assert not {"<script>", "<b>", "<i>", "<u>"} & set(re.findall(r"<\w+>", text))


def test_plots_are_xml_with_titles_and_axes(report: Report) -> None:
    root = ElementTree.fromstring(svg(report))
    texts = {t.text for t in root.iter("{http://www.w3.org/2000/svg}text")}
    for plot in plots(report):
        assert {plot.title, plot.axis, *plot.series} <= texts
    assert {"flat", "shade"} <= texts


def test_an_empty_report_can_be_shown() -> None:
    empty = Report(
        ("glsl",), ("none", "basic"), (), (), (Failure("a.luma", ("a.luma: E0001: x",)),)
    )
    assert "a.luma" in page(empty) and plots(empty) == []
    ElementTree.fromstring(svg(empty))
    assert all(s.means[m] is None for s in empty.summaries() for m in MEASURES)


RULE = """
; a hyperbolic sine that we know better
(rewrite (Sinh t (Asin t x)) (Tanh t x) :ruleset fast :name "mine-wild")
"""


def test_rules_of_the_users_and_of_the_project(folder: Path) -> None:
    shader = "@entry(fragment) function wild(x: float) -> (c: vec4)"
    shader += " return { c = vec4(sinh(asin(x))) } end\n"
    (folder / "wild.luma").write_text(shader)
    (folder / "mine.egg").write_text(RULE)
    options = ("wild.luma", "--targets=glsl", "--opt=aggressive", "--json=-")
    without = json.loads(_ran(folder, *options).stdout)
    with_rules = json.loads(_ran(folder, *options, "--rules=mine.egg").stdout)
    (folder / "pyproject.toml").write_text('[tool.luma]\nrules = ["mine.egg"]\n')
    configured = json.loads(_ran(folder, *options).stdout)
    assert configured == with_rules and with_rules["rules"] == ["mine.egg"]
    assert with_rules["rows"][1]["instructions"] < without["rows"][1]["instructions"]
    broken = _ran(folder, *options, "--rules=none.egg")
    assert broken.returncode == 1 and "E0807" in broken.stderr
