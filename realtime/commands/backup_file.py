"""A file that gets its final name when it is complete and on disk; until then it has another in the same directory."""

from __future__ import annotations

import asyncio
import errno
import os
import stat
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from realtime.protocol.errors import BackupError

if TYPE_CHECKING:
    from collections.abc import Iterator

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)

_NO_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK)
"""Errors of file systems without hard links."""


class BackupFile:
    """A file created by ``unfinished``.

    Attributes:
        path: its final name; if that is a link, the link's target.
        beside: its name until then.
        descriptor: of the file, for writing and reading.
    """

    def __init__(self, path: Path, *, replace: bool, descriptor: int, beside: Path) -> None:
        self.path = path
        self.descriptor = descriptor
        self._replace = replace
        self.beside = beside

    async def flush(self) -> None:
        """Wait until what was written is on disk."""
        await asyncio.to_thread(os.fsync, self.descriptor)

    async def finish(self) -> None:
        """Give it its final name. Raises ``BackupError`` if that was taken meanwhile."""
        if self._replace:
            self.beside.replace(self.path)
        else:
            self._link()
        directory = os.open(self.path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            await asyncio.to_thread(os.fsync, directory)
        finally:
            os.close(directory)

    def _link(self) -> None:
        """Create a hard link, which unlike renaming never replaces a file."""
        try:
            os.link(self.beside, self.path)
        except FileExistsError as error:
            raise _taken(self.path) from error
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            if os.path.lexists(self.path):
                raise _taken(self.path) from error
            self.beside.rename(self.path)
        else:
            self.beside.unlink()


@contextmanager
def unfinished(path: Path, *, replace: bool) -> Iterator[BackupFile]:
    """Yield a new file for ``path``, readable by nobody else. It is removed unless it is finished within the block.

    Raises:
        BackupError: ``path`` exists and ``replace`` is false, or it is not a file; or, from within, the disk is full.
        OSError: the directory cannot be written.
    """
    path = Path(os.path.realpath(path))
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        pass
    else:
        if not stat.S_ISREG(mode):
            raise BackupError(f"{path} is not a regular file; use - for standard output")
        if not replace:
            raise _taken(path)
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    try:
        yield BackupFile(path, replace=replace, descriptor=descriptor, beside=Path(name))
    except OSError as error:
        if error.errno in _NO_ROOM:
            raise no_room(path) from error
        raise
    finally:
        os.close(descriptor)
        with suppress(FileNotFoundError):  # it has got its final name
            os.unlink(name)


def no_room(path: Path) -> BackupError:
    """Return the error for a full disk; what was written has been removed."""
    return BackupError(f"there is no room for the backup in {path.parent}: nothing was written")


def _taken(path: Path) -> BackupError:
    return BackupError(f"{path} already exists: choose another name, or overwrite it with --force")
