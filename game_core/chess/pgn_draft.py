"""A game of chess while it is being read: where its tags let it begin, and its moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import chess

from game_core.chess.legality import find_step, has_legal_move
from game_core.chess.notation.fen import format_fen, parse_fen
from game_core.chess.notation.move_text import parse_move
from game_core.chess.pgn_game import DERIVED_TAGS, NULL_MOVE, NULL_SAN, PgnGame
from game_core.chess.pgn_grammar import GRAMMAR
from game_core.chess.san import format_san
from game_core.errors import BadPosition
from game_core.scores.draft import Draft, Fault, Played

if TYPE_CHECKING:
    from game_core.scores.lines import Line
    from game_core.scores.tokens import Token

_CHESS960 = frozenset(
    {"chess960", "960", "frc", "fischerandom", "fischerrandom", "fischerrandomchess", "freestyle", "freestylechess"}
)

_STANDARD = frozenset({"standard", "chess", "normal", "orthodox", "regular"})

_EITHER = frozenset({"", "fromposition"})
"""What says nothing of how one castles."""

_NULLS = frozenset({NULL_SAN, NULL_MOVE, "Z0"})
"""How programs write that an annotator passes a turn; the standard knows no such thing."""


class _Place(NamedTuple):
    """A board and whether the side to move is in check. Nobody changes it: variations begin there.

    Less than a ``Position``: a score that is read needs no repetitions, no FEN and no outcome.
    """

    board: chess.Board
    check: bool

    def push(self, move: chess.Move) -> _Place:
        board = self.board.copy(stack=False)
        board.push(move)
        board.clear_stack()
        return _Place(board, board.is_check())


class PgnDraft(Draft[_Place, PgnGame]):
    """One game of chess."""

    grammar = GRAMMAR
    derived_tags = DERIVED_TAGS

    def __init__(self) -> None:
        super().__init__()
        self._variant = "standard"
        self._fen: str | None = None

    def _open(self) -> _Place:
        name = "".join(filter(str.isalnum, self._value("Variant").casefold()))
        if name not in _CHESS960 | _STANDARD | _EITHER:
            raise Fault(f"the variant {self._value('Variant')[:80]!r} is not known", self._tags["Variant"])
        fen = self._tags.get("FEN")
        if fen is None:
            if name in _CHESS960:
                raise Fault("a game of Chess960 without the FEN of where it began", self._tags["Variant"])
            if self._value("SetUp") == "1":
                raise Fault("SetUp says that the game began elsewhere, and there is no FEN", self._tags["SetUp"])
            board = chess.Board()
        else:
            try:
                board = parse_fen(fen.text, chess960=None if name in _EITHER else name in _CHESS960)
            except BadPosition as error:
                raise Fault(str(error), fen) from error
        self._variant = "chess960" if board.chess960 else "standard"
        begins = format_fen(board)
        self._fen = None if begins == chess.STARTING_FEN and not board.chess960 else begins
        return _Place(board, board.is_check())

    def _play(self, place: _Place, token: Token) -> Played[_Place]:
        if token.text in _NULLS:
            return self._pass(place, token)
        move = parse_move(place.board, token.text).move
        step = find_step(place.board, move, check=place.check)
        san = format_san(place.board, step, check=place.check)
        after = place.push(step.move)
        if after.check:
            san += "+" if has_legal_move(after.board, check=True) else "#"
        return Played(move, san, after)

    def _pass(self, place: _Place, token: Token) -> Played[_Place]:
        if not self.is_in_variation:
            raise Fault("nobody passes in a game; that is for variations", token)
        if place.check:
            raise Fault("nobody passes in check", token)
        return Played(NULL_MOVE, NULL_SAN, place.push(chess.Move.null()))

    def _close(self, tags: dict[str, str], line: Line, result: str) -> PgnGame:
        return PgnGame(tags, self._variant, self._fen, line, result)
