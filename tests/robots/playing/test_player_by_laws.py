"""A robot in a game by the Laws as played over a board."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from game_core.registry import rules_for
from robots.client import BotDisconnected, BotRefused
from tests.realtime.until import until
from tests.robots.playing.test_player import CLOCK, Scene, moved, snapshot

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from robots.client import Message

LAWS = {"rulings": "by_claim", "flag": "claim", "made": None, "signed": {"w": False, "b": False}}

RULES = rules_for("chess", "standard")


@pytest.fixture
async def scene() -> AsyncIterator[Scene]:
    scene = Scene()
    yield scene
    await scene.player.close()


def position_after(*moves: str) -> str:
    position = RULES.start(None)
    for move in moves:
        position = RULES.play(position, move).position
    return RULES.fen(position)


def by_laws(**fields: Any) -> Message:
    laws = {**LAWS, **fields.pop("laws", {})}
    return snapshot(rules="fide", position=position_after(*fields.get("moves", ())), laws=laws, **fields)


def made(seq: int, by: str, move: str, **fields: Any) -> Message:
    return {"t": "made", "g": "g1", "seq": seq, "by": by, "move": move, "draw": False, **fields}


async def test_robot_moves_and_presses_the_clock(scene: Scene) -> None:
    scene.player.handle(by_laws())
    press = await scene.request("press")
    move = scene.requests("move")[0]
    assert (press["ply"], press["move"]) == (0, move["move"])
    assert scene.sent.index(move) < scene.sent.index(press)
    assert scene.moves.jobs[0].profile == "fide"


async def test_robot_completes_the_move_that_it_finds_made(scene: Scene) -> None:
    scene.player.handle(by_laws(laws={"made": {"move": "e2e4", "position": "", "draw": False}}))
    await scene.request("press")
    assert scene.requests("move") == []
    assert scene.moves.jobs == []


async def test_robot_waits_while_the_opponent_has_only_made_a_move(scene: Scene) -> None:
    scene.player.handle(by_laws(you="b"))
    scene.player.handle(made(2, "w", "e2e4"))
    await asyncio.sleep(0)
    assert scene.moves.jobs == []
    scene.player.handle(moved(3, "w", "e2e4", position=position_after("e2e4")))
    await scene.request("press")
    assert scene.requests("claim") == []


async def test_robot_claims_an_illegal_move(scene: Scene) -> None:
    scene.player.handle(by_laws(you="b"))
    position = "rnbqkbnr/pppppppp/8/4P3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    scene.player.handle(moved(2, "w", "e2e5", position=position))
    assert (await scene.request("claim"))["what"] == "illegal_move"
    assert scene.moves.jobs == []
    scene.player.handle(
        {"t": "takeback", "g": "g1", "seq": 3, "plies": 1, "position": position_after(), "clock": CLOCK}
    )
    scene.player.handle({"t": "ruling", "g": "g1", "seq": 4, "by": "w", "what": "illegal_move", "clock": CLOCK})
    scene.player.handle(moved(5, "w", "e2e4", position=position_after("e2e4")))
    await scene.request("press")
    assert len(scene.requests("claim")) == 1


async def test_legal_move_to_another_position_is_claimed(scene: Scene) -> None:
    """The text is that of a legal move; what lies on the board is not."""
    scene.player.handle(by_laws(you="b"))
    scene.player.handle(moved(2, "w", "e2e4", position=position_after("e2e3")))
    await scene.request("claim")


async def test_refused_claim_is_not_repeated(scene: Scene) -> None:
    scene.refusals = [BotRefused("conflict", "it was legal")]
    scene.player.handle(by_laws(you="b"))
    scene.player.handle(moved(2, "w", "e2e4", position="unknown here"))
    await scene.request("press")
    assert len(scene.requests("claim")) == 1


@pytest.mark.parametrize("code", ["unavailable", "rate_limited"])
async def test_claim_that_was_refused_for_a_moment_is_repeated(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    monkeypatch.setattr("robots.playing.game_requests.RETRY_S", 0.0)
    scene.refusals = [BotRefused(code, "try again")]
    scene.player.handle(by_laws(you="b"))
    scene.player.handle(moved(2, "w", "e2e5", position="unknown here"))
    await scene.request("claim", 2)
    assert scene.moves.jobs == []


async def test_claim_that_a_lost_connection_swallowed_is_repeated(scene: Scene) -> None:
    scene.refusals = [BotDisconnected("gone")]
    scene.player.handle(by_laws(you="b"))
    scene.player.handle(moved(2, "w", "e2e5", position="unknown here"))
    await scene.request("claim")
    played = {"moves": ["e2e5"], "notation": ["e5"], "turn": "b", "position": "unknown here"}
    scene.player.handle(snapshot(rules="fide", laws=LAWS, you="b", seq=2, **played))
    await scene.request("claim", 2)
    assert scene.moves.jobs == []


async def test_nothing_is_claimed_where_the_server_rules(scene: Scene) -> None:
    scene.player.handle(by_laws(you="b", laws={"rulings": "at_once"}))
    scene.player.handle(moved(2, "w", "e2e4", position="unknown here"))
    await scene.request("press")
    assert scene.requests("claim") == []


async def test_robot_claims_the_flag(scene: Scene) -> None:
    scene.player.handle(by_laws(you="b", clock={**CLOCK, "w": 10}))
    await scene.request("flag")


@pytest.mark.parametrize("laws", [{"flag": "server"}, {}])
async def test_robot_claims_no_flag_that_is_not_down(scene: Scene, laws: dict[str, str]) -> None:
    left_ms = 10 if laws else 60_000
    scene.player.handle(by_laws(you="b", laws=laws, clock={**CLOCK, "w": left_ms}))
    await asyncio.sleep(0)
    scene.player.handle(moved(2, "w", "e2e4", position=position_after("e2e4"), clock={**CLOCK, "run": "b"}))
    await scene.request("press")
    assert scene.requests("flag") == []


async def test_flag_that_fell_unnoticed_is_claimed_later(scene: Scene) -> None:
    clock = {**CLOCK, "w": 0, "run": "b"}
    scene.player.handle(by_laws(you="b", moves=["e2e4"], notation=["e4"], turn="b", clock=clock))
    await scene.request("flag")


async def test_robot_offers_no_draw(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("robots.playing.behaviour.offers_draw", lambda *args: True)
    scene.player.handle(by_laws())
    await scene.request("press")
    assert "draw" not in scene.requests("move")[0]


async def test_robot_answers_an_offer_made_with_a_move(scene: Scene) -> None:
    scene.player.handle(by_laws(you="b"))
    scene.player.handle(made(2, "w", "e2e4", draw=True))
    scene.player.handle(moved(3, "w", "e2e4", position=position_after("e2e4"), draw=True))
    await scene.request("press")
    assert scene.requests("draw") == []  # it does not accept so early, and declines by moving


async def test_robot_signs_the_result_once(scene: Scene) -> None:
    """8.7."""
    scene.player.handle(by_laws(you="b"))
    scene.player.handle({"t": "end", "g": "g1", "seq": 2, "result": "1-0", "reason": "resignation", "clock": None})
    await scene.request("sign")
    signed = {"signed": {"w": False, "b": True}}
    scene.player.handle(by_laws(you="b", status="over", laws=signed))
    await asyncio.sleep(0)
    assert len(scene.requests("sign")) == 1


async def test_forgotten_game_is_claimed_as_a_draw(scene: Scene) -> None:
    scene.player.handle(by_laws(you="b", tc=None, clock=None))
    await scene.player.end_idle()
    assert [message["t"] for message in scene.sent] == ["claim"]
    await until(lambda: scene.requests("claim")[0]["what"] == "draw")
