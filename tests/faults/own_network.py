"""A network of its own for one server: two cables of the kernel's lead there, and one of them can be pulled.

    database, NATS ─── veth, may be down ───┐
                                            ├─ network namespace with the server
    clients ────────── veth, always up ─────┘

A proxy closes or keeps what it has accepted; here packets are simply gone, in both directions, and TCP is told nothing.
"""

from __future__ import annotations

import ipaddress
import os
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

from harness.chaos.town import Place
from tests.lacking import lacks

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

NETWORKS = ipaddress.ip_network("198.18.0.0/15")
"""For tests of networks (RFC 2544), so nobody's."""


class CannotIsolate(Exception):
    """No such network can be made here; the message says what the system answered."""


class OwnNetwork:
    """``with OwnNetwork() as network``: what runs under ``network.place.enter`` is there.

    Attributes:
        place: for ``Town``.

    Raises:
        CannotIsolate: on entering.
    """

    def __init__(self) -> None:
        self.place = Place((), "", "")
        self._cables = (f"zn{os.getpid()}s", f"zn{os.getpid()}c")
        """The ends that are on this side: of the servers' cable, and the clients'."""
        self._holder: subprocess.Popen[bytes]

    def cut(self) -> None:
        """Nothing passes any more between there and the database or NATS, and nobody is told."""
        _run("ip", "link", "set", self._cables[0], "down")

    def mend(self) -> None:
        """It does again."""
        _run("ip", "link", "set", self._cables[0], "up")

    def __enter__(self) -> Self:
        # `cat` ends with its input, and with it and the server namespace and cables: also when the tests are killed.
        self._holder = subprocess.Popen(
            ["unshare", "--net", "sh", "-c", "ip link set lo up && echo up && exec cat"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert self._holder.stdout is not None
        if self._holder.stdout.readline() != b"up\n":
            _, said = self._holder.communicate()
            raise CannotIsolate(said.decode().strip())
        try:
            enter = ("nsenter", "--target", str(self._holder.pid), "--net", "--")
            addresses = [self._lay(number, enter) for number in range(2)]
        except BaseException:
            self.__exit__(None, None, None)
            raise
        self.place = Place(enter, servers=addresses[0][0], address=addresses[1][1])
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for cable in self._cables:
            subprocess.run(["ip", "link", "delete", cable], check=False, capture_output=True)
        self._holder.communicate()

    def _lay(self, number: int, enter: tuple[str, ...]) -> tuple[str, str]:
        """Lay one of the two cables; the addresses of this end of it and of the other."""
        cable, far = self._cables[number], f"far{number}"
        first = int(NETWORKS.network_address) + (2 * os.getpid() + number) * 4 % NETWORKS.num_addresses
        here, there = (str(ipaddress.ip_address(first + place)) for place in (1, 2))
        _run("ip", "link", "add", cable, "type", "veth", "peer", "name", far, "netns", str(self._holder.pid))
        _run("ip", "address", "add", f"{here}/30", "dev", cable)
        _run("ip", "link", "set", cable, "up")
        _run(*enter, "ip", "address", "add", f"{there}/30", "dev", far)
        _run(*enter, "ip", "link", "set", far, "up")
        return here, there


def _run(*command: str) -> None:
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        raise CannotIsolate(f"{' '.join(command)}: {done.stderr.strip()}")


@contextmanager
def own_network() -> Iterator[OwnNetwork]:
    """An ``OwnNetwork``; where none can be made the test is skipped, and in CI it fails."""
    network = OwnNetwork()
    try:
        network.__enter__()
    except (CannotIsolate, FileNotFoundError) as error:
        lacks(f"no network of its own can be made here: {error}")
    try:
        yield network
    finally:
        network.__exit__(None, None, None)
