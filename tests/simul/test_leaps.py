"""Paths of captures on simul boards: shown with the move, removed by the next plain one."""

from __future__ import annotations

import msgspec

from game_core import commands as g
from simul.replica import SimulReplica
from tests.simul.simul_model import SimulModel

MOVES = ("32-28", "19-23", "28x19", "14x23", "37-32")
"""International draughts: two captures, the second of which takes the piece that has made the first."""

LEAPS = (None, None, {"path": ("19",), "taken": ("23",)}, {"path": ("23",), "taken": ("19",)}, None)


def test_board_shows_the_path_of_a_capture_until_the_next_plain_move() -> None:
    model = SimulModel(players=1, start=True, game="draughts", variant="international")
    shown = SimulReplica(msgspec.msgpack.decode(msgspec.msgpack.encode(model.feed.snapshot(None, 0))))
    for ply, (move, leaps) in enumerate(zip(MOVES, LEAPS, strict=True)):
        model.play(1, g.PlayMove(by="w" if ply % 2 == 0 else "b", move=move, ply=ply))
        message = model.last("board")
        had = LEAPS[ply - 1] if ply else None
        assert ("leaps" in message) == (leaps != had)
        assert message.get("leaps") == leaps
        assert message["last"] == move
        shown.apply(message)
        (board,) = model.feed.snapshot(None, 0)["boards"]
        assert board.get("leaps") == leaps
        assert shown["boards"] == [board]


def test_path_of_a_capture_is_removed_by_a_takeback() -> None:
    model = SimulModel(players=1, start=True, game="draughts", variant="international")
    for ply, move in enumerate(MOVES[:3]):
        model.play(1, g.PlayMove(by="w" if ply % 2 == 0 else "b", move=move, ply=ply))
    model.play(1, g.Takeback(by="w", do="offer"))
    model.play(1, g.Takeback(by="b", do="accept"))
    assert (model.last("board")["leaps"], model.last("board")["last"]) == (None, "19-23")
    assert "leaps" not in model.feed.snapshot(None, 0)["boards"][0]
