"""Reader of scores in chunks of text (PGN standard, sections 3.1 and 8), for any game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from game_core.errors import BadScore
from game_core.scores.game_builder import Fault
from game_core.scores.tokens import Tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

    from game_core.scores.game_builder import GameBuilder
    from game_core.scores.tokens import Token

GameT = TypeVar("GameT")
"""The finished game."""


class ScoreReader(Generic[GameT]):
    """A reader of games from text in chunks of any size. Consume what ``feed`` and ``close`` yield.

    It keeps one game at a time, whose size is bounded (``draft``, ``tokens``). An unreadable game is a ``BadScore``;
    the next tag pair at the beginning of a line begins the next game.
    """

    def __init__(self, new_draft: type[GameBuilder[Any, GameT]]) -> None:
        self._tokens = Tokens(new_draft.grammar)
        self._new_draft = new_draft
        self._draft: GameBuilder[Any, GameT] | None = None
        self._games = 0  # begun so far

    @property
    def place(self) -> tuple[int, int]:
        """Line and column, from 1, up to which the text is read: after the last game."""
        token = self._tokens.here()
        return token.line, token.column

    def feed(self, text: str) -> Iterator[GameT | BadScore]:
        """Yield the games that ``text`` completes."""
        self._tokens.feed(text)
        return self._read()

    def close(self) -> Iterator[GameT | BadScore]:
        """Yield the incomplete game, if there is one: the text has ended."""
        self._tokens.close()
        yield from self._read()
        if self._draft is not None:
            yield self._finish(self._tokens.here(), None)

    def _read(self) -> Iterator[GameT | BadScore]:
        for token in self._tokens.take():
            if token.kind == "tag" and self._draft is not None and self._draft.has_begun:
                yield self._finish(token, None)
            if self._draft is None:
                if token.kind == "comment":
                    continue
                self._draft = self._new_draft()
                self._games += 1
            if token.kind == "bad":
                yield self._give_up(Fault(token.text, token), token, self._draft)
            elif token.kind == "result":
                if not self._draft.is_in_variation:
                    yield self._finish(token, token.text)
            else:
                try:
                    self._draft.take(token)
                except Fault as fault:
                    yield self._give_up(fault, token, self._draft)

    def _finish(self, token: Token, result: str | None) -> GameT | BadScore:
        """End the game at ``token``."""
        draft, self._draft = self._draft, None
        assert draft is not None
        try:
            return draft.finish(token, result)
        except Fault as fault:
            return self._bad(fault)

    def _give_up(self, fault: Fault, token: Token, draft: GameBuilder[Any, GameT]) -> BadScore:
        """Skip the rest of a game that cannot be read because of ``token``."""
        self._draft = None
        is_tag = token.name != "" or (token.kind == "bad" and draft.has_tags)
        self._tokens.skip_game(in_tags=is_tag and not draft.has_begun)
        return self._bad(fault)

    def _bad(self, fault: Fault) -> BadScore:
        return BadScore(fault.reason, game=self._games, line=fault.token.line, column=fault.token.column)
