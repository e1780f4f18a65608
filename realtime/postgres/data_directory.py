"""The directory of an embedded PostgreSQL: a single owner, and paths that PostgreSQL can use.

    DIR/
    ├── lock              locked as long as a server runs here
    ├── cluster/          PostgreSQL's files
    ├── postgres.log      its log (and postgres.log.1), bounded
    ├── run/              its socket
    ├── postgres-18.6.3/  its programs, if we are root
    └── elsewhere         link to a directory under /tmp that holds the last two, if this path is unsuitable

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

    from realtime.postgres.account import SystemAccount

SOCKET_NAME = ".s.PGSQL.5432"

SOCKET_PATH_LIMIT = 103
"""Shortest limit of a socket's path in bytes (macOS: 104 with the final zero)."""

_ELSEWHERE, _PREFIX = Path("/tmp"), "zeitnot-"  # noqa: S108  mkdtemp makes what is used of it
"""Not TMPDIR, whose path may be too long."""

LOG_LIMIT_BYTES = 4 << 20


class DataDirectory:
    """A data directory, owned between ``open`` and ``close``.

    Attributes:
        path: ``DIR`` above.
        cluster: PostgreSQL's files; exists only when complete.
        base: directory of socket and programs: ``DIR`` or elsewhere.
        log: PostgreSQL's log.
    """

    def __init__(self, path: Path | str, account: SystemAccount | None) -> None:
        """``account``: the account of PostgreSQL, if not ours."""
        self.path = Path(path).absolute()
        self.cluster = self.path / "cluster"
        self.log = self.path / "postgres.log"
        self.base = self.path
        self._account = account
        self._link = self.path / "elsewhere"
        self._held = ExitStack()

    @property
    def socket(self) -> Path:
        """The server's socket; its directory is the host for clients."""
        return self.base / "run" / SOCKET_NAME

    def open(self) -> None:
        """Create the directory and become its owner.

        Raises ``AlreadyRunning`` if it has an owner, and ``EmbeddedError`` if PostgreSQL's account cannot use it.
        """
        self.path.mkdir(parents=True, exist_ok=True)
        self._lock()
        self._choose_base()
        self.give(self.base / "run")

    def close(self) -> None:
        """Release everything but the data. No server may be running."""
        if self.base != self.path:
            shutil.rmtree(self.base, ignore_errors=True)
            self._link.unlink(missing_ok=True)
            self.base = self.path
        self._held.close()

    def look(self) -> bool:
        """Find ``base`` without ownership, to connect to a server that another process runs.

        Returns True if it is elsewhere. A link to a directory that we did not create is not followed, because ``close``
        removes it.
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
        """Make PostgreSQL's account the owner of ``directory``."""
        directory.mkdir(mode=0o700, exist_ok=True)
        if self._account is not None:
            os.chown(directory, self._account.uid, self._account.gid)

    @contextmanager
    def passed(self, directory: Path) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Yield the path under which PostgreSQL's account can open ``directory``, and the descriptors it must
        inherit."""
        if self._account is None or sys.platform != "linux":
            yield str(directory), ()
            return
        descriptor = os.open(directory, os.O_PATH | os.O_DIRECTORY)
        try:
            # The kernel follows this link without search permission on the directories above.
            yield f"/proc/self/fd/{descriptor}", (descriptor,)
        finally:
            os.close(descriptor)

    def log_size(self) -> int:
        """Return the size of the log in bytes."""
        return self.log.stat().st_size if self.log.exists() else 0

    def log_since(self, offset: int) -> str:
        """Return the log from ``offset`` on, unless it is too long."""
        if not self.log.exists():
            return ""
        with self.log.open("rb") as file:
            file.seek(offset)
            return file.read(4000).decode(errors="replace").strip()

    def bound_log(self) -> None:
        """Rotate a large log. PostgreSQL appends, so it continues at the new beginning; a line written between the copy
        and the truncation is lost."""
        if self.log_size() > LOG_LIMIT_BYTES:
            aside = self.log.with_name("postgres.log.1")
            try:
                shutil.copyfile(self.log, aside)
            except OSError:
                aside.unlink(missing_ok=True)  # the disk is full: space matters more than old lines
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
        """Choose ``path``, if a socket's path may be that long and PostgreSQL's account can reach it."""
        if self.look():
            return  # left by a run that was killed; its server may still use it
        self._link.unlink(missing_ok=True)
        short = len(os.fsencode(self.socket)) <= SOCKET_PATH_LIMIT
        reachable = self._account is None or self._account.reaches(self.path)
        if not reachable and sys.platform != "linux":
            raise EmbeddedError(f"{self.path} must be reachable by {self._account}, who runs PostgreSQL")
        if not (short and reachable):
            self.base = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=_ELSEWHERE))
            self._link.symlink_to(self.base)
            self.base.chmod(0o711)
