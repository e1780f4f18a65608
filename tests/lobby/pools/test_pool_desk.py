"""Quick pairing on a real database: waiting, moving, leaving, being paired, and what a crash leaves."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import asyncpg
import pytest
from asyncpg.transaction import Transaction

from lobby import commit_marker, ledger
from lobby.accounts.user import User
from lobby.pools import pool_store
from lobby.pools.pools import BALANCE_GAMES, WINDOW, PoolKey
from lobby.seeks.seeks import AWAY_MS, RESTART_AWAY_MS
from tests.lobby.conftest import World, code, wanted
from tests.realtime.until import until

if TYPE_CHECKING:
    from lobby.pairing import NewGame
    from lobby.ports import Connection
    from lobby.wire.lobby import PoolName

pytestmark = pytest.mark.timeout(60)

CHESS = {"game": "chess", "variant": "standard"}


async def wave(world: World) -> None:
    """Until the next wave is over."""
    await world.tick(2)


async def join(world: World, *users: User, pool: PoolName = "3+2", rated: bool = False) -> None:
    for user in users:
        assert await world.lobby.pool_join(user, PoolKey(pool, rated=rated)) == {"pool": pool}


async def played(world: World, white: User, black: User, *, by: User | None = None, **columns: Any) -> None:
    """A game of the past; ``by``: who ended it, None: the server."""
    values: dict[str, Any] = {"status": "over", "result": "1-0", "reason": "resignation", **columns}
    game = f"old{await world.pool.fetchval('SELECT count(*) FROM game')}"
    await world.pool.execute(
        "INSERT INTO game (id, game, variant, profile, rated, speed, white, black, status, result, reason, ended_at)"
        " VALUES ($1, 'chess', 'standard', 'online', false, 'blitz', $2, $3, $4, $5, $6,"
        " now() - make_interval(secs => $7))",
        game,
        white.id,
        black.id,
        values["status"],
        values["result"],
        values["reason"],
        float(values.get("ago_s", 0)),
    )
    await world.pool.execute(
        "INSERT INTO event (game, seq, kind, payload, cause) VALUES ($1, 1, 'end', '{}', $2)",
        game,
        None if by is None else {"user": by.id},
    )


async def test_next_wave_pairs_two_players(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    await join(world, anna, bert)
    since = world.now_ms
    assert world.messages(anna, "pool") == [{"t": "pool", **CHESS, "pool": "3+2", "rated": False, "since": since}]
    assert world.lobby.waiting(anna.id) == world.messages(anna, "pool")[0]
    assert await world.waiting() == {anna.id: "3+2", bert.id: "3+2"}
    await wave(world)
    (game,) = world.server.opened_games
    assert {game.white, game.black} == {anna, bert}
    assert (game.game, game.variant, game.profile, game.rated, game.pausable) == (
        "chess", "standard", "online", False, False,
    )  # fmt: skip
    for user in (anna, bert):
        assert world.messages(user, "pool.gone") == [{"t": "pool.gone", "why": "paired"}]
        assert [message["g"] for message in world.messages(user, "paired")] == [game.id]
        assert world.lobby.waiting(user.id) is None
    assert await world.waiting() == {}
    assert await world.games() == {game.id}
    await wave(world)
    assert len(world.server.opened_games) == 1


async def test_guests_join_casual_pools_only(world: World) -> None:
    anna = await world.guest()
    assert await code(world.lobby.pool_join(anna, PoolKey("3+2", rated=True))) == "forbidden"
    assert await world.waiting() == {}


async def test_bots_are_not_paired(world: World) -> None:
    anna = await world.member()
    assert await code(world.lobby.pool_join(User(anna.id, anna.name, "bot"), PoolKey("3+2", rated=True))) == "forbidden"


async def test_each_time_control_has_a_rated_and_a_casual_pool(world: World) -> None:
    anna, bert, carl = await world.member(), await world.member(), await world.member()
    await join(world, anna, rated=True)
    await join(world, bert)
    await join(world, carl, pool="5+0", rated=True)
    await world.tick(60)
    assert world.server.opened_games == []
    await join(world, bert, pool="5+0", rated=True)
    await wave(world)
    (game,) = world.server.opened_games
    assert {game.white, game.black} == {bert, carl}
    assert game.rated


async def test_pairing_uses_the_rating_of_that_speed(world: World) -> None:
    anna, bert = await world.member(1500), await world.member(1500 + 2 * WINDOW)
    carl = await world.member(1900, perf="bullet")
    await join(world, anna, bert, carl, rated=True)
    await wave(world)
    (game,) = world.server.opened_games
    assert {game.white, game.black} == {anna, carl}


async def test_every_variant_has_pools_of_its_own(world: World) -> None:
    anna, bert, carl = await world.guest(), await world.guest(), await world.guest()
    russian = PoolKey("5+0", rated=False, game="draughts", variant="russian")
    await world.lobby.pool_join(anna, russian)
    await world.lobby.pool_join(bert, PoolKey("5+0", rated=False))
    await world.lobby.pool_join(carl, russian)
    assert await world.waiting() == {anna.id: "russian 5+0", bert.id: "5+0", carl.id: "russian 5+0"}
    (told,) = world.messages(anna, "pool")
    assert (told["pool"], told["game"], told["variant"]) == ("5+0", "draughts", "russian")
    await wave(world)
    (game,) = world.server.opened_games
    assert {game.white, game.black} == {anna, carl}
    assert (game.game, game.variant, game.profile) == ("draughts", "russian", "online")


async def test_joining_another_pool_moves_the_player(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    await join(world, anna)
    await world.tick()
    await join(world, anna, pool="5+0")
    assert await world.waiting() == {anna.id: "5+0"}
    await join(world, bert)
    await wave(world)
    assert world.server.opened_games == []
    assert [message["pool"] for message in world.messages(anna, "pool")] == ["3+2", "5+0"]
    assert world.messages(anna, "pool.gone") == []


async def test_joining_the_same_pool_again_keeps_the_place(world: World) -> None:
    anna = await world.guest()
    await join(world, anna)
    await world.tick(7)
    await join(world, anna)
    one, other = world.messages(anna, "pool")
    assert one == other


async def test_leaving_twice_is_harmless(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    await join(world, anna, bert)
    for _ in range(2):
        assert await world.lobby.pool_leave(anna) == {}
    assert world.messages(anna, "pool.gone") == [{"t": "pool.gone", "why": "left"}]
    await wave(world)
    assert world.server.opened_games == []
    assert await world.waiting() == {bert.id: "3+2"}


async def test_place_ends_ten_seconds_after_the_last_socket(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    await join(world, anna)
    world.lobby.left(anna.id)
    await world.tick(AWAY_MS // 1000 - 1)
    world.lobby.came(anna.id)
    await world.tick(AWAY_MS // 1000)
    assert await world.waiting() == {anna.id: "3+2"}
    world.lobby.left(anna.id)
    await join(world, bert)
    await world.tick(AWAY_MS // 1000)
    assert world.messages(anna, "pool.gone") == [{"t": "pool.gone", "why": "away"}]
    assert await world.waiting() == {bert.id: "3+2"}
    assert world.server.opened_games == []


async def test_dropped_player_leaves_the_pool(world: World) -> None:
    anna = await world.guest()
    await world.lobby.pool_drop(anna.id, "ban")
    await join(world, anna)
    await world.lobby.pool_drop(anna.id, "ban")
    assert world.messages(anna, "pool.gone") == [{"t": "pool.gone", "why": "ban"}]
    assert await world.waiting() == {}


async def test_player_with_a_new_game_leaves_the_pool(world: World) -> None:
    anna, bert, carl = [await world.guest() for _ in range(3)]
    await join(world, anna, carl)
    seek = (await world.lobby.seek(bert, wanted()))["seek"]
    await world.lobby.accept(anna, seek)
    assert world.messages(anna, "pool.gone") == [{"t": "pool.gone", "why": "paired"}]
    assert await world.waiting() == {carl.id: "3+2"}
    # A game of days is no reason to stop.
    days = (await world.lobby.seek(bert, wanted(tc={"days": 3})))["seek"]
    await world.lobby.accept(carl, days)
    assert await world.waiting() == {carl.id: "3+2"}


async def test_pairing_withdraws_seeks(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    await world.lobby.seek(anna, wanted(min_rating=2000))
    await join(world, anna, bert)
    await wave(world)
    assert len(world.server.opened_games) == 1
    assert await world.stored() == world.listed() == set()


async def test_blocked_players_are_not_paired(world: World) -> None:
    anna, bert, carl = await world.member(1500), await world.member(1500), await world.member(1560)
    await world.pool.execute("INSERT INTO block (person, blocked) VALUES ($1, $2)", bert.id, anna.id)
    await join(world, anna, bert, rated=True)
    await world.tick(60)
    assert world.server.opened_games == []
    await join(world, carl, rated=True)
    await wave(world)
    assert len(world.server.opened_games) == 1


async def test_players_of_an_aborted_game_are_not_paired_for_an_hour(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    await played(world, anna, bert, by=bert, result="*", reason="aborted", ago_s=3500)
    await join(world, anna, bert)
    await world.tick(10)
    assert world.server.opened_games == []
    await world.pool.execute("UPDATE game SET ended_at = now() - interval '3601 seconds'")
    await wave(world)
    assert len(world.server.opened_games) == 1


async def test_white_goes_to_the_player_with_fewer_recent_whites(world: World) -> None:
    anna, bert, carl = [await world.guest() for _ in range(3)]
    await played(world, anna, carl)
    await played(world, carl, bert)
    await join(world, anna, bert)
    await wave(world)
    assert world.server.opened_games[0].white == bert


async def test_only_recent_games_count_for_colours(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    for _ in range(3):
        await played(world, anna, bert)
    for _ in range(BALANCE_GAMES):
        await played(world, bert, anna)
    await join(world, anna, bert)
    await wave(world)
    assert world.server.opened_games[-1].white == anna


async def test_crowd_is_paired_in_one_wave_and_nobody_twice(world: World) -> None:
    crowd = [await world.guest() for _ in range(31)]
    await join(world, *crowd)
    await wave(world)
    seated = [user.id for game in world.server.opened_games for user in (game.white, game.black)]
    assert len(seated) == len(set(seated)) == 30
    (left,) = {user.id for user in crowd} - set(seated)
    assert await world.waiting() == {left: "3+2"}


async def test_player_being_paired_cannot_move_to_another_pool(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pairing has locked the row: the request waits, and then finds no place to move."""
    anna, bert = await world.guest(), await world.guest()
    await join(world, anna, bert)
    reached, go_on = asyncio.Event(), asyncio.Event()
    start = world.server.start

    async def slow(new_game: Any, connection: Connection) -> NewGame:
        reached.set()
        await go_on.wait()
        return await start(new_game, connection)

    monkeypatch.setattr(world.server, "start", slow)
    waving = asyncio.create_task(wave(world))
    await reached.wait()
    moving = asyncio.create_task(code(world.lobby.pool_join(anna, PoolKey("5+0", rated=False))))
    await until(lambda: world.pool.fetchval("SELECT count(*) > 0 FROM pg_locks WHERE NOT granted"))
    go_on.set()
    assert await moving == "conflict"
    await waving
    assert len(world.server.opened_games) == 1
    assert await world.waiting() == {}


