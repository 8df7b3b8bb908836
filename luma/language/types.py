"""The types of Luma values and memory, their spelling, and how to ask about them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from luma.language.facts import Fact


class Kind(Enum):
    """The kind of a scalar; the value is its spelling."""

    BOOL = "bool"
    INT = "int"
    UINT = "uint"
    FLOAT = "float"
    HALF = "half"


@dataclass(frozen=True, slots=True)
class Scalar:
    """``bool``, ``int``, ``uint`` (32 bits), ``float`` (binary32) or ``half`` (binary16)."""

    kind: Kind

    def __str__(self) -> str:
        return self.kind.value

    def __hash__(self) -> int:  # enum hashing is slow and types key many tables
        return id(self.kind)


BOOL = Scalar(Kind.BOOL)
INT = Scalar(Kind.INT)
UINT = Scalar(Kind.UINT)
FLOAT = Scalar(Kind.FLOAT)
HALF = Scalar(Kind.HALF)

_VECTOR_PREFIX = {Kind.BOOL: "b", Kind.INT: "i", Kind.UINT: "u", Kind.FLOAT: "", Kind.HALF: "h"}


@dataclass(frozen=True, slots=True)
class Vector:
    """``size`` (2 to 4) components of one scalar type."""

    elem: Scalar
    size: int

    def __str__(self) -> str:
        return f"{_VECTOR_PREFIX[self.elem.kind]}vec{self.size}"

    def __hash__(self) -> int:
        return id(self.elem.kind) + self.size


@dataclass(frozen=True, slots=True)
class Matrix:
    """``cols`` columns of ``rows`` floats each, column-major: ``m[i]`` is column i."""

    cols: int
    rows: int

    @property
    def column(self) -> Vector:
        """The type of one column."""
        return Vector(FLOAT, self.rows)

    def __str__(self) -> str:
        return f"mat{self.cols}" if self.cols == self.rows else f"mat{self.cols}x{self.rows}"


@dataclass(frozen=True, slots=True)
class Array:
    """``[size]elem``; a ``size`` of None is a runtime array, the tail of a buffer."""

    elem: Type
    size: int | None

    def __str__(self) -> str:
        return f"[{'' if self.size is None else self.size}]{self.elem}"


@dataclass(frozen=True, slots=True)
class Field:
    """One member of a struct, and what its author states of it."""

    name: str
    type: Type
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Struct:
    """A named struct; its name is unique in a module."""

    name: str
    fields: tuple[Field, ...]

    def __str__(self) -> str:
        return self.name

    def __hash__(self) -> int:
        return hash(self.name)

    def index(self, name: str) -> int | None:
        """The position of the field called ``name``, or None."""
        for at, member in enumerate(self.fields):
            if member.name == name:
                return at
        return None


class Dim(Enum):
    """The shape of a texture; the value is the ending of its type's name."""

    D2 = "2D"
    D3 = "3D"
    CUBE = "Cube"
    D2_ARRAY = "2DArray"


@dataclass(frozen=True, slots=True)
class Texture:
    """A sampled image of floats; ``depth`` marks one for depth comparison."""

    dim: Dim
    depth: bool = False

    def __str__(self) -> str:
        return f"texture{'Depth' if self.depth else ''}{self.dim.value}"


@dataclass(frozen=True, slots=True)
class Sampler:
    """A sampler object; ``comparison`` marks ``samplerShadow``."""

    comparison: bool = False

    def __str__(self) -> str:
        return "samplerShadow" if self.comparison else "sampler"


@dataclass(frozen=True, slots=True)
class Combined:
    """A texture and its sampler in one name; split in two when lowered to IR."""

    dim: Dim
    shadow: bool = False

    @property
    def texture(self) -> Texture:
        """The texture half."""
        return Texture(self.dim, self.shadow)

    @property
    def sampler(self) -> Sampler:
        """The sampler half."""
        return Sampler(self.shadow)

    def __str__(self) -> str:
        return f"sampler{self.dim.value}{'Shadow' if self.shadow else ''}"


class Space(Enum):
    """Where memory lives (the seed's address spaces); the value is its spelling in IR text."""

    FUNCTION = "function"
    UNIFORM = "uniform"
    STORAGE = "storage"
    WORKGROUP = "workgroup"
    PUSH_CONSTANT = "push_constant"
    HANDLE = "handle"  # textures and samplers: not memory, bound all the same


