"""Score sheets (Articles 8.1 to 8.7): written by the players where that is agreed, and signed by both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.chess.notation.letters import PIECE_LETTERS
from game_core.color import of
from game_core.decide.ends import require_running
from game_core.decide.laws.turns import hand_of
from game_core.errors import Refused
from game_core.events import AnyEvent, Signed, WrittenDown
from game_core.laws.state import MOST_ACTS

if TYPE_CHECKING:
    from game_core.color import Color
    from game_core.commands import Sign, Write
    from game_core.game import Game
    from game_core.laws.state import LawsState

LONGEST = 20
"""Longest text of a move in characters: a long capture of draughts has more squares than anybody writes."""

_DRAW = "(=)"

_FIVE_MINUTES_MS = 300_000
_HALF_MINUTE_MS = 30_000


def write(game: Game, laws: LawsState, command: Write, now_ms: int) -> tuple[AnyEvent, ...]:
    """Write a completed move on one's own sheet, or correct one, until it is signed.

    8.1: a player records "his own moves and those of his opponent [...] move after move"; "It is forbidden to write the
    moves in advance". The offer of a draw is recorded with ``(=)``. What is wrong is told and not refused.
    """
    if game.status != "over":
        require_running(game, now_ms)
    by, ply, text = command.by, command.ply, command.text.strip()
    if not laws.terms.score_sheet:
        raise Refused("conflict", "in this game the server keeps the score")
    if of(laws.signed, by):
        raise Refused("conflict", "you have signed your score sheet")
    if not 0 <= ply <= len(of(laws.sheets, by)):
        raise Refused("conflict", f"write move after move: the next one is that of ply {len(of(laws.sheets, by))}")
    if ply >= game.ply:
        raise Refused("conflict", "moves are not written in advance")
    if not 0 < len(text) <= LONGEST or not text.isprintable() or command.language not in PIECE_LETTERS:
        raise Refused("conflict", f"expected a move in up to {LONGEST} characters, in a language of piece letters")
    if ply < len(of(laws.sheets, by)) and of(laws.corrections, by) >= MOST_ACTS:
        raise Refused("conflict", "you have corrected enough on this turn")
    return (WrittenDown(by, ply, text, _is_right(game, laws, ply, text, command.language)),)


def require_written(game: Game, laws: LawsState, now_ms: int) -> None:
    """Check that the side to move has recorded its previous move. Raises ``Refused``.

    8.1: "A player may reply to his opponent's move before recording it, if he so wishes. He must record his previous
    move before making another."
    """
    by = game.turn
    if laws.terms.score_sheet and len(of(laws.sheets, by)) < game.ply - 1 and not _is_exempt(game, by, now_ms):
        raise Refused("conflict", "write your previous move on the score sheet before you make another")


def sign(game: Game, laws: LawsState, command: Sign, now_ms: int) -> tuple[AnyEvent, ...]:
    """Sign the result.

    8.7: "At the conclusion of the game both players shall sign both scoresheets, indicating the result of the game."
    """
    if game.status != "over":
        require_running(game, now_ms)
        raise Refused("conflict", "sign when the game is over")
    return () if of(laws.signed, command.by) else (Signed(command.by),)


def _is_exempt(game: Game, by: Color, now_ms: int) -> bool:
    """8.4: a player with "less than five minutes left on his clock" who does not get "30 seconds or more added with
    each move" is "not obliged" to write."""
    clock = game.clock
    if clock is None:
        return False
    control = clock.control_of(by)
    added_ms = control.step_ms + control.period(of(clock.period, by)).inc_ms
    return clock.left_ms(by, now_ms) < _FIVE_MINUTES_MS and added_ms < _HALF_MINUTE_MS


def _is_right(game: Game, laws: LawsState, ply: int, text: str, language: str) -> bool:
    """Return whether ``text`` names the move, with the offer of a draw if there was one."""
    move = text.removesuffix(_DRAW).rstrip()
    if (move != text) != (ply in laws.offered):
        return False
    hand = hand_of(game)
    position = hand.lie(laws.positions[ply])
    return hand.is_written(position, game.moves[ply], game.notation[ply], move, language)
