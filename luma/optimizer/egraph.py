"""The one module that talks to egglog: rules in, terms in, the saturated graph out.

Terms cross as text in a file, which egglog reads as it does the rule files.  Its syntax objects are
slow: what egglog makes carries a copy of the whole source in every span, so text for Python is
parsed command by command; what Python makes is copied at every level, and again when it crosses.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.util
import os
import re
import sys
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from operator import call
from types import ModuleType
from typing import Any

from luma.language.types import (
    BOOL,
    FLOAT,
    HALF,
    INT,
    UINT,
    Matrix,
    Scalar,
    Type,
    Vector,
)
from luma.optimizer.schema import CONSTRUCTORS, OPERANDS, cost, schema, spent_rules
from luma.optimizer.term import Definition, Graph, Node, Ref, Stated, Term

#: The rule files, in the order of loading (a file may use what an earlier one declares): those that
#: are exact and always loaded, and what else there is.
EXACT_FILES = (
    "facts.egg",
    "fold.egg",
    "algebra.egg",
    "integer.egg",
    "vector.egg",
    "select.egg",
)
RULE_FILES = (
    *EXACT_FILES,
    "order.egg",
    "fast.egg",
    "powers.egg",
    "products.egg",
    "ranges.egg",
    "mixing.egg",
    "compare.egg",
    "trigonometry.egg",
    "geometry.egg",
    "matrix.egg",
    "target-spirv.egg",
)

_SCALARS = {BOOL: "Bool", INT: "I32", UINT: "U32", FLOAT: "F32", HALF: "F16"}


class EGraphError(Exception):
    """The e-graph failed; what it was used for has to be done without."""


#: What egglog says where a function would get a second value.
_SECOND_VALUE = re.compile(r"Merge function for (\S+) .*failed|merge attempted for function (\S+)")


def _told(error: BaseException) -> str:
    """What egglog says, in words of rules where it is of what rules do."""
    second = _SECOND_VALUE.search(str(error))
    if second is not None:
        return f"they contradict each other: '{second[1] or second[2]}' got two values of one term"
    return f"{type(error).__name__}: {error}"


class StrandedError(Exception):
    """This process was forked from one that had used the e-graph.

    The library runs a thread of its own, which a fork leaves behind; waiting for it never ends.
    """


def bindings() -> ModuleType:
    """egglog's extension module, without the notebook extras that its package imports.

    They cost a tenth of a second; the extension alone loads in a hundredth.  Raises StrandedError.
    """
    if _stranded:
        raise StrandedError
    name = "egglog.bindings"
    if name in sys.modules:
        return sys.modules[name]
    loaded = sys.modules.get(_PRIVATE)
    if loaded is not None:
        return loaded
    os.environ.setdefault("RAYON_NUM_THREADS", "1")  # several threads change the order of rows
    package = importlib.machinery.PathFinder.find_spec("egglog")
    places = package.submodule_search_locations if package else None
    spec = importlib.machinery.PathFinder.find_spec(name, places) if places else None
    if spec is None or spec.loader is None:
        return importlib.import_module(name)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules[_PRIVATE] = module
    return module


#: Where a command begins: at a parenthesis at the margin.
_COMMAND = re.compile(r"^(?=\()", re.MULTILINE)

_PRIVATE = "luma.optimizer._egglog"

#: The e-graphs of this process, and those of the parent in a forked child.
_living: weakref.WeakSet[Rules] = weakref.WeakSet()
_stranded: list[Rules] = []


def _strand() -> None:
    """Hold on to the parent's e-graphs: they can be neither used nor freed here."""
    import ctypes

    for rules in _stranded:  # not even when the interpreter ends
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(rules))


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=lambda: _stranded.extend(_living),
        after_in_parent=_stranded.clear,
        after_in_child=_strand,
    )


class _Numbers(dict[Any, int]):
    """The numbers of egglog's classes, each given when first asked for; and their nodes."""

    def __init__(self) -> None:
        self.nodes: list[list[Node]] = []

    def __missing__(self, value: Any) -> int:
        number = self[value] = len(self.nodes)
        self.nodes.append([])
        return number


def _statement(fact: Stated) -> str:
    id, name, number = fact
    return f"({name} (val {id}))" if number is None else f"(set ({name} (val {id})) {number!r})"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def rule_path(name: str) -> str:
    """Where one of Luma's rule files is."""
    package = importlib.import_module("luma.rules")
    return os.path.join(package.__path__[0], name)


