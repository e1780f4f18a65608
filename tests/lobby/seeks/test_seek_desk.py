"""Seeks on a real database: listing, pairing, acceptance, withdrawal, races, crashes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from game_core.errors import Refusal
from lobby import store
from lobby.accounts.user import user_wire
from lobby.errors import BadMessage, Conflict, Forbidden, NotFound
from lobby.seeks.seeks import AWAY_MS, MAX_SEEKS, RESTART_AWAY_MS, SEEK_MS
from tests.lobby.conftest import World, wanted

if TYPE_CHECKING:
    from lobby.accounts.user import User
    from lobby.ports import Connection

pytestmark = pytest.mark.timeout(60)


async def outcome(request: Any) -> Any:
    """The reply, or the code of the refusal."""
    try:
        return await request
    except Refusal as error:
        return error.code


async def test_seek_is_stored_and_listed(world: World) -> None:
    anna = await world.guest()
    seq = world.lobby.seq
    reply = await world.lobby.seek(anna, wanted(color="w"))
    assert set(reply) == {"seek"}
    assert world.listed() == await world.stored() == {reply["seek"]}
    (event,) = world.server.events
    assert (event["t"], event["seek"], event["seq"], event["user"]) == (
        "lobby.add",
        reply["seek"],
        seq + 1,
        user_wire(anna),
    )


async def test_matching_seeks_are_paired_at_once(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    waiting = await world.lobby.seek(anna, wanted(color="w"))
    reply = await world.lobby.seek(bert, wanted())
    assert set(reply) == {"seek", "g"}
    assert await world.games() == {reply["g"]}
    assert world.listed() == await world.stored() == set()
    assert [event["t"] for event in world.server.events] == ["lobby.add", "lobby.gone"]
    (game,) = world.server.opened_games
    assert (game.white, game.black, game.rated, game.pausable) == (anna, bert, False, False)
    assert world.messages(anna, "paired") == [
        {"t": "paired", "g": reply["g"], "color": "w", "opponent": user_wire(bert)}
    ]
    assert world.messages(bert, "paired") == [
        {"t": "paired", "g": reply["g"], "color": "b", "opponent": user_wire(anna)}
    ]
    with pytest.raises(Conflict):
        await world.lobby.accept(await world.guest(), waiting["seek"])


@pytest.mark.parametrize("crowd", [2, 10, 60])
async def test_concurrent_matching_seeks_are_paired(world: World, crowd: int) -> None:
    people = [await world.guest() for _ in range(crowd)]
    replies = await asyncio.gather(*(world.lobby.seek(user, wanted()) for user in people))
    assert len(world.server.opened_games) == crowd // 2
    seated = [user.id for game in world.server.opened_games for user in (game.white, game.black)]
    assert sorted(seated) == sorted(user.id for user in people)
    assert world.listed() == await world.stored() == set()
    # Whoever found nobody was listed and found; the other was told at once.
    assert sum("g" in reply for reply in replies) >= crowd // 2


async def test_accepting_a_seek_starts_a_game(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    seek = (await world.lobby.seek(anna, wanted(color="b", variant="chess960")))["seek"]
    reply = await world.lobby.accept(bert, seek)
    assert set(reply) == {"g"}
    (game,) = world.server.opened_games
    assert (game.id, game.white, game.black, game.variant) == (reply["g"], bert, anna, "chess960")
    assert game.fen is not None
    assert world.listed() == await world.stored() == set()


async def test_race_for_a_seek_has_one_winner(world: World) -> None:
    seek = (await world.lobby.seek(await world.guest(), wanted()))["seek"]
    crowd = [await world.guest() for _ in range(8)]
    results = await asyncio.gather(*(outcome(world.lobby.accept(user, seek)) for user in crowd))
    assert sorted(map(type, results), key=repr) == [dict] + [str] * 7
    assert results.count("conflict") == 7
    assert len(await world.games()) == len(world.server.opened_games) == 1


async def test_race_between_two_nodes_has_one_winner(world: World) -> None:
    anna, bert, carl = [await world.guest() for _ in range(3)]
    seek = (await world.lobby.seek(anna, wanted()))["seek"]
    other_node = World(world.pool)
    await other_node.lobby.load()
    results = await asyncio.gather(
        outcome(world.lobby.accept(bert, seek)), outcome(other_node.lobby.accept(carl, seek))
    )
    assert sorted(map(type, results), key=repr) == [dict, str]
    assert "conflict" in results
    assert len(await world.games()) == 1


async def test_seek_accepted_on_another_node_is_skipped_and_unlisted(world: World) -> None:
    anna, bert, carl, dora = [await world.guest() for _ in range(4)]
    stale = (await world.lobby.seek(anna, wanted()))["seek"]
    await world.pool.execute("DELETE FROM seek WHERE id = $1", stale)
    mine = await world.lobby.seek(bert, wanted())
    assert "g" not in mine
    assert world.listed() == await world.stored() == {mine["seek"]}
    assert world.server.events[-2]["t"] == "lobby.gone"
    await world.pool.execute("DELETE FROM seek")
    for late in (world.lobby.accept(carl, mine["seek"]), world.lobby.unseek(bert, mine["seek"])):
        assert await outcome(late) == "conflict"
    assert world.listed() == set()
    assert "g" not in await world.lobby.seek(dora, wanted())


async def test_seek_skipped_for_a_failed_pairing_is_paired_later(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, bert, carl = [await world.guest() for _ in range(3)]
    await world.lobby.seek(anna, wanted())
    world.lobby.left(anna.id)
    gone = (await world.lobby.seek(bert, wanted(tc=None)))["seek"]
    lock = store.lock_seeks
    locked, go_on = asyncio.Event(), asyncio.Event()

    async def slow(connection: Connection, people: Any) -> Any:
        if not locked.is_set():
            locked.set()
            await go_on.wait()
        return await lock(connection, people)

    monkeypatch.setattr(store, "lock_seeks", slow)
    theirs = await world.lobby.seek(bert, wanted())  # anna is away: listed
    assert "g" not in theirs
    world.lobby.came(anna.id)  # hers is being paired with bert's
    await locked.wait()
    await world.pool.execute("DELETE FROM seek WHERE person = $1", anna.id)
    mine = await world.lobby.seek(carl, wanted())
    assert "g" not in mine  # bert's is spoken for
    go_on.set()
    await world.lobby.close()
    (game,) = world.server.opened_games
    assert {game.white, game.black} == {bert, carl}
    assert world.listed() == {gone}


async def test_mutual_acceptances_start_one_game(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    first = (await world.lobby.seek(anna, wanted(color="w")))["seek"]
    second = (await world.lobby.seek(bert, wanted(color="w")))["seek"]
    results = await asyncio.gather(outcome(world.lobby.accept(anna, second)), outcome(world.lobby.accept(bert, first)))
    assert sorted(map(type, results), key=repr) == [dict, str]
    assert len(await world.games()) == 1


async def test_two_seeks_of_one_person_are_not_both_accepted(world: World) -> None:
    anna, bert, carl = [await world.guest() for _ in range(3)]
    blitz = (await world.lobby.seek(anna, wanted()))["seek"]
    rapid = (await world.lobby.seek(anna, wanted(tc={"base_s": 900})))["seek"]
    slow = (await world.lobby.seek(anna, wanted(tc={"days": 3})))["seek"]
    results = await asyncio.gather(outcome(world.lobby.accept(bert, blitz)), outcome(world.lobby.accept(carl, rapid)))
    assert sorted(map(type, results), key=repr) == [dict, str]
    # A game of days disturbs nobody; that seek stays.
    assert world.listed() == await world.stored() == {slow}


async def test_correspondence_game_leaves_other_seeks_open(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    blitz = (await world.lobby.seek(anna, wanted()))["seek"]
    slow = (await world.lobby.seek(anna, wanted(tc={"days": 3})))["seek"]
    await world.lobby.accept(bert, slow)
    assert world.listed() == {blitz}


async def test_withdrawing_a_seek_unlists_it(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    seek = (await world.lobby.seek(anna, wanted()))["seek"]
    with pytest.raises(Forbidden):
        await world.lobby.unseek(bert, seek)
    assert await world.lobby.unseek(anna, seek) == {}
    assert world.listed() == await world.stored() == set()
    with pytest.raises(Conflict):
        await world.lobby.unseek(anna, seek)


async def test_withdrawing_and_accepting_at_once_has_one_winner(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    seek = (await world.lobby.seek(anna, wanted()))["seek"]
    results = await asyncio.gather(outcome(world.lobby.accept(bert, seek)), outcome(world.lobby.unseek(anna, seek)))
    assert results.count("conflict") == 1
    assert world.listed() == await world.stored() == set()


async def test_unknown_own_and_out_of_range_seeks_are_refused(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    with pytest.raises(NotFound):
        await world.lobby.accept(anna, "nosuchid")
    with pytest.raises(NotFound):
        await world.lobby.unseek(anna, "nosuchid")
    mine = (await world.lobby.seek(anna, wanted()))["seek"]
    with pytest.raises(Forbidden):
        await world.lobby.accept(anna, mine)
    strong = (await world.lobby.seek(anna, wanted(min_rating=2000)))["seek"]
    with pytest.raises(Forbidden):
        await world.lobby.accept(bert, strong)
    with pytest.raises(Forbidden):
        await world.lobby.seek(bert, wanted(rated=True))
    assert world.listed() == await world.stored() == {mine, strong}
    assert not world.server.opened_games


async def test_guest_cannot_accept_a_rated_seek(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    member = await promote(world, anna)
    seek = (await world.lobby.seek(member, wanted(rated=True)))["seek"]
    with pytest.raises(Forbidden):
        await world.lobby.accept(bert, seek)


async def promote(world: World, user: User) -> User:
    await world.pool.execute("UPDATE person SET kind = 'member', skeleton = lower(name) WHERE id = $1", user.id)
    return type(user)(user.id, user.name, "member")


async def test_seeks_of_one_person_are_limited_even_concurrently(world: World) -> None:
    anna = await world.guest()
    controls = [{"base_s": 60 * minutes} for minutes in range(1, MAX_SEEKS + 4)]
    results = await asyncio.gather(*(outcome(world.lobby.seek(anna, wanted(tc=tc))) for tc in controls))
    assert results.count("conflict") == 3
    assert len(world.listed()) == MAX_SEEKS
    await world.lobby.unseek(anna, world.listed().pop())
    await world.lobby.seek(anna, wanted())
    with pytest.raises(Conflict):
        await world.lobby.seek(anna, wanted())
    # The limit is on what is listed: being paired at once adds nothing.
    bert = await world.guest()
    await world.lobby.seek(bert, wanted(tc=None))
    assert "g" in await world.lobby.seek(anna, wanted(tc=None))


async def test_seek_expires(world: World) -> None:
    anna = await world.guest()
    seek = (await world.lobby.seek(anna, wanted()))["seek"]
    world.now_ms += SEEK_MS - 1
    await world.lobby.tick()
    assert world.listed() == {seek}
    world.now_ms += 1
    await world.lobby.tick()
    assert world.listed() == await world.stored() == set()
    assert world.server.events[-1] == {"t": "lobby.gone", "seek": seek, "seq": world.lobby.seq}


async def test_seek_ends_ten_seconds_after_the_last_socket(world: World) -> None:
    anna = await world.guest()
    seek = (await world.lobby.seek(anna, wanted()))["seek"]
    world.lobby.left(anna.id)
    world.now_ms += AWAY_MS - 1
    await world.lobby.tick()
    world.lobby.came(anna.id)
    world.now_ms += 1
    await world.lobby.tick()
    assert world.listed() == {seek}
    world.lobby.left(anna.id)
    world.now_ms += AWAY_MS
    await world.lobby.tick()
    assert world.listed() == await world.stored() == set()


async def test_expiry_and_acceptance_at_once_has_one_winner(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    seek = (await world.lobby.seek(anna, wanted()))["seek"]
    world.now_ms += SEEK_MS
    result, _ = await asyncio.gather(outcome(world.lobby.accept(bert, seek)), world.lobby.tick())
    assert world.listed() == await world.stored() == set()
    assert [event["t"] for event in world.server.events] == ["lobby.add", "lobby.gone"]
    assert len(await world.games()) == (0 if result == "conflict" else 1)


async def test_returning_owner_is_paired_with_a_seek_made_meanwhile(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    await world.lobby.seek(anna, wanted())
    world.lobby.left(anna.id)
    assert "g" not in await world.lobby.seek(bert, wanted())
    world.lobby.came(anna.id)
    await world.lobby.close()
    assert len(world.server.opened_games) == 1
    assert world.listed() == await world.stored() == set()


async def test_seeks_survive_a_crash(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    seek = (await world.lobby.seek(anna, wanted(color="b", min_rating=1000)))["seek"]
    before = world.lobby.snapshot(games=0, online=0)["seeks"]
    earlier = world.lobby.seq
    world.now_ms += 5_000
    await world.restart()
    assert world.lobby.snapshot(games=0, online=0)["seeks"] == before
    # So what somebody saw before is never taken for something of now.
    assert world.lobby.seq > earlier
    world.now_ms += RESTART_AWAY_MS - 1
    await world.lobby.tick()
    world.lobby.came(anna.id)
    world.now_ms += RESTART_AWAY_MS
    await world.lobby.tick()
    assert (await world.lobby.accept(bert, seek))["g"] in await world.games()


async def test_seeks_of_absent_owners_end_half_a_minute_after_a_crash(world: World) -> None:
    await world.lobby.seek(await world.guest(), wanted())
    await world.restart()
    world.now_ms += RESTART_AWAY_MS
    await world.lobby.tick()
    assert world.listed() == await world.stored() == set()


async def test_repeated_key_gets_the_same_reply_and_changes_nothing(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    first = await world.lobby.seek(anna, wanted(), key="k1")
    assert await world.lobby.seek(anna, wanted(), key="k1") == first
    assert world.listed() == {first["seek"]}
    taken = await world.lobby.accept(bert, first["seek"], key="k1")  # another person's keys are separate
    await world.restart()
    assert await world.lobby.seek(anna, wanted(), key="k1") == first
    assert await world.lobby.accept(bert, first["seek"], key="k1") == taken
    assert await world.games() == {taken["g"]}
    assert world.listed() == set()


async def test_concurrent_requests_with_one_key_run_once(world: World) -> None:
    anna = await world.guest()
    replies = await asyncio.gather(*(world.lobby.seek(anna, wanted(), key="k") for _ in range(4)))
    assert len({reply["seek"] for reply in replies}) == 1
    assert len(world.listed()) == 1
    assert not world.server.opened_games


async def test_repeated_key_of_a_seek_paired_late_returns_its_game(world: World) -> None:
    people = [await world.guest() for _ in range(2)]
    replies = await asyncio.gather(*(world.lobby.seek(user, wanted(), key="k") for user in people))
    again = [await world.lobby.seek(user, wanted(), key="k") for user in people]
    assert again == replies
    assert {reply["g"] for reply in again if "g" in reply} == await world.games()


async def test_refused_request_does_not_use_up_its_key(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    seek = (await world.lobby.seek(anna, wanted()))["seek"]
    with pytest.raises(Forbidden):
        await world.lobby.accept(anna, seek, key="k")
    mine = (await world.lobby.seek(bert, wanted(tc=None)))["seek"]
    assert "g" in await world.lobby.accept(anna, mine, key="k")


async def test_request_with_cancelled_caller_is_completed(world: World) -> None:
    anna = await world.guest()
    asked = asyncio.create_task(world.lobby.seek(anna, wanted()))
    await asyncio.sleep(0)
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    await world.lobby.close()
    assert len(world.listed()) == 1
    assert world.listed() == await world.stored()


@pytest.mark.parametrize("key", ["", "k" * 33, "nul\0"])
async def test_malformed_keys_are_refused(world: World, key: str) -> None:
    with pytest.raises(BadMessage):
        await world.lobby.seek(await world.guest(), wanted(), key=key)


async def test_text_with_a_null_character_is_not_found(world: World) -> None:
    anna = await world.guest()
    assert await outcome(world.lobby.accept(anna, "nul\0")) == "not_found"
    assert await outcome(world.lobby.challenge_accept(anna, "nul\0")) == "not_found"
    assert await outcome(world.lobby.challenge(anna, wanted(), to="nul\0")) == "not_found"
    assert await world.lobby.challenge_card("nul\0") is None
