"""The library: results, stages, options, threads and forks."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import luma

SOURCE = """
uniform tint: vec4
@entry(fragment)
function shade(uv: vec2) -> (color: vec4)
    return { color = tint * vec4(uv, 2.0 * 3.0, 1.0) }
end
@entry(vertex)
function place(position: vec3) -> (@builtin(position) p: vec4)
    return { p = vec4(position, 1.0) }
end
"""


def test_compile_gives_an_output() -> None:
    result = luma.compile(SOURCE, target="glsl", stage="fragment")
    assert result.success and result.text.startswith("#version 450")
    assert result.hash is not None and len(result.hash) == 64


def test_compile_gives_errors_instead_of_raising() -> None:
    for source in ("function", "\0", "let x = 1", b"\xff\xfe", "", "@entry(vertex)"):
        result = luma.compile(source)
        assert not result.success and result.output == b"" and result.hash is None
        assert all(d.code and d.message for d in result.diagnostics)


def test_options_and_keywords() -> None:
    options = luma.Options(target="spirv", entry="place")
    by_options = luma.compile(SOURCE, options)
    by_keywords = luma.compile(SOURCE, target="spirv", entry="place")
    assert by_options.output == by_keywords.output != b""
    assert luma.compile(SOURCE, options, entry="shade").output != by_options.output


@pytest.mark.parametrize("wrong", [{"opt": "most"}, {"fp": "loose"}])
def test_options_that_do_not_exist(wrong: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="it can be"):
        luma.compile(SOURCE, None, **wrong)
    with pytest.raises(TypeError):
        luma.compile(SOURCE, speed="high")


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"target": None}, "target is None"),
        ({"stage": "frag"}, "vertex, fragment, compute"),
        ({"entry": 3}, "entry is 3"),
        ({"first_buffer": "1"}, "first_buffer is '1'"),
        ({"first_buffer": -1}, "cannot be negative"),
        ({"rules": "a.egg"}, "rules is 'a.egg'; it is a list"),
        ({"rules": [3]}, "expected str"),
        ({"rules": [b"a.egg"]}, "a path of rules"),
        ({"include_dirs": "shaders"}, "it is a list"),
        ({"include_dirs": None}, "it is a list"),
        ({"file_reader": "a"}, "it is a function"),
    ],
)
def test_values_that_options_do_not_take(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises((TypeError, ValueError), match=words):
        luma.compile(SOURCE, **wrong)


def test_options_take_lists_and_paths() -> None:
    options = luma.Options(rules=[Path("a.egg")], include_dirs=["b"])  # type: ignore[list-item, arg-type]
    assert (options.rules, options.include_dirs) == (("a.egg",), ("b",))
    assert hash(options) == hash(luma.Options(rules=("a.egg",), include_dirs=("b",)))
    assert luma.compile(SOURCE, stage="fragment", name=Path("a.luma")).success  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "misuse",
    [
        lambda: luma.compile(None),
        lambda: luma.compile(SOURCE, "glsl"),
        lambda: luma.compile(SOURCE, {"target": "glsl"}),
        lambda: luma.compile(SOURCE, name=None),
        lambda: luma.compile_all(Path("a.luma")),
        lambda: luma.parse(None),
        lambda: luma.measure(None),
        lambda: luma.measure(SOURCE, "glsl"),
        lambda: luma.measure(SOURCE, ["glsl"], "none"),
        lambda: luma.measure(SOURCE, ["glsl"], target="hlsl"),
        lambda: luma.explain(None),
        lambda: luma.reflect(None),
        lambda: luma.check(SOURCE),
        lambda: luma.lower(luma.parse(SOURCE)),
        lambda: luma.optimize(SOURCE),
        lambda: luma.emit(SOURCE, "glsl"),
        lambda: luma.optimize(luma.lower(luma.check(luma.parse(SOURCE))), rules="a.egg"),
    ],
)
def test_misuse_is_no_fault_of_the_compiler(misuse: Callable[[], object]) -> None:
    with pytest.raises(TypeError):
        misuse()


def test_stages_know_their_words() -> None:
    module = luma.lower(luma.check(luma.parse(SOURCE)))
    with pytest.raises(ValueError, match="strict, fast"):
        luma.optimize(module, fp="loose")
    with pytest.raises(ValueError, match="cannot be negative"):
        luma.emit(module, "msl", first_buffer=-1)


def test_errors_can_be_sent_to_another_process() -> None:
    with pytest.raises(luma.LumaError) as caught:
        luma.measure("function")
    sent = pickle.loads(pickle.dumps(caught.value))
    assert sent.diagnostics == caught.value.diagnostics and str(sent) == str(caught.value)


def test_stages_one_by_one() -> None:
    checked = luma.check(luma.parse(SOURCE, "a.luma"))
    module = luma.optimize(luma.lower(checked), "basic")
    assert luma.emit(module, "spirv").output == luma.compile(SOURCE, target="spirv").output
    assert luma.reflect(module)["entry_points"] == luma.reflect(SOURCE)["entry_points"]


def test_stages_raise_only_luma_errors() -> None:
    checked = luma.check(luma.parse("function f( end"))
    assert checked.tree is None
    with pytest.raises(luma.LumaError) as caught:
        luma.lower(checked)
    assert caught.value.diagnostics
    with pytest.raises(luma.LumaError):
        luma.emit(luma.lower(luma.check(luma.parse(SOURCE))), "no-such-target")


def test_compile_all() -> None:
    results = luma.compile_all(SOURCE, target="glsl")
    assert list(results) == ["shade", "place"]
    assert all(r.success for r in results.values())
    assert list(luma.compile_all(SOURCE + "(", target="glsl")) == [""]


def test_includes_from_memory() -> None:
    library = {"lib/a.luma": '#include "b.luma"\n', "lib/b.luma": "const K: float = 4.0\n"}
    source = '#include "lib/a.luma"\n' + SOURCE.replace("2.0 * 3.0", "K")
    result = luma.compile(source, stage="fragment", file_reader=library.get)
    assert result.success and "4.0" in result.text, [d.render() for d in result.diagnostics]


NOT_UNIFORM = """
uniform albedo: sampler2D
@entry(fragment)
function shade(uv: vec2) -> (color: vec4)
    let color = vec4(0.0)
    if uv.x > 0.5 then
        color = sample(albedo, uv)
    end
    return { color = color }
