"""Doing again, one wave of firings after the other, what the rules did to a graph.

The recorders tell on what each rule fired, in the classes of the finished graph.  Here a firing
waits until its left side is there among the terms made so far, and then makes its right side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from luma.language.types import BOOL, FLOAT, HALF, INT, UINT, Matrix, Scalar, Type, Vector
from luma.optimizer.provenance.forest import SORTS, Forest, Key, Made, Same, Unknown, Vertex, key
from luma.optimizer.provenance.recording import Recorder, RecordingRules, Row
from luma.optimizer.rulefiles.scope import variables_of
from luma.optimizer.rulefiles.tree import Call, Literal, Pattern, Var, shown
from luma.optimizer.term import Definition, Graph, Ref, Term

_SCALARS: dict[str, Scalar] = {"Bool": BOOL, "I32": INT, "U32": UINT, "F32": FLOAT, "F16": HALF}


@dataclass(frozen=True, slots=True, eq=False)
class Firing:
    """A rule that fired: its left side is the term ``left``, its right side ``right``.

    ``bound`` has the terms that the pattern's variables stood for.  ``inner`` are pairs of equal
    terms: an operand as some term of the left side has it, and the form of it that the pattern
    found or that makes a condition hold.  ``wave`` tells how many firings, one upon the other,
    came before; ``number`` in which order this one was done again.
    """

    recorder: Recorder | None
    bound: Mapping[str, Vertex]
    left: Vertex
    right: Vertex
    inner: tuple[tuple[Vertex, Vertex], ...]
    wave: int
    number: int
    effective: bool

    @property
    def rule(self) -> str:
        """The rule's name."""
        return PRODUCTS if self.recorder is None else self.recorder.rule.name


#: What products in normal form come from, instead of a rule.
PRODUCTS = "products"
SUMMARY = "a product written in the order that costs least"


class Replay:
    """The terms of a batch of functions, and every firing among them."""

    def __init__(
        self, definitions: Sequence[Definition], rules: RecordingRules, graph: Graph
    ) -> None:
        self.forest = Forest(_final(graph, rules))
        #: The term that each value was defined by.
        self.values: dict[int, Vertex] = {}
        self.firings: list[Firing] = []
        #: Pairs of terms that stand for one value from the first.
        self.same: list[tuple[Vertex, Vertex]] = []
        self._define(definitions)
        #: How many terms the functions have as they are written.
        self.written = len(self.forest.made)
        self._run(list(rules.firings()), list(rules.united))
        #: How often terms are equal for a reason that was not seen: never, if all went well.
        self.unknown = self._complete()
        #: A vertex for each term of the finished graph, by :func:`key` with its classes.
        self.vertices: dict[Key, Vertex] = {}
        for v, made in enumerate(self.forest.made):
            self.vertices.setdefault(key(made, self.forest.final.__getitem__), v)

    # ------------------------------------------------------------ what there is at first

    def _define(self, definitions: Sequence[Definition]) -> None:
        for id, term, also, _ in definitions:
            v = self._term(term)
            if v is None:
                continue
            self.values[id] = v
            for other in also:
                equal = self._term(other)
                if equal is not None:
                    self.same.append((v, equal))
                    self.forest.link(v, equal, Same())
        self.forest.settle()

    def _term(self, term: Ref | Term, *, make: bool = True) -> Vertex | None:
        if isinstance(term, Ref):
            return self.values.get(term.id)
        args: list[Any] = []
        for a in term.args:
            if isinstance(a, Ref | Term):
                a = self._term(a, make=make)  # type: ignore[assignment]
                if a is None:
                    return None
            args.append(a)
        made = Made(term.constructor, term.type, tuple(args))
        return self.forest.add(made) if make else self.forest.seen(made)

    # ------------------------------------------------------------ wave upon wave

    def _run(
        self, pending: list[tuple[Recorder, Row]], united: list[tuple[Ref | Term, Term]]
    ) -> None:
        wave = 0
        constants = _constants(self.forest.classes)
        while pending or united:
            found: list[tuple[Recorder | None, Row, _Match | Vertex, Term | None]] = []
            later: list[tuple[Recorder, Row]] = []
            for recorder, row in pending:
                match = _Matcher(self.forest, row, recorder, constants).match()
                if match is None:
                    later.append((recorder, row))
                else:
                    found.append((recorder, row, match, None))
            waiting: list[tuple[Ref | Term, Term]] = []
            for left, right in united:
                v = self._term(left, make=False)
                if v is None:
                    waiting.append((left, right))
                else:
                    found.append((None, {}, v, right))
            if not found and constants:
                constants = frozenset()  # what is left may wait for itself
                continue
            if not found:
                break
            for entry in found:
                self._fire(wave, *entry)
            self.forest.settle()
            pending, united = later, waiting
            wave += 1

    def _fire(
        self,
        wave: int,
        recorder: Recorder | None,
        row: Row,
        match: _Match | Vertex,
        right: Term | None,
    ) -> None:
        before = len(self.forest.made)
        if isinstance(match, int):
            assert right is not None
            left, made = match, self._term(right)
            bound: Mapping[str, Vertex] = {}
            inner: tuple[tuple[Vertex, Vertex], ...] = ()
        else:
            assert recorder is not None
            left, inner, bound = match.root, match.inner, match.bound
            made = _Builder(self.forest, row, recorder, match).build(recorder.right)
        if made is None:
            return
        number = len(self.firings)
        news = self.forest.find(left) != self.forest.find(made)
        effective = news or len(self.forest.made) > before
        firing = Firing(recorder, bound, left, made, inner, wave, number, effective)
        self.forest.link(left, made, firing)
        self.firings.append(firing)

    def _complete(self) -> int:
        """Link what is equal in the end for reasons not seen here; how often there was any."""
        first: dict[int, Vertex] = {}
        count = 0
        for v, c in enumerate(self.forest.final):
            count += self.forest.link(first.setdefault(c, v), v, Unknown())
        return count


