"""What the system may do to a command: refuse files and streams, or interrupt it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import luma
from luma.cli.files import write_outputs

GOOD = "@entry(fragment) function shade(uv: vec2) -> (c: vec4) return { c = uv.xyxy } end\n"
LUMA = (sys.executable, "-m", "luma")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.luma").write_text(GOOD)
    return tmp_path


def _luma(folder: Path, line: str) -> subprocess.CompletedProcess[str]:
    """Run ``luma`` by a line for a shell."""
    script = f'luma() {{ "{sys.executable}" -m luma "$@"; }}; {line}'
    return subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True)


# ---------------------------------------------------------------- files


@pytest.mark.parametrize(
    "line",
    [
        "compile a.luma -o a.luma",
        "compile a.luma -o ./b/../a.luma",
        "compile a.luma -o link.luma",
        "compile shade.glsl --all-entries -o .",
        "compile a.spv --target spirv",
        "compile a.luma --rules a.egg -o a.egg",
        "bench size a.luma --csv a.luma",
        "bench size . --html a.luma",
        "bench size --compare a.json b.json --json b.json",
    ],
)
def test_what_is_read_is_not_written_over(folder: Path, line: str) -> None:
    (folder / "b").mkdir()
    (folder / "link.luma").symlink_to("a.luma")
    (folder / "a.egg").touch()
    for copy in ("shade.glsl", "a.spv"):
        (folder / copy).write_text(GOOD)
    sizes = "luma bench size a.luma --opt none --targets glsl"
    assert _luma(folder, f"{sizes} --json a.json && cp a.json b.json").returncode == 0
    before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    done = _luma(folder, f"luma {line}")
    assert done.returncode == 1
    assert "error[E0808]" in done.stderr and "it is read by this command" in done.stderr
    assert {path: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before


def test_outputs_have_different_places(folder: Path) -> None:
    (folder / "link").symlink_to("out")
    done = _luma(folder, "luma bench size a.luma --opt none --json out --csv link")
    assert done.returncode == 1 and "another output goes there" in done.stderr
    assert not (folder / "out").exists()


def test_links_are_followed(folder: Path) -> None:
    (folder / "link.glsl").symlink_to("real.glsl")
    for _ in range(2):
        assert _luma(folder, "luma compile a.luma -o link.glsl").returncode == 0
        assert (folder / "link.glsl").is_symlink()
        assert (folder / "real.glsl").read_text().startswith("#version 450")


def test_pipes_and_devices_stay_what_they_are(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    done = _luma(folder, "cat pipe & luma compile a.luma -o pipe; wait")
    assert done.returncode == 0 and done.stdout.startswith("#version 450")
    assert (folder / "pipe").is_fifo()
    assert _luma(folder, "luma compile a.luma -o /dev/stdout").stdout == done.stdout
    full = _luma(folder, "luma compile a.luma -o /dev/full")
    assert full.returncode == 1 and "cannot write '/dev/full': No space" in full.stderr
    assert Path("/dev/full").is_char_device()


def test_names_of_any_length_that_the_system_takes(folder: Path) -> None:
    name = "n" * 250 + ".glsl"
    assert _luma(folder, f"luma compile a.luma -o {name}").returncode == 0
    assert (folder / name).exists()
    done = _luma(folder, f"luma compile a.luma -o {name}{name}")
    assert done.returncode == 1 and "E0808" in done.stderr


def test_files_that_are_read_only_stay(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "out.glsl").write_text("precious")
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may write everything
    with pytest.raises(luma.LumaError, match=r"cannot write '.*out\.glsl': it is read-only"):
        write_outputs({folder / "new.glsl": b"a", folder / "out.glsl": b"b"})
    assert (folder / "out.glsl").read_text() == "precious"
    assert not (folder / "new.glsl").exists()


def test_a_file_is_no_folder(folder: Path) -> None:
    done = _luma(folder, "luma compile a.luma -o a.luma/x.glsl")
    assert done.stderr.startswith("error[E0808]: cannot write 'a.luma/x.glsl': Not a directory")


def test_a_folder_that_is_gone(folder: Path) -> None:
    (folder / "gone").mkdir()
    done = _luma(folder, "cd gone; rmdir ../gone; luma compile - < ../a.luma")
    assert done.returncode == 0 and done.stdout.startswith("#version 450"), done.stderr


# ---------------------------------------------------------------- streams


@pytest.mark.parametrize(
    "command",
    ["compile a.luma", "stats a.luma", "explain a.luma", "reflect a.luma", "dump-ir a.luma",
     "rules list", "bench size a.luma --opt none --csv -", "--help"],
)  # fmt: skip
def test_standard_output_that_takes_nothing(folder: Path, command: str) -> None:
    done = _luma(folder, f"luma {command} > /dev/full")
    assert done.returncode == 1
    assert done.stderr.startswith("error[E0808]: cannot write standard output: No space left")


@pytest.mark.parametrize("command", ["rules list", "explain a.luma", "compile a.luma"])
def test_a_reader_who_leaves(folder: Path, command: str) -> None:
    done = _luma(folder, f"set -o pipefail; luma {command} | true")
    assert done.returncode in (0, 1) and done.stderr == ""


def test_closed_streams(folder: Path) -> None:
    done = _luma(folder, "luma compile a.luma >&-")
    assert done.returncode == 1 and "cannot write standard output: it is closed" in done.stderr
    done = _luma(folder, "luma check - <&-")
    assert done.returncode == 1 and "cannot read standard input: it is closed" in done.stderr
    assert _luma(folder, "luma check none.luma 2>&-").returncode == 1


# ---------------------------------------------------------------- interruptions


@contextmanager
def _running(folder: Path, *command: str) -> Iterator[subprocess.Popen[str]]:
    """A process with a group of its own, as a terminal's Ctrl-C is for all of a group."""
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    ) as process:  # fmt: skip
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def _interrupt(process: subprocess.Popen[str]) -> str:
    """What an interrupted process says."""
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    return said.strip()


def test_interrupted_while_reading(folder: Path) -> None:
    os.mkfifo(folder / "pipe.luma")
    command = (*LUMA, "compile", "pipe.luma")
    # the pipe opens when the other side reads
    with _running(folder, *command) as process, open(folder / "pipe.luma", "wb"):
        assert _interrupt(process) == "interrupted"


def test_interrupted_while_compiling(folder: Path) -> None:
    program = (
        "import sys, time, luma.ir.lower\n"
        "def endless(tree):\n"
        "    print('begun', flush=True)\n"
        "    while True: time.sleep(0.01)\n"
        "luma.ir.lower.lower = endless\n"
        "sys.argv[1:] = ['compile', 'a.luma']\n"
        "from luma.cli import main; main()"
    )
    with _running(folder, sys.executable, "-c", program) as process:
        assert process.stdout is not None and process.stdout.readline() == "begun\n"
        assert _interrupt(process) == "interrupted"


def test_interrupted_while_processes_work(folder: Path) -> None:
    pipes = [folder / "one.luma", folder / "two.luma"]
    for pipe in pipes:
        os.mkfifo(pipe)
    command = (*LUMA, "bench", "size", *(pipe.name for pipe in pipes), "--jobs", "2")
    with _running(folder, *command) as process, open(pipes[0], "wb"), open(pipes[1], "wb"):
        assert _interrupt(process) == "interrupted"
