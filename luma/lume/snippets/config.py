"""The configurations of snippets: what they say, and what is wrong with them.

What the engine's tool drops is dropped here too, with a warning; what makes it give up is an error.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from luma.diagnostics import Diagnostic, LumaError
from luma.lume.problems import IGNORED, MEMBER, error
from luma.lume.snippets.json_text import Node, read


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable, uniform or member of a struct, and where it is declared."""

    type: str
    name: str
    node: Node


@dataclass(frozen=True, slots=True)
class Struct:
    """A struct type."""

    name: str
    members: tuple[Variable, ...]
    node: Node


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a call: a variable by name, or a value of a type; either may be missing."""

    type: str
    name: str | None
    value: str | None
    node: Node


@dataclass(frozen=True, slots=True)
class Block:
    """A call: the group it belongs to, the function, and its arguments."""

    group: str
    function: str
    inputs: tuple[Argument, ...]
    outputs: tuple[Argument, ...]
    node: Node


@dataclass(frozen=True, slots=True)
class Signature:
    """A function as a group lists it: the types of what goes in and comes out."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """A group of snippets: the file with their text, if any, and its functions, each with the
    signatures that are listed of it."""

    name: str
    path: Path | None
    source: str
    functions: dict[str, tuple[Signature, ...]]
    node: Node


@dataclass(frozen=True, slots=True)
class Template:
    """A template's configuration."""

    text: Path
    written: str
    layout: Node | None
    types: tuple[Struct, ...]
    variables: tuple[Variable, ...]
    groups: dict[str, Group]
    node: Node


@dataclass(frozen=True, slots=True)
class Config:
    """A shader's configuration; ``target`` is None if it names no output."""

    node: Node
    target: str | None
    written_template: str
    template: Template
    types: tuple[Struct, ...]
    uniforms: tuple[Variable, ...]
    blocks: tuple[Block, ...]


@dataclass(slots=True)
class Warnings:
    """Collects what is ignored."""

    found: list[Diagnostic] = field(default_factory=list)

    def add(self, node: Node, message: str, help: str | None = None) -> None:
        """Tell of something that is left out."""
        self.found.append(node.warning(IGNORED, message, help))


def is_config(node: Node) -> bool:
    """Whether a JSON file configures a shader: templates and groups of snippets do not."""
    template, blocks = node.get("template"), node.get("blocks")
    return (
        template is not None
        and template.text is not None
        and blocks is not None
        and isinstance(blocks.value, list)
    )


def config(node: Node, warnings: Warnings) -> Config:
    """A shader's configuration with all that it refers to.

    Raises LumaError (E0807, E0846, E0847) for what no shader can be made of.
    """
    written = node.string("template")
    blocks = node.array("blocks")
    place = node.get("template")
    assert place is not None
    template = _template(_referred(place, "template"), warnings)
    return Config(
        node,
        _target(node),
        written,
        template,
        _types(node, warnings),
        tuple(_variables(node.get("uniforms"), "uniforms", warnings)),
        tuple(_block(b, warnings) for b in blocks),
    )


def _target(node: Node) -> str | None:
    found = node.get("target")
    if found is None:
        return None
    name = found.text or ""
    if "\0" in name or not Path(name).stem or name.endswith(("/", "/..")) or name == "..":
        raise LumaError([found.error("'target' is not the name of a file")])
    if name.lower().endswith(".json"):  # it may well be one that this is made of
        raise LumaError([found.error("'target' is a shader: its name cannot end in .json")])
    return name


def _referred(node: Node, what: str) -> Node:
    """The JSON in a file that a string names, relative to the file that names it.

    An error tells of both places.
    """
    path = node.file.path.parent / str(node.value)
    try:
        return read(path, str(node.value))
    except LumaError as fault:
        (found,) = fault.diagnostics
        if found.span is None:
            found = replace(found, span=node.span)
        raise LumaError([replace(found, help=f"'{node.way}' names it as the {what}")]) from None


# ---------------------------------------------------------------- types, variables, blocks


def _types(node: Node, warnings: Warnings) -> tuple[Struct, ...]:
    """The structs; one that is wrong takes all others with it, as in the engine's tool."""
    found = node.get("types")
    if found is None:
        return ()
    try:
        if not isinstance(found.value, list):
            raise LumaError([found.error("'types' is not an array")])
        return tuple(_struct(item, warnings) for item in found.items)
    except LumaError as fault:
        (problem,) = fault.diagnostics
        told = found.warning(IGNORED, f"{problem.message}: all types are left out")
        warnings.found.append(replace(told, span=problem.span))
        return ()


def _struct(node: Node, warnings: Warnings) -> Struct:
    _object(node)
    name = node.string("name")
    return Struct(name, tuple(_members(node, warnings)), node)


