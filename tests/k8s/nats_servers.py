"""The real nats-server with the configuration of an overlay, on loopback addresses."""

from __future__ import annotations

import os
import random
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

NATS_SERVER = Path(sys.executable).with_name("nats-server")
START_S = 20.0
PASSWORD = "n0123456789abcdef"


class NatsServers:
    """The pods of an overlay's NATS, each on its own address in 127.0.0.0/8, where Linux listens without setup. So the
    ports are those of the configuration.

    Attributes:
        hosts: address of each pod, by its name in the configuration.
    """

    def __init__(self, configuration: str, names: tuple[str, ...], directory: Path) -> None:
        network = f"127.{random.randrange(1, 255)}.{random.randrange(255)}"
        self.hosts = {name: f"{network}.{number}" for number, name in enumerate(names, 1)}
        self._configuration = configuration
        self._directory = directory
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def at_home(self, text: str) -> str:
        """Return ``text`` with addresses instead of the pods' names."""
        for name, address in sorted(self.hosts.items(), key=lambda item: -len(item[0])):
            text = text.replace(f"{name}.zeitnot-nats:", f"{address}:").replace(f"@{name}:", f"@{address}:")
        return text

    def start(self, name: str) -> None:
        """Start a server and wait until clients can connect."""
        file = self._directory / f"{name}.conf"
        file.write_text(self.at_home(self._configuration).replace("0.0.0.0", self.hosts[name]))
        log = self._directory / f"{name}.log"
        with log.open("w") as told:
            process = subprocess.Popen(
                [NATS_SERVER, "--config", file],
                env={**os.environ, "POD_NAME": name, "NATS_PASSWORD": PASSWORD},
                stderr=told,
            )
        self._running[name] = process
        end = time.monotonic() + START_S
        while True:
            assert process.poll() is None, f"nats-server stopped at once:\n{log.read_text()}"
            try:
                socket.create_connection((self.hosts[name], 4222), timeout=1).close()
            except OSError:
                assert time.monotonic() < end, f"nats-server does not listen:\n{log.read_text()}"
                time.sleep(0.02)
            else:
                return

    def kill(self, name: str) -> None:
        """Kill a server."""
        process = self._running.pop(name)
        process.kill()
        process.wait()

    def __enter__(self) -> Self:
        try:
            for name in self.hosts:
                self.start(name)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for name in [*self._running]:
            self.kill(name)
