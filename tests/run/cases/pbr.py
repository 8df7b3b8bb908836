"""The physically based surface, against the published formulas."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tests.harness.cases import Case, Expected, Key
from tests.harness.jobs import Combined, Draw, Image, SamplerState, Uniform, Values
from tests.harness.reference import (
    STD140,
    Spec,
    array,
    dot,
    f32,
    interpolate,
    normalize,
    off_edges,
    pack,
    paint,
    rasterise,
    sample_2d,
)

WIDTH, HEIGHT = 24, 18

VERTEX = """
@varying
struct Surface
  @builtin(position) position: vec4
  world: vec3
  normal: vec3
  tangent: vec4
  uv: vec2
end

struct VertexInput
  clip: vec4
  world: vec3
  normal: vec3
  tangent: vec4
  uv: vec2
end

@entry(vertex)
function pass(input: VertexInput) -> Surface
  return Surface {
    position = input.clip,
    world = input.world,
    normal = input.normal,
    tangent = input.tangent,
    uv = input.uv,
  }
end
"""

CLIP = np.array([[-1, -1, 0.2, 1], [2.6, -0.9, 0.3, 1.2], [-1.1, 3.1, 0.1, 1.1]], f32)
WORLD = np.array([[-1, -1, 0], [3, -0.8, 0.3], [-0.9, 3.2, -0.4]], f32)
NORMAL = np.array([[0.1, 0.0, 1.0], [0.3, -0.2, 0.9], [-0.2, 0.4, 1.1]], f32)
TANGENT = np.array([[1, 0.1, 0, -1], [0.9, 0.2, -0.3, -1], [1.1, -0.1, 0.2, -1]], f32)
UV = np.array([[0, 0], [2, 0.3], [0.1, 1.8]], f32)

POINT_LIGHT = {"position": "vec3", "radius": "float", "color": "vec3", "intensity": "float"}
SCENE: Mapping[str, Spec] = {
    "camera": "vec3",
    "light_count": "int",
    "ambient": "vec3",
    "exposure": "float",
    "lights": array(POINT_LIGHT, 4),
}
MATERIAL = {"albedo": "vec4", "roughness": "float", "metallic": "float", "normal_scale": "float"}

LIGHTS = [
    {"position": [0.5, 0.4, 1.5], "radius": 6.0, "color": [1, 0.9, 0.8], "intensity": 6.0},
    {"position": [-1.0, 1.0, 1.0], "radius": 4.0, "color": [0.2, 0.5, 1], "intensity": 9.0},
    {"position": [2.0, -0.5, 0.8], "radius": 2.5, "color": [1, 0.2, 0.1], "intensity": 4.0},
    {"position": [9.0, 9.0, 9.0], "radius": 50.0, "color": [9, 9, 9], "intensity": 99.0},
]
CAMERA, AMBIENT, EXPOSURE, LIGHT_COUNT = [0.3, 0.2, 2.5], [0.03, 0.04, 0.06], 1.25, 3
ALBEDO, ROUGHNESS, METALLIC, NORMAL_SCALE = [0.9, 0.8, 0.7, 0.5], 0.8, 0.9, 0.6

_RNG = np.random.default_rng(3)
ALBEDO_MAP = _RNG.uniform(0.1, 1, (6, 4, 4)).astype(f32)
NORMAL_MAP = np.concatenate(
    [_RNG.uniform(0.35, 0.65, (5, 3, 2)), _RNG.uniform(0.85, 1, (5, 3, 2))], axis=-1
).astype(f32)
SURFACE_MAP = _RNG.uniform(0.3, 1, (4, 7, 4)).astype(f32)


def resources() -> dict[tuple[int, int], Uniform | Combined]:
    """The scene, the material and its maps, as the shader binds them."""
    scene = {
        "camera": CAMERA,
        "light_count": LIGHT_COUNT,
        "ambient": AMBIENT,
        "exposure": EXPOSURE,
        "lights": LIGHTS,
    }
    material = {
        "albedo": ALBEDO,
        "roughness": ROUGHNESS,
        "metallic": METALLIC,
        "normal_scale": NORMAL_SCALE,
    }
    maps = (ALBEDO_MAP, NORMAL_MAP, SURFACE_MAP)
    combined = {
        (1, 1 + 2 * i): Combined(Image((texels,)), SamplerState()) for i, texels in enumerate(maps)
    }
    return {
        (0, 0): Uniform(pack(SCENE, scene, STD140)),
        (1, 0): Uniform(pack(MATERIAL, material, STD140)),
        **combined,
    }


def job() -> Draw:
    """Draw one large triangle."""
    return Draw(
        "pass",
        "shade",
        (WIDTH, HEIGHT),
        attributes={0: CLIP, 1: WORLD, 2: NORMAL, 3: TANGENT, 4: UV},
        resources=resources(),
    )


def shading_normal(normal: Values, tangent: Values, uv: Values) -> Values:
    """The normal map's normal in world space."""
    n = normalize(normal)
    t = tangent[..., :3]
    t = normalize(t - n * dot(n, t)[..., None])
    b = np.cross(n, t) * tangent[..., 3:]
    mapped = sample_2d(NORMAL_MAP, uv)[..., :3] * 2 - 1
    x, y, z = mapped[..., :1] * NORMAL_SCALE, mapped[..., 1:2] * NORMAL_SCALE, mapped[..., 2:]
    return normalize((t * x + b * y + n * z).astype(f32))


