"""Play-ban worker on a real database: each finished game is judged once, from its events."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

import pytest

from game_core.events import ClockReading, ClockSet, Ended, Moved, Signalled, TakenBack
from lobby.accounts.identity import create_guest
from lobby.accounts.roles import set_roles
from lobby.errors import Forbidden
from lobby.ids import new_id
from lobby.moderation.bans import Bans, time_out
from lobby.robots.robot_accounts import open_robot_accounts, robot_id
from realtime.journal.appends import Append, Cause, GameSummary
from realtime.journal.journal import Journal
from realtime.people.play_ban_worker import PlayBanWorker
from realtime.postgres.database import create_pool
from tests.empty_tables import clear
from tests.realtime.stored_games import NODE
from tests.realtime.until import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from game_core.events import AnyEvent
    from lobby.accounts.user import User
    from realtime.postgres.database import Pool

POSITION = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


class Scene:
    """Two people, the journal that ends their games, and the judge.

    Attributes:
        told: what ``Bans`` had to say, in order: whom, and the ban's cause or None.
    """

    def __init__(self, pool: Pool, journal: Journal, white: User, black: User) -> None:
        self.pool = pool
        self.journal = journal
        self.white = white
        self.black = black
        self.now_ms = int(time.time() * 1000)
        self.told: list[tuple[str, str | None]] = []
        self.bans = self.new_bans()
        self.judge = PlayBanWorker(pool, self.bans)

    def new_bans(self) -> Bans:
        bans = Bans(self.pool, lambda: self.now_ms)
        bans.on_change.append(lambda person, ban: self.told.append((person, None if ban is None else ban.what)))
        return bans

    async def game(self, *events: AnyEvent, plies: int, asked: User | None = None, **columns: Any) -> str:
        """A game that has ended by ``events``; ``asked`` has asked for the last of them."""
        row: dict[str, Any] = {
            "speed": "blitz",
            "white": self.white.id,
            "black": self.black.id,
            "tc": {"base_s": 180, "inc_s": 2},
        }
        row |= columns
        game = new_id()
        await self.pool.execute(
            """
            INSERT INTO game (id, game, variant, profile, rated, speed, tc, status, owner, epoch, white, black,
                black_tc, created_at, delay_s, laws)
            VALUES ($1, 'chess', 'standard', 'online', $9, $2, $3, 'created', $4, 1, $5, $6, $7,
                now() - make_interval(secs => $8), $10, $11)
            """,
            game,
            row["speed"],
            row["tc"],
            NODE,
            row["white"],
            row["black"],
            row.get("black_tc"),
            float(row.get("ago_s", 0)),
            row.get("rated", False),
            row.get("delay_s", 0),
            row.get("laws"),
        )
        *before, end = events
        assert isinstance(end, Ended)
        if before:
            await self._append(Append(game, 1, 1, tuple(before), None, self._done))
        summary = GameSummary(status="over", plies=plies, result=end.result, reason=end.reason)
        cause = None if asked is None else Cause(user=asked.id, key=None, request="x")
        await self._append(Append(game, 1, len(before) + 1, (end,), cause, self._done, summary))
        return game

    async def _append(self, append: Append) -> None:
        self.journal.append(append)
        await self.journal.flush()

    def _done(self, outcome: object) -> None:
        pass

    async def aborted(self, by: User, **columns: Any) -> str:
        return await self.game(Ended("*", "aborted"), plies=0, asked=by, **columns)

    async def deeds(self, game: str) -> dict[str, str]:
        """What both did, by ``w`` and ``b``."""
        await self.judge.judge_some()
        rows = await self.pool.fetch("SELECT person, what FROM deed WHERE game = $1", game)
        return {"w" if row["person"] == self.white.id else "b": row["what"] for row in rows}


@pytest.fixture
async def scene(pool: Pool, database_url: str) -> AsyncIterator[Scene]:
    await clear(pool, "person", "game", "unjudged")
    journal = Journal(database_url, NODE)
    await journal.start()
    scene = Scene(pool, journal, (await create_guest(pool))[0], (await create_guest(pool))[0])
    await scene.bans.load()
    yield scene
    await journal.close()


def reading(w: int, b: int = 180_000) -> ClockReading:
    return ClockReading(w=w, b=b, run="w")


def moved(ply: int, clock: ClockReading | None = None) -> Moved:
    return Moved(ply=ply, by="b" if ply % 2 else "w", move="e2e4", san="e4", position=POSITION, clock=clock)


TIMEOUT = Ended("0-1", "timeout", clock=reading(0))


@pytest.mark.parametrize(
    ("events", "plies", "expected"),
    [
        ([moved(0), moved(1), Ended("1-0", "checkmate")], 2, "ok"),
        ([moved(0, reading(180_000)), moved(1, reading(40_000)), TIMEOUT], 2, "let_run"),
        ([moved(0, reading(180_000)), moved(1, reading(32_000)), TIMEOUT], 2, "ok"),
        # The move before this one took long, not the last.
        ([moved(1, reading(90_000)), moved(2, reading(10_000)), moved(3, reading(10_000)), TIMEOUT], 4, "ok"),
        # A takeback gives the move, not the time.
        ([moved(1, reading(90_000)), TakenBack(2, POSITION, reading(50_000)), TIMEOUT], 2, "let_run"),
        # Time given by the opponent does not count against a player; their own gift changes nothing.
        ([moved(1, reading(20_000)), ClockSet(reading(32_000), "moretime", "b"), TIMEOUT], 2, "ok"),
        ([moved(1, reading(50_000)), ClockSet(reading(30_000, 195_000), "moretime", "w"), TIMEOUT], 2, "let_run"),
        # The server has held the clock.
        ([moved(1, reading(90_000)), ClockSet(reading(90_000), "resumed"), TIMEOUT], 2, "ok"),
    ],
)
async def test_clock_left_running_is_judged(scene: Scene, events: list[AnyEvent], plies: int, expected: str) -> None:
    assert await scene.deeds(await scene.game(*events, plies=plies)) == {"w": expected, "b": "ok"}


@pytest.mark.parametrize(
    ("white_s", "black_s", "thought_s", "expected"),
    [(1200, 60, 30, "let_run"), (1200, 60, 10, "ok"), (60, 1200, 30, "ok"), (60, 1200, 170, "let_run")],
)
async def test_handicap_judges_each_player_by_their_own_clock(
    scene: Scene, white_s: int, black_s: int, thought_s: int, expected: str
) -> None:
    """The threshold is an eighth of Black's time, at least 20 s, whatever White's time is."""
    clocks: dict[str, Any] = {"tc": {"base_s": white_s, "inc_s": 0}, "black_tc": {"base_s": black_s, "inc_s": 0}}
    events = moved(0, reading(1000, thought_s * 1000)), Ended("1-0", "timeout", clock=reading(1000, 0))
    assert await scene.deeds(await scene.game(*events, plies=1, **clocks)) == {"w": "ok", "b": expected}


@pytest.mark.parametrize(("ago_s", "expected"), [(45, "ok"), (10, "aborted")])
async def test_handicap_waits_for_first_moves_by_the_slower_clock(scene: Scene, ago_s: int, expected: str) -> None:
    clocks: dict[str, Any] = {"tc": {"base_s": 60, "inc_s": 0}, "black_tc": {"base_s": 7200, "inc_s": 0}}
    game = await scene.aborted(scene.black, **clocks, ago_s=ago_s)
    assert await scene.deeds(game) == {"w": "ok", "b": expected}


async def test_leaving_aborting_and_no_show_are_judged(scene: Scene) -> None:
    left = await scene.game(moved(0), moved(1), Ended("0-1", "abandoned"), plies=2, asked=scene.black)
    assert await scene.deeds(left) == {"w": "left", "b": "ok"}
    assert await scene.deeds(await scene.aborted(scene.black)) == {"w": "ok", "b": "aborted"}
    never = await scene.game(moved(0), Ended("*", "aborted"), plies=1)
    assert await scene.deeds(never) == {"w": "ok", "b": "no_show"}
    resigned = await scene.game(moved(0), Ended("1-0", "resignation"), plies=1, asked=scene.black)
    assert await scene.deeds(resigned) == {"w": "ok", "b": "aborted"}
    for rated, deed in ((True, "aborted"), (False, "ok")):
        short = await scene.game(
            moved(0), moved(1), Ended("1-0", "resignation"), plies=3, asked=scene.black, rated=rated
        )
        assert await scene.deeds(short) == {"w": "ok", "b": deed}
    for rated, deed in ((True, "aborted"), (False, "ok")):
        after = await scene.game(
            moved(1), TakenBack(2, POSITION), Ended("1-0", "resignation"), plies=0, asked=scene.black, rated=rated
        )
        assert await scene.deeds(after) == {"w": "ok", "b": deed}


async def test_claim_of_a_flag_that_fell_earlier_is_judged(scene: Scene) -> None:
    """White's flag fell on an earlier move, and Black sees it after a long thought."""
    clocks = ClockReading(w=0, b=170_000, run="b"), ClockReading(w=0, b=50_000)
    events = moved(0, clocks[0]), Signalled("b", on=True), Ended("0-1", "timeout", clock=clocks[1])
    game = await scene.game(*events, plies=1, asked=scene.black, laws={})
    assert await scene.deeds(game) == {"w": "ok", "b": "ok"}


