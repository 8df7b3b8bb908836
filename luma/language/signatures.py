"""The signature language of the operations table: parsed, and matched against argument types.

:mod:`luma.language.builtins` describes the language.  ``parse`` gives a :class:`Signature`;
``match`` tells the result type for exact argument types, as IR has them; ``resolve`` also lets a
scalar stand beside vectors where the signature allows it, as the language does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from luma.language.builtins import PATTERNS, RESULT_FUNCTIONS
from luma.language.types import (
    BOOL,
    FLOAT,
    INT,
    NAMED_TYPES,
    UINT,
    VOID,
    Array,
    Dim,
    Matrix,
    Pointer,
    Sampler,
    Scalar,
    Texture,
    Type,
    Vector,
    is_bool,
    is_float,
    is_integer,
    is_numeric,
    scalar_of,
    width,
    with_scalar,
)


@dataclass(frozen=True, slots=True)
class Pattern:
    """One operand or the result of a signature.

    ``name`` is a pattern letter, a word (``coord``, ``place``, ``row``, ...) or a type's name;
    ``function`` wraps it (``scalar(V)``), ``broadcast`` stands for the ``~`` of ``F~``.
    """

    name: str
    function: str | None = None
    broadcast: bool = False

    def __str__(self) -> str:
        text = f"{self.function}({self.name})" if self.function else self.name
        return f"{text}~" if self.broadcast else text


@dataclass(frozen=True, slots=True)
class Signature:
    """A parsed signature: operand patterns and the result's."""

    operands: tuple[Pattern, ...]
    result: Pattern


@dataclass(frozen=True, slots=True)
class Match:
    """How a signature fits arguments: the exact type of every operand, and the result's.

    An operand type that differs from the argument's is that of a scalar to be splat.
    """

    operands: tuple[Type, ...]
    result: Type


@lru_cache(maxsize=512)
def parse(signature: str) -> Signature:
    """Parse a signature such as ``"F, F, F~ -> F"``.  Raises ValueError for an unknown word."""
    operands, arrow, result = signature.partition("->")
    if not arrow:
        raise ValueError(f"no result in signature {signature!r}")
    patterns = tuple(_pattern(word.strip()) for word in operands.split(",") if word.strip())
    return Signature(patterns, _pattern(result.strip()))


def _pattern(word: str) -> Pattern:
    broadcast = word.endswith("~")
    name = word.rstrip("~")
    function: str | None = None
    if name.endswith(")"):
        function, _, name = name[:-1].partition("(")
        if function not in RESULT_FUNCTIONS:
            raise ValueError(f"unknown function {function!r} in a signature")
    if name not in PATTERNS and name not in _WORDS and name not in _NAMED:
        raise ValueError(f"unknown word {name!r} in a signature")
    return Pattern(name, function, broadcast)


@lru_cache(maxsize=8192)
def match(signature: str, arguments: tuple[Type, ...]) -> Type | None:
    """The result type of an operation on exactly these argument types, or None if it has none.

    A place may be given as a pointer or by its type.
    """
    found = resolve(signature, arguments)
    if found is None or any(
        wanted != given and not isinstance(given, Pointer)
        for wanted, given in zip(found.operands, arguments, strict=True)
    ):
        return None
    return found.result


@lru_cache(maxsize=8192)
def resolve(signature: str, arguments: tuple[Type, ...]) -> Match | None:
    """How the signature fits the arguments, scalars standing beside vectors where it has a ``~``.

    None if it does not fit.  The vectors among the arguments of a broadcasting letter decide its
    type, whichever operands they are.
    """
    parsed = parse(signature)
    if len(parsed.operands) != len(arguments):
        return None
    bound = _bind(parsed, arguments)
    if bound is None:
        return None
    operands: list[Type] = []
    for pattern, given in zip(parsed.operands, arguments, strict=True):
        wanted = _operand(pattern, bound, given)
        scalar = pattern.broadcast and isinstance(wanted, Vector) and wanted.elem == given
        if wanted is None or (wanted != given and not scalar):
            return None
        operands.append(wanted)
    result = _result(parsed.result, bound)
    return None if result is None else Match(tuple(operands), result)


# ---------------------------------------------------------------- binding letters and words

Bindings: TypeAlias = dict[str, Type]


def _bind(signature: Signature, arguments: tuple[Type, ...]) -> Bindings | None:
    """The type of each letter and free word: the first argument's, or its first vector's."""
    bound: Bindings = {}
    for pattern, given in zip(signature.operands, arguments, strict=True):
        accepts = _ACCEPTS.get(pattern.name)
        if accepts is None or pattern.function:
            continue
        pointee = given.pointee if isinstance(given, Pointer) else given
        candidate = pointee if pattern.name == "place" else given
        if not accepts(candidate):
            return None
        known = bound.setdefault(pattern.name, candidate)
        if isinstance(known, Scalar) and isinstance(candidate, Vector) and _loose(signature, known):
            bound[pattern.name] = candidate
    return bound if _consistent(signature, bound) else None


def _loose(signature: Signature, known: Type) -> bool:
    """Whether the letter bound first may have been bound by a scalar that is to be splat."""
    return any(p.broadcast for p in signature.operands) and known != BOOL


