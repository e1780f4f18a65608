"""What tables need of other nodes; ``cluster/games`` implements it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from realtime.games.ports import ReplicaSource
    from realtime.games.table import Table
    from realtime.journal.live_games import LiveGame


class OwnedTables(Protocol):
    """Tables of this node, which other nodes show."""

    def enter(self, table: Table) -> None:
        """Enter ``table``, which is in memory and owned by this node."""

    def release(self, game_id: str) -> None:
        """Remove a game that another node owns now."""


class ReplicaTables(Protocol):
    """Replicas in this node's memory of tables that other nodes own."""

    def enter(self, table: Table, owner: str | None) -> ReplicaSource:
        """Let ``table``, which has just entered memory, show the table of ``owner``."""


class OtherNodes(Protocol):
    """The link between the tables and other nodes."""

    @property
    def owned(self) -> OwnedTables:
        """Tables of this node."""

    @property
    def replicas(self) -> ReplicaTables:
        """Replicas of tables of other nodes."""

    @property
    def is_stopping(self) -> bool:
        """Return whether this node takes no more games."""

    @property
    def is_alone(self) -> bool:
        """Return whether no other node is alive."""

    def lives(self, node: str | None) -> bool:
        """Return whether ``node`` is another node and alive."""

    def begun(self, game_id: str, game: LiveGame) -> None:
        """Announce a game that was created here."""

    def opened(self, game_id: str, owner: str) -> None:
        """Announce a game that was created here and that ``owner`` is to open."""

    def announce_adopted(self, games: list[str]) -> None:
        """Announce games that this node has taken over and holds in memory."""

    def over(self, game_id: str) -> None:
        """Announce the end of a game of this node."""

    async def of_nobody_else(self, games: Sequence[str]) -> list[str]:
        """Return those of ``games`` that no other living node has."""