class Rules:
    """The schema and the rule files in an e-graph, where functions come and go.

    Belongs to the thread that made it, and must die there: no object that it makes may hold it in
    a cycle, which the garbage collector could break on another thread.  After an
    :class:`EGraphError` it is broken for good.
    """

    def __init__(self, files: Sequence[str], texts: Sequence[tuple[str, str]] = ()) -> None:
        self._eg: Any = bindings()
        self._span = self._eg.RustSpan("luma", 0, 0)
        self._egraph = self._eg.EGraph()
        self._types: dict[Type, str] = {}
        self._named: dict[str, Type] = {}
        self._schedules: dict[str, Any] = {}
        self._begun = False
        self._frozen: Any = {}
        self._read: dict[str, Callable[[Any], Any]] = {}
        _living.add(self)
        commands = self._parse("schema", schema()) + self._parse("spent", spent_rules())
        commands += [self._eg.Include(self._span, path) for path in files]
        for name, text in texts:
            commands += self._parse(name, text)
        self._guard(self._egraph.run_program, *commands)

    # ------------------------------------------------------------ talking to egglog

    def _guard(self, function: Callable[..., Any], *args: Any) -> Any:
        """Call into egglog.  Its panics are BaseExceptions and leave it unusable."""
        try:
            return function(*args)
        except (KeyboardInterrupt, SystemExit, GeneratorExit):
            raise
        except BaseException as error:
            raise EGraphError(_told(error)) from error

    def _parse(self, name: str, text: str) -> list[Any]:
        """The commands of a text in which every command begins a line, and nothing else does."""
        parse = self._egraph.parse_program
        return [c for part in _COMMAND.split(text) for c in self._guard(parse, part, name)]

    def _include(self, lines: Sequence[str]) -> None:
        """Run commands, one a line, that egglog reads by itself."""
        if not lines:
            return
        from tempfile import mkstemp

        text = "\n".join(lines)
        try:
            handle, path = mkstemp(prefix="luma-", suffix=".egg")
            try:
                with open(handle, "w", encoding="utf-8") as file:
                    file.write(text)
                self._guard(self._egraph.run_program, self._eg.Include(self._span, path))
            finally:
                os.unlink(path)
        except OSError:  # there is nowhere to write
            self._guard(self._egraph.run_program, *self._parse("terms", text))

    # ------------------------------------------------------------ a function in, run, out

    def push(self) -> None:
        """Begin a function, if none has begun."""
        if self._begun:
            return
        self._types.clear()  # a struct's name means another struct in another module
        self._named.clear()
        self._guard(self._egraph.run_program, self._eg.Push(1))
        self._begun = True

    def pop(self) -> None:
        """Forget everything since :meth:`push`."""
        self._begun = False
        self._let_go()
        self._guard(self._egraph.run_program, self._eg.Pop(self._span, 1))

    @contextmanager
    def aside(self) -> Iterator[None]:
        """What is done inside is forgotten at the end."""
        self._guard(self._egraph.run_program, self._eg.Push(1))
        yield
        self._let_go()
        self._guard(self._egraph.run_program, self._eg.Pop(self._span, 1))

    def close(self) -> None:
        """Give the e-graph up, on this thread: it must not be left to the garbage collector."""
        del self._egraph
        self._let_go()

    def _let_go(self) -> None:
        """Forget what was frozen: it holds the e-graph."""
        self._frozen, self._read = {}, {}

    def load(self, definitions: Iterable[Definition]) -> None:
        """Define values.  A definition may use the ones before it."""
        lines: list[str] = []
        for id, term, also, facts in definitions:
            lines.append(f"(set (val {id}) {self._text(term)})")
            lines += [f"(union (val {id}) {self._text(other)})" for other in also]
            lines += map(_statement, facts)
        self._include(lines)

    def state(self, facts: Iterable[Stated]) -> None:
        """State facts of values that are loaded already."""
        self._include([_statement(fact) for fact in facts])

    def unite(self, pairs: Iterable[tuple[Ref | Term, Term]]) -> None:
        """Make terms equal that are known to be."""
        self._include([f"(union {self._text(a)} {self._text(b)})" for a, b in pairs])

    def _text(self, term: Ref | Term) -> str:
        """A term as egglog writes it."""
        if isinstance(term, Ref):
            return f"(val {term.id})"
        words = [term.constructor, self._type(term.type)]
        for sort, a in zip(CONSTRUCTORS[term.constructor].sorts, term.args, strict=True):
            match sort:
                case "E":
                    words.append(self._text(a))  # type: ignore[arg-type]
                case "T":
                    words.append(self._type(a))  # type: ignore[arg-type]
                case "S":
                    words.append(_quoted(str(a)))
                case _:
                    words.append(repr(a))
        return f"({' '.join(words)})"

    def _type(self, t: Type) -> str:
        found = self._types.get(t)
        if found is None:
            found = self._types[t] = self._type_text(t)
        return found

    def _type_text(self, t: Type) -> str:
        match t:
            case Scalar():
                return f"({_SCALARS[t]})"
            case Vector(elem=elem, size=size):
                return f"(VecT ({_SCALARS[elem]}) {size})"
            case Matrix(cols=cols, rows=rows):
                return f"(MatT {cols} {rows})"
        self._named[str(t)] = t
        return f"(Named {_quoted(str(t))})"

    def run(self, schedule: str) -> bool:
        """Run a schedule (egglog text); whether the graph changed."""
        commands = self._schedules.get(schedule)
        if commands is None:
            text = f"(run-schedule {schedule})"
            commands = self._guard(self._egraph.parse_program, text, None)
            self._schedules[schedule] = commands
        (output,) = self._guard(lambda: self._egraph.run_program(*commands))
        self.report = output.report
        return bool(output.report.updated)

    def size(self) -> int:
        """The number of rows in all tables."""
        return self._size_of()

    def sizes(self, tables: Iterable[str]) -> Iterator[int]:
        """The number of rows in each of some tables."""
        return (self._size_of(name) for name in tables)

    def _size_of(self, *tables: str) -> int:
        eg, span = self._eg, self._span
        names = [eg.Lit(span, eg.String(name)) for name in tables]
        value = self._guard(self._egraph.eval_expr, eg.Call(span, "get-size!", names))
        return int(self._egraph.value_to_i64(value[1]))

    def rows(self, table: str, sorts: str) -> list[tuple[Any, ...]]:
        """The rows of a table as the last :meth:`freeze` found it, in the numbers of that graph.

        ``sorts`` has a letter a column, as in :class:`Constructor`; where there is one more than
        the table takes, the last is of what it gives.  What egglog has left out is None.
        """
        found = self._frozen[table].rows
        return [
            tuple([self._cell(s, v) for s, v in zip(sorts, (*r.inputs, r.output), strict=False)])
            for r in found
        ]

    def _cell(self, sort: str, value: Any) -> Any:
        """A value of a row.  egglog forgets some types that only one pattern of a rule names."""
        try:
            return self._read[sort](value)
        except KeyError:
            return None

    def freeze(self) -> Graph:
        """The graph as plain data."""
        return self._guard(self._freeze)  # type: ignore[no-any-return]

    def _freeze(self) -> Graph:
        egraph = self._egraph
        tables = self._frozen = egraph.freeze().functions
        types = self._frozen_types(tables)
        numbers = _Numbers()
        rows = sorted((egraph.value_to_i64(r.inputs[0]), r.output) for r in tables["val"].rows)
        classes = {id: numbers[value] for id, value in rows}
        read: dict[str, Callable[[Any], Any]] = {
            "E": numbers.__getitem__,
            "I": egraph.value_to_i64,
            "F": lambda v: egraph.value_to_f64(v) or 0.0,  # 0.0 and -0.0 are one to egglog
            "S": egraph.value_to_string,
            "T": types.__getitem__,
        }
        self._read = read
        for name, constructor in CONSTRUCTORS.items():
            readers = [read[s] for s in "T" + constructor.sorts]
            typed = constructor.sorts.startswith("T")
            operands = OPERANDS[name]
            for row in tables[name].rows:  # subsumed ones too: they may be all a class has
                type, *rest = map(call, readers, row.inputs)
                args = tuple(rest)
                kids = tuple(dict.fromkeys([args[k] for k in operands])) if operands else ()
                price = cost(name, type, args[0] if typed else None)
                numbers.nodes[numbers[row.output]].append(Node(name, type, args, kids, price))
        return Graph(numbers.nodes, classes)

    def _frozen_types(self, tables: Any) -> dict[Any, Type]:
        egraph = self._egraph
        number, text = egraph.value_to_i64, egraph.value_to_string
        types: dict[Any, Type] = {}
        for scalar, name in _SCALARS.items():
            types.update({r.output: scalar for r in tables[name].rows})
        scalars: dict[Any, Any] = dict(types)
        for r in tables["VecT"].rows:
            types[r.output] = Vector(scalars[r.inputs[0]], number(r.inputs[1]))
        for r in tables["MatT"].rows:
            types[r.output] = Matrix(number(r.inputs[0]), number(r.inputs[1]))
        for r in tables["Named"].rows:
            types[r.output] = self._named[text(r.inputs[0])]
        return types
