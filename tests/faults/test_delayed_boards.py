"""A kill of the server under a delayed board: hidden moves stay hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.integration.lobby.test_people import ask
from tests.integration.match import snapshot
from tests.integration.running_simul import GAME, fetch, listen, running
from tests.realtime.until import until
from tests.server_process import ServerProcess
from tests.wire_client import Client

if TYPE_CHECKING:
    from pathlib import Path

DELAY_S = 900
"""Nothing of what happens here is told within the test."""


async def test_crash_reveals_nothing_early(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "data", "--limit", "guests=100") as server:
        url = server.url
        async with running(url, 2, delay_s=DELAY_S) as x:
            simul, boards = x.id, x.boards
            host, players = x.host.token, [player.token for player in x.players]
            name = x.host.welcome["user"]["name"]
            for ply in range(4):
                await x.move(1, ply)
            await x.player(2).request("resign", g=boards[2])
            await x.event("board", board=2, status="over")
        server.kill9()
        server.start()

        def of_the_host() -> dict[str, Any]:
            return snapshot(url, boards[1], Client(url, host))

        async with Client(url, host) as back, Client(url, players[1]) as inside, Client(url) as stranger:
            for socket in (back, inside):
                assert tuple((await socket.sub(boards[1]))["moves"]) == GAME[:4]
                assert (await socket.sub(boards[2]))["status"] == "over"
            for game in boards.values():
                shown = await stranger.sub(game)
                assert (shown["moves"], shown["status"], shown["result"]) == ([], "created", "*")
                assert snapshot(url, game)["moves"] == []
            assert tuple(of_the_host()["moves"]) == GAME[:4]

            async def is_led() -> bool:
                return await led(stranger, simul)

            await until(is_led)
            seen = await listen(stranger, simul)
            assert (seen["status"], seen["boards"], seen["score"]["losses"]) == ("running", [], 0)
            assert len((await listen(back, simul))["boards"]) == 2
            assert fetch(url, f"simuls/{simul}")["boards"] == []
            assert [card["score"]["wins"] for card in fetch(url, "simuls")["simuls"]] == [0]
            assert fetch(url, f"games?user={name}")["games"] == []
            profile = ask(url, "GET", f"users/{name}")[1]
            assert (profile["playing"], profile["games"]["total"]) == (None, 0)

            await back.request("move", g=boards[1], move=GAME[4], ply=4)
            assert (await inside.event(boards[1], 5 + 1))["t"] in ("move", "clock")
            assert stranger.events(boards[1]) == []


async def led(who: Client, simul: str) -> bool:
    """Whether the simul has been loaded again."""
    start = len(who.messages)
    try:
        await listen(who, simul)
    except AssertionError:
        assert who.messages[start]["code"] == "unavailable"
        return False
    return True
