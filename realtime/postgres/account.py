"""Under which account PostgreSQL runs: our own, or another when we are root, which it refuses to be."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import msgspec

from realtime.protocol.errors import EmbeddedError

if TYPE_CHECKING:
    from pathlib import Path

_NAME = "nobody"


class Account(msgspec.Struct, frozen=True):
    """A user of this machine."""

    name: str
    uid: int
    gid: int

    def reaches(self, directory: Path) -> bool:
        """Whether he may enter ``directory`` and all above it, by their mode bits."""
        for part in (directory, *directory.parents):
            status = part.stat()
            shift = 6 if status.st_uid == self.uid else 3 if status.st_gid == self.gid else 0
            if not status.st_mode >> shift & 1:
                return False
        return True


def account_for(data_dir: Path) -> Account | None:
    """The account to change to; None when we need not, since we are not root.

    A database that is there already goes on under its owner; a new one is ``nobody``'s.
    """
    if os.geteuid() != 0:
        return None
    import pwd  # no part of Python on Windows, where nobody gets this far

    cluster = data_dir / "cluster"
    if cluster.exists():
        owner = cluster.stat()
        if owner.st_uid != 0:
            return Account(name=f"user {owner.st_uid}", uid=owner.st_uid, gid=owner.st_gid)
    try:
        entry = pwd.getpwnam(_NAME)
    except KeyError as error:
        raise EmbeddedError(f"PostgreSQL refuses to run as root and this system has no user {_NAME}") from error
    return Account(name=entry.pw_name, uid=entry.pw_uid, gid=entry.pw_gid)
