"""Does the conformance suite notice a wrong backend?  ``python -m tools.mutation_check [WORD...]``

Makes each mistake of :mod:`tools.mutants` in a copy of the checkout and runs the cases that must
notice.  Words choose mutants whose target, name or file has one of them.  Exits with 1 if a mutant
survives, with 2 if the table is no longer true.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from queue import Queue

from tools.mutants import MUTANTS, Mutant

ROOT = Path(__file__).parents[1]
TESTS = "tests/run/test_run.py"

#: What pytest exits with: all passed, some failed.
_PASSED, _FAILED = 0, 1

#: What a mutant must not end with: a backend that breaks proves nothing about the suite.
_BROKEN = ("AttributeError", "ImportError", "IndentationError", "NameError", "SyntaxError")

#: The packages that live beside ``luma`` and are imported from inside it.
_ROOMS = ("backends", "rules")


class CheckError(Exception):
    """The check itself cannot be made: the table, the copy or the unchanged code is wrong."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a mutant was caught, and by what words."""

    mutant: Mutant
    caught: bool
    words: str
    seconds: float


class Copy:
    """A checkout's tracked files in a directory of its own."""

    def __init__(self, where: Path) -> None:
        self.root = where
        self._ticks = count(1)
        listed = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
        done = subprocess.run(listed, cwd=ROOT, capture_output=True, check=True)
        for name in filter(None, done.stdout.decode().split("\0")):
            if (ROOT / name).is_file():  # not one that was deleted
                (where / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, where / name)
        for room in _ROOMS:  # an installed luma must not lend its own
            (where / "luma" / room).symlink_to(where / room)
        self._verify()

    def _verify(self) -> None:
        program = (
            "import luma, luma.backends, luma.rules;"
            "print(luma.__file__, luma.backends.__file__, luma.rules.__file__, sep='\\n')"
        )
        done = self.run("-c", program)
        files = done.stdout.split("\n")[:3]
        inside = [Path(file).is_relative_to(self.root) for file in files]
        if done.returncode or not all(inside):
            raise CheckError(f"the copy is not what is imported: {files}\n{done.stderr}")

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run Python inside the copy."""
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=self.root,
            env={**os.environ, "PYTHONPATH": str(self.root)},
            capture_output=True,
            text=True,
        )

    def test(self, mutants: Iterable[Mutant]) -> subprocess.CompletedProcess[str]:
        """Run the cases of some mutants.  Raises CheckError where they could not be run."""
        cases = dict.fromkeys(f"{case}-{m.target}" for m in mutants for case in m.cases)
        tests = [f"{TESTS}::test_case[{case}]" for case in cases]
        done = self.run("-m", "pytest", "-p", "no:cacheprovider", "--tb=short", *tests)
        if done.returncode not in (_PASSED, _FAILED):
            raise CheckError(
                f"pytest could not run {', '.join(cases)}:\n{done.stdout}{done.stderr}"
            )
        return done

    def verdict(self, mutant: Mutant) -> Verdict:
        """Make a mistake, see what the suite says, and undo it."""
        path = self.root / mutant.file
        right = path.read_text(encoding="utf-8")
        began = time.monotonic()
        self._write(path, mutated(mutant, right))
        try:
            done = self.test([mutant])
        finally:
            self._write(path, right)
        said = re.findall(r"^E\s+(.*\S)", done.stdout, re.MULTILINE)
        if said and said[0].startswith(_BROKEN):
            raise CheckError(f"{mutant.name} ({mutant.file}) does not compile at all: {said[0]}")
        seconds = time.monotonic() - began
        return Verdict(mutant, done.returncode == _FAILED, said[0] if said else "", seconds)

    def _write(self, path: Path, text: str) -> None:
        """Write a file with a time no other version of it has: byte code is kept by that."""
        path.write_text(text, encoding="utf-8")
        stamp = 1_000_000_000 + next(self._ticks)
        os.utime(path, (stamp, stamp))


def mutated(mutant: Mutant, text: str) -> str:
    """A file's text with the mistake in it.  Raises CheckError unless ``old`` is there once."""
    found = text.count(mutant.old)
    if found != 1:
        raise CheckError(f"{mutant.file} has {mutant.old!r} {found} times, not once")
    return text.replace(mutant.old, mutant.new)


def check(mutants: Sequence[Mutant], jobs: int) -> list[Verdict]:
    """The verdict on each mutant, printed as it comes.  Raises CheckError."""
    for mutant in mutants:
        mutated(mutant, (ROOT / mutant.file).read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory(prefix="luma-mutants-") as folder:
        copies: Queue[Copy] = Queue()
        for number in range(min(jobs, len(mutants))):
            copies.put(Copy(Path(folder).resolve() / str(number)))

        def judge(mutant: Mutant) -> Verdict:
            copy = copies.get()
            try:
                verdict = copy.verdict(mutant)
            finally:
                copies.put(copy)
            print(_line(verdict), flush=True)
            return verdict

        first = copies.get()
        unchanged = first.test(mutants)
        if unchanged.returncode != _PASSED:
            raise CheckError(f"without any mistake, cases fail:\n{unchanged.stdout}")
        copies.put(first)
        with ThreadPoolExecutor(jobs) as pool:
            return list(pool.map(judge, mutants))


def _line(verdict: Verdict) -> str:
    mutant = verdict.mutant
    word = "caught  " if verdict.caught else "SURVIVED"
    return f"{word} {mutant.target:5} {mutant.name} ({verdict.seconds:.0f} s): {verdict.words[:90]}"


def summary(verdicts: Sequence[Verdict]) -> str:
    """How many were caught, by target and in all."""
    targets = sorted({v.mutant.target for v in verdicts})
    parts = [_share(t, [v for v in verdicts if v.mutant.target == t]) for t in targets]
    return f"{_share('caught', verdicts)} ({', '.join(parts)})"


def _share(word: str, verdicts: Sequence[Verdict]) -> str:
    return f"{word} {sum(v.caught for v in verdicts)}/{len(verdicts)}"


def main() -> int:
    """Judge the chosen mutants."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*", metavar="WORD", help="of a target, name or file")
    parser.add_argument("--jobs", type=int, default=2, help="how many run at a time")
    options = parser.parse_args()
    chosen = [
        m
        for m in MUTANTS
        if not options.words or any(w in (m.target, m.name) or w in m.file for w in options.words)
    ]
    if not chosen:
        parser.error("no mutant has such a word")
    try:
        verdicts = check(chosen, options.jobs)
    except CheckError as error:
        print(error, file=sys.stderr)
        return 2
    print(summary(verdicts))
    return 0 if all(v.caught for v in verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
