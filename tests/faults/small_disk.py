"""A disk that a test can fill and free: a file system in memory, in its own mount namespace."""

from __future__ import annotations

import errno
import os
import subprocess
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Self

from tests.missing_requirement import skip_or_fail

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

SIZE_MB = 160
"""A new database takes 46 MB; if root runs the tests, PostgreSQL's programs (41 MB) are copied there too."""

_AS_USER = ("--user", "--map-current-user", "--keep-caps")
"""Users other than root may mount in a user namespace, if the kernel allows it."""


class CannotMount(Exception):
    """No file system can be mounted here, not even in a namespace; the message has the answer of the system."""


class SmallDisk:
    """``with SmallDisk(directory) as disk``: a command after ``disk.enter`` sees it in ``directory``.

    Attributes:
        enter: command prefix.
        outside: the same directory as seen from outside.

    Raises:
        CannotMount: on entering.
    """

    def __init__(self, directory: Path) -> None:
        self.enter: tuple[str, ...] = ()
        self.outside = directory
        self._directory = directory
        self._holder: subprocess.Popen[bytes]

    def fill(self) -> None:
        """Fill the disk to the last byte."""
        ballast = os.open(self.outside / "ballast", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        try:
            while True:
                os.write(ballast, bytes(1 << 20))
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
        finally:
            os.close(ballast)
        assert os.statvfs(self.outside).f_bfree == 0

    def free(self) -> None:
        """Free the space again."""
        (self.outside / "ballast").unlink()

    def __enter__(self) -> Self:
        self._directory.mkdir()
        is_root = os.geteuid() == 0
        mount = f'mount -t tmpfs -o size={SIZE_MB}m,mode=0755 tmpfs "$0" && echo mounted && exec cat'
        # `cat` ends with its input, so nothing remains even if the tests are killed.
        self._holder = subprocess.Popen(
            ["unshare", *(() if is_root else _AS_USER), "--mount", "sh", "-c", mount, str(self._directory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert self._holder.stdout is not None
        if self._holder.stdout.readline() != b"mounted\n":
            _, said = self._holder.communicate()
            raise CannotMount(said.decode().strip())
        pid = self._holder.pid
        as_user = () if is_root else ("--user", "--preserve-credentials")
        self.enter = ("nsenter", "--target", str(pid), "--mount", *as_user, f"--wd={Path.cwd()}")
        self.outside = Path(f"/proc/{pid}/root{self._directory}")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._holder.communicate()


@contextmanager
def small_disk(directory: Path) -> Iterator[SmallDisk]:
    """Yield a ``SmallDisk``; if none can be mounted the test is skipped, and in CI it fails."""
    disk = SmallDisk(directory)
    try:
        disk.__enter__()
    except (CannotMount, FileNotFoundError) as error:
        skip_or_fail(f"no small disk can be mounted here: {error}")
    try:
        yield disk
    finally:
        disk.__exit__(None, None, None)
