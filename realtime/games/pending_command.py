"""A command on its way to a table, and where its answer goes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from game_core.commands import Command
from game_core.decide.claims import was_refused
from game_core.errors import Refusal
from game_core.events import Moved, Offered, Ruled
from lobby.errors import Conflict
from realtime.net.connection import Connection

if TYPE_CHECKING:
    from game_core.events import AnyEvent
    from game_core.game import Game

KEYS_KEPT = 64
"""Answers remembered by idempotency key: a client repeats its last few requests, not older ones."""

CLAIMS = "draw"
"""The request that claims, offers and answers draws. Only a claim causes a move."""

Answer = dict[str, Any]
"""The fields of an ``ok`` apart from ``t`` and ``id``."""


Known = TypeVar("Known")


class IdempotencyCache(Generic[Known]):
    """Answers by idempotency key: a repeated request gets the same answer."""

    __slots__ = ("_answers",)

    def __init__(self) -> None:
        self._answers: OrderedDict[tuple[str, str], Known] = OrderedDict()

    def remember(self, user: str, key: str | None, answer: Known) -> None:
        """Remember the ``answer`` given to ``user``. Requests without a key are not remembered."""
        if key is not None:
            self._answers[user, key] = answer
            if len(self._answers) > KEYS_KEPT:
                self._answers.popitem(last=False)

    def known(self, user: str, key: str | None) -> Known | None:
        """Return the answer that ``user`` got to the request with this key; None if it is new."""
        return None if key is None else self._answers.get((user, key))


def answer_to(event: AnyEvent, seq: int) -> Answer:
    """Return the answer to the request whose first event is ``event``. Repeated calls return the same."""
    if isinstance(event, Offered) and event.next is not None:
        return {"seq": seq, "g": event.next}
    return {"seq": seq}


def needs_game(event: AnyEvent, request: str) -> bool:
    """Return whether the answer to ``request``, whose first event is ``event``, depends on the game after that
    event."""
    return isinstance(event, Moved | Ruled) and request == CLAIMS


def answer_again(game: Game, event: AnyEvent, request: str, seq: int) -> Answer | Refusal:
    """Return the answer that was given to ``request``, whose first event has number ``seq``.

    Args:
        game: the game after that event if ``needs_game``; otherwise any.
    """
    if isinstance(event, Ruled) and request == CLAIMS:
        return Conflict(f"draw claim rejected: {game.rules.missing_for_claim(game.position)}")
    if needs_game(event, request):
        # A wrong claim: its move stands.
        message = was_refused(game)
        if message is not None:
            return Conflict(message)
    return answer_to(event, seq)


def unanswered(answer: Answer | Refusal) -> None:
    """Ignore the answer: no client waits for one of the server's own commands."""


class PendingCommand(msgspec.Struct, frozen=True):
    """A command for a table.

    Attributes:
        received_ms: when the frame was received, on the game axis; the clocks use this time.
        answer: called exactly once, after the events of the command have been sent.
        refusal: the answer although the command caused events.
        connection: the sender's socket, which gets events and answer in one write. For a request from another node it
            is a stand-in that writes nothing. None: a command of the server.
    """

    command: Command
    received_ms: int
    user: str | None = None
    """The user's id; None for the server."""
    key: str | None = None
    """The client's idempotency key."""
    request: str = ""
    """The type of the request, for the journal."""
    answer: Callable[[Any], None] = unanswered
    refusal: Refusal | None = None
    connection: Connection | None = None
