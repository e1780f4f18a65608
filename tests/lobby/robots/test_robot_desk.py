"""Games against robots on a real database, and the accounts of robots."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from game_core.laws.terms import LawsTerms
from lobby.accounts.identity import Identities
from lobby.accounts.names import check_name
from lobby.errors import BadField, BadMessage, Conflict, Forbidden, Unavailable
from lobby.lobby import Lobby
from lobby.robots import robot_desk
from lobby.robots.robot_accounts import is_robot, level_of, open_robot_accounts, robot_ids, robot_tokens
from lobby.robots.robot_lease import LEASE_MS, RobotsReport
from tests.lobby.conftest import World, code, wanted

if TYPE_CHECKING:
    from lobby.ports import Pool

pytestmark = pytest.mark.timeout(60)

SERVICE_TOKEN = "s" * 43

GAMES = {"chess": ["standard"], "draughts": ["international"]}


async def with_robots(world: World, **fields: Any) -> None:
    await open_robot_accounts(world.pool, SERVICE_TOKEN)
    for robot in robot_ids():
        world.lobby.came(robot)
    report = RobotsReport(holder="one", active=True, games=GAMES, **{"free": 20, **fields})
    assert world.lobby.robots.report(report)


async def names_of_bots(pool: Pool) -> dict[str, str]:
    return {row["id"]: row["name"] for row in await pool.fetch("SELECT id, name FROM person WHERE kind = 'bot'")}


async def test_game_against_a_robot_starts_at_once(world: World) -> None:
    await with_robots(world)
    anna = await world.guest()
    reply = await world.lobby.challenge(anna, wanted(color="b"), to="robot", level=3, key="k")
    (game,) = world.server.opened_games
    assert reply == {"g": game.id}
    assert (game.white.id, game.white.kind, game.black) == ("robot3", "bot", anna)
    assert (game.rated, game.pausable) == (False, True)
    assert [message["color"] for message in world.messages(anna, "paired")] == ["b"]
    assert [message["color"] for message in world.messages(game.white, "paired")] == ["w"]
    # A repeat starts nothing, whatever has become of the robots.
    world.now_ms += 60_000
    assert await world.lobby.challenge(anna, wanted(color="b"), to="robot", level=3, key="k") == reply
    assert await world.games() == {game.id}


async def test_wall_clock_that_is_set_back_does_not_prolong_the_lease(world: World) -> None:
    now_ms, wall_ms = 10_000, 1_000_000
    lobby = Lobby(
        world.pool, world.server, world.server, now_ms=lambda: wall_ms, monotonic_ms=lambda: now_ms,
        randbelow=lambda _: 0,
    )  # fmt: skip
    assert lobby.robots.report(RobotsReport(holder="one", active=True))
    now_ms, wall_ms = now_ms + LEASE_MS, 0
    assert lobby.robots.report(RobotsReport(holder="two"))


async def test_games_by_the_laws_are_for_robots_that_know_them(world: World) -> None:
    anna = await world.guest()
    await with_robots(world)
    with pytest.raises(Unavailable, match="rules: no robot plays by the Laws"):
        await world.lobby.challenge(anna, wanted(rules="fide", laws={}), to="robot", level=3)
    await with_robots(world, laws=True)
    with pytest.raises(BadMessage, match="hints: not in a game by the Laws"):
        await world.lobby.challenge(anna, wanted(rules="fide", laws={}, hints=True), to="robot", level=3)
    await world.lobby.challenge(anna, wanted(rules="fide", laws={}), to="robot", level=3)
    (game,) = world.server.opened_games
    assert (game.laws, game.pausable) == (LawsTerms(), False)


async def test_hints_are_for_games_against_low_levels(world: World) -> None:
    await with_robots(world)
    anna = await world.guest()
    await world.lobby.challenge(anna, wanted(hints=True), to="robot", level=4)
    (game,) = world.server.opened_games
    assert game.hints
    await world.lobby.challenge(anna, wanted(), to="robot", level=4)
    assert not world.server.opened_games[1].hints
    for to, level in (("robot", 5), ("self", None), (None, None), ("Robot-3", 3)):
        with pytest.raises(BadMessage, match="hints: only against the robot of levels 1 to 4"):
            await world.lobby.challenge(anna, wanted(hints=True), to=to, level=level)
    bot = msgspec.structs.replace(anna, kind="bot")
    with pytest.raises(Forbidden, match="bots get none"):
        await world.lobby.challenge(bot, wanted(hints=True), to="robot", level=1)
    assert len(world.server.opened_games) == 2


async def test_challenge_by_name_has_the_same_limits(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await with_robots(world)
    monkeypatch.setattr(robot_desk, "MAX_GAMES", 1)
    anna = await world.guest()
    reply = await world.lobby.challenge(anna, wanted(), to="Robot-3", key="k")
    (game,) = world.server.opened_games
    assert reply == {"g": game.id}
    assert (game.white.id, game.black.id) in (("robot3", anna.id), (anna.id, "robot3"))
    assert game.pausable
    with pytest.raises(Conflict, match="in progress"):
        await world.lobby.challenge(anna, wanted(tc=None), to="robot-4")
    world.lobby.left("robot5")
    with pytest.raises(Unavailable, match="no robot is playing"):
        await world.lobby.challenge(await world.guest(), wanted(), to="robot-5")


async def test_robot_plays_from_a_chosen_position_and_without_a_clock(world: World) -> None:
    await with_robots(world)
    endgame = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"
    await world.lobby.challenge(await world.guest(), wanted(tc=None, fen=endgame), to="robot", level=1)
    await world.lobby.challenge(
        await world.guest(), wanted(game="draughts", variant="international", tc={"days": 1}), to="robot", level=8
    )
    assert [(game.fen, game.tc is None) for game in world.server.opened_games] == [(endgame, True), (None, False)]


async def test_seek_ends_when_a_game_against_a_robot_begins(world: World) -> None:
    await with_robots(world)
    anna = await world.guest()
    seek = (await world.lobby.seek(anna, wanted()))["seek"]
    assert world.listed() == {seek}
    await world.lobby.challenge(anna, wanted(), to="robot", level=1)
    assert world.listed() == set()


async def test_rated_games_are_refused(world: World) -> None:
    await with_robots(world)
    with pytest.raises(BadMessage, match="rated"):
        await world.lobby.challenge(await world.member(), wanted(rated=True), to="robot", level=1)


async def test_robots_are_unavailable_without_accounts_or_process(world: World) -> None:
    anna = await world.guest()
    with pytest.raises(Unavailable, match="no robot is playing"):
        await world.lobby.challenge(anna, wanted(), to="robot", level=1)
    await with_robots(world)
    world.lobby.left("robot2")
    with pytest.raises(Unavailable, match="no robot is playing"):
        await world.lobby.challenge(anna, wanted(), to="robot", level=2)
    with pytest.raises(Unavailable, match="no robot plays chess960"):
        await world.lobby.challenge(anna, wanted(variant="chess960"), to="robot", level=1)
    assert await world.games() == set()


async def test_games_at_a_time_are_limited(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await with_robots(world)
    monkeypatch.setattr(robot_desk, "MAX_GAMES", 2)
    anna = await world.guest()
    challenges = [code(world.lobby.challenge(anna, wanted(tc=None), to="robot", level=1)) for _ in range(4)]
    codes = await asyncio.gather(*challenges)
    assert sorted(codes, key=str) == [None, None, "conflict", "conflict"]
    with pytest.raises(Conflict):
        await world.lobby.challenge(anna, wanted(), to="robot", level=7)
    await world.finish()
    await world.lobby.challenge(anna, wanted(), to="robot", level=7)


async def test_full_robot_is_busy(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await with_robots(world)
    monkeypatch.setattr(robot_desk, "MAX_ROBOT_GAMES", 1)
    await world.lobby.challenge(await world.guest(), wanted(), to="robot", level=1)
    with pytest.raises(Unavailable, match="busy"):
        await world.lobby.challenge(await world.guest(), wanted(), to="robot", level=1)
    await world.lobby.challenge(await world.guest(), wanted(), to="robot", level=2)


async def test_accounts_are_made_once_and_have_only_the_tokens_of_the_last_secret(world: World) -> None:
    pool = world.pool
    await asyncio.gather(*(open_robot_accounts(pool, SERVICE_TOKEN) for _ in range(3)))
    assert await names_of_bots(pool) == {f"robot{level}": f"Robot-{level}" for level in range(1, 9)}
    identities = Identities(pool)
    for level, token in robot_tokens(SERVICE_TOKEN).items():
        grant = await identities.grant_of_token(token)
        assert grant is not None
        assert (grant.user.id, grant.user.kind, grant.is_session) == (f"robot{level}", "bot", False)
        assert {"read", "play"} <= grant.scopes
    await open_robot_accounts(pool, "t" * 43)
    fresh = Identities(pool)
    assert await fresh.grant_of_token(robot_tokens(SERVICE_TOKEN)[1]) is None
    assert await fresh.grant_of_token(robot_tokens("t" * 43)[1]) is not None
    assert await pool.fetchval("SELECT count(*) FROM session WHERE person LIKE 'robot%'") == 8


async def test_robot_gets_another_name_if_somebody_had_it(world: World) -> None:
    pool = world.pool
    await pool.execute(
        "INSERT INTO person (id, name, kind, skeleton) VALUES ('anna', 'Robot2', 'member', 'robot2'),"
        " ('bert', 'ROB0T-3', 'member', 'robot3')"
    )
    await open_robot_accounts(pool, SERVICE_TOKEN)
    names = await names_of_bots(pool)
    assert len(names) == 8
    assert (names["robot2"], names["robot3"], names["robot4"]) == ("Robot-2-zeitnot", "Robot-3-zeitnot", "Robot-4")


@pytest.mark.parametrize("name", ["Robot-1", "robot1", "ROBOT_8", "Rob0t-4", "Robot-3-zeitnot", "robot"])
def test_names_of_robots_are_reserved(name: str) -> None:
    with pytest.raises(BadField, match="reserved"):
        check_name(name)


@pytest.mark.parametrize("name", ["Robotnik", "Robot-9", "Robot-12", "MyRobot"])
def test_names_that_are_not_those_of_robots_are_free(name: str) -> None:
    assert check_name(name) == name


def test_only_accounts_of_robots_are_robots() -> None:
    assert [level_of(robot) for robot in robot_ids()] == list(range(1, 9))
    assert not is_robot("robot9")
    assert level_of("Ab3dEf9h") is None