def _consistent(signature: Signature, bound: Bindings) -> bool:
    """The relations between letters that equality of letters cannot say."""
    match bound:
        case {"B": condition, "A": chosen}:  # select: one bool for all, or one a component
            return condition == BOOL or width(condition) == width(chosen)
        case {"place": place, "I": value}:
            return isinstance(value, Scalar) and place == value
        case {"place": place}:
            return isinstance(place, Array) and place.size is None
        case {"left": Matrix(cols=inner), "right": Matrix(rows=rows)}:
            return inner == rows
    return True


def _operand(pattern: Pattern, bound: Bindings, given: Type) -> Type | None:
    if pattern.name == "place":  # checked when bound; the argument may be the pointer
        return given
    return _result(pattern, bound)


def _result(pattern: Pattern, bound: Bindings) -> Type | None:
    if pattern.function is not None:
        return _FUNCTIONS[pattern.function](bound[pattern.name])
    if pattern.name in bound:
        return bound[pattern.name]
    word = _DEPENDENT.get(pattern.name)
    return word(bound) if word is not None else _NAMED.get(pattern.name)


# ---------------------------------------------------------------- what letters and words mean


def _is_float_vector(t: Type) -> bool:
    return isinstance(t, Vector) and is_float(t)


def _is_column(t: Type) -> bool:
    return isinstance(t, Vector) and t.elem == FLOAT


def _is_place(t: Type) -> bool:
    return t in (INT, UINT) or isinstance(t, Array)


#: What a letter, or a word that binds like one, may be bound to.
_ACCEPTS: dict[str, Callable[[Type], bool]] = {
    "F": is_float,
    "V": _is_float_vector,
    "N": is_numeric,
    "S": lambda t: is_numeric(t) and scalar_of(t) != UINT,
    "I": is_integer,
    "B": is_bool,
    "A": lambda t: isinstance(t, Scalar | Vector),
    "X": lambda t: isinstance(t, Vector) and is_bool(t),
    "P": lambda t: is_numeric(t) or isinstance(t, Matrix),
    "M": lambda t: isinstance(t, Matrix),
    "Q": lambda t: isinstance(t, Matrix) and t.cols == t.rows,
    "T": lambda t: isinstance(t, Texture) and not t.depth,
    "D": lambda t: isinstance(t, Texture) and t.depth,
    "E": lambda t: isinstance(t, Texture),
    "s": lambda t: t == Sampler(),
    "c": lambda t: t == Sampler(True),
    "left": lambda t: isinstance(t, Matrix),
    "right": lambda t: isinstance(t, Matrix),
    "height": _is_column,
    "breadth": _is_column,
    "place": _is_place,
}

_COORDINATES = {Dim.D2: 2, Dim.D3: 3, Dim.CUBE: 3, Dim.D2_ARRAY: 3}
_GRADIENTS = {Dim.D2: 2, Dim.D3: 3, Dim.CUBE: 3, Dim.D2_ARRAY: 2}
_SIZES = {Dim.D2: 2, Dim.D3: 3, Dim.CUBE: 2, Dim.D2_ARRAY: 3}


def _texture(bound: Bindings) -> Texture:
    found = next(bound[letter] for letter in "TDE" if letter in bound)
    assert isinstance(found, Texture)
    return found


def _texel(bound: Bindings) -> Type | None:
    """Cube maps cannot be fetched from: no target has it."""
    dim = _texture(bound).dim
    return None if dim is Dim.CUBE else Vector(INT, _COORDINATES[dim])


def _matrix(bound: Bindings, letter: str = "M") -> Matrix:
    found = bound[letter]
    assert isinstance(found, Matrix)
    return found


def _transposed(t: Type) -> Type:
    assert isinstance(t, Matrix)
    return Matrix(t.rows, t.cols)


def _size(t: Type) -> Type:
    assert isinstance(t, Texture)
    return Vector(INT, _SIZES[t.dim])


#: Words whose type follows from what the letters are bound to.
_DEPENDENT: dict[str, Callable[[Bindings], Type | None]] = {
    "coord": lambda b: Vector(FLOAT, _COORDINATES[_texture(b).dim]),
    "grad": lambda b: Vector(FLOAT, _GRADIENTS[_texture(b).dim]),
    "texel": _texel,
    "column": lambda b: _matrix(b).column,
    "row": lambda b: Vector(FLOAT, _matrix(b).cols),
    "product": lambda b: Matrix(_matrix(b, "right").cols, _matrix(b, "left").rows),
    "outer": lambda b: Matrix(width(b["breadth"]), width(b["height"])),
}

_FUNCTIONS: dict[str, Callable[[Type], Type]] = {
    "scalar": scalar_of,
    "bool": lambda t: with_scalar(t, BOOL),
    "int": lambda t: with_scalar(t, INT),
    "transposed": _transposed,
    "size": _size,
}

_WORDS = frozenset({*_ACCEPTS, *_DEPENDENT})
_NAMED: dict[str, Type] = {**NAMED_TYPES, "void": VOID}
