"""What a target's own rules choose: sums of products, shared ones and those in loops among them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tests.harness.cases import Case, Expected, Key
from tests.harness.jobs import Dispatch, Storage, Uniform, Values
from tests.harness.reference import STD140, f32, pack

SOURCE = """
uniform a: vec4
uniform b: vec4
buffer writeonly out: []float

@entry(compute) @workgroup_size(1)
function main()
  let product = a.x * b.x
  out[0] = product + a.y
  out[1] = a.z + product
  out[2] = a.x * b.y - a.z * b.w
  out[3] = a.y - a.x * b.x
  out[4] = a.x * (b.x * (b.y * a.w + 1.5) - 0.25) + a.z
  let sum = 0.0
  for i = 0, 4 do
    sum += a[i] * b[i]
  end
  out[5] = sum
  let v = a.xyz * b.x + b.yzw
  out[6] = v.x
  out[7] = v.y * v.z + select(a.x > b.x, product, v.z * 0.5)
  out[8] = fma(a.x, a.y, b.z) + fma(a.w, b.w, product)
end
"""

_A = np.array([1.5, -2.25, 0.75, 3.0])
_B = np.array([-0.5, 4.0, 2.5, 1.25])


def _rows() -> list[float]:
    a, b = _A, _B
    product = a[0] * b[0]
    v = a[:3] * b[0] + b[1:]
    return [
        product + a[1],
        a[2] + product,
        a[0] * b[1] - a[2] * b[3],
        a[1] - product,
        a[0] * (b[0] * (b[1] * a[3] + 1.5) - 0.25) + a[2],
        float(a @ b),
        v[0],
        v[1] * v[2] + (product if a[0] > b[0] else v[2] * 0.5),
        a[0] * a[1] + b[2] + a[3] * b[3] + product,
    ]


def _job() -> Dispatch:
    def uniform(values: Values) -> Uniform:
        return Uniform(pack("vec4", values, STD140))

    out = Storage(bytes(4 * len(_rows())))
    return Dispatch("main", (1, 1, 1), {(0, 0): uniform(_A), (0, 1): uniform(_B), (0, 2): out})


def _expected() -> Mapping[Key, Expected]:
    return {(0, 2): Expected(np.array(_rows()).astype(f32), atol=1e-5, rtol=1e-6)}


CASES = (Case("selection", SOURCE, _job, _expected),)
