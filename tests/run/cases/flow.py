"""Small programs of control flow and memory: guards, returns, loops, order, barriers, names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from tests.harness.cases import Case
from tests.harness.programs import Check, checks, program
from tests.harness.reference import Spec, array, f32


def _guarded() -> Case:
    declared = """
function touch(k: int) -> bool
  atomic_add(count, k)
  return k > 1
end
"""
    body = """  let found = 0.0
  if i < n and data[i] > 2.0 then found = data[i] end
  if i >= n or data[i] < 0.0 then found -= 1.0 end
  if i == 3 and (touch(1) or touch(2) or touch(4)) then found += 10.0 end
  if i == 2 and touch(1) and touch(8) then found += 100.0 end
  out[i] = found"""
    data = [1.0, 5.0, -3.0, 0.0]
    buffers = {
        "data": ("buffer readonly data: []float", array("float"), data),
        "count": ("buffer storage count: int", "int", 0),
    }
    return program(
        "guards_before_loads", body, [0, 5, -1, 10 - 1], declared=declared,
        inputs={"n": ("int", 3)}, buffers=buffers, after={"count": 1 + 2 + 1}, runs=4,
    )  # fmt: skip


def _zero_trips() -> Case:
    body = """  let a = 42.0
  for i = 1, 0 do a += 1.0 end
  let b = 7.0
  @unroll(8) for i = n, 0 do b = b * 2.0 end
  let c: int = 0
  for i = 10, 0, -3 do c = c * 10 + i / 3 end
  let d: int = 0
  for i = 0, 7, 3 do d = d * 10 + i end
  let e: int = 0
  @unroll(3) for i = 0, 100 do e += i + 1 end
  let f: int = 0
  @max_iterations(4)
  while f < n * 100 do f += 3 end
  let g = u
  for j = u, u + 3 do g += j end"""
    rows: list[Check] = [
        ("a", 42), ("b", 7), ("float(c)", 3210), ("float(d)", 36), ("float(e)", 6),
        ("float(f)", 12), ("float(g)", 2 + 2 + 3 + 4),
    ]  # fmt: skip
    inputs = {"n": ("int", 5), "u": ("uint", 2)}
    body = body.replace("  for j = u, u + 3", "  @unroll(9) for j = u, u + 3")
    return checks("loops_of_no_and_some_turns", rows, body=body, inputs=inputs)


def _returns() -> Case:
    declared = """
function search(n: int) -> int
  for x = 0, 5 do
    for y = 0, 5 do
      if x * y == n then
        if x > 1 then
          return x * 10 + y
        end
      end
    end
  end
  return -1
end

function sorted(a: float, b: float, c: float) -> vec3
  if a > b then
    if b > c then return vec3(c, b, a) end
    if a > c then return vec3(b, c, a) end
    return vec3(b, a, c)
  elseif a > c then
    return vec3(c, a, b)
  end
  if b > c then return vec3(a, c, b) end
  return vec3(a, b, c)
end

function first_bit(x: int) -> int
  let k: int = 0
  @max_iterations(32)
  while true do
    if (x >> k) & 1 == 1 then return k end
    k += 1
    if k > 20 then return 99 end
  end
  return -7
