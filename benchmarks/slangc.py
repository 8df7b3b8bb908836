"""Slang as a command, for its wheel comes without one: one HLSL file to SPIR-V.

``python benchmarks/slangc.py LIBRARY IN STAGE ENTRY OUT``, by itself, so that nothing else loads.
"""

from __future__ import annotations

import ctypes
import sys

# Numbers of the library's interface (slang.h).
SPIRV, SLANG = 6, 1
STAGES = {"vertex": 1, "fragment": 5, "compute": 6}
WORDS = (b"-O2", b"-D__spirv__", b"-fvk-use-entrypoint-name")


def main() -> None:
    """Compile one file."""
    path, source, stage, entry, output = sys.argv[1:]
    library = ctypes.CDLL(path)
    for name in ("spCreateSession", "spCreateCompileRequest", "spGetEntryPointCode"):
        getattr(library, name).restype = ctypes.c_void_p
    library.spGetDiagnosticOutput.restype = ctypes.c_char_p
    session = ctypes.c_void_p(library.spCreateSession(None))
    request = ctypes.c_void_p(library.spCreateCompileRequest(session))
    target = library.spAddCodeGenTarget(request, SPIRV)
    profile = library.spFindProfile(session, b"sm_6_2")
    library.spSetTargetProfile(request, target, profile)
    given = (ctypes.c_char_p * len(WORDS))(*WORDS)
    library.spProcessCommandLineArguments(request, given, len(WORDS))
    unit = library.spAddTranslationUnit(request, SLANG, b"shader")
    with open(source, "rb") as file:
        library.spAddTranslationUnitSourceString(request, unit, b"in.hlsl", file.read())
    point = library.spAddEntryPoint(request, unit, entry.encode(), STAGES[stage])
    if library.spCompile(request) < 0:
        sys.exit(library.spGetDiagnosticOutput(request).decode())
    size = ctypes.c_size_t()
    code = library.spGetEntryPointCode(request, point, ctypes.byref(size))
    with open(output, "wb") as file:
        file.write(ctypes.string_at(code, size.value))


if __name__ == "__main__":
    main()
