"""Structure and order of the printed statements: loops, branches, copies, effects."""

from __future__ import annotations

import pytest
from luma.backends.text.literals import shortest
from luma.backends.text.names import Scope, legal
from luma.backends.text.wrapping import wrapped

from luma.language.numbers import f16, f16_from_bits, f32, f32_from_bits
from luma.language.reserved import GLSL
from luma.language.types import Kind
from tests.backends.glsl_support import body_of

HEAD = """\
b0:
  %1: int = const 0
  %2: int = const 1
  %3: int = const 8
  %4: float = const 1.0
  %5: float = const 2.0
  %6: ptr<storage, []float> = global @src
  %7: ptr<storage, []float> = global @out
  %8: ptr<storage, float> = access [0] %7
  %9: ptr<storage, float> = access [1] %7
"""

COUNT = """\
  %{test}: bool = lt %{i}, %3
  cond_br %{test} {body}(), {end}()
"""


def lines(text: str) -> str:
    """The expected text without the indentation of the test's source."""
    rows = text.strip("\n ").splitlines()
    rows[0] = " " * 8 + rows[0]
    indent = min(len(row) - len(row.lstrip()) for row in rows if row.strip())
    return "\n".join(row[indent:].rstrip() for row in rows)


def expect(instructions: str, wanted: str) -> None:
    assert body_of(HEAD + instructions) == lines(wanted)


# ---------------------------------------------------------------- loops and copies


def test_counted_loop() -> None:
    expect(
        """\
  br b1(%1, %4)
b1(%10 "i": int, %11 "s": float): loop merge b4 continue b3
  %12: bool = lt %10, %3
  cond_br %12 b2(), b4()
b2:
  %13: ptr<storage, float> = access [.] %6, %10
  %14: float = load %13
  %15 "s": float = add %11, %14
  br b3()
b3:
  %16: int = add %10, %2
  br b1(%16, %15)
b4:
  store %8, %11
  return
""",
        """
        float s = 1.0;
        for (int i = 0; i < 8; i++) {
            s += src[i];
        }
        out_1[0] = s;
        """,
    )


def test_swap_needs_a_temporary() -> None:
    expect(
        """\
  br b1(%1, %4, %5)
b1(%10 "i": int, %11 "a": float, %12 "b": float): loop merge b4 continue b3
  %13: bool = lt %10, %3
  cond_br %13 b2(), b4()
b2:
  br b3()
b3:
  %14: int = add %10, %2
  br b1(%14, %12, %11)
b4:
  store %8, %11
  store %9, %12
  return
""",
        """
        float a = 1.0;
        float b = 2.0;
        for (int i = 0; i < 8; i++) {
            float next_a = b;
            b = a;
            a = next_a;
        }
        out_1[0] = a;
        out_1[1] = b;
        """,
    )


def test_rotation_of_three_with_expressions() -> None:
    """Every new value is computed from the old ones."""
    expect(
        """\
  br b1(%1, %4, %5, %5)
b1(%10 "i": int, %11 "a": float, %12 "b": float, %13 "c": float): loop merge b4 continue b3
  %14: bool = lt %10, %3
  cond_br %14 b2(), b4()
b2:
  br b3()
b3:
  %15: int = add %10, %2
  %16: float = mul %12, %5
  %17: float = add %13, %11
  br b1(%15, %16, %17, %11)
b4:
  store %8, %11
  store %9, %13
  return
""",
        """
        float a = 1.0;
        float b = 2.0;
        float c = 2.0;
        for (int i = 0; i < 8; i++) {
            float next_a = b * 2.0;
            b = c + a;
            c = a;
            a = next_a;
        }
        out_1[0] = a;
        out_1[1] = c;
        """,
    )


def test_lost_copy() -> None:
    """The last round's counter is used after the loop: it must not be the next one."""
    expect(
        """\
  br b1(%1)
b1(%10 "i": int): loop merge b4 continue b3
  %11 "next": int = add %10, %2
  br b2()
b2:
  %12: bool = ge %11, %3
  cond_br %12 b4(), b3()
b3:
  br b1(%11)
b4:
  %13: float = convert %10
  store %8, %13
  return
""",
        """
        int i = 0;
        while (true) {
            int next = i + 1;
            if (next >= 8) {
                break;
            }
            i = next;
        }
        out_1[0] = float(i);
        """,
    )


