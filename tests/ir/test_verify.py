"""The verifier: sound modules pass, and each rule rejects what breaks it."""

from __future__ import annotations

import pytest

from luma.ir.text import parse_module
from luma.ir.verify import verify
from tests.ir.random_ir import random_module

HEAD = """
struct S { a: float, b: vec3 }
uniform @u: S group(0) binding(0)
storage @in: []float group(0) binding(1)
storage @out: []float read_write group(0) binding(2)
storage @sink: [4]int write group(0) binding(3)
handle @t: texture2D group(0) binding(4)
handle @s: sampler group(0) binding(5)
spec @N: int id(0) = 4
"""

VALUES = """
  %1: float = const 1.0
  %2: int = const 1
  %3: bool = const true
  %4: vec3 = splat %1
  %5: uint = const 1
"""


def problems_of(body: str, head: str = 'function @f(%0 "x": float)') -> list[str]:
    return verify(parse_module(f"{HEAD}\n{head} {{\nb0:\n{VALUES}\n{body}\n}}"))


def test_sound_straight_code() -> None:
    assert problems_of("  %10: float = add %0, %1\n  return") == []


@pytest.mark.parametrize("seed", range(25))
def test_random_modules_are_sound(seed: int) -> None:
    assert verify(random_module(seed)) == []


@pytest.mark.parametrize(
    ("instrs", "problem"),
    [
        # values
        ("%10: float = add %0, %99", "%99 is not defined"),
        ("%10: float = add %0, %11\n  %11: float = add %0, %0", "%11 is used before"),
        ("%1: float = add %0, %0", "%1 is defined twice"),
        ("%10: float = frobnicate %0", "no such operation"),
        # constants and names
        ("%10: float = const 1", "1 is not a value of float"),
        ("%10: float = const 0.1", "0.1 is not a value of float"),
        ("%10: half = const 65505.0", "is not a value of half"),
        ("%10: int = const 2147483648", "is not a value of int"),
        ("%10: uint = const -1", "is not a value of uint"),
        ("%10: int = const true", "is not a value of int"),
        ("%10: bool = const 1", "is not a value of bool"),
        ("%10: vec2 = const 1.0", "is of scalar type"),
        ("%10: float = spec @N", "gives int, not float"),
        ("%10: int = spec @M", "there is no specialization constant @M"),
        ("%10: ptr<uniform, S> = global @v", "there is no global @v"),
        ("%10: ptr<storage, S> = global @u", "gives ptr<uniform, S>"),
        # operations of the table
        ("%10: float = add %0, %2", "does not take (float, int)"),
        ("%10: vec3 = add %4, %0", "does not take (vec3, float)"),
        ("%10: float = add %4, %4", "gives vec3, not float"),
        ("%10: float = mod %0", "does not take (float)"),
        ("%10: bool = lt %4, %4", "gives bvec3"),
        ("%10: float = add [1] %0, %1", "takes no immediates"),
        ("discard", "expected"),
        ("%10 = discard", "is a terminator"),
        ("%10: int = atomic_add %2, %2", "takes a pointer first"),
        # memory
        ("%10: ptr<storage, S> = local", "gives a pointer to function memory"),
        ("%10: ptr<function, []float> = local", "gives a pointer to function memory"),
        ("%10: ptr<uniform, S> = global @u\n  %11: float = add %10, %10", "not pointers"),
        ("%10: ptr<uniform, S> = global @u\n  %11: ptr<uniform, float> = access [1] %10",
         "gives ptr<uniform, vec3>"),
        ("%10: ptr<uniform, S> = global @u\n  %11: ptr<uniform, float> = access [2] %10",
         "S has no element 2"),
        ("%10: ptr<uniform, S> = global @u\n  %11: ptr<uniform, float> = access [.] %10, %2",
         "constant index"),
        ("%10: ptr<uniform, S> = global @u\n  %11: ptr<uniform, float> = access [1, .] %10",
         "takes 2 operands"),
        ("%10: ptr<uniform, S> = global @u\n  %11: ptr<uniform, float> = access [1, .] %10, %1",
         "takes int or uint indices"),
        ("%10: ptr<uniform, S> = global @u\n  %11: ptr<uniform, S> = access %10", "empty path"),
        ("%10: float = load %1", "takes a pointer"),
        ("%10: ptr<storage, []float> = global @in\n  %11: []float = load %10", "cannot load"),
        ("%10: ptr<uniform, S> = global @u\n  %11: ptr<uniform, float> = access [0] %10\n"
         "  store %11, %1", "uniform memory cannot be written"),
        ("%10: ptr<storage, []float> = global @in\n"
         "  %11: ptr<storage, float> = access [0] %10\n  store %11, %1", "@in may not be written"),
        ("%10: ptr<storage, [4]int> = global @sink\n"
         "  %11: ptr<storage, int> = access [0] %10\n  %12: int = load %11",
         "@sink may not be read"),
        ("%10: ptr<storage, [4]int> = global @sink\n"
         "  %11: ptr<storage, int> = access [0] %10\n  %12: int = atomic_add %11, %2",
         "@sink may not be read and written"),
        ("%10: ptr<storage, []float> = global @out\n"
         "  %11: ptr<storage, float> = access [0] %10\n  store %11, %2", "puts int where float"),
        # aggregates
        ("%10: vec3 = construct %0, %1", "is not made of"),
        ("%10: vec3 = construct %4", "is not made of"),
        ("%10: S = construct %4, %0", "is not made of"),
        ("%10: [2]float = construct %0", "is not made of"),
        ("%10: mat2 = construct %4, %4", "is not made of"),
        ("%10: vec3 = splat %2", "is not made of int"),
        ("%10: float = extract [3] %4", "vec3 has no element 3"),
        ("%10: float = extract [0, 0] %4", "the path leads into float"),
        ("%10: vec3 = insert [3] %4, %0", "vec3 has no element 3"),
        ("%10: vec3 = insert [0] %4, %2", "puts int where float is"),
        ("%10: vec3 = insert [.] %4, %0", "has a constant path"),
        ("%10: vec2 = shuffle [0, 3] %4", "there is no component 3"),
        ("%10: float = shuffle [0] %4", "picks 2 to 4"),
        ("%10: vec2 = shuffle [0, 1] %0", "takes one vector"),
        ("%10: vec2 = convert %4", "gives vec3"),
        ("%10: T = construct %0", "expected a type"),
    ],
)  # fmt: skip
def test_instruction_rules(instrs: str, problem: str) -> None:
    try:
        found = problems_of(f"  {instrs}\n  return")
    except ValueError as error:
        found = [str(error)]
    assert any(problem in text for text in found), found


