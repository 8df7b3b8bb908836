"""Expressions: names, members, indices, and the way to everything else."""

from __future__ import annotations

from luma.frontend import elsewhere, syntax, typed
from luma.frontend.check import (
    advice,
    calls,
    constants,
    constructors,
    declarations,
    literals,
    operators,
    typenames,
)
from luma.frontend.check.context import Context, Restricted, T, Value, declared_here
from luma.frontend.check.scope import Body, LocalSymbol
from luma.frontend.wording import an, did_you_mean
from luma.language.builtins import FUNCTIONS
from luma.language.types import (
    BOOL,
    FLOAT,
    INT,
    NAMED_TYPES,
    UINT,
    VOID,
    Array,
    Matrix,
    Scalar,
    Space,
    Struct,
    Type,
    Vector,
    element,
    is_opaque,
    with_width,
)
from luma.source import Span


def check(
    body: Body, node: syntax.Expression, expected: Type | None = None, *, reading: bool = True
) -> typed.Expression | None:
    """The typed form of an expression, or None after reporting what is wrong with it.

    ``expected`` is the type that the context would like: it decides the type of number literals
    and unnamed struct literals, and is not enforced.  ``reading`` is False for a place that is
    only written.
    """
    match node:
        case syntax.Name():
            return _name(body, node, reading)
        case syntax.Number():
            return literals.number(body.ctx, node, expected, node.span)
        case syntax.Boolean():
            return typed.Literal(BOOL, node.value, node.span)
        case syntax.Binary():
            return operators.binary(body, node, expected)
        case syntax.Unary():
            return operators.unary(body, node, expected)
        case syntax.Member():
            return _member(body, node, reading)
        case syntax.Index():
            return _index(body, node, reading)
        case syntax.Call():
            return calls.call(body, node, expected)
        case syntax.StructLiteral():
            return constructors.struct_literal(body, node, expected)
        case syntax.ArrayLiteral():
            return constructors.array_literal(body, node)
    return None  # Malformed: the parser has spoken


# ---------------------------------------------------------------- names


def _name(body: Body, node: syntax.Name, reading: bool) -> typed.Expression | None:
    symbol = body.find(node.name)
    if symbol is not None:
        symbol.read = symbol.read or reading
        local = symbol.local
        return None if local is None else typed.LocalRef(local, local.type, node.span)
    ctx = body.ctx
    decl = ctx.declared.get(node.name)
    match decl:
        case syntax.BindingDecl() if body.owner is None:
            return not_constant(ctx, node.name, node.span)
        case syntax.BindingDecl() | syntax.ConstDecl():
            return _global(body, node, reading)
        case syntax.StructDecl() | syntax.FunctionDecl():
            what = "a type" if isinstance(decl, syntax.StructDecl) else "a function"
            return _not_a_value(ctx, node, what)
    if node.name in FUNCTIONS:
        return _not_a_value(ctx, node, "a builtin function")
    if node.name in NAMED_TYPES:
        return _not_a_value(ctx, node, "a type")
    if body.owner is None and node.name in ctx.locals:
        return not_constant(ctx, node.name, node.span)
    values = [n for n, d in ctx.declared.items() if not isinstance(d, syntax.StructDecl)]
    return ctx.error(
        "E0301",
        node.span,
        f"there is no variable `{node.name}`",
        help=elsewhere.VARIABLES.get(node.name)
        or _output_help(body, node.name)
        or did_you_mean(node.name, (*body.visible(), *values)),
    )


def _output_help(body: Body, name: str) -> str | None:
    result = None if body.owner is None else body.owner.decl.result
    if isinstance(result, syntax.TupleType) and name in (f.name for f in result.fields):
        return f"outputs are given all at once: `return {{ {name} = ... }}`"
    return None


def _not_a_value(ctx: Context, node: syntax.Name, what: str) -> typed.Expression | None:
    decl = ctx.declared.get(node.name)
    return ctx.error(
        "E0305",
        node.span,
        f"`{node.name}` is {what}, not a value",
        notes=declared_here(node.name, decl.name_span) if decl else (),
        help=f"call it: `{node.name}(...)`" if "function" in what else None,
    )