def test_loop_without_a_round_keeps_its_first_value() -> None:
    expect(
        """\
  br b1(%1, %4)
b1(%10 "i": int, %11 "s": float): loop merge b4 continue b3
  %12: bool = lt %10, %1
  cond_br %12 b2(), b4()
b2:
  br b3()
b3:
  %13: int = add %10, %3
  br b1(%13, %5)
b4:
  store %8, %11
  return
""",
        """
        float s = 1.0;
        for (int i = 0; i < 0; i += 8) {
            s = 2.0;
        }
        out_1[0] = s;
        """,
    )


def test_limit_counts_with_the_variable_that_counts_alike() -> None:
    """``i`` and the unnamed count of rounds are always equal."""
    expect(
        """\
  br b1(%1, %1, %4)
b1(%10 "i": int, %11: int, %12 "s": float): loop merge b4 continue b3
  %13: bool = lt %10, %3
  %14: int = const 5
  %15: bool = lt %11, %14
  %16: bool = and %13, %15
  cond_br %16 b2(), b4()
b2:
  br b3()
b3:
  %17: int = add %10, %2
  %18: int = add %11, %2
  %19: float = add %12, %4
  br b1(%17, %18, %19)
b4:
  store %8, %12
  return
""",
        """
        float s = 1.0;
        for (int i = 0; i < 8 && i < 5; i++) {
            s += 1.0;
        }
        out_1[0] = s;
        """,
    )


def test_counter_used_after_the_loop_is_declared_before_it() -> None:
    expect(
        """\
  br b1(%1)
b1(%10 "i": int): loop merge b4 continue b3
  %11: bool = lt %10, %3
  cond_br %11 b2(), b4()
b2:
  br b3()
b3:
  %12: int = add %10, %2
  br b1(%12)
b4:
  %13: float = convert %10
  store %8, %13
  return
""",
        """
        int i = 0;
        while (i < 8) {
            i += 1;
        }
        out_1[0] = float(i);
        """,
    )


def test_way_to_the_next_round_is_no_continue_where_none_is_needed() -> None:
    expect(
        """\
  br b1(%1, %4)
b1(%10 "i": int, %11 "s": float): loop merge b6 continue b5
  %12: bool = lt %10, %3
  cond_br %12 b2(), b6()
b2:
  %13: bool = eq %10, %2
  cond_br %13 b5(%11), b3()
b3:
  %14: ptr<storage, float> = access [.] %6, %10
  %15: float = load %14
  %16: float = add %11, %15
  br b5(%16)
b5(%17: float):
  %18: int = add %10, %2
  br b1(%18, %17)
b6:
  store %8, %11
  return
""",
        """
        float s = 1.0;
        for (int i = 0; i < 8; i++) {
            if (i != 1) {
                s += src[i];
            }
        }
        out_1[0] = s;
        """,
    )


def test_return_out_of_nested_loops() -> None:
    expect(
        """\
  br b1(%1)
b1(%10 "y": int): loop merge b9 continue b8
  %11: bool = lt %10, %3
  cond_br %11 b2(), b9()
b2:
  br b3(%1)
b3(%12 "x": int): loop merge b7 continue b6
  %13: bool = lt %12, %3
  cond_br %13 b4(), b7()
b4:
  %14: bool = eq %12, %10
  cond_br %14 b5(), b10() merge b10
b5:
  store %8, %4
  return
b10:
  br b6()
b6:
  %15: int = add %12, %2
  br b3(%15)
b7:
  br b8()
b8:
  %16: int = add %10, %2
  br b1(%16)
b9:
  store %9, %5
  return
""",
        """
        for (int y = 0; y < 8; y++) {
            for (int x = 0; x < 8; x++) {
                if (x == y) {
                    out_1[0] = 1.0;
                    return;
                }
            }
        }
        out_1[1] = 2.0;
        """,
    )


