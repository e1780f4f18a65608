"""Chess960 over real sockets: start positions by number, by FEN and drawn at random, castling, rematches, scores."""

from __future__ import annotations

import asyncio
import contextlib
import urllib.request
from typing import TYPE_CHECKING, Any

import chess
import pytest

from tests.integration.match import begin, match
from tests.wire_client import WAIT_S, Client, Message, guest, member

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

CORRESPONDENCE = {"days": 7}
"""Nobody is paired by a clock of this kind with the seeks of other tests."""

START_0 = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1"


def placement(number: int) -> str:
    """Where the men stand in start position ``number``."""
    return chess.Board.from_chess960_pos(number).board_fen()


@contextlib.asynccontextmanager
async def two(url: str, codec: str = "msgpack") -> AsyncIterator[tuple[Client, Client]]:
    async with Client(url, guest(url)[0], codec) as one, Client(url, guest(url)[0], codec) as other:
        yield one, other


async def start_of(client: Client, g: str) -> str:
    """The men at the start of a game, which is the position on the board too."""
    shown = await client.sub(g)
    assert shown["variant"] == "chess960"
    assert shown["fen"] == shown["position"]
    placed: str = shown["fen"].split()[0]
    return placed


# -- by number ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [0, 518, 959])
async def test_seeks_of_the_same_number_are_paired(url: str, number: int) -> None:
    wanted = {"variant": "chess960", "tc": CORRESPONDENCE}
    async with two(url) as (one, other), Client(url) as watcher:
        await watcher.request("sub", topic="lobby")
        seek = (await one.request("seek", **wanted, position=number))["seek"]
        listed = await watcher.wait(lambda m: m["t"] == "lobby.add" and m["seek"] == seek)
        assert listed["position"] == number
        for others in ({"position": 7}, {}):
            reply = await other.request("seek", **wanted, **others)
            assert "g" not in reply
            await other.request("unseek", seek=reply["seek"])
        g = (await other.request("seek", **wanted, position=number))["g"]
        assert await start_of(one, g) == await start_of(other, g) == placement(number)


async def test_accepted_seek_begins_at_its_number(url: str) -> None:
    async with two(url) as (one, other):
        seek = (await one.request("seek", variant="chess960", tc=CORRESPONDENCE, position=100))["seek"]
        g = (await other.request("accept", seek=seek))["g"]
        assert await start_of(one, g) == placement(100)


async def test_challenge_names_a_start_number(url: str) -> None:
    async with two(url) as (one, other):
        name = other.welcome["user"]["name"]
        challenge = await one.request("challenge", variant="chess960", tc=None, position=959, to=name)
        pushed = await other.wait(lambda m: m["t"] == "challenge")
        assert (pushed["position"], pushed["fen"]) == (959, None)
        g = (await other.request("challenge.accept", challenge=challenge["challenge"]))["g"]
        assert await start_of(one, g) == placement(959)


async def test_game_against_oneself_begins_at_its_number(url: str) -> None:
    async with Client(url, guest(url)[0]) as one:
        g = (await one.request("challenge", variant="chess960", tc=None, position=1, to="self"))["g"]
        assert await start_of(one, g) == placement(1)


async def test_start_position_is_random_without_a_number(url: str) -> None:
    async with Client(url, guest(url)[0]) as one:
        starts = set()
        for _ in range(8):
            g = (await one.request("challenge", variant="chess960", tc=None, to="self"))["g"]
            starts.add(await start_of(one, g))
        assert len(starts) > 1  # all alike once in 10^20
        assert starts <= {placement(number) for number in range(960)}


@pytest.mark.parametrize("kind", ["seek", "challenge"])
async def test_start_number_outside_chess960_or_range_is_refused(url: str, kind: str) -> None:
    async with Client(url, guest(url)[0]) as one:
        for fields in (
            {"position": 518},
            {"variant": "chess960", "position": 960},
            {"variant": "chess960", "position": -1},
        ):
            assert await one.refused(kind, tc=CORRESPONDENCE, **fields) == "bad_message"
            assert one.messages[-1]["message"].startswith("position: ")


async def test_number_and_fen_together_are_refused(url: str) -> None:
    async with Client(url, guest(url)[0]) as one:
        both = {"variant": "chess960", "position": 0, "fen": START_0}
        assert await one.refused("challenge", tc=CORRESPONDENCE, **both) == "bad_message"


@pytest.mark.parametrize("kind", ["seek", "challenge"])
async def test_rated_game_has_a_random_start(url: str, kind: str) -> None:
    async with Client(url, member(url)[0]) as one:
        wanted = {"variant": "chess960", "tc": {"base_s": 700}, "rated": True}
        assert await one.refused(kind, **wanted, position=518) == "forbidden"
        await one.request(kind, **wanted)


# -- from a position ----------------------------------------------------------------------------------------

