"""File descriptors: a socket takes one, and systems begin with fewer than a server needs.

Container runtimes and systemd start a process with a soft limit of 1,024, for programs of the time of ``select``, and a
hard limit of half a million. The server uses no ``select`` and takes what it may.
"""

from __future__ import annotations

import contextlib
import resource

MOST = 1024 * 1024
"""Where nothing is forbidden; no process serves that many sockets."""


def allow_many() -> int:
    """Raise this process' limit as far as it may by itself; what it is then."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST if hard == resource.RLIM_INFINITY else min(hard, MOST)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return soft
    with contextlib.suppress(ValueError, OSError):  # macOS says infinity and means less
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return soft
