"""A game while it is being read: its tags, then its lines, the one that is open last."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import chess

from game_core.chess.legality import find_step, has_legal_move
from game_core.chess.notation.fen import format_fen, parse_fen
from game_core.chess.notation.move_text import parse_move
from game_core.chess.pgn_game import DERIVED_TAGS, NULL_MOVE, NULL_SAN, RESULTS, Line, PgnGame, Ply
from game_core.chess.pgn_marks import parse_marks, tidy
from game_core.chess.san import format_san
from game_core.errors import BadPosition, IllegalMove

if TYPE_CHECKING:
    from game_core.chess.pgn_tokens import Token

MAX_TAGS = 200
"""Tags of a game: the standard names some forty, and servers add a dozen."""

MAX_PLIES = 20_000
"""Moves of a game with its variations. The longest possible game has less than 12,000, and books less variations."""

MAX_DEPTH = 50
"""Variations within variations; readers lose their way after four."""

MAX_TOKENS = 100_000
"""Moves, glyphs, comments and parentheses of a game: what bounds those of them that nothing else bounds."""

MAX_COMMENTS = 2_000_000
"""Characters of all comments of a game: a book."""

MAX_NAG = 255
"""The standard's last (section 10)."""

_CHESS960 = frozenset(
    {"chess960", "960", "frc", "fischerandom", "fischerrandom", "fischerrandomchess", "freestyle", "freestylechess"}
)

_STANDARD = frozenset({"standard", "chess", "normal", "orthodox", "regular"})

_EITHER = frozenset({"", "fromposition"})
"""What says nothing of how one castles."""

_NULLS = frozenset({NULL_SAN, NULL_MOVE, "Z0"})
"""How programs write that an annotator passes a turn; the standard knows no such thing."""


class Fault(Exception):
    """What is wrong with a game, and the token where it shows."""

    def __init__(self, reason: str, token: Token) -> None:
        super().__init__(reason)
        self.reason = reason
        self.token = token


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


class _OpenPly:
    """A move after which more may be said."""

    __slots__ = ("afterwards", "clock_ms", "comments", "draw", "move", "nags", "san", "spent_ms", "variations")

    def __init__(self, move: str, san: str) -> None:
        self.move = move
        self.san = san
        self.nags: list[int] = []
        self.clock_ms: int | None = None
        self.spent_ms: int | None = None
        self.draw = False
        self.comments: list[str] = []
        self.variations: list[Line] = []
        self.afterwards: list[str] = []

    def comment(self, text: str) -> None:
        marks = parse_marks(text)
        self.clock_ms = self.clock_ms if marks.clock_ms is None else marks.clock_ms
        self.spent_ms = self.spent_ms if marks.spent_ms is None else marks.spent_ms
        self.draw |= marks.draw
        if marks.text:
            (self.afterwards if self.variations else self.comments).append(marks.text)

    def close(self) -> Ply:
        return Ply(
            self.move,
            self.san,
            tuple(self.nags),
            self.clock_ms,
            self.spent_ms,
            self.draw,
            tuple(self.comments),
            tuple(self.variations),
            tuple(self.afterwards),
        )


class _OpenLine:
    """A line to which moves are added."""

    __slots__ = ("after", "before", "comments", "last", "plies")

    def __init__(self, place: _Place) -> None:
        self.before = place  # the last move, where a variation of it begins
        self.after = place
        self.comments: list[str] = []
        self.plies: list[Ply] = []
        self.last: _OpenPly | None = None

    def add(self, ply: _OpenPly, place: _Place) -> None:
        if self.last is not None:
            self.plies.append(self.last.close())
        self.last = ply
        self.before, self.after = self.after, place

    def comment(self, text: str) -> None:
        if self.last is not None:
            self.last.comment(text)
        elif remark := tidy(text):
            self.comments.append(remark)

    def close(self) -> Line:
        plies = self.plies if self.last is None else [*self.plies, self.last.close()]
        return Line(tuple(plies), tuple(self.comments))


