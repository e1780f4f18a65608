"""A chess game under construction while its score is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import chess

from game_core.chess.legality import find_step
from game_core.chess.notation.fen import format_fen, parse_fen
from game_core.chess.notation.move_text import parse_move
from game_core.chess.pgn_game import DERIVED_TAGS, NULL_MOVE, NULL_SAN, PgnGame
from game_core.chess.pgn_grammar import GRAMMAR
from game_core.chess.san import format_san
from game_core.chess.variants import CHESS960, STANDARD, VARIANTS
from game_core.errors import BadPosition
from game_core.scores.game_builder import Fault, GameBuilder, ReadMove

if TYPE_CHECKING:
    from collections.abc import Mapping

    from game_core.chess.standard import Standard
    from game_core.scores.lines import Line
    from game_core.scores.tokens import Token

_MEANS: Mapping[str, tuple[Standard, ...]] = {
    **{name: (rules,) for rules in VARIANTS for name in rules.pgn_names},
    # These do not tell how castling works.
    **dict.fromkeys(("", "fromposition"), (STANDARD, CHESS960)),
}
"""Possible variants by the letters and digits of a ``Variant`` tag in lower case."""

_NULLS = frozenset({NULL_SAN, NULL_MOVE, "Z0"})
"""Null moves of annotators in various programs. The standard has none."""


class _State(NamedTuple):
    """A board, and whether the side to move is in check. Immutable, because variations begin there.

    Less than a ``Position``: reading a score needs no repetitions, FEN or outcome.
    """

    board: chess.Board
    check: bool

    def push(self, move: chess.Move) -> _State:
        board = self.board.copy(stack=False)
        board.push(move)
        board.clear_stack()
        return _State(board, board.is_check())


class PgnBuilder(GameBuilder[_State, PgnGame]):
    """One game of chess."""

    grammar = GRAMMAR
    derived_tags = DERIVED_TAGS

    def __init__(self) -> None:
        super().__init__()
        self._laws: Standard = STANDARD
        self._fen: str | None = None

    def _open(self) -> _State:
        name = "".join(filter(str.isalnum, self._value("Variant").casefold()))
        meant = _MEANS.get(name)
        if meant is None:
            raise Fault(f"the variant {self._value('Variant')[:80]!r} is not known", self._tags["Variant"])
        self._laws = laws = meant[0]
        fen = self._tags.get("FEN")
        if fen is None:
            if laws.starts > 1:
                raise Fault(f"a {laws.pgn_tag} game needs the FEN of its starting position", self._tags["Variant"])
            if self._value("SetUp") == "1":
                raise Fault("the tag SetUp announces a FEN, but there is none", self._tags["SetUp"])
            board = laws.board(laws.initial)
        else:
            try:
                board = parse_fen(fen.text, *meant)
            except BadPosition as error:
                raise Fault(str(error), fen) from error
            if board.chess960:
                self._laws = laws = CHESS960
        begins = format_fen(board)
        self._fen = None if begins == laws.initial and laws.starts == 1 else begins
        return _State(board, board.is_check())

    def _play(self, place: _State, token: Token) -> ReadMove[_State]:
        if token.text in _NULLS:
            return self._pass(place, token)
        laws = self._laws
        move = parse_move(place.board, token.text, laws).move
        step = find_step(place.board, move, laws, check=place.check)
        san = format_san(place.board, step, laws, check=place.check)
        after = place.push(step.move)
        if after.check:
            san += "+" if laws.has_move(after.board, check=True) else "#"
        return ReadMove(move, san, after)

    def _pass(self, place: _State, token: Token) -> ReadMove[_State]:
        if not self.is_in_variation:
            raise Fault("a null move is allowed only in variations", token)
        if place.check:
            raise Fault("a null move is not allowed in check", token)
        return ReadMove(NULL_MOVE, NULL_SAN, place.push(chess.Move.null()))

    def _close(self, tags: dict[str, str], line: Line, result: str) -> PgnGame:
        return PgnGame(tags, self._laws.variant, self._fen, line, result)