async def test_game_by_the_laws_to_which_neither_came_is_judged(scene: Scene) -> None:
    game = await scene.game(Ended("*", "aborted", no_show=True), plies=0, laws={})
    assert await scene.deeds(game) == {"w": "ok", "b": "ok"}


async def test_delayed_game_is_judged_when_it_is_public(scene: Scene) -> None:
    """A ban is visible to opponents, and would reveal the end of the game."""
    game = await scene.game(moved(0), Ended("1-0", "resignation"), plies=1, asked=scene.black, delay_s=60)
    assert await scene.deeds(game) == {}
    await scene.pool.execute("UPDATE unjudged SET at = now() - interval '70 s' WHERE game = $1", game)
    assert await scene.deeds(game) == {"w": "ok", "b": "aborted"}


async def test_games_without_waiting_opponent_are_not_judged(scene: Scene) -> None:
    await scene.aborted(scene.white, speed="correspondence", tc={"days": 3})
    await scene.aborted(scene.white, speed="unlimited", tc=None)
    await scene.aborted(scene.white, black=scene.white.id)
    assert await scene.pool.fetchval("SELECT count(*) FROM unjudged") == 0


async def test_games_against_robots_are_no_record(scene: Scene) -> None:
    await open_robot_accounts(scene.pool, "s" * 43)
    game = await scene.game(moved(0), moved(1), Ended("0-1", "resignation"), plies=2, black=robot_id(1))
    other = await scene.aborted(scene.white)
    assert await scene.deeds(game) == {}
    assert await scene.deeds(other) == {"w": "aborted", "b": "ok"}
    assert await scene.pool.fetchval("SELECT count(*) FROM unjudged") == 0