@pytest.mark.parametrize(
    ("blocks", "problem"),
    [
        ("  br b9()", "there is no block b9"),
        ("  br b1(%1)\nb1(%10: int):\n  return", "b1 takes (int), not (float)"),
        ("  br b1()\nb1(%10: int):\n  return", "b1 takes (int), not ()"),
        ("  return %1", "returns other values"),
        ("  br b1()\nb1:\n  return\nb1:\n  return", "two blocks of one label"),
        ("  br b1()\nb1:\n  return\nb2:\n  return", "b2 cannot be reached"),
        ("  cond_br %0 b1(), b2() merge b3\nb1:\n  br b3()\nb2:\n  br b3()\nb3:\n  return",
         "%0 is no bool"),
        ("  cond_br %3 b1(), b2()\nb1:\n  return\nb2:\n  return", "without a merge block"),
        ("  cond_br %3 b1(), b2() merge b3\nb1:\n  %10: float = add %0, %0\n  br b3()\n"
         "b2:\n  br b3()\nb3:\n  %11: float = add %10, %0\n  return",
         "%10 is defined in b1, which does not dominate b3"),
        ("  cond_br %3 b1(), b2() merge b3\nb1:\n  return\nb2:\n  return\nb3:\n  return",
         "b3 is never reached but does not say so"),
        ("  cond_br %3 b1(), b2() merge b3\nb3:\n  return\nb1:\n  br b3()\nb2:\n  br b3()",
         "b1 comes after b3"),
        ("  br b2()\nb1:\n  return\nb2:\n  br b1()", "b1 comes before b2"),
        # the merge block lies outside of what the header dominates
        ("  cond_br %3 b1(), b2() merge b3\nb1:\n  cond_br %3 b4(), b2() merge b2\nb4:\n  br b2()\n"
         "b2:\n  br b3()\nb3:\n  return", "b1 does not dominate its merge block b2"),
        # two constructs end in one block
        ("  cond_br %3 b1(), b3() merge b3\nb1:\n  cond_br %3 b2(), b3() merge b3\n"
         "b2:\n  br b3()\nb3:\n  return", "b3 is a merge and a merge block"),
        # a jump over the inner merge block
        ("  cond_br %3 b1(), b4() merge b4\nb1:\n  cond_br %3 b2(), b3() merge b3\n"
         "b2:\n  br b4()\nb3:\n  br b4()\nb4:\n  return", "b2 jumps to b4"),
        # a local outside the entry block
        ("  br b1()\nb1:\n  %10: ptr<function, float> = local\n  return", "outside the entry"),
        # loops
        ("  br b1()\nb1:\n  br b1()", "b1 branches back to b1, which is no loop header"),
        ("  br b1()\nb1: loop merge b3 continue b2\n  cond_br %3 b2(), b3()\nb2:\n"
         "  cond_br %3 b1(), b3()\nb3:\n  return", "does not just branch to b1"),
        ("  br b1()\nb1: loop merge b4 continue b3\n  cond_br %3 b2(), b4()\nb2:\n  br b1()\n"
         "b3:\n  br b1()\nb4:\n  return", "b2 branches back but is not"),
        ("  br b1()\nb1: loop merge b4 continue b3\n  cond_br %3 b2(), b3() merge b4\nb2:\n"
         "  br b3()\nb3:\n  br b1()\nb4:\n  return", "declares a selection"),
        ("  br b1()\nb1: loop merge b4 continue b3\n  cond_br %3 b2(), b3()\nb2:\n"
         "  br b3()\nb3:\n  br b1()\nb4:\n  unreachable", "does not leave the loop"),
        ("  br b1()\nb1: loop merge b4 continue b3\n  return\nb3:\n  br b1()\nb4:\n  unreachable",
         "is a loop header but does not branch"),
        ("  br b1()\nb1: loop merge b6 continue b5\n  cond_br %3 b2(), b6()\n"
         "b2: loop merge b4 continue b3\n  cond_br %3 b3(), b4()\nb3:\n  br b2()\nb4:\n"
         "  cond_br %3 b5(), b2() merge b7\nb7:\n  unreachable\nb5:\n  br b1()\nb6:\n  return",
         "b4 branches back but is not the loop's continue block"),
        # out of two loops at once
        ("  br b1()\nb1: loop merge b6 continue b5\n  cond_br %3 b2(), b6()\n"
         "b2: loop merge b4 continue b3\n  cond_br %3 b8(), b4()\nb8:\n"
         "  cond_br %3 b6(), b3()\nb3:\n  br b2()\nb4:\n  br b5()\nb5:\n  br b1()\nb6:\n  return",
         "b8 jumps to b6, out of the construct of b2"),
    ],
)  # fmt: skip
def test_structure_rules(blocks: str, problem: str) -> None:
    found = problems_of(blocks)
    assert any(problem in text for text in found), found


