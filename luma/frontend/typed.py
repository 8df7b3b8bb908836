"""The typed tree: what the checker makes of the syntax tree, and all that lowering reads.

Names are resolved to symbols, literals have their types, operands of an operation agree (a scalar
beside a vector is wrapped in :class:`Splat`), swizzles are told from fields, constants are folded
where the language needs their values.  Nodes compare by identity.

Constant values are Python numbers; vectors, arrays and structs are tuples of them, matrices tuples
of column tuples.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

from luma.frontend.node import node
from luma.language.facts import Fact
from luma.language.stages import Stage
from luma.language.types import Space, Struct, Type
from luma.source import Span

Value: TypeAlias = Any

# ---------------------------------------------------------------- symbols


@node
class Local:
    """A ``let`` variable, a parameter or a ``for`` variable.

    ``facts`` are what the author states of a parameter's first value.
    """

    name: str
    type: Type
    span: Span
    facts: tuple[Fact, ...] = ()


class Access(Enum):
    """What a shader may do with a binding's memory."""

    READ = "read"
    WRITE = "write"
    READ_WRITE = "read_write"


@node
class Binding:
    """A ``uniform``, ``buffer`` or ``shared`` declaration.

    ``type`` is as declared: a Combined sampler is one binding here, and takes the slots
    ``binding`` (texture) and ``binding + 1`` (sampler).  ``group`` and ``binding`` are None for
    shared memory and push constants.  ``facts`` are what the author states of what it holds.
    """

    name: str
    type: Type
    space: Space
    access: Access
    group: int | None
    binding: int | None
    span: Span
    facts: tuple[Fact, ...] = ()


@node
class Constant:
    """A ``const`` with its value."""

    name: str
    type: Type
    value: Value
    span: Span


@node
class SpecConstant:
    """A ``@spec(id) const`` with its default value."""

    name: str
    type: Type
    value: Value
    id: int
    span: Span


# ---------------------------------------------------------------- expressions


@node
class Literal:
    """A constant of any value type."""

    type: Type
    value: Value
    span: Span


@node
class LocalRef:
    """The value or place of a local."""

    local: Local
    type: Type
    span: Span


@node
class BindingRef:
    """A binding: a place in memory, or a texture or sampler."""

    binding: Binding
    type: Type
    span: Span


@node
class ConstantRef:
    """The value of a ``const``."""

    constant: Constant
    type: Type
    span: Span


@node
class SpecRef:
    """The value of a specialization constant."""

    constant: SpecConstant
    type: Type
    span: Span


@node
class FieldOf:
    """Field number ``index`` of a struct value or place."""

    base: Expression
    index: int
    type: Type
    span: Span


@node
class ElementOf:
    """Element of a vector, matrix or array at an int or uint ``index``."""

    base: Expression
    index: Expression
    type: Type
    span: Span


@node
class SwizzleOf:
    """Components of a vector; one component gives a scalar."""

    base: Expression
    components: tuple[int, ...]
    type: Type
    span: Span


@node
class Operation:
    """An operation of the table (operator or builtin) on arguments of exactly its types.

    Also ``div`` of a matrix by a float.  The first argument of an atomic or ``array_length`` is a
    place.  ``discard`` is one too.  A combined sampler is given once, as the first argument, and
    the row's sampler operand is left out: lowering splits it in two.  ``mat_scale`` has the matrix
    first, even where the author wrote the scalar first.
    """

    operation: str
    arguments: tuple[Expression, ...]
    type: Type
    span: Span


@node
class Equality:
    """``==`` (or ``!=`` if negated) of two scalars, vectors or matrices: one bool."""

    left: Expression
    right: Expression
    negated: bool
    type: Type
    span: Span


@node
class ShortCircuit:
    """``left and right`` (``or`` if ``disjunction``): right is evaluated only when needed."""

    left: Expression
    right: Expression
    disjunction: bool
    type: Type
    span: Span


@node
class Splat:
    """A vector whose components are all ``value``."""

    value: Expression
    type: Type
    span: Span


@node
class Convert:
    """``value`` with each component converted to the scalar type of ``type``; the shape stays."""

    value: Expression
    type: Type
    span: Span


