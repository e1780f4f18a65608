"""Runs a command nice, with limited memory, and not longer than its parent lives.

``launch.py PARENT NICENESS MEGABYTES COMMAND…``; PARENT is a process id.

A script without imports from the project, which becomes the command. Doing the same between fork and exec of the
robots' process is not safe (``subprocess.Popen`` on ``preexec_fn``).
"""

import contextlib
import ctypes
import os
import resource
import signal
import sys

PR_SET_PDEATHSIG = 1


def end_with_parent(parent: int) -> None:
    """Ask the kernel (Linux) to kill this process when ``parent`` is gone: one that hangs does not notice by itself."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit("the parent is gone")


def limit(kind: int, most: int) -> None:
    """Lower a limit of this process to ``most``, unless it is lower already."""
    _, hard = resource.getrlimit(kind)
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    resource.setrlimit(kind, (most, most))


def main() -> None:
    parent, niceness, megabytes, *command = sys.argv[1:]
    end_with_parent(int(parent))
    os.nice(int(niceness))
    # Not the address space: Node reserves far more of it than it ever uses.
    limit(resource.RLIMIT_DATA, int(megabytes) << 20)
    limit(resource.RLIMIT_CORE, 0)
    os.execvp(command[0], command)  # noqa: S606  no shell


if __name__ == "__main__":
    main()
