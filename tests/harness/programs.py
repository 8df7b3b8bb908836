"""Makes small compute cases: inputs, a few statements, and what the results must be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from tests.harness.cases import Case, Expected, Key
from tests.harness.jobs import Dispatch, Resource, Slot, Storage, Uniform, Values
from tests.harness.reference import STD140, STD430, Spec, pack

_SCALARS = {"<f4": "float", "<i4": "int", "<u4": "uint"}

#: (an expression, its value): a number, or one for each component.
Check = tuple[str, Any]


def program(
    name: str,
    body: str,
    out: Sequence[Any] | Values,
    *,
    declared: str = "",
    inputs: Mapping[str, tuple[Spec, Any]] | None = None,
    buffers: Mapping[str, tuple[str, Spec, Any]] | None = None,
    after: Mapping[str, Any] | None = None,
    dtype: str = "<f4",
    runs: int = 1,
    groups: int = 1,
    atol: float = 0.0,
    rtol: float = 0.0,
    **more: Any,
) -> Case:
    """A case whose entry point has the statements ``body`` and leaves ``out`` in its buffer.

    Uniforms ``inputs`` and buffers ``buffers`` (declaration, type, value) take the first bindings,
    in order; the output ``out`` comes next, then whatever ``declared`` says.  ``runs`` lanes make a
    workgroup; more than one know themselves as ``i``.  Where ``after`` has a buffer, that is what
    it must hold at the end.
    """
    inputs, buffers, after = inputs or {}, buffers or {}, after or {}
    values = np.asarray(out, dtype=np.dtype(dtype))
    last = (0, len(inputs) + len(buffers))

    def job() -> Dispatch:
        found: dict[Slot, Resource] = {}
        for spec, value in inputs.values():
            found[0, len(found)] = Uniform(pack(spec, value, STD140))
        for _, spec, value in buffers.values():
            found[0, len(found)] = Storage(pack(spec, value, STD430))
        return Dispatch("main", (groups, 1, 1), {**found, last: Storage(bytes(values.nbytes))})

    def expected() -> Mapping[Key, Expected]:
        wanted: dict[Key, Expected] = {last: Expected(values, atol=atol, rtol=rtol)}
        for at, (buffer, (_, spec, _)) in enumerate(buffers.items(), len(inputs)):
            if buffer in after:
                wanted[0, at] = _bytes_of(spec, after[buffer])
        return wanted

    kinds = {n: spec for n, (spec, _) in inputs.items()}
    source = "\n".join([
        *(f"uniform {n}: {_named(spec)}" for n, spec in kinds.items()),
        *(f"{words}" for words, _, _ in buffers.values()),
        f"buffer storage out: []{_SCALARS[values.dtype.str]}",
        declared,
        f"@entry(compute) @workgroup_size({runs})",
        _signature(runs, groups),
        *(["  let i = int(id.x)"] if runs > 1 or groups > 1 else []),
        body,
        "end",
        "",
    ])  # fmt: skip
    return Case(name, source, job, expected, **more)


def _signature(runs: int, groups: int) -> str:
    if runs == 1 and groups == 1:
        return "function main()"
    return "function main(@builtin(global_invocation_id) id: uvec3)"


def _named(spec: Spec) -> str:
    assert isinstance(spec, str), "an input is of a type with a name"
    return spec


def _bytes_of(spec: Spec, value: Any) -> Expected:
    low, high = (np.frombuffer(pack(spec, value, STD430, fill), np.uint8) for fill in (0, 255))
    return Expected(low, mask=low == high)  # the padding may be anything


def checks(name: str, rows: Iterable[Check], *, body: str = "", **more: Any) -> Case:
    """A case of one run that evaluates expressions after the statements ``body``."""
    lines, values = [body] if body else [], []
    for k, (expression, value) in enumerate(rows):
        parts = np.atleast_1d(np.asarray(value)).tolist()
        lines.append(f"  let r{k} = {expression}")
        for c, number in enumerate(parts):
            place = f"r{k}.{'xyzw'[c]}" if len(parts) > 1 else f"r{k}"
            lines.append(f"  out[{len(values)}] = {place}")
            values.append(number)
    return program(name, "\n".join(lines), values, **more)
