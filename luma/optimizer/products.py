"""Products in normal form: factors with signed powers, cheapest shapes first.

Rules cannot tidy products without trying every association.  So a product is read off the graph
as what it is, a multiset of factors, and written again in the order that costs least: constants
and uniforms first, what loops do not change before what they do, scalars before vectors, one
reciprocal for all denominators, one root for all roots.  The graph is told that both are equal;
extraction still chooses.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from luma.language.numbers import f32
from luma.language.types import FLOAT, Type, Vector
from luma.optimizer.schema import CONSTRUCTORS, PINNED, own_number
from luma.optimizer.term import Graph, Node, Ref, Term, TermArg

#: Factors and their powers, in halves: 2 is a factor, -2 a divisor, 1 a square root.
Powers = dict[int, int]

#: Products of more factors, and powers above, are left as they are.
MAX_FACTORS, MAX_POWER = 16, 8
#: So many factors may multiply up below one fraction bar; more could overflow.
_MAX_DENOMINATOR = 8
#: Products nested deeper are read in parts.
_DEEPEST = 40
#: Classes without a value are named by terms that reach one in so many steps.
_FAR = 5


class Product(NamedTuple):
    """A coefficient times classes to some powers; those of vectors are by component."""

    coefficient: float
    scalars: Powers
    vectors: Powers


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
    reader = _Reader(graph)
    roots = [
        c
        for c in _roots(graph, reader)
        if reader.is_product(c) and _tangled(reader.product(c), graph.nodes[c])
    ]
    writer = _Writer(graph, _levels(graph, depths), _frequencies(reader, roots))
    found: list[tuple[Ref | Term, Term]] = []
    for c in roots:
        whole = writer.expression(c)
        if whole is not None:
            type = graph.nodes[c][0].type
            terms = dict.fromkeys(writer.forms(reader.product(c), type))
            found += [(whole, term) for term in terms]
    return found


def _is_float(type: Type) -> bool:
    return type == FLOAT or (isinstance(type, Vector) and type.elem == FLOAT)


# ---------------------------------------------------------------- reading


def _alone(c: int, type: Type) -> Product:
    return Product(1.0, {}, {c: 2}) if isinstance(type, Vector) else Product(1.0, {c: 2}, {})


def _powers(powers: Powers, k: int) -> Powers:
    return {c: e * k for c, e in powers.items()}


def _joined(a: Powers, b: Powers) -> Powers:
    joined = dict(a)
    for c, e in b.items():
        joined[c] = joined.get(c, 0) + e
    return {c: e for c, e in joined.items() if e}


def _bounded(product: Product) -> Product | None:
    """The product, unless it is too large or its coefficient is not an ordinary number."""
    powers = (*product.scalars.values(), *product.vectors.values())
    if len(powers) > MAX_FACTORS or any(abs(e) > 2 * MAX_POWER for e in powers):
        return None
    size = abs(product.coefficient)
    return product if 1e-30 <= size <= 1e30 else None


class _Reader:
    """The product that each class is."""

    def __init__(self, graph: Graph) -> None:
        self.nodes = graph.nodes
        self.known: dict[int, Product] = {}
        self.being_read: set[int] = set()

    def product(self, c: int) -> Product:
        """The class as a product; of itself alone if it is none."""
        known = self.known.get(c)
        if known is not None:
            return known
        type = self.nodes[c][0].type
        if c in self.being_read or len(self.being_read) > _DEEPEST:
            return _alone(c, type)
        self.being_read.add(c)
        best = min(self._readings(c, type), key=_weight, default=_alone(c, type))
        self.being_read.discard(c)
        self.known[c] = best
        return best

    def is_product(self, c: int) -> bool:
        """Whether the class is more than a factor by itself."""
        product = self.product(c)
        return c not in product.scalars and c not in product.vectors

    def _readings(self, c: int, type: Type) -> Iterator[Product]:
        if not _is_float(type):
            return
        value = self.constant(c)
        if value is not None:
            if value:
                yield Product(value, {}, {})
            return
        for node in self.nodes[c]:
            read = _READINGS.get(node.constructor)
            if read is not None and not self.being_read.intersection(node.kids):
                found = read(self, node)
                if found is not None and (found := _bounded(self._expanded(found))) is not None:
                    yield found

    def _expanded(self, product: Product) -> Product:
        """With what roots cancelled out of taken apart: sqrt(x) * sqrt(x) is the product x."""
        for c, e in (*product.scalars.items(), *product.vectors.items()):
            if e % 2 == 0 and c not in self.being_read:
                inner = self.product(c)
                if c not in inner.scalars and c not in inner.vectors:
                    rest = Product(
                        product.coefficient,
                        {k: n for k, n in product.scalars.items() if k != c},
                        {k: n for k, n in product.vectors.items() if k != c},
                    )
                    product = _times(rest, _raised(inner, e // 2))
        return product

    def constant(self, c: int) -> float | None:
        """The number that a class is in every component, if it is one."""
        for node in self.nodes[c]:
            if node.constructor == "Lit":
                return float(node.args[0])  # type: ignore[arg-type]
            if node.constructor == "Splat" and node.kids[0] not in self.being_read:
                for inner in self.nodes[node.kids[0]]:
                    if inner.constructor == "Lit":
                        return float(inner.args[0])  # type: ignore[arg-type]
        return None


def _weight(product: Product) -> int:
    """How long a product is; the shortest reading of a class is taken."""
    size = sum(abs(e) for e in product.scalars.values())
    return size + 3 * sum(abs(e) for e in product.vectors.values())


def _times(a: Product, b: Product) -> Product:
    return Product(
        a.coefficient * b.coefficient, _joined(a.scalars, b.scalars), _joined(a.vectors, b.vectors)
    )


def _raised(product: Product, k: int) -> Product:
    try:
        coefficient = product.coefficient**k
    except OverflowError:
        coefficient = math.inf
    return Product(coefficient, _powers(product.scalars, k), _powers(product.vectors, k))


def _multiplication(reader: _Reader, node: Node) -> Product:
    left, right = node.args
    return _times(reader.product(left), reader.product(right))  # type: ignore[arg-type]


def _division(reader: _Reader, node: Node) -> Product:
    left, right = node.args
    return _times(reader.product(left), _raised(reader.product(right), -1))  # type: ignore[arg-type]


def _negation(reader: _Reader, node: Node) -> Product:
    inner = reader.product(node.kids[0])
    return inner._replace(coefficient=-inner.coefficient)


def _root(halves: int) -> Callable[[_Reader, Node], Product]:
    """Roots stay whole: what is under one may be a product of two negative numbers."""

    def read(reader: _Reader, node: Node) -> Product:
        return _of_power(node.kids[0], node.type, halves)

    return read


def _of_power(c: int, type: Type, halves: int) -> Product:
    powers = {c: halves}
    return Product(1.0, {}, powers) if isinstance(type, Vector) else Product(1.0, powers, {})


def _power(reader: _Reader, node: Node) -> Product | None:
    base, exponent = node.args
    k = reader.constant(exponent)  # type: ignore[arg-type]
    if k is None or 2 * k != int(2 * k) or not 0 < abs(k) <= MAX_POWER:
        return None
    if k == int(k):
        return _raised(reader.product(base), int(k))  # type: ignore[arg-type]
    return _of_power(base, node.type, int(2 * k))  # type: ignore[arg-type]


#: How the terms that products are made of are read.
_READINGS: dict[str, Callable[[_Reader, Node], Product | None]] = {
    "Mul": _multiplication,
    "Div": _division,
    "Neg": _negation,
    "Sqrt": _root(1),
    "InverseSqrt": _root(-1),
    "Pow": _power,
    "Splat": lambda reader, node: reader.product(node.kids[0]),
}

#: Products go on through these; users of other kinds need a product as a value.
_INNER = frozenset({"Mul", "Div", "Neg", "Splat"})


def _roots(graph: Graph, reader: _Reader) -> list[int]:
    """The products that are not just part of one other product."""
    inside: Counter[int] = Counter()
    needed: set[int] = set()
    for c, nodes in enumerate(graph.nodes):
        for node in nodes:
            if node.constructor in _INNER and _is_float(node.type) and reader.is_product(c):
                inside.update(node.kids)
            else:
                needed.update(node.kids)
    values = set(graph.classes.values())
    return [
        c
        for c in range(len(graph.nodes))
        if c in needed or inside[c] > 1 or (c in values and not inside[c])
    ]


def _tangled(product: Product, nodes: Iterable[Node]) -> bool:
    """Whether there is another way worth writing the product than what is there."""
    powers = product.scalars | product.vectors
    factors = sum(abs(e) for e in powers.values()) + 2 * (product.coefficient != 1.0)
    if factors > 4 or (len(powers) > 1 and any(e % 2 for e in powers.values())):
        return True
    return all(powers.keys() != set(node.kids) for node in nodes) and product.coefficient == 1.0


def _frequencies(reader: _Reader, roots: Iterable[int]) -> Counter[int]:
    """In how many products each factor is."""
    found: Counter[int] = Counter()
    for c in roots:
        product = reader.product(c)
        found.update(product.scalars.keys())
        found.update(product.vectors.keys())
    return found


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

    def __init__(self, graph: Graph, levels: list[int], frequencies: Counter[int]) -> None:
        self.graph, self.levels, self.frequencies = graph, levels, frequencies
        self.values: dict[int, int] = {}
        for id, c in graph.classes.items():
            self.values.setdefault(c, id)
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
        whole, plus, minus = _split_roots(powers)
        root: Ref | Term | None = None
        if minus:
            root = Term("InverseSqrt", type, (self._fold(minus, type),))
        elif plus:
            root = Term("Sqrt", type, (self._fold(plus, type),))
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


def _split_roots(powers: Powers) -> tuple[Powers, list[int], list[int]]:
    """Whole powers, what is under a root, and what is under an inverse root.

    Where both roots occur they become one: sqrt(x) is x * inversesqrt(x).
    """
    whole = {c: int(e / 2) for c, e in powers.items()}  # toward zero
    plus = [c for c, e in powers.items() if e % 2 and e > 0]
    minus = [c for c, e in powers.items() if e % 2 and e < 0]
    if minus:
        for c in plus:
            whole[c] += 1
        plus, minus = [], minus + plus
    return {c: e for c, e in whole.items() if e}, plus, minus


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