# Columns: the variant, what is asked for, what the game says.
POSITIONS: dict[str, tuple[str, str, str]] = {
    "Shredder-FEN": ("chess960", START_0, "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"),
    "X-FEN": ("chess960", START_0.replace("HFhf", "KQkq"), "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"),
    "X-FEN, the inner rook": ("chess960", "4k3/8/8/8/8/8/8/4KR1R w F - 0 1", "4k3/8/8/8/8/8/8/4KR1R w F - 0 1"),
    "Shredder-FEN of standard chess": (
        *("standard", "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1"),
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    ),
    "an en passant square that is of no use": (
        *("standard", "4k3/8/8/8/4P3/8/8/4K2R b K e3 0 1"),
        "4k3/8/8/8/4P3/8/8/4K2R b K - 0 1",
    ),
}


@pytest.mark.parametrize(("variant", "asked", "told"), POSITIONS.values(), ids=POSITIONS)
async def test_game_begins_from_a_fen(url: str, variant: str, asked: str, told: str) -> None:
    async with Client(url, guest(url)[0]) as one:
        g = (await one.request("challenge", variant=variant, tc=None, fen=asked, to="self"))["g"]
        shown = await one.sub(g)
        assert (shown["fen"], shown["position"]) == (told, told)


async def test_standard_refuses_chess960_castling_rights(url: str) -> None:
    async with Client(url, guest(url)[0]) as one:
        assert await one.refused("challenge", tc=None, fen=START_0, to="self") == "bad_message"
        assert one.messages[-1]["message"].startswith("fen: ")


# -- castling -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("codec", ["json", "msgpack"])
async def test_castling_is_king_takes_rook(url: str, codec: str) -> None:
    # The king on g1 stays there, the rook goes from h1 to f1.
    start = "4k3/8/8/8/8/8/8/R5KR w HA - 0 1"
    async with match(url, codec=codec, variant="chess960", fen=start) as m:
        for wrong in ("g1g1", "g1f1h", "O-O"):
            assert await m.white.refused("move", g=m.g, move=wrong, ply=0) == "illegal_move"
        await m.play("g1h1")
        event = await m.heard(1)
        assert (event["move"], event["san"], event["position"]) == ("g1h1", "O-O", "4k3/8/8/8/8/8/8/R4RK1 b - - 1 1")
        # The same move again is answered as it was.
        assert (await m.white.request("move", g=m.g, move="g1h1", ply=0))["seq"] == 1


async def test_king_step_is_not_castling(url: str) -> None:
    async with match(url, variant="chess960", fen="4k3/8/8/8/8/8/8/R4K1R w HA - 0 1") as m:
        legal = (await m.white.sub(m.g, legal=True))["legal"]
        assert {"f1g1", "f1h1", "f1a1"} <= set(legal)
        await m.play("f1g1")
        assert (await m.heard(1))["san"] == "Kg1"


async def test_score_names_the_chess960_variant(url: str) -> None:
    async with match(url, "g1h1", variant="chess960", fen="4k3/8/8/8/8/8/8/R5KR w HA - 0 1") as m:
        pgn = await asyncio.to_thread(_pgn, url, m.g)
    assert '[Variant "Chess960"]' in pgn
    assert '[SetUp "1"]' in pgn
    assert '[FEN "4k3/8/8/8/8/8/8/R5KR w KQ - 0 1"]' in pgn
    assert "1. O-O" in pgn


def _pgn(url: str, g: str) -> str:
    with urllib.request.urlopen(f"{url}/api/v1/games/{g}/pgn", timeout=WAIT_S) as response:
        text: str = response.read().decode()
        return text


# -- rematches ----------------------------------------------------------------------------------------------


async def rematched(one: Client, other: Client, g: str) -> str:
    """End the game ``g`` and begin its rematch; the id."""
    await one.request("resign", g=g)
    await one.request("rematch", g=g, do="offer")
    return str((await other.request("rematch", g=g, do="accept"))["g"])


@pytest.mark.parametrize("chosen", [{}, {"position": 3}], ids=["drawn", "by number"])
async def test_rematch_keeps_the_start_for_two_games(url: str, chosen: Message) -> None:
    async with two(url) as (one, other):
        g = await begin(one, other, variant="chess960", tc=CORRESPONDENCE, **chosen)
        starts = [await start_of(one, g)]
        for _ in range(5):
            g = await rematched(one, other, g)
            starts.append(await start_of(one, g))
        assert starts[0] == starts[1]
        assert len(set(starts)) > 2  # drawn alike four times: once in 10^11


@pytest.mark.parametrize("variant", ["standard", "chess960"])
async def test_rematch_keeps_a_custom_position(url: str, variant: str) -> None:
    asked: dict[str, Any] = {"variant": variant, "fen": "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"}
    async with two(url) as (one, other):
        g = await begin(one, other, tc=CORRESPONDENCE, **asked)
        for _ in range(3):
            g = await rematched(one, other, g)
            assert (await one.sub(g))["fen"] == asked["fen"]
