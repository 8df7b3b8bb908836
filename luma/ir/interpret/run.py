"""Running entry points: invocations, quads, workgroups."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any, TypeAlias

from luma.ir.interpret.code import Code, load
from luma.ir.interpret.machine import Discarded, Machine, Wait, Waiting
from luma.ir.interpret.resources import DivergentBarrier, InterpretError, Resources
from luma.ir.module import EntryPoint, IOVariable, Module
from luma.language.evaluate import rounding, zero
from luma.language.stages import Stage
from luma.language.types import Scalar, Type, Vector, is_opaque

#: How many instructions a run may take if the caller does not say.
FUEL = 50_000_000

#: A stage variable's key: its location, or its builtin's name.
Slot: TypeAlias = int | str
Outputs: TypeAlias = dict[Slot, Any]

#: A fragment's inputs: a function of the window position, or for each variable its value or rows of
#: values, one a pixel.
FragmentInputs: TypeAlias = Callable[[float, float], Mapping[Slot, Any]] | Mapping[Slot, Any]


def run_compute(
    module: Module,
    entry: str,
    workgroups: tuple[int, int, int] = (1, 1, 1),
    resources: Resources | None = None,
    *,
    fuel: int = FUEL,
) -> None:
    """Dispatch workgroups of a compute entry point; the resources' buffers receive the results.

    The workgroups run one after the other, the invocations of each in lockstep from barrier to
    barrier.  Raises DivergentBarrier, MissingResource, FuelExhausted; KeyError for an unknown entry
    point.
    """
    point, machine, code = _prepare(module, entry, Stage.COMPUTE, resources, fuel)
    size = point.workgroup_size
    for group in _positions(workgroups):
        machine.reset_shared()
        invocations = [
            [_compute_input(v, group, local, size, workgroups) for v in point.inputs]
            for local in _positions(size)
        ]
        _run_workgroup(code, invocations)


def run_vertex(
    module: Module,
    entry: str,
    inputs: Mapping[int, Sequence[Any]] | None = None,
    count: int = 1,
    instances: int = 1,
    resources: Resources | None = None,
    *,
    fuel: int = FUEL,
) -> list[Outputs]:
    """Run a vertex entry point ``count`` times an instance; the outputs, instance by instance.

    ``inputs`` has for each location one value a vertex.  Outputs are keyed by location or by the
    builtin's name.  Raises as :func:`run_compute` does.
    """
    point, _, code = _prepare(module, entry, Stage.VERTEX, resources, fuel)
    given = inputs or {}
    found: list[Outputs] = []
    for instance, vertex in product(range(instances), range(count)):
        builtins: dict[Slot, Any] = {"vertex_id": vertex, "instance_id": instance}
        here: dict[Slot, Any] = {slot: values[vertex] for slot, values in given.items()}
        arguments = [_input(v, builtins | here) for v in point.inputs]
        found.append(_outputs(point, _alone(code, arguments)))
    return found


def run_fragment(
    module: Module,
    entry: str,
    inputs: FragmentInputs | None = None,
    width: int = 1,
    height: int = 1,
    resources: Resources | None = None,
    *,
    fuel: int = FUEL,
) -> list[list[Outputs | None]]:
    """Run a fragment entry point for every pixel of a window; rows of outputs, None if discarded.

    ``inputs`` is a function of a pixel's centre, or a mapping of each location (or builtin) to one
    value for all pixels or to rows of values.  ``frag_coord`` is (x + 0.5, y + 0.5, 0, 1) and
    ``front_facing`` true unless given.  Pixels run in quads of 2 x 2; at odd edges the missing ones
    are helpers that run (if the inputs are a function) but change nothing.  Raises as
    :func:`run_compute` does.
    """
    point, machine, code = _prepare(module, entry, Stage.FRAGMENT, resources, fuel)
    rows: list[list[Outputs | None]] = [[None] * width for _ in range(height)]
    for top, left in product(range(0, height, 2), range(0, width, 2)):
        places = [(left, top), (left + 1, top), (left, top + 1), (left + 1, top + 1)]
        helpers = [x >= width or y >= height for x, y in places]
        helped = code.waits and callable(inputs)
        lanes = [
            _fragment(point, inputs, *place) if helped or not helper else None
            for place, helper in zip(places, helpers, strict=True)
        ]
        results = _run_quad(machine, code, lanes, helpers)
        for (x, y), helper, result in zip(places, helpers, results, strict=True):
            if not helper and result is not None:
                rows[y][x] = _outputs(point, result)
    return rows


def run_function(
    module: Module,
    name: str,
    args: Sequence[Any] = (),
    resources: Resources | None = None,
    *,
    fuel: int = FUEL,
) -> Any:
    """Call one function as a lone invocation; what it returns (several outputs: a tuple).

    Derivatives are zero, barriers do nothing.  Textures and samplers among the arguments are names
    of globals.  Raises as :func:`run_compute` does; InterpretError if the function discards.
    """
    machine = Machine(module, None, resources or Resources(), fuel)
    code = load(machine, module, name)
    params = module.function(name).params
    if len(params) != len(args):
        raise InterpretError(f"@{name} takes {len(params)} arguments, not {len(args)}")
    values = [
        machine.global_value(arg) if is_opaque(p.type) else coerce(p.type, arg)
        for p, arg in zip(params, args, strict=True)
    ]
    try:
        results = _alone(code, values)
    except Discarded:
        raise InterpretError(f"@{name} discards") from None
    return results[0] if len(results) == 1 else results or None


def coerce(t: Type, value: Any) -> Any:
    """A value as the interpreter holds it: tuples, numbers rounded to the type."""
    match t:
        case Scalar():
            return rounding(t)(value)
        case Vector(elem, size) if len(value) == size:
            return tuple(map(rounding(elem), value))
        case Vector():
            raise InterpretError(f"{value!r} is no {t}")
    return _tuples(value)


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list | tuple) else value


# ---------------------------------------------------------------- entry points


def _prepare(
    module: Module, entry: str, stage: Stage, resources: Resources | None, fuel: int
) -> tuple[EntryPoint, Machine, Code]:
    point = next((e for e in module.entry_points if e.name == entry), None)
    if point is None:
        raise KeyError(entry)
    if point.stage is not stage:
        raise InterpretError(f"{entry} is a {point.stage.value} entry point")
    machine = Machine(module, stage, resources or Resources(), fuel)
    return point, machine, load(machine, module, point.function)


def _key(variable: IOVariable) -> Slot:
    if variable.builtin is not None:
        return variable.builtin
    assert variable.location is not None
    return variable.location


def _input(variable: IOVariable, given: Mapping[Slot, Any]) -> Any:
    """An input's value; zero if none is given."""
    key = _key(variable)
    return coerce(variable.type, given[key]) if key in given else zero(variable.type)