class Draft:
    """One game, token by token. What cannot be is a ``Fault``."""

    def __init__(self) -> None:
        self._tags: dict[str, Token] = {}
        self._lines: list[_OpenLine] = []
        self._variant = "standard"
        self._fen: str | None = None
        self._left = {"moves": MAX_PLIES, "characters of comments": MAX_COMMENTS, "tokens": MAX_TOKENS}

    @property
    def has_tags(self) -> bool:
        """Whether any tag has come."""
        return bool(self._tags)

    @property
    def has_begun(self) -> bool:
        """Whether move text has."""
        return bool(self._lines)

    @property
    def is_in_variation(self) -> bool:
        """Whether a variation is open."""
        return len(self._lines) > 1

    def take(self, token: Token) -> None:
        """Read one more token, which is no result. Raises ``Fault``."""
        if token.kind == "tag":
            self._tag(token)
            return
        self._spend("tokens", 1, token)
        line = self._lines[-1] if self._lines else self._begin(token)
        match token.kind:
            case "symbol":
                self._spend("moves", 1, token)
                self._move(line, token)
            case "comment":
                self._spend("characters of comments", len(token.text), token)
                line.comment(token.text)
            case "open":
                self._last(line, token)
                if len(self._lines) > MAX_DEPTH:
                    raise Fault(f"more than {MAX_DEPTH} variations within one another", token)
                self._lines.append(_OpenLine(line.before))
            case "close":
                self._end_variation(token)
            case "draw":
                self._last(line, token).draw = True
            case _:
                nag = int(token.text)
                if nag > MAX_NAG:
                    raise Fault(f"${nag} is no annotation glyph; they end at ${MAX_NAG}", token)
                self._last(line, token).nags.append(nag)

    def finish(self, token: Token, result: str | None) -> PgnGame:
        """The game, which ends at ``token``, with its ``result`` or without. Raises ``Fault``."""
        if not self._lines:
            self._begin(token)
        if len(self._lines) > 1:
            raise Fault("the game ends in a variation that is not closed", token)
        tagged = self._value("Result").replace("½", "1/2")
        if tagged not in RESULTS:
            tagged = "*"
        result = tagged if result in (None, "*") else result
        assert result is not None
        if "*" != tagged != result:
            raise Fault(f"the game ends {result} here, its tag says {tagged}", token)
        tags = {name: tag.text for name, tag in self._tags.items() if name not in DERIVED_TAGS}
        return PgnGame(tags, self._variant, self._fen, self._lines[0].close(), result)

    def _spend(self, what: str, number: int, token: Token) -> None:
        self._left[what] -= number
        if self._left[what] < 0:
            raise Fault(f"the game has too many {what}", token)

    def _value(self, name: str) -> str:
        tag = self._tags.get(name)
        return "" if tag is None else tag.text

    def _tag(self, token: Token) -> None:
        known = self._tags.setdefault(token.name, token)
        if known.text != token.text:
            raise Fault(f"the tag {token.name} is given twice, first as {known.text[:80]!r}", token)
        if len(self._tags) > MAX_TAGS:
            raise Fault(f"more than {MAX_TAGS} tags", token)

    def _begin(self, token: Token) -> _OpenLine:
        """The move text begins: the tags are complete and say where the game does."""
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
        line = _OpenLine(_Place(board, board.is_check()))
        self._lines.append(line)
        return line

    def _move(self, line: _OpenLine, token: Token) -> None:
        if token.text in _NULLS:
            self._pass(line, token)
            return
        before = line.after
        try:
            move = parse_move(before.board, token.text).move
        except IllegalMove as error:
            raise Fault(str(error), token) from error
        step = find_step(before.board, move, check=before.check)
        san = format_san(before.board, step, check=before.check)
        after = before.push(step.move)
        if after.check:
            san += "+" if has_legal_move(after.board, check=True) else "#"
        line.add(_OpenPly(move, san), after)

    def _pass(self, line: _OpenLine, token: Token) -> None:
        if len(self._lines) == 1:
            raise Fault("nobody passes in a game; that is for variations", token)
        if line.after.check:
            raise Fault("nobody passes in check", token)
        line.add(_OpenPly(NULL_MOVE, NULL_SAN), line.after.push(chess.Move.null()))

    def _last(self, line: _OpenLine, token: Token) -> _OpenPly:
        if line.last is None:
            raise Fault("there is no move yet to which this belongs", token)
        return line.last

    def _end_variation(self, token: Token) -> None:
        if len(self._lines) == 1:
            raise Fault("there is no variation that this could close", token)
        variation = self._lines.pop().close()
        last = self._lines[-1].last
        assert last is not None
        if variation.plies or variation.comments:
            last.variations.append(variation)