@pytest.mark.parametrize(
    "blocks",
    [
        # both ways leave; the merge block is there for the structure
        "  cond_br %3 b1(), b2() merge b3\nb1:\n  return\nb2:\n  return\nb3:\n  unreachable",
        # a loop left from the middle, out of a selection
        "  br b1()\nb1: loop merge b6 continue b5\n  cond_br %3 b2(), b6()\nb2:\n"
        "  cond_br %3 b3(), b4() merge b4\nb3:\n  br b6()\nb4:\n  br b5()\nb5:\n  br b1()\n"
        "b6:\n  return",
        # a while loop whose condition takes several blocks
        "  br b1()\nb1: loop merge b7 continue b6\n  br b2()\nb2:\n"
        "  cond_br %3 b3(), b4() merge b4\nb3:\n  br b4()\nb4:\n  cond_br %3 b5(), b7()\n"
        "b5:\n  br b6()\nb6:\n  br b1()\nb7:\n  return",
        # a loop whose body returns: the continue block is never reached
        "  br b1()\nb1: loop merge b4 continue b3\n  cond_br %3 b2(), b4()\nb2:\n  return\n"
        "b3:\n  br b1()\nb4:\n  return",
        # one way continues the loop out of a selection whose merge block is never reached
        "  br b1()\nb1: loop merge b6 continue b5\n  cond_br %3 b2(), b6()\nb2:\n"
        "  cond_br %3 b3(), b4() merge b7\nb3:\n  br b5()\nb4:\n  return\nb7:\n  unreachable\n"
        "b5:\n  br b1()\nb6:\n  return",
    ],
)
def test_structures_that_are_fine(blocks: str) -> None:
    assert problems_of(blocks) == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("function @f() {\nb0:\n  call @f\n  return\n}", "no function @f before this one"),
        ("function @f() {\nb0:\n  return\n}\nfunction @f() {\nb0:\n  return\n}", "two functions"),
        ('function @f(%0 "x": int) {\nb0:\n  return\n}\n'
         "function @g() {\nb0:\n  call @f\n  return\n}", "takes (int), not ()"),
        ('function @f(%0 "p": ptr<storage, float>) {\nb0:\n  return\n}', "cannot be of type"),
        ('function @f(%0 "p": sampler2D) {\nb0:\n  return\n}', "is not split"),
        ("function @f() {\n}", "has no blocks"),
        ("uniform @a: float group(0) binding(0)\nuniform @a: float group(0) binding(1)",
         "two globals called a"),
        ("uniform @a: float", "should be"),
        ("uniform @a: texture2D group(0) binding(0)", "does not live in uniform"),
        ("uniform @a: []float group(0) binding(0)", "does not fit uniform"),
        ("storage @a: [2][]float group(0) binding(0)", "does not fit storage"),
        ("struct A { x: B }\nstruct B { y: float }", "is not the module's before it"),
        ("spec @N: int id(0) = 1.5", "is no default"),
        ("entry compute c = @c {\n}", "there is no function @c"),
    ],
)  # fmt: skip
def test_module_rules(text: str, problem: str) -> None:
    found = verify(parse_module(text))
    assert any(problem in line for line in found), found