def _outputs(point: EntryPoint, results: tuple[Any, ...]) -> Outputs:
    return {_key(v): value for v, value in zip(point.outputs, results, strict=True)}


def _alone(code: Code, arguments: Sequence[Any]) -> tuple[Any, ...]:
    """Run one invocation that has no neighbours."""
    if not code.waits:
        return code.call(arguments)
    running = code.start(arguments)
    answer: Any = None
    while True:
        try:
            wait = running.send(answer)
        except StopIteration as stop:
            return stop.value  # type: ignore[no-any-return]
        answer = _changes({0: wait.value}, 0)


# ---------------------------------------------------------------- workgroups


def _positions(size: tuple[int, int, int]) -> list[tuple[int, int, int]]:
    """Every position in a box, x fastest."""
    return [(x, y, z) for z, y, x in product(*(range(n) for n in reversed(size)))]


def _compute_input(
    variable: IOVariable,
    group: tuple[int, int, int],
    local: tuple[int, int, int],
    size: tuple[int, int, int],
    groups: tuple[int, int, int],
) -> Any:
    match variable.builtin:
        case "global_invocation_id":
            return tuple(g * n + i for g, n, i in zip(group, size, local, strict=True))
        case "local_invocation_id":
            return local
        case "workgroup_id":
            return group
        case "num_workgroups":
            return groups
        case "local_invocation_index":
            return local[0] + size[0] * (local[1] + size[1] * local[2])
    raise InterpretError(f"compute entry points have no input {variable.name}")


