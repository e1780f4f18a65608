"""Network namespace for one server, with two virtual cables, one of which can be cut.

    database, NATS ─── veth, may be down ───┐
                                            ├─ network namespace with the server
    clients ────────── veth, always up ─────┘

Unlike with a proxy, which closes or keeps its connections, packets are lost here in both directions, and TCP is not
notified.
"""

from __future__ import annotations

import ipaddress
import os
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

from harness.chaos.local_node import NetworkNamespace
from tests.missing_requirement import skip_or_fail

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

NETWORKS = ipaddress.ip_network("198.18.0.0/15")
"""Reserved for benchmarks of networks (RFC 2544), so otherwise unused."""


class CannotIsolate(Exception):
    """The network cannot be created here; the message has the answer of the system."""


class OwnNetwork:
    """``with OwnNetwork() as network``: a command after ``network.place.enter`` runs inside.

    Attributes:
        place: for ``Town``.

    Raises:
        CannotIsolate: on entering.
    """

    def __init__(self) -> None:
        self.place = NetworkNamespace((), "", "")
        self._cables = (f"zn{os.getpid()}s", f"zn{os.getpid()}c")
        """The outer ends of the cables of the servers and of the clients."""
        self._holder: subprocess.Popen[bytes]

    def cut(self) -> None:
        """Drop all packets between the namespace and the database or NATS, without closing connections."""
        _run("ip", "link", "set", self._cables[0], "down")

    def mend(self) -> None:
        """Let packets through again."""
        _run("ip", "link", "set", self._cables[0], "up")

    def __enter__(self) -> Self:
        # `cat` ends with its input, and the server namespace and the cables with it, even if the tests are killed.
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
        self.place = NetworkNamespace(enter, servers=addresses[0][0], address=addresses[1][1])
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for cable in self._cables:
            subprocess.run(["ip", "link", "delete", cable], check=False, capture_output=True)
        self._holder.communicate()

    def _lay(self, number: int, enter: tuple[str, ...]) -> tuple[str, str]:
        """Create one of the two cables; return the addresses of its outer and inner ends."""
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
    """Yield an ``OwnNetwork``; if none can be created the test is skipped, and in CI it fails."""
    network = OwnNetwork()
    try:
        network.__enter__()
    except (CannotIsolate, FileNotFoundError) as error:
        skip_or_fail(f"no network of its own can be made here: {error}")
    try:
        yield network
    finally:
        network.__exit__(None, None, None)