end
"""


def test_control_flow_that_is_not_uniform() -> None:
    for target, code, level in (("glsl", "W0992", luma.Level.WARNING),
                                ("wgsl", "E0736", luma.Level.ERROR)):  # fmt: skip
        (found,) = luma.compile(NOT_UNIFORM, target=target).diagnostics
        assert (found.code, found.level) == (code, level)
        assert found.span is not None and found.span.line_start == 7


REFUSED = """
@push_constant uniform tint: vec4
@entry(compute) @workgroup_size(1)
function count(@builtin(num_workgroups) groups: uvec3)
    values[groups.x] = tint
end
@entry(vertex)
function place(at: vec4) -> (@builtin(position) p: vec4, @builtin(point_size) size: float)
    return { p = at, size = 2.0 }
end
@entry(vertex)
function number(@location(40) at: vec4) -> (@builtin(position) p: vec4)
    return { p = at }
end
buffer storage values: []vec4
"""


@pytest.mark.parametrize(
    ("target", "entry", "code", "line"),
    [
        ("wgsl", "count", "E0731", 2),
        ("hlsl", "count", "E0711", 4),
        ("hlsl", "place", "W0991", 8),
        ("wgsl", "place", "E0732", 8),
        ("msl", "number", "E0722", 12),
    ],
)
def test_what_a_target_lacks_is_told_with_its_place(
    target: str, entry: str, code: str, line: int
) -> None:
    found = {d.code: d for d in luma.compile(REFUSED, target=target, entry=entry).diagnostics}
    span = found[code].span
    assert span is not None and span.line_start == line and found[code].help


@pytest.mark.parametrize("given", [KeyError("x"), 42, PermissionError(13, "no")])
def test_a_file_reader_that_fails_is_told(given: object) -> None:
    def reader(path: str) -> bytes:
        if isinstance(given, Exception):
            raise given
        return given  # type: ignore[return-value]

    result = luma.compile('#include "a.luma"\n' + SOURCE, file_reader=reader)
    assert [d.code for d in result.diagnostics] == ["E0106"]
    result = luma.compile(SOURCE, stage="fragment", rules=("a.egg",), file_reader=reader)
    assert [d.code for d in result.diagnostics] == ["E0807"]


def test_what_is_no_source_or_no_text() -> None:
    with pytest.raises(TypeError, match="str or bytes"):
        luma.compile(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="binary"):
        _ = luma.compile(SOURCE, target="spirv").text


def test_threads_take_turns() -> None:
    expected = luma.compile(SOURCE, target="spirv", opt="aggressive").output
    found: list[bytes] = []

    def work() -> None:
        found.append(luma.compile(SOURCE, target="spirv", opt="aggressive").output)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


FORK = """
import os, sys, luma
source = sys.argv[1]
if sys.argv[2] == "used":
    assert luma.compile(source, target="spirv", opt="basic").success
child = os.fork()
result = luma.compile(source, target="spirv", opt="basic")
if child == 0:
    print([d.code for d in result.diagnostics], flush=True)
else:
    os.waitpid(child, 0)
    print("parent", result.success)
"""


@pytest.mark.parametrize(("before", "told"), [("unused", "[]"), ("used", "['E0810']")])
def test_forked_child_compiles_or_says_why_not(before: str, told: str) -> None:
    command = [sys.executable, "-c", FORK, SOURCE, before]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines() == [told, "parent True"]
    assert done.stderr == ""


@pytest.mark.parametrize("target", ["glsl", "spirv"])
def test_same_bytes_under_any_hash_seed(target: str) -> None:
    program = (
        "import sys, luma\n"
        "for _ in range(2):\n"
        f"    options = dict(target={target!r}, stage='fragment', opt='aggressive')\n"
        "    r = luma.compile(sys.argv[1], **options)\n"
        "    print(r.success, r.output.hex(), r.hash)\n"
    )
    outputs = set()
    for seed in ("0", "1", "4711"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", program, SOURCE]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        outputs.update(done.stdout.splitlines())
    assert len(outputs) == 1 and next(iter(outputs)).startswith("True")
