"""A command on its way to a table, with the place its answer goes to."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from game_core.commands import Command

if TYPE_CHECKING:
    from realtime.errors import WireError

Answer = dict[str, Any]
"""The fields of an ``ok`` besides ``t`` and ``id``."""


def unanswered(answer: Answer | WireError) -> None:
    """The server's own commands have nobody who waits."""


class Ask(msgspec.Struct, frozen=True):
    """Somebody asks a table for something.

    Attributes:
        received_ms: when the frame was received, on the game axis; what the clocks go by.
        answer: called exactly once, after the events that the command caused have been sent.
    """

    command: Command
    received_ms: int
    user: str | None = None
    """The user's id; None for the server."""
    key: str | None = None
    """The client's key, under which the same answer is given again."""
    request: str = ""
    """The type of the request, for the journal."""
    answer: Callable[[Any], None] = unanswered
