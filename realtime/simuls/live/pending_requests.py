"""Pending requests of users to a simul: each is answered after its consequences have been published."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from lobby.errors import Unavailable
from simul import commands as c

if TYPE_CHECKING:
    from collections.abc import Callable

    from game_core.errors import Refusal

ANSWER_S = 8.0
"""Maximum time an answer waits for the boards; by then the request is stored and the boards will follow. It is shorter
than the limit of a request (``session.REQUEST_S``), after which the client would be told that nothing was stored.
"""


class PendingRequest(msgspec.Struct, frozen=True):
    """A request; ``answer`` is set to the fields of the reply, or to the refusal."""

    command: c.SimulCommand
    user: str
    key: str | None
    request: str
    answer: asyncio.Future[dict[str, Any]]


def refuse(pending: PendingRequest, error: Refusal) -> None:
    """Refuse the request."""
    if not pending.answer.done():
        pending.answer.set_exception(error)
        pending.answer.exception()  # mark it as retrieved, since the client may be gone


async def answer_when_published(
    pending: PendingRequest,
    reply: dict[str, Any],
    carried_out: asyncio.Future[None],
    ending: Callable[[], asyncio.Task[None] | None],
) -> None:
    """Answer once the consequences have been published, at the boards as well, and the end if the last board has
    finished.

    Args:
        carried_out: done when the boards have received their commands.
        ending: task that publishes the end; None if there is none.
    """
    try:
        with suppress(TimeoutError):
            async with asyncio.timeout(ANSWER_S):
                await carried_out
                while (work := ending()) is not None:
                    await asyncio.wait((work,))
    except asyncio.CancelledError:
        refuse(pending, Unavailable("another node owns this simul now; try again"))
        raise
    pending.answer.set_result(reply)
