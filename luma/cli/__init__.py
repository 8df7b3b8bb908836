"""The command line: the only room that prints, reads and writes named files, or exits."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable

#: Exit statuses: the input has errors; wrong usage (click's own); a fault of the compiler's.
INPUT_ERROR, USAGE_ERROR, INTERNAL_ERROR = 1, 2, 3


def main() -> None:
    """Run ``luma`` with the process's arguments and exit."""
    guarded(_luma)


def _luma() -> None:
    from luma.cli.commands import luma

    luma.main(prog_name="luma", standalone_mode=True)


def guarded(command: Callable[[], None]) -> None:
    """Run a command of the process's own; a fault of the compiler's is told, never thrown."""
    gc.disable()  # a compilation leaves few cycles, and looking for them takes 5 % of its time
    try:
        command()
    except BrokenPipeError:  # the reader of our output has left; that is its right
        sys.stderr.close()
        sys.exit(INPUT_ERROR)
    except Exception as fault:  # whatever the stages did not catch themselves
        from luma.pipeline import internal_error

        print(internal_error("the command line", fault).render(), file=sys.stderr)
        sys.exit(INTERNAL_ERROR)
    finally:
        gc.freeze()  # nor need the interpreter look for them when it ends
