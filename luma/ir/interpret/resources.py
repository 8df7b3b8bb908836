"""What a shader is run with: buffers, textures, samplers, constants; errors of running it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from luma.ir.module import Global
from luma.language.types import Dim

#: A resource's key: the name of its global (or of its combined sampler), or (group, binding).
Key: TypeAlias = str | tuple[int, int]


class InterpretError(Exception):
    """The module cannot be run as asked."""


class MissingResource(InterpretError):
    """A global has no resource, or one that does not fit it."""


class FuelExhausted(InterpretError):
    """More steps than allowed: the shader may not end."""


class DivergentBarrier(InterpretError):
    """Not all invocations of a workgroup came to the same barrier."""


@dataclass(frozen=True, slots=True)
class Sampler:
    """How a texture is sampled.

    ``linear`` filters between texels, ``mip_linear`` between levels (None: as ``linear``); else the
    nearest is taken.  ``address`` is ``"repeat"``, ``"clamp"`` (to the edge) or ``"mirror"``.
    ``compare`` is how the reference must compare to the texel for a comparison sampler to give 1:
    ``"never"``, ``"less"``, ``"equal"``, ``"less_equal"``, ``"greater"``, ``"not_equal"``,
    ``"greater_equal"``, ``"always"``.
    """

    linear: bool = True
    address: str = "repeat"
    compare: str = "less_equal"
    mip_linear: bool | None = None

    @property
    def between_levels(self) -> bool:
        """Whether two levels are mixed."""
        return self.linear if self.mip_linear is None else self.mip_linear


@dataclass(frozen=True, slots=True)
class Texture:
    """An image with its levels of detail, the largest first.

    A level of a 2D texture is rows of texels; of a 3D, cube or array texture a sequence of such
    images (slices; the faces +x -x +y -y +z -z; layers).  A texel is one float, or up to four; what
    is missing is filled up from (0, 0, 0, 1).
    """

    dim: Dim
    levels: Sequence[Any]


@dataclass(slots=True)
class Resources:
    """Everything that a module's globals and specialization constants stand for.

    ``buffers`` holds uniform memory (std140) and storage buffers (std430) as bytes; those that are
    written must be bytearrays, and are changed in place.  ``constants`` overrides specialization
    constants by name or by id.
    """

    buffers: Mapping[Key, bytes | bytearray | memoryview] = field(default_factory=dict)
    textures: Mapping[Key, Texture] = field(default_factory=dict)
    samplers: Mapping[Key, Sampler] = field(default_factory=dict)
    push_constants: bytes = b""
    constants: Mapping[str | int, bool | int | float] = field(default_factory=dict)


def find(kind: str, among: Mapping[Key, Any], item: Global) -> Any:
    """The resource of a global.  Raises MissingResource if there is none."""
    keys: list[Key] = [item.name]
    if item.combined is not None:
        keys.append(item.combined)
    if item.group is not None and item.binding is not None:
        keys.append((item.group, item.binding))
    for key in keys:
        if key in among:
            return among[key]
    raise MissingResource(f"no {kind} for @{item.name}")
