"""The directory of an embedded PostgreSQL: one owner, and paths that PostgreSQL can use.

    DIR/
    ├── lock              held as long as somebody runs a server here
    ├── cluster/          PostgreSQL's files
    ├── postgres.log      its messages (and postgres.log.1), bounded
    ├── run/              its socket
    ├── postgres-18.6.3/  its programs, when we are root
    └── elsewhere         link to a directory under /tmp that holds the last two, where this path will not do

Started by root, PostgreSQL runs under another account, which need not be able to reach ``DIR`` (it may be under
``/root``): on Linux it gets the cluster as an open descriptor.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import sys
import tempfile
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from realtime.protocol.errors import AlreadyRunning, EmbeddedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from realtime.postgres.account import Account

SOCKET_NAME = ".s.PGSQL.5432"

SOCKET_PATH_LIMIT = 103
"""Bytes of a socket's path on the meanest system (macOS: 104 with the final zero)."""

_ELSEWHERE, _PREFIX = Path("/tmp"), "zeitnot-"  # noqa: S108  mkdtemp makes what is used of it
"""Not TMPDIR, whose path may be long too."""

LOG_LIMIT_BYTES = 4 << 20


class DataDirectory:
    """Owned between ``open`` and ``close``.

    Attributes:
        path: ``DIR`` above.
        cluster: PostgreSQL's files; there only when they are complete.
        base: where socket and programs are: ``DIR`` or elsewhere.
        log: PostgreSQL's messages.
    """

    def __init__(self, path: Path | str, account: Account | None) -> None:
        """``account``: who runs PostgreSQL, if not we ourselves."""
        self.path = Path(path).absolute()
        self.cluster = self.path / "cluster"
        self.log = self.path / "postgres.log"
        self.base = self.path
        self._account = account
        self._link = self.path / "elsewhere"
        self._held = ExitStack()

    @property
    def socket(self) -> Path:
        """The server's socket; its directory is what clients call the host."""
        return self.base / "run" / SOCKET_NAME

    def open(self) -> None:
        """Make the directory and become its owner.

        Raises ``AlreadyRunning`` if it has one, and ``EmbeddedError`` where PostgreSQL's account cannot use it.
        """
        self.path.mkdir(parents=True, exist_ok=True)
        self._lock()
        self._choose_base()
        self.give(self.base / "run")

    def close(self) -> None:
        """Let go of everything but the data. Whoever calls has made sure that no server runs."""
        if self.base != self.path:
            shutil.rmtree(self.base, ignore_errors=True)
            self._link.unlink(missing_ok=True)
            self.base = self.path
        self._held.close()

    def look(self) -> bool:
        """Find ``base`` without owning anything, to visit a server that somebody else runs.

        True when it is elsewhere. A link that does not lead to a directory of our making is not followed, since
        ``close`` removes what is there.
        """
        if not self._link.is_symlink():
            return False
        target = Path(os.readlink(self._link))
        ours = (
            target.parent == _ELSEWHERE
            and target.name.startswith(_PREFIX)
            and target.is_dir()
            and not target.is_symlink()
            and target.stat().st_uid == self.path.joinpath("lock").stat().st_uid
        )
        if ours:
            self.base = target
        return ours

    def give(self, directory: Path) -> None:
        """Make ``directory`` PostgreSQL's own."""
        directory.mkdir(mode=0o700, exist_ok=True)
        if self._account is not None:
            os.chown(directory, self._account.uid, self._account.gid)

    @contextmanager
    def passed(self, directory: Path) -> Iterator[tuple[str, tuple[int, ...]]]:
        """The name under which PostgreSQL's account finds ``directory``, and the descriptors it must inherit."""
        if self._account is None or sys.platform != "linux":
            yield str(directory), ()
            return
        descriptor = os.open(directory, os.O_PATH | os.O_DIRECTORY)
        try:
            # The kernel follows this link without asking who may search the directories above.
            yield f"/proc/self/fd/{descriptor}", (descriptor,)
        finally:
            os.close(descriptor)

    def log_size(self) -> int:
        """Bytes in the log."""
        return self.log.stat().st_size if self.log.exists() else 0

    def said_since(self, offset: int) -> str:
        """What the log says from ``offset`` on, if that is not too much."""
        if not self.log.exists():
            return ""
        with self.log.open("rb") as file:
            file.seek(offset)
            return file.read(4000).decode(errors="replace").strip()

    def bound_log(self) -> None:
        """Set the log aside when it is large. PostgreSQL appends, so it goes on at the new beginning; a line
        written between copying and truncating is lost, which a log may.
        """
        if self.log_size() > LOG_LIMIT_BYTES:
            aside = self.log.with_name("postgres.log.1")
            try:
                shutil.copyfile(self.log, aside)
            except OSError:
                aside.unlink(missing_ok=True)  # the disk is full: the room is worth more than the lines
            os.truncate(self.log, 0)

    def _lock(self) -> None:
        file = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        self._held.callback(os.close, file)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            owner = os.read(file, 32).decode(errors="replace").strip() or "unknown"
            raise AlreadyRunning(
                f"{self.path} is in use by another server (process {owner}): stop it or choose another directory"
            ) from error
        os.ftruncate(file, 0)
        os.write(file, f"{os.getpid()}\n".encode())

    def _choose_base(self) -> None:
        """``path``, if a socket's path can be that long and PostgreSQL's account gets there."""
        if self.look():
            return  # of a run that was killed; its server may still use it
        self._link.unlink(missing_ok=True)
        short = len(os.fsencode(self.socket)) <= SOCKET_PATH_LIMIT
        reachable = self._account is None or self._account.reaches(self.path)
        if not reachable and sys.platform != "linux":
            raise EmbeddedError(f"{self.path} must be reachable by {self._account}, who runs PostgreSQL")
        if not (short and reachable):
            self.base = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=_ELSEWHERE))
            self._link.symlink_to(self.base)
            self.base.chmod(0o711)
