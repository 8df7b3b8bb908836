"""HLSL by a second front end, Slang's: it reads the same text that DXC does, and makes SPIR-V.

``python -m tests.harness.slang`` serves pickled requests on its standard input.
"""

from __future__ import annotations

import ctypes
import re
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, files
from typing import Any, cast

from tests.harness.jobs import Job, Outputs
from tests.harness.validators import InvalidOutput, validate_spirv
from tests.harness.worker import Driver, serve_streams

#: Numbers of the library's interface (slang.h): its targets, and a mode of floating point.
GLSL, HLSL, SPIRV, METAL, WGSL = 2, 5, 6, 24, 28
_PRECISE = 2
#: Slang's own language, of which HLSL 2021 is a part: as "HLSL" it keeps the old rule by which the
#: variable of a loop lives on after it.
_LANGUAGE = 1
_STAGES = {"vertex": 1, "fragment": 5, "compute": 6}

_WORDS = (
    *("-O0", "-D__spirv__", "-fvk-use-entrypoint-name", "-fvk-use-dx-position-w"),
    *("-fvk-use-dx-layout", "-warnings-disable", "30514"),  # a loop may run zero times
    *(word for kind in "btsu" for word in (f"-fvk-{kind}-shift", "0", "all")),
)

_SEMANTIC = re.compile(
    r"((?:nointerpolation |noperspective )?\w+ \w+ : (?:TEXCOORD|SV_Target)(\d+))"
)
_ENTRY = re.compile(r"^// dxc .*-E (\w+)", re.MULTILINE)

_FUNCTIONS: tuple[tuple[str, Any, tuple[Any, ...]], ...] = (
    ("spCreateSession", ctypes.c_void_p, (ctypes.c_char_p,)),
    ("spCreateCompileRequest", ctypes.c_void_p, (ctypes.c_void_p,)),
    ("spDestroyCompileRequest", None, (ctypes.c_void_p,)),
    ("spAddCodeGenTarget", ctypes.c_int, (ctypes.c_void_p, ctypes.c_int)),
    ("spFindProfile", ctypes.c_int, (ctypes.c_void_p, ctypes.c_char_p)),
    ("spSetTargetProfile", None, (ctypes.c_void_p, ctypes.c_int, ctypes.c_int)),
    ("spSetTargetFloatingPointMode", None, (ctypes.c_void_p, ctypes.c_int, ctypes.c_uint32)),
    (
        "spProcessCommandLineArguments",
        ctypes.c_int,
        (ctypes.c_void_p, ctypes.POINTER(ctypes.c_char_p), ctypes.c_int),
    ),
    ("spAddTranslationUnit", ctypes.c_int, (ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p)),
    (
        "spAddTranslationUnitSourceString",
        None,
        (ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p),
    ),
    (
        "spAddEntryPoint",
        ctypes.c_int,
        (ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_int),
    ),
    ("spCompile", ctypes.c_int, (ctypes.c_void_p,)),
    ("spGetDiagnosticOutput", ctypes.c_char_p, (ctypes.c_void_p,)),
    (
        "spGetEntryPointCode",
        ctypes.c_void_p,
        (ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(ctypes.c_size_t)),
    ),
)


#: What Slang does not take though DXC does, by case: why.
REFUSED = {
    **dict.fromkeys(
        ("atomics_int", "atomics_uint"),
        "it loses the result of InterlockedExchange on a RWByteAddressBuffer",
    ),
    "stage_points": "it has no [[vk::builtin]], DXC's way to Vulkan's PointSize",
}


@lru_cache(maxsize=1)
def driver() -> Driver:
    """Slang's process, started when it is first needed."""
    import atexit

    made = Driver(module="tests.harness.slang")
    atexit.register(made.close)
    return made


@lru_cache(maxsize=512)
def slang_to_spirv(text: str, stage: str, strict: bool = False) -> tuple[bytes, str]:
    """Valid SPIR-V and the entry point's name.  Raises InvalidOutput with Slang's words.

    ``strict`` asks for IEEE-754's arithmetic.
    """
    found = _ENTRY.search(text)
    assert found is not None
    located = _SEMANTIC.sub(r"[[vk::location(\2)]] \1", text)
    answer: Any = driver().run(cast(Job, (located, stage, found[1], _WORDS, strict)), ())
    binary, said = answer
    if not binary or said.strip():
        lines = "\n".join(f"{n}: {line}" for n, line in enumerate(located.splitlines(), 1))
        raise InvalidOutput(f"Slang:\n{said}\n{lines}")
    validate_spirv(binary, scalar_layout=True)  # it reads float3 from bytes by arrays of float3
    return binary, found[1]


class Compiler:
    """Slang in this process."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL(_library_path())
        for name, result, arguments in _FUNCTIONS:
            function = getattr(self._library, name)
            function.restype, function.argtypes = result, list(arguments)
        self._session = self._library.spCreateSession(None)

    def run(self, job: Job, modules: tuple[bytes, ...]) -> Outputs:
        """The answer to a request (text, stage, entry, words, precise[, target])."""
        text, stage, entry, words, precise, *target = cast(tuple[Any, ...], job)
        return cast(Outputs, self.compile(text, stage, entry, words, precise, *target))

    def compile(
        self,
        text: str,
        stage: str,
        entry: str,
        words: tuple[str, ...],
        precise: bool,
        target: int = SPIRV,
    ) -> tuple[bytes, str]:
        """The output (nothing if there are errors), and what the compiler says."""
        library = self._library
        request = library.spCreateCompileRequest(self._session)
        try:
            index = library.spAddCodeGenTarget(request, target)
            profile = library.spFindProfile(self._session, b"sm_6_2")
            library.spSetTargetProfile(request, index, profile)
            if precise:
                library.spSetTargetFloatingPointMode(request, index, _PRECISE)
            given = (ctypes.c_char_p * len(words))(*(word.encode() for word in words))
            if library.spProcessCommandLineArguments(request, given, len(words)) < 0:
                return b"", self._said(request)
            unit = library.spAddTranslationUnit(request, _LANGUAGE, b"shader")
            library.spAddTranslationUnitSourceString(request, unit, b"in.hlsl", text.encode())
            point = library.spAddEntryPoint(request, unit, entry.encode(), _STAGES[stage])
            if library.spCompile(request) < 0:
                return b"", self._said(request)
            size = ctypes.c_size_t()
            code = library.spGetEntryPointCode(request, point, ctypes.byref(size))
            return ctypes.string_at(code, size.value), self._said(request)
        finally:
            library.spDestroyCompileRequest(request)

    def _said(self, request: int) -> str:
        return (self._library.spGetDiagnosticOutput(request) or b"").decode()


def _library_path() -> str:
    try:
        listed = files("slangpy") or []
    except PackageNotFoundError as missing:
        raise RuntimeError("the slangpy package is not installed") from missing
    return str(next(f.locate() for f in listed if f.name.startswith("libslang-compiler.so")))


def main() -> None:
    """Serve the compiler."""
    serve_streams(Compiler)


if __name__ == "__main__":
    main()
