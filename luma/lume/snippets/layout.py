"""The pipeline layout of a shader: the template's, and a set for the uniforms of the shader."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from luma.diagnostics import LumaError
from luma.lume.lsb import MAX_SETS
from luma.lume.problems import LAYOUT
from luma.lume.snippets.config import Config, Variable
from luma.lume.snippets.json_text import Node

SETS = "descriptorSetLayouts"

#: Descriptor types by GLSL's types; more than the engine's tool knows.
_TYPES = {
    "sampler": "sampler",
    "samplerShadow": "sampler",
    "buffer": "storage_buffer",
    "textureBuffer": "uniform_texel_buffer",
    "imageBuffer": "storage_texel_buffer",
    "samplerBuffer": "combined_image_sampler",
    "accelerationStructureEXT": "acceleration_structure",
}

_FAMILIES = (
    ("sampler", "combined_image_sampler"),
    ("texture", "sampled_image"),
    ("image", "storage_image"),
    ("subpassInput", "input_attachment"),
)

_STAGES = {".vert": "vertex_bit", ".comp": "compute_bit"}

_ARRAY = re.compile(r"\[\s*(\d+)\s*\]")


@dataclass(frozen=True, slots=True)
class Raw:
    """Text that is JSON already."""

    text: str


def uniform_set(config: Config) -> int:
    """The set of the shader's uniforms: after all of the layout's, or 0.

    Raises LumaError (E0847, E0849) if the layout is no layout, or the engine has no set left.
    """
    numbers = [-1]
    for item in _sets(config.template.layout):
        found = item.get("set")
        if found is not None and isinstance(found.value, int):
            numbers.append(int(found.value))
    number = max(numbers) + 1
    if number >= MAX_SETS and config.uniforms:
        layout = config.template.layout
        assert layout is not None
        place = layout.get(SETS) or layout
        message = f"the uniforms would get set {number}: the engine has 0 to {MAX_SETS - 1}"
        raise LumaError([place.error(message, code=LAYOUT)])
    return number


def _sets(layout: Node | None) -> list[Node]:
    found = None if layout is None else layout.get(SETS)
    if found is not None and not isinstance(found.value, list):
        raise LumaError([found.error(f"'{SETS}' is not an array")])
    return [] if found is None else found.items


def pipeline(config: Config, set_number: int) -> str:
    """The JSON of the shader's pipeline layout, in the engine's tool's form."""
    own = {"set": set_number, "bindings": list(_bindings(config))} if config.uniforms else None
    layout = config.template.layout
    if layout is None:
        # Without uniforms the engine's tool writes an object; its loader takes either.
        return dumped({"name": config.written_template, SETS: [own] if own else {}})
    assert isinstance(layout.value, dict)
    members: dict[str, Any] = {k: Raw(_copied(v)) for k, v in layout.value.items()}
    if own:
        old = [Raw(_copied(item)) for item in _sets(layout)]
        members[SETS] = [*old, own]
    return dumped(members)


def _bindings(config: Config) -> Iterator[dict[str, Any]]:
    structs = {s.name for s in (*config.types, *config.template.types)}
    stage = next((s for end, s in _STAGES.items() if (config.target or "").endswith(end)), None)
    for binding, uniform in enumerate(config.uniforms):
        told = {
            "binding": binding,
            "descriptorCount": 1 if uniform.type in structs else _count(uniform),
            "shaderStageFlags": stage or "fragment_bit",
        }
        kind = descriptor(uniform.type, structs)
        yield told if kind is None else {**told, "descriptorType": kind}


def _count(uniform: Variable) -> int:
    """How many resources a uniform is: the product of its dimensions."""
    count = 1
    for size in _ARRAY.findall(uniform.type + uniform.name):
        count *= int(size)
    return count


def descriptor(kind: str, structs: set[str]) -> str | None:
    """The type of descriptor for a type of GLSL, or None if it is none of a resource."""
    kind = kind.split("[", 1)[0].strip()
    if kind in structs:
        return "uniform_buffer"
    if kind[:1] in "iu" and kind[1:].startswith(("sampler", "texture", "image", "subpassInput")):
        kind = kind[1:]
    if kind in _TYPES:
        return _TYPES[kind]
    return next((name for start, name in _FAMILIES if kind.startswith(start)), None)


# ---------------------------------------------------------------- writing


def _copied(node: Node) -> str:
    """A value of a layout: on one line, strings and integers as written, other numbers with six
    decimals."""
    match node.value:
        case dict(members):
            inside = (f'"{_raw_key(key)}":{_copied(v)}' for key, v in members.items())
            return f"{{{','.join(inside)}}}"
        case list(items):
            return f"[{','.join(map(_copied, items))}]"
        case float(number):
            return f"{number:.6f}"
    return node.raw


def _raw_key(key: str) -> str:
    return dumped(key)[1:-1]


def dumped(value: Any) -> str:
    """Plain data and raw text as JSON on one line, without spaces."""
    match value:
        case Raw(text):
            return text
        case dict():
            inside = (f"{dumped(k)}:{dumped(v)}" for k, v in value.items())
            return f"{{{','.join(inside)}}}"
        case list():
            return f"[{','.join(map(dumped, value))}]"
        case str():
            return '"' + "".join(map(_escaped, value)) + '"'
    return str(value)


def _escaped(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    return f"\\u{ord(character):04x}" if character < " " else character
