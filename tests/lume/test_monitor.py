"""Watching: every change is seen, whatever an editor does, and nothing ends it but the user."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from luma.lume import monitor as monitoring
from luma.lume.monitor import Monitor, Round
from luma.lume.settings import Settings
from luma.lume.shaders import Built
from luma.lume.tools import toolchain

FRAG = """#version 460 core
layout(location = 0) out vec4 color;
void main() { color = vec4(%s); }
"""
INCLUDING = FRAG.replace("core\n", 'core\n#include "value.h"\n') % "VALUE"

#: Far beyond what it takes, for machines that are busy.
PATIENCE_SECONDS = 60.0


def save(path: Path, content: str) -> None:
    """Put a file there as a whole: no look sees half of it."""
    beside = path.with_name(f".{path.name}.new")
    beside.write_text(content)
    os.replace(beside, path)


class Watch:
    """A monitor on a thread, and what it saw."""

    def __init__(self, root: Path, include: Path) -> None:
        self.rounds: queue.Queue[Round] = queue.Queue()
        self.finished: list[Built] = []
        self.stop = threading.Event()
        settings = Settings(root, root, (include,))
        self.monitor = Monitor(settings, toolchain(), self.finished.append)
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def _run(self) -> None:
        for found in self.monitor.rounds(self.stop):
            self.rounds.put(found)

    def next(self) -> dict[str, str]:
        """What the next look found, by the files' names."""
        found = self.rounds.get(timeout=PATIENCE_SECONDS)
        told = {b.source.name: "failed" if b.failed else "built" for b in found.built}
        told |= {p.name: "removed" for p in found.removed}
        return told | {d.code: "hindered" for d in found.diagnostics}

    def until(self, wanted: dict[str, str]) -> None:
        """Wait until all of this was seen; one change may take two looks."""
        seen: dict[str, str] = {}
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not wanted.items() <= seen.items():
            assert time.monotonic() < deadline, seen
            seen |= self.next()

    def end(self) -> None:
        self.stop.set()
        self.thread.join(PATIENCE_SECONDS)
        assert not self.thread.is_alive()


@pytest.fixture(params=["events", "polling"])
def watch(
    tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Watch]:
    if request.param == "polling":
        monkeypatch.setitem(sys.modules, "watchfiles", None)
    (tmp_path / "src").mkdir()
    (tmp_path / "inc").mkdir()
    (tmp_path / "src/a.frag").write_text(FRAG % "1.0")
    (tmp_path / "src/b.frag").write_text(INCLUDING)
    (tmp_path / "inc/value.h").write_text("#define VALUE 1.0\n")
    found = Watch(tmp_path / "src", tmp_path / "inc")
    try:
        assert found.next() == {"a.frag": "built", "b.frag": "built"}
        yield found
    finally:
        found.end()


def test_every_kind_of_change_is_seen(tmp_path: Path, watch: Watch) -> None:
    source, header = tmp_path / "src", tmp_path / "inc/value.h"
    # edited
    save(source / "a.frag", FRAG % "2.0")
    watch.until({"a.frag": "built"})
    # a header edited: those that include it, and no others
    save(header, "#define VALUE 2.00\n")
    assert watch.next() == {"b.frag": "built"}
    # a syntax error, and its repair
    save(source / "a.frag", FRAG % "2.0 +")
    watch.until({"a.frag": "failed"})
    save(source / "a.frag", FRAG % "2.0 + 1.0")
    watch.until({"a.frag": "built"})
    # saved as editors do: written elsewhere, and moved over it
    save(source / "a.frag", FRAG % "4.0 + 1.0")
    watch.until({"a.frag": "built"})
    # new, in a new directory
    (source / "deep").mkdir()
    save(source / "deep/c.vert", "#version 460 core\nvoid main() {}\n")
    watch.until({"c.vert": "built"})
    # renamed
    (source / "a.frag").rename(source / "z.frag")
    watch.until({"a.frag": "removed", "z.frag": "built"})
    # a header deleted, and there again
    header.unlink()
    watch.until({"b.frag": "failed"})
    save(header, "#define VALUE 3.0\n")
    watch.until({"b.frag": "built"})
    # a header that comes before the one that was found
    save(source / "value.h", "#define VALUE 4.0\n")
    watch.until({"b.frag": "built"})
    # deleted
    (source / "z.frag").unlink()
    watch.until({"z.frag": "removed"})
    assert (watch.finished[-1].source.name, watch.rounds.empty()) == ("b.frag", True)


def test_a_root_that_goes_and_comes_back(tmp_path: Path, watch: Watch) -> None:
    (tmp_path / "src").rename(tmp_path / "away")
    watch.until({"E0850": "hindered"})
    (tmp_path / "away").rename(tmp_path / "src")
    (tmp_path / "src/a.frag").write_text(FRAG % "9.0")
    watch.until({"a.frag": "built"})


def test_what_did_not_change_is_not_built_again(tmp_path: Path, watch: Watch) -> None:
    assert not watch.monitor.update()
    (tmp_path / "src/notes.txt").write_text("nothing to do with it")
    assert not watch.monitor.update()


def test_looking_every_second_is_how_often_it_is_done() -> None:
    assert monitoring.POLL_SECONDS <= 1.0


def test_the_user_ends_it(tmp_path: Path) -> None:
    (tmp_path / "a.frag").write_text(FRAG % "1.0")
    command = [sys.executable, "-m", "luma", "lume", "shaders", "--monitor", "--source", tmp_path]
    process = subprocess.Popen(
        [str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == f"built: {tmp_path / 'a.frag'}\n"
        save(tmp_path / "a.frag", FRAG % "oops")
        assert process.stdout.readline() == f"failed: {tmp_path / 'a.frag'}\n"
        save(tmp_path / "a.frag", FRAG % "3.0")
        assert process.stdout.readline() == f"built: {tmp_path / 'a.frag'}\n"
        assert (tmp_path / "a.frag.spv.lsb").exists()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE_SECONDS)
    finally:
        process.kill()
    assert (process.returncode, out) == (0, "stopped watching\n")
    assert "undeclared" in err and "Traceback" not in err


def test_one_file_is_watched_alone(tmp_path: Path) -> None:
    save(tmp_path / "a.frag", FRAG % "1.0")
    save(tmp_path / "b.frag", FRAG % "1.0")
    only = tmp_path / "a.frag"
    monitor = Monitor(Settings(tmp_path, tmp_path), toolchain(), lambda built: None, only)
    assert [b.source.name for b in monitor.update().built] == ["a.frag"]
    save(tmp_path / "b.frag", FRAG % "2.0")
    assert not monitor.update()
    only.unlink()
    assert monitor.update().removed == (only,)
    assert not monitor.update()
    assert not monitor.update()
    save(only, FRAG % "3.0")
    assert [b.failed for b in monitor.update().built] == [False]


def test_a_file_system_that_cannot_be_watched_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*paths: Path, **options: object) -> Iterator[None]:
        raise OSError(28, "no more watches")

    monkeypatch.setattr("watchfiles.watch", refuse)
    save(tmp_path / "a.frag", FRAG % "1.0")
    watch = Watch(tmp_path, tmp_path)
    try:
        assert watch.next() == {"a.frag": "built"}
        save(tmp_path / "a.frag", FRAG % "2.0")
        assert watch.next() == {"a.frag": "built"}
    finally:
        watch.end()