def _global(body: Body, node: syntax.Name, reading: bool) -> typed.Expression | None:
    match global_value(body.ctx, node.name):
        case typed.Constant() as constant:
            return typed.ConstantRef(constant, constant.type, node.span)
        case typed.SpecConstant() as constant:
            return typed.SpecRef(constant, constant.type, node.span)
        case typed.Binding() as binding:
            return _binding(body, node, binding, reading)
    return None


def not_constant(ctx: Context, name: str, span: Span) -> typed.Expression | None:
    """Report a name that has no value at compile time in a constant expression."""
    return ctx.error(
        "E0505",
        span,
        f"a constant expression is needed here, and `{name}` is known at run time only",
        help="use literals, consts, operators and pure builtin functions",
    )


def global_value(ctx: Context, name: str) -> Value | None:
    """What a uniform, buffer, shared variable or const stands for; None if it is in error."""
    if name not in ctx.values:
        ctx.values[name] = declarations.resolve(ctx, name)
    return ctx.values[name]


def _binding(
    body: Body, node: syntax.Name, binding: typed.Binding, reading: bool
) -> typed.Expression | None:
    if reading and binding.access is typed.Access.WRITE:
        _unreadable(body.ctx, binding, node.span)
        return None
    if binding.space is Space.WORKGROUP and body.owner is not None:
        note = f"shared variable `{node.name}`"
        body.owner.restricted.append(Restricted(note, ("compute",), node.span, None))
    return typed.BindingRef(binding, binding.type, node.span)


# ---------------------------------------------------------------- values and their types


def value(
    body: Body, node: syntax.Expression, expected: Type | None = None
) -> typed.Expression | None:
    """Check an expression that must give a value: not nothing, and not a resource."""
    found = check(body, node, expected)
    if found is None:
        return None
    return found if is_value(body.ctx, found) else None


def in_unknown_context(body: Body, node: syntax.Expression) -> None:
    """Check a value for a place that is in error: what is wrong inside it is reported."""
    if isinstance(node, syntax.StructLiteral) and node.name is None:
        for item in node.fields:
            in_unknown_context(body, item.value)
    else:
        check(body, node)


def is_value(ctx: Context, found: typed.Expression) -> bool:
    """Whether an expression gives a value; reports it if not."""
    if isinstance(found.type, Scalar | Vector | Matrix):
        return True
    if found.type == VOID:
        ctx.error("E0330", found.span, f"`{ctx.text(found.span)}` gives no value")
        return False
    if is_opaque(found.type):
        ctx.error(
            "E0325",
            found.span,
            f"{an(found.type)} is a resource, not a value",
            help="pass it to a function, or sample it",
        )
        return False
    if not typenames.is_sized(found.type):
        ctx.error(
            "E0326",
            found.span,
            f"{an(found.type)} cannot be copied: its size is known at run time only",
            help="use its elements one by one",
        )
        return False
    return True


def require(
    body: Body, node: syntax.Expression, wanted: Type, what: str
) -> typed.Expression | None:
    """Check an expression whose value must be of one type; ``what`` names it in the message."""
    found = value(body, node, wanted)
    if found is None or found.type == wanted:
        return found
    return body.ctx.error(
        "E0306",
        node.span,
        f"{what} must be of type {wanted}, and this is {found.type}",
        notes=advice.default_notes(body.ctx, found, wanted),
        help=advice.conversion_help(body.ctx, found, wanted),
    )


# ---------------------------------------------------------------- members


#: The letters of swizzles: three sets that are never mixed.
SWIZZLES = ("xyzw", "rgba", "stpq")


