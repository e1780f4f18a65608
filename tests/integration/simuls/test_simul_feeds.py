"""The games of a simul as a file and as a stream, and its table, over real sockets."""

from __future__ import annotations

import asyncio
import contextlib
import csv
import io
from typing import TYPE_CHECKING, Any

import chess.pgn
import httpx
import pytest

from realtime.games.scores.score_text import FORMS
from tests.integration.running_simul import GAME, announced, fetch, running
from tests.wire_client import WAIT_S, Client, member

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from realtime.games.scores.score_text import Form


AT_ONCE_S = 0.5
"""What is told at once is there by then, nearly always: that a test of silence may miss a fault now and then is no
fault of those that have none."""


class Stream:
    """A client that follows a stream, with what it has received so far."""

    def __init__(self, response: httpx.Response) -> None:
        self.text = ""
        self._pieces = response.aiter_text()

    async def until(self, *words: str) -> str:
        """Read until all of ``words`` have come, in their order; what has come since the last call."""
        before = len(self.text)
        async with asyncio.timeout(WAIT_S):
            while not _in_order(self.text[before:], words):
                self.text += await anext(self._pieces)
        return self.text[before:]

    async def has_no_game(self) -> bool:
        """Whether none has come yet, nor does in a moment; nothing can be read after it."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(AT_ONCE_S):
                while not self.text.strip():
                    self.text += await anext(self._pieces)
        return not self.text.strip()

    async def rest(self) -> str:
        """Read to the end."""
        before = len(self.text)
        async with asyncio.timeout(WAIT_S):
            async for piece in self._pieces:
                self.text += piece
        return self.text[before:]


def _in_order(text: str, words: tuple[str, ...]) -> bool:
    at = 0
    for word in words:
        at = text.find(word, at)
        if at < 0:
            return False
        at += len(word)
    return True


@contextlib.asynccontextmanager
async def followed(url: str, simul: str, viewer: Client | None = None, form: Form = "pgn") -> AsyncIterator[Stream]:
    async with (
        httpx.AsyncClient(timeout=WAIT_S) as client,
        client.stream("GET", f"{url}/api/v1/simuls/{simul}/{form}?follow=1", headers=bearer(viewer)) as response,
    ):
        assert response.status_code == 200
        assert response.headers["content-type"].startswith(FORMS[form].media)
        yield Stream(response)


def bearer(viewer: Client | None) -> dict[str, str]:
    return {} if viewer is None or viewer.token is None else {"Authorization": f"Bearer {viewer.token}"}


async def got(url: str, path: str, viewer: Client | None = None) -> httpx.Response:
    async with httpx.AsyncClient(timeout=WAIT_S) as client:
        return await client.get(f"{url}/api/v1/{path}", headers=bearer(viewer))


def games_of(text: str) -> list[chess.pgn.Game]:
    found, stream = [], io.StringIO(text)
    while (game := chess.pgn.read_game(stream)) is not None:
        assert not game.errors
        found.append(game)
    return found


def moves_of(game: chess.pgn.Game) -> list[str]:
    return [move.uci() for move in game.mainline_moves()]


async def test_pgn_file_has_all_games_in_board_order(url: str) -> None:
    async with running(url, 3, name="Zürich, 12 boards") as x:
        for ply in range(4):
            await x.move(2, ply)
        await x.player(3).request("resign", g=x.boards[3])
        response = await got(url, f"simuls/{x.id}/pgn")
        assert response.headers["content-disposition"] == f'attachment; filename="zeitnot-{x.id}.pgn"'
        games = games_of(response.text)
        assert [(g.headers["Event"], g.headers["Board"]) for g in games] == [
            ("Zürich, 12 boards", str(number)) for number in (1, 2, 3)
        ]
        assert [g.headers["Result"] for g in games] == ["*", "*", "1-0"]
        assert moves_of(games[1]) == list(GAME[:4])
        assert games[1].headers["Site"] == f"{url}/game/{x.boards[2]}"


async def test_stream_sends_changed_games_again_and_ends(url: str) -> None:
    async with running(url, 2) as x, followed(url, x.id) as stream:
        first = games_of(await stream.until('[Board "1"]', "*\n", '[Board "2"]', "*\n"))
        assert [g.headers["Board"] for g in first] == ["1", "2"]
        await x.move(2, 0)
        await stream.until('[Board "2"]', "1. e4", "*\n")
        await x.move(2, 1)
        await stream.until('[Board "2"]', "1. e4", "e5", "*\n")
        await x.player(2).request("resign", g=x.boards[2])
        await stream.until('[Board "2"]', "e5", "1-0\n")
        await x.player(1).request("resign", g=x.boards[1])
        last = games_of(await stream.rest())
        assert [(g.headers["Board"], g.headers["Result"]) for g in last] == [("1", "1-0")]
    assert all(moves_of(game) == list(GAME[: len(moves_of(game))]) for game in games_of(stream.text))


async def test_stream_can_be_followed_before_there_are_games(url: str) -> None:
    async with announced(url, 2) as x, followed(url, x.id) as stream:
        assert (await stream.until("\n")).strip() == ""
        await x.start()
        await stream.until("[Board ", "[Board ")
        assert {g.headers["Board"] for g in games_of(stream.text)} == {"1", "2"}
        await x.ask("end", rest="draw")
        await stream.rest()
        results = {g.headers["Board"]: g.headers["Result"] for g in games_of(stream.text)}
        assert results == {"1": "1/2-1/2", "2": "1/2-1/2"}


async def test_stream_of_a_finished_or_cancelled_simul_ends(url: str) -> None:
    async with running(url, 2) as x:
        await x.ask("end", rest="resign")
        await x.event("finished")
        async with followed(url, x.id) as stream:
            assert [g.headers["Result"] for g in games_of(await stream.rest())] == ["0-1", "0-1"]
    async with announced(url, 1) as x, followed(url, x.id) as stream:
        await x.ask("cancel")
        assert (await stream.rest()).strip() == ""


async def test_followers_receive_the_same_stream(url: str) -> None:
    async with running(url, 2) as x, followed(url, x.id) as one, followed(url, x.id) as other:
        for stream in (one, other):
            await stream.until('[Board "1"]', "*\n", '[Board "2"]', "*\n")
        await x.move(1, 0)
        for stream in (one, other):
            await stream.until('[Board "1"]', "1. e4")


@pytest.mark.lone_node("each process counts the streams that it sends")
async def test_streams_of_one_address_are_limited(url: str) -> None:
    async with running(url, 1) as x, contextlib.AsyncExitStack() as stack:
        for _ in range(4):
            await stack.enter_async_context(followed(url, x.id, x.host))
        refused = await got(url, f"simuls/{x.id}/pgn?follow=1", x.host)
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "10")
        # Guests of one address count as one.
        assert (await got(url, f"simuls/{x.id}/pgn?follow=1", x.player(1))).status_code == 429
        token, _ = await asyncio.to_thread(member, url)
        async with Client(url, token) as somebody, followed(url, x.id, somebody) as stream:
            await stream.until('[Board "1"]')


async def test_closed_stream_frees_its_place(url: str) -> None:
    async with running(url, 1) as x:
        for _ in range(6):
            async with followed(url, x.id, x.host) as stream:
                await stream.until('[Board "1"]')


async def test_delayed_stream_reveals_nothing_early(url: str) -> None:
    async with running(url, 2, delay_s=900) as x, followed(url, x.id) as outside, followed(url, x.id, x.host) as inside:
        await inside.until('[Board "1"]', "*\n", '[Board "2"]', "*\n")
        await x.move(1, 0)
        await inside.until('[Board "1"]', "1. e4")
        assert await outside.has_no_game()
        assert (await got(url, f"simuls/{x.id}/pgn")).text == ""
        assert [g.headers["Board"] for g in games_of((await got(url, f"simuls/{x.id}/pgn", x.player(2))).text)] == [
            "1",
            "2",
        ]


async def test_delay_announced_later_applies_to_the_stream(url: str) -> None:
    async with announced(url, 1) as x, followed(url, x.id) as outside:
        await outside.until("\n")
        await x.ask("edit", delay_s=900)
        await x.start()
        async with followed(url, x.id, x.host) as inside, followed(url, x.id) as other:
            await x.move(1, 0)
            await inside.until('[Board "1"]', "1. e4")
            assert await outside.has_no_game()
            assert await other.has_no_game()


async def test_departed_player_gets_the_delayed_stream(url: str) -> None:
    async with announced(url, 2, delay_s=900) as x, followed(url, x.id, x.player(2)) as stream:
        await stream.until("\n")
        await x.ask("leave", x.player(2))
        await x.start()
        await x.move(1, 0)
        assert (await stream.rest()).strip() == ""


async def test_delayed_stream_reveals_everything_later(url: str) -> None:
    async with running(url, 1, delay_s=2) as x, followed(url, x.id) as stream:
        await x.move(1, 0)
        await stream.until('[Board "1"]', "1. e4")
        await x.player(1).request("resign", g=x.boards[1])
        assert games_of(await stream.rest())[-1].headers["Result"] == "1-0"


async def test_results_table_is_served_as_json_and_csv(url: str) -> None:
    async with running(url, 2, name="Table") as x:
        for ply in range(2):
            await x.move(1, ply)
        await x.player(1).request("resign", g=x.boards[1])
        await x.event("board", board=1, status="over")
        table: dict[str, Any] = await asyncio.to_thread(fetch, url, f"simuls/{x.id}/table.json")
        assert (table["name"], table["status"], table["score"]["wins"]) == ("Table", "running", 1)
        assert [(row["board"], row["result"], row["points"], row["moves"]) for row in table["boards"]] == [
            (1, "1-0", 0, 1),
            (2, "*", None, 0),
        ]
        response = await got(url, f"simuls/{x.id}/table.csv")
        assert response.headers["content-type"] == "text/csv; charset=utf-8"
        rows = list(csv.DictReader(io.StringIO(response.text)))
        assert [(row["board"], row["user.name"], row["result"], row["points"]) for row in rows] == [
            ("1", x.player(1).welcome["user"]["name"], "1-0", "0.0"),
            ("2", x.player(2).welcome["user"]["name"], "*", ""),
        ]


@pytest.mark.parametrize("path", ["pgn", "pdn", "table.json", "table.csv", "pgn?follow=1"])
async def test_unknown_simul_is_not_found(url: str, path: str) -> None:
    for simul in ("abcdefgh", "x"):
        assert (await got(url, f"simuls/{simul}/{path}")).status_code == 404


async def test_pdn_of_a_chess_simul_is_not_found(url: str) -> None:
    async with announced(url, 1) as x:
        assert (await got(url, f"simuls/{x.id}/pdn")).status_code == 404
        assert (await got(url, f"simuls/{x.id}/pgn?follow=2")).status_code == 400
