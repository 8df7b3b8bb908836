"""The interpreter: sampling, levels of detail, cube maps, comparison, fetching."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from luma.ir.interpret import (
    MissingResource,
    Resources,
    Sampler,
    Texture,
    run_fragment,
    run_function,
)
from luma.ir.module import Module
from luma.ir.text import parse_module
from luma.ir.verify import verify
from luma.language.types import (
    Dim,
)


def module(text: str) -> Module:
    made = parse_module(text)
    assert verify(made) == []
    return made


def texture_call(
    op: str, kind: str, result: str, operands: list[tuple[str, Any]], texture: Texture,
    sampler: Sampler,
) -> Any:  # fmt: skip
    """The result of one texture operation on ``@t`` and ``@s``."""
    shadow = "Shadow" if "Depth" in kind else ""
    samples = op.startswith("sample")
    params = "".join(f', %{9 + i} "p{i}": {t}' for i, (t, _) in enumerate(operands))
    values = "".join(f", %{9 + i}" for i in range(len(operands)))
    text = f"""
handle @t: {kind} group(0) binding(0)
handle @s: sampler{shadow} group(0) binding(1)
function @f(%0 "t": {kind}, %1 "s": sampler{shadow}{params}) -> ({result}) {{
b0:
  %2: {result} = {op} %0{", %1" if samples else ""}{values}
  return %2
}}
"""
    resources = Resources(textures={"t": texture}, samplers={(0, 1): sampler})
    args = ["t", "s", *(value for _, value in operands)]
    return run_function(module(text), "f", args, resources)


RNG = np.random.default_rng(7)
IMAGE = RNG.uniform(size=(4, 8, 4)).astype(np.float32)  # 8 wide, 4 high


def bilinear(image: Any, u: float, v: float, wrap: Any) -> Any:
    """A second opinion: bilinear filtering of one image, in double precision."""
    height, width = image.shape[:2]
    x, y = u * width - 0.5, v * height - 0.5
    x0, y0 = math.floor(x), math.floor(y)
    fx, fy = x - x0, y - y0
    rows = [image[wrap(y0 + j, height)].astype(np.float64) for j in (0, 1)]
    left = [row[wrap(x0, width)] for row in rows]
    right = [row[wrap(x0 + 1, width)] for row in rows]
    top, bottom = (a * (1 - fx) + b * fx for a, b in zip(left, right, strict=True))
    return top * (1 - fy) + bottom * fy


WRAPS: dict[str, Any] = {
    "repeat": lambda i, n: i % n,
    "clamp": lambda i, n: min(max(i, 0), n - 1),
    "mirror": lambda i, n: min(i % (2 * n), 2 * n - 1 - i % (2 * n)),
}


@pytest.mark.parametrize("address", ["repeat", "clamp", "mirror"])
def test_bilinear_filtering_and_addressing(address: str) -> None:
    texture = Texture(Dim.D2, [IMAGE.tolist()])
    for u, v in ((0.3, 0.4), (0.01, 0.99), (-0.3, 1.7), (2.25, -1.1), (0.5, 0.5)):
        found = texture_call("sample_level", "texture2D", "vec4", [("vec2", (u, v)), ("float", 0)],
                             texture, Sampler(True, address))  # fmt: skip
        expected = bilinear(IMAGE, float(np.float32(u)), float(np.float32(v)), WRAPS[address])
        assert np.allclose(found, expected, atol=1e-6)


def test_nearest_filtering() -> None:
    texture = Texture(Dim.D2, [IMAGE.tolist()])
    found = texture_call("sample_level", "texture2D", "vec4", [("vec2", (0.99, 0.3)), ("float", 0)],
                         texture, Sampler(False))  # fmt: skip
    assert np.array_equal(found, IMAGE[1, 7])


LEVELS = Texture(Dim.D2, [[[float(n)] * (4 >> n)] * (4 >> n) for n in range(3)])


@pytest.mark.parametrize(
    ("lod", "linear", "nearest"),
    [(-1.0, 0.0, 0.0), (0.25, 0.25, 0.0), (0.75, 0.75, 1.0), (1.5, 1.5, 1.0), (9.0, 2.0, 2.0)],
)
def test_levels_of_detail(lod: float, linear: float, nearest: float) -> None:
    for sampler, expected in (
        (Sampler(True), linear),
        (Sampler(False), nearest),
        (Sampler(True, mip_linear=False), nearest),
    ):
        found = texture_call("sample_level", "texture2D", "vec4",
                             [("vec2", (0.4, 0.6)), ("float", lod)], LEVELS, sampler)  # fmt: skip
        assert found == (expected, 0.0, 0.0, 1.0)


def test_gradients_choose_the_level() -> None:
    for change, expected in ((0.25, 0.0), (0.5, 1.0), (1.0, 2.0), (0.0, 0.0)):
        found = texture_call("sample_grad", "texture2D", "vec4",
                             [("vec2", (0.4, 0.6)), ("vec2", (change, 0)), ("vec2", (0, 0))],
                             LEVELS, Sampler())  # fmt: skip
        assert found[0] == expected


SAMPLED = """
handle @t_tex: texture2D group(0) binding(0) combined("t")
handle @t_samp: sampler group(0) binding(1) combined("t")
entry fragment main = @main {
  in "uv": vec2 location(0)
  out "plain": vec4 location(0)
  out "biased": vec4 location(1)
}
function @main(%0 "uv": vec2) -> (vec4, vec4) {
b0:
  %1: texture2D = global @t_tex
  %2: sampler = global @t_samp
  %3: vec4 = sample %1, %2, %0
  %4: float = const 1.0
  %5: vec4 = sample_bias %1, %2, %0, %4
  return %3, %5
}
"""


def test_implicit_level_of_detail() -> None:
    resources = Resources(textures={"t": LEVELS}, samplers={"t": Sampler()})
    for size, expected in ((4, 0.0), (2, 1.0)):
        rows = run_fragment(
            module(SAMPLED),
            "main",
            lambda x, y, size=size: {0: (x / size, y / size)},
            size,
            size,
            resources,
        )
        for pixel in (p for row in rows for p in row):
            assert pixel is not None
            assert pixel[0][0] == expected
            assert pixel[1][0] == expected + 1


def test_volume_textures() -> None:
    image = RNG.uniform(size=(2, 3, 4)).astype(np.float32)
    found = texture_call("sample_level", "texture3D", "vec4",
                         [("vec3", (0.5, 0.5, 0.5)), ("float", 0)],
                         Texture(Dim.D3, [image.tolist()]), Sampler())  # fmt: skip
    assert found[0] == pytest.approx(float(image[:, 1, 1:3].mean()), abs=1e-6)
    size = texture_call("texture_size", "texture3D", "ivec3", [("int", 0)],
                        Texture(Dim.D3, [image.tolist()]), Sampler())  # fmt: skip
    assert size == (4, 3, 2)


@pytest.mark.parametrize(("layer", "expected"), [(-3.0, 0), (0.5, 0), (1.5, 2), (9.0, 2)])
def test_array_layers_round_to_even_and_clamp(layer: float, expected: int) -> None:
    texture = Texture(Dim.D2_ARRAY, [[[[float(n)]] for n in range(3)]])
    found = texture_call("sample_level", "texture2DArray", "vec4",
                         [("vec3", (0.5, 0.5, layer)), ("float", 0)], texture,
                         Sampler())  # fmt: skip
    assert found[0] == expected


@pytest.mark.parametrize("face", range(6))
def test_cube_faces(face: int) -> None:
    cube = Texture(Dim.CUBE, [[[[float(f)] * 4] * 4 for f in range(6)]])
    direction = [0.1, -0.2, 0.15]
    direction[face // 2] = -2.0 if face % 2 else 2.0
    found = texture_call("sample_level", "textureCube", "vec4",
                         [("vec3", direction), ("float", 0)], cube, Sampler())  # fmt: skip
    assert found[0] == face


def test_cube_orientation_and_seams() -> None:
    ramp = [[x + 10.0 * y for x in range(2)] for y in range(2)]
    cube = Texture(Dim.CUBE, [[ramp] * 6])
    nearest = Sampler(False)

    def at(*direction: float, sampler: Sampler = nearest) -> float:
        found: tuple[float, ...] = texture_call(
            "sample_level", "textureCube", "vec4", [("vec3", direction), ("float", 0)], cube,
            sampler,
        )  # fmt: skip
        return found[0]

    assert at(1, 0.5, -0.5) == 1.0  # +x: s runs to -z, t to -y
    assert at(-1, -0.5, 0.5) == 11.0
    assert at(0.5, 1, -0.5) == 1.0
    assert at(0.5, -1, -0.5) == 11.0
    assert at(-0.5, 0.5, 1) == 0.0
    assert at(0.5, 0.5, -1) == 0.0
    # on the edge of +x and +z both faces count half
    assert at(1, 0.5, 1 - 1e-7, sampler=Sampler()) == pytest.approx(0.5, abs=1e-5)


def test_depth_comparison() -> None:
    depth = Texture(Dim.D2, [[[0.2, 0.8]]])

    def compare(u: float, reference: float, sampler: Sampler) -> float:
        found: float = texture_call(
            "sample_compare", "textureDepth2D", "float",
            [("vec2", (u, 0.5)), ("float", reference)], depth, sampler,
        )  # fmt: skip
        return found

    nearest, clamp = Sampler(False, "clamp"), Sampler(True, "clamp")
    assert compare(0.25, 0.5, nearest) == 0.0
    assert compare(0.75, 0.5, nearest) == 1.0
    assert compare(0.5, 0.5, clamp) == 0.5  # half of the texels pass
    assert compare(0.25, 0.5, Sampler(False, "clamp", "greater")) == 1.0


def test_fetching_texels() -> None:
    texture = Texture(Dim.D2, [IMAGE.tolist(), IMAGE[::2, ::2].tolist()])
    for at, level, expected in (
        ((3, 1), 0, IMAGE[1, 3]),
        ((3, 1), 1, IMAGE[2, 6]),
        ((8, 0), 0, np.zeros(4)),
        ((0, 0), 2, np.zeros(4)),
    ):
        found = texture_call("texel_fetch", "texture2D", "vec4", [("ivec2", at), ("int", level)],
                             texture, Sampler())  # fmt: skip
        assert np.array_equal(found, expected)
    for level, size in ((0, (8, 4)), (1, (4, 2)), (2, (0, 0))):
        assert texture_call("texture_size", "texture2D", "ivec2", [("int", level)], texture,
                            Sampler()) == size  # fmt: skip


def test_textures_that_do_not_fit() -> None:
    for texture, message in (
        (Texture(Dim.D3, [[[[0.0]]]]), "not a 3D"),
        (Texture(Dim.D2, []), "without texels"),
    ):
        with pytest.raises(MissingResource, match=message):
            texture_call("texture_size", "texture2D", "ivec2", [("int", 0)], texture, Sampler())
