"""Each instruction as a closure over the values of a call.

Unspecified results (an integer division by zero, an index out of range) are zero here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias

from luma.ir.interpret.machine import Env, Machine, Step, Wait, Waiting, WaitingStep
from luma.ir.interpret.memory import NOWHERE, reader, writer
from luma.ir.interpret.resources import Sampler
from luma.ir.interpret.textures import Sampled
from luma.ir.module import Instr
from luma.language.builtins import OPERATIONS, Effect
from luma.language.evaluate import evaluator, rounding, zero
from luma.language.layout import layout, rules_for
from luma.language.stages import Stage
from luma.language.types import (
    VOID,
    Array,
    Pointer,
    Space,
    Struct,
    Type,
    Vector,
    element,
    element_count,
    is_integer,
    scalar_of,
)

_BARRIERS = ("workgroup_barrier", "storage_barrier")


class Scope(Protocol):
    """The function that is being made ready: where its values are."""

    machine: Machine

    def slot(self, value: int) -> int:
        """The place of a value in the list."""

    def type_of(self, value: int) -> Type:
        """The type of a value."""

    def preset(self, value: int, known: Any) -> None:
        """Give a value once and for all."""


def waits(machine: Machine, instr: Instr) -> bool:
    """Whether the instruction waits for other invocations."""
    if instr.op == "call":
        return machine.functions[str(instr.imm[0])].waits
    row = OPERATIONS.get(instr.op)
    if instr.op == "sample_compare":
        return machine.stage is Stage.FRAGMENT
    return instr.op in _BARRIERS or (row is not None and row.effect is Effect.QUAD)


def step(scope: Scope, instr: Instr) -> Step | None:
    """The closure of an instruction that does not wait; None if there is nothing left to do."""
    make = _STEPS.get(instr.op)
    if make is not None:
        return make(scope, instr)
    if instr.op.startswith("atomic_"):
        return _atomic(scope, instr)
    return _pure(scope, instr)


def waiting_step(scope: Scope, instr: Instr) -> WaitingStep:
    """The closure of an instruction that waits."""
    if instr.op == "call":
        return _waiting_call(scope, instr)
    site = scope.machine.next_site()
    if instr.op in _BARRIERS:
        return _barrier(site)
    if instr.op in ("dfdx", "dfdy", "fwidth"):
        return _derivative(scope, instr, site)
    return _implicit_sample(scope, instr, site)


# ---------------------------------------------------------------- values


def _const(scope: Scope, instr: Instr) -> None:
    scope.preset(instr.id, instr.imm[0])


def _spec(scope: Scope, instr: Instr) -> None:
    scope.preset(instr.id, scope.machine.constant(str(instr.imm[0])))


def _global(scope: Scope, instr: Instr) -> None:
    scope.preset(instr.id, scope.machine.global_value(str(instr.imm[0])))


def _pure(scope: Scope, instr: Instr) -> Step:
    types = tuple(scope.type_of(arg) for arg in instr.args)
    path = tuple(at if isinstance(at, int) else None for at in instr.imm)
    compute = evaluator(instr.op, instr.type, types, path)
    partial = instr.op in ("div", "rem") and is_integer(instr.type)
    if partial or (instr.op == "extract" and None in path):
        compute = _zero_instead(compute, instr.type)
    return _apply(compute, scope.slot(instr.id), [scope.slot(arg) for arg in instr.args])


def _zero_instead(compute: Callable[..., Any], t: Type) -> Callable[..., Any]:
    def guarded(*args: Any) -> Any:
        try:
            return compute(*args)
        except ValueError:
            return zero(t)

    return guarded


def _apply(compute: Callable[..., Any], to: int, slots: Sequence[int]) -> Step:
    """``env[to] = compute(operands)``, without building an argument list where they are few."""
    match slots:
        case [a]:

            def one(env: Env) -> None:
                env[to] = compute(env[a])

            return one
        case [a, b]:

            def two(env: Env) -> None:
                env[to] = compute(env[a], env[b])

            return two
        case [a, b, c]:

            def three(env: Env) -> None:
                env[to] = compute(env[a], env[b], env[c])

            return three

    def many(env: Env) -> None:
        env[to] = compute(*[env[slot] for slot in slots])

    return many


# ---------------------------------------------------------------- memory


def _local(scope: Scope, instr: Instr) -> Step:
    assert isinstance(instr.type, Pointer)
    size = layout(instr.type.pointee, rules_for(instr.type.space)).size
    to = scope.slot(instr.id)

    def local(env: Env) -> None:
        env[to] = (bytearray(size), 0)

    return local


#: A run-time index of a path: its slot, the distance of elements, their number (None: no limit).
_Dynamic: TypeAlias = tuple[int, int, int | None]


def _access(scope: Scope, instr: Instr) -> Step:
    fixed, dynamic = _offsets(scope, instr)
    base, to = scope.slot(instr.args[0]), scope.slot(instr.id)
    if not dynamic:

        def access(env: Env) -> None:
            buffer, at = env[base]
            env[to] = (buffer, at + fixed)

        return access

    def access_at(env: Env) -> None:
        buffer, at = env[base]
        at += fixed
        for slot, stride, count in dynamic:
            index = env[slot]
            if index < 0 or (count is not None and index >= count):
                env[to] = NOWHERE
                return
            at += index * stride
        env[to] = (buffer, at)

    return access_at


def _offsets(scope: Scope, instr: Instr) -> tuple[int, list[_Dynamic]]:
    """A path as a fixed offset and run-time indices."""
    pointer = scope.type_of(instr.args[0])
    assert isinstance(pointer, Pointer)
    rules, t = rules_for(pointer.space), pointer.pointee
    fixed = 0
    dynamic: list[_Dynamic] = []
    operands = iter(instr.args[1:])
    for index in instr.imm:
        if isinstance(t, Struct):
            assert isinstance(index, int)
            fixed += layout(t, rules).offsets[index]
            t = t.fields[index].type
            continue
        stride = layout(t.elem if isinstance(t, Vector) else t, rules)
        distance = stride.size if isinstance(t, Vector) else stride.stride
        if isinstance(index, int):
            fixed += distance * index
        else:
            endless = isinstance(t, Array) and t.size is None
            count = None if endless else element_count(t)
            dynamic.append((scope.slot(next(operands)), distance, count))
        t = element(t)
    return fixed, dynamic


def _pointee(scope: Scope, instr: Instr) -> tuple[Type, Space]:
    pointer = scope.type_of(instr.args[0])
    assert isinstance(pointer, Pointer)
    return pointer.pointee, pointer.space


def _load(scope: Scope, instr: Instr) -> Step:
    t, space = _pointee(scope, instr)
    read = reader(t, rules_for(space))
    base, to = scope.slot(instr.args[0]), scope.slot(instr.id)

    def load(env: Env) -> None:
        env[to] = read(*env[base])

    return load


def _store(scope: Scope, instr: Instr) -> Step:
    t, space = _pointee(scope, instr)
    write = writer(t, rules_for(space))
    base, value = scope.slot(instr.args[0]), scope.slot(instr.args[1])
    machine, seen = scope.machine, space is Space.STORAGE

    def store(env: Env) -> None:
        if not (seen and machine.silent):
            buffer, at = env[base]
            write(buffer, at, env[value])

    return store


def _atomic(scope: Scope, instr: Instr) -> Step:
    t, space = _pointee(scope, instr)
    rules = rules_for(space)
    read, write, round_ = reader(t, rules), writer(t, rules), rounding(scalar_of(t))
    compute = OPERATIONS[instr.op].eval
    assert compute is not None
    base, to, machine = scope.slot(instr.args[0]), scope.slot(instr.id), scope.machine
    rest = [scope.slot(arg) for arg in instr.args[1:]]

    def atomic(env: Env) -> None:
        buffer, at = env[base]
        old = read(buffer, at)
        env[to] = old
        if not machine.silent:
            write(buffer, at, round_(compute(old, *[env[slot] for slot in rest])))

    return atomic


def _array_length(scope: Scope, instr: Instr) -> Step:
    t, space = _pointee(scope, instr)
    stride = layout(t, rules_for(space)).stride
    base, to = scope.slot(instr.args[0]), scope.slot(instr.id)

    def array_length(env: Env) -> None:
        buffer, at = env[base]
        env[to] = max(0, len(buffer) - at) // stride

    return array_length


# ---------------------------------------------------------------- calls


def _call(scope: Scope, instr: Instr) -> Step:
    call = scope.machine.functions[str(instr.imm[0])].call
    slots = [scope.slot(arg) for arg in instr.args]
    if instr.type == VOID:

        def run(env: Env) -> None:
            call([env[slot] for slot in slots])

        return run
    to = scope.slot(instr.id)

    def run_for_value(env: Env) -> None:
        env[to] = call([env[slot] for slot in slots])[0]

    return run_for_value


def _waiting_call(scope: Scope, instr: Instr) -> WaitingStep:
    start = scope.machine.functions[str(instr.imm[0])].start
    slots = [scope.slot(arg) for arg in instr.args]
    to = None if instr.type == VOID else scope.slot(instr.id)

    def run(env: Env) -> Waiting:
        results = yield from start([env[slot] for slot in slots])
        if to is not None:
            env[to] = results[0]

    return run


# ---------------------------------------------------------------- waiting for others


def _barrier(site: int) -> WaitingStep:
    wait = Wait(site)

    def barrier(env: Env) -> Waiting:
        yield wait

    return barrier


def _derivative(scope: Scope, instr: Instr, site: int) -> WaitingStep:
    argument, to = scope.slot(instr.args[0]), scope.slot(instr.id)
    round_ = rounding(scalar_of(instr.type))
    vector = isinstance(instr.type, Vector)

    def combine(x: float, y: float) -> Any:
        if instr.op == "fwidth":
            return round_(abs(round_(x)) + abs(round_(y)))
        return round_(x if instr.op == "dfdx" else y)

    def derivative(env: Env) -> Waiting:
        ddx, ddy = yield Wait(site, env[argument])
        env[to] = tuple(map(combine, ddx, ddy)) if vector else combine(ddx, ddy)

    return derivative


def _implicit_sample(scope: Scope, instr: Instr, site: int) -> WaitingStep:
    """sample, sample_bias and sample_compare in a fragment stage."""
    texture, sampler, coordinate, *rest = (scope.slot(arg) for arg in instr.args)
    to = scope.slot(instr.id)

    def sample(env: Env) -> Waiting:
        image: Sampled = env[texture]
        at = env[coordinate]
        ddx, ddy = yield Wait(site, at)
        lod = image.lod(at, ddx, ddy)
        if instr.op == "sample_compare":
            env[to] = image.compare(env[sampler], at, env[rest[0]], lod)
        else:
            env[to] = image.sample(env[sampler], at, lod + (env[rest[0]] if rest else 0.0))

    return sample


# ---------------------------------------------------------------- textures


def _sampling(compute: Callable[..., Any]) -> Callable[[Scope, Instr], Step]:
    def make(scope: Scope, instr: Instr) -> Step:
        return _apply(compute, scope.slot(instr.id), [scope.slot(arg) for arg in instr.args])

    return make


def _sample_level(image: Sampled, sampler: Sampler, at: Any, lod: float) -> Any:
    return image.sample(sampler, at, lod)


def _sample_grad(image: Sampled, sampler: Sampler, at: Any, ddx: Any, ddy: Any) -> Any:
    return image.sample(sampler, at, image.lod(at, ddx, ddy))


def _compare_base(image: Sampled, sampler: Sampler, at: Any, reference: float) -> float:
    return image.compare(sampler, at, reference, 0.0)


_STEPS: dict[str, Callable[[Scope, Instr], Step | None]] = {
    "const": _const,
    "spec": _spec,
    "global": _global,
    "local": _local,
    "access": _access,
    "load": _load,
    "store": _store,
    "call": _call,
    "array_length": _array_length,
    "sample_level": _sampling(_sample_level),
    "sample_grad": _sampling(_sample_grad),
    "sample_compare": _sampling(_compare_base),
    "texel_fetch": _sampling(Sampled.fetch),
    "texture_size": _sampling(Sampled.size),
}
