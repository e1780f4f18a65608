"""PGN import (standard sections 3.1 and 8): text in pieces, games as they are complete.

Not the library's reader: it asks a file for whole lines of any length, has no limits, passes over words it does not
know, and says of what is wrong neither line nor column. Boards and legal moves are the library's here too.

What is understood beyond the standard: moves in any English or numeric notation, ``!?``, ``+-`` and the like, ``e.p.``,
``(=)``, quotation marks in tags that nobody escaped, a game that ends without its result, passed turns in variations.
What is lost: numbers of moves, escaped lines, line breaks in comments, comments outside of games, empty variations,
results at the ends of variations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.chess.pgn_draft import Draft, Fault
from game_core.chess.pgn_tokens import Tokens
from game_core.errors import BadPgn

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from game_core.chess.pgn_game import PgnGame
    from game_core.chess.pgn_tokens import Token


class PgnReader:
    """Reads games from text that comes in pieces of any size. What ``feed`` and ``close`` give is to be used up.

    One game is kept at a time, and its size is bounded (``pgn_draft``, ``pgn_tokens``). A game that cannot be read
    comes out as ``BadPgn``; the next tag pair at the beginning of a line begins the next game.
    """

    def __init__(self) -> None:
        self._tokens = Tokens()
        self._draft: Draft | None = None
        self._games = 0  # begun so far

    @property
    def place(self) -> tuple[int, int]:
        """Line and column of the text, from 1, up to which it is read: behind the game that came last."""
        token = self._tokens.here()
        return token.line, token.column

    def feed(self, text: str) -> Iterator[PgnGame | BadPgn]:
        """The games that ``text`` completes."""
        self._tokens.feed(text)
        return self._read()

    def close(self) -> Iterator[PgnGame | BadPgn]:
        """The game that was not complete, if any: there is no more text."""
        self._tokens.close()
        yield from self._read()
        if self._draft is not None:
            yield self._finish(self._tokens.here(), None)

    def _read(self) -> Iterator[PgnGame | BadPgn]:
        for token in self._tokens.take():
            if token.kind == "tag" and self._draft is not None and self._draft.has_begun:
                yield self._finish(token, None)
            if self._draft is None:
                if token.kind == "comment":
                    continue
                self._draft = Draft()
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

    def _finish(self, token: Token, result: str | None) -> PgnGame | BadPgn:
        """The game is over at ``token``."""
        draft, self._draft = self._draft, None
        assert draft is not None
        try:
            return draft.finish(token, result)
        except Fault as fault:
            return self._bad(fault)

    def _give_up(self, fault: Fault, token: Token, draft: Draft) -> BadPgn:
        """The game cannot be read, as shows at ``token``: pass over what is left of it."""
        self._draft = None
        is_tag = token.name != "" or (token.kind == "bad" and draft.has_tags)
        self._tokens.skip_game(in_tags=is_tag and not draft.has_begun)
        return self._bad(fault)

    def _bad(self, fault: Fault) -> BadPgn:
        return BadPgn(fault.reason, game=self._games, line=fault.token.line, column=fault.token.column)


def read_games(pieces: Iterable[str]) -> Iterator[PgnGame | BadPgn]:
    """All games of a text that comes in pieces, in order; for each that cannot be read what is wrong with it."""
    reader = PgnReader()
    for piece in pieces:
        yield from reader.feed(piece)
    yield from reader.close()
