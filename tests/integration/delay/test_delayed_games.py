"""Delayed games, observed in every public place while they are played."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from typing import TYPE_CHECKING, Any

import asyncpg
import chess
import msgspec
import pytest

from realtime.games.delay.delayed_reads import DOUBT_MS
from tests.integration.match import begin, match, snapshot
from tests.integration.nodes import soon
from tests.integration.public_observer import END, Course, Eye, Reading
from tests.realtime.until import until
from tests.server_process import is_several
from tests.wire_client import Client, guest, member

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.server_process import ServerProcess

EMBEDDED = True

MATE = ("f2f3", "e7e5", "g2g4", "d8h4")
GAME = ("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "c2c3", "g8f6")

BLITZ = {"base_s": 180, "inc_s": 2}
SHORT = {"base_s": 4, "inc_s": 0}
"""Time enough for ``GAME``, and soon over after it."""

NEVER = {
    "live list", "live cards", "channels", "offer of a frame", "lobby", "television", "television's stream",
    "who is online",
}  # fmt: skip
"""Where such games are not shown at all."""


class Case(msgspec.Struct, frozen=True):
    """What is played, and how much later it is shown."""

    delay: dict[str, int]
    end: str
    rated: bool = False
    variant: str = "standard"

    @property
    def terms(self) -> dict[str, Any]:
        """Of ``challenge``."""
        tc = SHORT if self.end == "flag" else BLITZ
        terms = {"tc": tc, "rated": self.rated, "variant": self.variant, **self.delay}
        # Mate comes soonest from where it always does.
        return {**terms, "position": 518} if self.variant == "chess960" and self.end == "mate" else terms


CASES = {
    "seconds, resignation, rated": Case({"delay_s": 2}, "resign", rated=True),
    "seconds, mate, chess960": Case({"delay_s": 2}, "mate", variant="chess960"),
    "seconds, flag": Case({"delay_s": 2}, "flag"),
    "moves, mate, rated": Case({"delay_moves": 1}, "mate", rated=True),
    "moves, resignation, chess960": Case({"delay_moves": 2}, "resign", variant="chess960"),
    "moves, flag, chess960": Case({"delay_moves": 2}, "flag", variant="chess960"),
}


def some_moves(fen: str, count: int) -> list[str]:
    """Moves from a position of chess960 that lead to different placements, and to no end."""
    board, chance = chess.Board(fen, chess960=True), random.Random(960)
    moves: list[str] = []
    seen = {board.board_fen()}
    while len(moves) < count:
        move = chance.choice(list(board.legal_moves))
        board.push(move)
        if board.board_fen() in seen or board.is_game_over():
            board.pop()
            continue
        seen.add(board.board_fen())
        moves.append(move.uci())
    return moves


@contextlib.asynccontextmanager
async def two(url: str, *, rated: bool) -> AsyncIterator[tuple[Client, Client]]:
    """White and Black: members where it is rated, else guests."""
    tokens = [(await asyncio.to_thread(member if rated else guest, url))[0] for _ in range(2)]
    async with Client(url, tokens[0]) as white, Client(url, tokens[1], "json") as black:
        yield white, black


class Play:
    """Two who play, and what the public may know of it."""

    def __init__(
        self, game: str, fen: str | None, players: tuple[Client, Client], moves: list[str], case: Case
    ) -> None:
        self.game = game
        self.players = players
        self.moves = moves
        self.reading = Reading(game, fen, moves)
        self.case = case
        self.course = Course(case.delay.get("delay_s", 0), case.delay.get("delay_moves", 0))
        self.made = 0

    async def move(self) -> None:
        """The next one."""
        mover, move = self.players[self.made % 2], self.moves[self.made]
        if self.case.end == "mate" and self.made == len(self.moves) - 1:
            self.course.ends_at = time.monotonic()
        self.course.sent.append(time.monotonic())
        await mover.request("move", g=self.game, move=move, ply=self.made)
        self.made += 1
        if self.case.end == "flag" and self.made == len(self.moves):
            clock = (await mover.event(self.game, self.made))["clock"]
            self.course.ends_at = self.course.sent[-1] + clock[clock["run"]] / 1000

    async def end(self) -> None:
        """Both have heard the end."""
        if self.case.end == "resign":
            self.course.ends_at = time.monotonic()
            await self.players[0].request("resign", g=self.game)
        for player in self.players:
            await player.event(self.game, self.made + 1)


async def begun(white: Client, black: Client, case: Case) -> Play:
    """A game of ``case`` to which both players listen."""
    game = await begin(white, black, **case.terms)
    told = await white.sub(game, ticks=False)
    await black.sub(game, ticks=False)
    assert {name: told[name] for name in case.delay} == case.delay
    if case.end == "mate":
        moves = list(MATE)
    else:
        moves = list(GAME) if case.variant == "standard" else some_moves(told["fen"], len(GAME))
    return Play(game, told["fen"], (white, black), moves, case)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
async def test_delayed_game_is_revealed_completely_after_its_delay(server: ServerProcess, case: Case) -> None:
    async with server.opened() as database:
        await play_and_look(server.url, server.url, database, case)


async def play_and_look(url: str, public: str, database: str, case: Case) -> None:
    """Play a game at the server ``url``, and look at all that the server ``public`` shows to everybody."""
    # Somebody else's game is what television and the lists of live games show.
    async with match(url, "d2d4", "d7d5") as others, two(url, rated=case.rated) as players:
        play = await begun(*players, case)
        names = [player.welcome["user"]["name"] for player in players]
        async with Eye(public, play.course, play.reading, names) as eye:
            stop = asyncio.Event()

            async def look_on() -> None:
                while not stop.is_set():
                    await eye.look()

            looking = asyncio.create_task(look_on(), name="look")
            for _ in play.moves:
                await play.move()
                if case.end != "flag":
                    await eye.look()
            if case.end == "resign":
                # Once the lobby tells of this move it has looked at all games.
                known = len(eye.lobby.messages)
                await others.play("c2c4")
                await eye.lobby.wait(lambda m: m["t"] == "lobby.game" and m["card"]["g"] == others.g, known)
            await play.end()
            await players[0].request("pool.join", pool="3+2")
            assert snapshot(url, play.game, players[0], play.made + 1)["status"] == "over"
            in_time = {"snapshot", "page", "frame", "socket", "socket that speaks JSON", "mini board", "stream"}

            async def is_seen() -> bool:
                return eye.has_seen_all(in_time)

            await until(is_seen)
            stop.set()
            await looking
            assert eye.faults == []
            if play.course.delay_s:
                early = {name for name, told in eye.seen.items() if told == END} - in_time
                assert play.course.ends_at is not None
                assert not early or time.monotonic() > play.course.ends_at + play.course.delay_s + DOUBT_MS / 1000
                await turn_clock(database, play.game)
            courses = {name for name in eye.looks if name.startswith("course")}

            async def is_told() -> bool:
                """The newest games may be a second old."""
                await eye.look()
                return eye.has_seen_all(set(eye.seen) - courses - NEVER)

            await until(is_told)
            assert eye.faults == []
            assert {name for name, told in eye.seen.items() if told != END} - courses == NEVER
            assert {eye.seen[name] for name in NEVER} == {0}

            async def is_rated() -> bool:
                """What is due is looked for every two seconds."""
                await eye.look()
                return sum(eye.seen[name] == END for name in courses) == 2 * case.rated

            await until(is_rated)


async def turn_clock(database: str, game: str) -> None:
    """What is told from the database comes ten seconds later still: let them have passed."""
    connection = await asyncpg.connect(database)
    await connection.execute("UPDATE event SET at = at - interval '12 s' WHERE game = $1", game)
    await connection.execute(
        """
        UPDATE game SET created_at = created_at - interval '12 s', ended_at = ended_at - interval '12 s'
        WHERE id = $1
        """,
        game,
    )
    await connection.execute("UPDATE rating_later SET due_at = due_at - interval '12 s' WHERE game = $1", game)
    await connection.close()


@pytest.mark.parametrize("delay", [{"delay_s": 900}, {"delay_moves": 2}], ids=["seconds", "moves"])
async def test_delayed_game_survives_a_kill_of_the_server(server: ServerProcess, delay: dict[str, int]) -> None:
    case = Case(delay, "resign")
    async with two(server.url, rated=False) as players:
        play = await begun(*players, case)
        tokens = [player.token for player in players]
        names = [player.welcome["user"]["name"] for player in players]
        for _ in range(6):
            await play.move()
        server.kill9()
    server.start()
    async with Client(server.url, tokens[0]) as white, Client(server.url, tokens[1]) as black:
        play.players = (white, black)
        for player in play.players:
            assert len((await player.sub(play.game))["moves"]) == 6
        async with Eye(server.url, play.course, play.reading, names) as eye:
            await eye.look()
            shown = snapshot(server.url, play.game)
            assert len(shown["moves"]) == (2 if "delay_moves" in delay else 0)
            await play.move()
            await play.move()
            await eye.look()
            await play.end()
            await eye.look()
            all_of_it = {name for name in eye.looks if name not in NEVER and "course" not in name}
            if "delay_moves" in delay and is_several(server.url):
                while not eye.has_seen_all(all_of_it):
                    await eye.look()
            assert eye.faults == []
            if "delay_moves" in delay:
                assert eye.has_seen_all(all_of_it)
                assert len(snapshot(server.url, play.game, None, play.made + 1)["moves"]) == len(GAME)
            else:
                assert set(eye.seen.values()) == {0}


async def test_rematch_has_the_same_delay(url: str) -> None:
    case = Case({"delay_moves": 3}, "resign")
    async with two(url, rated=False) as players:
        play = await begun(*players, case)
        await play.move()
        await play.move()
        await play.end()
        await players[0].request("rematch", g=play.game, do="offer")
        await players[1].request("rematch", g=play.game, do="accept")
        again = (await soon(url, lambda: snapshot(url, play.game), lambda shown: shown["next"]))["next"]
        assert snapshot(url, again)["delay_moves"] == 3


@pytest.mark.parametrize(
    "fields",
    [{"delay_s": 901}, {"delay_s": -1}, {"delay_s": "1"}, {"delay_moves": 31}, {"delay_s": 1, "delay_moves": 1}],
)
async def test_invalid_delays_are_refused(url: str, fields: dict[str, Any]) -> None:
    async with Client(url, guest(url)[0]) as somebody:
        for kind in ("seek", "challenge"):
            assert await somebody.refused(kind, tc=BLITZ, **fields) == "bad_message"


async def test_seeks_match_only_seeks_with_the_same_delay(url: str) -> None:
    async with two(url, rated=False) as (one, other):
        await other.request("sub", topic="lobby")
        seek = (await one.request("seek", tc=BLITZ, delay_moves=5))["seek"]
        listed = await other.wait(lambda m: m["t"] == "lobby.add" and m["seek"] == seek)
        assert (listed["delay_moves"], "delay_s" in listed) == (5, False)
        assert "g" not in await other.request("seek", tc=BLITZ)
        assert "g" not in await other.request("seek", tc=BLITZ, delay_moves=4)
        paired = await other.request("seek", tc=BLITZ, delay_moves=5)
        assert snapshot(url, paired["g"])["delay_moves"] == 5
