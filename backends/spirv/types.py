"""Types and constants as SPIR-V has them.

A *value* type is plain; SSA values, function-local and workgroup memory have it.  A *memory* type
is how the same thing lies in a buffer: structs carry Offset and matrix decorations, arrays an
ArrayStride, and bool is a 32-bit integer.  A *block* is a memory struct at the root of a buffer,
never the same type as the struct nested elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from luma.backends.spirv.builder import MAX_DEPTH, MAX_MEMBERS, MAX_WORDS, Builder, put, text_words
from luma.backends.spirv.grammar import Capability, Decoration, Dim, Op
from luma.backends.spirv.members import Members
from luma.backends.spirv.problems import Unsupported

from luma.language import numbers
from luma.language.layout import Rules, layout
from luma.language.types import (
    BOOL,
    FLOAT,
    INT,
    UINT,
    Array,
    Kind,
    Matrix,
    Sampler,
    Scalar,
    Struct,
    Texture,
    Type,
    Vector,
    Void,
    element,
    element_count,
    is_bool,
    with_scalar,
)
from luma.language.types import Dim as Shape

DIMENSIONS = {
    Shape.D2: (Dim.D2D, 0),
    Shape.D3: (Dim.D3D, 0),
    Shape.CUBE: (Dim.Cube, 0),
    Shape.D2_ARRAY: (Dim.D2D, 1),
}


class Types:
    """The declared types and constants of one module, each once.

    Without names, structs in buffers have no more than the given members, and those that lie alike
    are one type.
    """

    __slots__ = (
        "_alike",
        "_blocks",
        "_depths",
        "_memory",
        "_scalars",
        "_values",
        "_zeros",
        "builder",
        "debug",
        "members",
        "vectors",
    )

    def __init__(self, builder: Builder, debug: bool, members: Members) -> None:
        self.builder = builder
        self.debug = debug
        self.members = members
        self._values: dict[Type, int] = {}
        self._memory: dict[tuple[Type, Rules], int] = {}
        self._blocks: dict[tuple[Type, Rules], int] = {}
        self._alike: dict[tuple[Hashable, ...], int] = {}
        self._depths: dict[Type, int] = {}
        self._scalars: dict[tuple[Kind, int], int] = {}
        self._zeros: set[int] = set()
        #: The types that are vectors.
        self.vectors: set[int] = set()

    # ------------------------------------------------------------ types

    def value(self, t: Type) -> int:
        """The type of values, of local and of workgroup memory."""
        found = self._values.get(t)
        if found is None:
            found = self._values[t] = self._declare_value(t)
            if isinstance(t, Vector):
                self.vectors.add(found)
        return found

    def _declare_value(self, t: Type) -> int:
        declare = self.builder.type
        match t:
            case Scalar(kind):
                return self._declare_scalar(kind)
            case Vector(elem, size):
                return declare(Op.TypeVector, self.value(elem), size)
            case Matrix(cols):
                return declare(Op.TypeMatrix, self.value(t.column), cols)
            case Array(elem, int() as size):
                return declare(Op.TypeArray, self.value(elem), self.index(size))
            case Struct(name, fields):
                members = [self.value(f.type) for f in fields]
                return self._struct(t, members, name)
            case Texture(dim, depth):
                shape, arrayed = DIMENSIONS[dim]
                return declare(Op.TypeImage, self.value(FLOAT), shape, int(depth), arrayed, 0, 1, 0)
            case Sampler():
                return declare(Op.TypeSampler)
            case Void():
                return declare(Op.TypeVoid)
        raise Unsupported(f"SPIR-V has no values of type {t}")

    def _declare_scalar(self, kind: Kind) -> int:
        declare = self.builder.type
        match kind:
            case Kind.BOOL:
                return declare(Op.TypeBool)
            case Kind.INT:
                return declare(Op.TypeInt, 32, 1)
            case Kind.UINT:
                return declare(Op.TypeInt, 32, 0)
            case Kind.FLOAT:
                return declare(Op.TypeFloat, 32)
        return declare(Op.TypeFloat, 16)

    def _struct(self, struct: Struct, members: list[int], name: str) -> int:
        if len(members) > MAX_MEMBERS:
            raise Unsupported(f"struct {name} has too many fields for SPIR-V")
        if self._depth(struct) > MAX_DEPTH:
            raise Unsupported(f"struct {name} nests too deeply for SPIR-V")
        result = self.builder.new_type(Op.TypeStruct, *members)
        if self.debug:
            put(self.builder.names, Op.Name, result, *text_words(name))
            for at, field in enumerate(struct.fields):
                put(self.builder.names, Op.MemberName, result, at, *text_words(field.name))
        return result

    def _depth(self, t: Type) -> int:
        """How many structs and arrays are inside one another."""
        found = self._depths.get(t)
        if found is None:
            inner: tuple[Type, ...] = ()
            if isinstance(t, Array):
                inner = (t.elem,)
            elif isinstance(t, Struct):
                inner = tuple(f.type for f in t.fields)
            found = self._depths[t] = 1 + max(map(self._depth, inner), default=0)
        return found

    def memory(self, t: Type, rules: Rules | None) -> int:
        """The type as laid out in a buffer; the value type where ``rules`` is None."""
        if rules is None:
            return self.value(t)
        match t:
            case Scalar() | Vector():
                return self.value(with_scalar(t, UINT) if is_bool(t) else t)
            case Matrix():
                return self.value(t)
        found = self._memory.get((t, rules))
        if found is None:
            found = self._memory[t, rules] = self._declare_memory(t, rules)
        return found

    def _declare_memory(self, t: Type, rules: Rules) -> int:
        match t:
            case Array(elem, size):
                inner = self.memory(elem, rules)
                stride = layout(t, rules).stride
                return self._once((inner, size, stride), lambda: self._array(inner, size, stride))
            case Struct():
                return self._laid_out(t, rules)
        raise Unsupported(f"{t} has no place in a buffer")

    def _array(self, elem: int, size: int | None, stride: int) -> int:
        if size is None:
            result = self.builder.new_type(Op.TypeRuntimeArray, elem)
        else:
            result = self.builder.new_type(Op.TypeArray, elem, self.index(size))
        self.builder.decorate(result, Decoration.ArrayStride, stride)
        return result

    def _once(self, key: tuple[Hashable, ...], declare: Callable[[], int]) -> int:
        """The type that has all this; with names, one of its own."""
        if self.debug:
            return declare()
        found = self._alike.get(key)
        if found is None:
            found = self._alike[key] = declare()
        return found

    def _laid_out(self, struct: Struct, rules: Rules, *marks: int) -> int:
        """A struct in a buffer, decorated with some marks."""
        kept = self.members.kept(struct)
        offsets = layout(struct, rules).offsets
        rows = [(self.memory(struct.fields[at].type, rules), offsets[at]) for at in kept]
        strides = [_matrix_stride(struct.fields[at].type, rules) for at in kept]

        def declare() -> int:
            result = self._struct(struct, [inner for inner, _ in rows], struct.name)
            for at, ((_, offset), stride) in enumerate(zip(rows, strides, strict=True)):
                self.builder.decorate_member(result, at, Decoration.Offset, offset)
                if stride is not None:
                    self.builder.decorate_member(result, at, Decoration.ColMajor)
                    self.builder.decorate_member(result, at, Decoration.MatrixStride, stride)
            for mark in marks:
                self.builder.decorate(result, mark)
            return result

        return self._once((*rows, *strides, *marks), declare)

    def block(self, struct: Struct, rules: Rules) -> int:
        """The struct at the root of a buffer."""
        found = self._blocks.get((struct, rules))
        if found is None:
            found = self._laid_out(struct, rules, Decoration.Block)
            self._blocks[struct, rules] = found
        return found

    def pointer(self, storage: int, pointee: int) -> int:
        """A pointer to the type with the id ``pointee``."""
        return self.builder.type(Op.TypePointer, storage, pointee)

    # ------------------------------------------------------------ constants

    def index(self, value: int) -> int:
        """A constant index, size, scope or set of flags.

        Signed or not is all the same, so it is one that is there already.
        """
        signed = self._scalars.get((Kind.INT, value))
        if signed is not None:
            return signed
        unsigned = self._scalars.get((Kind.UINT, value))
        if unsigned is not None:
            return unsigned
        return self.scalar(INT if INT in self._values or UINT not in self._values else UINT, value)

    def scalar(self, t: Scalar, value: bool | int | float) -> int:
        """A constant of a scalar type, exact to the bit."""
        bits = scalar_bits(t.kind, value)
        found = self._scalars.get((t.kind, bits))
        if found is None:
            type_id = self.value(t)
            self.half_composite(t)
            if t == BOOL:
                found = self.builder.constant(
                    Op.ConstantTrue if value else Op.ConstantFalse, type_id
                )
            else:
                found = self.builder.constant(Op.Constant, type_id, bits)
            self._scalars[t.kind, bits] = found
            if bits == 0:
                self._zeros.add(found)
        return found

    def composite(self, t: Type, parts: tuple[int, ...]) -> int:
        """A constant vector, matrix, array or struct of constant parts."""
        type_id = self.value(t)
        if all(part in self._zeros for part in parts):
            found = self.builder.constant(Op.ConstantNull, type_id)
            self._zeros.add(found)
            return found
        if len(parts) + 3 > MAX_WORDS:
            raise Unsupported(f"a constant of type {t} has too many parts for SPIR-V")
        return self.builder.constant(Op.ConstantComposite, type_id, *parts)

    def same(self, t: Scalar | Vector, value: bool | int | float) -> int:
        """A constant whose components all have one value."""
        if isinstance(t, Scalar):
            return self.scalar(t, value)
        return self.composite(t, (self.scalar(t.elem, value),) * t.size)

    # ------------------------------------------------------------ capabilities

    def half_storage(self, t: Type, capability: int) -> None:
        """Declare the 16-bit storage capability if a half lies anywhere in t."""
        if has_half(t):
            self.builder.capability(capability)

    def half_composite(self, t: Type) -> None:
        """Declare that values of t are more than moved, which matters if it has halves."""
        if has_half(t):
            self.half_arithmetic()

    def half_arithmetic(self) -> None:
        """Declare that halves are computed with: the storage capabilities do not allow that."""
        self.builder.capability(Capability.Float16)


def scalar_bits(kind: Kind, value: bool | int | float) -> int:
    """The 32-bit word of a scalar constant."""
    match kind:
        case Kind.FLOAT:
            return numbers.f32_bits(float(value))
        case Kind.HALF:
            return numbers.f16_bits(float(value))
    return int(value) & numbers.UINT_MAX


def _matrix_stride(t: Type, rules: Rules) -> int | None:
    """The stride of the matrices that a type is, or is an array of."""
    while isinstance(t, Array):
        t = t.elem
    return layout(t, rules).stride if isinstance(t, Matrix) else None


def has_half(t: Type) -> bool:
    """Whether t is half or has one inside."""
    match t:
        case Scalar(kind):
            return kind is Kind.HALF
        case Vector(elem) | Array(elem):
            return has_half(elem)
        case Struct(fields=fields):
            return any(has_half(f.type) for f in fields)
    return False


def parts_of(t: Type) -> list[Type]:
    """The types of an aggregate's parts, in order."""
    return [element(t, at) for at in range(element_count(t))]
