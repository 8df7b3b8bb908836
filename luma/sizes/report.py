"""Measuring many sources for many targets, and what comes of it as data."""

from __future__ import annotations

import math
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from luma import options
from luma.diagnostics import LumaError
from luma.faults import error
from luma.pipeline import backend_of
from luma.statistics import Statistics, measure

#: What is compared of two outputs, by the names of a row's attributes.
MEASURES = ("bytes", "minified", "tokens", "instructions")

#: What is told by the version of the report's form.
FORM = 1


@dataclass(frozen=True, slots=True)
class Row:
    """A shader for one target at one level.

    ``instructions`` leaves out those of the class ``data``; ``by_class`` has all.
    """

    shader: str
    target: str
    opt: str
    bytes: int
    minified: int | None
    tokens: int | None
    instructions: int
    by_class: Mapping[str, int]

    @property
    def case(self) -> tuple[str, str, str]:
        """What tells the row from others."""
        return self.shader, self.target, self.opt


@dataclass(frozen=True, slots=True)
class Failure:
    """A shader that does not compile for some target, and what was said of it."""

    shader: str
    messages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """All shaders for one target at one level.

    ``totals`` are sums by measure, ``means`` geometric means of the ratios to the level ``none``.
    """

    target: str
    opt: str
    shaders: int
    totals: Mapping[str, int | None]
    means: Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class Report:
    """What was measured; rows in the order of the shaders, then of the targets and levels."""

    targets: tuple[str, ...]
    levels: tuple[str, ...]
    rules: tuple[str, ...]
    rows: tuple[Row, ...]
    failures: tuple[Failure, ...] = ()
    _by_case: dict[tuple[str, str, str], Row] = field(
        default_factory=dict, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        self._by_case.update({row.case: row for row in self.rows})

    @property
    def shaders(self) -> tuple[str, ...]:
        """The shaders that there are rows of."""
        return tuple(dict.fromkeys(row.shader for row in self.rows))

    def row(self, shader: str, target: str, opt: str) -> Row | None:
        """One row, if there is such."""
        return self._by_case.get((shader, target, opt))

    def change(self, row: Row, name: str) -> float | None:
        """A measure's ratio to that at the level ``none``."""
        return ratio(self.row(row.shader, row.target, "none"), row, name)

    def summaries(self) -> tuple[Summary, ...]:
        """Totals and means for each target and level."""
        return tuple(self._summary(t, o) for t in self.targets for o in self.levels)

    def _summary(self, target: str, opt: str) -> Summary:
        rows = [r for r in self.rows if (r.target, r.opt) == (target, opt)]
        totals: dict[str, int | None] = {}
        means: dict[str, float | None] = {}
        for name in MEASURES:
            values = [getattr(r, name) for r in rows]
            totals[name] = None if None in values else sum(values)
            means[name] = geometric_mean(self.change(r, name) for r in rows)
        return Summary(target, opt, len(rows), totals, means)

    def to_json(self) -> dict[str, Any]:
        """The report as plain data; :meth:`from_json` reads it."""
        return {
            "form": FORM,
            "targets": list(self.targets),
            "levels": list(self.levels),
            "rules": list(self.rules),
            "rows": [
                {**asdict(r), "change": {n: self.change(r, n) for n in MEASURES}} for r in self.rows
            ],
            "summaries": [asdict(s) for s in self.summaries()],
            "failures": [asdict(f) for f in self.failures],
        }

    @staticmethod
    def from_json(data: Any) -> Report:
        """A report of what :meth:`to_json` gave.  Raises ValueError for anything else."""
        try:
            if data["form"] != FORM:
                raise ValueError(f"form {data['form']!r}")
            rows = [_row_of(item) for item in data["rows"]]
            failures = [Failure(f["shader"], tuple(f["messages"])) for f in data["failures"]]
            parts = [tuple(map(str, data[name])) for name in ("targets", "levels", "rules")]
            return Report(parts[0], parts[1], parts[2], tuple(rows), tuple(failures))
        except KeyError as fault:
            raise ValueError(f"it has no {fault}") from None
        except (TypeError, AttributeError) as fault:
            raise ValueError(f"it has another form: {fault}") from None


def _row_of(item: Any) -> Row:
    """A row of plain data.  Raises ValueError, TypeError or AttributeError for what is none."""
    row = Row(**{k: v for k, v in item.items() if k != "change"})
    if not all(isinstance(word, str) for word in row.case):
        raise ValueError("it has a name that is no text")
    optional = (n for n in (row.minified, row.tokens) if n is not None)
    for count in (row.bytes, row.instructions, *optional, *row.by_class.values()):
        if not isinstance(count, int) or not 0 <= count < 1 << 53:
            raise ValueError("it has a count that is none")
    return row


def ratio(before: Row | None, after: Row | None, name: str) -> float | None:
    """How a measure changed: after to before; None where that says nothing."""
    if before is None or after is None:
        return None
    old, new = getattr(before, name), getattr(after, name)
    return None if not old or new is None else new / old


def geometric_mean(ratios: Iterable[float | None]) -> float | None:
    """The geometric mean of what is known and positive; None of nothing."""
    known = [r for r in ratios if r]
    return math.exp(math.fsum(map(math.log, known)) / len(known)) if known else None


# ---------------------------------------------------------------- measuring


@dataclass(frozen=True, slots=True)
class Task:
    """One source to measure; ``found`` tells that nobody asked for it by name."""

    path: str
    found: bool
    targets: tuple[str, ...]
    levels: tuple[str, ...]
    changes: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Measured:
    """What came of a task."""

    rows: tuple[Row, ...] = ()
    messages: tuple[str, ...] = ()


def sources(paths: Sequence[str]) -> list[tuple[str, bool]]:
    """Each file, and each ``.luma`` file under a directory, which is then ``found``; sorted there.

    Raises LumaError (E0807) for what does not exist or a directory without any.
    """
    every: dict[str, bool] = {}
    for path in paths:
        if not Path(path).is_dir():
            every[path] = False
            continue
        inside = sorted(p.as_posix() for p in Path(path).rglob("*.luma") if p.is_file())
        if not inside:
            raise LumaError([error("E0807", f"there is no shader (*.luma) under '{path}'")])
        for name in inside:
            every.setdefault(name, True)
    return list(every.items())


def measure_sources(
    paths: Sequence[str],
    targets: Sequence[str] = (),
    levels: Sequence[str] = ("none", "basic", "aggressive"),
    *,
    jobs: int = 1,
    rules: Sequence[str] = (),
    rules_of: Callable[[str], Sequence[str]] = lambda path: (),
    **changes: Any,
) -> Report:
    """Measure files and all shaders under directories; ``changes`` are fields of luma.Options.

    No ``targets`` are all built-in ones; the level ``none`` is always measured, as what others
    are compared with.  What fails is in the report's ``failures``, the rest is done.  A file of
    a directory that has no entry point is one that others include, and is left out.  With
    ``jobs`` above 1 processes share the work; the report is the same.  ``rules`` are rule files
    for all sources, after those that ``rules_of`` gives for a source.  Raises LumaError for a
    target that does not exist, and as :func:`sources` does.
    """
    from luma.backends import BUILT_IN

    paths, rules = options.paths("paths", paths), options.paths("rules", rules)
    chosen = tuple(dict.fromkeys(options.strings("targets", targets))) or tuple(BUILT_IN)
    for target in chosen:
        backend_of(target)
    asked = tuple(dict.fromkeys(("none", *options.strings("levels", levels))))
    tasks = [
        Task(path, found, chosen, asked, {**changes, "rules": _once(rules_of(path), rules)})
        for path, found in sources(paths)
    ]
    rows: list[Row] = []
    failures: list[Failure] = []
    for task, done in zip(tasks, _all(tasks, jobs), strict=True):
        rows += done.rows
        if done.messages:
            failures.append(Failure(task.path, done.messages))
    used = tuple(dict.fromkeys(name for task in tasks for name in task.changes["rules"]))
    return Report(chosen, asked, used, tuple(rows), tuple(failures))


def _once(*several: Sequence[str]) -> tuple[str, ...]:
    """All of several lists, each once."""
    return tuple(dict.fromkeys(name for names in several for name in names))


def _all(tasks: Sequence[Task], jobs: int) -> list[Measured]:
    workers = min(jobs, len(tasks))
    if workers <= 1:
        return [measure_one(task) for task in tasks]
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor, wait

    from luma.stack import ATTENTION

    before = multiprocessing.active_children()
    # forked children could not use the optimizer's library
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        try:
            with _uninterrupted():
                futures = [pool.submit(measure_one, task) for task in tasks]
            while wait(futures, ATTENTION).not_done:
                pass
            return [future.result() for future in futures]
        except BaseException:  # nobody waits for the rest
            for child in multiprocessing.active_children():
                if child not in before:
                    child.terminate()
            raise


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """While processes are started: Ctrl-C is this one's to deal with, which ends them."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def measure_one(task: Task) -> Measured:
    """Measure one source.  Never raises: what is wrong is told in messages.

    A target that lacks something does not keep the others from being measured.
    """
    try:
        text = Path(task.path).read_bytes()
    except OSError as fault:
        return Measured(messages=(f"E0807: cannot read '{task.path}': {fault.strerror}",))
    try:
        return Measured(tuple(_rows(task, text, task.targets)))
    except LumaError as failed:
        if task.found and {d.code for d in failed.diagnostics} == {"E0803"}:
            return Measured()
    rows: list[Row] = []
    messages: dict[str, None] = {}
    for target in task.targets:
        try:
            rows += _rows(task, text, (target,))
        except LumaError as failed:
            messages |= dict.fromkeys(_told(failed, task.path, target))
    return Measured(tuple(rows), tuple(messages))


def _rows(task: Task, text: bytes, targets: tuple[str, ...]) -> list[Row]:
    counted = measure(text, targets, task.levels, name=task.path, **task.changes)
    return [_row(task.path, s) for s in counted]


def _told(failed: LumaError, path: str, target: str) -> Iterable[str]:
    """The errors, each in a line; the target only with those that are the target's own."""
    for d in failed.diagnostics:
        if d.level.value == "error":
            place = f"{d.span.file}:{d.span.line_start}: " if d.span else f"{path}: "
            own = f" ({target})" if d.code.startswith("E07") else ""
            yield f"{place}{d.code}: {d.message}{own}"


def _row(shader: str, s: Statistics) -> Row:
    return Row(
        shader, s.target, s.opt, s.bytes, s.minified, s.tokens, s.total, dict(s.instructions)
    )
