"""Syntax errors: each is reported once, at its place, and parsing goes on after it."""

from __future__ import annotations

import pytest

from luma.codes import CODES
from luma.diagnostics import Diagnostic, Reporter
from luma.frontend.dump import dump
from luma.frontend.parser import parse
from luma.frontend.preprocess import preprocess
from luma.source import Source


def errors_of(text: str) -> tuple[tuple[Diagnostic, ...], str]:
    """What is reported for a text, and its tree as text."""
    source = Source.plain(text, "t.luma")
    reporter = Reporter(source)
    module = parse(source, reporter)
    return reporter.diagnostics, dump(module)


def shown(diagnostics: tuple[Diagnostic, ...]) -> str:
    """``code@line:column-end`` of every diagnostic."""
    found = []
    for diagnostic in diagnostics:
        span = diagnostic.span
        assert span is not None and diagnostic.code in CODES
        found.append(f"{diagnostic.code}@{span.line_start}:{span.col_start}-{span.col_end}")
    return " ".join(found)


@pytest.mark.parametrize(
    ("text", "errors"),
    [
        ("let x = = 3", "E0201@2:11-12"),
        ("let x 3", "E0201@2:9-10"),
        ("let = 3", "E0201@2:7-8"),
        ("let x: = 3", "E0201@2:10-11"),
        ("let x = ", "E0201@2:10-10"),
        ("let x = 3 4", "E0201@2:13-14"),
        ("let x = (1 + 2", "E0201@2:17-17"),
        ("let x = (1 + ] ) * 3", "E0201@2:16-17"),
        ("let x = vec4(a b, c)", "E0201@2:18-19"),
        ("let x = vec4(a, , c)", "E0201@2:19-20"),
        ("let x = a[1", "E0201@2:14-14"),
        ("let x = a[]", "E0201@2:13-14"),
        ("let x = f(1", "E0201@2:14-14"),
        ("let x = {1, 2}", "E0201@2:12-13"),
        ("let x = S { a: 1 }", "E0204@2:16-17"),
        ("let x = S { a = 1 b = 2 }", "E0201@2:21-22"),
        ("let x = [1, 2, 3]", "E0201@2:13-14"),
        ("let x = []float { 1 }", "E0212@2:11-18"),
        ("let x: float[3] = y", "E0204@2:15-16"),
        ("let x[3] = y", "E0204@2:8-9"),
        ("let x, y = 1, 2", "E0204@2:8-9"),
        ("let mut x = 3", "E0204@2:7-10"),
        ("let float x = 3", "E0204@2:7-14"),
        ("let x := 3", "E0201@2:10-11"),
        ("let x == 3", "E0201@2:9-11"),
        ("let if = 3", "E0201@2:7-9"),
        ("x, y = y, x", "E0204@2:4-5"),
        ("x = y = 3", "E0201@2:9-10"),
        ("x == 3", "E0206@2:3-9"),
        ("x + 1", "E0206@2:3-8"),
        ("x", "E0206@2:3-4"),
        ("x.y", "E0206@2:3-6"),
        ("f() = 3", "E0207@2:3-6"),
        ("1 = x", "E0201@2:3-4"),
        ("(x).y = 1", "E0201@2:3-4"),
        ("x ~= y", "E0204@2:5-7"),
        ("x = a ~= b", "E0204@2:9-11"),
        ("x = !a && b || c", "E0204@2:7-8 E0204@2:10-12 E0204@2:15-17"),
        ("x = a ^ 2", "E0204@2:9-10"),
        ("x = a ** 2", "E0204@2:9-11"),
        ("x = a .. b", "E0204@2:9-11"),
        ("x = a ? b : c", "E0204@2:9-10"),
        ("x = if a then b else c", "E0201@2:7-9"),
        ("x = nil", "E0204@2:7-10"),
        ("x = function(a) return a end", "E0201@2:7-15"),
        ("x = a.b(c)", "E0213@2:7-10"),
        ("a:b(c)", "E0213@2:3-4"),
        ("x = (a)(b)", "E0213@2:7-10"),
        ("x = a.", "E0201@2:9-9"),
        ("x = a->b", "E0204@2:8-10"),
        ("x = +1", "E0204@2:7-8"),
        ("i++", "E0204@2:4-6"),
        ("++i", "E0204@2:3-5"),
        ("x = i++", "E0204@2:8-10"),
        ("i--", "E0206@2:3-4"),
        ("x &= 1", "E0204@2:5-7"),
        ("x <<= 2", "E0204@2:5-8"),
        ("x = a < b < c", "E0205@2:13-14"),
        ("x = a == b != c", "E0205@2:14-16"),
        ('x = "text"', "E0114@2:7-13"),
        ("x = 1.0f", "E0111@2:7-11"),
        ("x = $ 3", "E0110@2:7-8"),
        (";", "E0204@2:3-4"),
        ("x = 1; y = 2;", "E0204@2:8-9"),
        ("local x = 1", "E0204@2:3-8"),
        ("local x", "E0204@2:3-8"),
        ("local float x = 1", "E0204@2:3-8"),
        ("var x = 1", "E0204@2:3-6"),
        ("float x = 1.0", "E0204@2:3-10"),
        ("float x", "E0204@2:3-10"),
        ("vec3 a = vec3(1), b = vec3(2)", "E0204@2:3-9 E0204@2:19-20"),
        ("const float x = 1", "E0208@2:3-8"),
        ("const x = 2", "E0208@2:3-8"),
        ("x: int = 3", "E0204@2:3-4"),
        ("break", "E0204@2:3-8"),
        ("continue", "E0204@2:3-11"),
        ("goto done", "E0204@2:3-7"),
        ("discard", "E0204@2:3-10"),
        ("repeat x = 1 until x > 3", "E0204@2:3-9"),
        ("switch (x) { case 1: break }", "E0204@2:3-9"),
        ("if x { y = 1 }", "E0204@2:8-9"),
        ("if (x) { y = 1; } else { y = 2; }", "E0204@2:10-11 E0204@2:17-18 E0204@2:26-27"),
        (
            "if (x) { y = 1; } else if (z) { y = 2; } else { y = 3; }",
            "E0204@2:10-11 E0204@2:17-18 E0204@2:33-34 E0204@2:49-50",
        ),
        ("if x y = 1 end", "E0201@2:8-9"),
        ("if x do y = 1 end", "E0201@2:8-10"),
        ("if x: y = 1 end", "E0201@2:7-8"),
        ("if x then y = 1 elif z then y = 2 end", "E0204@2:19-23"),
        ("if then end", "E0201@2:6-10"),
        ("while x { y = 1 }", "E0204@2:11-12"),
        ("while (x) { y = 1; }", "E0204@2:13-14 E0204@2:20-21"),
        ("while x then y = 1 end", "E0201@2:11-15"),
        ("for (int i = 0; i < 3; i++) { y = 1; }", "E0204@2:3-6 E0204@2:31-32 E0204@2:38-39"),
        ("for i in 0..10 do y = 1 end", "E0204@2:3-6 E0111@2:12-17"),
        ("for i, v in pairs(t) do y = 1 end", "E0204@2:3-6"),
        ("for i = 0 do y = 1 end", "E0201@2:13-15"),
        ("for i = 0, 10, 1, 2 do y = 1 end", "E0201@2:19-20"),
        ("for i = 0; i < 3 do y = 1 end", "E0201@2:12-13"),
        ("for int i = 0, 3 do y = 1 end", "E0204@2:3-6"),
        ("@unroll x = 1", "E0209@2:3-10"),
        ("@unroll", "E0209@2:3-10"),
        ("@ for i = 0, 1 do end", "E0201@2:5-8"),
        ("return 1", "E0210@2:10-11"),
        ("return f(x)", "E0210@2:10-11"),
        ("else", "E0203@2:3-7"),
        ("elseif x then", "E0203@2:3-9"),
        ("then", "E0203@2:3-7"),
        (")", "E0203@2:3-4"),
        ("]", "E0203@2:3-4"),
        ("}", "E0203@2:3-4"),
        ("in x", "E0201@2:3-5"),
        ("function g() end", "E0208@2:3-11"),
        ("function(a) end", "E0208@2:3-11"),
        ("x = 1 2", "E0201@2:9-10"),
        ("x = ? 1", "E0201@2:7-8 E0201@2:10-10"),
        ("let x = \n  y = 2", "E0201@2:10-10"),
        ("x = a.\n  y = 2", "E0201@2:9-9"),
        ("function g() return 1 end", "E0208@2:3-11"),
        ("struct S a: int end", "E0208@2:3-9"),
        ("shared t: [4]float", "E0208@2:3-9"),
        ("@entry(fragment) function g() end", "E0208@2:20-28"),
        ("let end = 3", "E0201@2:7-10"),
        ("x = (function(a) end)", "E0201@2:8-16"),
        ("if a then\n  y = 1\n", "E0202@6:4-4"),
        ("while a do\n  if b then\n  end\n", "E0202@7:4-4"),
        ("if a then y = 1 else if b then y = 2 else y = 3 end", "E0202@4:4-4"),
        ("for i = 0, 3 do\nif x then\n  y = 1\nend\n", "E0202@8:4-4"),
        ("return a, b", "E0210@2:10-11 E0201@2:11-12"),
    ],
)
def test_errors_in_statements(text: str, errors: str) -> None:
    diagnostics, tree = errors_of(f"function f()\n  {text}\n  after = 1\nend\nconst last = 1\n")
    assert shown(diagnostics) == errors
    assert "  assign after = 1\n" in tree, "the next statement is lost"
    assert tree.endswith("\nconst last = 1\n"), "the next declaration is lost"