async def test_five_aborts_bring_one_ban_and_one_notice(scene: Scene) -> None:
    for _ in range(5):
        await scene.aborted(scene.white)
    await asyncio.gather(*(PlayBanWorker(scene.pool, scene.bans).judge_some() for _ in range(3)))
    await scene.bans.refresh()
    await scene.bans.refresh()
    assert scene.told == [(scene.white.id, "aborted")]
    assert await scene.pool.fetchval("SELECT count(*) FROM deed") == 10
    rows = await scene.pool.fetch("SELECT person, until - began_at AS lasts FROM ban")
    assert [(row["person"], row["lasts"].total_seconds()) for row in rows] == [(scene.white.id, 300)]
    with pytest.raises(Forbidden, match="too many aborted games"):
        scene.bans.check_play(scene.white.id)
    scene.bans.check_play(scene.black.id)
    scene.bans.check_chat(scene.white.id)
    # A server that starts later knows it, and that is no news.
    again = scene.new_bans()
    await again.load()
    await again.refresh()
    assert again.of(scene.white.id) == scene.bans.of(scene.white.id)
    assert len(scene.told) == 1
    for _ in range(3):
        await scene.aborted(scene.white)
    await scene.judge.judge_some()
    assert await scene.pool.fetchval("SELECT max(level) FROM deed") == 2


async def test_ban_expires_without_notice(scene: Scene) -> None:
    for _ in range(5):
        await scene.aborted(scene.white)
    await scene.judge.judge_some()
    await scene.bans.refresh()
    ban = scene.bans.of(scene.white.id)
    assert ban is not None
    scene.now_ms = ban.until_ms
    assert scene.bans.of(scene.white.id) is None
    assert scene.bans.people() == []
    assert len(scene.told) == 1


