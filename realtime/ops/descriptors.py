"""Limit of file descriptors. Each socket needs one, and the default limit is too low for a server.

Container runtimes and systemd start a process with a soft limit of 1,024, because of programs that use ``select``, and
a hard limit of half a million. The server does not use ``select`` and raises the soft limit.
"""

from __future__ import annotations

import contextlib
import resource

MOST = 1024 * 1024
"""Limit to set where the hard limit is infinite; no process serves as many sockets."""


def allow_many() -> int:
    """Raise this process's soft limit as far as possible, and return it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST if hard == resource.RLIM_INFINITY else min(hard, MOST)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return soft
    with contextlib.suppress(ValueError, OSError):  # macOS reports infinity but refuses it
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return soft
