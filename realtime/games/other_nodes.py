"""What the tables need of other nodes: ``cluster/games`` provides it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from realtime.games.ports import ReplicaSource
    from realtime.games.table import Table
    from realtime.journal.live_games import LiveGame


class OwnedTables(Protocol):
    """Tables of this node that others show."""

    def enter(self, table: Table) -> None:
        """``table`` is in memory, and ours."""

    def release(self, game_id: str) -> None:
        """The game is another node's now."""


class Replicas(Protocol):
    """Tables of this node that show what other nodes' do."""

    def enter(self, table: Table, owner: str | None) -> ReplicaSource:
        """``table``, which is in memory now, shows what ``owner``'s does."""


class OtherNodes(Protocol):
    """All of it."""

    @property
    def owned(self) -> OwnedTables:
        """Tables of this node."""

    @property
    def mirrors(self) -> Replicas:
        """Tables of other nodes."""

    @property
    def is_stopping(self) -> bool:
        """This node takes no games any more."""

    @property
    def is_alone(self) -> bool:
        """No other node lives."""

    def lives(self, node: str | None) -> bool:
        """Whether ``node`` is another one that lives."""

    def begun(self, game_id: str, game: LiveGame) -> None:
        """A game was made here."""

    def opened(self, game_id: str, owner: str) -> None:
        """A game was made here that ``owner`` is to open."""

    def adopted(self, games: list[str]) -> None:
        """Games that were another node's are in memory here now, and ours."""

    def over(self, game_id: str) -> None:
        """A game of ours is over."""

    async def of_nobody_else(self, games: Sequence[str]) -> list[str]:
        """Those of ``games`` that no other living node has."""