end
"""
    rows: list[Check] = [
        ("float(search(n))", 26 - 2), ("float(search(n + 1))", -1), ("float(search(12))", 34),
        ("sorted(a, b, c)", [1, 2, 3]), ("sorted(c, b, a)", [1, 2, 3]), ("sorted(b, a, c)",
        [1, 2, 3]), ("sorted(c, a, b)", [1, 2, 3]), ("float(first_bit(n))", 3),
        ("float(first_bit(n << 9))", 12), ("float(first_bit(0))", 99),
    ]  # fmt: skip
    inputs = {"n": ("int", 8), "a": ("float", 2), "b": ("float", 1), "c": ("float", 3)}
    rows[0], rows[1] = ("float(search(n))", 24), ("float(search(n + 3))", -1)
    return checks("returns_from_within", rows, declared=declared, inputs=inputs)


def _swaps() -> Case:
    body = """  let a = 1.0
  let b = 2.0
  let c = vec2(3.0, 4.0)
  @unroll(16) for i = 0, n do
    let t = a
    a = b
    b = t + c.x
    c = c.yx
  end
  let x: int = 0
  let y: int = 1
  @max_iterations(50)
  while y < n * 10 do
    let sum = x + y
    x = y
    y = sum
  end"""
    a, b, c = 1.0, 2.0, (3.0, 4.0)
    for _ in range(5):
        a, b, c = b, a + c[0], c[::-1]
    rows: list[Check] = [("vec2(a, b)", [a, b]), ("c", c), ("vec2(float(x), float(y))", [34, 55])]
    return checks("swaps_in_loops", rows, body=body, inputs={"n": ("int", 5)})


def _order() -> Case:
    body = """  let before = data[at]
  for i = 0, 4 do data[i] = i * 11 end
  data[at] = before + data[3]
  let held = data[0]
  data[0] = 5
  out[0] = held
  out[1] = data[0] + data[at]
  data[data[4]] = 9
  data[4] = data[1]"""
    buffers = {"data": ("buffer storage data: [5]int", array("int", 5), [7, 8, 9, 10, 1])}
    after = {"data": [5, 9, 9 + 33, 33, 9]}
    return program(
        "loads_stay_before_stores", body, [0, 5 + 42], inputs={"at": ("int", 2)}, buffers=buffers,
        after=after, dtype="<i4",
    )  # fmt: skip


def _store_loops() -> Case:
    body = """  for i = 0, 3 do
    data[i].x = float(i)
    for j = 0, 2 do data[i].w += float(j + n) end
  end
  for k = 0, 5 do atomic_add(hits, uint(k)) end
  out[0] = 1.0"""
    buffers: Mapping[str, tuple[str, Spec, object]] = {
        "data": ("buffer storage data: []vec4", array("vec4"), [[9, 8, 7, 6]] * 3),
        "hits": ("buffer storage hits: uint", "uint", 1),
    }
    after = {"data": [[k, 8, 7, 6 + 5] for k in range(3)], "hits": 11}
    return program(
        "loops_that_only_store", body, [1], inputs={"n": ("int", 2)}, buffers=buffers, after=after
    )


def _reduction() -> Case:
    declared = "shared sums: [16]float\nshared most: int"
    body = """  sums[i] = data[i] * 2.0
  if i == 0 then most = -1000 end
  workgroup_barrier()
  @unroll(4) for step_ = 0, 4 do
    let reach = 8 >> step_
    let more = 0.0
    if i < reach then more = sums[i + reach] end
    workgroup_barrier()
    if i < reach then sums[i] += more end
    workgroup_barrier()
  end
  atomic_max(most, int(data[i]))
  workgroup_barrier()
  out[i] = sums[0] + float(i)
  if i == 3 then out[3] = float(most) end"""
    data = np.random.default_rng(71).integers(-50, 50, 16).astype(f32)
    out = data.sum() * 2 + np.arange(16)
    out[3] = data.max()
    buffers = {"data": ("buffer readonly data: []float", array("float"), data)}
    body = body.replace("@unroll(4) for step_", "for step_")
    return program(
        "tree_reduction", body, out, declared=declared, buffers=buffers, runs=16, atol=1e-3
    )


def _atomic_results() -> Case:
    body = """  let a = atomic_add(cell.n, 5)
  let b = atomic_min(cell.n, 9)
  let c = atomic_max(cell.n, 30)
  let d = atomic_and(cell.n, 0x1C)
  let e = atomic_or(cell.n, 0x60)
  let f = atomic_xor(cell.n, 0xFF)
  let g = atomic_compare_exchange(cell.n, 1, 2)
  let h = atomic_compare_exchange(cell.n, 131, 4)
  out[0] = a
  out[1] = b
  out[2] = c
  out[3] = d
  out[4] = e
  out[5] = f
  out[6] = g
  out[7] = h
  out[8] = atomic_add(cell.list[k], -1) + cell.list[k]"""
    spec: Spec = {"pad": "vec3", "n": "int", "list": array("int", 3)}
    value = {"pad": [1, 2, 3], "n": 7, "list": [10, 20, 30]}
    words = "struct Cell\n  pad: vec3\n  n: int\n  list: [3]int\nend\n\nbuffer storage cell: Cell"
    return program(
        "atomics_return_what_was", body, [7, 12, 9, 30, 28, 124, 131, 131, 39], dtype="<i4",
        inputs={"k": ("int", 1)}, buffers={"cell": (words, spec, value)},
        after={"cell": {"pad": [1, 2, 3], "n": 4, "list": [10, 19, 30]}},
    )  # fmt: skip


def _lengths() -> Case:
    words = "struct Tail\n  n: uint\n  data: []vec4\nend\n\nbuffer storage tail: Tail"
    spec: Spec = {"n": "uint", "data": array("vec4")}
    value = {"n": 3, "data": [[1, 2, 3, 4], [5, 6, 7, 8]]}
    body = """  out[0] = float(array_length(tail.data)) + float(tail.n)
  tail.data[1].yz = tail.data[0].zy * 10.0
  out[1] = tail.data[1][1]
  out[2] = float(array_length(out))"""
    after = {"n": 3, "data": [[1, 2, 3, 4], [5, 30, 20, 8]]}
    return program(
        "lengths_of_runtime_arrays", body, [5, 30, 3], buffers={"tail": (words, spec, value)},
        after={"tail": after},
    )  # fmt: skip


def _groups() -> Case:
    body = """  atomic_add(total, 1u + group.x)
  out[i] = id.x * 100u + local.x * 10u + group.x"""
    body = body.replace("1u", "1").replace("100u", "100").replace("10u", "10")
    declared = "shared unused_: int"
    case = program(
        "groups_and_lanes", body, [i * 100 + i % 4 * 10 + i // 4 for i in range(12)],
        buffers={"total": ("buffer storage total: uint", "uint", 0)}, after={"total": 4 * 6},
        dtype="<u4", runs=4, groups=3, declared=declared,
    )  # fmt: skip
    builtin = "id: uvec3, @builtin(local_invocation_id) local: uvec3, @builtin(workgroup_id) group"
    from dataclasses import replace

    source = case.source.replace("id: uvec3)", f"{builtin}: uvec3)").replace(f"{declared}\n", "")
    return replace(case, source=source)


def _names(name: str, words: str) -> Case:
    """Locals, a field, a parameter and a function, all of words that a target keeps."""
    chosen = words.split()
    fields = "\n".join(f"  {word}: float" for word in chosen)
    values = ", ".join(f"{word} = k + {n}.0" for n, word in enumerate(chosen))
    declared = f"""
