"""Products as multisets of factors with signed powers, read off the graph."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from luma.language.types import FLOAT, Type, Vector
from luma.optimizer.term import Graph, Node

#: Factors and their powers, in halves: 2 is a factor, -2 a divisor, 1 a square root.
Powers = dict[int, int]

#: Products of more factors, and powers above, are left as they are.
MAX_FACTORS, MAX_POWER = 16, 8
#: Products nested deeper are read in parts.
_DEEPEST = 40


class Product(NamedTuple):
    """A coefficient times classes to some powers; those of vectors are by component."""

    coefficient: float
    scalars: Powers
    vectors: Powers


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


class Reader:
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
        nodes = self.nodes[c]
        if not nodes:
            return Product(1.0, {c: 2}, {})
        type = nodes[0].type
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


def _multiplication(reader: Reader, node: Node) -> Product:
    left, right = node.args
    return _times(reader.product(left), reader.product(right))  # type: ignore[arg-type]


def _division(reader: Reader, node: Node) -> Product:
    left, right = node.args
    return _times(reader.product(left), _raised(reader.product(right), -1))  # type: ignore[arg-type]


def _negation(reader: Reader, node: Node) -> Product:
    inner = reader.product(node.kids[0])
    return inner._replace(coefficient=-inner.coefficient)


def _root(halves: int) -> Callable[[Reader, Node], Product]:
    """Roots stay whole: what is under one may be a product of two negative numbers."""

    def read(reader: Reader, node: Node) -> Product:
        return _of_power(node.kids[0], node.type, halves)

    return read


def _of_power(c: int, type: Type, halves: int) -> Product:
    powers = {c: halves}
    return Product(1.0, {}, powers) if isinstance(type, Vector) else Product(1.0, powers, {})


def _power(reader: Reader, node: Node) -> Product | None:
    base, exponent = node.args
    k = reader.constant(exponent)  # type: ignore[arg-type]
    if k is None or 2 * k != int(2 * k) or not 0 < abs(k) <= MAX_POWER:
        return None
    if k == int(k):
        return _raised(reader.product(base), int(k))  # type: ignore[arg-type]
    return _of_power(base, node.type, int(2 * k))  # type: ignore[arg-type]


#: How the terms that products are made of are read.
_READINGS: dict[str, Callable[[Reader, Node], Product | None]] = {
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


def roots(graph: Graph, reader: Reader) -> list[int]:
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


def tangled(product: Product, nodes: Iterable[Node]) -> bool:
    """Whether there is another way worth writing the product than what is there."""
    powers = product.scalars | product.vectors
    factors = sum(abs(e) for e in powers.values()) + 2 * (product.coefficient != 1.0)
    if factors > 4 or (len(powers) > 1 and any(e % 2 for e in powers.values())):
        return True
    return all(powers.keys() != set(node.kids) for node in nodes) and product.coefficient == 1.0


def frequencies(reader: Reader, roots: Iterable[int]) -> Counter[int]:
    """In how many products each factor is."""
    found: Counter[int] = Counter()
    for c in roots:
        product = reader.product(c)
        found.update(product.scalars.keys())
        found.update(product.vectors.keys())
    return found