def direct(light: Mapping[str, object], world: Values, n: Values, v: Values, base: Values,
           roughness: Values, metallic: Values) -> Values:  # fmt: skip
    """What one light adds: Cook-Torrance with GGX, Smith and Schlick, and Lambert."""
    to_light = np.asarray(light["position"], f32) - world
    distance2 = dot(to_light, to_light)[..., None]
    l = to_light / np.sqrt(distance2)  # noqa: E741  (the letter of the literature)
    h = normalize(v + l)
    n_l = np.maximum(dot(n, l), 0)[..., None]
    n_v = np.maximum(dot(n, v), 1e-4)[..., None]
    n_h = np.maximum(dot(n, h), 0)[..., None]
    h_v = np.maximum(dot(h, v), 0)[..., None]
    f0 = 0.04 * (1 - metallic) + base * metallic
    fresnel = f0 + (1 - f0) * (1 - h_v) ** 5
    alpha2 = roughness**4
    ggx = alpha2 / (np.pi * (n_h**2 * (alpha2 - 1) + 1) ** 2)
    k = (roughness + 1) ** 2 / 8
    smith = n_v / (n_v * (1 - k) + k) * (n_l / (n_l * (1 - k) + k))
    specular = fresnel * ggx * smith / np.maximum(4 * n_v * n_l, 1e-3)
    diffuse = (1 - fresnel) * (1 - metallic) * base / np.pi
    window = np.clip(1 - (distance2 / np.float64(light["radius"]) ** 2) ** 2, 0, 1)  # type: ignore[arg-type]
    falloff = window**2 / np.maximum(distance2, 1e-4)
    colour = np.asarray(light["color"]) * light["intensity"]
    result: Values = (diffuse + specular) * colour * falloff * n_l
    return result


def expected() -> Mapping[Key, Expected]:
    """The picture by NumPy."""
    fragments = rasterise(CLIP, WIDTH, HEIGHT)
    world, uv = interpolate(fragments, WORLD), interpolate(fragments, UV)
    n = shading_normal(interpolate(fragments, NORMAL), interpolate(fragments, TANGENT), uv)
    base = sample_2d(ALBEDO_MAP, uv) * np.array(ALBEDO, f32)
    orm = sample_2d(SURFACE_MAP, uv)
    roughness = np.clip(orm[..., 1:2] * ROUGHNESS, 0.04, 1)
    metallic = np.clip(orm[..., 2:3] * METALLIC, 0, 1)
    v = normalize((np.array(CAMERA, f32) - world).astype(f32))
    light = np.array(AMBIENT) * base[..., :3] * orm[..., :1]
    for each in LIGHTS[:LIGHT_COUNT]:
        light = light + direct(each, world, n, v, base[..., :3], roughness, metallic)
    x = light * EXPOSURE
    mapped = np.clip((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14), 0, 1)
    colour = np.concatenate([mapped ** (1 / 2.2), base[..., 3:]], axis=-1)
    image = paint(fragments, colour, np.zeros(4))
    return {0: Expected(image, atol=2e-5, mask=off_edges(fragments))}


CASES = (Case("pbr", VERTEX, job, expected, fragment_source="pbr_fragment.luma"),)
