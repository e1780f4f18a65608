"""What a demonstration is to be, and what has come of it so far."""

from __future__ import annotations

from typing import Literal
from urllib.parse import urlsplit

import msgspec

from game_core.registry import games, variants_of
from harness.demo.errors import DemoFailed

MAX_BOARDS = 1000
"""Of an exhibition."""

MAX_S = 24 * 3600

MAX_THINK_S = 600.0


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked for.

    Attributes:
        url: ``http://HOST:PORT``.
        token: of the person who is the host; None where a guest is.
        host_plays: the host is scripted, too.
        simul: an exhibition that is there already; None: a new one.
        game, variant: of a new one; None: the game's first variant.
        seconds: how long the demonstration may take.
        think_s: what a participant thinks about a move, on average.
        host_think_s: and the host.
    """

    url: str
    boards: int
    token: str | None = None
    host_plays: bool = False
    simul: str | None = None
    mode: Literal["clock", "round"] = "clock"
    game: str = "chess"
    variant: str | None = None
    seconds: int = 900
    think_s: float = 2.0
    host_think_s: float = 0.0

    @property
    def kind(self) -> tuple[str, str]:
        """Game and variant of a new exhibition."""
        return self.game, self.variant or variants_of(self.game)[0]

    def check(self) -> None:
        """Raises ``DemoFailed`` for what cannot be."""
        address = urlsplit(self.url)
        if address.scheme not in ("http", "https") or not address.netloc:
            raise DemoFailed(f"--url: expected an address as http://127.0.0.1:8000, got {self.url!r}")
        if not 1 <= self.boards <= MAX_BOARDS:
            raise DemoFailed(f"--boards: expected 1 to {MAX_BOARDS}, got {self.boards}")
        if not 1 <= self.seconds <= MAX_S:
            raise DemoFailed(f"--seconds: expected 1 to {MAX_S}, got {self.seconds}")
        for flag, value in (("--think", self.think_s), ("--host-think", self.host_think_s)):
            if not 0 <= value <= MAX_THINK_S:
                raise DemoFailed(f"{flag}: expected 0 to {MAX_THINK_S:.0f} seconds, got {value}")
        if self.game not in games():
            raise DemoFailed(f"--game: expected one of {', '.join(games())}, got {self.game!r}")
        known = variants_of(self.game)
        if self.variant is not None and self.variant not in known:
            raise DemoFailed(f"--variant: of {self.game} expected one of {', '.join(known)}, got {self.variant!r}")
        if self.simul is None and self.token is None and not self.host_plays:
            raise DemoFailed(
                "who is the host? --host-plays for a scripted one, --token TOKEN to be it yourself, "
                "or --simul ID to fill an exhibition that you have announced"
            )
        if self.simul is not None and (self.token is not None or self.host_plays):
            raise DemoFailed("--simul: the host of an exhibition that is there already is who announced it")


class Tally(msgspec.Struct):
    """What has happened so far, as those who take part have seen it."""

    boards: int = 0
    """That have begun."""
    over: int = 0
    moves: int = 0
    """Of both sides."""
    lost: int = 0
    """Sockets that the server closed, or that broke."""
    refused: int = 0
    """Moves that were refused for another reason than that the host is (or is not) there."""
    answered: int = 0
    """Moves of participants that were stored."""
    answered_s: float = 0.0
    """How long these took together."""

    def told(self) -> str:
        """One line of it."""
        mean = f", {self.answered_s / self.answered * 1000:.0f} ms to store one" if self.answered else ""
        troubles = f", {self.lost} sockets lost, {self.refused} moves refused" if self.lost or self.refused else ""
        return f"{self.boards:,} boards, {self.boards - self.over:,} played, {self.moves:,} moves{mean}{troubles}"
