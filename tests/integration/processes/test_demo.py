"""``zeitnot demo simul`` as a command, against a server."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from harness.demo.errors import RequestRefused
from harness.demo.options import DemoOptions, Tally
from harness.demo.participant import Participant
from realtime.postgres.database import connect
from tests.faults.outage import is_not_ready
from tests.integration.running_simul import ANNOUNCED, fetch, listen
from tests.realtime.until import until
from tests.server_process import COMMAND, ROOT
from tests.wire_client import WAIT_S, Client, Message, guest

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from tests.server_process import ServerProcess

EMBEDDED = True

BOARDS = 3

LONG_S = 60
"""More than any of these tests takes; each ends its demonstration by what it does."""


class Demo:
    """The command as it runs. What it has told is part of a test's failure.

    Attributes:
        told: its lines so far, of both streams.
    """

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.told = ""
        assert process.stdout is not None
        self._out = process.stdout

    async def line(self, beginning: str) -> str:
        """The next line that begins so."""
        async with asyncio.timeout(WAIT_S):
            while not (line := await self._line()).startswith(beginning):
                assert line, f"it ended without saying {beginning!r}"
        return line.strip()

    async def end(self) -> int:
        """Wait for its exit status."""
        async with asyncio.timeout(LONG_S):
            while await self._line():
                pass
            return await self.process.wait()

    async def _line(self) -> str:
        line = (await self._out.readline()).decode()
        self.told += line
        return line


@contextlib.asynccontextmanager
async def demo(url: str, *options: str) -> AsyncIterator[Demo]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", COMMAND, "demo", "simul", "--url", url, *options),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    running = Demo(process)
    try:
        yield running
    except BaseException as error:
        error.add_note(f"the demonstration told:\n{running.told}")
        raise
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


@contextlib.asynccontextmanager
async def stalled_lease(server: ServerProcess) -> AsyncIterator[None]:
    """The server cannot renew its lease: it decides nothing, and refuses what it is asked for."""
    async with server.opened() as address:
        connection = await connect(address, name="tests")
        try:
            async with connection.transaction():
                await connection.execute("LOCK TABLE node IN EXCLUSIVE MODE")
                await until(lambda: is_not_ready(server))
                yield
        finally:
            await connection.close()


def simul_of(line: str) -> str:
    return line.rpartition("/")[2]


async def test_refused_participant_disconnects(url: str) -> None:
    """Otherwise they would stay connected without receiving anything."""
    token, _ = await asyncio.to_thread(guest, url)
    participant = Participant(DemoOptions(url=url, boards=1), "abcdefgh", token, Random(), Tally())
    with pytest.raises(RequestRefused, match="no such simul"):
        await participant.connect()
    assert not participant.is_connected


async def shown(url: str, simul: str) -> dict[str, Any]:
    found: dict[str, Any] = await asyncio.to_thread(fetch, url, f"simuls/{simul}")
    return found


@pytest.mark.parametrize(
    ("kind", "mode"),
    [
        (("chess", "standard"), "clock"),
        (("chess", "standard"), "round"),
        (("draughts", "international"), "clock"),
        (("draughts", "english"), "round"),
    ],
    ids=["clock", "round", "draughts", "a round that black begins"],
)
async def test_scripted_host_plays_and_ends_the_simul(url: str, kind: tuple[str, str], mode: str) -> None:
    options = ("--boards", str(BOARDS), "--host-plays", "--mode", mode, "--think", "0.05", "--seconds", "6")
    async with demo(url, *options, "--game", kind[0], "--variant", kind[1]) as running:
        simul = simul_of(await running.line(url))
        announced = await shown(url, simul)
        assert (announced["game"], announced["variant"]) == kind
        async with Client(url) as spectator:
            await listen(spectator, simul)
            # The host has moved at all boards, and has been answered.
            for board in range(1, BOARDS + 1):
                await spectator.wait(lambda m, n=board: m.get("board") == n and m.get("ply", 0) >= 3)  # type: ignore[misc]
            await spectator.wait(lambda m: m["t"] == "simul.finished")
        assert await running.end() == 0
    score = (await shown(url, simul))["score"]
    assert score["live"] == score["aborted"] == 0
    assert score["wins"] + score["draws"] + score["losses"] == BOARDS


async def test_demo_can_have_a_human_host(url: str) -> None:
    token, user = await asyncio.to_thread(guest, url)
    options = ("--boards", str(BOARDS), "--token", token, "--think", "0", "--seconds", str(LONG_S))
    async with Client(url, token) as host, demo(url, *options) as running:
        simul = simul_of(await running.line(url))
        await running.line("the host may start it")
        assert (await shown(url, simul))["host"] == user
        await play_one(host, simul)
        assert await running.end() == 0


async def test_demo_participants_fill_an_announced_simul(url: str) -> None:
    async with Client(url, (await asyncio.to_thread(guest, url))[0]) as host:
        simul = (await host.request("simul.create", **ANNOUNCED))["simul"]
        options = ("--boards", str(BOARDS), "--simul", simul, "--think", "0", "--seconds", str(LONG_S))
        async with demo(url, *options) as running:
            await running.line("the host may start it")
            await play_one(host, simul)
            assert await running.end() == 0


@pytest.mark.parametrize("who", ["person", "guest"])
async def test_requests_are_repeated_while_the_database_is_down(server: ServerProcess, url: str, who: str) -> None:
    token, _ = await asyncio.to_thread(guest, url)
    host = ("--token", token) if who == "person" else ("--host-plays",)
    async with contextlib.AsyncExitStack() as stack:
        async with stalled_lease(server):
            running = await stack.enter_async_context(demo(url, "--boards", "2", *host))
            assert "unavailable" in await running.line("zeitnot: not yet")
        await running.line(url)
        await running.line("2 participants are here")


async def play_one(host: Client, simul: str) -> None:
    """Start, move at a board where the host has White, be answered, and end all."""
    await listen(host, simul)
    await host.request("simul.start", simul=simul)
    started = await host.wait(lambda m: m["t"] == "simul.started")
    assert len(started["boards"]) == BOARDS
    board = next(board for board in started["boards"] if board["color"] == "w")
    await host.request("move", g=board["g"], move="e2e4", ply=0)
    await host.wait(lambda m: m["t"] == "simul.board" and m["board"] == board["board"] and m.get("ply") == 2)
    await host.request("simul.end", simul=simul, rest="draw")


async def test_cancelled_simul_ends_the_demo(url: str) -> None:
    token, _ = await asyncio.to_thread(guest, url)
    async with Client(url, token) as host, demo(url, "--boards", "2", "--token", token) as running:
        simul = simul_of(await running.line(url))
        await running.line("the host may start it")
        await host.request("simul.cancel", simul=simul)
        assert await running.end() == 0


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
async def test_stopped_demo_ends_its_simul(url: str, how: signal.Signals) -> None:
    async with demo(url, "--boards", str(BOARDS), "--host-plays", "--think", "5") as running:
        simul = simul_of(await running.line(url))
        async with Client(url) as spectator:
            await listen(spectator, simul)
            await spectator.wait(lambda m: m["t"] == "simul.board")
            running.process.send_signal(how)
            await spectator.wait(lambda m: m["t"] == "simul.finished")
        assert await running.end() == 0


def has_moved(board: int, ply: int) -> Callable[[Message], bool]:
    return lambda m: m.get("board") == board and m.get("ply", 0) >= ply


@pytest.mark.timeout(120)
@pytest.mark.parametrize("mode", ["clock", "round"])
async def test_scripted_host_reconnects_after_a_server_restart(server: ServerProcess, mode: str) -> None:
    url = server.url
    options = ("--boards", "2", "--host-plays", "--mode", mode, "--think", "0.1", "--seconds", "90")
    async with demo(url, *options) as running:
        simul = simul_of(await running.line(url))
        async with Client(url) as spectator:
            await listen(spectator, simul)
            await spectator.wait(lambda m: m.get("board") == 1 and m.get("ply", 0) >= 2)
        await asyncio.to_thread(server.kill9)
        await asyncio.to_thread(server.start)
        async with Client(url) as spectator:
            boards = (await listen(spectator, simul))["boards"]
            for board in boards:
                # The host moves, is answered, and moves again.
                await spectator.wait(has_moved(board["board"], board["ply"] + 4))
            running.process.send_signal(signal.SIGTERM)
            await spectator.wait(lambda m: m["t"] == "simul.finished")
        assert await running.end() == 0


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--boards", "0", "--host-plays"), "--boards: expected 1 to 1000"),
        (("--boards", "1001", "--host-plays"), "--boards: expected 1 to 1000"),
        (("--seconds", "0", "--host-plays"), "--seconds: expected"),
        (("--think", "-1", "--host-plays"), "--think: expected"),
        (("--host-think", "nan", "--host-plays"), "--host-think: expected"),
        (("--game", "go", "--host-plays"), "--game: expected one of chess"),
        (("--variant", "fairy", "--host-plays"), "--variant: for chess expected one of standard"),
        (("--boards", "2"), "who is the host?"),
        (("--simul", "abcdefgh", "--host-plays"), "--simul: the host"),
        (("--boards", "1", "--simul", "abcdefgh"), "not_found: there is no such simul"),
        (("--boards", "1", "--token", "nonsense"), "does not know that token"),
        (("--url", "ftp://nowhere", "--host-plays"), "--url: expected an address"),
        (("--url", "http://127.0.0.1:1", "--host-plays"), "no answer from http://127.0.0.1:1"),
    ],
)
async def test_demo_reports_errors_in_one_line(url: str, options: tuple[str, ...], why: str) -> None:
    arguments = (sys.executable, "-c", COMMAND, "demo", "simul", "--url", url, *options)
    process = await asyncio.create_subprocess_exec(*arguments, cwd=ROOT, stderr=asyncio.subprocess.PIPE)
    async with asyncio.timeout(LONG_S):
        _, told = await process.communicate()
    assert process.returncode == 2
    assert why in told.decode()
    assert told.decode().count("\n") == 1
