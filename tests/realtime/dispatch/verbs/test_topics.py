"""Subscriptions of sockets that close while they subscribe."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from realtime.dispatch.verbs.topics import TopicVerbs
from realtime.fanout.session import Session
from realtime.people.presence import Presence
from realtime.protocol.requests import Sub
from tests.realtime.table_harness import WHITE, Ear

if TYPE_CHECKING:
    from lobby.accounts.user import User


class Socket(Ear):
    """What a session asks besides."""

    number = 1
    closed = False


class SlowLobby:
    """A lobby whose subscriber leaves while their challenges are looked up."""

    def __init__(self, people: Presence, ear: Socket) -> None:
        self._people = people
        self._ear = ear

    async def challenges_of(self, user: User) -> list[Any]:
        self._ear.closed = True
        self._people.remove(self._ear)  # type: ignore[arg-type]  # a socket as far as people need one
        return []


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
