"""Options of a chaos run."""

from __future__ import annotations

from pathlib import Path

import msgspec

from harness.chaos.faults import FAULTS
from realtime.protocol.errors import BadSetting


class ChaosOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options.

    Attributes:
        faults: names of the faults to choose from; empty: all.
        games: number of concurrent games.
        boards: of the simul that is played beside them; 0: none.
        keep: an empty or new directory for logs and the database; None: they are deleted.
        prepare: Python that each node runs first, to make it misbehave in tests of the checks.
    """

    minutes: float
    seed: int
    nodes: int = 3
    games: int = 16
    boards: int = 12
    faults: tuple[str, ...] = ()
    report: Path | None = None
    keep: Path | None = None
    prepare: str = ""

    def check(self) -> None:
        """Raise ``BadSetting`` for impossible options."""
        if not 0 < self.minutes <= 24 * 60:
            raise BadSetting(f"--minutes: expected more than 0 and at most {24 * 60}, got {self.minutes:g}")
        for flag, value, most in (("--nodes", self.nodes, 16), ("--games", self.games, 200)):
            if not 1 <= value <= most:
                raise BadSetting(f"{flag}: expected 1 to {most}, got {value}")
        if not 0 <= self.boards <= 200:
            raise BadSetting(f"--boards: expected 0 to 200, got {self.boards}")
        for name in self.faults:
            if name not in FAULTS:
                raise BadSetting(f"--faults: expected some of {', '.join(FAULTS)}, got {name!r}")
        if self.report is not None and not self.report.parent.is_dir():
            raise BadSetting(f"--report: there is no directory {str(self.report.parent)!r}")

    def create_directory(self) -> None:
        """Create the directory ``keep``. Raises ``BadSetting`` if that is impossible, or it is not empty."""
        if self.keep is None:
            return
        try:
            self.keep.mkdir(parents=True, exist_ok=True)
            is_empty = next(self.keep.iterdir(), None) is None
        except OSError as error:
            raise BadSetting(
                f"--keep: {str(self.keep)!r} is no directory that can be used: {error.strerror}"
            ) from error
        if not is_empty:
            raise BadSetting(
                f"--keep: expected an empty directory, or none yet: {str(self.keep)!r} has something in it"
            )