def test_first_value_that_reads_memory_does_not_move_past_a_write() -> None:
    """Were this a ``for``, its first value would be read after the store."""
    expect(
        """\
  %10: float = load %8
  %11: int = convert %10
  store %8, %5
  %13: float = load %9
  %14: int = convert %13
  br b1(%11)
b1(%15 "i": int): loop merge b4 continue b3
  %16: bool = lt %15, %14
  cond_br %16 b2(), b4()
b2:
  br b3()
b3:
  %17: int = add %15, %2
  br b1(%17)
b4:
  return
""",
        """
        int i = int(out_1[0]);
        out_1[0] = 2.0;
        int out_1_int = int(out_1[1]);
        while (i < out_1_int) {
            i += 1;
        }
        """,
    )


# ---------------------------------------------------------------- branches


def test_default_of_a_merge_stands_at_the_declaration() -> None:
    expect(
        """\
  %10: ptr<storage, float> = access [0] %6
  %11: float = load %10
  %12: bool = lt %11, %4
  cond_br %12 b1(), b2(%4) merge b2
b1:
  br b2(%5)
b2(%13 "x": float):
  store %8, %13
  return
""",
        """
        float x = 1.0;
        if (src[0] < 1.0) {
            x = 2.0;
        }
        out_1[0] = x;
        """,
    )


def test_else_if_chain() -> None:
    expect(
        """\
  %10: ptr<storage, float> = access [0] %6
  %11 "v": float = load %10
  %12: bool = lt %11, %4
  cond_br %12 b1(), b2() merge b5
b1:
  br b5(%4)
b2:
  %13: bool = lt %11, %5
  cond_br %13 b3(), b4() merge b6
b3:
  br b6(%5)
b4:
  br b6(%11)
b6(%14: float):
  br b5(%14)
b5(%15 "x": float):
  store %8, %15
  return
""",
        """
        float v = src[0];
        float x;
        if (v < 1.0) {
            x = 1.0;
        } else if (v < 2.0) {
            x = 2.0;
        } else {
            x = v;
        }
        out_1[0] = x;
        """,
    )


def test_value_of_a_branch_used_after_the_other_left() -> None:
    """It is declared where its use can see it."""
    expect(
        """\
  %10: ptr<storage, float> = access [0] %6
  %11 "v": float = load %10
  %12: bool = lt %11, %4
  cond_br %12 b1(), b2() merge b3
b1:
  return
b2:
  %13 "w": float = sqrt %11
  br b3()
b3:
  store %8, %13
  store %9, %13
  return
""",
        """
        float v = src[0];
        if (v < 1.0) {
            return;
        }
        float w = sqrt(v);
        out_1[0] = w;
        out_1[1] = w;
        """,
    )


# ---------------------------------------------------------------- order of reads and writes


def test_read_does_not_move_past_a_write() -> None:
    expect(
        """\
  %10: float = load %8
  store %8, %4
  store %9, %10
  return
""",
        """
        float out_0 = out_1[0];
        out_1[0] = 1.0;
        out_1[1] = out_0;
        """,
    )


def test_read_that_picks_an_element_is_not_repeated_after_a_write() -> None:
    """``b[b[0]]`` read, the array changed, the same place written."""
    expect(
        """\
  %10: float = load %8
  %11: int = convert %10
  %12: ptr<storage, float> = access [.] %7, %11
  %13: float = load %12
  store %8, %5
  store %12, %13
  return
""",
        """
        int out_0_int = int(out_1[0]);
        float out_element = out_1[out_0_int];
        out_1[0] = 2.0;
        out_1[out_0_int] = out_element;
        """,
    )


def test_place_used_in_another_block_is_a_place() -> None:
    """A pointer has no variable; the index in it has one."""
    expect(
        """\
  %10: float = load %8
  %11: int = convert %10
  %12: int = add %11, %2
  %13: ptr<storage, float> = access [.] %7, %12
  %14: bool = lt %11, %3
  cond_br %14 b1(), b2() merge b2
b1:
  store %13, %4
  br b2()
b2:
  return
""",
        """
        int out_0_int = int(out_1[0]);
        int sum = out_0_int + 1;
        if (out_0_int < 8) {
            out_1[sum] = 1.0;
        }
        """,
    )


