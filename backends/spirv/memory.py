"""Memory: places, access chains, loads and stores, and the two forms that a value has.

In a buffer bool is a 32-bit integer and structs and arrays are types of their own, so a value that
has such a thing inside is taken apart and put together again, member by member.
"""

from __future__ import annotations

from luma.backends.spirv.body import Body, Place
from luma.backends.spirv.grammar import Op, StorageClass
from luma.backends.spirv.types import parts_of

from luma.ir.module import Immediate, Instr
from luma.language.layout import Rules
from luma.language.types import (
    UINT,
    Array,
    Pointer,
    Scalar,
    Struct,
    Type,
    Vector,
    element,
    is_bool,
    walk_path,
    with_scalar,
)


def place_of(body: Body, value: int) -> Place:
    """The place that a pointer value stands for."""
    found = body.places.get(value)
    if found is None:
        instr = body.facts.defs[value]
        if instr.op == "global":
            found = body.module.place(str(instr.imm[0]))
        else:
            found = _new_local(body, instr)
        body.places[value] = found
    return found


def _new_local(body: Body, instr: Instr) -> Place:
    assert isinstance(instr.type, Pointer) and instr.op == "local"
    pointee = instr.type.pointee
    variable = body.variable(body.types.value(pointee))
    return Place(variable, StorageClass.Function, None, pointee)


def access(body: Body, instr: Instr) -> None:
    """An ``access``: remembered as a longer way; written only if several blocks go it."""
    base = place_of(body, instr.args[0])
    rest = iter(instr.args[1:])
    indices = list(base.indices)
    within, t = base.within, base.pointee
    for step in instr.imm:
        if step is None:
            indices.append(body.value(next(rest)))
        else:
            assert isinstance(step, int)
            indices.append(body.types.index(_declared(body, base, t, step)))
        within, t = t, element(t, step if isinstance(step, int) else 0)
    place = Place(base.base, base.storage, base.rules, t, tuple(indices), within)
    body.places[instr.id] = place
    if instr.id in body.facts.shared:
        pointer(body, place)


def _declared(body: Body, base: Place, t: Type, step: int) -> int:
    """The index of a part as declared: structs in buffers may lack members."""
    if base.rules is None or not isinstance(t, Struct):
        return step
    return body.types.members.position(t, step)


def pointer(body: Body, place: Place) -> int:
    """The id of a pointer to a place."""
    if not place.indices:
        return place.base
    key = (place.base, *place.indices)
    found = body.known(key)
    if found is not None:
        return found
    pointee = body.types.memory(place.pointee, place.rules)
    type_id = body.types.pointer(place.storage, pointee)
    return body.remember(key, body.op(Op.AccessChain, type_id, place.base, *place.indices))


def load(body: Body, instr: Instr) -> int:
    """A ``load``; the id of the value."""
    place = place_of(body, instr.args[0])
    if place.storage == StorageClass.PushConstant and isinstance(place.within, Vector):
        return _load_component(body, place, place.within)
    word = body.op(Op.Load, _stored(body, place), pointer(body, place))
    if isinstance(place.pointee, Array | Struct) and instr.id not in body.facts.whole:
        body.raw[instr.id] = place.rules
        return word
    return from_memory(body, place.pointee, place.rules, word)


def _load_component(body: Body, place: Place, within: Vector) -> int:
    """Load the whole vector, then pick: some drivers mishandle the other way in push constants."""
    vector = Place(place.base, place.storage, place.rules, within, place.indices[:-1])
    word = body.op(Op.Load, body.types.memory(within, place.rules), pointer(body, vector))
    value = from_memory(body, within, place.rules, word)
    type_id = body.types.value(place.pointee)
    return body.op(Op.VectorExtractDynamic, type_id, value, place.indices[-1])


def store(body: Body, instr: Instr) -> None:
    """A ``store``."""
    place = place_of(body, instr.args[0])
    value = body.value(instr.args[1])
    word = to_memory(body, place.pointee, place.rules, value, _stored(body, place))
    body.effect(Op.Store, pointer(body, place), word)


def _stored(body: Body, place: Place) -> int:
    """The type of what lies at a place."""
    if place.rules is not None and not place.indices:
        assert isinstance(place.pointee, Struct)
        return body.types.block(place.pointee, place.rules)
    return body.types.memory(place.pointee, place.rules)


