"""Absence of a challenger: the other player is notified after a while, and again on return."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import asyncpg
import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from lobby import store
from lobby.pools.absences import UNSEEN_MS, Absences
from tests.lobby.conftest import World, wanted

if TYPE_CHECKING:
    from lobby.accounts.user import User

pytestmark = pytest.mark.timeout(60)

UNSEEN_S = UNSEEN_MS // 1000

people = st.sampled_from("abc")


class Presence(RuleBasedStateMachine):
    """Whatever people do, and whoever of them is awaited: told is who has been gone for long enough."""

    def __init__(self) -> None:
        super().__init__()
        self.absences = Absences()
        self.now_ms = 0
        self.left_ms: dict[str, int] = {}
        self.told: set[str] = set()

    @rule(person=people)
    def leave(self, person: str) -> None:
        self.left_ms[person] = self.now_ms
        self.absences.left(person, self.now_ms)

    @rule(person=people)
    def come(self, person: str) -> None:
        self.left_ms.pop(person, None)
        assert self.absences.came(person) == (person in self.told)
        self.told.discard(person)

    @rule(ms=st.sampled_from([1, UNSEEN_MS // 2, UNSEEN_MS]), awaited=st.sets(people), back=st.sets(people))
    def wait(self, ms: int, awaited: set[str], back: set[str]) -> None:
        self.now_ms += ms
        due = self.absences.due(self.now_ms)
        assert set(due) == {one for one, left_ms in self.left_ms.items() if left_ms + UNSEEN_MS <= self.now_ms}
        for person in back:  # while the database is asked
            self.come(person)
        told = self.absences.announce(due, awaited, self.now_ms)
        assert told == (set(due) & awaited) - back
        for person in due:
            self.left_ms.pop(person, None)
        self.told |= told

    @rule(person=people)
    def forget(self, person: str) -> None:
        self.absences.forget([person])
        self.told.discard(person)

    @invariant()
    def the_same_are_away(self) -> None:
        assert set(self.absences.away()) == self.told
        assert all(self.absences.is_away(person) == (person in self.told) for person in "abc")


TestPresence = Presence.TestCase


def told(world: World, user: User) -> list[bool]:
    """Return the messages to ``user`` about the challenger's absence."""
    return [message["away"] for message in world.messages(user, "challenge.away")]


async def challenged(world: World, **fields: Any) -> tuple[User, User, str]:
    anna, bert = await world.guest(), await world.guest()
    challenge: str = (await world.lobby.challenge(anna, wanted(**fields), to=bert.name))["challenge"]
    return anna, bert, challenge


async def test_opponent_is_notified_of_absence_and_return(world: World) -> None:
    anna, bert, challenge = await challenged(world)
    world.lobby.left(anna.id)
    await world.tick(UNSEEN_S - 1)
    assert told(world, bert) == []
    await world.tick(2)
    assert world.messages(bert, "challenge.away") == [{"t": "challenge.away", "challenge": challenge, "away": True}]
    assert await world.lobby.challenges_of(bert) == [
        world.messages(bert, "challenge")[0],
        {"t": "challenge.away", "challenge": challenge, "away": True},
    ]
    # The challenger is not told about themselves.
    assert await world.lobby.challenges_of(anna) == world.messages(bert, "challenge")
    world.lobby.came(anna.id)
    await world.lobby.close()
    assert told(world, bert) == [True, False]
    assert await world.lobby.challenges_of(bert) == world.messages(bert, "challenge")


async def test_short_absence_is_not_reported(world: World) -> None:
    anna, bert, _ = await challenged(world)
    world.lobby.left(anna.id)
    await world.tick(UNSEEN_S - 1)
    world.lobby.came(anna.id)
    await world.tick(UNSEEN_S)
    assert told(world, bert) == []


async def test_absence_from_answered_or_open_challenges_is_not_reported(world: World) -> None:
    anna, bert, challenge = await challenged(world)
    await world.lobby.challenge(anna, wanted())
    await world.lobby.challenge_decline(bert, challenge)
    world.lobby.left(anna.id)
    await world.tick(UNSEEN_S)
    world.lobby.came(anna.id)
    await world.lobby.close()
    assert told(world, bert) == []


async def test_absence_after_a_restart_is_reported_after_the_usual_wait(world: World) -> None:
    anna, bert, _ = await challenged(world)
    carl, dora, _ = await challenged(world)
    await world.restart()
    world.lobby.came(carl.id)
    await world.tick(UNSEEN_S)
    assert (told(world, bert), told(world, dora)) == ([True], [])
    assert anna.id != carl.id


async def test_absence_is_reported_when_the_database_is_back(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, bert, _ = await challenged(world)
    world.lobby.left(anna.id)

    async def away(*_: Any, **__: Any) -> Any:
        raise asyncpg.ConnectionDoesNotExistError("away")

    with monkeypatch.context() as patched:
        patched.setattr(store, "challenges_by", away)
        await world.tick(UNSEEN_S + 5)
        assert told(world, bert) == []
    await world.tick()
    assert told(world, bert) == [True]


async def test_absence_without_open_challenges_is_forgotten(world: World) -> None:
    anna, bert, challenge = await challenged(world)
    world.lobby.left(anna.id)
    await world.tick(UNSEEN_S)
    await world.lobby.challenge_decline(bert, challenge)
    await world.lobby._challenges.sweep()
    assert world.lobby._challenges._absences.away() == []
