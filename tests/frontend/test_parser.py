"""The grammar: what every construct parses to, and where its parts are."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from luma.diagnostics import Reporter
from luma.frontend import syntax
from luma.frontend.dump import dump
from luma.frontend.parser import parse
from luma.source import Source, Span


def parsed(text: str) -> tuple[syntax.Module, Reporter]:
    """The tree of a text and what was reported."""
    source = Source.plain(text, "t.luma")
    reporter = Reporter(source)
    return parse(source, reporter), reporter


def fine(text: str) -> syntax.Module:
    """The tree of a text that must have no errors."""
    module, reporter = parsed(text)
    assert [d.render() for d in reporter.diagnostics] == []
    return module


def body_of(text: str, result: str = "") -> tuple[syntax.Statement, ...]:
    """The statements of a function's body."""
    (function,) = fine(f"function f(){result}\n{text}\nend").declarations
    assert isinstance(function, syntax.FunctionDecl)
    return function.body


def value_of(text: str) -> tuple[syntax.Expression, str]:
    """An expression, and the source that its spans point into."""
    source = f"const c = {text}"
    (const,) = fine(source).declarations
    assert isinstance(const, syntax.ConstDecl) and const.value is not None
    return const.value, source


def cut(source: str, span: Span) -> str:
    """The text of a span."""
    return source[span.start : span.end]


# ---------------------------------------------------------------- expressions


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("a or b and c", "(a or (b and c))"),
        ("a and b or c", "((a and b) or c)"),
        ("a and b == c", "(a and (b == c))"),
        ("a == b | c", "(a == (b | c))"),
        ("a | b ~ c", "(a | (b ~ c))"),
        ("a ~ b & c", "(a ~ (b & c))"),
        ("a & b << c", "(a & (b << c))"),
        ("a << b + c", "(a << (b + c))"),
        ("a + b * c", "(a + (b * c))"),
        ("a * b + c", "((a * b) + c)"),
        ("a - b - c", "((a - b) - c)"),
        ("a / b * c % d", "(((a / b) * c) % d)"),
        ("a << b >> c", "((a << b) >> c)"),
        ("a or b or c", "((a or b) or c)"),
        ("-a * b", "((-a) * b)"),
        ("a * -b", "(a * (-b))"),
        ("a - -b", "(a - (-b))"),
        ("- -a", "(-(-a))"),
        ("-a.x", "(-a.x)"),
        ("~a ~ ~b", "((~a) ~ (~b))"),
        ("not a == b", "((not a) == b)"),
        ("not not a", "(not (not a))"),
        ("not (a == b)", "(not (a == b))"),
        ("(a or b) and c", "((a or b) and c)"),
        ("a * (b + c) * d", "((a * (b + c)) * d)"),
        ("(a < b) == (c < d)", "((a < b) == (c < d))"),
        ("a < b and b < c", "((a < b) and (b < c))"),
        ("a < b or c >= d and e != f", "((a < b) or ((c >= d) and (e != f)))"),
        ("1 + 2 | 3 * 4 ~ 5 << 1 & 7", "((1 + 2) | ((3 * 4) ~ ((5 << 1) & 7)))"),
        ("a.b.c[d].e", "a.b.c[d].e"),
        ("(a + b).x", "(a + b).x"),
        ("m[i][j].y", "m[i][j].y"),
        ("f()", "f()"),
        ("f(a, b + 1, g(c)).x", "f(a, (b + 1), g(c)).x"),
        ("f(a, b,)", "f(a, b)"),
        ("vec4(a.rgb, 1.)", "vec4(a.rgb, 1.)"),
        ("true and false", "(true and false)"),
        ("0x1F + .5", "(0x1F + .5)"),
        ("S { a = 1, b = 2 }", "S{a = 1, b = 2}"),
        ("S { a = 1, }", "S{a = 1}"),
        ("S {}", "S{}"),
        ("{ a = { b = 1 } }", "{a = {b = 1}}"),
        ("S { a = 1 }.a", "S{a = 1}.a"),
        ("[3]float { 1.0, 2.0, 3.0 }", "[3]float{1.0, 2.0, 3.0}"),
        ("[2]float { 1.0, 2.0, }[0]", "[2]float{1.0, 2.0}[0]"),
        ("[N * 2][2]vec3 { a }", "[(N * 2)][2]vec3{a}"),
        ("a\n(b)", "a(b)"),
        ("a -- note\n + --[[ x ]] b", "(a + b)"),
    ],
)
def test_expressions(text: str, tree: str) -> None:
    assert dump(fine(f"const c = {text}")) == f"const c = {tree}\n"


