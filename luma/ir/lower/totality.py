"""Which expressions may be evaluated though the author's program would not."""

from __future__ import annotations

from luma.frontend import typed
from luma.ir.lower.analysis import children
from luma.ir.lower.chains import constant_index
from luma.ir.ops import effect_of
from luma.language.builtins import ALIASES, Effect
from luma.language.types import Space, is_opaque

_SHARED = (Space.STORAGE, Space.WORKGROUP)


def is_total(expression: typed.Expression) -> bool:
    """Whether an expression has a value whatever happens, no effect, and reads no memory that
    another invocation might be writing.

    An index that is not constant may be out of range where a condition does not guard it.
    """
    work = [expression]
    while work:
        node = work.pop()
        if not _is_total_itself(node):
            return False
        work.extend(children(node))
    return True


def _is_total_itself(node: typed.Expression) -> bool:
    match node:
        case typed.CallOf():
            return False
        case typed.BindingRef(binding):
            return binding.space not in _SHARED or binding.access is typed.Access.READ
        case typed.ElementOf(index=index):
            return constant_index(index) is not None
        case typed.Operation(operation, arguments, type):
            if operation in ALIASES:
                return True
            if any(is_opaque(argument.type) for argument in arguments):
                return False
            first = arguments[0].type if arguments else None
            return effect_of(operation, first, type) is Effect.PURE
        case typed.Convert(value, type):
            return effect_of("convert", value.type, type) is Effect.PURE
    return True


def splits_blocks(expression: typed.Expression) -> bool:
    """Whether evaluating an expression takes more than one block."""
    work = [expression]
    while work:
        node = work.pop()
        if isinstance(node, typed.ShortCircuit) and not is_total(node.right):
            return True
        work.extend(children(node))
    return False