def test_update_in_place() -> None:
    expect(
        """\
  %10: float = load %8
  %11: float = mul %10, %5
  store %8, %11
  return
""",
        """
        out_1[0] *= 2.0;
        """,
    )


def test_read_stays_before_a_barrier() -> None:
    expect(
        """\
  %10: float = load %8
  %11 = storage_barrier
  store %9, %10
  return
""",
        """
        float out_0 = out_1[0];
        memoryBarrierBuffer();
        barrier();
        out_1[1] = out_0;
        """,
    )


def test_shared_values_have_names() -> None:
    """Forty squarings are forty lines, not a text that doubles each time."""
    rows = ["  %10: float = load %8\n"]
    for at in range(40):
        rows.append(f"  %{2 * at + 11}: float = mul %{2 * at + 10}, %{2 * at + 10}\n")
        rows.append(f"  %{2 * at + 12}: float = add %{2 * at + 11}, %{2 * at + 10}\n")
    text = body_of(HEAD + "".join(rows) + "  store %8, %90\n  return\n")
    assert len(text) < 45 * 40
    assert len(text.splitlines()) == 41


def test_long_expressions_are_divided() -> None:
    rows = ["  %10: float = load %8\n"]
    rows += [f"  %{at + 11}: float = sin %{at + 10}\n" for at in range(60)]
    text = body_of(HEAD + "".join(rows) + "  store %8, %70\n  return\n")
    assert max(map(len, text.splitlines())) < 120


# ---------------------------------------------------------------- operators


@pytest.mark.parametrize(
    ("instructions", "wanted"),
    [
        ("%11: float = add %10, %4\n  %12: float = mul %11, %5", "(a + 1.0) * 2.0"),
        ("%11: float = mul %10, %4\n  %12: float = add %5, %11", "2.0 + a * 1.0"),
        ("%11: float = sub %10, %4\n  %12: float = sub %5, %11", "2.0 - (a - 1.0)"),
        ("%11: float = sub %10, %4\n  %12: float = sub %11, %5", "a - 1.0 - 2.0"),
        ("%11: float = div %10, %4\n  %12: float = mul %5, %11", "2.0 * (a / 1.0)"),
        ("%11: float = neg %10\n  %12: float = neg %11", "-(-a)"),
        ("%11: float = neg %10\n  %12: float = sub %4, %11", "1.0 - (-a)"),
        ("%11: float = neg %10\n  %12: float = mul %11, %4", "-a * 1.0"),
        ("%11: float = add %10, %4\n  %12: float = neg %11", "-(a + 1.0)"),
        ("%11: float = const -2.5\n  %12: float = add %10, %11", "a - 2.5"),
        ("%11: float = const -2.5\n  %12: float = mul %10, %11", "a * -2.5"),
        ("%11: float = const inf\n  %12: float = mul %10, %11", "a * uintBitsToFloat(0x7f800000u)"),
        ("%11: bool = lt %10, %4\n  %12: float = select %11, %4, %5", "a < 1.0 ? 1.0 : 2.0"),
        (
            "%11: bool = lt %10, %4\n  %13: bool = not %11\n  %12: float = select %13, %4, %5",
            "!(a < 1.0) ? 1.0 : 2.0",
        ),
        (
            "%11: bool = eq %10, %4\n  %13: bool = not %11\n  %12: float = select %13, %4, %5",
            "a != 1.0 ? 1.0 : 2.0",
        ),
        (
            "%11: int = convert %10\n  %13: int = shl %11, %2\n  %14: int = bit_or %13, %3\n"
            "  %12: float = convert %14",
            "float((int(a) << 1) | 8)",
        ),
        (
            '%11 "n": int = convert %10\n  %13: int = shr %3, %11\n  %12: float = convert %13',
            "float(8 >> (n & 31))",
        ),
        (
            "%11: int = const -2147483648\n  %13: int = add %11, %3\n  %12: float = convert %13",
            "float((-2147483647 - 1) + 8)",
        ),
        ("%11: vec3 = splat %10\n  %12: float = length %11", "length(vec3(a))"),
        (
            "%11: vec3 = splat %10\n  %13: vec3 = splat %4\n  %14: vec3 = max %11, %13\n"
            "  %12: float = length %14",
            "length(max(vec3(a), 1.0))",
        ),
        (
            "%11: vec2 = construct %10, %4\n  %13: vec2 = splat %10\n  %14: bvec2 = eq %11, %13\n"
            "  %15: bool = all %14\n  %12: float = select %15, %4, %5",
            "vec2(a, 1.0) == vec2(a) ? 1.0 : 2.0",
        ),
    ],
)
def test_expression(instructions: str, wanted: str) -> None:
    text = body_of(
        f'{HEAD}  %10 "a": float = load %9\n  {instructions}\n  store %8, %12\n  return\n'
    )
    assert text.splitlines()[-1] == f"out_1[0] = {wanted};"


