"""Reads what a host must know off an MSL text, and makes C++ of it.

The attributes in the text are the contract between a shader and Metal; they are read from there
and from nowhere else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_STRUCT = re.compile(r"^struct (\w+) \{\n(.*?)^\};", re.S | re.M)
_FIELD = re.compile(r"^\s+(\w+) (\w+)((?: \[\[[^\]]*\]\])+);$", re.M)
_ENTRY = re.compile(r"^(kernel|vertex|fragment) (\w+) (\w+)\((.*?)\) \{$", re.S | re.M)
_PARAMETER = re.compile(
    r"(?P<before>.*?)(?P<name>\w+)(?P<after>\)[^ ]*)? "
    r"\[\[(?P<what>\w+)(?:\((?P<index>\w+)\))?\]\]"
)
_GIVEN = re.compile(r"^constant (\w+) (\w+) \[\[function_constant\((\d+)\)\]\];$", re.M)
_SETTLED = re.compile(
    r"^constant (\w+) (\w+) = is_function_constant_defined\((\w+)\) \? (\w+) : (.*);$", re.M
)
_SHARED = re.compile(r"^(\s+)threadgroup (\w+) (\w+)(.*);$", re.M)
_SWIZZLE = re.compile(r"\.([xyzw]{2,4})\b(?!\s*(?:[-+*/%&|^]|<<|>>)?=[^=])")
_MEMBER = re.compile(r"^\s+[\w<> (),]+ (\w+)(?:\[[^;]*)?;$", re.M)


class MslError(Exception):
    """An MSL text that the host cannot make sense of, or that the compiler refuses."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a stage's input or output, with its attributes."""

    type: str
    name: str
    attributes: tuple[str, ...]

    def number(self, attribute: str) -> int | None:
        """The number in an attribute such as ``color(0)``, if it is there."""
        for item in self.attributes:
            found = re.fullmatch(rf"{attribute}\((?:locn)?(\d+)\)", item)
            if found:
                return int(found[1])
        return None


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of an entry point: its type, and its attribute in two parts."""

    type: str
    what: str
    index: int


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry point: ``result`` and ``stage_in`` name structs, or are empty.

    A ``plain`` result is no struct but a value, whose attribute goes without saying.
    """

    kind: str
    name: str
    result: str
    parameters: tuple[Parameter, ...]
    stage_in: str
    fibers: bool
    plain: bool

    @property
    def layout(self) -> str:
        """What the table of the result's offsets is called after."""
        return f"{self.name}_result" if self.plain else self.result


@dataclass(frozen=True, slots=True)
class Source:
    """What an MSL text says of itself."""

    entries: dict[str, Entry]
    structs: dict[str, tuple[Field, ...]]

    def outputs(self, entry: Entry) -> tuple[Field, ...]:
        """What an entry point gives."""
        if not entry.plain:
            return self.structs.get(entry.result, ())
        attribute = "position" if entry.kind == "vertex" else "color(0)"
        return (Field(entry.result, "result", (attribute,)),)


def read(text: str) -> Source:
    """Find the entry points and the structs of stage inputs and outputs."""
    structs = {name: tuple(_fields(body)) for name, body in _STRUCT.findall(text)}
    entries = {}
    for kind, result, name, parameters in _ENTRY.findall(text):
        plain = result not in structs and result != "void"
        entries[name] = _entry(text, kind, result, name, parameters, plain)
    interfaces = {name: fields for name, fields in structs.items() if fields}
    return Source(entries, interfaces)


def _fields(body: str) -> Iterator[Field]:
    for kind, name, attributes in _FIELD.findall(body):
        yield Field(kind, name, tuple(re.findall(r"\[\[(.*?)\]\]", attributes)))


def _entry(text: str, kind: str, result: str, name: str, parameters: str, plain: bool) -> Entry:
    found: list[Parameter] = []
    stage_in = ""
    for item in filter(None, re.split(r",\s+(?![^<]*>)", parameters)):
        match = _PARAMETER.fullmatch(" ".join(item.split()))
        if match is None:
            raise MslError(f"a parameter of {name} without an attribute: {item}")
        t = (match["before"] + (match["after"] or "")).strip()
        what, index = match["what"], match["index"]
        if what == "stage_in":
            stage_in = t
        found.append(Parameter(t, what, int(index or 0)))
    meets = r"threadgroup_barrier|\b(?:dfdx|dfdy|fwidth)\b"
    if kind == "fragment":
        meets += r"|\.sample"
    fibers = re.search(meets, text) is not None
    return Entry(
        kind, name, "" if result == "void" else result, tuple(found), stage_in, fibers, plain
    )


# ---------------------------------------------------------------- C++


