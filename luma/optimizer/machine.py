"""What a GPU executes: parts that several builtins share, and products fused into sums.

Drivers take builtins apart and share the parts: ``normalize(v)`` and ``dot(v, v)`` square v once,
``a / x`` and ``b / x`` divide once.  And a product that only a sum needs costs nothing beside it.
So that extraction pays what the GPU will, terms get *parts* as operands that no code is made for,
and sums of products get *fused* forms, which :func:`unfuse` turns back once all is chosen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from luma.language.types import FLOAT, HALF, Type, Vector, width
from luma.optimizer.extract import Choice, Nodes, postorder
from luma.optimizer.schema import CYCLE, FUSED, INSTRUCTION, PART, in_loops
from luma.optimizer.term import Node, priced

#: Issue cycles of a reciprocal or a root.
_TRANSCENDENTAL = 4


def with_parts(nodes: Nodes, depths: Sequence[int]) -> Nodes:
    """The nodes of classes with fused forms among them, and after them those of parts.

    ``depths`` tells in how many loops each class is computed.  Drivers move nothing out of loops:
    a part is computed where its users are, however early it might be.
    """
    return _Machine(nodes, depths).run()


def _is_float(type: Type) -> bool:
    return type in (FLOAT, HALF) or (isinstance(type, Vector) and type.elem in (FLOAT, HALF))


class _Machine:
    def __init__(self, nodes: Nodes, depths: Sequence[int]) -> None:
        self.nodes, self.depths = nodes, depths
        self.depth = 0
        self.numbers: dict[tuple[str, int, int], int] = {}
        self.made: list[list[Node]] = []
        #: The vector that each class is the square of.
        self.squared: dict[int, int] = {}

    def run(self) -> Nodes:
        for c, nodes in enumerate(self.nodes):
            for node in nodes:
                if node.constructor == "Dot" and len(node.kids) == 1:
                    self.squared[c] = node.kids[0]
        classes = []
        for nodes, depth in zip(self.nodes, self.depths, strict=True):
            self.depth = depth
            classes.append(self._class(nodes))
        return classes + self.made

    def _class(self, nodes: list[Node]) -> list[Node]:
        if not nodes or not _is_float(nodes[0].type):
            return nodes
        return [*map(self._divided, nodes), *self._whole_roots(nodes), *self._fused(nodes)]

    # ------------------------------------------------------------ parts

    def _divided(self, node: Node) -> Node:
        """The node with what it may share with others as an operand."""
        match node.constructor:
            case "Div":
                return self._quotient(node)
            case "InverseSqrt":
                part = self._root(node.kids[0], node.type)
                return _with(node, part, _TRANSCENDENTAL * width(node.type))
            case "Dot" if len(node.kids) == 1:
                return _with(node, *self._square(node))
            case "Length":
                return _with(node, *self._square(node))
            case "Normalize":
                square, cycles = self._square(node)
                part = self._part("root", square, FLOAT, _TRANSCENDENTAL)
                return _with(node, part, _TRANSCENDENTAL + cycles)
        return node

    def _whole_roots(self, nodes: Iterable[Node]) -> list[Node]:
        """Inverse roots of squares for themselves: there may be a cheaper way to the square."""
        return [n for n in nodes if n.constructor == "InverseSqrt" and n.kids[0] in self.squared]

    def _quotient(self, node: Node) -> Node:
        above, below = node.args
        assert isinstance(above, int) and isinstance(below, int)
        size = width(node.type)
        part = self._part("reciprocal", below, node.type, _TRANSCENDENTAL * size)
        one = any(n.constructor == "Lit" and n.args[0] == 1.0 for n in self.nodes[above])
        return _with(node, part, (_TRANSCENDENTAL + one) * size)

    def _root(self, c: int, type: Type) -> int:
        """The inverse root of a class; of a square, what ``normalize`` takes."""
        vector = self.squared.get(c)
        if vector is None:
            return self._part("root", c, type, _TRANSCENDENTAL * width(type))
        size = width(self.nodes[vector][0].type)
        square = self._part("square", vector, FLOAT, size)
        return self._part("root", square, FLOAT, _TRANSCENDENTAL)

    def _square(self, node: Node) -> tuple[int, int]:
        """The square of a node's operand, and what it costs."""
        vector = node.kids[0]
        size = width(self.nodes[vector][0].type)
        return self._part("square", vector, FLOAT, size), size

    def _part(self, kind: str, of: int, type: Type, cycles: int) -> int:
        key = (kind, of, self.depth)
        number = self.numbers.get(key)
        if number is None:
            number = self.numbers[key] = len(self.nodes) + len(self.made)
            part = Node(PART, type, (kind,), (of,), CYCLE * cycles)
            self.made.append([priced(part, in_loops(part, self.depth))])
        return number

    # ------------------------------------------------------------ fused forms

    def _fused(self, nodes: Iterable[Node]) -> list[Node]:
        """Sums and differences with a product among their operands, as one operation."""
        found: dict[tuple[object, ...], Node] = {}
        for node in nodes:
            if node.constructor not in ("Add", "Sub"):
                continue
            left, right = node.args
            for product, other in ((left, right), (right, left)):
                for factor in self.nodes[product]:  # type: ignore[index]
                    if factor.constructor in ("Mul", "Dot") and len(factor.kids) == 2:
                        fused = _fuse(node, product, factor, other)
                        key = (factor.constructor, product == left, other, *sorted(factor.kids))
                        found.setdefault(key, fused)
        return list(found.values())


def _with(node: Node, part: int, cycles: int) -> Node:
    """The node with a part, which takes some cycles over."""
    kids = (*node.kids, part)
    return Node(node.constructor, node.type, node.args, kids, node.cost - CYCLE * cycles)


def _fuse(node: Node, product: object, factor: Node, other: object) -> Node:
    kids = tuple(dict.fromkeys((*factor.kids, other)))
    cycles = width(node.type) if factor.constructor == "Mul" else width(factor.args[0])  # type: ignore[arg-type]
    cost = CYCLE * cycles + 2 * INSTRUCTION
    args = (node.constructor, *node.args, product, factor.constructor, *factor.args)
    return Node(FUSED, node.type, args, kids, cost)  # type: ignore[arg-type]


def unfuse(choice: Choice, roots: Iterable[int]) -> Choice:
    """The choice with a sum and a product for every fused form.

    The product's class may have been chosen otherwise for another user.  It keeps that where it is
    computed before the sum, which then cannot be what it is computed from.
    """
    choice = list(choice)
    order = postorder(choice, roots)
    position = {c: float(at) for at, c in enumerate(order)}
    for c in order:
        node = choice[c]
        if node is None or node.constructor != FUSED:
            continue
        constructor, left, right, product, kind, *factors = node.args
        assert isinstance(product, int) and isinstance(left, int) and isinstance(right, int)
        if position.get(product, len(order)) > position[c]:
            kids = tuple(dict.fromkeys(f for f in factors if type(f) is int))
            choice[product] = Node(str(kind), node.type, tuple(factors), kids, 0)
            position[product] = position[c] - 0.5
        kids = tuple(dict.fromkeys((left, right)))
        choice[c] = Node(str(constructor), node.type, (left, right), kids, 0)
    return choice
