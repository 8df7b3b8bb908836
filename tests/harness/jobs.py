"""Plain data that describe one run of a shader: what is bound, what is launched, what is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from numpy.typing import NDArray

Values: TypeAlias = NDArray[Any]

#: A descriptor's place: (group, binding).
Slot: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Uniform:
    """The bytes of a uniform buffer."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Storage:
    """The initial bytes of a storage buffer; what the shader leaves there is read back."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Image:
    """A texture: ``levels`` are its mip levels, largest first.

    ``kind`` is ``2d`` (arrays of shape h, w, 4), ``3d``, ``cube`` or ``2darray`` (d, h, w, 4; a
    cube has d = 6).  A ``depth`` image has no last axis.  Texels are binary32.
    """

    levels: tuple[Values, ...]
    kind: str = "2d"
    depth: bool = False


@dataclass(frozen=True, slots=True)
class SamplerState:
    """How a texture is sampled; ``compare`` (``less``, ``less_equal``, ``greater``, ...) makes it a
    comparison sampler."""

    linear: bool = True
    repeat: bool = True
    mip_linear: bool = False
    compare: str | None = None


@dataclass(frozen=True, slots=True)
class Combined:
    """A texture with its sampler: two slots under SPIR-V, the texture's slot under GLSL."""

    image: Image
    sampler: SamplerState


Resource: TypeAlias = Uniform | Storage | Image | SamplerState | Combined
Resources: TypeAlias = Mapping[Slot, Resource]
SpecValue: TypeAlias = bool | int | float


@dataclass(frozen=True, slots=True)
class Dispatch:
    """A compute dispatch of ``groups`` workgroups; gives every storage buffer's bytes by slot."""

    entry: str
    groups: tuple[int, int, int]
    resources: Resources = field(default_factory=dict)
    push: bytes = b""
    spec: Mapping[int, SpecValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Draw:
    """A draw of triangles into new colour targets; gives each target's texels by its location.

    ``attributes`` maps a location to an array (vertices, components) of float32, int32 or uint32.
    ``targets`` maps a location to its format: ``float``, ``int`` or ``uint`` (four components of
    32 bits).  ``topology`` is ``triangles`` or ``points``.  With ``depth`` the draw has a depth
    buffer (test less-or-equal, cleared to 1), which is given under the key ``depth``.
    """

    vertex: str
    fragment: str
    size: tuple[int, int]
    vertices: int = 3
    instances: int = 1
    resources: Resources = field(default_factory=dict)
    attributes: Mapping[int, Values] = field(default_factory=dict)
    targets: Mapping[int, str] = field(default_factory=lambda: {0: "float"})
    clear: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    topology: str = "triangles"
    depth: bool = False
    push: bytes = b""
    spec: Mapping[int, SpecValue] = field(default_factory=dict)


Job: TypeAlias = Dispatch | Draw

#: What a run gives: bytes of storage buffers by slot, texels of colour targets by location.
Outputs: TypeAlias = dict["Slot | int | str", "bytes | Values"]