def _final(graph: Graph, rules: RecordingRules) -> dict[Key, int]:
    """The class of each term of a graph, helpers included."""
    found: dict[Key, int] = {}
    for name, (type, *args), c in rules.helpers():
        found[name, type, tuple(args)] = c
    for c, nodes in enumerate(graph.nodes):
        for node in nodes:
            found[node.constructor, node.type, node.args] = c
    return found


def _constants(classes: Mapping[Key, int]) -> frozenset[int]:
    """The classes that are literals in the end, or vectors of one."""
    found = {c for (constructor, _, _), c in classes.items() if constructor in ("Lit", "Int")}
    splats = [(args[0], c) for (name, _, args), c in classes.items() if name == "Splat"]
    return frozenset(found | {c for kid, c in splats if kid in found})


# ---------------------------------------------------------------- patterns


def _type_of(pattern: Pattern, row: Row) -> Type:
    match pattern:
        case Var(name):
            return row[name]  # type: ignore[no-any-return]
        case Call("VecT", (elem, size)):
            scalar = _type_of(elem, row)
            assert isinstance(scalar, Scalar)
            return Vector(scalar, _number(size, row))
        case Call("MatT", (columns, rows)):
            return Matrix(_number(columns, row), _number(rows, row))
        case Call(name):
            return _SCALARS[name]
    raise AssertionError(shown(pattern))


def _number(pattern: Pattern, row: Row) -> Any:
    match pattern:
        case Var(name):
            return row[name]
        case Literal(value):
            return value
    return row[shown(pattern)]


def _immediate(sort: str, pattern: Pattern, row: Row) -> Any:
    return _type_of(pattern, row) if sort == "T" else _number(pattern, row)


def _fits(sort: str, pattern: Pattern, found: Any, row: Row) -> bool:
    """Whether what a term has is what the row says, or may be where the row does not say it."""
    match pattern:
        case Var(name) if row[name] is None:
            row[name] = found
            return True
        case Call("VecT", (elem, size)) if isinstance(found, Vector):
            return _fits("T", elem, found.elem, row) and _fits("I", size, found.size, row)
        case Call("MatT", (columns, rows)) if isinstance(found, Matrix):
            return _fits("I", columns, found.cols, row) and _fits("I", rows, found.rows, row)
    return bool(_immediate(sort, pattern, row) == found)


@dataclass(frozen=True, slots=True)
class _Match:
    root: Vertex
    bound: Mapping[str, Vertex]
    inner: tuple[tuple[Vertex, Vertex], ...]


