"""``zeitnot serve --workers N``: several servers on one port, their restarts and their shutdown."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING

import httpx
import psutil
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from tests.integration.cluster.test_two_nodes import met, move
from tests.integration.http.test_metrics_port import free_ports
from tests.nats_process import NatsProcess
from tests.realtime.until import until
from tests.server_process import ServerProcess
from tests.tiers import tiered
from tests.wire_client import Client, guest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import Server


@contextmanager
def running(data: Path) -> Iterator[ServerProcess]:
    with ServerProcess(data, "--workers", "2", "--drain-seconds", "3") as server:
        yield server


def family(server: ServerProcess) -> dict[str, list[psutil.Process]]:
    """What it has started, by name."""
    found: dict[str, list[psutil.Process]] = {"python": [], "nats-server": [], "postgres": []}
    for child in psutil.Process(server.pid).children():
        with suppress(psutil.NoSuchProcess):  # it has ended since
            name = child.name()
            found["python" if name.startswith("python") else name].append(child)
    return found


def is_ready(url: str) -> bool:
    with httpx.Client() as client:  # a connection of its own each time: the kernel chooses who gets it
        try:
            return client.get(f"{url}/readyz").status_code == 200
        except httpx.TransportError:
            return False


async def test_dead_worker_is_replaced_while_the_other_serves(tmp_path: Path) -> None:
    with running(tmp_path / "data") as server:
        first, second = family(server)["python"]
        assert all(is_ready(server.url) for _ in range(8))
        first.kill()
        await until(lambda: len(family(server)["python"]) == 2 and first not in family(server)["python"])
        assert second in family(server)["python"]
        await until(lambda: all(is_ready(server.url) for _ in range(8)))
        async with Client(server.url, guest(server.url)[0]) as client:
            assert "now" in await client.request("ping")


async def test_sighup_replaces_all_workers_without_downtime(tmp_path: Path) -> None:
    with running(tmp_path / "data") as server:
        before = family(server)["python"]
        os.kill(server.pid, signal.SIGHUP)
        async with Client(server.url) as client:
            await until(lambda: not set(before) & set(family(server)["python"]) or not is_ready_or_moving(server.url))
            await until(lambda: "all servers have been replaced" in server.told())
            client.drop()
        assert not set(before) & set(family(server)["python"])
        assert all(is_ready(server.url) for _ in range(8))


async def test_sockets_are_spread_after_replacing_all_workers(tmp_path: Path) -> None:
    first = free_ports(2)
    arguments = ("--workers", "2", "--drain-seconds", "3", "--metrics-port", str(first))

    async def stay(url: str) -> None:
        """A person who comes back whenever they are sent away."""
        while True:
            with suppress(OSError, WebSocketException):
                async with connect(url.replace("http", "ws", 1) + "/ws", compression=None) as socket:
                    await socket.wait_closed()
            await asyncio.sleep(0.2)

    async def connections() -> list[float]:
        found: list[float] = []
        async with httpx.AsyncClient() as client:
            for port in (first, first + 1):
                with suppress(httpx.TransportError):  # between the one that goes and the one that has come
                    text = (await client.get(f"http://127.0.0.1:{port}/metrics")).text
                    found += [
                        int(float(count)) for count in re.findall(r"^zeitnot_connections (.*)$", text, re.MULTILINE)
                    ]
        return found

    async def all_are_here() -> bool:
        return sum(await connections()) == len(people)

    with ServerProcess(tmp_path / "data", *arguments) as server:
        people = [asyncio.create_task(stay(server.url)) for _ in range(40)]
        try:
            await until(all_are_here)
            os.kill(server.pid, signal.SIGHUP)
            await until(lambda: "all servers have been replaced" in server.told())
            await until(all_are_here)
            assert min(await connections()) >= 5
        finally:
            for person in people:
                person.cancel()
            await asyncio.gather(*people, return_exceptions=True)


async def test_failed_replacement_keeps_the_old_worker(tmp_path: Path) -> None:
    words = tmp_path / "words"
    words.write_text("word\n")
    with ServerProcess(tmp_path / "data", "--workers", "2", "--words", str(words)) as server:
        before = family(server)["python"]
        words.write_text("***\n")
        os.kill(server.pid, signal.SIGHUP)
        await until(lambda: "does not start" in server.told())
        assert family(server)["python"] == before
        assert all(is_ready(server.url) for _ in range(8))


def is_ready_or_moving(url: str) -> bool:
    """Whether a server answers: of two tries one may have met a server in the moment of its going."""
    return is_ready(url) or is_ready(url)


@pytest.mark.parametrize(
    "number",
    tiered([signal.SIGTERM, signal.SIGINT, signal.SIGKILL], quick=[signal.SIGKILL], why="one test for each signal"),
    ids=lambda number: number.name,
)
async def test_stopped_server_leaves_no_process(tmp_path: Path, number: signal.Signals) -> None:
    with running(tmp_path / "data") as server:
        children = family(server)
        await asyncio.to_thread(is_ready, server.url)
        process, server.process = server.process, None
        assert process is not None
        process.send_signal(number)
        await asyncio.to_thread(process.wait, 15)
        assert process.stdout is not None
        process.stdout.close()
        ours = children["python"] + children["nats-server"]
        _, alive = await asyncio.to_thread(psutil.wait_procs, ours, 15)
        assert alive == []
        if number != signal.SIGKILL:  # a database that was left behind is taken over by the next start
            assert not any(postgres.is_running() for postgres in children["postgres"])


@contextmanager
def two_machines(postgres: Server, directory: Path) -> Iterator[tuple[ServerProcess, ServerProcess]]:
    """Two workers, and a node that is not theirs, with one database."""
    name = postgres.create()
    with ExitStack() as stack:
        stack.callback(postgres.drop, name)
        nats = stack.enter_context(NatsProcess())
        common = (
            "--database",
            postgres.url(name),
            "--nats",
            nats.url,
            "--drain-seconds",
            "30",
            "--notice-seconds",
            "0",
        )
        workers = stack.enter_context(ServerProcess(directory / "a", "--workers", "2", *common))
        yield workers, stack.enter_context(ServerProcess(directory / "b", *common))


def since_stop(workers: ServerProcess) -> str:
    """What they have told since they were to stop. Before that one may have been given the game that begins."""
    _, stop, told = workers.told().partition("Shutting down")
    assert stop, "they have been stopped"
    return told


@pytest.mark.slow("processes that stop together")
async def test_workers_that_stop_together_hand_over_no_games(postgres: Server, tmp_path: Path) -> None:
    """No other node runs: the games wait for the next start, and no worker hands them to another."""
    name = postgres.create()
    options = "--workers", "2", "--database", postgres.url(name), "--drain-seconds", "30"
    try:
        with ServerProcess(tmp_path / "a", *options) as workers:
            tokens = [guest(workers.url)[0] for _ in range(2)]
            async with Client(workers.url, tokens[0]) as white, Client(workers.url, tokens[1]) as black:
                game = await met(white, black)
                for ply in range(2):
                    await move((white, black)[ply % 2], game, ply)
                assert await asyncio.to_thread(workers.stop) == 0
                await until(lambda: white.closed_with is not None and black.closed_with is not None)
                assert (white.closed_with, black.closed_with) == (1012, 1012)
            told = since_stop(workers)
            assert "draining" not in told
            assert "took over " not in told
            workers.start()
            async with Client(workers.url, tokens[0]) as white, Client(workers.url, tokens[1]) as black:
                for ply in range(2, 4):
                    await move((white, black)[ply % 2], game, ply)
    finally:
        postgres.drop(name)


async def test_sigterm_hands_over_to_another_machine(postgres: Server, tmp_path: Path) -> None:
    with two_machines(postgres, tmp_path) as (workers, other):
        token = guest(workers.url)[0]
        async with Client(other.url, guest(other.url)[0]) as black:
            async with Client(workers.url, token) as white:
                game = await met(white, black)
                for ply in range(2):
                    await move((white, black)[ply % 2], game, ply)
                assert await asyncio.to_thread(workers.stop) == 0
                await until(lambda: white.closed_with is not None)
                assert white.closed_with == 1012
            assert workers.told().count("drained") == 2
            assert "took over " not in since_stop(workers), "none has given the other what it had to leave"
            async with Client(other.url, token) as white:
                for ply in range(2, 4):
                    await move((white, black)[ply % 2], game, ply)


@pytest.mark.parametrize(
    ("options", "status", "told"),
    [
        (("--words", "/nowhere"), 2, "words: /nowhere"),
        (("--port", "{taken}"), 3, "Address already in use"),
        (("--host", "256.1.1.1"), 2, "256.1.1.1"),
    ],
)
async def test_server_ends_when_its_workers_cannot_start(
    tmp_path: Path, options: tuple[str, ...], status: int, told: str
) -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        taken = str(holder.getsockname()[1])
        asked = [option.format(taken=taken) for option in options]
        command = ["serve", "--workers", "2", "--port", "0", "--data", str(tmp_path / "data"), *asked]
        done = await asyncio.to_thread(
            subprocess.run,
            [sys.executable, "-c", "from realtime.commands.cli import main; main()", *command],
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
    assert done.returncode == status, done.stderr
    assert told in done.stderr
    assert done.stdout == ""


@pytest.mark.slow("waits until a start has failed")
async def test_port_is_not_shared_with_other_servers(tmp_path: Path) -> None:
    """Otherwise clients would reach one of the two servers at random."""
    with running(tmp_path / "one") as server:
        for data, options in ((tmp_path / "two", ["--workers", "2"]), (tmp_path / "three", ["--workers", "1"])):
            other = ServerProcess(data, *options)
            other.url = server.url
            with pytest.raises(AssertionError, match=r"(?i)address already in use"):
                other.start()
        friend = ServerProcess(tmp_path / "four", "--workers", "1", "--share-port", "yes")
        friend.url = server.url
        with friend:
            assert friend.url == server.url


@pytest.mark.slow("waits until a start has failed")
async def test_occupied_port_is_reported(tmp_path: Path) -> None:
    with running(tmp_path / "one") as server:
        other = ServerProcess(tmp_path / "two", "--port", str(server.port), "--workers", "1")
        other.url = server.url  # the port that it is to take
        with pytest.raises(AssertionError, match="Address already in use"):
            other.start()
