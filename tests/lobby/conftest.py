"""A lobby on a real database, with a server around it that records what it is sent.

lobby       ``World``: the lobby, its clock, what was published, the games that were started
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from game_core.errors import Refusal
from game_core.time_control import format_time_control, speed
from lobby.accounts.identity import create_guest
from lobby.accounts.user import User
from lobby.lobby import Lobby
from lobby.proposals import Proposal
from tests.empty_tables import clear

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Mapping

    from lobby.pairing import NewGame
    from lobby.ports import Connection, Pool
    from lobby.wire.lobby import LobbyEventWire

NOW_MS = 1_700_000_000_000

BLITZ: dict[str, Any] = {"base_s": 180, "inc_s": 2}


class Server:
    """Implementation of the Protocols of ``lobby.ports``."""

    def __init__(self) -> None:
        self.opened_games: list[NewGame] = []
        self.events: list[Mapping[str, Any]] = []
        self.told: list[tuple[str, Mapping[str, Any]]] = []

    async def start(self, new_game: NewGame, connection: Connection) -> NewGame:
        await connection.execute(
            """
            INSERT INTO game
                (id, game, variant, profile, rated, speed, tc, fen, pausable, white, black, rematch_of, black_tc)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
            """,
            new_game.id,
            new_game.game,
            new_game.variant,
            new_game.profile,
            new_game.rated,
            speed(new_game.tc),
            format_time_control(new_game.tc),
            new_game.fen,
            new_game.pausable,
            new_game.white.id,
            new_game.black.id,
            new_game.rematch_of,
            format_time_control(new_game.black_tc),
        )
        return new_game

    def opened(self, new_game: NewGame) -> None:
        self.opened_games.append(new_game)

    def lobby_event(self, event: LobbyEventWire) -> None:
        self.events.append(event)

    def to_user(self, user_id: str, message: Mapping[str, Any]) -> None:
        self.told.append((user_id, message))


class World:
    """A lobby and its surroundings. Tests may set ``now_ms`` and ``die``."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.now_ms = NOW_MS
        self.die = 0
        self.server = Server()
        self.lobby = self._lobby()

    def _lobby(self) -> Lobby:
        return Lobby(self.pool, self.server, self.server, now_ms=lambda: self.now_ms, randbelow=lambda n: self.die % n)

    async def restart(self) -> None:
        """Start a new process on the same database: the old one was killed, and nobody has reconnected."""
        self.server = Server()
        self.lobby = self._lobby()
        await self.lobby.load()

    async def tick(self, times: int = 1) -> None:
        """Let ``times`` seconds pass."""
        for _ in range(times):
            self.now_ms += 1000
            await self.lobby.tick()

    async def waiting(self) -> dict[str, str]:
        """Return the pool of each waiting person, from the database."""
        return {row["person"]: row["pool"] for row in await self.pool.fetch("SELECT person, pool FROM waiting")}

    async def guest(self, *, here: bool = True) -> User:
        """Create a guest with a socket."""
        user, _ = await create_guest(self.pool)
        if here:
            self.lobby.came(user.id)
        return user

    async def member(self, rating: int | None = None, *, perf: str = "blitz", here: bool = True) -> User:
        """Create a member with a socket and perhaps an established rating."""
        guest = await self.guest(here=here)
        await self.pool.execute("UPDATE person SET kind = 'member', skeleton = lower(name) WHERE id = $1", guest.id)
        if rating is not None:
            await self.pool.execute(
                "INSERT INTO rating (person, perf, rating, deviation, volatility, games, last_at)"
                " VALUES ($1, $2, $3, 60, 0.06, 30, now())",
                guest.id,
                perf,
                float(rating),
            )
        return User(guest.id, guest.name, "member")

    def listed(self) -> set[str]:
        """Return the ids of the seeks that the lobby shows."""
        return {seek["seek"] for seek in self.lobby.snapshot(games=0, online=0)["seeks"]}

    async def stored(self) -> set[str]:
        """Return the ids of the seeks in the database."""
        return {row["id"] for row in await self.pool.fetch("SELECT id FROM seek")}

    async def games(self) -> set[str]:
        """Return the ids of the games in the database."""
        return {row["id"] for row in await self.pool.fetch("SELECT id FROM game")}

    async def finish(self) -> None:
        """End all games."""
        await self.pool.execute("UPDATE game SET status = 'over', result = '1-0', ended_at = now()")

    async def at_live_games(self) -> dict[str, int]:
        """Return how many games with a clock each person plays now against another."""
        rows = await self.pool.fetch(
            """
            SELECT person, count(*) FROM game, unnest(ARRAY[white, black]) AS person
            WHERE status <> 'over' AND white <> black AND speed NOT IN ('correspondence', 'unlimited') GROUP BY person
            """
        )
        return {row["person"]: row["count"] for row in rows}

    def messages(self, user: User, kind: str) -> list[Mapping[str, Any]]:
        """Return the messages of ``kind`` that ``user`` was sent."""
        return [message for user_id, message in self.server.told if user_id == user.id and message["t"] == kind]


async def code(request: Awaitable[Any]) -> str | None:
    """Return the code of the refusal; None when it is granted."""
    try:
        await request
    except Refusal as error:
        return error.code
    return None


def wanted(**fields: Any) -> Proposal:
    """Return a proposal for a blitz game, with changed ``fields``."""
    return Proposal(**({"tc": BLITZ} | fields))


@pytest.fixture
async def world(pool: Pool) -> AsyncIterator[World]:
    await clear(pool, "person", "seek", "challenge", "request", "waiting", "game")
    world = World(pool)
    yield world
    await world.lobby.close()
