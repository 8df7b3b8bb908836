"""Sampling of textures, in double precision with one rounding at the end.

Rules: Vulkan specification, chapter "Image Operations".  Cube maps are seamless: a texel beyond an
edge is taken from the face that its direction points at.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from luma.ir.interpret.resources import MissingResource, Sampler, Texture
from luma.language.numbers import f32
from luma.language.types import Dim

Texel: TypeAlias = tuple[float, ...]
Image: TypeAlias = tuple[tuple[Texel, ...], ...]
Coordinate: TypeAlias = Sequence[float]

_MISSING = (0.0, 0.0, 0.0, 1.0)
_NO_TEXEL = (0.0, 0.0, 0.0, 0.0)

_COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "never": lambda ref, texel: False,
    "less": lambda ref, texel: ref < texel,
    "equal": lambda ref, texel: ref == texel,
    "less_equal": lambda ref, texel: ref <= texel,
    "greater": lambda ref, texel: ref > texel,
    "not_equal": lambda ref, texel: ref != texel,
    "greater_equal": lambda ref, texel: ref >= texel,
    "always": lambda ref, texel: True,
}


def _repeat(i: int, n: int) -> int:
    return i % n


def _clamp(i: int, n: int) -> int:
    return min(max(i, 0), n - 1)


def _mirror(i: int, n: int) -> int:
    i %= 2 * n
    return i if i < n else 2 * n - 1 - i


_ADDRESS: dict[str, Callable[[int, int], int]] = {
    "repeat": _repeat,
    "clamp": _clamp,
    "mirror": _mirror,
}


class Sampled:
    """A texture made ready: ``levels[level][slice][y][x]`` is a texel of four floats."""

    def __init__(self, texture: Texture) -> None:
        self.dim = texture.dim
        flat = texture.dim is Dim.D2
        self.levels: tuple[tuple[Image, ...], ...] = tuple(
            tuple(_image(image) for image in ((level,) if flat else level))
            for level in texture.levels
        )
        if not self.levels or any(not level or not level[0] for level in self.levels):
            raise MissingResource("a texture without texels")
        if self.dim is Dim.CUBE and any(len(level) != 6 for level in self.levels):
            raise MissingResource("a cube map without six faces")

    def size(self, level: int) -> tuple[int, ...]:
        """What ``texture_size`` gives; zeros for a level that is not there."""
        count = 2 if self.dim in (Dim.D2, Dim.CUBE) else 3
        if not 0 <= level < len(self.levels):
            return (0,) * count
        images = self.levels[level]
        return (len(images[0][0]), len(images[0]), len(images))[:count]

    def fetch(self, at: Sequence[int], level: int) -> Texel:
        """One texel; zeros outside the texture."""
        if not 0 <= level < len(self.levels):
            return _NO_TEXEL
        images = self.levels[level]
        x, y, z = (*at, 0)[:3]
        inside = 0 <= z < len(images) and 0 <= y < len(images[z]) and 0 <= x < len(images[z][y])
        return images[z][y][x] if inside else _NO_TEXEL

    def sample(self, sampler: Sampler, at: Coordinate, lod: float) -> Texel:
        """The filtered colour at a level of detail."""
        return tuple(map(f32, self._filtered(sampler, at, lod, lambda texel: texel)))

    def compare(self, sampler: Sampler, at: Coordinate, reference: float, lod: float) -> float:
        """The filtered outcome of comparing the reference with the texels' depths."""
        holds = _COMPARISONS[sampler.compare]
        clamped = min(max(reference, 0.0), 1.0)
        found = self._filtered(
            sampler, at, lod, lambda texel: (1.0 if holds(clamped, texel[0]) else 0.0,)
        )
        return f32(found[0])

    def lod(self, at: Coordinate, ddx: Coordinate, ddy: Coordinate) -> float:
        """The level of detail for the changes of the coordinate to the next pixels."""
        if self.dim is Dim.CUBE:
            axis, s, t, _ = _face_axes(at)
            ddx, ddy = (_face_gradient(axis, s, t, at, d) for d in (ddx, ddy))
        images = self.levels[0]
        extents = [len(images[0][0]), len(images[0])]
        if self.dim is Dim.D3:
            extents.append(len(images))
        rho = max(
            math.sqrt(sum((d * n) ** 2 for d, n in zip(change, extents, strict=False)))
            for change in (ddx, ddy)
        )
        if math.isnan(rho):
            return 0.0
        return -math.inf if rho == 0 else math.inf if math.isinf(rho) else math.log2(rho)

    def _filtered(
        self, sampler: Sampler, at: Coordinate, lod: float, read: Callable[[Texel], Texel]
    ) -> Texel:
        top = float(len(self.levels) - 1)
        lod = 0.0 if math.isnan(lod) else min(max(lod, 0.0), top)
        place = tuple(x if math.isfinite(x) else 0.0 for x in at)
        if not sampler.between_levels:
            return self._level(sampler, place, math.ceil(lod + 0.5) - 1, read)
        low = math.floor(lod)
        first = self._level(sampler, place, low, read)
        part = lod - low
        if part == 0:
            return first
        second = self._level(sampler, place, low + 1, read)
        return tuple(a * (1 - part) + b * part for a, b in zip(first, second, strict=True))

    def _level(
        self, sampler: Sampler, at: Coordinate, level: int, read: Callable[[Texel], Texel]
    ) -> Texel:
        total: list[float] | None = None
        for weight, texel in self._texels(sampler, at, self.levels[level]):
            value = read(texel)
            if total is None:
                total = [weight * x for x in value]
            else:
                total = [sum_ + weight * x for sum_, x in zip(total, value, strict=True)]
        assert total is not None  # there is at least one texel
        return tuple(total)

    def _texels(
        self, sampler: Sampler, at: Coordinate, images: tuple[Image, ...]
    ) -> Iterator[tuple[float, Texel]]:
        """The texels that count at a place, and how much."""
        width, height = len(images[0][0]), len(images[0])
        wrap = _ADDRESS[sampler.address]
        if self.dim is Dim.CUBE:
            face, s, t = _face(at)
            for wx, x in _taps(sampler, s, width):
                for wy, y in _taps(sampler, t, height):
                    yield wx * wy, _cube_texel(images, face, x, y)
            return
        slices = [(1.0, 0)]
        if self.dim is Dim.D3:
            depth = len(images)
            slices = [(w, wrap(z, depth)) for w, z in _taps(sampler, at[2], depth)]
        elif self.dim is Dim.D2_ARRAY:
            slices = [(1.0, _clamp(round(at[2]), len(images)))]
        columns = [(w, wrap(x, width)) for w, x in _taps(sampler, at[0], width)]
        rows = [(w, wrap(y, height)) for w, y in _taps(sampler, at[1], height)]
        for wz, z in slices:
            for wy, y in rows:
                for wx, x in columns:
                    yield wx * wy * wz, images[z][y][x]


