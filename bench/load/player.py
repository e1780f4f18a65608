"""Scripted player: one socket, the requests that prepare a game, and the moves of all games played on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from bench.load.requester import MATCH_BITS, Requester, decode_header

if TYPE_CHECKING:
    from bench.load.socket import RequestFailed


class PlayedMatch(Protocol):
    """``bench.load.match.Match`` as its players see it."""

    @property
    def game(self) -> str:
        """Id of the game."""

    @property
    def number(self) -> int:
        """Number of the match: the upper bits of its request ids."""

    def move_received(self, player: Any, ply: int) -> None:
        """Handle the move that made ``ply``, received by ``player``."""

    def confirmed(self, player: Any) -> None:
        """Handle the answer to a request of ``player``."""

    def fail(self, error: RequestFailed) -> None:
        """Handle a refused request."""


class MatchPlayer(Requester):
    """A client that plays matches."""

    def __init__(self) -> None:
        super().__init__()
        self._games: dict[str, PlayedMatch] = {}
        self._numbers: dict[int, PlayedMatch] = {}

    def add_match(self, match: PlayedMatch) -> None:
        """Join ``match``."""
        self._games[match.game] = match
        self._numbers[match.number] = match

    def remove_match(self, match: PlayedMatch) -> None:
        """Leave ``match``: its messages are ignored."""
        del self._games[match.game], self._numbers[match.number]

    def _on_message(self, payload: bytes) -> None:
        header = decode_header(payload)
        if header.t == "move":
            match = self._games.get(header.g)
            if match is not None:  # a bare server's echo of the last move may come after its match
                match.move_received(self, header.ply)
        elif header.t == "ok" and header.id >> MATCH_BITS:
            self._numbers[header.id >> MATCH_BITS].confirmed(self)
        else:
            self.answered(header.t, header.id, payload)

    def _refused(self, number: int, error: RequestFailed) -> None:
        if number >> MATCH_BITS not in self._numbers:
            raise error
        self._numbers[number >> MATCH_BITS].fail(error)