def test_numbers_keep_their_text_and_value() -> None:
    node, _ = value_of("0x1F")
    assert isinstance(node, syntax.Number)
    assert (node.text, node.value, node.real) == ("0x1F", 31, False)
    node, _ = value_of("1.")
    assert isinstance(node, syntax.Number)
    assert (node.text, node.value, node.real) == ("1.", 1.0, True)


def test_the_spans_of_operators_include_parentheses() -> None:
    node, source = value_of("(a + b) * (c)  + -(d)")
    assert isinstance(node, syntax.Binary)
    assert cut(source, node.span) == "(a + b) * (c)  + -(d)"
    assert cut(source, node.operator_span) == "+"
    assert node.operator_span.start == source.rindex("+")
    left, right = node.left, node.right
    assert isinstance(left, syntax.Binary) and isinstance(right, syntax.Unary)
    assert cut(source, left.span) == "(a + b) * (c)"
    assert cut(source, right.span) == "-(d)"
    assert cut(source, right.operand.span) == "d"


@pytest.mark.parametrize(
    ("text", "kind", "parts"),
    [
        ("f( a )", syntax.Call, {"span": "f( a )", "callee_span": "f"}),
        ("(x).yz", syntax.Member, {"span": "(x).yz", "name_span": "yz"}),
        ("x[ 1 ]", syntax.Index, {"span": "x[ 1 ]"}),
        ("S { a = 1 }", syntax.StructLiteral, {"span": "S { a = 1 }"}),
        ("{ a = 1 }", syntax.StructLiteral, {"span": "{ a = 1 }"}),
        ("[1]int { 2 }", syntax.ArrayLiteral, {"span": "[1]int { 2 }"}),
        ("true", syntax.Boolean, {"span": "true"}),
    ],
)
def test_the_spans_of_operands(text: str, kind: type, parts: dict[str, str]) -> None:
    node, source = value_of(text)
    assert isinstance(node, kind)
    for part, expected in parts.items():
        assert cut(source, getattr(node, part)) == expected


def test_the_spans_of_fields_and_types() -> None:
    node, source = value_of("S { alpha = 1 + 2 }")
    assert isinstance(node, syntax.StructLiteral)
    (field,) = node.fields
    assert (cut(source, field.span), cut(source, field.name_span)) == ("alpha = 1 + 2", "alpha")
    node, source = value_of("[2][3]int {}")
    assert isinstance(node, syntax.ArrayLiteral)
    assert cut(source, node.type.span) == "[2][3]int"
    assert cut(source, node.type.elem.span) == "[3]int"