def _member(body: Body, node: syntax.Member, reading: bool) -> typed.Expression | None:
    if _names_module(body, node.base):
        return advice.no_modules(body.ctx, node)
    base = check(body, node.base, reading=reading)
    if base is None:
        return None
    match base.type:
        case Struct() as struct:
            return _field(body, node, base, struct)
        case Vector() as vector:
            return _swizzle(body.ctx, node, base, vector)
        case Scalar():
            return body.ctx.error(
                "E0315",
                node.name_span,
                f"{an(base.type)} has no components",
                help=f"to repeat it, write `{with_width(base.type, max(2, min(4, len(node.name))))}"
                f"({body.ctx.text(node.base.span)})`"
                if set(node.name) <= set("xyzwrgbastpq")
                else None,
            )
    return body.ctx.error(
        "E0314",
        node.name_span,
        f"{an(base.type)} has no field `{node.name}`",
        help="take a part of it by index: `[i]`" if not is_opaque(base.type) else None,
    )


def _names_module(body: Body, node: syntax.Expression) -> bool:
    """Whether an expression is what other languages call a module, and nothing here."""
    if not isinstance(node, syntax.Name) or node.name not in elsewhere.MODULES:
        return False
    return body.find(node.name) is None and node.name not in body.ctx.declared


def _field(
    body: Body, node: syntax.Member, base: typed.Expression, struct: Struct
) -> typed.Expression | None:
    ctx = body.ctx
    index = struct.index(node.name)
    if index is None:
        return no_such_field(ctx, struct, node.name, node.name_span)
    if isinstance(base, typed.LocalRef) and index in body.hidden.get(base.local, ()):
        position = struct.fields[index].type == Vector(FLOAT, 4)
        return ctx.error(
            "E0417",
            node.name_span,
            f"`{node.name}` is a builtin of the @varying struct `{struct}`, and builtins are "
            "stripped from a fragment input",
            help="take the window position as a parameter: `@builtin(frag_coord) at: vec4`"
            if position
            else "ask for the value as a parameter with @builtin(...)",
        )
    return typed.FieldOf(base, index, struct.fields[index].type, node.span)


def no_such_field(ctx: Context, struct: Struct, name: str, span: Span) -> T | None:
    """Report a field that a struct does not have."""
    decl = ctx.declared.get(struct.name)
    return ctx.error(
        "E0314",
        span,
        f"{ctx.named(struct)} has no field `{name}`",
        notes=declared_here(struct.name, decl.name_span) if decl else (),
        help=did_you_mean(name, (f.name for f in struct.fields))
        or f"its fields are {', '.join(f.name for f in struct.fields)}",
    )


def _swizzle(
    ctx: Context, node: syntax.Member, base: typed.Expression, vector: Vector
) -> typed.Expression | None:
    name = node.name
    letters = next((s for s in SWIZZLES if set(name) <= set(s)), None)
    if letters is None or len(name) > 4:
        return ctx.error("E0315", node.name_span, _swizzle_fault(name, vector))
    components = tuple(letters.index(c) for c in name)
    beyond = next((c for c, at in zip(name, components, strict=True) if at >= vector.size), None)
    if beyond is not None:
        return ctx.error(
            "E0315",
            node.name_span,
            f"{an(vector)} has no component `{beyond}`",
            help=f"its components are {', '.join(letters[: vector.size])}",
        )
    return typed.SwizzleOf(base, components, with_width(vector.elem, len(name)), node.span)


def _swizzle_fault(name: str, vector: Vector) -> str:
    if len(name) > 4 and set(name) <= set("".join(SWIZZLES)):
        return f"`{name}` picks {len(name)} components; a vector has at most 4"
    if set(name) <= set("".join(SWIZZLES)):
        return f"`{name}` mixes letters of xyzw, rgba and stpq; use one set"
    return f"{an(vector)} has no component `{name}`"


# ---------------------------------------------------------------- indices


