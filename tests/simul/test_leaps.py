"""How pieces go at the boards of a simul: told with the move, and gone with the next plain step."""

from __future__ import annotations

import msgspec

from game_core import commands as g
from simul.replica import SimulReplica
from tests.simul.hall import Hall

MOVES = ("32-28", "19-23", "28x19", "14x23", "37-32")
"""International draughts: two captures, the second of which takes the piece that has made the first."""

LEAPS = (None, None, {"path": ("19",), "taken": ("23",)}, {"path": ("23",), "taken": ("19",)}, None)


def test_a_board_tells_leaps_until_the_next_plain_step() -> None:
    hall = Hall(players=1, start=True, game="draughts", variant="international")
    shown = SimulReplica(msgspec.msgpack.decode(msgspec.msgpack.encode(hall.feed.snapshot(None, 0))))
    for ply, (move, leaps) in enumerate(zip(MOVES, LEAPS, strict=True)):
        hall.play(1, g.PlayMove(by="w" if ply % 2 == 0 else "b", move=move, ply=ply))
        message = hall.last("board")
        had = LEAPS[ply - 1] if ply else None
        assert ("leaps" in message) == (leaps != had)
        assert message.get("leaps") == leaps
        assert message["last"] == move
        shown.tell(message)
        (board,) = hall.feed.snapshot(None, 0)["boards"]
        assert board.get("leaps") == leaps
        assert shown["boards"] == [board]


def test_what_is_taken_back_is_told_no_more() -> None:
    hall = Hall(players=1, start=True, game="draughts", variant="international")
    for ply, move in enumerate(MOVES[:3]):
        hall.play(1, g.PlayMove(by="w" if ply % 2 == 0 else "b", move=move, ply=ply))
    hall.play(1, g.Takeback(by="w", do="offer"))
    hall.play(1, g.Takeback(by="b", do="accept"))
    assert (hall.last("board")["leaps"], hall.last("board")["last"]) == (None, "19-23")
    assert "leaps" not in hall.feed.snapshot(None, 0)["boards"][0]
