"""What references are made of: byte layouts, texture filtering, rasterised triangles; binary32.

The layouts are written from the specifications' text (OpenGL 4.6, 7.6.2.2), on purpose without a
look at :mod:`luma.language.layout`, which they are there to judge.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from tests.harness.jobs import Values

f32 = np.float32

#: A type of memory: a name ("vec3", "mat2x3", "bool", "half"), ``array(type, n)`` or a struct as a
#: mapping from field to type.
Spec: TypeAlias = "str | ArraySpec | Mapping[str, Spec]"

STD140, STD430 = "std140", "std430"

_SCALARS = {"float": "<f4", "int": "<i4", "uint": "<u4", "bool": "<u4", "half": "<f2"}
_PREFIXES = {"": "float", "i": "int", "u": "uint", "b": "bool", "h": "half"}
_VECTOR = re.compile(r"([iubh]?)vec([234])")
_MATRIX = re.compile(r"mat([234])(?:x([234]))?")


@dataclass(frozen=True, slots=True)
class ArraySpec:
    """``count`` elements of a type; None for the runtime array at the end of a buffer."""

    element: Spec
    count: int | None


def array(element: Spec, count: int | None = None) -> ArraySpec:
    """The type of an array."""
    return ArraySpec(element, count)


def components(spec: str) -> tuple[str, int, int]:
    """(scalar name, components of a column, columns; 0 columns for scalars and vectors)."""
    if spec in _SCALARS:
        return spec, 1, 0
    if found := _VECTOR.fullmatch(spec):
        return _PREFIXES[found[1]], int(found[2]), 0
    if found := _MATRIX.fullmatch(spec):
        return "float", int(found[2] or found[1]), int(found[1])
    raise ValueError(f"no such type: {spec}")


def _up(value: int, multiple: int) -> int:
    return -(-value // multiple) * multiple


def measure(spec: Spec, rules: str) -> tuple[int, int]:
    """(alignment, size) of a type in bytes; the size of a runtime array is 0."""
    if isinstance(spec, str):
        scalar, rows, columns = components(spec)
        unit = np.dtype(_SCALARS[scalar]).itemsize
        align = unit * {1: 1, 2: 2, 3: 4, 4: 4}[rows]
        if columns:  # rule 5: as an array of columns
            align = max(align, 16) if rules == STD140 else align
            return align, align * columns
        return align, unit * rows
    if isinstance(spec, ArraySpec):
        align, size = measure(spec.element, rules)
        align = max(align, 16) if rules == STD140 else align
        return align, _up(size, align) * (spec.count or 0)
    align, end = (16 if rules == STD140 else 1), 0
    for member in spec.values():
        inner, size = measure(member, rules)
        align, end = max(align, inner), _up(end, inner) + size
    return align, _up(end, align)


def _leaves(
    spec: Spec, rules: str, base: int, count: int
) -> Iterator[tuple[int, str, int, tuple[Any, ...]]]:
    """(offset, scalar, components, path) of runs of scalars; ``count`` sizes a runtime array."""
    if isinstance(spec, str):
        scalar, rows, columns = components(spec)
        if not columns:
            yield base, scalar, rows, ()
        for column in range(columns):
            yield base + column * (measure(spec, rules)[1] // columns), scalar, rows, (column,)
    elif isinstance(spec, ArraySpec):
        align, size = measure(spec.element, rules)
        align = max(align, 16) if rules == STD140 else align
        for index in range(count if spec.count is None else spec.count):
            at = base + index * _up(size, align)
            for offset, scalar, rows, path in _leaves(spec.element, rules, at, 0):
                yield offset, scalar, rows, (index, *path)
    else:
        at = base
        for name, member in spec.items():
            align, size = measure(member, rules)
            at = _up(at, align)
            for offset, scalar, rows, path in _leaves(member, rules, at, count):
                yield offset, scalar, rows, (name, *path)
            at += size


def _runtime_count(spec: Spec, value: Any) -> int:
    while not isinstance(spec, str):
        if isinstance(spec, ArraySpec):
            return len(value) if spec.count is None else 0
        name = list(spec)[-1]
        spec, value = spec[name], value[name]
    return 0


def _total(spec: Spec, rules: str, count: int) -> int:
    if isinstance(spec, ArraySpec) and spec.count is None:
        return measure(ArraySpec(spec.element, count), rules)[1]
    if isinstance(spec, Mapping) and count:
        (*_, (name, tail)) = spec.items()
        assert isinstance(tail, ArraySpec)
        return measure({**spec, name: ArraySpec(tail.element, count)}, rules)[1]
    return measure(spec, rules)[1]


def _reach(value: Any, path: Sequence[Any]) -> Any:
    for step in path:
        value = value[step]
    return value


def pack(spec: Spec, value: Any, rules: str, fill: int = 0) -> bytes:
    """The bytes of a value; padding is filled with the byte ``fill``.

    Vectors are sequences, matrices sequences of columns, structs mappings.
    """
    count = _runtime_count(spec, value)
    data = bytearray([fill]) * _total(spec, rules, count)
    for offset, scalar, rows, path in _leaves(spec, rules, 0, count):
        part = np.asarray(_reach(value, path)).reshape(rows).astype(_SCALARS[scalar])
        data[offset : offset + part.nbytes] = part.tobytes()
    return bytes(data)


def unpack(spec: Spec, data: bytes, rules: str, count: int = 0) -> Values:
    """Every component of a type in memory, in order, as binary64 (bools as 0 or 1)."""
    parts = [
        np.frombuffer(data, _SCALARS[scalar], rows, offset).astype(np.float64)
        for offset, scalar, rows, _ in _leaves(spec, rules, 0, count)
    ]
    return np.concatenate(parts)


# ---------------------------------------------------------------- textures


def _wrap(index: Values, size: int, repeat: bool) -> Values:
    return index % size if repeat else np.clip(index, 0, size - 1)


def sample_2d(texels: Values, uv: Values, *, linear: bool = True, repeat: bool = True) -> Values:
    """Colours (..., 4) at texture coordinates (..., 2) of one level (h, w, 4)."""
    height, width = texels.shape[:2]
    x, y = uv[..., 0] * f32(width), uv[..., 1] * f32(height)
    if not linear:
        column = _wrap(np.floor(x).astype(int), width, repeat)
        return texels[_wrap(np.floor(y).astype(int), height, repeat), column]
    x, y = x - f32(0.5), y - f32(0.5)
    left, top = np.floor(x), np.floor(y)
    a, b = (x - left)[..., None], (y - top)[..., None]
    columns = [_wrap(left.astype(int) + i, width, repeat) for i in (0, 1)]
    rows = [_wrap(top.astype(int) + i, height, repeat) for i in (0, 1)]
    upper = texels[rows[0], columns[0]] * (1 - a) + texels[rows[0], columns[1]] * a
    lower = texels[rows[1], columns[0]] * (1 - a) + texels[rows[1], columns[1]] * a
    result: Values = (upper * (1 - b) + lower * b).astype(f32)
    return result


# ---------------------------------------------------------------- triangles


def screen_uv(width: int, height: int) -> Values:
    """Where a full-screen triangle's pixels lie: (height, width, 2) in 0..1."""
    x = (np.arange(width, dtype=f32) + f32(0.5)) / f32(width)
    y = (np.arange(height, dtype=f32) + f32(0.5)) / f32(height)
    return np.stack(np.broadcast_arrays(x[None, :], y[:, None]), axis=-1).astype(f32)