def from_memory(body: Body, t: Type, rules: Rules | None, word: int) -> int:
    """The value of what was loaded."""
    if rules is None:
        return word
    if is_bool(t):
        assert isinstance(t, Scalar | Vector)
        zero = body.types.same(with_scalar(t, UINT), 0)
        return body.op(Op.INotEqual, body.types.value(t), word, zero)
    if not isinstance(t, Array | Struct):
        return word
    body.types.half_composite(t)
    parts = []
    for at, part in enumerate(parts_of(t)):
        raw = body.op(Op.CompositeExtract, body.types.memory(part, rules), word, at)
        parts.append(from_memory(body, part, rules, raw))
    return body.op(Op.CompositeConstruct, body.types.value(t), *parts)


def to_memory(body: Body, t: Type, rules: Rules | None, value: int, stored: int) -> int:
    """What to store for a value; ``stored`` is the type of the memory."""
    if rules is None:
        return value
    if is_bool(t):
        assert isinstance(t, Scalar | Vector)
        word = with_scalar(t, UINT)
        one, zero = body.types.same(word, 1), body.types.same(word, 0)
        return body.op(Op.Select, body.types.value(word), value, one, zero)
    if not isinstance(t, Array | Struct):
        return value
    body.types.half_composite(t)
    parts = []
    for at, part in enumerate(parts_of(t)):
        raw = body.op(Op.CompositeExtract, body.types.value(part), value, at)
        parts.append(to_memory(body, part, rules, raw, body.types.memory(part, rules)))
    return body.op(Op.CompositeConstruct, stored, *parts)


def array_length(body: Body, instr: Instr) -> int:
    """The length of a runtime array: asked of the block that it ends."""
    base = place_of(body, instr.args[0]).base
    member = body.module.last_member[base]
    unsigned = body.types.value(UINT)
    length = body.op(Op.ArrayLength, unsigned, base, member)
    return body.bitcast(body.types.value(instr.type), unsigned, length)


def extract_fixed(body: Body, value: int, path: tuple[int, ...]) -> int:
    """A part of a value, by a constant path; from what was loaded where only parts are used."""
    if not path:
        return body.value(value)
    t = walk_path(body.type_of(value), path)
    rules = body.raw.get(value)
    part = body.op(Op.CompositeExtract, body.types.memory(t, rules), body.value(value), *path)
    return from_memory(body, t, rules, part)


def extract(body: Body, instr: Instr) -> int:
    """An ``extract`` with a run-time index in its path."""
    value, path = instr.args[0], list(instr.imm)
    t = body.type_of(value)
    whole, prefix = body.value(value), []
    while path[0] is not None:
        step = path.pop(0)
        assert isinstance(step, int)
        prefix.append(step)
        t = element(t, step)
    if isinstance(t, Vector):
        vector = _part(body, whole, t, prefix)
        index = body.value(instr.args[1])
        return body.op(Op.VectorExtractDynamic, body.types.value(instr.type), vector, index)
    spilt = _spill(body, value, t, tuple(prefix))
    place = Place(spilt, StorageClass.Function, None, instr.type, _indices(body, instr, path))
    return body.op(Op.Load, body.types.value(instr.type), pointer(body, place))


def _indices(body: Body, instr: Instr, path: list[Immediate]) -> tuple[int, ...]:
    rest = iter(instr.args[1:])
    return tuple(
        body.types.index(step) if isinstance(step, int) else body.value(next(rest)) for step in path
    )


def _part(body: Body, whole: int, t: Type, prefix: list[int]) -> int:
    if not prefix:
        return whole
    return body.op(Op.CompositeExtract, body.types.value(t), whole, *prefix)


def _spill(body: Body, value: int, t: Type, prefix: tuple[int, ...]) -> int:
    """A local variable that holds a part of a value, filled once where that serves."""
    key = ("spill", value, prefix)
    found = body.known(key)
    if found is not None:
        return found
    type_id = body.types.value(t)
    whole = body.value(value)
    if value in body.constants and not prefix:
        variable = body.variable(type_id, initial=whole)
        body.remember_everywhere(key, variable)
        return variable
    variable = body.variable(type_id)
    body.effect(Op.Store, variable, _part(body, whole, t, list(prefix)))
    return body.remember(key, variable)