# ---------------------------------------------------------------- literals and names


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (1.0, "1.0"),
        (100.0, "100.0"),
        (0.1, "0.1"),
        (f32(1 / 3), "0.33333334"),
        (1e-5, "0.00001"),
        (1e20, "1e20"),
        (1.5e-9, "1.5e-9"),
        (16777216.0, "16777216.0"),
        (3.4028234663852886e38, "3.4028234663852886e38"),
        (-3.4028234663852886e38, "-3.4028234663852886e38"),
        (1e-45, "1e-45"),
        (1.1754943508222875e-38, "1.1754944e-38"),
    ],
)
def test_float_literal(value: float, text: str) -> None:
    assert shortest(f32(value), Kind.FLOAT) == text


def test_float_literals_read_back_to_the_same_bits() -> None:
    for bits in range(0, 0x7F800000, 0x7F800000 // 997):
        value = f32_from_bits(bits)
        text = shortest(value, Kind.FLOAT)
        assert f32(float(text)) == value
        assert "." in text or "e" in text


def test_half_literals_read_back_however_they_are_rounded() -> None:
    """To the nearest half, or by cutting off what does not fit."""
    for bits in range(0, 0x7C00, 7):
        value = f16_from_bits(bits)
        read = float(shortest(value, Kind.HALF))
        assert f16(read) == value <= read
        assert float(shortest(-value, Kind.HALF)) == -read
    assert shortest(f16(0.1), Kind.HALF) == "0.1"
    assert shortest(f16(100 / 3), Kind.HALF) == "33.35"
    assert shortest(65504.0, Kind.HALF) == "65504.0"


def test_names_are_legal_readable_and_never_equal() -> None:
    scope = Scope(GLSL)
    wanted = ("input", "input", "input_1", "gl_x", "x", "a__b", "a_b", "_", "main", "sampler2D")
    given = [scope.add(name) for name in wanted]
    assert given[:3] == ["input_1", "input_2", "input_1_1"]
    assert len(set(given)) == len(given)
    assert not any(GLSL.forbids(name) for name in given)
    assert legal("turn[0].x", GLSL) == "turn_0_x"


@pytest.mark.parametrize(
    ("line", "pieces"),
    [
        ("    return 1.0;", ["    return 1.0;"]),
        (
            f"    float x = some_function({'a' * 40}, {'b' * 40}) + {'c' * 20};",
            [
                f"    float x = some_function({'a' * 40},",
                f"        {'b' * 40}) + {'c' * 20};",
            ],
        ),
        (
            f"    float x = {'a' * 40} * {'b' * 40} + {'c' * 20};",
            [f"    float x = {'a' * 40} * {'b' * 40}", f"        + {'c' * 20};"],
        ),
        (f"    #line 3 0{' ' * 100}", [f"#line 3 0{' ' * 100}"]),
        (f"    {'a' * 120};", [f"    {'a' * 120};"]),
    ],
)
def test_long_lines_are_broken_outside_parentheses(line: str, pieces: list[str]) -> None:
    assert list(wrapped(line)) == pieces


def test_inner_scope_does_not_hide_an_outer_name() -> None:
    outer = Scope(GLSL)
    assert outer.add("i") == "i"
    assert outer.inner().add("i") == "i_1"
    assert outer.inner().add("i") == "i_1"
