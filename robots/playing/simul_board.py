"""A robot's move at a board of a simul whose host goes from board to board: played if the host is there, else
prepared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from game_core import holds
from robots.client import BotRefused

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from robots.client import Message

MOVE, PREPARE = "move", "simul.prepare"


async def send_move(
    send: Callable[..., Awaitable[Message]], fields: dict[str, Any], simul: str | None, held: str | None
) -> bool:
    """Send the move ``fields`` of the request ``move``. Returns whether it was prepared, to be played by the server.

    Args:
        send: sends a request; raises ``BotRefused`` or ``BotDisconnected``.
        simul: of which the game is a board; None: of none.
        held: why the clocks of the board stand. A board without clocks does not tell, and the host may come or go at
            any moment: when one request is in conflict with that, the other is right.
    """
    if simul is None:
        await send(MOVE, **fields)
        return False
    order = (PREPARE, MOVE) if held == holds.ROUND else (MOVE, PREPARE)
    for kind in order:
        try:
            await send(kind, **(fields if kind == MOVE else _prepared(fields, simul)))
        except BotRefused as error:
            if error.code != "conflict" or kind == order[-1]:
                raise
        else:
            return kind == PREPARE
    raise AssertionError("the last request raises")


def _prepared(fields: dict[str, Any], simul: str) -> dict[str, Any]:
    return {"simul": simul, **{name: fields[name] for name in ("g", "ply", "move")}}
