"""Real games, replayed over sockets at full speed. The export equals the input."""

from __future__ import annotations

import asyncio
import contextlib
import io
import itertools
import urllib.request
from typing import Any, Self

import chess.pgn
import msgpack  # type: ignore[import-untyped]  # it ships no annotations
import pytest
from websockets.asyncio.client import ClientConnection, connect

from tests.integration.scores import ALL, SCORES, Score, scores
from tests.wire_client import WAIT_S, guest

AT_ONCE = 200

BEGINNING = 20
"""Games that begin at once: more, beside a busy suite, may wait longer for their turn than the lobby lets them."""


class Player:
    """One side of a replay. Keeps nothing that it has heard, so that hundreds fit into a process."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._socket: ClientConnection
        self._ids = itertools.count(1)
        self._unanswered: set[int] = set()

    async def __aenter__(self) -> Self:
        # In a thread: others have begun their handshakes, which would wait for it.
        token, _ = await asyncio.to_thread(guest, self._url)
        self._socket = await connect(
            self._url.replace("http", "ws", 1) + "/ws",
            additional_headers={"Authorization": f"Bearer {token}"},
            subprotocols=["zeitnot.v1.msgpack"],  # type: ignore[list-item]  # a NewType of str
            compression=None,
            ping_interval=None,
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._socket.close()

    async def send(self, kind: str, **fields: Any) -> int:
        number = next(self._ids)
        self._unanswered.add(number)
        await self._socket.send(msgpack.packb({"t": kind, "id": number, **fields}))
        return number

    async def hear(self) -> dict[str, Any]:
        message: dict[str, Any] = msgpack.unpackb(await self._socket.recv())
        assert message["t"] != "error", message
        if message["t"] == "ok":
            self._unanswered.remove(message["id"])
        return message

    async def event(self, kind: str) -> dict[str, Any]:
        """The next message of this type."""
        while (message := await self.hear())["t"] != kind:
            pass
        return message

    async def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        number = await self.send(kind, **fields)
        while (message := await self.hear()).get("id") != number:
            pass
        return message

    async def play(self, g: str, color: str, score: Score) -> None:
        """Play this side of ``score`` to its end, each move as soon as the one before is seen."""
        white = color == "w"
        for ply, move in enumerate(score.moves):
            if (ply % 2 == 0) == white:
                await self.send("move", g=g, move=move, ply=ply)
            event = await self.event("move")
            assert (event["seq"], event["ply"], event["move"]) == (ply + 1, ply, move)
        if score.reason == "agreement":
            if not white:
                await self.event("offer")
            await self.send("draw", g=g, do="offer" if white else "accept")
        elif score.reason == "resignation" and (score.result == "0-1") == white:
            await self.send("resign", g=g)
        end = await self.event("end")
        assert (end["result"], end["reason"]) == (score.result, score.reason)
        while self._unanswered:
            await self.hear()


async def replay(url: str, score: Score, may_begin: asyncio.Semaphore | None = None) -> str:
    """Play ``score`` between two new guests; the game's id. ``may_begin``: how many do so at once."""
    async with asyncio.timeout(3 * WAIT_S), Player(url) as white, Player(url) as black:
        async with may_begin or contextlib.nullcontext():
            challenge = await white.ask("challenge", **score.terms)
            g: str = (await black.ask("challenge.accept", challenge=challenge["challenge"]))["g"]
            for player in (white, black):
                await player.ask("sub", topic=f"game:{g}", ticks=False)
        async with asyncio.TaskGroup() as group:
            group.create_task(white.play(g, "w", score))
            group.create_task(black.play(g, "b", score))
    return g


def exported(url: str, g: str) -> str:
    with urllib.request.urlopen(f"{url}/api/v1/games/{g}/pgn", timeout=WAIT_S) as response:
        return response.read().decode()  # type: ignore[no-any-return]  # urllib's responses are Any


def assert_same(pgn: str, score: Score) -> None:
    """The exported game is the game that was read, move for move and in its result."""
    game = chess.pgn.read_game(io.StringIO(pgn))
    assert game is not None
    assert not game.errors
    assert list(game.mainline_moves()) == list(score.game.mainline_moves())
    assert game.headers["Result"] == score.result
    assert game.end().board() == score.game.end().board()
    assert all(node.clock() is not None for node in game.mainline())


def test_score_files_contain_every_game() -> None:
    assert {name: len(list(scores(name))) for name in SCORES} == SCORES
    assert {score.reason for score in ALL} == {"checkmate", "agreement", "resignation"}


@pytest.mark.parametrize("number", range(len(ALL)), ids=lambda number: f"game{number + 1}")
async def test_exported_game_equals_the_input(url: str, number: int) -> None:
    score = ALL[number]
    g = await replay(url, score)
    assert_same(exported(url, g), score)


@pytest.mark.slow("hundreds of games at once")
async def test_two_hundred_games_are_replayed_at_once(url: str) -> None:
    may_begin = asyncio.Semaphore(BEGINNING)
    played = list(itertools.islice(itertools.cycle(ALL), AT_ONCE))
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(replay(url, score, may_begin)) for score in played]
    games = [task.result() for task in tasks]
    assert len(set(games)) == AT_ONCE
    for g, score in zip(games, played, strict=True):
        assert_same(exported(url, g), score)