@pytest.mark.parametrize(
    ("text", "errors"),
    [
        ("let x = 1", "E0208@1:1-4"),
        ("x = 1", "E0201@1:1-2"),
        ("end", "E0203@1:1-4"),
        ("end end", "E0203@1:1-4"),
        (";", "E0204@1:1-2"),
        ("float x = 1.0", "E0204@1:1-6"),
        ("vec3 f(vec2 uv) { return uv; }", "E0204@1:1-5"),
        ("void main() { }", "E0204@1:1-5"),
        ("local function f() end", "E0204@1:1-6"),
        ("local x = 1", "E0204@1:1-6"),
        ("layout(location = 0) in vec3 x;", "E0204@1:1-7"),
        ("in vec3 x;", "E0204@1:1-3"),
        ("import foo", "E0204@1:1-7"),
        ("#define", "E0115@1:1-2"),
        ("fn f(a: float) -> float { return a; }", "E0204@1:1-3 E0204@1:25-26 E0204@1:35-36"),
        ("function f(a) end", "E0211@1:13-14"),
        ("function f(float a) end", "E0204@1:12-19"),
        ("function f(inout a: float) end", "E0204@1:12-17"),
        ("function f(in a: float) end", "E0204@1:12-14"),
        ("function f(a: float b: float) end", "E0201@1:21-22"),
        ("function f(: float) end", "E0201@1:12-13"),
        ("function f a: float) end", "E0201@1:12-13 E0204@1:12-13 E0203@1:20-21"),
        ("function (a: float) end", "E0201@1:10-11"),
        ("function a.b() end", "E0213@1:11-12"),
        ("function f(): float return 1 end", "E0204@1:13-14"),
        ("function f() -> () end", "E0212@1:17-19"),
        ("function f() -> (vec4) end", "E0211@1:22-23"),
        ("function f() -> @location(0) vec4 end", "E0209@1:17-18"),
        ("function f() -> end", "E0201@1:17-20"),
        ("function f(x: (a: float)) end", "E0212@1:15-16"),
        ("function f(x: ) end", "E0201@1:15-16"),
        ("function end() end", "E0201@1:10-13"),
        (
            "struct S { vec3 a; float b; };",
            "E0204@1:10-11 E0204@1:12-18 E0204@1:18-19 E0204@1:20-27",
        ),
        ("struct S a: vec3, b: float end", "E0204@1:17-18"),
        ("struct S a: float = 1 end", "E0204@1:19-20"),
        ("struct S a end", "E0211@1:12-15"),
        ("struct S vec3 a end", "E0204@1:10-16"),
        ("struct S in: vec3 end: float x: int end", "E0201@1:10-12 E0201@1:19-22"),
        ("struct end", "E0201@1:8-11"),
        ("struct S a: float function f() end", "E0202@1:19-27"),
        ("uniform mat4 m;", "E0204@1:9-15 E0204@1:15-16"),
        ("uniform U { mat4 m; } u;", "E0204@1:11-12"),
        ("uniform m", "E0211@1:10-10"),
        ("uniform : float", "E0201@1:9-10"),
        ("uniform buffer: float", "E0201@1:9-15"),
        ("buffer readwrite b: []int", "E0201@1:8-17"),
        ("buffer b: []", "E0201@1:13-13"),
        ("const float x = 1.0;", "E0204@1:7-14 E0204@1:20-21"),
        ("const x: float = ", "E0201@1:17-17"),
        ("const = 3", "E0201@1:7-8"),
        ("@varying x = 1", "E0209@1:1-9"),
        ("@ struct S end", "E0201@1:3-9"),
        ("@location( struct S end", "E0201@1:12-18"),
        ("@a(1 2) struct S end", "E0201@1:6-7"),
        ("@entry(vertex) end", "E0209@1:1-15"),
        ("1.5", "E0201@1:1-4"),
        ("( )", "E0201@1:1-2"),
        ("if x then y = 1 end", "E0201@1:1-3"),
        ("@unroll for i = 0, 1 do end", "E0209@1:1-8"),
        ("$", "E0110@1:1-2"),
        ("function f() -> float return 1 const z = 1", "E0208@1:32-37 E0202@1:43-43"),
        ("function f()\n  if a then\n    x = 1\n  y = 2\nend", "E0202@5:4-4"),
        ("function f()\n  if a then x = 1\n  else if b then x = 2\n  end\nend", "E0202@5:4-4"),
        ("function f()\n  x = {\nend", "E0201@2:8-8"),
        ("function f(\nconst c = 1", "E0201@1:12-12"),
        ("function f() x = 1 end end\nx = 2\nfunction g() end", "E0203@1:24-27"),
    ],
)
def test_errors_in_declarations(text: str, errors: str) -> None:
    diagnostics, tree = errors_of(f"{text}\nconst last = 1\n")
    assert shown(diagnostics) == errors
    assert tree.endswith("const last = 1\n"), "the next declaration is lost"


