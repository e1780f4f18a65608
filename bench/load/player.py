"""A scripted player: one socket, the requests that prepare a game, and the moves of all games played on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from bench.load.requester import MATCH_BITS, Asker

if TYPE_CHECKING:
    from bench.load.socket import Refused


class Heard(msgspec.Struct):
    """As much of a message as a player has to know."""

    t: str
    id: int = 0
    g: str = ""
    ply: int = -1


decode = msgspec.msgpack.Decoder(Heard).decode


class PlayedMatch(Protocol):
    """``bench.load.match.Match``, as its players see it."""

    @property
    def game(self) -> str:
        """The game's id."""

    @property
    def number(self) -> int:
        """Of the match; the upper bits of its requests' numbers."""

    def heard(self, player: Any, ply: int) -> None:
        """``player`` was told of the move that made ``ply``."""

    def confirmed(self, player: Any) -> None:
        """A request of ``player`` was answered."""

    def fail(self, error: Refused) -> None:
        """A request was refused."""


class Player(Asker):
    """One who takes part in matches."""

    def __init__(self) -> None:
        super().__init__()
        self._games: dict[str, PlayedMatch] = {}
        self._numbers: dict[int, PlayedMatch] = {}

    def sit(self, match: PlayedMatch) -> None:
        """Take part in ``match``."""
        self._games[match.game] = match
        self._numbers[match.number] = match

    def rise(self, match: PlayedMatch) -> None:
        """Hear of ``match`` no more."""
        del self._games[match.game], self._numbers[match.number]

    def _hear(self, payload: bytes) -> None:
        heard = decode(payload)
        if heard.t == "move":
            match = self._games.get(heard.g)
            if match is not None:  # a bare server's echo of the last move may come when its match is over
                match.heard(self, heard.ply)
        elif heard.t == "ok" and heard.id >> MATCH_BITS:
            self._numbers[heard.id >> MATCH_BITS].confirmed(self)
        else:
            self.answered(heard.t, heard.id, payload)

    def _refused(self, number: int, error: Refused) -> None:
        if number >> MATCH_BITS not in self._numbers:
            raise error
        self._numbers[number >> MATCH_BITS].fail(error)
