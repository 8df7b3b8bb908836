"""What the checker's tests share: sources checked, and statements put into a function."""

from __future__ import annotations

from luma.diagnostics import Diagnostic, Level, Reporter
from luma.frontend import typed
from luma.frontend.check import check as check_tree
from luma.frontend.parser import parse
from luma.frontend.preprocess import preprocess
from luma.stack import run_deep

#: Declarations that the statements under test may use.
PRELUDE = """
struct Point  at: vec2  weight: float end
struct Tail  count: uint  items: []Point end
uniform point: Point
uniform tint: vec4
uniform tex: sampler2D
uniform volume: sampler3D
uniform cube: samplerCube
uniform layers: sampler2DArray
uniform shadow: sampler2DShadow
uniform plain: texture2D
uniform depth: textureDepth2D
uniform smp: sampler
uniform cmp: samplerShadow
buffer storage data: []float
buffer storage tail: Tail
buffer readonly source: []vec4
buffer writeonly target: []vec4
buffer storage counters: [8]uint
buffer storage signed: [8]int
const FOUR: int = 4
const UFOUR: uint = 4
const TABLE: [3]float = [3]float { 1.0, 2.0, 3.0 }
@spec(0) const STEPS: int = 8
function half_of(x: float) -> float return x * 0.5 end
function touch(i: int) data[i] = 0.0 end
function _statements(
    i: int, j: int, n: uint, x: float, y: float, h: half, b: bool, c: bool,
    v2: vec2, v3: vec3, v4: vec4, iv2: ivec2, iv3: ivec3, uv2: uvec2, hv2: hvec2,
    bv2: bvec2, bv3: bvec3,
    m2: mat2, m3: mat3, m4: mat4, m32: mat3x2, a: [4]float, p: Point, pp: [2]Point
)
"""


def run(source: str) -> tuple[typed.Module | None, tuple[Diagnostic, ...]]:
    """Preprocess, parse and check a source; the tree and everything reported."""

    def work() -> tuple[typed.Module | None, tuple[Diagnostic, ...]]:
        expanded, found = preprocess(source, "test.luma", include_dirs=(), file_reader=None)
        reporter = Reporter(expanded)
        tree = parse(expanded, reporter)
        checked = None if reporter.error_count else check_tree(tree, reporter)
        return checked, (*found, *reporter.diagnostics)

    return run_deep(work)


def codes(source: str, level: Level = Level.ERROR) -> list[str]:
    """The codes of a level that a source gives, in order."""
    return [d.code for d in run(source)[1] if d.level is level]


def in_function(statements: str) -> str:
    """A source with statements in a function that has a variable of many types."""
    return f"{PRELUDE}{statements}\nend\n"


def module(source: str) -> typed.Module:
    """The typed tree of a source without errors."""
    checked, found = run(source)
    assert checked is not None, "\n".join(d.render() for d in found)
    return checked


def statement(text: str) -> typed.Statement:
    """The last statement of some that stand in a function."""
    functions = {f.name: f for f in module(in_function(text)).functions}
    return functions["_statements"].body[-1]


def value(expression: str, type: str | None = None) -> typed.Expression:
    """The typed form of an expression, as the value of a ``let``."""
    annotation = f": {type}" if type else ""
    found = statement(f"let _value{annotation} = {expression}")
    assert isinstance(found, typed.Let)
    return found.value