@pytest.mark.parametrize(
    ("text", "help"),
    [
        ("x = a ~= b", "`!=`"),
        ("x = !a", "`not`"),
        ("x = a && b", "`and`"),
        ("x = a || b", "`or`"),
        ("x = a ^ 2", "pow(x, y)"),
        ("x = a ? b : c", "select(condition, a, b)"),
        ("x = if a then b else c", "select(condition, a, b)"),
        ("i++", "`x += 1`"),
        ("i--", "`i -= 1`"),
        ("x <<= 2", "`x = x << n`"),
        ("x = 1;", "leave out"),
        ("local x = 1", "`let x = ...`"),
        ("local float x = 1", "`let x: float = ...`"),
        ("float x = 1.0", "`let x: float = ...`"),
        ("x: int = 3", "`let x: ...`"),
        ("let x: float[3] = y", "`[3]float`"),
        ("x = {1, 2}", "[2]float"),
        ("x = S { a: 1 }", "`a = ...`"),
        ("x = a.normalize(b)", "`normalize(a, b)`"),
        ("a:b(c)", "`b(a, ...)`"),
        ("discard", "`discard()`"),
        ("repeat until x", "while not"),
        ("if a { }", "`then ... end`"),
        ("while a { }", "`do ... end`"),
        ("for i in 0, 3 do end", "`for i = 0, count do`"),
        ("if a then elif b then end", "`elseif`"),
        ("  const x = 1", "`let`"),
        ("return 1", "-> T"),
        ("x == 3", "one `=`"),
        ("x = a < b < c", "`a < b and b < c`"),
        ("let end = 1", "keyword"),
    ],
)
def test_the_help_names_the_luma_way(text: str, help: str) -> None:
    diagnostics, _ = errors_of(f"function f()\n{text}\nend")
    assert diagnostics[0].help is not None and help in diagnostics[0].help


