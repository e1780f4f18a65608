"""A command on its way to a table, with the place its answer goes to."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from game_core.commands import Command
from game_core.decide.claims import was_refused
from game_core.errors import Refusal
from game_core.events import Moved, Offered
from lobby.errors import Conflict
from realtime.net.connection import Connection

if TYPE_CHECKING:
    from game_core.events import AnyEvent
    from game_core.game import Game

KEYS_KEPT = 64
"""Answers remembered by the client's key: a client repeats its last few requests, not its first."""

CLAIMS = "draw"
"""The request by which draws are claimed, offered and answered; a move comes of none but a claim."""

Answer = dict[str, Any]
"""The fields of an ``ok`` besides ``t`` and ``id``."""


Known = TypeVar("Known")


class IdempotencyCache(Generic[Known]):
    """What was answered to requests with a key: who repeats one gets the same."""

    __slots__ = ("_answers",)

    def __init__(self) -> None:
        self._answers: OrderedDict[tuple[str, str], Known] = OrderedDict()

    def remember(self, user: str, key: str | None, answer: Known) -> None:
        """``answer`` was given to ``user``; a request without a key is never repeated."""
        if key is not None:
            self._answers[user, key] = answer
            if len(self._answers) > KEYS_KEPT:
                self._answers.popitem(last=False)

    def known(self, user: str, key: str | None) -> Known | None:
        """What ``user`` was answered to the request with this key; None if it is new."""
        return None if key is None else self._answers.get((user, key))


def answer_to(event: AnyEvent, seq: int) -> Answer:
    """The answer to the request that caused ``event``, its first: the same now and whenever it is asked again."""
    if isinstance(event, Offered) and event.next is not None:
        return {"seq": seq, "g": event.next}
    return {"seq": seq}


def needs_game(event: AnyEvent, request: str) -> bool:
    """Whether the answer to ``request``, whose first event is ``event``, depends on how the game stood after that."""
    return isinstance(event, Moved) and request == CLAIMS


def answer_again(game: Game, event: AnyEvent, request: str, seq: int) -> Answer | Refusal:
    """What was answered to ``request``, whose first event has number ``seq``.

    ``game``: as it stood after that, where the answer ``needs_game``; else any.
    """
    if needs_game(event, request):
        # A claim that was wrong: its move stands.
        message = was_refused(game)
        if message is not None:
            return Conflict(message)
    return answer_to(event, seq)


def unanswered(answer: Answer | Refusal) -> None:
    """The server's own commands have nobody who waits."""


class PendingCommand(msgspec.Struct, frozen=True):
    """Somebody asks a table for something.

    Attributes:
        received_ms: when the frame was received, on the game axis; what the clocks go by.
        answer: called exactly once, after the events that the command caused have been sent.
        refusal: what is answered though it caused events.
        connection: whose it is; what it is told goes out in one write. None: the server's, or nobody's who listens.
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
    refusal: Refusal | None = None
    connection: Connection | None = None
