"""Runs a command and writes down the most memory that it needed, in MiB.

``python -S benchmarks/peak.py FILE COMMAND...``, by itself: a process counts what the one that it
was forked from had, so this one must be small.
"""

import os
import sys


def main() -> None:
    """Run the command; its exit status is this one's."""
    path, *command = sys.argv[1:]
    process = os.posix_spawnp(command[0], command, os.environ)
    _, status, usage = os.wait4(process, 0)
    with open(path, "w", encoding="ascii") as file:
        file.write(str(usage.ru_maxrss / 1024))
    sys.exit(os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main()