def _index(body: Body, node: syntax.Index, reading: bool) -> typed.Expression | None:
    base = check(body, node.base, reading=reading)
    index = value(body, node.index, INT)
    if base is None or index is None:
        return None
    ctx = body.ctx
    if not isinstance(base.type, Vector | Matrix | Array):
        return ctx.error("E0316", node.span, f"{an(base.type)} cannot be indexed")
    if index.type not in (INT, UINT):
        return ctx.error(
            "E0316",
            node.index.span,
            f"an index must be an int or uint, and this is {index.type}",
            notes=advice.default_notes(ctx, index, INT),
            help=advice.conversion_help(ctx, index, INT),
        )
    at, size = constants.known(ctx, index), constants.size_of(base.type)
    if at is not None and (at < 0 or (size is not None and at >= size)):
        reach = "" if size is None else f": {an(base.type)} has elements 0 to {size - 1}"
        return ctx.error("E0317", node.index.span, f"index {at} is out of range{reach}")
    return typed.ElementOf(base, index, element(base.type), node.span)


# ---------------------------------------------------------------- places


def place(body: Body, node: syntax.Expression) -> typed.Expression | None:
    """Check what stands left of an assignment."""
    found = check(body, node, reading=False)
    if found is None:
        return None
    return found if _assignable(body, found) else None


def _assignable(body: Body, found: typed.Expression) -> bool:
    ctx = body.ctx
    at = found
    while True:
        match at:
            case typed.SwizzleOf(base=base):
                if len(set(at.components)) < len(at.components):
                    ctx.error(
                        "E0322",
                        at.span,
                        "a swizzle that repeats a component cannot be assigned to",
                    )
                    return False
                at = base
            case typed.FieldOf(base=base) | typed.ElementOf(base=base):
                at = base
            case typed.LocalRef():
                return _local_is_assignable(ctx, body.symbols[at.local], found)
            case typed.BindingRef():
                return _binding_is_assignable(ctx, at.binding, found)
            case _:
                _not_a_place(ctx, at, found)
                return False


def _local_is_assignable(ctx: Context, symbol: LocalSymbol, found: typed.Expression) -> bool:
    if symbol.local is not None and is_opaque(symbol.local.type):
        return is_value(ctx, found)
    if symbol.kind != "loop variable":
        return True
    ctx.error(
        "E0322",
        found.span,
        f"`{symbol.name}` is the variable of a `for` loop and cannot be assigned to",
        notes=declared_here(symbol.name, symbol.span),
        help=f"copy it: `let n = {symbol.name}`",
    )
    return False


def _binding_is_assignable(ctx: Context, binding: typed.Binding, found: typed.Expression) -> bool:
    if binding.space is Space.STORAGE and binding.access is typed.Access.READ:
        what, help_ = "a readonly buffer", "declare it as `buffer storage`"
    elif binding.space in (Space.STORAGE, Space.WORKGROUP):
        return True
    else:
        what, help_ = "a uniform", "use a `buffer storage` for what a shader writes"
    ctx.error(
        "E0323",
        found.span,
        f"`{binding.name}` is {what} and cannot be written",
        notes=declared_here(binding.name, binding.span),
        help=help_,
    )
    return False


def _not_a_place(ctx: Context, root: typed.Expression, found: typed.Expression) -> None:
    if isinstance(root, typed.ConstantRef | typed.SpecRef):
        name = root.constant.name
        ctx.error(
            "E0322",
            found.span,
            f"`{name}` is a const and cannot be assigned to",
            notes=declared_here(name, root.constant.span),
            help="use a local variable: `let`",
        )
        return
    ctx.error(
        "E0322",
        found.span,
        "this cannot be assigned to: it is a value, not a place",
        help="assign to a variable, or to a field, element or swizzle of one",
    )


def may_read(ctx: Context, found: typed.Expression) -> bool:
    """Whether a place that was checked for writing may be read too; reports it if not."""
    root = found
    while isinstance(root, typed.FieldOf | typed.ElementOf | typed.SwizzleOf):
        root = root.base
    if not isinstance(root, typed.BindingRef) or root.binding.access is not typed.Access.WRITE:
        return True
    _unreadable(ctx, root.binding, found.span)
    return False


def _unreadable(ctx: Context, binding: typed.Binding, span: Span) -> None:
    ctx.error(
        "E0323",
        span,
        f"`{binding.name}` is a writeonly buffer and cannot be read",
        notes=declared_here(binding.name, binding.span),
        help="declare it as `buffer storage`",
    )
