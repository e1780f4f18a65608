"""Subscriptions of sockets that close, and to games that move, meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from realtime.dispatch.verbs.topics import TopicVerbs
from realtime.fanout.session import Session
from realtime.people.presence import Presence
from realtime.protocol.requests import Sub
from tests.realtime.fake_time import FakeTime
from tests.realtime.table_harness import WHITE, Ear, Harness

if TYPE_CHECKING:
    from lobby.accounts.user import User
    from realtime.fanout.subscription import Subscription
    from realtime.games.table import Table


class Socket(Ear):
    """What a session asks besides."""

    number = 1
    closed = False

    def send(self, message: Any) -> None:
        self.heard.append(message)


class SlowLobby:
    """A lobby whose subscriber leaves while their challenges are looked up."""

    def __init__(self, people: Presence, ear: Socket) -> None:
        self._people = people
        self._ear = ear

    async def challenges_of(self, user: User) -> list[Any]:
        self._ear.closed = True
        self._people.remove(self._ear)  # type: ignore[arg-type]  # a socket as far as people need one
        return []


class MovingTables:
    """Tables of which one is replaced, after a takeover, while a subscriber waits for it."""

    def __init__(self, old: Table, new: Table) -> None:
        self._old = old
        self._new = new
        self._is_taken = False
        self.joined: list[Table] = []

    def peek(self, game_id: str) -> Table | None:
        return self._new if self._is_taken else None

    async def get(self, game_id: str) -> Table:
        self._is_taken = True
        return self._old

    def join(self, table: Table, connection: Any, subscription: Subscription) -> None:
        self.joined.append(table)

    def leave(self, game_id: str, connection: Any) -> None: ...


async def test_subscriber_joins_the_table_that_replaced_the_loaded_one() -> None:
    old, new = Harness().table, Harness().table
    tables: Any = MovingTables(old, new)
    verbs = TopicVerbs(tables, None, None, None, FakeTime(1_000_000), None)  # type: ignore[arg-type]  # only games here
    session = Session(Socket(None))  # type: ignore[arg-type]  # a socket as far as a session needs one
    verbs.sub(session, Sub(topic=f"game:{new.id}"), 0)
    await session.finish()
    assert tables.joined == [new]


async def test_socket_closed_while_subscribing_is_not_kept() -> None:
    ear = Socket(WHITE)
    people = Presence(lambda user, here: None)
    people.add(ear)  # type: ignore[arg-type]  # a socket as far as people need one
    verbs = TopicVerbs(None, SlowLobby(people, ear), None, people, None, None)  # type: ignore[arg-type]  # not asked here
    session = Session(ear)  # type: ignore[arg-type]  # a socket as far as a session needs one
    verbs.sub(session, Sub(topic="user"), 0)
    await session.finish()
    people.send(WHITE.id, {"t": "notice"})
    assert not ear.heard
    assert not people._listening
