"""Challenges on a real database: by link, by name, to oneself, and rematches."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

import pytest

from lobby.accounts.user import User, user_wire
from lobby.challenges.challenges import DIRECT_MS, MAX_CHALLENGES, OPEN_MS
from lobby.errors import BadMessage, Conflict, Forbidden, NotFound, Unavailable
from lobby.store import challenges_by
from tests.lobby.conftest import BLITZ, World, code, wanted

if TYPE_CHECKING:
    from game_core.errors import Refusal
    from lobby.pairing import NewGame

pytestmark = pytest.mark.timeout(60)

ENDGAME = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"


async def test_challenge_by_link_goes_to_the_first_player(world: World) -> None:
    anna, bert, carl = [await world.guest() for _ in range(3)]
    reply = await world.lobby.challenge(anna, wanted(color="w"))
    challenge = reply["challenge"]
    assert re.fullmatch(r"[0-9A-Za-z]{12}", challenge)
    assert reply == {"challenge": challenge, "url": f"/challenge/{challenge}"}
    # To the other tabs of who made it, and to nobody else.
    assert [user_id for user_id, _ in world.server.told] == [anna.id]
    assert world.messages(anna, "challenge") == await world.lobby.challenges_of(anna)
    assert await code(world.lobby.challenge_accept(anna, challenge)) == "forbidden"
    game = (await world.lobby.challenge_accept(bert, challenge))["g"]
    assert world.messages(anna, "paired")[0]["color"] == "w"
    assert world.messages(bert, "paired")[0]["opponent"] == user_wire(anna)
    assert world.messages(anna, "challenge.gone") == [
        {"t": "challenge.gone", "challenge": challenge, "why": "accepted"}
    ]
    assert await code(world.lobby.challenge_accept(carl, challenge)) == "conflict"
    assert await world.games() == {game}


async def test_race_for_a_link_has_one_winner(world: World) -> None:
    challenge = (await world.lobby.challenge(await world.guest(), wanted()))["challenge"]
    crowd = [await world.guest() for _ in range(6)]
    codes = await asyncio.gather(*(code(world.lobby.challenge_accept(user, challenge)) for user in crowd))
    assert (codes.count(None), codes.count("conflict")) == (1, 5)
    assert len(await world.games()) == 1


async def test_challenge_page_shows_the_outcome(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    challenge = (await world.lobby.challenge(anna, wanted(fen=ENDGAME)))["challenge"]
    card = await world.lobby.challenge_card(challenge)
    assert card == {
        "challenge": challenge,
        "from": user_wire(anna),
        "to": None,
        "game": "chess",
        "variant": "standard",
        "tc": BLITZ,
        "rated": False,
        "rules": "online",
        "position": None,
        "opponent_tc": None,
        "fen": ENDGAME,
        "color": "random",
        "expires": world.now_ms + OPEN_MS,
        "status": "open",
        "g": None,
        "reason": None,
    }
    game = (await world.lobby.challenge_accept(bert, challenge))["g"]
    assert await world.lobby.challenge_card(challenge) == card | {"status": "accepted", "g": game}
    assert await world.lobby.challenge_card("nosuchid") is None


async def test_game_begins_from_the_chosen_position(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    challenge = (await world.lobby.challenge(anna, wanted(fen=ENDGAME)))["challenge"]
    await world.lobby.challenge_accept(bert, challenge)
    assert world.server.opened_games[0].fen == ENDGAME


async def test_game_against_oneself_starts_at_once(world: World) -> None:
    anna = await world.guest()
    reply = await world.lobby.challenge(anna, wanted(tc=None), to="self", key="k")
    assert set(reply) == {"g"}
    (game,) = world.server.opened_games
    assert (game.white, game.black, game.pausable, game.tc) == (anna, anna, True, None)
    assert world.server.told == []
    assert await world.lobby.challenge(anna, wanted(tc=None), to="self", key="k") == reply
    assert await world.games() == {reply["g"]}


async def test_rated_game_against_oneself_is_refused(world: World) -> None:
    anna = await world.guest()
    member = User(anna.id, anna.name, "member")
    with pytest.raises(Forbidden):
        await world.lobby.challenge(member, wanted(rated=True), to="self")


@pytest.mark.parametrize(("level", "error"), [(3, Unavailable), (None, BadMessage), (0, BadMessage), (9, BadMessage)])
async def test_challenge_to_a_robot_without_robots_is_refused(
    world: World, level: int | None, error: type[Refusal]
) -> None:
    with pytest.raises(error):
        await world.lobby.challenge(await world.guest(), wanted(), to="robot", level=level)


async def test_challenge_by_name_is_announced_and_accepted(world: World) -> None:
    anna, bert, carl = [await world.guest() for _ in range(3)]
    challenge = (await world.lobby.challenge(anna, wanted(color="b"), to=bert.name.lower()))["challenge"]
    (message,) = world.messages(bert, "challenge")
    assert world.messages(anna, "challenge") == [message]
    assert (message["challenge"], message["from"], message["to"]) == (challenge, user_wire(anna), user_wire(bert))
    assert message["expires"] == world.now_ms + DIRECT_MS
    assert await world.lobby.challenges_of(bert) == await world.lobby.challenges_of(anna) == [message]
    assert await world.lobby.challenges_of(carl) == []
    assert await code(world.lobby.challenge_accept(carl, challenge)) == "forbidden"
    await world.lobby.challenge_accept(bert, challenge)
    assert world.server.opened_games[0].white == bert
    for user in (anna, bert):
        assert world.messages(user, "challenge.gone")[0]["why"] == "accepted"
    assert await world.lobby.challenges_of(bert) == []


async def test_unknown_or_own_names_cannot_be_challenged(world: World) -> None:
    anna = await world.guest()
    with pytest.raises(NotFound):
        await world.lobby.challenge(anna, wanted(), to="Nobody")
    with pytest.raises(Forbidden):
        await world.lobby.challenge(anna, wanted(), to=anna.name)


async def test_a_challenge_is_not_shown_across_a_later_block(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    mine = (await world.lobby.challenge(anna, wanted(), to=bert.name))["challenge"]
    theirs = (await world.lobby.challenge(bert, wanted(), to=anna.name))["challenge"]
    assert len(await world.lobby.challenges_of(bert)) == 2
    await world.pool.execute("INSERT INTO block (person, blocked) VALUES ($1, $2)", anna.id, bert.id)
    for user, own in ((anna, mine), (bert, theirs)):
        assert [shown["challenge"] for shown in await world.lobby.challenges_of(user)] == [own]
    assert await challenges_by(world.pool, [anna.id, bert.id], 0) == []
    assert await code(world.lobby.challenge_accept(bert, mine)) == "forbidden"
    await world.pool.execute("DELETE FROM block")
    assert len(await challenges_by(world.pool, [anna.id, bert.id], 0)) == 2


async def test_only_the_challenged_player_declines(world: World) -> None:
    anna, bert, carl = [await world.guest() for _ in range(3)]
    challenge = (await world.lobby.challenge(anna, wanted(), to=bert.name))["challenge"]
    link = (await world.lobby.challenge(anna, wanted()))["challenge"]
    for user, wrong in ((anna, challenge), (carl, challenge), (bert, link)):
        assert await code(world.lobby.challenge_decline(user, wrong)) == "forbidden"
    assert await world.lobby.challenge_decline(bert, challenge, "too_fast") == {}
    card = await world.lobby.challenge_card(challenge)
    assert card is not None
    assert (card["status"], card["reason"]) == ("declined", "too_fast")
    assert world.messages(anna, "challenge.gone") == [
        {"t": "challenge.gone", "challenge": challenge, "why": "declined", "reason": "too_fast"}
    ]
    for late in (world.lobby.challenge_decline, world.lobby.challenge_accept):
        assert await code(late(bert, challenge)) == "conflict"
    assert await code(world.lobby.challenge_cancel(anna, challenge)) == "conflict"


async def test_only_the_owner_cancels(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    challenge = (await world.lobby.challenge(anna, wanted(), to=bert.name))["challenge"]
    assert await code(world.lobby.challenge_cancel(bert, challenge)) == "forbidden"
    assert await code(world.lobby.challenge_cancel(anna, "nosuchid")) == "not_found"
    await world.lobby.challenge_cancel(anna, challenge)
    assert world.messages(bert, "challenge.gone")[0]["why"] == "cancelled"
    assert await code(world.lobby.challenge_accept(bert, challenge)) == "conflict"


async def test_accepting_and_cancelling_at_once_has_one_winner(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    challenge = (await world.lobby.challenge(anna, wanted()))["challenge"]
    codes = await asyncio.gather(
        code(world.lobby.challenge_accept(bert, challenge)), code(world.lobby.challenge_cancel(anna, challenge))
    )
    assert sorted(codes, key=str) == [None, "conflict"]


@pytest.mark.parametrize(("to_name", "lives_ms"), [(False, OPEN_MS), (True, DIRECT_MS)])
async def test_challenges_expire(world: World, to_name: bool, lives_ms: int) -> None:
    anna, bert = await world.guest(), await world.guest()
    to = bert.name if to_name else None
    challenge = (await world.lobby.challenge(anna, wanted(), to=to))["challenge"]
    world.now_ms += lives_ms - 1
    await world.lobby.tick()
    assert world.messages(anna, "challenge.gone") == []
    world.now_ms += 1
    assert await code(world.lobby.challenge_accept(bert, challenge)) == "conflict"
    card = await world.lobby.challenge_card(challenge)
    assert card is not None
    assert card["status"] == "expired"
    await world.lobby.tick()
    assert world.messages(anna, "challenge.gone")[0]["why"] == "expired"
    await world.lobby.tick()
    assert len(world.messages(anna, "challenge.gone")) == 1
    assert await code(world.lobby.challenge_accept(bert, challenge)) == "conflict"


async def test_challenges_survive_a_crash(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    asked = await world.lobby.challenge(anna, wanted(), key="k")
    await world.restart()
    assert await world.lobby.challenge(anna, wanted(), key="k") == asked
    taken = await world.lobby.challenge_accept(bert, asked["challenge"], key="k")
    await world.restart()
    assert await world.lobby.challenge_accept(bert, asked["challenge"], key="k") == taken
    assert await world.games() == {taken["g"]}


async def test_game_by_challenge_withdraws_the_seeks_of_both(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    await world.lobby.seek(anna, wanted())
    await world.lobby.seek(bert, wanted(tc={"base_s": 60}))
    slow = (await world.lobby.seek(bert, wanted(tc=None)))["seek"]
    challenge = (await world.lobby.challenge(anna, wanted(tc={"base_s": 300})))["challenge"]
    await world.lobby.challenge_accept(bert, challenge)
    assert world.listed() == await world.stored() == {slow}


async def test_rating_range_applies_to_challenges(world: World) -> None:
    challenge = (await world.lobby.challenge(await world.guest(), wanted(min_rating=2000)))["challenge"]
    with pytest.raises(Forbidden):
        await world.lobby.challenge_accept(await world.guest(), challenge)


async def test_guest_cannot_accept_a_rated_challenge(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    challenge = (await world.lobby.challenge(User(anna.id, anna.name, "member"), wanted(rated=True)))["challenge"]
    with pytest.raises(Forbidden):
        await world.lobby.challenge_accept(bert, challenge)


async def test_guest_is_not_invited_to_a_rated_game(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    member = User(anna.id, anna.name, "member")
    with pytest.raises(Forbidden, match="to: guests"):
        await world.lobby.challenge(member, wanted(rated=True), to=bert.name)
    await world.lobby.challenge(member, wanted(), to=bert.name)


async def test_challenges_of_one_person_are_limited(world: World) -> None:
    anna = await world.guest()
    for _ in range(MAX_CHALLENGES):
        last = await world.lobby.challenge(anna, wanted())
    with pytest.raises(Conflict):
        await world.lobby.challenge(anna, wanted())
    await world.lobby.challenge_cancel(anna, last["challenge"])
    await world.lobby.challenge(anna, wanted())


async def test_rematch_reverses_colours_and_notifies_both(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    challenge = (await world.lobby.challenge(anna, wanted(color="w")))["challenge"]
    await world.lobby.challenge_accept(bert, challenge)
    first = world.server.opened_games[0]
    await world.finish()
    await world.lobby.seek(anna, wanted(tc={"base_s": 60}))
    assert await world.lobby.rematch(first, "rematch1") == "rematch1"
    assert world.listed() == set()
    second = world.server.opened_games[1]
    assert (second.white, second.black, second.rematch_of) == (bert, anna, first.id)
    assert world.messages(anna, "paired")[-1] == {
        "t": "paired",
        "g": "rematch1",
        "color": "b",
        "opponent": user_wire(bert),
    }


async def test_rematch_repeated_after_a_crash_is_the_same_game(world: World) -> None:
    anna = await world.guest()
    await world.lobby.challenge(anna, wanted(tc=None), to="self")
    first: NewGame = world.server.opened_games[0]
    assert await world.lobby.rematch(first, "rematch1") == "rematch1"
    await world.restart()
    assert await world.lobby.rematch(first, "rematch2") == "rematch1"
    assert await world.games() == {first.id, "rematch1"}
