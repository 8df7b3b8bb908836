"""Products in normal form: factors with signed powers, cheapest shapes first.

Rules cannot tidy products without trying every association.  So a product is read off the graph
as what it is, a multiset of factors, and written again in the order that costs least: constants
and uniforms first, what loops do not change before what they do, scalars before vectors, one
reciprocal for all denominators, one root for all roots.  The graph is told that both are equal;
extraction still chooses.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from luma.language.numbers import f32
from luma.language.types import FLOAT, Type, Vector
from luma.optimizer.factors import Powers, Product, Reader, frequencies, roots, tangled
from luma.optimizer.schema import CONSTRUCTORS, PINNED, own_number
from luma.optimizer.term import Graph, Node, Ref, Term, TermArg

#: So many factors may multiply up below one fraction bar; more could overflow.
_MAX_DENOMINATOR = 8
#: Classes without a value are named by terms that reach one in so many steps.
_FAR = 5


@dataclass(frozen=True, slots=True)
class Depths:
    """In how many loops the leaves and the blocks of terms are, by their numbers in terms."""

    leaves: Mapping[int, int]
    blocks: Mapping[int, int]

    def of(self, node: Node) -> int:
        """The depth of a leaf, or of a node that is bound to a block."""
        number = own_number(node)
        found = self.leaves if node.constructor == "Leaf" else self.blocks
        return 0 if number is None else found.get(number, 0)


def proposals(graph: Graph, depths: Depths) -> list[tuple[Ref | Term, Term]]:
    """For each product worth it a class, as a term, and another term equal to it.

    Only products of 32-bit floats: reassociated ones of 16 bits would soon overflow.
    """
    reader = Reader(graph)
    products = [
        c
        for c in roots(graph, reader)
        if reader.is_product(c) and tangled(reader.product(c), graph.nodes[c])
    ]
    writer = _Writer(graph, reader, _levels(graph, depths), frequencies(reader, products))
    present = _Present(graph)
    found: list[tuple[Ref | Term, Term]] = []
    for c in products:
        tried: list[Term] = []
        for term in writer.forms(reader.product(c), graph.nodes[c][0].type):
            if term in tried:
                continue
            tried.append(term)
            short, number = present.shortened(term)
            whole = writer.expression(c)
            if number != c and whole is not None and isinstance(short, Term):
                found.append((whole, short))
    return found


class _Present:
    """What the graph has already."""

    def __init__(self, graph: Graph) -> None:
        self.classes = graph.classes
        self.values = _values(graph)
        self.numbers = {
            _key(n.constructor, n.type, n.args): c
            for c, nodes in enumerate(graph.nodes)
            for n in nodes
        }

    def shortened(self, term: Ref | Term) -> tuple[Ref | Term, int | None]:
        """A term with values for the parts of it that the graph has; its class, if it has one."""
        if isinstance(term, Ref):
            return term, self.classes[term.id]
        args: list[TermArg] = []
        numbers: list[int | float | str | Type | None] = []
        for a in term.args:
            if isinstance(a, Ref | Term):
                short, number = self.shortened(a)
                args.append(short)
                numbers.append(number)
            else:
                args.append(a)
                numbers.append(a)
        number = self.numbers.get(_key(term.constructor, term.type, tuple(numbers)))
        if number is None and term.constructor == "Mul":
            number = self.numbers.get(_key("Mul", term.type, (numbers[1], numbers[0])))
        if number in self.values:
            return Ref(self.values[number]), number
        return Term(term.constructor, term.type, tuple(args)), number


def _values(graph: Graph) -> dict[int | None, int]:
    """The first value of each class that has one."""
    values: dict[int | None, int] = {}
    for id, c in graph.classes.items():
        values.setdefault(c, id)
    return values


def _key(constructor: str, type: Type, args: tuple[object, ...]) -> tuple[object, ...]:
    return (constructor, type if constructor in _TYPED else None, args)


#: Terms whose arguments do not tell their type.
_TYPED = frozenset({"Lit", "Int", "Splat", "Convert"})


def _levels(graph: Graph, depths: Depths) -> list[int]:
    """In how many loops each class must be computed at the least; -1 if it is all uniform."""
    users: list[list[tuple[int, Node]]] = [[] for _ in graph.nodes]
    levels = [_NOWHERE] * len(graph.nodes)
    work: deque[tuple[int, Node]] = deque()
    for c, nodes in enumerate(graph.nodes):
        for node in nodes:
            for kid in node.kids:
                users[kid].append((c, node))
            if not node.kids:
                work.append((c, node))
    while work:
        c, node = work.popleft()
        level = max([levels[k] for k in node.kids], default=-1)
        if node.constructor == "Leaf" or node.constructor in PINNED:
            level = max(level, depths.of(node))
        if level < levels[c]:
            levels[c] = level
            work.extend(users[c])
    return levels


#: The level of what cannot be computed from anything.
_NOWHERE = 1_000_000


# ---------------------------------------------------------------- writing


class _Writer:
    """Products as terms."""

    def __init__(
        self, graph: Graph, reader: Reader, levels: list[int], frequencies: Counter[int]
    ) -> None:
        self.graph, self.reader = graph, reader
        self.levels, self.frequencies = levels, frequencies
        self.values = _values(graph)
        self.expressions: dict[int, Ref | Term | None] = {}

    # ------------------------------------------------------------ classes

    def expression(self, c: int, depth: int = 0) -> Ref | Term | None:
        """A class by a value in it, or else by how it is made of such; None if that is far."""
        if c in self.values:
            return Ref(self.values[c])
        if c not in self.expressions:
            self.expressions[c] = None  # not by way of itself
            if depth < _FAR:
                terms = (self._term(node, depth + 1) for node in self.graph.nodes[c])
                self.expressions[c] = next((t for t in terms if t is not None), None)
        return self.expressions[c]

    def _term(self, node: Node, depth: int) -> Term | None:
        args: list[TermArg] = []
        for sort, a in zip(CONSTRUCTORS[node.constructor].sorts, node.args, strict=True):
            argument = self.expression(a, depth) if sort == "E" else a  # type: ignore[arg-type]
            if argument is None:
                return None
            args.append(argument)
        return Term(node.constructor, node.type, tuple(args))

    # ------------------------------------------------------------ forms

    def forms(self, product: Product, type: Type) -> Iterator[Term]:
        """The ways of writing a product that may be the cheapest."""
        layers = self._layers(product)
        for split in ([product],) if len(layers) < 2 else ([product], layers):
            term = self._product(split, type)
            if term is not None:
                yield term
        if isinstance(type, Vector):
            yield from self._into_sums(product, type)

    def _into_sums(self, product: Product, type: Type) -> Iterator[Term]:
        """With the scalars multiplied into a sum of scaled vectors: (v * a + w * b) * s.

        That is two products of scalars for one of a vector.
        """
        if not product.scalars:
            return
        for c, e in product.vectors.items():
            for node in self.graph.nodes[c]:
                if e == 2 and node.constructor in ("Add", "Sub"):
                    sides = [self.reader.product(k) for k in node.args]  # type: ignore[arg-type]
                    if all(side.scalars and len(side.vectors) < 2 for side in sides):
                        try:
                            yield self._scaled_sum(node, sides, product, c)
                        except _Unwritable:
                            continue
                        return

    def _scaled_sum(self, node: Node, sides: list[Product], product: Product, c: int) -> Term:
        scale = self._fraction(product.coefficient, product.scalars, FLOAT)
        terms = []
        for side in sides:
            scalar = _multiply(self._fraction(side.coefficient, side.scalars, FLOAT), scale)
            vector = self._fraction(1.0, side.vectors, node.type)
            assert scalar is not None
            terms.append(_multiply(vector, Term("Splat", node.type, (scalar,)), node.type))
        sum = Term(node.constructor, node.type, tuple(t for t in terms if t is not None))
        rest = {v: e for v, e in product.vectors.items() if v != c}
        whole = _multiply(self._fraction(1.0, rest, node.type), sum, node.type)
        assert isinstance(whole, Term)
        return whole

    def _layers(self, product: Product) -> list[Product]:
        """The product in parts, by how deep in loops each can be computed."""
        depths: dict[int, Product] = {}
        for vectors, powers in ((False, product.scalars), (True, product.vectors)):
            for c, e in powers.items():
                depth = max(self.levels[c], 0)
                part = depths.setdefault(depth, Product(1.0, {}, {}))
                (part.vectors if vectors else part.scalars)[c] = e
        layers = [depths[depth] for depth in sorted(depths)]
        if layers:
            layers[0] = layers[0]._replace(coefficient=product.coefficient)
        return layers

    def _product(self, parts: list[Product], type: Type) -> Term | None:
        """The parts one after the other; what is invariant to the rest is finished first."""
        vector: Ref | Term | None = None
        scalar: Ref | Term | None = None
        for at, part in enumerate(parts):
            try:
                scalar = _multiply(scalar, self._fraction(part.coefficient, part.scalars, FLOAT))
                vector = _multiply(vector, self._fraction(1.0, part.vectors, type), type)
            except _Unwritable:
                return None
            if vector is not None and scalar is not None and at + 1 < len(parts):
                vector = Term("Mul", type, (vector, Term("Splat", type, (scalar,))))
                scalar = None
        if scalar is None:
            return vector if isinstance(vector, Term) else None
        if isinstance(type, Vector):
            scalar = Term("Splat", type, (scalar,))
        whole = _multiply(vector, scalar, type)
        return whole if isinstance(whole, Term) else None

    def _fraction(self, coefficient: float, powers: Powers, type: Type) -> Ref | Term | None:
        """Coefficient and factors as at most one fraction with at most one root; None for 1."""
        whole = {c: n for c, e in powers.items() if (n := int(e / 2))}  # toward zero
        plus = [c for c, e in powers.items() if e % 2 and e > 0]
        minus = [c for c, e in powers.items() if e % 2 and e < 0]
        root: Ref | Term | None = None
        if plus:
            root = Term("Sqrt", type, (self._fold(plus, type),))
        if minus:  # not one root: where x is 0, sqrt(x) is, but x * inversesqrt(x) is not
            root = _multiply(root, Term("InverseSqrt", type, (self._fold(minus, type),)), type)
        squarings = 0
        while whole and all(e % 2 == 0 for e in whole.values()):
            whole = {c: e // 2 for c, e in whole.items()}
            squarings += 1
        above = self._power_product({c: e for c, e in whole.items() if e > 0}, type)
        below = self._power_product({c: -e for c, e in whole.items() if e < 0}, type)
        if sum(-e for e in whole.values() if e < 0) > _MAX_DENOMINATOR:
            raise _Unwritable
        factor = _literal(abs(coefficient), type)
        if not squarings:
            above, root, factor = _multiply(_multiply(above, factor, type), root, type), None, None
        if below is not None:
            above = Term("Div", type, (above or _literal(1.0, type, always=True), below))  # type: ignore[arg-type]
        for _ in range(squarings):
            assert above is not None
            above = Term("Mul", type, (above, above))
        result = _multiply(_multiply(above, factor, type), root, type)
        if coefficient < 0:
            result = result if result is not None else _literal(1.0, type, always=True)
            result = Term("Neg", type, (result,))  # type: ignore[arg-type]
        return result

    def _power_product(self, powers: Powers, type: Type) -> Ref | Term | None:
        """The factors multiplied up, by squaring what they have in common."""
        if not powers:
            return None
        odd = [c for c, e in powers.items() if e % 2]
        half = {c: e // 2 for c, e in powers.items() if e > 1}
        result = self._fold(odd, type) if odd else None
        if half:
            root = self._power_product(half, type)
            assert root is not None
            result = _multiply(result, Term("Mul", type, (root, root)), type)
        return result

    def _fold(self, factors: Iterable[int], type: Type) -> Ref | Term:
        """Factors multiplied from the left, in the order in which most can be shared."""
        result: Ref | Term | None = None
        for c in sorted(factors, key=self._order):
            factor = self.expression(c)
            if factor is None:
                raise _Unwritable
            result = _multiply(result, factor, type)
        assert result is not None
        return result

    def _order(self, c: int) -> tuple[int, int, int]:
        return (self.levels[c], -self.frequencies[c], c)


class _Unwritable(Exception):
    """A factor that no term can name, or a product that is better left alone."""


def _multiply(a: Ref | Term | None, b: Ref | Term | None, type: Type = FLOAT) -> Ref | Term | None:
    """The product of two terms, None standing for 1."""
    if a is None or b is None:
        return b if a is None else a
    return Term("Mul", type, (a, b))


def _literal(value: float, type: Type, *, always: bool = False) -> Term | None:
    """A number of a type; None for 1 unless one is needed ``always``."""
    if value == 1.0 and not always:
        return None
    literal = Term("Lit", FLOAT, (f32(value),))
    return Term("Splat", type, (literal,)) if isinstance(type, Vector) else literal