@dataclass(frozen=True, slots=True)
class Pointer:
    """The address of a ``pointee`` in a space; exists in IR only, never in the language."""

    space: Space
    pointee: Type

    def __str__(self) -> str:
        return f"ptr<{self.space.value}, {self.pointee}>"


@dataclass(frozen=True, slots=True)
class Void:
    """The type of what gives no value."""

    def __str__(self) -> str:
        return "void"


VOID = Void()

Type: TypeAlias = (
    Scalar | Vector | Matrix | Array | Struct | Texture | Sampler | Combined | Pointer | Void
)


def _named_types() -> dict[str, Type]:
    names: dict[str, Type] = {str(s): s for s in (BOOL, INT, UINT, FLOAT, HALF)}
    for elem in (BOOL, INT, UINT, FLOAT, HALF):
        names |= {str(v): v for v in (Vector(elem, n) for n in (2, 3, 4))}
    for cols in (2, 3, 4):
        names[f"mat{cols}x{cols}"] = Matrix(cols, cols)
        names |= {str(m): m for m in (Matrix(cols, rows) for rows in (2, 3, 4))}
    for dim in (Dim.D2, Dim.D3, Dim.CUBE, Dim.D2_ARRAY):
        names |= {str(t): t for t in (Texture(dim), Combined(dim))}
    for dim in (Dim.D2, Dim.CUBE, Dim.D2_ARRAY):
        names |= {str(t): t for t in (Texture(dim, True), Combined(dim, True))}
    return names | {str(s): s for s in (Sampler(), Sampler(True))}


#: Every type that has a name of its own, by that name.
NAMED_TYPES: dict[str, Type] = _named_types()


def is_numeric(t: Type) -> bool:
    """Whether t is a scalar or vector of numbers."""
    return isinstance(t, Scalar | Vector) and scalar_of(t) != BOOL


def is_float(t: Type) -> bool:
    """Whether t is float or half, or a vector of them."""
    return isinstance(t, Scalar | Vector) and scalar_of(t).kind in (Kind.FLOAT, Kind.HALF)


def is_integer(t: Type) -> bool:
    """Whether t is int or uint, or a vector of them."""
    return isinstance(t, Scalar | Vector) and scalar_of(t).kind in (Kind.INT, Kind.UINT)


def is_bool(t: Type) -> bool:
    """Whether t is bool or a vector of bools."""
    return isinstance(t, Scalar | Vector) and scalar_of(t) == BOOL


def is_opaque(t: Type) -> bool:
    """Whether t is a texture, a sampler or both: a resource, not a value."""
    return isinstance(t, Texture | Sampler | Combined)


def scalar_of(t: Type) -> Scalar:
    """The scalar type a scalar, vector or matrix is made of."""
    match t:
        case Scalar():
            return t
        case Vector():
            return t.elem
        case Matrix():
            return FLOAT
    raise TypeError(f"{t} has no scalar type")


def width(t: Type) -> int:
    """The number of components of a scalar (1) or vector."""
    return t.size if isinstance(t, Vector) else 1


def with_width(elem: Scalar, size: int) -> Scalar | Vector:
    """``elem`` itself for size 1, else the vector of it."""
    return elem if size == 1 else Vector(elem, size)


def with_scalar(t: Type, elem: Scalar) -> Scalar | Vector:
    """The scalar or vector shaped like t and made of ``elem``."""
    return with_width(elem, width(t))


def element(t: Type, index: int = 0) -> Type:
    """The type of the part of an aggregate reached by one index."""
    match t:
        case Vector():
            return t.elem
        case Matrix():
            return t.column
        case Array():
            return t.elem
        case Struct():
            return t.fields[index].type
    raise TypeError(f"{t} has no elements")


def element_count(t: Type) -> int:
    """How many parts an aggregate has (a runtime array: an error)."""
    match t:
        case Vector():
            return t.size
        case Matrix():
            return t.cols
        case Array(size=int() as size):
            return size
        case Struct():
            return len(t.fields)
    raise TypeError(f"{t} has no fixed number of elements")


def walk_path(t: Type, path: tuple[int | None, ...]) -> Type:
    """The type reached from t by a path of indices (None stands for a run-time index)."""
    for index in path:
        t = element(t, index or 0)
    return t
