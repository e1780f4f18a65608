"""What people ask of an exhibition, and when they are answered: after all has been told that comes of it."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from realtime.protocol.errors import WireError
from simul import commands as c

if TYPE_CHECKING:
    from collections.abc import Callable

ANSWER_S = 8.0
"""So long an answer waits for the boards; then what was asked for is stored, and will be done there too. Less than a
request may take (``session.REQUEST_S``): it would be answered that nothing was stored."""


class HallAsk(msgspec.Struct, frozen=True):
    """Somebody asks for something; ``answer`` is set to the fields of the reply, or to the refusal."""

    command: c.Command
    user: str
    key: str | None
    request: str
    answer: asyncio.Future[dict[str, Any]]


def refuse(ask: HallAsk, error: WireError) -> None:
    """Answer that nothing comes of it."""
    if not ask.answer.done():
        ask.answer.set_exception(error)
        ask.answer.exception()  # whoever asked may be gone: then nobody fetches it


async def answer_when_told(
    ask: HallAsk,
    reply: dict[str, Any],
    carried_out: asyncio.Future[None],
    ending: Callable[[], asyncio.Task[None] | None],
) -> None:
    """Answer when what was asked for has been told: at the boards, too, and that the last of them was over.

    Args:
        carried_out: done when the boards have heard of it.
        ending: what is about to tell of the end; None if nothing is.
    """
    try:
        with suppress(TimeoutError):
            async with asyncio.timeout(ANSWER_S):
                await carried_out
                while (work := ending()) is not None:
                    await asyncio.wait((work,))
    except asyncio.CancelledError:
        refuse(ask, WireError("unavailable", "the exhibition is elsewhere now; ask again"))
        raise
    ask.answer.set_result(reply)
