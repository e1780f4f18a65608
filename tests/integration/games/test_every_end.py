"""Each reason for a win or a draw, played over real sockets."""

from __future__ import annotations

import asyncio
from typing import Any, Literal, get_args

import pytest

from game_core.events import EndReason
from tests.integration.match import Match, match
from tests.integration.nodes import told_by_any
from tests.wire_client import Refusal

End = tuple[str, str]

SECOND = {"base_s": 1}
PAUSE_S = 0.2
"""Delay between two claims against an absent player, who has ten seconds to come back."""

KNIGHTS = ["g1f3", "g8f6", "f3g1", "f6g8"]

BY_LAWS = {"illegal_move", "default_time", "both_flags", "wrong_position", "wrong_colors"}
"""Of games by the Laws: ``test_laws.py`` and ``test_laws_terms.py``."""

NOT_HERE = {*BY_LAWS, "arbiter", "claim"}
"""Of competitions, and ``arbiter`` of simuls."""

# Columns: what is asked for besides a clock, the moves, the end that the last of them brings.
BOARDS: dict[str, tuple[dict[str, Any], list[str], End]] = {
    "white mates": ({}, ["e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7"], ("1-0", "checkmate")),
    "black mates": ({}, ["f2f3", "e7e5", "g2g4", "d8h4"], ("0-1", "checkmate")),
    "stalemate": ({"fen": "7k/8/6Q1/8/8/8/8/K7 w - - 0 1"}, ["g6f7"], ("1/2-1/2", "stalemate")),
    "dead position": (
        *({"fen": "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"}, ["e1e2"]),
        ("1/2-1/2", "dead_position"),
    ),
    "dead position, behind pawns": (
        *({"fen": "2b1k3/8/8/1p1p1p1p/1P1P1P2/8/7P/2B1K3 w - - 0 1"}, ["h2h4"]),
        ("1/2-1/2", "dead_position"),
    ),
    "fivefold repetition": ({}, KNIGHTS * 4, ("1/2-1/2", "fivefold")),
    "seventy-five moves": (
        *({"fen": "7k/8/8/8/8/8/R7/K7 w - - 147 90"}, ["a2b2", "h8g8", "b2a2"]),
        ("1/2-1/2", "seventyfive_moves"),
    ),
    "black has no move": (
        *({"game": "draughts", "variant": "english", "fen": "W:W11,12:B4"}, ["12-8"]),
        ("1-0", "no_moves"),
    ),
    "black has no piece": (
        *({"game": "draughts", "variant": "international", "fen": "W:W33:B28"}, ["33x22"]),
        ("1-0", "all_captured"),
    ),
    "black has no piece, and wins by that": (
        *({"game": "draughts", "variant": "losing-international", "fen": "W:W33:B28"}, ["33x22"]),
        ("0-1", "all_captured"),
    ),
    "white has all pieces in the opposite point": (
        {
            "game": "chinese-checkers",
            "variant": "ten",
            "fen": "w/ww/www/1www/4w8/12/11/10/9/10/5b5/12/13/bbbb/bbb/bb/1 w",
        },
        ["m5-n1"],
        ("1-0", "goal"),
    ),
    "a king against a king": (
        *({"game": "draughts", "variant": "turkish", "fen": "W:WKa1:BKa4,Kh7"}, ["a1xa5"]),
        ("1/2-1/2", "draw_rule"),
    ),
    "threefold repetition, where it need not be claimed": (
        {"game": "draughts", "variant": "international", "fen": "W:WK47,K48:BK3,K4"},
        ["48-43", "3-9", "43-48", "9-3"] * 2,
        ("1/2-1/2", "threefold"),
    ),
    "white mates by castling": (
        *({"variant": "chess960", "fen": "4rkr1/4p1p1/8/8/8/8/8/4K2R w H - 0 1"}, ["e1h1"]),
        ("1-0", "checkmate"),
    ),
}