class _Matcher:
    """Finds a rule's left side among the terms made so far, given what its variables became."""

    def __init__(self, forest: Forest, row: Row, recorder: Recorder, constants: Set[int]) -> None:
        self.forest, self.row, self.recorder = forest, row, recorder
        self.constants = constants
        self.bound: dict[str, Vertex] = {}
        self.inner: list[tuple[Vertex, Vertex]] = []

    def match(self) -> _Match | None:
        left = self.recorder.rule.left
        assert isinstance(left, Call)
        for v in self.forest.members.get((self.row[self.recorder.root], left.name), ()):
            for _ in self._term(left, v):
                known = self._conditions()
                if known is not None:
                    return _Match(v, dict(self.bound), (*self.inner, *known))
        return None

    def _conditions(self) -> list[tuple[Vertex, Vertex]] | None:
        """What the conditions speak of, with the literals that it is known to be.

        None if something is not known yet.
        """
        asked = {n for f in self.recorder.rule.conditions for n in variables_of(f)}
        work = [self.bound[n] for n in sorted(asked) if n in self.bound]
        found: list[tuple[Vertex, Vertex]] = []
        while work:
            v = work.pop()
            literal = self._form(v, ("Lit", "Int", "Splat"))
            if literal is not None:
                found.append((v, literal))
                work += self.forest.made[literal].kids
            elif self.forest.final[v] in self.constants:
                return None
        return found

    def _form(self, v: Vertex, constructors: Sequence[str]) -> Vertex | None:
        """The first of some forms that a term has so far."""
        for name in constructors:
            for form in self.forest.members.get((self.forest.final[v], name), ()):
                if self.forest.find(form) == self.forest.find(v):
                    return form
        return None

    def _term(self, pattern: Call, v: Vertex) -> Iterator[None]:
        """Each way in which a pattern fits a term."""
        made = self.forest.made[v]
        sorts = SORTS[pattern.name]
        if not _fits("T", pattern.args[0], made.type, self.row):
            return
        expressions: list[tuple[Pattern, Vertex]] = []
        for sort, p, a in zip(sorts, pattern.args[1:], made.args, strict=True):
            if sort == "E":
                expressions.append((p, a))
            elif not _fits(sort, p, a, self.row):
                return
        yield from self._all(expressions)

    def _all(self, expressions: Sequence[tuple[Pattern, Vertex]]) -> Iterator[None]:
        if not expressions:
            yield
            return
        (pattern, v), *rest = expressions
        for _ in self._operand(pattern, v):
            yield from self._all(rest)

    def _operand(self, pattern: Pattern, v: Vertex) -> Iterator[None]:
        """Each way in which a pattern fits an operand, in one of the operand's forms."""
        if isinstance(pattern, Var):
            known = self.bound.get(pattern.name)
            if known is not None:
                if self.forest.find(known) == self.forest.find(v):
                    self.inner.append((known, v))
                    yield
                    self.inner.pop()
            elif self.forest.final[v] == self.row[pattern.name]:
                self.bound[pattern.name] = v
                yield
                del self.bound[pattern.name]
            return
        assert isinstance(pattern, Call)
        mine = self.forest.find(v)
        for form in self.forest.members.get((self.forest.final[v], pattern.name), ()):
            if self.forest.find(form) == mine:
                self.inner.append((v, form))
                yield from self._term(pattern, form)
                self.inner.pop()


class _Builder:
    """Makes a rule's right side."""

    def __init__(self, forest: Forest, row: Row, recorder: Recorder, match: _Match) -> None:
        self.forest, self.row, self.recorder, self.found = forest, row, recorder, match

    def build(self, pattern: Pattern) -> Vertex | None:
        """The vertex of a pattern; None if the graph did not come to have it."""
        match pattern:
            case Var(name):
                if name == self.recorder.root:
                    return self.found.root
                bound = self.found.bound.get(name)
                return self._any(self.row[name]) if bound is None else bound
            case Call(name, (type, *operands)) if name in SORTS:
                args: list[Any] = []
                for sort, p in zip(SORTS[name], operands, strict=True):
                    a = self.build(p) if sort == "E" else _immediate(sort, p, self.row)
                    if a is None:
                        return None
                    args.append(a)
                return self.forest.add(Made(name, _type_of(type, self.row), tuple(args)))
        raise AssertionError(shown(pattern))

    def _any(self, c: int) -> Vertex | None:
        """Some term of a class that only a condition speaks of."""
        return next((v for v, of in enumerate(self.forest.final) if of == c), None)