def _image(rows: Any) -> Image:
    return tuple(tuple(_texel(texel) for texel in row) for row in rows)


def _texel(value: Any) -> Texel:
    parts = tuple(value) if hasattr(value, "__len__") else (value,)
    return tuple(f32(float(x)) for x in (*parts, *_MISSING[len(parts) :]))


def _taps(sampler: Sampler, at: float, size: int) -> list[tuple[float, int]]:
    """The texels that count along one axis, by index before wrapping, and their weights."""
    if not sampler.linear:
        return [(1.0, math.floor(at * size))]
    place = at * size - 0.5
    low = math.floor(place)
    part = place - low
    return [(1.0 - part, low), (part, low + 1)] if part else [(1.0, low)]


# ---------------------------------------------------------------- cube maps

#: For each face the axes and signs of (s, t, major), as Vulkan's table has them.
_FACES = (
    ((2, -1), (1, -1), (0, 1)),
    ((2, 1), (1, -1), (0, -1)),
    ((0, 1), (2, 1), (1, 1)),
    ((0, 1), (2, -1), (1, -1)),
    ((0, 1), (1, -1), (2, 1)),
    ((0, -1), (1, -1), (2, -1)),
)


def _face_axes(at: Coordinate) -> tuple[int, float, float, float]:
    """The face that a direction points at, and (s, t, major) before the division."""
    x, y, z = (abs(c) for c in at)
    axis = 2 if z >= x and z >= y else 1 if y >= x else 0
    face = 2 * axis + (at[axis] < 0)
    (si, ss), (ti, ts), (mi, ms) = _FACES[face]
    return face, at[si] * ss, at[ti] * ts, at[mi] * ms


def _face(at: Coordinate) -> tuple[int, float, float]:
    face, s, t, major = _face_axes(at)
    if major == 0:
        return face, 0.5, 0.5
    return face, (s / major + 1) / 2, (t / major + 1) / 2


def _face_gradient(
    face: int, s: float, t: float, at: Coordinate, change: Coordinate
) -> tuple[float, float]:
    """How a face's coordinates change with the direction (the quotient rule)."""
    (si, ss), (ti, ts), (mi, ms) = _FACES[face]
    major = at[mi] * ms
    if major == 0:
        return 0.0, 0.0
    ds, dt, dm = change[si] * ss, change[ti] * ts, change[mi] * ms
    return (ds - s / major * dm) / major / 2, (dt - t / major * dm) / major / 2


def _cube_texel(images: tuple[Image, ...], face: int, x: int, y: int) -> Texel:
    size = len(images[face])
    if not (0 <= x < size and 0 <= y < size):
        direction = [0.0, 0.0, 0.0]
        places = ((2 * x + 1) / size - 1, (2 * y + 1) / size - 1, 1.0)
        for (axis, sign), value in zip(_FACES[face], places, strict=True):
            direction[axis] = sign * value
        face, s, t = _face(direction)
        x, y = (_clamp(math.floor(c * size), size) for c in (s, t))
    return images[face][y][x]
