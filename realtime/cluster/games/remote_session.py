"""Session of a client that is connected to another node, at the owner of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from realtime.fanout.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable

    from game_core.errors import Refusal
    from lobby.accounts.user import User
    from realtime.fanout.topics import Topic
    from realtime.net.connection import Connection


class RemoteConnection:
    """Stand-in for the socket of a client connected to another node, with what a table needs of it."""

    number = 0
    closed = False

    def __init__(self, user: User, ceiling_ms: int) -> None:
        self.user = user
        self._ceiling_ms = ceiling_ms

    def ceiling_ms(self, unmeasured_quota_ms: int) -> int:
        """Return the lag ceiling that the player's own node has computed."""
        return self._ceiling_ms

    def cork(self) -> None:
        """Do nothing: no data is written to it."""

    def uncork(self) -> None:
        """Do nothing: no data was held back."""


class RemoteSession(Session):
    """Session of a client connected to another node. One is created per request."""

    def __init__(self, user: User, ceiling_ms: int, answer: Callable[[Any], None]) -> None:
        super().__init__(cast("Connection", RemoteConnection(user, ceiling_ms)))
        self._answer: Callable[[Any], None] | None = answer

    def knows_laws(self, topic: Topic) -> bool:
        """Return True: the player's own node has checked it."""
        return True

    def ok(self, request_id: int | None, fields: dict[str, Any]) -> None:
        """Record the answer. Request numbers are known to the player's own node only."""
        self.say(fields)

    def error(self, request_id: int | None, error: Refusal) -> None:
        """Record the error. Request numbers are known to the player's own node only."""
        self.say(error)

    def say(self, outcome: Any) -> None:
        """Answer, once."""
        answer, self._answer = self._answer, None
        if answer is not None:
            answer(outcome)