def _members(node: Node, warnings: Warnings) -> Iterator[Variable]:
    if node.get("members") is None:
        return
    for item in node.array("members"):
        _object(item)
        kind = item.string("type")
        name = item.get("name")
        if name is None or name.text is None:
            warnings.add(item, f"'{item.way}' lacks 'name': the member is left out")
        else:
            yield Variable(kind, name.text, item)


def _object(node: Node) -> None:
    if not isinstance(node.value, dict):
        raise LumaError([node.error(f"'{node.way}' is not an object")])


def _variables(node: Node | None, what: str, warnings: Warnings) -> Iterator[Variable]:
    """The variables of a list; wrong ones are left out."""
    if node is None:
        return
    if not isinstance(node.value, list):
        warnings.add(node, f"'{node.way}' is not an array: it is left out")
    for item in node.items:
        try:
            _object(item)
            yield Variable(item.string("type"), item.string("name"), item)
        except LumaError as fault:
            warnings.add(item, f"{fault.diagnostics[0].message}: it is left out of the {what}")


def _block(node: Node, warnings: Warnings) -> Block:
    group, function = node.string("name"), node.string("function")
    inputs = tuple(_arguments(node.get("inputs"), warnings))
    outputs = tuple(_outputs(node.get("outputs"), warnings))
    return Block(group, function, inputs, outputs, node)


def _arguments(node: Node | None, warnings: Warnings) -> Iterator[Argument]:
    """The arguments of a list; those without a type are left out."""
    if node is None:
        return
    if not isinstance(node.value, list):
        warnings.add(node, f"'{node.way}' is not an array: it is left out")
    for item in node.items:
        try:
            _object(item)
            kind = item.string("type")
        except LumaError as fault:
            warnings.add(item, f"{fault.diagnostics[0].message}: the argument is left out")
            continue
        name = item.get("name")
        yield Argument(kind, None if name is None else name.text, _value(item), item)


def _outputs(node: Node | None, warnings: Warnings) -> Iterator[Argument]:
    """Outputs need a variable to go to."""
    for argument in _arguments(node, warnings):
        if argument.name:
            yield argument
        else:
            where = argument.node
            warnings.add(where, f"'{where.way}' lacks 'name': the argument is left out")


def _value(node: Node) -> str | None:
    """The value of an argument as GLSL has it; numbers and bools as they are written."""
    found = node.get("value")
    if found is None or found.value is None or isinstance(found.value, (list, dict)):
        return None
    return found.text if found.text is not None else found.raw


# ---------------------------------------------------------------- templates and groups


def _template(node: Node, warnings: Warnings) -> Template:
    written = node.string("template")
    place = node.get("variables")
    inputs = tuple(_variables(place and place.get("inputs"), "inputs", warnings))
    outputs = tuple(_variables(place and place.get("outputs"), "outputs", warnings))
    return Template(
        node.file.path.parent / written,
        written,
        _layout(node),
        _types(node, warnings),
        (*inputs, *outputs),
        _groups(node),
        node,
    )


def _layout(node: Node) -> Node | None:
    """The pipeline layout that a template names."""
    place = node.get("pipelineLayout")
    if place is None:
        return None
    node.string("pipelineLayout")
    layout = _referred(place, "pipeline layout")
    _object(layout)
    return layout


def _groups(node: Node) -> dict[str, Group]:
    found: dict[str, Group] = {}
    for item in node.array("templateBlocks") if node.get("templateBlocks") else ():
        _object(item)
        name = item.string("name")
        item.string("source")
        if name in found:
            raise LumaError([item.error(f"a second group is called '{name}'")])
        source = item.get("source")
        assert source is not None
        found[name] = _group(name, _referred(source, f"group '{name}'"))
    return found


def _group(name: str, node: Node) -> Group:
    source = node.get("source")
    text = None if source is None else source.text
    path = None if text is None else node.file.path.parent / text
    functions: dict[str, tuple[Signature, ...]] = {}
    for function, signature in _signatures(node):
        functions[function] = (*functions.get(function, ()), signature)
    return Group(name, path, text or "", functions, node)


def _signatures(node: Node) -> Iterator[tuple[str, Signature]]:
    """The functions that a group lists; what is not as it should be is no promise."""
    blocks = node.get("blocks")
    for item in () if blocks is None else blocks.items:
        function = item.get("function")
        if function is not None and function.text is not None:
            yield function.text, Signature(_kinds(item, "inputs"), _kinds(item, "outputs"))


def _kinds(node: Node, key: str) -> tuple[str, ...]:
    found = node.get(key)
    kinds = (item.get("type") for item in (() if found is None else found.items))
    return tuple("" if kind is None else kind.text or "" for kind in kinds)


def missing_group(block: Block, template: Template) -> Diagnostic:
    """The error of a block whose group the template does not have."""
    known = ", ".join(f"'{name}'" for name in template.groups) or "none"
    message = f"the template has no group '{block.group}'"
    return error(MEMBER, message, f"its 'templateBlocks' has {known}", block.node.span)
