"""Compiles MSL texts by clang: the header once in a process, then any number of texts in one go."""

from __future__ import annotations

import atexit
import hashlib
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from tests.harness.msl.shim import metal_stdlib
from tests.harness.msl.source import ARGUMENTS, MslError, Source, as_cpp, as_strict, read, thunk

_HERE = Path(__file__).parent
_COMPILER = "clang++-19"

#: Without contraction and with wrapping overflow, as Luma has it; ``1.0`` is a float, as in MSL.
#: A shift by more than Metal defines ends the run, for the CPU would take it modulo 32.
_RUN = (
    "-std=c++14 -O0 -fPIC -ffp-contract=off -fwrapv -fno-strict-aliasing -fno-math-errno "
    "-fsanitize=shift-exponent -fsanitize-trap=shift-exponent "
    "-nostdinc++ -fno-exceptions -fno-rtti -Xclang -cl-single-precision-constant "
    "-Wno-everything -Werror=return-type -Werror=uninitialized -Werror=sometimes-uninitialized "
    "-Werror=unsequenced -Werror=dangling-else -Werror=sign-compare -Werror=float-conversion "
    "-Werror=literal-conversion -Werror=constant-conversion -Werror=c++11-narrowing"
)
_STRICT = (
    "-cl-std=clc++2021 -cl-no-stdinc -target spir64 -cl-single-precision-constant -DLUMA_STRICT "
    "-Xclang -cl-ext=+cl_khr_fp16 -Wno-everything -ferror-limit=0"
)
#: Operands of ``?:`` that differ in being a variable, which clang wrongly minds of class types.
_SAME_OPERANDS = re.compile(r"incompatible operand types \('(.*)' and '(.*)'\)")


@lru_cache(maxsize=1)
def folder() -> Path:
    """The directory that holds what this process compiles, gone at its end."""
    path = Path(tempfile.mkdtemp(prefix="luma-msl-"))
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return path


def _clang(*arguments: str) -> None:
    compiler = shutil.which(_COMPILER)
    if compiler is None:
        raise RuntimeError(f"{_COMPILER} is not installed (package clang-19)")
    done = subprocess.run(
        [compiler, *arguments], capture_output=True, text=True, timeout=120, check=False
    )
    if done.returncode:
        raise MslError(done.stderr)


@lru_cache(maxsize=1)
def _prepared() -> Path:
    """The header, precompiled for both modes."""
    where = folder()
    (where / "metal_stdlib").write_text(metal_stdlib(), encoding="utf-8")
    (where / "first.hpp").write_text(f"#include <metal_stdlib>\n{ARGUMENTS}", encoding="utf-8")
    _clang(
        *_RUN.split(),
        f"-I{where}",
        "-x",
        "c++-header",
        str(where / "first.hpp"),
        "-o",
        str(where / "run.pch"),
    )
    (where / "strict.hpp").write_text("#include <metal_stdlib>\n", encoding="utf-8")
    _clang(
        *_STRICT.split(),
        f"-I{where}",
        "-x",
        "clcpp",
        "-Xclang",
        "-emit-pch",
        "-c",
        str(where / "strict.hpp"),
        "-o",
        str(where / "strict.pch"),
    )
    return where


@lru_cache(maxsize=1)
def runtime() -> Path:
    """The library that runs lanes."""
    library = folder() / "runtime.so"
    _clang(
        "-O2", "-fPIC", "-shared", "-fno-exceptions", str(_HERE / "runtime.cpp"), "-o", str(library)
    )
    return library


def compile_texts(texts: Mapping[str, str]) -> tuple[Path, dict[str, Source]]:
    """A library of several texts, each in the namespace of its key, and what each says.

    Raises MslError with the compiler's words.
    """
    where = _prepared()
    sources: dict[str, Source] = {}
    parts: list[str] = []
    for space, text in texts.items():
        sources[space] = source = read(text)
        thunks = "".join(thunk(source, entry, space) for entry in source.entries.values())
        parts.append(
            f'namespace {space} {{\n#line 1 "{space}"\n{as_cpp(text, space)}\n{thunks}}}\n'
        )
    whole = "\n".join(parts)
    stem = where / hashlib.sha256(whole.encode()).hexdigest()[:16]
    file, library = stem.with_suffix(".cpp"), stem.with_suffix(".so")
    if not library.exists():
        file.write_text(whole, encoding="utf-8")
        _clang(
            *_RUN.split(),
            "-include-pch",
            str(where / "run.pch"),
            "-shared",
            "-x",
            "c++",
            str(file),
            "-o",
            str(library),
        )
        _check(stem, texts)
    return library, sources


def _check(stem: Path, texts: Mapping[str, str]) -> None:
    """Have the address spaces checked."""
    file = stem.with_suffix(".clcpp")
    parts = [f'namespace {n} {{\n#line 1 "{n}"\n{as_strict(t)}\n}}\n' for n, t in texts.items()]
    file.write_text("\n".join(parts), encoding="utf-8")
    where = _prepared()
    try:
        _clang(
            *_STRICT.split(),
            "-include-pch",
            str(where / "strict.pch"),
            "-fsyntax-only",
            "-x",
            "clcpp",
            str(file),
        )
    except MslError as error:
        found = [line for line in str(error).splitlines() if " error: " in line]
        if not all(map(_is_unfounded, found)):
            raise


def _is_unfounded(line: str) -> bool:
    match = _SAME_OPERANDS.search(line)
    return match is not None and len({t.replace("__private ", "") for t in match.groups()}) == 1