struct Words
{fields}
end

function {chosen[0]}({chosen[1]}: float) -> float
  return {chosen[1]} * 2.0
end
"""
    lines = [f"  let all_ = Words {{ {values} }}"]
    lines += [f"  let {word} = all_.{word} * 2.0" for word in chosen[1:]]
    total = " + ".join(chosen[1:])
    rows: list[Check] = [
        (total, sum(2 * (0.5 + n) for n in range(1, len(chosen)))),
        (f"{chosen[0]}(all_.{chosen[0]})", 1.0),
    ]
    return checks(
        name, rows, body="\n".join(lines), declared=declared, inputs={"k": ("float", 0.5)}
    )


_KEPT = {
    "names_of_metal": "new device kernel constant thread half3 ushort char template namespace this",
    "names_of_hlsl": "vector linear pass technique point line matrix signed sample triangle lerp",
    "names_of_glsl": "attribute input output filter common active partition texture2 gl_x a__b",
    "names_of_wgsl": "var fn override loop array ptr atomic i32 vec2f bitcast __x workgroup loop_",
    "names_of_helpers": "luma_mod inverse_ luma_inverse3 t t_1 out_1 made main0 float2 saturate_",
}


def _helpers() -> Case:
    declared = """
function inverse3(m: mat3) -> float
  return inverse(m)[1].y + mod(m[0].x, -3.0)
end

function luma_inverse(x: float) -> float
  return 1.0 / x
end

function float_mod(x: float, y: float) -> float
  return x % y + luma_inverse(y)
end
"""
    m = np.array([[2, 0, 1], [0, 4, 0], [1, 0, 3]], f32)
    rows: list[Check] = [
        ("inverse3(m)", 0.25 + (2 - 3)), ("float_mod(-7.5, m[1].y)", 0.5 + 0.25),
        ("inverse(mat2(m))[0].x", 0.5), ("inverse(m) * vec3(3.0, 4.0, 4.0)", [1, 1, 1]),
    ]  # fmt: skip
    return checks("helpers_and_namesakes", rows, declared=declared, inputs={"m": ("mat3", m)},
                  atol=1e-5)  # fmt: skip


def _line_ends(name: str, change: tuple[str, str], head: str = "") -> Case:
    """The same text with other line ends means the same."""
    from dataclasses import replace

    body = """  -- a comment; ünïcödé
  let a = k * 2 --[[ and
  another --]]
  --[==[ ]] ]==]
  out[0] = a + 0x1F"""
    case = program(name, body, [33], inputs={"k": ("int", 1)}, dtype="<i4")
    return replace(case, source=head + case.source.replace(*change).rstrip())


def _doubling() -> Case:
    body = "\n".join(["  let y = x", *(["  y = y * y * 0.5 + y * 0.25"] * 40)])
    y = f32(1.5)
    for _ in range(40):
        y = y * y * f32(0.5) + y * f32(0.25)
    return checks("forty_doublings", [("y", y), ("x + y * 0.0", 1.5)], body=body,
                  inputs={"x": ("float", 1.5)}, atol=1e-5)  # fmt: skip


def _cases() -> Iterator[Case]:
    for make in (
        _guarded, _zero_trips, _returns, _swaps, _order, _store_loops, _reduction, _atomic_results,
        _lengths, _groups, _helpers, _doubling,
    ):  # fmt: skip
        yield make()
    for name, words in _KEPT.items():
        yield _names(name, words)
    yield _line_ends("text_with_crlf", ("\n", "\r\n"))
    yield _line_ends("text_with_bom", ("", ""), "\ufeff")


CASES = tuple(_cases())
