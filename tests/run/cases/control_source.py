"""The shader of the control-flow cases; its meaning is in :mod:`tests.run.cases.control`."""

SOURCE = """
const N: int = 6
@spec(0) const ROUNDS: int = 5

buffer readonly numbers: []int
buffer readonly weights: []float
buffer writeonly out: []float
buffer storage trace: []int

-- Two variables that change places in a loop: both phis read the old values.
function swap(n: int) -> vec2
  let a = 1.0
  let b = 2.0
  @unroll(20) for i = 0, n do
    let t = a
    a = b
    b = t
  end
  return vec2(a, b)
end

-- Three that rotate, and one that is lost but for its last copy.
function rotate(n: int, x: float) -> vec4
  let a = x
  let b = x + 1.0
  let c = x + 2.0
  let last = -1.0
  @unroll(20) for i = 0, n do
    last = a
    let t = a
    a = b
    b = c
    c = t
  end
  return vec4(a, b, c, last)
end

function never(n: int) -> float
  let s = 42.0
  for i = 1, 0 do s += 1.0 end
  for i = 3, 3 do s += 10.0 end
  @unroll(9) for i = n, n do s += 100.0 end
  return s
end

function steps(n: int) -> vec4
  let s = vec4(0.0)
  for i = 0, 10, 3 do s.x += float(i) end
  for i = 9, 0, -4 do s.y += float(i) end
  for i = N - 1, -1, -1 do s.z = s.z * 2.0 + float(i) end
  @unroll(4) for i = 0, n * 100, 2 do s.w += float(i + 1) end
  return s
end

function unsigned_steps(n: int) -> float
  let s = 0.0
  let top = uint(abs(n))
  @unroll(8) for i = top, top + 5 do s += float(i) end
  return s
end

function early(n: int, x: float) -> float
  if n < 2 then
    return x
  elseif n < 4 then
    if x > 0.5 then return x * 2.0 end
    x += 1.0
  elseif n == 5 then
    x -= 3.0
  else
    return -x
  end
  return x * 10.0
end

function first_over(limit: float, start: int) -> int
  for i = 0, 8 do
    if weights[(start + i) % 12] > limit then
      return i
    end
  end
  return -1
end

-- A return from two loops and a branch, with effects before it that must stay.
function nested(n: int, at: int) -> float
  let total = 0.0
  for i = 0, N do
    @unroll(8) for j = 0, i do
      trace[at] += 1
      if i * j == n then
        if i > 3 then
          return total + 0.25
        end
        total += 100.0
      end
      total += 1.0
    end
    if total > 300.0 then return total end
  end
  return total
end

function collatz(n: int) -> int
  let count: int = 0
  @max_iterations(200)
  while n > 1 do
    if n % 2 == 0 then n = n / 2 else n = 3 * n + 1 end
    count += 1
  end
  return count
end

-- The bound of iterations ends the loop, on every target.
function bounded(n: int) -> int
  let count = n
  @max_iterations(7)
  while count < 1000 do
    count += 1
    @max_iterations(2)
    while true do
      count += 10
    end
  end
  return count
end

function forever(n: int) -> int
  let i: int = 0
  @max_iterations(100)
  while true do
    i += 1
    if i * i > n then return i end
  end
  return -1
end

function two_updates(n: int) -> int
  let i: int = 0
  let s: int = 0
  @max_iterations(50)
  while i < n do
    i += 1
    s = s * 3 + i
    i += 1
  end
  return s - i
end

function touch(at: int, code: int) -> bool
  trace[at] = trace[at] * 10 + code
  return code % 2 == 1
end

function short_circuit(at: int, n: int) -> float
  let a = n > 3 and touch(at, 1)
  let b = n > 6 or touch(at, 2) or touch(at, 3)
  let c = not (a and b) and (touch(at, 4) or n == 0)
  let r = 0.0
  if a and b or c then r = 1.0 end
  @max_iterations(3)
  while n < 5 and touch(at, 5) do
    n += 2
  end
  return r + float(n)
end

function shadowing(n: int) -> int
  let x = n
  if n > 2 then
    let x = x * 10
    x += 1
    if x > 50 then
      let x = -x
      n = x
    end
  else
    x = x + 7
  end
  for x = 0, 3 do
    n += x
  end
  return x * 1000 + n
end

-- A let in a loop is new each time round; the variable outside is not.
function fresh() -> float
  let outer = 0.0
  for i = 0, 4 do
    let inner = 1.0
    if i % 2 == 1 then inner += float(i) end
    outer = outer * 10.0 + inner
  end
  return outer
end

struct Sums
  even: int
  odd: int
  parts: [3]float
end

function struct_in_loop(n: int) -> Sums
  let s = Sums { even = 0, odd = 0, parts = [3]float { 0.0, 0.0, 0.0 } }
  @unroll(12) for i = 0, n do
    if i % 2 == 0 then s.even += i else s.odd += i end
    s.parts[i % 3] += 0.5 * float(i)
  end
  return s
end

function swizzles(n: int) -> vec4
  let v = vec4(1.0, 2.0, 3.0, 4.0)
  @unroll(12) for i = 0, n do
    v.xy = v.yx
    if i == 2 then v.zw = vec2(v.w, v.x) else v.x += 0.5 end
    v.wzyx = v
  end
  return v
end

function specialized(n: int) -> int
  let s: int = 1
  for i = 0, ROUNDS do
    s = s * 2 + n
    @unroll(8) for j = i, ROUNDS do s += j end
  end
  return s
end

function nothing(at: int)
  if numbers[at] > 4 then return end
  trace[at] += 1000
end

-- Both ways return: what follows is never reached.
function both(n: int) -> int
  if n > 3 then
    return 1
  else
    return 2
  end
end

function parallel_return(n: int) -> int
  let r: int = 5
  @unroll(12) for i = 0, n do
    if i == 7 then return r end
    r = r + both(i) * i
  end
  return -r
end

@entry(compute)
@workgroup_size(12)
function main(@builtin(local_invocation_id) id: uvec3)
  let i = int(id.x)
  let n = numbers[i]
  let x = weights[i]
  let at = i * 40

  let s = swap(n)
  let r = rotate(n, x)
  let st = steps(n)
  let sums = struct_in_loop(n)
  let sw = swizzles(n)
  out[at] = s.x
  out[at + 1] = s.y
  for k = 0, 4 do
    out[at + 2 + k] = r[k]
    out[at + 6 + k] = st[k]
    out[at + 10 + k] = sw[k]
  end
  out[at + 14] = never(n)
  out[at + 15] = unsigned_steps(n)
  out[at + 16] = early(n, x)
  out[at + 17] = float(first_over(0.8, i))
  out[at + 18] = nested(n, i)
  out[at + 19] = float(collatz(n + 5))
  out[at + 20] = float(bounded(n))
  out[at + 21] = float(forever(n))
  out[at + 22] = float(two_updates(n))
  out[at + 23] = short_circuit(i, n)
  out[at + 24] = float(shadowing(n))
  out[at + 25] = fresh()
  out[at + 26] = float(sums.even)
  out[at + 27] = float(sums.odd)
  out[at + 28] = sums.parts[0]
  out[at + 29] = sums.parts[1] + sums.parts[2] * 0.125
  out[at + 30] = float(specialized(n))
  out[at + 31] = float(both(n))
  out[at + 32] = float(parallel_return(n))
  nothing(i)
  -- Constants all the way: what folding makes of the same functions.
  out[at + 33] = swap(3).x + early(3, 0.75)
  out[at + 34] = float(collatz(7) + shadowing(6))
  out[at + 35] = steps(2).z
end
"""
