"""What finds the moves of robots and counts their games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from robots.jobs import Job, JobAnswer, Workload


class MoveSource(Protocol):
    """Finds moves; ``robots.pool.engine_pool`` implements it."""

    def variants(self) -> list[tuple[str, str]]:
        """Return all (game, variant) that it plays."""

    async def answer(self, job: Job) -> JobAnswer:
        """Find a move. Raises ``NoEngine``, ``BadJob``, ``EngineFailed``."""

    def can_accept(self, workload: Workload, number: int = 1) -> bool:
        """Return whether there is room for ``number`` other games."""

    def enter(self, game_id: str, workload: Workload) -> None:
        """Count a game."""

    def leave(self, game_id: str) -> None:
        """Count a game no more."""
