"""Runs a command nice and with limited memory: ``launch.py NICENESS MEGABYTES COMMAND…``.

A script without imports from the project, which becomes the command. Doing the same between fork and exec of the
robots' process is not safe (``subprocess.Popen`` on ``preexec_fn``).
"""

import os
import resource
import sys


def limit(kind: int, most: int) -> None:
    """Lower a limit of this process to ``most``, unless it is lower already."""
    _, hard = resource.getrlimit(kind)
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    resource.setrlimit(kind, (most, most))


def main() -> None:
    niceness, megabytes, *command = sys.argv[1:]
    os.nice(int(niceness))
    # Not the address space: Node reserves far more of it than it ever uses.
    limit(resource.RLIMIT_DATA, int(megabytes) << 20)
    limit(resource.RLIMIT_CORE, 0)
    os.execvp(command[0], command)  # noqa: S606  no shell


if __name__ == "__main__":
    main()
