"""Placement of new games on nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lobby.pairing import new_game
from lobby.proposals import agree
from realtime.cluster.games.placement import GamePlacement
from realtime.cluster.lobby.lobby_requests import asker
from tests.realtime.cluster.lobby.test_lobby_leader import wanted
from tests.realtime.cluster.party import party, person
from tests.realtime.until import until

if TYPE_CHECKING:
    from lobby.pairing import NewGame
    from lobby.ports import Connection
    from realtime.postgres.database import Pool

ANNA, BERT = person("anna"), person("bert")


class Starter:
    """Writes down who is to own each game."""

    def __init__(self) -> None:
        self.rows: list[str | None] = []
        self.tables: list[str | None] = []

    async def start(self, new: NewGame, connection: Connection, owner: str | None = None) -> NewGame:
        self.rows.append(owner)
        return new

    def opened(self, new: NewGame, owner: str | None = None) -> None:
        self.tables.append(owner)


def game(game_id: str = "g") -> NewGame:
    return new_game(game_id, agree(ANNA, wanted()), ANNA, BERT, lambda n: 0)


async def test_game_is_placed_at_node_of_its_request(database_url: str, pool: Pool) -> None:
    async with party(database_url, pool, "a", "b", "c") as (a, b, c):
        starter = Starter()
        placing = GamePlacement(starter, a.cluster, a.people, a.presence)
        b.enter(ANNA)
        await until(lambda: a.presence.nodes_of("anna") == ["b"])
        token = asker.set("c")
        new = await placing.start(game(), None)  # type: ignore[arg-type]  # passed on
        asker.reset(token)
        placing.opened(new)
        token = asker.set("a")
        assert placing.owner_of(game()) is None
        asker.reset(token)
        assert placing.owner_of(game()) == "b", "by itself: where White is"
        assert (starter.rows, starter.tables) == (["c"], ["c"])
        a.enter(ANNA)
        assert placing.owner_of(game()) is None
        assert c.people.count_here("anna") == 0


async def test_draining_node_gets_no_games(database_url: str, pool: Pool) -> None:
    async with party(database_url, pool, "a", "b") as (a, b):
        placing = GamePlacement(Starter(), a.cluster, a.people, a.presence)
        b.enter(ANNA)
        await until(lambda: placing.owner_of(game()) == "b")
        a.cluster.note_draining("b")
        assert placing.owner_of(game()) is None
        await a.cluster.look()  # the database does not know yet
        assert placing.owner_of(game()) is None
        await b.die()
        await a.cluster.look()
        token = asker.set("b")
        assert placing.owner_of(game()) is None
        asker.reset(token)


async def test_placements_of_unopened_games_are_bounded(database_url: str, pool: Pool) -> None:
    async with party(database_url, pool, "a", "b") as (a, b):
        placing = GamePlacement(Starter(), a.cluster, a.people, a.presence)
        b.enter(ANNA)
        await until(lambda: placing.owner_of(game()) == "b")
        for number in range(1500):
            await placing.start(game(str(number)), None)  # type: ignore[arg-type]  # passed on
        assert len(placing._owners) == 1000