class Triangle:
    """A triangle of clip positions (3, 4) on a screen of a size in pixels; Vulkan's conventions."""

    def __init__(self, clip: Values, width: int, height: int) -> None:
        at = clip.astype(np.float64)
        self._w = at[:, 3]
        self._x = (at[:, 0] / self._w * 0.5 + 0.5) * width
        self._y = (at[:, 1] / self._w * 0.5 + 0.5) * height
        self._z = at[:, 2] / self._w
        x, y = self._x, self._y
        self._area = (x[1] - x[0]) * (y[2] - y[0]) - (y[1] - y[0]) * (x[2] - x[0])

    @property
    def front_facing(self) -> bool:
        """Whether the corners turn counter-clockwise as the viewer sees them (y goes down)."""
        return bool(self._area < 0)

    def linear(self, px: Any, py: Any) -> Values:
        """The corners' weights (..., 3) at screen positions, not corrected for perspective."""
        x, y = self._x, self._y
        b = ((px - x[0]) * (y[2] - y[0]) - (py - y[0]) * (x[2] - x[0])) / self._area
        c = ((x[1] - x[0]) * (py - y[0]) - (y[1] - y[0]) * (px - x[0])) / self._area
        return np.stack([1 - b - c, b, c], axis=-1)

    def smooth(self, linear: Values) -> Values:
        """Weights corrected for perspective."""
        weights = linear / self._w
        result: Values = weights / weights.sum(axis=-1, keepdims=True)
        return result

    def depth(self, linear: Values) -> Values:
        """Window depth."""
        return linear @ self._z

    def inverse_w(self, linear: Values) -> Values:
        """1 / w in clip space, which is ``frag_coord.w``."""
        return linear @ (1 / self._w)