@node
class Construct:
    """An aggregate from its parts, evaluated left to right.

    Vector: scalars and vectors of its kind, adding up.  Matrix: its columns.  Array: its elements.
    Struct: its fields; the i-th argument sets field ``order[i]`` (None: as declared).
    """

    arguments: tuple[Expression, ...]
    type: Type
    span: Span
    order: tuple[int, ...] | None = None


@node
class Diagonal:
    """The matrix with ``value`` on the diagonal and 0 elsewhere."""

    value: Expression
    type: Type
    span: Span


@node
class Resize:
    """The matrix ``value`` cut to another size, or filled up from the identity."""

    value: Expression
    type: Type
    span: Span


@node
class CallOf:
    """A call of a user function."""

    function: Function
    arguments: tuple[Expression, ...]
    type: Type
    span: Span


@node
class Old:
    """In the value of a compound assignment: what the place held before."""

    type: Type
    span: Span


Expression: TypeAlias = (
    Literal
    | LocalRef
    | BindingRef
    | ConstantRef
    | SpecRef
    | FieldOf
    | ElementOf
    | SwizzleOf
    | Operation
    | Equality
    | ShortCircuit
    | Splat
    | Convert
    | Construct
    | Diagonal
    | Resize
    | CallOf
    | Old
)

# ---------------------------------------------------------------- statements


@node
class Let:
    """Bring a local to life with its first value."""

    local: Local
    value: Expression
    span: Span


@node
class Assign:
    """Store to a place: a local, binding, field, element or swizzle of one.

    The place is evaluated once, before the value; ``value`` may contain :class:`Old`.
    """

    place: Expression
    value: Expression
    span: Span


@node
class Evaluate:
    """An expression for its effect (a call, an atomic, a barrier, ``discard``)."""

    value: Expression
    span: Span


@node
class Return:
    """Leave the function."""

    value: Expression | None
    span: Span


@node
class If:
    """Two ways; an ``elseif`` is an If in ``otherwise``."""

    condition: Expression
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]
    span: Span


class Unroll(Enum):
    """What ``@unroll`` without a number asks for."""

    FULL = "full"


@node
class For:
    """A counted loop: ``local`` runs from start to stop (excluded) by ``step``.

    ``unroll`` is None, ``Unroll.FULL`` for ``@unroll``, or N for ``@unroll(N)``, which also limits
    the iterations to N.
    """

    local: Local
    start: Expression
    stop: Expression
    step: int
    body: tuple[Statement, ...]
    unroll: Unroll | int | None
    span: Span


@node
class While:
    """``limit`` is the n of ``@max_iterations(n)``, or None."""

    condition: Expression
    body: tuple[Statement, ...]
    limit: int | None
    span: Span


@node
class Block:
    """``do ... end``."""

    body: tuple[Statement, ...]
    span: Span


Statement: TypeAlias = Let | Assign | Evaluate | Return | If | For | While | Block

# ---------------------------------------------------------------- the module


@dataclass(slots=True, eq=False)
class Function:
    """A function; ``body`` is filled in after all signatures are known."""

    name: str
    parameters: tuple[Local, ...]
    result: Type
    span: Span
    body: tuple[Statement, ...] = ()


@node
class IOVariable:
    """One scalar or vector that enters or leaves an entry point.

    ``path`` leads to it: for inputs the parameter's index first, then indices into its type (struct
    field, array element, matrix column); for outputs indices into the result type.  Exactly one of
    ``location`` and ``builtin`` is set.  ``interpolation`` is None where it has no meaning.
    ``name`` is the author's (``uv``, ``bones[1]``).
    """

    name: str
    type: Type
    path: tuple[int, ...]
    location: int | None
    builtin: str | None
    interpolation: str | None
    span: Span


@node
class EntryPoint:
    """An entry function with its flattened interface.

    Parts of a parameter that no input's path reaches (the builtins of a ``@varying`` struct in a
    fragment stage) are never read; they lower to zero.
    """

    name: str
    stage: Stage
    function: Function
    inputs: tuple[IOVariable, ...]
    outputs: tuple[IOVariable, ...]
    workgroup_size: tuple[int, int, int]
    early_depth: bool
    span: Span


@node
class Module:
    """A checked source.  ``functions`` are in an order in which callees come first."""

    structs: tuple[Struct, ...]
    bindings: tuple[Binding, ...]
    constants: tuple[Constant, ...]
    spec_constants: tuple[SpecConstant, ...]
    functions: tuple[Function, ...]
    entry_points: tuple[EntryPoint, ...]