def _run_workgroup(code: Code, invocations: list[list[Any]]) -> None:
    if not code.waits:
        for arguments in invocations:
            code.call(arguments)
        return
    running = [code.start(arguments) for arguments in invocations]
    while running:
        waiting: list[Waiting] = []
        sites: list[int] = []
        for invocation in running:
            try:
                sites.append(next(invocation).site)
                waiting.append(invocation)
            except StopIteration:
                continue
        if waiting and (len(waiting) < len(running) or len(set(sites)) > 1):
            raise DivergentBarrier("not all invocations came to the same barrier")
        running = waiting


# ---------------------------------------------------------------- quads


def _fragment(point: EntryPoint, inputs: FragmentInputs | None, x: int, y: int) -> list[Any]:
    """The arguments of the fragment at a pixel."""
    given: dict[Slot, Any] = {"frag_coord": (x + 0.5, y + 0.5, 0.0, 1.0), "front_facing": True}
    if callable(inputs):
        given |= inputs(x + 0.5, y + 0.5)
    elif inputs is not None:
        given |= {slot: _at_pixel(value, x, y) for slot, value in inputs.items()}
    return [_input(variable, given) for variable in point.inputs]


def _at_pixel(value: Any, x: int, y: int) -> Any:
    """Rows of values are lists of lists; anything else is one value for all pixels."""
    rows = isinstance(value, list) and bool(value) and isinstance(value[0], list)
    return value[y][x] if rows else value


def _run_quad(
    machine: Machine, code: Code, lanes: list[list[Any] | None], helpers: list[bool]
) -> list[tuple[Any, ...] | None]:
    """Run the invocations of a quad; None for one that discards or is not there."""
    results: list[tuple[Any, ...] | None] = [None] * len(lanes)
    if not code.waits:
        for lane, arguments in enumerate(lanes):
            if arguments is not None:
                try:
                    results[lane] = code.call(arguments)
                except Discarded:
                    continue
        return results
    running = {i: code.start(lane) for i, lane in enumerate(lanes) if lane is not None}
    answers: dict[int, Any] = dict.fromkeys(running)
    waiting: dict[int, Wait] = {}
    while answers:
        for lane, answer in answers.items():
            machine.silent = helpers[lane]
            try:
                waiting[lane] = running[lane].send(answer)
            except StopIteration as stop:
                results[lane] = stop.value
            except Discarded:
                continue
        # Those that lag behind in the program go first, so that the quad comes together again.
        site = min((wait.site for wait in waiting.values()), default=0)
        values = {lane: wait.value for lane, wait in waiting.items() if wait.site == site}
        answers = {lane: _changes(values, lane) for lane in sorted(values)}
        for lane in values:
            del waiting[lane]
    machine.silent = False
    return results


def _changes(values: Mapping[int, Any], lane: int) -> tuple[Any, Any]:
    """How a value changes to the right and below in a quad; zero where a neighbour is missing."""
    row, column = lane & 2, lane & 1
    return (
        _difference(values.get(row), values.get(row | 1), values[lane]),
        _difference(values.get(column), values.get(column | 2), values[lane]),
    )


def _difference(first: Any, second: Any, like: Any) -> Any:
    if isinstance(like, tuple):
        if first is None or second is None:
            return (0.0,) * len(like)
        return tuple(b - a for a, b in zip(first, second, strict=True))
    return 0.0 if first is None or second is None or like is None else second - first
