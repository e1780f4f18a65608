"""A score under construction while it is read: its tags, and its lines with the open one last."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar, Generic, NamedTuple, TypeVar

from game_core.errors import IllegalMove
from game_core.scores.lines import Line, Ply
from game_core.scores.marks import parse_marks, tidy

if TYPE_CHECKING:
    from game_core.scores.tokens import Grammar, Token

StateT = TypeVar("StateT")
"""State of a line between two moves. Immutable, because variations begin there."""

GameT = TypeVar("GameT")
"""The finished game."""

MAX_TAGS = 200
"""Tags of a game: the standard has about forty, and servers add a dozen."""

MAX_PLIES = 20_000
"""Moves of a game with its variations. The longest possible game of chess has fewer than 12,000."""

MAX_DEPTH = 50
"""Depth of nested variations."""

MAX_TOKENS = 100_000
"""Moves, glyphs, comments and parentheses of a game, which bounds those without a limit of their own."""

MAX_COMMENTS = 2_000_000
"""Characters of all comments of a game: a book."""

MAX_NAG = 255
"""The last glyph of the PGN standard (section 10)."""


class Fault(Exception):
    """What is wrong with a game, and the token where it was found."""

    def __init__(self, reason: str, token: Token) -> None:
        super().__init__(reason)
        self.reason = reason
        self.token = token


class ReadMove(NamedTuple, Generic[StateT]):
    """A move that was read."""

    move: str
    """In wire notation."""
    name: str
    state: StateT
    """Where the line is after it."""


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


class _OpenLine(Generic[StateT]):
    """A line to which moves are added."""

    __slots__ = ("after", "before", "comments", "last", "plies")

    def __init__(self, state: StateT) -> None:
        self.before = state  # the last move, where a variation of it begins
        self.after = state
        self.comments: list[str] = []
        self.plies: list[Ply] = []
        self.last: _OpenPly | None = None

    def add(self, ply: _OpenPly, state: StateT) -> None:
        if self.last is not None:
            self.plies.append(self.last.close())
        self.last = ply
        self.before, self.after = self.after, state

    def comment(self, text: str) -> None:
        if self.last is not None:
            self.last.comment(text)
        elif remark := tidy(text):
            self.comments.append(remark)

    def close(self) -> Line:
        plies = self.plies if self.last is None else [*self.plies, self.last.close()]
        return Line(tuple(plies), tuple(self.comments))


class GameBuilder(ABC, Generic[StateT, GameT]):
    """One game, token by token. What cannot be is a ``Fault``."""

    grammar: ClassVar[Grammar]

    derived_tags: ClassVar[frozenset[str]]
    """Tags that are fields of a game rather than kept as they are."""

    def __init__(self) -> None:
        self._tags: dict[str, Token] = {}
        self._lines: list[_OpenLine[StateT]] = []
        self._left = {"moves": MAX_PLIES, "characters of comments": MAX_COMMENTS, "tokens": MAX_TOKENS}

    @abstractmethod
    def _open(self) -> StateT:
        """Where the game begins: the tags are complete. Raises ``Fault``."""

    @abstractmethod
    def _play(self, state: StateT, token: Token) -> ReadMove[StateT]:
        """What ``token`` moves. Raises ``IllegalMove`` or ``Fault``."""

    @abstractmethod
    def _close(self, tags: dict[str, str], line: Line, result: str) -> GameT:
        """The whole game."""

    @property
    def has_tags(self) -> bool:
        """Whether any tag has come."""
        return bool(self._tags)

    @property
    def has_begun(self) -> bool:
        """Return whether move text has begun."""
        return bool(self._lines)

    @property
    def is_in_variation(self) -> bool:
        """Return whether a variation is open."""
        return len(self._lines) > 1

    def take(self, token: Token) -> None:
        """Read one more token other than a result. Raises ``Fault``."""
        if token.kind == "tag":
            self._tag(token)
            return
        self._spend("tokens", 1, token)
        line = self._lines[-1] if self._lines else self._begin()
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
                    raise Fault(f"more than {MAX_DEPTH} nested variations", token)
                self._lines.append(_OpenLine(line.before))
            case "close":
                self._end_variation(token)
            case "draw":
                self._last(line, token).draw = True
            case _:
                nag = int(token.text)
                if nag > MAX_NAG:
                    raise Fault(f"${nag} is not an annotation glyph; the last is ${MAX_NAG}", token)
                self._last(line, token).nags.append(nag)

    def finish(self, token: Token, result: str | None) -> GameT:
        """Return the game, which ends at ``token``, with or without a ``result``. Raises ``Fault``."""
        if not self._lines:
            self._begin()
        if len(self._lines) > 1:
            raise Fault("the game ends in a variation that is not closed", token)
        tagged = self.grammar.results.get(self._value("Result"), "*")
        result = tagged if result in (None, "*") else result
        assert result is not None
        if "*" != tagged != result:
            raise Fault(f"the game ends {result} here, but its tag says {tagged}", token)
        tags = {name: tag.text for name, tag in self._tags.items() if name not in self.derived_tags}
        return self._close(tags, self._lines[0].close(), result)

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

    def _begin(self) -> _OpenLine[StateT]:
        line = _OpenLine(self._open())
        self._lines.append(line)
        return line

    def _move(self, line: _OpenLine[StateT], token: Token) -> None:
        try:
            played = self._play(line.after, token)
        except IllegalMove as error:
            raise Fault(str(error), token) from error
        line.add(_OpenPly(played.move, played.name), played.state)

    def _last(self, line: _OpenLine[StateT], token: Token) -> _OpenPly:
        if line.last is None:
            raise Fault("there is no move before this", token)
        return line.last

    def _end_variation(self, token: Token) -> None:
        if len(self._lines) == 1:
            raise Fault("no variation is open here", token)
        variation = self._lines.pop().close()
        last = self._lines[-1].last
        assert last is not None
        if variation.plies or variation.comments:
            last.variations.append(variation)