@pytest.mark.parametrize(
    ("text", "note", "line"),
    [
        ("function f()\n  if a then\n    x = 1\n  y = 2\nend", "another indentation", 2),
        ("function f()\n if a then\n else if b then\n end\nend", "an `end` of its own", 3),
        ("function f()\n x = (1 +\n 2\n", "the `(` is here", 2),
        ("struct S\n a: int\n", "the struct `S` starts here", 1),
        ("function f()\n x = a < b\n < c\nend", "the first comparison is here", 2),
    ],
)
def test_notes_point_at_the_cause(text: str, note: str, line: int) -> None:
    diagnostics, _ = errors_of(text)
    places = {n.message: n.span for n in diagnostics[0].notes}
    (place,) = [span for message, span in places.items() if note in message]
    assert place is not None and place.line_start == line


def test_all_errors_of_a_source_are_reported_in_order() -> None:
    diagnostics, tree = errors_of(
        """
        struct S a: end
        function f(x) let = 1 return end
        uniform u
        function g()
          if a then b( end
          x = = 2
        end
        """
    )
    assert [d.span.line_start for d in diagnostics if d.span] == [2, 3, 3, 4, 6, 7]
    assert "function g" in tree and "struct S" in tree


def test_a_shader_in_glsl_gets_few_and_helpful_errors() -> None:
    diagnostics, _ = errors_of(
        """
        layout(location = 0) in vec2 uv;
        uniform sampler2D tex;
        void main() {
          vec4 c = texture(tex, uv);
          if (c.a < 0.5) { discard; }
          gl_FragColor = c;
        }
        """
    )
    assert [d.code for d in diagnostics] == ["E0204"] * len(diagnostics)
    assert len(diagnostics) <= 4


# ---------------------------------------------------------------- includes


@pytest.mark.parametrize(
    ("included", "main", "place"),
    [
        ("function f()\n  x = 1 +\n", '#include "i"\nend', "E0201@i:2:10"),
        ("function f()\n  x = g(1\n", '#include "i"\nend', "E0201@i:2:10"),
        ("const a =", '#include "i"\nconst b = 1', "E0201@i:1:10"),
        ("function f()", '#include "i"', "E0202@i:1:13"),
        ("const a = 1\n", '#include "i"\nconst = 2', "E0201@main:2:7"),
        ("const a = 1", 'const c = 2\n#include "i"\n  $', "E0110@main:3:3"),
        ("x = ]", 'function f()\n#include "i"\nend', "E0201@i:1:5"),
    ],
)
def test_errors_at_an_include_boundary_name_the_right_file(
    included: str, main: str, place: str
) -> None:
    source, found = preprocess(main, "main", file_reader={"i": included}.get)
    assert found == ()
    reporter = Reporter(source)
    parse(source, reporter)
    (diagnostic,) = reporter.diagnostics
    span = diagnostic.span
    assert span is not None
    assert f"{diagnostic.code}@{span.file}:{span.line_start}:{span.col_start}" == place