async def test_pairing_with_unanswered_commit_is_made_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, bert = await world.guest(), await world.guest()
    await join(world, anna, bert)
    commit = Transaction.commit
    with monkeypatch.context() as patched:

        async def commit_and_break(transaction: Transaction) -> None:
            await commit(transaction)
            raise ConnectionResetError("cable cut")

        patched.setattr(Transaction, "commit", commit_and_break)
        patched.setattr(ledger, "CHECK_AFTER_S", (0.0,))
        await wave(world)
    await wave(world)
    (game,) = world.server.opened_games
    assert await world.games() == {game.id}
    assert world.messages(anna, "paired")[0]["g"] == game.id
    assert world.lobby.waiting(anna.id) is None


async def test_pairing_long_in_doubt_is_not_repeated(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, bert = await world.guest(), await world.guest()
    await join(world, anna, bert)
    commit = Transaction.commit

    async def away(*_: Any) -> bool | None:
        raise ConnectionRefusedError("away")

    with monkeypatch.context() as patched:

        async def commit_and_break(transaction: Transaction) -> None:
            await commit(transaction)
            raise ConnectionResetError("cable cut")

        patched.setattr(Transaction, "commit", commit_and_break)
        patched.setattr(ledger, "CHECK_AFTER_S", (0.0,))
        patched.setattr(commit_marker, "is_committed", away)
        await wave(world)
        assert world.server.opened_games == []
    # The next wave finds the rows gone, or the ledger finds out first: either way there is one game.
    await world.lobby._waiting.pair()
    assert world.server.opened_games == []
    await wave(world)
    assert [game.id for game in world.server.opened_games] == list(await world.games())
    assert len(world.messages(bert, "paired")) == 1


async def test_players_keep_waiting_while_the_database_is_down(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, bert = await world.guest(), await world.guest()
    await join(world, anna, bert)

    async def away(*_: Any) -> Any:
        raise asyncpg.ConnectionDoesNotExistError("away")

    with monkeypatch.context() as patched:
        patched.setattr(world.server, "start", away)
        await wave(world)
    assert await world.waiting() == {anna.id: "3+2", bert.id: "3+2"}
    with monkeypatch.context() as patched:
        patched.setattr(pool_store, "aborted_among", away)
        await wave(world)
    assert world.server.opened_games == []
    await wave(world)
    assert len(world.server.opened_games) == 1


async def test_places_survive_a_crash_for_half_a_minute(world: World) -> None:
    anna, bert, carl = [await world.guest() for _ in range(3)]
    await join(world, anna, bert)
    await join(world, carl, pool="1+0")
    since = world.now_ms
    await world.restart()
    assert world.lobby.waiting(anna.id) == {"t": "pool", **CHESS, "pool": "3+2", "rated": False, "since": since}
    await wave(world)
    assert world.server.opened_games == []
    for user in (anna, bert):
        world.lobby.came(user.id)
    await wave(world)
    assert len(world.server.opened_games) == 1
    await world.tick(RESTART_AWAY_MS // 1000)
    assert await world.waiting() == {}


async def test_repeated_key_keeps_the_same_place(world: World) -> None:
    anna, bert = await world.guest(), await world.guest()
    for _ in range(2):
        assert await world.lobby.pool_join(anna, PoolKey("3+2", rated=False), key="k") == {"pool": "3+2"}
    assert len(world.messages(anna, "pool")) == 1
    await join(world, bert)
    await wave(world)
    await world.lobby.pool_join(anna, PoolKey("3+2", rated=False), key="k")
    assert await world.waiting() == {}