async def test_unreadable_game_does_not_block_others(scene: Scene, caplog: pytest.LogCaptureFixture) -> None:
    broken = await scene.aborted(scene.white)
    await scene.pool.execute("UPDATE game SET variant = 'gone' WHERE id = $1", broken)
    good = await scene.aborted(scene.black)
    assert await scene.deeds(good) == {"w": "ok", "b": "aborted"}
    assert await scene.deeds(broken) == {"w": "ok", "b": "ok"}
    assert "cannot be checked for conduct" in caplog.text


async def test_loop_judges_existing_and_new_games(scene: Scene) -> None:
    banned = asyncio.Event()
    scene.bans.on_change.append(lambda person, ban: banned.set())
    for _ in range(4):
        await scene.aborted(scene.white)
    loop = asyncio.create_task(scene.judge.run())
    await scene.aborted(scene.white)
    scene.judge.wake()
    async with asyncio.timeout(20):
        await banned.wait()
    loop.cancel()
    await asyncio.gather(loop, return_exceptions=True)


async def moderator(scene: Scene, *roles: Any) -> User:
    user, _ = await create_guest(scene.pool)
    async with scene.pool.acquire() as connection:
        await set_roles(connection, user.id, roles, ())
    return user


async def test_moderator_may_time_out_and_lift(scene: Scene) -> None:
    judge = await moderator(scene, "moderator")
    await time_out(scene.pool, judge, scene.white, 60, "be nice")
    await scene.bans.refresh()
    with pytest.raises(Forbidden, match="be nice"):
        scene.bans.check_play(scene.white.id)
    with pytest.raises(Forbidden, match="be nice"):
        scene.bans.check_chat(scene.white.id)
    # A second one takes the place of the first.
    await time_out(scene.pool, judge, scene.white, 1, "be nicer")
    await scene.bans.refresh()
    with pytest.raises(Forbidden, match="be nicer"):
        scene.bans.check_play(scene.white.id)
    await time_out(scene.pool, judge, scene.white, 0, "")
    await scene.bans.refresh()
    scene.bans.check_play(scene.white.id)
    scene.bans.check_chat(scene.white.id)
    assert scene.told == [(scene.white.id, "moderator")] * 2 + [(scene.white.id, None)]
    rows = await scene.pool.fetch("SELECT actor, act, subject, detail FROM audit ORDER BY id")
    assert [tuple(row) for row in rows] == [
        (judge.id, "timeout", scene.white.id, {"minutes": minutes, "why": why})
        for minutes, why in ((60, "be nice"), (1, "be nicer"), (0, ""))
    ]


async def test_only_admins_may_time_out_moderators(scene: Scene) -> None:
    one, other, admin = [await moderator(scene, role) for role in ("moderator", "moderator", "admin")]
    for actor, subject in ((one, one), (one, other), (one, admin)):
        with pytest.raises(Forbidden):
            await time_out(scene.pool, actor, subject, 5, "why not")
    await time_out(scene.pool, admin, one, 5, "indeed")
    assert await scene.pool.fetchval("SELECT count(*) FROM ban") == 1


async def test_unresponsive_database_is_logged(
    scene: Scene, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log has the name of an error without a text, for example of a query that waited for a lock."""

    async def wait() -> int:
        raise TimeoutError

    monkeypatch.setattr(scene.judge, "judge_some", wait)
    running = asyncio.create_task(scene.judge.run())
    try:
        await until(lambda: "the database is in trouble (TimeoutError())" in caplog.text)
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def test_judging_resumes_after_lost_connection(
    scene: Scene, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("realtime.people.play_ban_worker.EVERY_S", 0.05)
    banned = asyncio.Event()
    scene.bans.on_change.append(lambda person, ban: banned.set())
    # A pool of one connection, which the judge holds when it is cut.
    pool = await create_pool(database_url, max_size=1, name="the judge's")
    judge = PlayBanWorker(pool, scene.bans)
    loop = asyncio.create_task(judge.run())
    for _ in range(5):
        await scene.aborted(scene.white)
        await scene.pool.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1", "the judge's"
        )
        judge.wake()
    async with asyncio.timeout(20):
        await banned.wait()
    loop.cancel()
    await asyncio.gather(loop, return_exceptions=True)
    await pool.close()
    assert await scene.pool.fetchval("SELECT count(*) FROM ban") == 1
    assert await scene.pool.fetchval("SELECT count(*) FROM deed") == 10