# Moves, and what the two do then: who, request, fields. Columns: what is asked for, moves, acts, the end.
Act = tuple[Literal["white", "black"], str, dict[str, Any]]
ACTS: dict[str, tuple[dict[str, Any], list[str], list[Act], End]] = {
    "white wins by resignation": ({}, ["e2e4", "e7e5"], [("black", "resign", {})], ("1-0", "resignation")),
    "black wins by resignation": ({}, ["e2e4", "e7e5"], [("white", "resign", {})], ("0-1", "resignation")),
    "a draw by agreement": (
        *({}, ["e2e4", "e7e5"]),
        [("white", "draw", {"do": "offer"}), ("black", "draw", {"do": "accept"})],
        ("1/2-1/2", "agreement"),
    ),
    "threefold repetition, claimed": ({}, KNIGHTS * 2, [("white", "draw", {"do": "claim"})], ("1/2-1/2", "threefold")),
    "threefold repetition, with the intended move": (
        *({}, [*KNIGHTS, *KNIGHTS[:3]]),
        [("black", "draw", {"do": "claim", "move": "f6g8"})],
        ("1/2-1/2", "threefold"),
    ),
    "fifty moves, claimed": (
        *({"fen": "7k/8/8/8/8/8/R7/K7 w - - 98 90"}, ["a2b2", "h8g8"]),
        [("white", "draw", {"do": "claim"})],
        ("1/2-1/2", "fifty_moves"),
    ),
    "fifty moves, with the intended move": (
        *({"fen": "7k/8/8/8/8/8/R7/K7 w - - 97 90"}, ["a2b2", "h8g8"]),
        [("white", "draw", {"do": "claim", "move": "b2a2"})],
        ("1/2-1/2", "fifty_moves"),
    ),
    "aborted": ({}, ["e2e4"], [("black", "abort", {})], ("*", "aborted")),
}

# The flag of the side to move falls. Columns: the position, the moves, the end.
FLAGS: dict[str, tuple[str | None, list[str], End]] = {
    "black wins on time": (None, ["e2e4", "e7e5"], ("0-1", "timeout")),
    "white wins on time": (None, ["e2e4", "e7e5", "g1f3"], ("1-0", "timeout")),
    "a draw on time against a lone king": (
        *("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", ["e1d1", "e5d5"]),
        ("1/2-1/2", "timeout_draw"),
    ),
}


async def ended(m: Match) -> End:
    """How it ended, once both were told by the same event, and it is so in the snapshot."""
    end = await m.white.wait(lambda message: message["t"] == "end")
    url = m.white.url
    assert told_by_any(url, await m.black.event(m.g, end["seq"])) == told_by_any(url, end)
    shown = await asyncio.to_thread(m.snapshot)
    assert (shown["status"], shown["result"], shown["reason"]) == ("over", end["result"], end["reason"])
    assert (shown["seq"], shown["moves"]) == (end["seq"], m.played)
    return end["result"], end["reason"]


@pytest.mark.parametrize(("terms", "moves", "end"), BOARDS.values(), ids=BOARDS)
async def test_game_ends_on_the_board(url: str, terms: dict[str, Any], moves: list[str], end: End) -> None:
    async with match(url, *moves, **terms) as m:
        assert await ended(m) == end


@pytest.mark.parametrize(("terms", "moves", "acts", "end"), ACTS.values(), ids=ACTS)
async def test_game_ends_by_the_players(
    url: str, terms: dict[str, Any], moves: list[str], acts: list[Act], end: End
) -> None:
    async with match(url, *moves, **terms) as m:
        for who, kind, fields in acts:
            player = m.white if who == "white" else m.black
            await player.request(kind, g=m.g, **fields)
        assert await ended(m) == end


@pytest.mark.parametrize(("fen", "moves", "end"), FLAGS.values(), ids=FLAGS)
async def test_game_ends_on_time(url: str, fen: str | None, moves: list[str], end: End) -> None:
    async with match(url, *moves, tc=SECOND, fen=fen) as m:
        assert await ended(m) == end


async def test_abandoned_game_is_claimed_as_win_or_draw(url: str) -> None:
    async with match(url, "e2e4", "e7e5") as won, match(url, "e2e4", "e7e5") as drawn:
        win, draw = await asyncio.gather(_abandon(won, "win"), _abandon(drawn, "draw"))
    assert (win, draw) == (("1-0", "abandoned"), ("1/2-1/2", "abandoned"))


async def _abandon(m: Match, what: str) -> End:
    """Black closes the page; White claims until the claim is allowed."""
    await m.black.close()
    claimed = False
    while not claimed:
        try:
            await m.white.request("claim", g=m.g, what=what)
        except Refusal as refusal:
            if refusal.code != "conflict":
                raise
            await asyncio.sleep(PAUSE_S)
        else:
            claimed = True
    end = await m.white.wait(lambda message: message["t"] == "end")
    return end["result"], end["reason"]


def test_every_end_reason_is_tested() -> None:
    ends = [end for _, _, end in BOARDS.values()] + [end for _, _, _, end in ACTS.values()]
    ends += [end for _, _, end in FLAGS.values()] + [("1-0", "abandoned"), ("1/2-1/2", "abandoned")]
    assert {reason for _, reason in ends} == set(get_args(EndReason)) - NOT_HERE