@dataclass(frozen=True, slots=True)
class Fragments:
    """What one triangle covers: a mask, and the weights of its corners in each pixel.

    ``weights`` are corrected for perspective; ``linear`` are not.
    """

    covered: Values
    weights: Values
    linear: Values


def rasterise(clip: Values, width: int, height: int) -> Fragments:
    """Coverage and weights of one triangle given by clip positions (3, 4).

    Pixel centres on an edge are not decided as the specification would: keep them off.
    """
    triangle = Triangle(clip, width, height)
    px, py = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
    linear = triangle.linear(px, py)
    covered = np.asarray((linear >= 0).all(axis=-1))
    return Fragments(covered, triangle.smooth(linear), linear)


def interpolate(fragments: Fragments, corners: Values) -> Values:
    """A smooth varying (height, width, k) from its values (3, k) at the corners."""
    result: Values = (fragments.weights @ corners.astype(np.float64)).astype(f32)
    return result


# ---------------------------------------------------------------- vectors


def dot(a: Values, b: Values) -> Values:
    """Scalar product over the last axis."""
    result: Values = (a * b).sum(axis=-1, dtype=f32)
    return result


def normalize(v: Values) -> Values:
    """v of unit length over the last axis."""
    result: Values = v / np.sqrt(dot(v, v))[..., None]
    return result


def smoothstep(low: Any, high: Any, x: Values) -> Values:
    """Hermite step from 0 to 1."""
    t = np.clip((x - low) / (high - low), 0, 1)
    result: Values = t * t * (3 - 2 * t)
    return result


def mix(a: Any, b: Any, t: Any) -> Values:
    """a where t is 0, b where it is 1."""
    result: Values = a * (1 - t) + b * t
    return result


def columns(m: Values, v: Values) -> Values:
    """Matrix (columns first: m[c, r]) times vectors (..., c)."""
    result: Values = np.einsum("cr,...c->...r", m, v).astype(f32)
    return result


def paint(fragments: Fragments, colour: Values, clear: Values) -> Values:
    """``colour`` (height, width, k) where the triangle is, else the clear colour (k)."""
    result: Values = np.where(fragments.covered[..., None], colour, clear.astype(f32)).astype(f32)
    return result


def off_edges(fragments: Fragments, margin: float = 1e-3) -> Values:
    """True for pixels whose centre is not near an edge, where coverage is a matter of rounding."""
    result: Values = np.abs(fragments.linear).min(axis=-1) > margin
    return result
