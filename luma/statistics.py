"""What code is made of: operations by kind, instructions by class, bytes and tokens of outputs.

Everything that counts code (``luma stats``, ``luma bench size``) counts it here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from luma.diagnostics import LumaError
from luma.faults import has_errors
from luma.options import OPT_LEVELS, Options, strings
from luma.pipeline import Optimized, Optimizer, Result, back, backend_of, front, optimize_for
from luma.selection import select_entries

if TYPE_CHECKING:
    from luma.ir.module import Function, Instr, Module, Terminator

#: The classes of instructions.  ``data`` names, takes apart and puts together, which GPUs do for
#: nothing or nearly so.
CLASSES = ("alu", "transcendental", "memory", "texture", "control", "data")

_MEMBERS: dict[str, frozenset[str]] = {
    name: frozenset(operations.split())
    for name, operations in {
        "transcendental": "sqrt inversesqrt pow exp exp2 log log2 sin cos tan asin acos atan atan2"
        " sinh cosh tanh length distance normalize",
        "memory": "local access load store array_length atomic_add atomic_min atomic_max atomic_and"
        " atomic_or atomic_xor atomic_exchange atomic_compare_exchange",
        "texture": "sample sample_bias sample_level sample_grad sample_compare texel_fetch"
        " texture_size",
        "control": "call workgroup_barrier storage_barrier branch cond_branch return discard",
        "data": "const spec global construct splat extract insert shuffle",
    }.items()
}


@dataclass(frozen=True, slots=True)
class Statistics:
    """One source compiled for one target at one level.

    ``operations`` counts the instructions of the optimized IR by operation, ``instructions`` by
    class (:data:`CLASSES`).  ``bytes`` is the size of the output, all its parts together;
    ``minified`` its size without comments and needless white space, ``tokens`` the number of its
    tokens, both None for a binary.
    """

    target: str
    opt: str
    bytes: int
    minified: int | None
    tokens: int | None
    instructions: Mapping[str, int]
    operations: Mapping[str, int]

    @property
    def total(self) -> int:
        """The number of all instructions but those of the class ``data``."""
        return sum(n for name, n in self.instructions.items() if name != "data")

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return asdict(self)


def measure(
    source: str | bytes,
    targets: Sequence[str] | None = None,
    levels: Sequence[str] = OPT_LEVELS,
    *,
    name: str = "<string>",
    **changes: Any,
) -> tuple[Statistics, ...]:
    """The statistics of a source for each target (None: all built-in ones) at each level.

    ``changes`` are other fields of :class:`luma.Options`.  Where a target's output holds one entry
    point, the outputs of all that the options select are counted together.  Raises LumaError if
    the source has errors, ValueError for a level that does not exist.
    """
    if targets is None:
        from luma.backends import BUILT_IN

        targets = tuple(BUILT_IN)
    names, chosen = strings("targets", targets), strings("levels", levels)
    asked = [Options(target=t, opt=o, **changes) for t in names for o in chosen]
    if not asked:
        return ()
    module, expanded, found = front(source, asked[0], name)
    if module is None:
        raise LumaError(found)
    optimizer = _remembering(names)
    measured: list[Statistics] = []
    for options in asked:
        parts = [options]
        if backend_of(options.target).single_entry:
            parts = [replace(options, entry=e.name) for e in select_entries(module, options)]
        results = [back(module, expanded, found, part, optimizer) for part in parts]
        measured.append(_of_results(results, options))
    return tuple(measured)


def _remembering(targets: Sequence[str]) -> Optimizer:
    """An optimizer that does once what some targets share."""
    known: dict[tuple[str, ...], dict[str, Optimized]] = {}

    def optimized(module: Module, options: Options) -> Optimized:
        case = (options.opt, *(e.name for e in module.entry_points))
        if case not in known:
            done = optimize_for(module, options, targets)
            known[case] = dict(zip(targets, done, strict=True))
        return known[case][options.target]

    return optimized


def _of_results(results: Sequence[Result], options: Options) -> Statistics:
    errors = [d for r in results if has_errors(r.diagnostics) for d in r.diagnostics]
    if errors:
        raise LumaError(errors)
    operations: Counter[str] = Counter()
    classes: Counter[str] = Counter(dict.fromkeys(CLASSES, 0))
    for result in results:
        assert result.module is not None
        operations += operations_of(result.module)
        classes.update(classes_of(result.module))
    minified = tokens = None
    if not backend_of(options.target).binary:
        from luma.squeezer import squeeze
        from luma.squeezer import tokens as tokens_of

        nested = options.target == "wgsl"
        minified = sum(len(squeeze(r.text, nested=nested).encode()) for r in results)
        tokens = sum(len(tokens_of(r.text, nested=nested)) for r in results)
    size = sum(len(r.output) for r in results)
    counted = dict(sorted(operations.items()))
    return Statistics(options.target, options.opt, size, minified, tokens, dict(classes), counted)


def operations_of(module: Module) -> Counter[str]:
    """How often each operation is in a module, what ends blocks included."""
    return Counter(op for f in module.functions for op, _ in _operations(f))


def classes_of(module: Module) -> Counter[str]:
    """How many instructions of each class a module has."""
    return Counter(name for f in module.functions for _, name in _operations(f))


def _operations(function: Function) -> Iterator[tuple[str, str]]:
    """Each instruction's operation and class."""
    for block in function.blocks:
        for instr in block.instrs:
            yield instr.op, class_of(instr)
        end = _terminator(block.terminator)
        if end is not None:
            yield end, "control"


def class_of(instr: Instr) -> str:
    """The class of an instruction; a division of floats is made of a reciprocal."""
    from luma.language.types import is_float

    if instr.op == "div" and is_float(instr.type):
        return "transcendental"
    return next((name for name, members in _MEMBERS.items() if instr.op in members), "alu")


def _terminator(terminator: Terminator) -> str | None:
    from luma.ir.module import Branch, CondBranch, Discard, Return

    match terminator:
        case Branch():
            return "branch"
        case CondBranch():
            return "cond_branch"
        case Return():
            return "return"
        case Discard():
            return "discard"
    return None