# ---------------------------------------------------------------- statements


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("let x = 1", ["let x = 1"]),
        ("let x: int = 1", ["let x: int = 1"]),
        ("let x: [2][N]float = y", ["let x: [2][N]float = y"]),
        ("let x: int", ["let x: int"]),
        ("let x", ["let x"]),
        ("let a = 1 let b = 2", ["let a = 1", "let b = 2"]),
        ("x = 1 y = 2", ["assign x = 1", "assign y = 2"]),
        ("x += 1", ["assign x += 1"]),
        ("x -= y x *= y x /= y x %= y", [f"assign x {o}= y" for o in "-*/%"]),
        ("a.b[i].zx = v", ["assign a.b[i].zx = v"]),
        ("f() g(1)", ["call f()", "call g(1)"]),
        ("return", ["return"]),
        ("return x = 1", None),
        ("return\nx = 1", ["return", "assign x = 1"]),
        ("return\nf(x)", ["return", "call f(x)"]),
        ("if a then return end x = 1", ["if a", "  return", "assign x = 1"]),
        (
            "if a then x = 1 elseif b then elseif c then x = 2 else x = 3 end",
            [
                "if a",
                "  assign x = 1",
                "elseif b",
                "elseif c",
                "  assign x = 2",
                "else",
                "  assign x = 3",
            ],
        ),
        ("if a then else end", ["if a", "else"]),
        ("if a then if b then end else end", ["if a", "  if b", "else"]),
        ("if a then\nelse\n if b then\n end\nend", ["if a", "else", "  if b"]),
        ("if (a) then end", ["if a"]),
        ("for i = 0, 10 do f(i) end", ["for i = 0, 10", "  call f(i)"]),
        ("for i = n, 0, -1 do end", ["for i = n, 0, (-1)"]),
        ("@unroll for i = 0, 4 do end", ["@unroll", "for i = 0, 4"]),
        ("@unroll(2 * N) for i = 0, n do end", ["@unroll((2 * N))", "for i = 0, n"]),
        ("while a < b do a += 1 end", ["while (a < b)", "  assign a += 1"]),
        ("@max_iterations(8) while a do end", ["@max_iterations(8)", "while a"]),
        ("do let x = 1 end", ["do", "  let x = 1"]),
        ("if S { a = 1 }.a then end", ["if S{a = 1}.a"]),
        ("while a == S { a = 1 } do end", ["while (a == S{a = 1})"]),
        ("if f(S { a = 1 }) then end", ["if f(S{a = 1})"]),
        ("storage = readonly", ["assign storage = readonly"]),
        (
            "repeat = 1 local = 2 var += 3",
            ["assign repeat = 1", "assign local = 2", "assign var += 3"],
        ),
    ],
)
def test_statements(text: str, tree: list[str] | None) -> None:
    if tree is None:
        assert parsed(f"function f() {text} end")[1].error_count
        return
    module = fine(f"function f() {text} end")
    assert dump(module).splitlines() == ["function f", *("  " + line for line in tree)]


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("return x", ["return x"]),
        ("return\nx", ["return x"]),
        ("return x = 1", None),
        ("return { a = 1 }", ["return {a = 1}"]),
        ("return (a)\n(b)", None),
        ("if c then return 1 end return 2", ["if c", "  return 1", "return 2"]),
        ("return 1 f()", ["return 1", "call f()"]),
        ("if c then return else return end", ["if c", "  return", "else", "  return"]),
    ],
)
def test_return_takes_a_value_where_the_function_has_one(text: str, tree: list[str] | None) -> None:
    module, reporter = parsed(f"function f() -> T {text} end")
    if tree is None:
        assert reporter.error_count == 1
        return
    assert reporter.diagnostics == ()
    shown = dump(module).splitlines()
    assert shown == ["function f", "  result T", *("  " + line for line in tree)]


@pytest.mark.parametrize(
    ("text", "kind", "parts"),
    [
        ("let x: int = 1 + 2", syntax.Let, {"span": "let x: int = 1 + 2", "name_span": "x"}),
        ("a.b += c", syntax.Assign, {"span": "a.b += c"}),
        ("f(1)", syntax.CallStatement, {"span": "f(1)"}),
        ("return", syntax.Return, {"span": "return"}),
        ("if a then else end", syntax.If, {"span": "if a then else end"}),
        ("do x = 1 end", syntax.Block, {"span": "do x = 1 end"}),
        (
            "@a for i = 0, 1 do end",
            syntax.For,
            {"span": "@a for i = 0, 1 do end", "name_span": "i"},
        ),
        ("while a do end", syntax.While, {"span": "while a do end"}),
    ],
)
def test_the_spans_of_statements(text: str, kind: type, parts: dict[str, str]) -> None:
    (statement,) = body_of(text)
    assert isinstance(statement, kind)
    source = f"function f()\n{text}\nend"
    for part, expected in parts.items():
        assert cut(source, getattr(statement, part)) == expected


def test_the_spans_of_arms() -> None:
    (statement,) = body_of("if a then x = 1 elseif b then y = 2 end")
    assert isinstance(statement, syntax.If)
    source = "function f()\nif a then x = 1 elseif b then y = 2 end\nend"
    assert [cut(source, arm.span) for arm in statement.arms] == [
        "if a then x = 1",
        "elseif b then y = 2",
    ]


