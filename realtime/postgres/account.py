"""The account under which PostgreSQL runs: ours, or another if we are root, because PostgreSQL refuses to run as
root."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import msgspec

from realtime.protocol.errors import EmbeddedError

if TYPE_CHECKING:
    from pathlib import Path

_NAME = "nobody"


class SystemAccount(msgspec.Struct, frozen=True):
    """A user account of this machine."""

    name: str
    uid: int
    gid: int

    def reaches(self, directory: Path) -> bool:
        """Return whether the account may enter ``directory`` and all above it, by their mode bits."""
        for part in (directory, *directory.parents):
            status = part.stat()
            shift = 6 if status.st_uid == self.uid else 3 if status.st_gid == self.gid else 0
            if not status.st_mode >> shift & 1:
                return False
        return True


def account_for(data_dir: Path) -> SystemAccount | None:
    """Return the account to switch to; None if we are not root.

    An existing database keeps its owner; a new one belongs to ``nobody``.
    """
    if os.geteuid() != 0:
        return None
    import pwd  # not available on Windows, where this is never reached

    cluster = data_dir / "cluster"
    if cluster.exists():
        owner = cluster.stat()
        if owner.st_uid != 0:
            return SystemAccount(name=f"user {owner.st_uid}", uid=owner.st_uid, gid=owner.st_gid)
    try:
        entry = pwd.getpwnam(_NAME)
    except KeyError as error:
        raise EmbeddedError(f"PostgreSQL refuses to run as root and this system has no user {_NAME}") from error
    return SystemAccount(name=entry.pw_name, uid=entry.pw_uid, gid=entry.pw_gid)
