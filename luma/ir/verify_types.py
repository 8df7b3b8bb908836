"""The types of instructions: what each operation demands of its operands, immediates and result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from luma.frontend.typed import Access
from luma.ir.module import Function, Global, Instr, Module, SpecConstant
from luma.ir.ops import CONSTANT_SPACES, STRUCTURAL
from luma.language import numbers, signatures
from luma.language.builtins import OPERATIONS
from luma.language.types import (
    INT,
    UINT,
    VOID,
    Array,
    Combined,
    Kind,
    Matrix,
    Pointer,
    Scalar,
    Space,
    Struct,
    Type,
    Vector,
    element,
    element_count,
    is_opaque,
    scalar_of,
    width,
    with_scalar,
)

_PLACES = (Space.STORAGE, Space.WORKGROUP)


@dataclass(slots=True)
class Names:
    """What the names in instructions refer to; ``functions`` holds those already verified."""

    globals: Mapping[str, Global]
    specs: Mapping[str, SpecConstant]
    structs: Mapping[str, Struct]
    functions: dict[str, Function] = field(default_factory=dict)

    @staticmethod
    def of(module: Module) -> Names:
        """The names of a module, none of its functions among them yet."""
        return Names(
            {g.name: g for g in module.globals},
            {s.name: s for s in module.spec_constants},
            {s.name: s for s in module.structs},
        )


def check_instr(
    instr: Instr, args: tuple[Type, ...], roots: dict[int, Global], names: Names
) -> Iterator[str]:
    """What is wrong with an instruction, given the types of its operands.

    ``roots`` maps pointers to the globals that they point into; the instruction's own is added.
    """
    if VOID in args:
        yield "an operand has no value"
        return
    rule = _RULES.get(instr.op)
    if rule is not None:
        problem = rule(instr, args, names)
    elif instr.op in OPERATIONS:
        problem = _table_operation(instr, args)
    else:
        problem = "no such operation"
    if problem is not None:
        yield problem
        return
    yield from check_type(instr.type, names)
    yield from _memory_access(instr, roots, names)


def check_type(t: Type, names: Names) -> Iterator[str]:
    """What makes a type unfit for IR: a combined sampler, a struct that the module lacks."""
    match t:
        case Combined():
            yield f"{t} is not split into texture and sampler"
        case Struct(name=name):
            if names.structs.get(name) != t:
                yield f"struct {name} is not the module's"
        case Array(elem=inner) | Pointer(pointee=inner):
            yield from check_type(inner, names)


def step_problem(t: Type, path: tuple[object, ...]) -> str | None:
    """What is wrong with a path of indices into a type (None: nothing)."""
    for index in path:
        if not isinstance(t, Vector | Matrix | Array | Struct):
            return f"the path leads into {t}"
        if index is None:
            if isinstance(t, Struct):
                return "a struct's field has a constant index"
            t = element(t)
            continue
        endless = isinstance(t, Array) and t.size is None
        if type(index) is not int or index < 0 or (not endless and index >= element_count(t)):
            return f"{t} has no element {index}"
        t = element(t, index)
    return None


def _memory_access(instr: Instr, roots: dict[int, Global], names: Names) -> Iterator[str]:
    """Whether the global may be read or written so; follows pointers to their globals."""
    if instr.op == "global":
        roots[instr.id] = names.globals[str(instr.imm[0])]
        return
    root = roots.get(instr.args[0]) if instr.args else None
    if root is None:
        return
    if instr.op == "access":
        roots[instr.id] = root
    elif instr.op == "load" and root.access is Access.WRITE:
        yield f"@{root.name} may not be read"
    elif instr.op == "store" and root.access is Access.READ:
        yield f"@{root.name} may not be written"
    elif instr.op.startswith("atomic") and root.access is not Access.READ_WRITE:
        yield f"@{root.name} may not be read and written"


# ---------------------------------------------------------------- one rule an operation; each gives
# the problem or None

_Args = tuple[Type, ...]


def _table_operation(instr: Instr, args: _Args) -> str | None:
    row = OPERATIONS[instr.op]
    if instr.imm:
        return "takes no immediates"
    if instr.op == "discard":
        return "is a terminator in IR"
    if "place" in row.signature and not (args and isinstance(args[0], Pointer)):
        return "takes a pointer first"
    if any(isinstance(t, Pointer) for t in args[1 if "place" in row.signature else 0 :]):
        return "takes values, not pointers"
    result = signatures.match(row.signature, args)
    if result is None:
        return f"({row.signature}) does not take ({', '.join(map(str, args))})"
    if "place" in row.signature and isinstance(args[0], Pointer) and args[0].space not in _PLACES:
        return f"works on buffers and shared memory, not on {args[0].space.value}"
    return _result(instr, result)


def _result(instr: Instr, wanted: Type) -> str | None:
    return None if instr.type == wanted else f"gives {wanted}, not {instr.type}"


def _counts(instr: Instr, operands: int, immediates: int) -> str | None:
    if len(instr.args) != operands:
        return f"takes {operands} operands, not {len(instr.args)}"
    if len(instr.imm) != immediates:
        return f"takes {immediates} immediates, not {len(instr.imm)}"
    return None


def _const(instr: Instr, args: _Args, names: Names) -> str | None:
    wrong = _counts(instr, 0, 1)
    if wrong is not None:
        return wrong
    value, t = instr.imm[0], instr.type
    if not isinstance(t, Scalar):
        return f"is of scalar type, not {t}"
    match t.kind:
        case Kind.BOOL:
            fits = isinstance(value, bool)
        case Kind.INT:
            fits = type(value) is int and numbers.INT_MIN <= value <= numbers.INT_MAX
        case Kind.UINT:
            fits = type(value) is int and 0 <= value <= numbers.UINT_MAX
        case _:
            fits = isinstance(value, float) and (
                value != value or numbers.narrow(value, t) == value
            )
    return None if fits else f"{value!r} is not a value of {t}"


def _spec(instr: Instr, args: _Args, names: Names) -> str | None:
    wrong = _counts(instr, 0, 1)
    if wrong is not None:
        return wrong
    known = names.specs.get(str(instr.imm[0]))
    if known is None:
        return f"there is no specialization constant @{instr.imm[0]}"
    return _result(instr, known.type)


def _global(instr: Instr, args: _Args, names: Names) -> str | None:
    wrong = _counts(instr, 0, 1)
    if wrong is not None:
        return wrong
    known = names.globals.get(str(instr.imm[0]))
    if known is None:
        return f"there is no global @{instr.imm[0]}"
    return _result(instr, known.type if is_opaque(known.type) else Pointer(known.space, known.type))


def _local(instr: Instr, args: _Args, names: Names) -> str | None:
    wrong = _counts(instr, 0, 0)
    if wrong is not None:
        return wrong
    t = instr.type
    if not isinstance(t, Pointer) or t.space is not Space.FUNCTION or not _storable(t.pointee):
        return f"gives a pointer to function memory, not {t}"
    return None


def _storable(t: Type) -> bool:
    """Whether values of the type have a fixed size in memory."""
    match t:
        case Scalar() | Vector() | Matrix():
            return True
        case Array(elem, size):
            return size is not None and _storable(elem)
        case Struct(fields=fields):
            return all(_storable(f.type) for f in fields)
    return False


def _indices(instr: Instr, args: _Args) -> str | None:
    """The operands after the first are the run-time indices of the path."""
    if not instr.imm:
        return "has an empty path"
    wanted = 1 + sum(index is None for index in instr.imm)
    if len(args) != wanted:
        return f"takes {wanted} operands, not {len(args)}"
    if any(t not in (INT, UINT) for t in args[1:]):
        return "takes int or uint indices"
    return None


def _walk(t: Type, path: tuple[object, ...]) -> Type:
    for index in path:
        t = element(t, index if isinstance(index, int) else 0)
    return t


def _access(instr: Instr, args: _Args, names: Names) -> str | None:
    if not args or not isinstance(args[0], Pointer):
        return "takes a pointer first"
    wrong = _indices(instr, args) or step_problem(args[0].pointee, instr.imm)
    if wrong is not None:
        return wrong
    return _result(instr, Pointer(args[0].space, _walk(args[0].pointee, instr.imm)))


def _extract(instr: Instr, args: _Args, names: Names) -> str | None:
    if not args:
        return "takes an aggregate first"
    wrong = _indices(instr, args) or step_problem(args[0], instr.imm)
    return wrong if wrong is not None else _result(instr, _walk(args[0], instr.imm))


def _insert(instr: Instr, args: _Args, names: Names) -> str | None:
    if len(args) != 2 or not instr.imm:
        return "takes an aggregate, a part and a path"
    if None in instr.imm:
        return "has a constant path"
    wrong = step_problem(args[0], instr.imm)
    if wrong is not None:
        return wrong
    if _walk(args[0], instr.imm) != args[1]:
        return f"puts {args[1]} where {_walk(args[0], instr.imm)} is"
    return _result(instr, args[0])


def _load(instr: Instr, args: _Args, names: Names) -> str | None:
    wrong = _counts(instr, 1, 0)
    if wrong is not None:
        return wrong
    if not isinstance(args[0], Pointer):
        return "takes a pointer"
    if not _storable(args[0].pointee):
        return f"cannot load {args[0].pointee}"
    return _result(instr, args[0].pointee)


def _store(instr: Instr, args: _Args, names: Names) -> str | None:
    wrong = _counts(instr, 2, 0)
    if wrong is not None:
        return wrong
    if not isinstance(args[0], Pointer):
        return "takes a pointer first"
    if args[0].space in CONSTANT_SPACES:
        return f"{args[0].space.value} memory cannot be written"
    if args[0].pointee != args[1]:
        return f"puts {args[1]} where {args[0].pointee} is"
    return _result(instr, VOID)


def _construct(instr: Instr, args: _Args, names: Names) -> str | None:
    if instr.imm:
        return "takes no immediates"
    match instr.type:
        case Vector(elem, size):
            fits = all(isinstance(t, Scalar | Vector) and scalar_of(t) == elem for t in args)
            fits = fits and len(args) > 1 and sum(map(width, args)) == size
        case Matrix(cols=cols) as matrix:
            fits = args == (matrix.column,) * cols
        case Array(elem, size):
            fits = size is not None and args == (elem,) * size
        case Struct(fields=fields):
            fits = args == tuple(f.type for f in fields)
        case _:
            fits = False
    return None if fits else f"{instr.type} is not made of ({', '.join(map(str, args))})"


def _splat(instr: Instr, args: _Args, names: Names) -> str | None:
    wrong = _counts(instr, 1, 0)
    if wrong is not None:
        return wrong
    fits = isinstance(instr.type, Vector) and instr.type.elem == args[0]
    return None if fits else f"{instr.type} is not made of {args[0]}"


def _shuffle(instr: Instr, args: _Args, names: Names) -> str | None:
    vectors = [t for t in args if isinstance(t, Vector)]
    if len(vectors) != len(args) or len(args) not in (1, 2) or len({t.elem for t in vectors}) != 1:
        return f"takes one vector, or two of one kind, not ({', '.join(map(str, args))})"
    if not 2 <= len(instr.imm) <= 4:
        return "picks 2 to 4 components"
    total = sum(t.size for t in vectors)
    for index in instr.imm:
        if type(index) is not int or not 0 <= index < total:
            return f"there is no component {index}"
    return _result(instr, Vector(vectors[0].elem, len(instr.imm)))


def _convert(instr: Instr, args: _Args, names: Names) -> str | None:
    wrong = _counts(instr, 1, 0)
    if wrong is not None:
        return wrong
    if not isinstance(args[0], Scalar | Vector) or not isinstance(instr.type, Scalar | Vector):
        return f"converts scalars and vectors, not {args[0]} to {instr.type}"
    return _result(instr, with_scalar(args[0], scalar_of(instr.type)))


def _call(instr: Instr, args: _Args, names: Names) -> str | None:
    if len(instr.imm) != 1:
        return "takes the function's name"
    callee = names.functions.get(str(instr.imm[0]))
    if callee is None:
        return f"there is no function @{instr.imm[0]} before this one"
    wanted = tuple(p.type for p in callee.params)
    if args != wanted:
        return f"takes ({', '.join(map(str, wanted))}), not ({', '.join(map(str, args))})"
    if len(callee.results) > 1:
        return "cannot call an entry point with several outputs"
    return _result(instr, callee.results[0] if callee.results else VOID)


_RULES: dict[str, Callable[[Instr, _Args, Names], str | None]] = {
    "const": _const,
    "spec": _spec,
    "global": _global,
    "local": _local,
    "access": _access,
    "load": _load,
    "store": _store,
    "construct": _construct,
    "splat": _splat,
    "extract": _extract,
    "insert": _insert,
    "shuffle": _shuffle,
    "convert": _convert,
    "call": _call,
}
assert _RULES.keys() == STRUCTURAL.keys()
