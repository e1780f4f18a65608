"""Two servers with one database and NATS between them."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from tests.nats_process import NatsProcess
from tests.server_process import ServerProcess

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Pair(NamedTuple):
    """Two servers, and the NATS server between them. ``a`` is the first, and leads the lobby."""

    a: ServerProcess
    b: ServerProcess
    nats: NatsProcess


@contextmanager
def two_nodes(database: str, directory: Path, *arguments: str) -> Iterator[Pair]:
    """Run two servers with these ``arguments`` on the database with the address ``database``."""
    with NatsProcess() as nats:
        common = ("--database", database, "--nats", nats.url, *arguments)
        with ServerProcess(directory / "a", *common) as a, ServerProcess(directory / "b", *common) as b:
            yield Pair(a, b, nats)