@pytest.mark.parametrize(
    ("stage", "variables", "params", "results", "problem"),
    [
        ("vertex", 'in "a": vec3 location(0)', '%0 "a": vec2', "", "the inputs are not"),
        ("vertex", 'out "a": float location(0)', "", "", "the outputs are not"),
        ("vertex", 'in "a": vec3', '%0 "a": vec3', "", "neither or both"),
        ("vertex", 'in "a": int builtin(position)', '%0 "a": int', "", "does not belong"),
        ("vertex", 'in "a": uint builtin(vertex_id)', '%0 "a": uint', "", "is of type int"),
        ("vertex", 'in "a": bvec2 location(0)', '%0 "a": bvec2', "", "cannot cross"),
        ("vertex", 'in "a": mat2 location(0)', '%0 "a": mat2', "", "cannot cross"),
        ("vertex", 'in "a": int location(0)\n  in "b": int location(0)',
         '%0 "a": int, %1 "b": int', "", "two variables called location 0"),
        ("compute", 'in "a": int location(0)', '%0 "a": int', "", "no locations"),
        ("fragment", 'in "a": float location(0) interpolation(curly)', '%0 "a": float', "",
         "there is no interpolation curly"),
        ("compute workgroup(0, 1, 1)", "", "", "", "out of range"),
    ],
)  # fmt: skip
def test_entry_point_rules(
    stage: str, variables: str, params: str, results: str, problem: str
) -> None:
    stage, _, rest = stage.partition(" ")
    text = (
        f"entry {stage} e = @e {rest} {{\n  {variables}\n}}\n"
        if variables
        else (f"entry {stage} e = @e {rest} {{\n}}\n")
    )
    found = verify(parse_module(text + f"function @e({params}) {{\nb0:\n  return\n}}"))
    assert any(problem in line for line in found), found


def test_operations_of_another_stage() -> None:
    text = (
        "entry compute e = @e {\n}\n"
        'function @g(%0 "x": float) -> (float) {\nb0:\n  %1: float = dfdx %0\n  return %1\n}\n'
        "function @e() {\nb0:\n  %0: float = const 1.0\n  %1: float = call @g %0\n  return\n}"
    )
    assert verify(parse_module(text)) == ["entry e: @g uses dfdx, which the stage lacks"]
