"""Seeks and challenges over real sockets: pairing, lobby events, races."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import urllib.request
from typing import TYPE_CHECKING, Any

import pytest

from tests.integration.match import BLITZ, match
from tests.realtime.until import until
from tests.server_process import is_several
from tests.wire_client import WAIT_S, Client, Message, Refusal, guest

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

_BASES = itertools.count(600)

RACERS = 20

RING = 256
"""Events of the lobby that the server keeps for ``from``."""


@contextlib.asynccontextmanager
async def guests(url: str, count: int) -> AsyncIterator[list[Client]]:
    async with contextlib.AsyncExitStack() as stack:
        yield [await stack.enter_async_context(Client(url, guest(url)[0])) for _ in range(count)]


@pytest.fixture
def tc() -> dict[str, int]:
    """A time control that no other test of this module asks for, so that nobody is paired with its seeks."""
    return {"base_s": next(_BASES), "inc_s": 7}


def terms(tc: dict[str, int], color: str) -> Message:
    """What a seek and a challenge say of the game, where nothing but the time and the colour was asked for."""
    usual = {"game": "chess", "variant": "standard", "rated": False, "rules": "online", "position": None}
    return usual | {"tc": tc, "color": color}


async def paired(client: Client) -> Message:
    return await client.wait(lambda message: message["t"] == "paired")


async def watch_lobby(client: Client, **fields: Any) -> Message:
    await client.request("sub", topic="lobby", **fields)
    return await client.wait(lambda message: message["t"] == "lobby")


def lobby_events(client: Client) -> list[Message]:
    return [message for message in client.messages if message["t"].startswith("lobby.") and "seq" in message]


def card(url: str, challenge: str) -> Message:
    with urllib.request.urlopen(f"{url}/api/v1/challenges/{challenge}", timeout=WAIT_S) as response:
        body: Message = json.load(response)
    return body


# -- seeks --------------------------------------------------------------------------------------------------


async def test_matching_seeks_are_paired_at_once(url: str, tc: dict[str, int]) -> None:
    async with guests(url, 2) as (one, two):
        first = await one.request("seek", tc=tc, color="w")
        assert first.keys() == {"t", "id", "seek"}
        second = await two.request("seek", tc=tc)
        assert second.keys() == {"t", "id", "seek", "g"}
        for client, color, opponent in ((one, "w", two), (two, "b", one)):
            told = {"t": "paired", "g": second["g"], "color": color, "opponent": opponent.welcome["user"]}
            assert await paired(client) == told
        shown = await one.sub(second["g"])
        assert (shown["you"], shown["tc"], shown["status"]) == ("w", tc, "created")
        await one.request("move", g=second["g"], move="e2e4", ply=0)
        await two.request("move", g=second["g"], move="e7e5", ply=1)


@pytest.mark.parametrize(
    "other",
    [{"color": "w"}, {"variant": "chess960"}, {"tc": BLITZ}, {"max_rating": 1400}],
    ids=["the same colour", "another variant", "another time", "other ratings"],
)
async def test_different_seeks_are_not_paired(url: str, tc: dict[str, int], other: dict[str, Any]) -> None:
    async with guests(url, 2) as (one, two):
        await one.request("seek", tc=tc, color="w")
        reply = await two.request("seek", **{"tc": tc, **other})
        assert "g" not in reply


async def test_player_is_not_paired_with_themselves(url: str, tc: dict[str, int]) -> None:
    async with guests(url, 1) as (one,), Client(url, one.token) as tab:
        seek = (await one.request("seek", tc=tc))["seek"]
        assert "g" not in await tab.request("seek", tc=tc)
        assert await tab.refused("accept", seek=seek) == "forbidden"


async def test_seek_is_accepted_from_the_lobby(url: str, tc: dict[str, int]) -> None:
    async with guests(url, 2) as (one, two), Client(url, codec="json") as watcher:
        await watch_lobby(watcher)
        seek = (await one.request("seek", tc=tc, color="b"))["seek"]
        added = await watcher.wait(lambda message: message["t"] == "lobby.add" and message["seek"] == seek)
        ratings = dict.fromkeys(("rating", "provisional", "min_rating", "max_rating"))
        listed = {"seek": seek, "user": one.welcome["user"], **ratings, **terms(tc, "b")}
        assert added == {"t": "lobby.add", "seq": added["seq"], **listed}
        answer = await two.request("accept", seek=seek)
        g = answer["g"]
        assert [(await paired(client))["color"] for client in (one, two)] == ["b", "w"]
        assert two.messages.index(await paired(two)) < two.messages.index(answer)
        gone = await watcher.wait(lambda message: message["t"] == "lobby.gone" and message["seek"] == seek)
        assert gone == {"t": "lobby.gone", "seek": seek, "seq": gone["seq"]}
        await two.request("move", g=g, move="e2e4", ply=0)


async def test_race_for_a_seek_has_one_winner(url: str, tc: dict[str, int]) -> None:
    async with guests(url, RACERS + 1) as (owner, *racers):
        seek = (await owner.request("seek", tc=tc))["seek"]
        answers = await asyncio.gather(
            *(racer.request("accept", seek=seek) for racer in racers), return_exceptions=True
        )
        won = [answer for answer in answers if isinstance(answer, dict)]
        assert [answer.code for answer in answers if isinstance(answer, Refusal)] == ["conflict"] * (RACERS - 1)
        assert [answer["g"] for answer in won] == [(await paired(owner))["g"]]
        await asyncio.gather(*(client.request("ping") for client in (owner, *racers)))
        told = [client for client in (owner, *racers) if any(message["t"] == "paired" for message in client.messages)]
        assert len(told) == 2


async def test_many_equal_seeks_are_paired(url: str, tc: dict[str, int]) -> None:
    async with guests(url, RACERS) as crowd:
        await asyncio.gather(*(client.request("seek", tc=tc) for client in crowd))
        games = [(await paired(client))["g"] for client in crowd]
        assert sorted(games.count(g) for g in set(games)) == [2] * (RACERS // 2)
        for client in crowd:
            assert [message["t"] for message in client.messages].count("paired") == 1


async def test_seek_is_withdrawn(url: str, tc: dict[str, int]) -> None:
    async with guests(url, 2) as (one, two):
        await watch_lobby(two)
        seek = (await one.request("seek", tc=tc))["seek"]
        assert await two.refused("unseek", seek=seek) == "forbidden"
        await one.request("unseek", seek=seek)
        await two.wait(lambda message: message["t"] == "lobby.gone" and message["seek"] == seek)
        assert "g" not in await two.request("seek", tc=tc)


async def test_number_of_open_seeks_is_limited(url: str, tc: dict[str, int]) -> None:
    async with guests(url, 1) as (one,):
        limit = 5
        seeks = [(await one.request("seek", tc={**tc, "inc_s": 20 + number}))["seek"] for number in range(limit)]
        assert await one.refused("seek", tc=tc) == "conflict"
        await one.request("unseek", seek=seeks[0])
        await one.request("seek", tc=tc)


# -- the lobby's topic --------------------------------------------------------------------------------------


async def test_lobby_events_are_numbered_without_gaps(url: str, tc: dict[str, int]) -> None:
    async with guests(url, 3) as (one, two, watcher), Client(url, codec="json") as stranger:
        before = await watch_lobby(watcher)
        begun = await watch_lobby(stranger)
        parts = {"seeks", "games", "online", "top", "simuls", "waiters", "pools", "robots"}
        assert before.keys() == {"t", "seq", *parts}
        for _ in range(3):
            seek = (await one.request("seek", tc=tc))["seek"]
            if is_several(url):
                await watcher.wait(lambda m, seek=seek: m["t"] == "lobby.add" and m["seek"] == seek)  # type: ignore[misc]  # a default
            assert seek in [entry["seek"] for entry in (await watch_again(watcher))["seeks"]]
            # Nobody is seated while they play.
            await two.request("resign", g=(await two.request("accept", seek=seek))["g"])
        last = (await watcher.wait(lambda message: message["t"] == "lobby.gone" and message["seek"] == seek))["seq"]
        await stranger.wait(lambda message: message.get("seq") == last)
        events = [event for event in lobby_events(watcher) if event["seq"] <= last]
        assert [event["seq"] for event in events] == list(range(before["seq"] + 1, last + 1))
        assert [event["t"] for event in events if "seek" in event] == ["lobby.add", "lobby.gone"] * 3
        # Of several nodes one may know a little more than the other when one begins to watch there.
        both = max(before["seq"], begun["seq"])
        told = [event for event in lobby_events(stranger) if event["seq"] <= last]
        assert [event["seq"] for event in told] == list(range(begun["seq"] + 1, last + 1))
        assert [event for event in told if event["seq"] > both] == [event for event in events if event["seq"] > both]


async def watch_again(client: Client) -> Message:
    start = len(client.messages)
    await client.request("sub", topic="lobby")
    return await client.wait(lambda message: message["t"] == "lobby", start)


@pytest.mark.lone_node("holds what is told against /metrics of the one process that tells it")
async def test_lobby_counts_games_and_people(url: str) -> None:
    async with Client(url) as watcher, match(url, "e2e4", "e7e5"):
        await watch_lobby(watcher)
        # What the snapshot counts is what all were told last; whatever has happened since is told within a second.
        await until(lambda: last_counts(watcher) == (live_games(url), *gauges(url, "zeitnot_people_online")))
        games, people = last_counts(watcher)
        assert games >= 1
        assert people >= 3


def last_counts(client: Client) -> tuple[int, int]:
    """Games and people, as ``client`` was last told."""
    last = [message for message in client.messages if message["t"] in ("lobby", "lobby.count")][-1]
    return last["games"], last["online"]


def gauges(url: str, *names: str) -> tuple[int, ...]:
    """What ``/metrics`` says now. Blocking."""
    with urllib.request.urlopen(f"{url}/metrics", timeout=WAIT_S) as response:
        values = dict(line.split() for line in response.read().decode().splitlines() if not line.startswith("#"))
    return tuple(int(float(values[name])) for name in names)


def live_games(url: str) -> int:
    """How many games the list of live games counts. Blocking."""
    with urllib.request.urlopen(f"{url}/api/v1/live", timeout=WAIT_S) as response:
        total: int = json.load(response)["total"]
        return total


async def test_lobby_lists_games_in_progress(url: str) -> None:
    async with Client(url) as watcher, match(url, "e2e4") as m:
        before = await watch_lobby(watcher)
        assert m.g not in [card["g"] for card in before["top"]]
        await m.play("e7e5")
        shown = await watcher.wait(lambda message: card_of(message, m.g))
        assert (shown["card"]["last"], shown["card"]["turn"]) == ("e7e5", "w")
        await m.play("g1f3")
        again = await watcher.wait(lambda message: card_of(message, m.g) and message["seq"] > shown["seq"])
        assert again["card"]["last"] == "g1f3"
        async with Client(url, codec="json") as later:
            if again["card"] not in (await watch_lobby(later))["top"]:
                assert is_several(url)
                await later.wait(lambda message: message["t"] == "lobby.game" and message["card"] == again["card"])
        await m.white.request("resign", g=m.g)
        gone = await watcher.wait(lambda message: message["t"] == "lobby.game_gone" and message["g"] == m.g)
        assert gone.keys() == {"t", "seq", "g"}
        assert m.g not in [card["g"] for card in (await watch_again(watcher))["top"]]


def card_of(message: Message, g: str) -> bool:
    return message["t"] == "lobby.game" and bool(message["card"]["g"] == g)


# -- challenges ---------------------------------------------------------------------------------------------


async def test_challenge_by_name_is_accepted(url: str, tc: dict[str, int]) -> None:
    async with guests(url, 3) as (one, two, stranger), Client(url, two.token) as tab:
        reply = await one.request("challenge", tc=tc, color="b", to=two.welcome["user"]["name"].lower())
        challenge = reply["challenge"]
        assert reply.keys() == {"t", "id", "challenge", "url"}
        for client in (two, tab):
            pushed = await client.wait(lambda message: message["t"] == "challenge")
            assert pushed.pop("expires") > two.welcome["now"]
            people = {"from": one.welcome["user"], "to": two.welcome["user"]}
            start = {"fen": None, "opponent_tc": None}
            assert pushed == {"t": "challenge", "challenge": challenge, **start, **people, **terms(tc, "b")}
        assert await stranger.refused("challenge.accept", challenge=challenge) == "forbidden"
        assert await stranger.refused("challenge.decline", challenge=challenge) == "forbidden"
        assert await stranger.refused("challenge.cancel", challenge=challenge) == "forbidden"
        g = (await two.request("challenge.accept", challenge=challenge))["g"]
        assert [(await paired(client))["color"] for client in (one, two, tab)] == ["b", "w", "w"]
        assert {(await paired(client))["g"] for client in (one, two, tab)} == {g}
        assert not [message for message in stranger.messages if message["t"] in ("challenge", "paired")]


@pytest.mark.parametrize(("who", "kind", "why"), [(1, "decline", "declined"), (0, "cancel", "cancelled")])
async def test_challenge_is_declined_or_cancelled(url: str, tc: dict[str, int], who: int, kind: str, why: str) -> None:
    async with guests(url, 2) as people:
        one, two = people
        challenge = (await one.request("challenge", tc=tc, to=two.welcome["user"]["name"]))["challenge"]
        assert await people[1 - who].refused(f"challenge.{kind}", challenge=challenge) == "forbidden"
        await people[who].request(f"challenge.{kind}", challenge=challenge)
        for client in people:
            gone = await client.wait(lambda message: message["t"] == "challenge.gone")
            reason = {"reason": "generic"} if kind == "decline" else {}
            assert gone == {"t": "challenge.gone", "challenge": challenge, "why": why, **reason}
        assert card(url, challenge)["status"] == why


async def test_open_challenge_goes_to_the_first_player(url: str, tc: dict[str, int]) -> None:
    async with guests(url, 3) as (one, two, three):
        reply = await one.request("challenge", tc=tc, color="w")
        challenge = reply["challenge"]
        assert reply["url"] == f"/challenge/{challenge}"
        assert (card(url, challenge)["status"], card(url, challenge)["g"]) == ("open", None)
        assert await one.refused("challenge.accept", challenge=challenge) == "forbidden"
        assert await two.refused("challenge.decline", challenge=challenge) == "forbidden"
        g = (await two.request("challenge.accept", challenge=challenge))["g"]
        assert await three.refused("challenge.accept", challenge=challenge) == "conflict"
        assert await two.refused("challenge.accept", challenge=challenge) == "conflict"
        assert (card(url, challenge)["status"], card(url, challenge)["g"]) == ("accepted", g)
        assert (await paired(one))["opponent"] == two.welcome["user"]


async def test_race_for_an_open_challenge_has_one_winner(url: str, tc: dict[str, int]) -> None:
    async with guests(url, RACERS + 1) as (owner, *racers):
        challenge = (await owner.request("challenge", tc=tc))["challenge"]
        answers = await asyncio.gather(
            *(racer.request("challenge.accept", challenge=challenge) for racer in racers), return_exceptions=True
        )
        assert [answer.code for answer in answers if isinstance(answer, Refusal)] == ["conflict"] * (RACERS - 1)
        (won,) = [answer for answer in answers if isinstance(answer, dict)]
        assert won["g"] == (await paired(owner))["g"]


async def test_challenges_wait_for_absent_players(url: str, tc: dict[str, int]) -> None:
    token, user = guest(url)
    async with guests(url, 1) as (one,):
        challenge = (await one.request("challenge", tc=tc, to=user["name"]))["challenge"]
        async with Client(url, token) as back:
            await back.request("sub", topic="user")
            assert (await back.wait(lambda message: message["t"] == "challenge"))["challenge"] == challenge


async def test_chess960_game_begins_from_a_random_position_shown_to_both(url: str, tc: dict[str, int]) -> None:
    async with guests(url, 2) as (one, two):
        await one.request("seek", tc=tc, variant="chess960", color="w")
        g = (await two.request("seek", tc=tc, variant="chess960"))["g"]
        shown = await one.sub(g)
        assert shown["fen"] is not None
        assert shown["fen"] == shown["position"] == (await two.sub(g))["fen"]
