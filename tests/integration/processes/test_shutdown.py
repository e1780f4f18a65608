"""Shutdown by SIGTERM, and the start after it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import socket
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from tests.integration.match import BLITZ, Match, begin, snapshot, without_time
from tests.processes import descendants
from tests.server_process import ServerProcess
from tests.wire_client import WAIT_S, Client, guest

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

STOP_S = 5.0
"""SIGTERM is done within this, whatever the clients do."""

AGAIN_S = 2.0
"""What a second start may take until it serves, on a machine that does nothing else."""


class Deaf(Client):
    """A client that stops reading, as one behind a network that is gone."""

    async def __aenter__(self) -> Deaf:
        await super().__aenter__()
        self._socket.transport.pause_reading()
        return self


async def stopped(server: ServerProcess, number: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
    """Signal the running server and wait for its end: its exit status, and what more it wrote to stdout."""
    process, server.process = server.process, None
    assert process is not None
    assert process.stdout is not None
    process.send_signal(number)
    status = await asyncio.to_thread(process.wait, STOP_S)
    with process.stdout:
        return status, process.stdout.read()


@contextlib.asynccontextmanager
async def crowd(url: str, count: int) -> AsyncIterator[list[Client]]:
    async with contextlib.AsyncExitStack() as stack:
        yield [await stack.enter_async_context(Client(url, codec=("msgpack", "json")[i % 2])) for i in range(count)]


async def test_sigterm_closes_every_socket_with_a_retry_time(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "data", "--limit", "guests=100", "--log-format", "json") as server:
        url, port = server.url, server.port
        assert url == f"http://127.0.0.1:{port}"
        family = psutil.Process(server.pid).children(recursive=True)
        assert descendants(server.pid, lambda process: process.name() == "postgres")
        async with (
            crowd(url, 10) as watchers,
            Client(url, guest(url)[0]) as white,
            Client(url, guest(url)[0]) as black,
            Deaf(url) as deaf,
        ):
            m = Match(await begin(white, black), white, black)
            for watcher in watchers:
                await watcher.sub(m.g)
            await m.play("e2e4", "e7e5")
            with contextlib.closing(socket.create_connection(("127.0.0.1", port))) as silent:
                silent.sendall(b"GET /ws HTTP/1.1\r\n")  # somebody in the middle of a handshake
                status, more = await stopped(server)
            assert (status, more) == (0, "")
            for client in (*watchers, white, black):
                assert client._reader is not None
                await client._reader
                assert client.closed_with == 1012
            deaf.drop()
        assert not [process for process in family if process.is_running()]
        assert not list((tmp_path / "data").rglob("postmaster.pid"))
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port))
        faults = [line for line in server.told().splitlines() if json.loads(line)["level"] in ("error", "critical")]
        assert not faults


async def test_move_under_way_is_answered_before_shutdown(tmp_path: Path, own_database: str) -> None:
    with ServerProcess(tmp_path / "data", database=own_database) as server:
        async with Client(server.url, guest(server.url)[0]) as player:
            g = (await player.request("challenge", tc=BLITZ, to="self"))["g"]
            moves = ("g1f3", "g8f6", "f3g1", "f6g8") * 3
            for ply, move in enumerate(moves):
                await player.send({"t": "move", "id": 100 + ply, "g": g, "move": move, "ply": ply})
            await stopped(server, signal.SIGINT)
            assert player._reader is not None
            await player._reader
            acknowledged = [m["seq"] for m in player.messages if m["t"] == "ok" and m["id"] >= 100]
        server.start()
        stored = snapshot(server.url, g)["moves"]
        assert acknowledged == list(range(1, len(acknowledged) + 1))
        assert stored[: len(acknowledged)] == list(moves[: len(acknowledged)])


async def test_restart_resumes_every_game(tmp_path: Path, own_database: str) -> None:
    with ServerProcess(tmp_path / "data", "--limit", "guests=100", database=own_database) as server:
        tokens = [guest(server.url)[0] for _ in range(2)]
        keyed: dict[str, Any] = {"ply": 2, "move": "g1f3", "key": "k"}
        async with Client(server.url, tokens[0]) as white, Client(server.url, tokens[1]) as black:
            m = Match(await begin(white, black), white, black)
            await m.play("e2e4", "e7e5")
            assert (await white.request("move", g=m.g, **keyed))["seq"] == 3
            await white.request("draw", g=m.g, do="offer")
            seek = await black.request("seek", tc={"days": 3}, key="s")
            before = without_time(m.snapshot())
            assert (await stopped(server))[0] == 0

        server.start()
        assert sum(psutil.Process(server.pid).cpu_times()[:2]) < AGAIN_S

        after = without_time(snapshot(server.url, m.g))
        away = {color: {**before["players"][color], "online": False} for color in ("w", "b")}
        assert after == {**before, "players": away}
        async with Client(server.url, tokens[0]) as white, Client(server.url, tokens[1]) as black:
            assert white.welcome["games"] == black.welcome["games"] == [m.g]
            # The clock of the player to move is held until they are back; their opponent's return changes nothing.
            shown = await white.sub(m.g)
            assert (shown["clock"]["run"], shown["clock"]["held"]) == (None, "restart")
            shown = await black.sub(m.g, **{"from": 2})
            resumed = await white.event(m.g, 5)
            assert (resumed["t"], resumed["why"], resumed["clock"]["run"]) == ("clock", "resumed", "b")
            assert "held" not in resumed["clock"]
            # What was asked before is answered as before.
            assert (await white.request("move", g=m.g, **keyed))["seq"] == 3
            assert (await black.request("seek", tc={"days": 3}, key="s"))["seek"] == seek["seek"]
            await black.request("draw", g=m.g, do="accept")
            assert (await white.wait(lambda message: message["t"] == "end"))["seq"] == 7
        assert (await stopped(server))[0] == 0


async def test_finished_game_is_available_after_a_restart(tmp_path: Path, own_database: str) -> None:
    with ServerProcess(tmp_path / "data", "--limit", "guests=100", database=own_database) as server:
        tokens = [guest(server.url)[0] for _ in range(3)]
        async with Client(server.url, tokens[0]) as white, Client(server.url, tokens[1]) as black:
            m = Match(await begin(white, black), white, black)
            await m.play("f2f3", "e7e5", "g2g4", "d8h4")
            before = without_time(m.snapshot())
        server.stop()
        server.start()
        async with (
            Client(server.url, tokens[0]) as white,
            Client(server.url, tokens[1]) as black,
            Client(server.url, tokens[2]) as stranger,
        ):
            # Nobody has looked at it since the start: each of these may be the one that brings it back.
            codes = await asyncio.gather(
                stranger.refused("resign", g=m.g),
                white.refused("resign", g=m.g),
                black.refused("move", g=m.g, move="h4e1", ply=4),
            )
            assert list(codes) == ["forbidden", "game_over", "game_over"]
            assert (await black.request("move", g=m.g, move="d8h4", ply=3))["seq"] == 4
            assert without_time(snapshot(server.url, m.g)) == before
            await white.request("rematch", g=m.g, do="offer")
            rematch = (await black.request("rematch", g=m.g, do="accept"))["g"]
            await black.request("move", g=rematch, move="e2e4", ply=0)


async def test_second_server_on_the_same_data_is_refused(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "data") as server:
        second = ServerProcess(tmp_path / "data")
        with pytest.raises(AssertionError, match="did not start"):
            second.start()
        assert "another" in server.told()
        async with asyncio.timeout(WAIT_S), Client(server.url) as client:
            await client.request("ping")
