"""Options of a demonstration, and its counters."""

from __future__ import annotations

from typing import Literal
from urllib.parse import urlsplit

import msgspec

from game_core.registry import games, variants_of
from harness.demo.errors import DemoFailed

MAX_BOARDS = 1000
"""Most boards of a simul."""

MAX_S = 24 * 3600

MAX_THINK_S = 600.0


class DemoOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options.

    Attributes:
        url: ``http://HOST:PORT``.
        token: of the host; None for a guest.
        host_plays: the host is scripted, too.
        simul: an existing simul; None: a new one.
        game, variant: of a new one; None: the game's first variant.
        seconds: time limit of the demonstration.
        think_s: a participant's average thinking time.
        host_think_s: the host's.
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
        """Game and variant of a new simul."""
        return self.game, self.variant or variants_of(self.game)[0]

    def check(self) -> None:
        """Raise ``DemoFailed`` for impossible options."""
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
            raise DemoFailed(f"--variant: for {self.game} expected one of {', '.join(known)}, got {self.variant!r}")
        if self.simul is None and self.token is None and not self.host_plays:
            raise DemoFailed(
                "who is the host? --host-plays for a scripted one, --token TOKEN to be it yourself, "
                "or --simul ID to fill a simul that you have announced"
            )
        if self.simul is not None and (self.token is not None or self.host_plays):
            raise DemoFailed("--simul: the host of a simul that is there already is who announced it")


class Tally(msgspec.Struct):
    """Counters, as seen by the clients."""

    boards: int = 0
    """Boards that have begun."""
    over: int = 0
    moves: int = 0
    """Moves of both sides."""
    lost: int = 0
    """Sockets that the server closed, or that broke."""
    refused: int = 0
    """Moves that were refused for a reason other than the host's place."""
    answered: int = 0
    """Participants' moves that were stored."""
    answered_s: float = 0.0
    """Total time until these were answered."""

    def summary(self) -> str:
        """Return the counters as one line."""
        mean = f", {self.answered_s / self.answered * 1000:.0f} ms to store one" if self.answered else ""
        troubles = f", {self.lost} sockets lost, {self.refused} moves refused" if self.lost or self.refused else ""
        return f"{self.boards:,} boards, {self.boards - self.over:,} played, {self.moves:,} moves{mean}{troubles}"