# ---------------------------------------------------------------- declarations


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("", []),
        ("function f() end", ["function f"]),
        ("function f() -> float end", ["function f", "  result float"]),
        ("function f() -> [2]vec3 end", ["function f", "  result [2]vec3"]),
        (
            "function f(a: float, b: [4]vec2,) end",
            ["function f", "  parameter a: float", "  parameter b: [4]vec2"],
        ),
        (
            "@entry(compute) @workgroup_size(8, 8, 1)\nfunction f(@builtin(id) i: uvec3) end",
            [
                "@entry(compute)",
                "@workgroup_size(8, 8, 1)",
                "function f",
                "  parameter @builtin(id) i: uvec3",
            ],
        ),
        (
            "function f(uv: vec2) -> (@builtin(position) p: vec4, uv: vec2) end",
            [
                "function f",
                "  parameter uv: vec2",
                "  result (@builtin(position) p: vec4, uv: vec2)",
            ],
        ),
        ("function f() -> (color: vec4,) end", ["function f", "  result (color: vec4)"]),
        ("struct S end", ["struct S"]),
        (
            "@varying struct S\n @builtin(position) p: vec4\n uv: vec2 l: [N]Light\nend",
            ["@varying", "struct S", "  @builtin(position) p: vec4", "  uv: vec2", "  l: [N]Light"],
        ),
        (
            "struct S a: float @location(1) b: vec2 end",
            ["struct S", "  a: float", "  @location(1) b: vec2"],
        ),
        ("uniform u: Uniforms", ["uniform u: Uniforms"]),
        (
            "@group(1) @binding(0)\nuniform t: sampler2D",
            ["@group(1)", "@binding(0)", "uniform t: sampler2D"],
        ),
        ("@push_constant uniform pc: T", ["@push_constant", "uniform pc: T"]),
        ("buffer lights: [16]Light", ["buffer lights: [16]Light"]),
        ("buffer storage p: []vec3", ["buffer storage p: []vec3"]),
        ("buffer readonly p: []vec3", ["buffer readonly p: []vec3"]),
        ("buffer writeonly p: []vec3", ["buffer writeonly p: []vec3"]),
        ("buffer storage: []vec3", ["buffer storage: []vec3"]),
        ("shared tile: [16][4]float", ["shared tile: [16][4]float"]),
        ("uniform u: float = 1.0", ["uniform u: float = 1.0"]),
        ("const N: int = 4", ["const N: int = 4"]),
        ("const N = 4 const M: int", ["const N = 4", "const M: int"]),
        ("@spec(3) const S: float = 1.0", ["@spec(3)", "const S: float = 1.0"]),
    ],
)
def test_declarations(text: str, tree: list[str]) -> None:
    assert dump(fine(text)).splitlines() == tree


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("@a struct S x: int end", {"span": "@a struct S x: int end", "name_span": "S"}),
        (
            "@a function f() x = 1 end",
            {"span": "@a function f() x = 1 end", "name_span": "f", "end_span": "end"},
        ),
        ("buffer storage b: []int", {"span": "buffer storage b: []int", "name_span": "b"}),
        ("const N: int = 4", {"span": "const N: int = 4", "name_span": "N"}),
    ],
)
def test_the_spans_of_declarations(text: str, parts: dict[str, str]) -> None:
    source = f"-- first\n{text}\n-- last"
    (declaration,) = fine(source).declarations
    for part, expected in parts.items():
        assert cut(source, getattr(declaration, part)) == expected


def test_the_spans_of_parameters_attributes_and_fields() -> None:
    source = "@entry(vertex) function f(@location(2) a: vec2) -> (b: [2]int) end"
    (function,) = fine(source).declarations
    assert isinstance(function, syntax.FunctionDecl)
    (parameter,) = function.parameters
    assert cut(source, parameter.span) == "@location(2) a: vec2"
    assert cut(source, parameter.name_span) == "a"
    assert cut(source, parameter.type.span) == "vec2"
    assert cut(source, parameter.attributes[0].span) == "@location(2)"
    assert cut(source, function.attributes[0].span) == "@entry(vertex)"
    assert isinstance(function.result, syntax.TupleType)
    assert cut(source, function.result.span) == "(b: [2]int)"
    assert cut(source, function.result.fields[0].span) == "b: [2]int"


def test_every_span_lies_in_its_parents() -> None:
    module = fine(
        """
        struct S a: [2]float end
        @entry(fragment)
        function f(x: vec3, @location(1) y: float) -> (@location(0) c: vec4)
          let s: S = S { a = [2]float { y, (-y) } }
          @unroll for i = 0, 2 do s.a[i] += (x.x + 1.0) * y end
          if not (y < 1.0) then discard() elseif y > 2.0 then do y = 1.0 end else y = 0 end
          while y < 3.0 do y = y + 1.0 end
          return { c = vec4(x, s.a[0]) }
        end
        """
    )
    for declaration in module.declarations:
        check_spans(declaration, module.span)


def check_spans(node: Any, outer: Span) -> None:
    """Check that a node's spans lie within its parent's, recursively."""
    assert outer.start <= node.span.start <= node.span.end <= outer.end
    for field in fields(node):
        part = getattr(node, field.name)
        for child in part if isinstance(part, tuple) else (part,):
            if isinstance(child, Span):
                assert outer.start <= child.start <= child.end <= outer.end
            elif is_dataclass(child) and not isinstance(child, type):
                check_spans(child, node.span)