def as_cpp(text: str, space: str) -> str:
    """The text as C++ that runs, for a namespace of its own.

    Workgroup memory is static, function constants are variables that ``<space>_specialize`` sets,
    and the values of swizzles are taken by a call.
    """
    body = text.replace("#include <metal_stdlib>", "")
    body = _taken(_SHARED.sub(r"\1static \2 \3\4;", body))
    settings: list[str] = []

    def given(match: re.Match[str]) -> str:
        kind, name, number = match.groups()
        settings.append(f"{name} = ({kind})values[{number}]; {name}_is = given[{number}];")
        return f"static {kind} {name}; static bool {name}_is;"

    def settled(match: re.Match[str]) -> str:
        kind, name, asked, chosen, otherwise = match.groups()
        settings.append(f"{name} = {asked}_is ? {chosen} : {otherwise};")
        return f"static {kind} {name};"

    body = _SETTLED.sub(settled, _GIVEN.sub(given, body))
    specialize = "\n    ".join(settings)
    return (
        f'{body}\nextern "C" void {space}_specialize(const double* values, const bool* given) {{\n'
        f"    {specialize}\n}}\n"
    )


def as_strict(text: str) -> str:
    """The text as C++ for OpenCL, where address spaces are checked."""
    body = _GIVEN.sub(r"constant \1 \2 = \1();", text.replace("#include <metal_stdlib>", ""))
    body = re.sub(r"is_function_constant_defined\((\w+)\)", "true", body)
    # OpenCL lets kernels alone declare such memory; a reference to it may be anywhere.
    body = _SHARED.sub(r"\1threadgroup \2 (&\3)\4 = *(threadgroup \2 (*)\4)0;", body)
    return _taken(body)


def _taken(text: str) -> str:
    """The text with the values of swizzles taken; members of structs may look like them."""
    members = {name for _, body in _STRUCT.findall(text) for name in _MEMBER.findall(body)}

    def take(match: re.Match[str]) -> str:
        return match[0] if match[1] in members else f"{match[0]}.get()"

    return _SWIZZLE.sub(take, text)


#: Where the arguments of an entry point come from, by attribute.
_VALUES = {
    "thread_position_in_grid": "host->at(group, host->count) * host->three(host->size)"
    " + host->at(lane, host->size)",
    "thread_position_in_threadgroup": "host->at(lane, host->size)",
    "threadgroup_position_in_grid": "host->at(group, host->count)",
    "threadgroups_per_grid": "host->three(host->count)",
    "thread_index_in_threadgroup": "(uint)lane",
    "vertex_id": "(uint)(item % host->vertices)",
    "instance_id": "(uint)(item / host->vertices)",
    "position": "((const float4*)host->positions)[item]",
    "front_facing": "(host->front != 0)",
    "primitive_id": "(uint)host->primitive",
    "sample_id": "0u",
}

#: What a host passes to a shader; :class:`tests.harness.msl.host.Arguments` is its likeness.
ARGUMENTS = """
struct HostArguments {
    void** buffers;
    metal::image** textures;
    metal::sampler* samplers;
    const char* inputs;
    char* outputs;
    const char* positions;
    long lanes, vertices, front, primitive;
    unsigned size[3], count[3];
    metal::uint3 three(const unsigned* v) const { return metal::uint3(v[0], v[1], v[2]); }
    metal::uint3 at(long i, const unsigned* v) const {
        long x = i % v[0], y = i / v[0] % v[1], z = i / v[0] / v[1];
        return metal::uint3((uint)x, (uint)y, (uint)z);
    }
};
"""


def thunk(source: Source, entry: Entry, space: str) -> str:
    """Functions that call an entry point, and tables of its interface's offsets."""
    call = f"{entry.name}({', '.join(map(_argument, entry.parameters))})"
    if entry.result:
        call = f"(({entry.result}*)host->outputs)[item] = {call}"
    lines = [
        f'extern "C" void {space}_{entry.name}(long group, int lane, void* given) {{',
        "    HostArguments* host = (HostArguments*)given;",
        "    long item = group * host->lanes + lane;",
        "    (void)item;",
        f"    {call};",
        "}",
    ]
    if entry.plain:
        table = f"0, (int)sizeof({entry.result})"
        lines.append(f'extern "C" const int {space}_{entry.layout}_layout[] = {{{table}}};')
    for name in filter(None, (entry.stage_in, "" if entry.plain else entry.result)):
        fields = [f"(int)__builtin_offsetof({name}, {f.name})" for f in source.structs[name]]
        table = ", ".join([*fields, f"(int)sizeof({name})"])
        lines.append(f'extern "C" const int {space}_{name}_layout[] = {{{table}}};')
    return "\n".join(lines) + "\n"


def _argument(parameter: Parameter) -> str:
    t, at = parameter.type, parameter.index
    match parameter.what:
        case "buffer" if t.endswith("&"):
            return f"*({t.removesuffix('&')}*)host->buffers[{at}]"
        case "buffer":
            return f"({t})host->buffers[{at}]"
        case "texture":
            return f"bound<{t}>(host->textures[{at}])"
        case "sampler":
            return f"host->samplers[{at}]"
        case "stage_in":
            return f"((const {t}*)host->inputs)[item]"
    if parameter.what not in _VALUES:
        raise MslError(f"no such attribute: {parameter.what}")
    return _VALUES[parameter.what]
