"""Recovery of live games after a start, in the background, until every game is loaded."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from game_core.errors import Refusal
from realtime.postgres.database import FAILURES

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

LOADS_AT_ONCE = 4
"""Games loaded at the same time after a start: enough to keep the database busy, few enough not to slow down the
players."""

RETRY_INTERVAL_S = 1.0
"""Delay between attempts to take over games that another node may still own; its lease ends after five seconds."""

log = logging.getLogger(__name__)


async def revive(own: Callable[[str], Awaitable[object]], ids: list[str]) -> None:
    """Call ``own`` for each of ``ids``. Repeat it for those that raise ``Refusal`` or a database failure."""
    while ids:
        queue, again, troubles = iter(ids), list[str](), list[BaseException]()

        async def worker(queue: Iterator[str], again: list[str], troubles: list[BaseException]) -> None:
            for game_id in queue:
                try:
                    await own(game_id)
                except Refusal:
                    again.append(game_id)
                except FAILURES as error:
                    troubles.append(error)
                    again.append(game_id)
                except Exception:
                    log.exception("a game could not be rebuilt", extra={"game": game_id})
                    again.append(game_id)

        await asyncio.gather(*(worker(queue, again, troubles) for _ in range(LOADS_AT_ONCE)))
        if troubles:
            log.warning("the database is in trouble (%r); %d games wait to be rebuilt", troubles[0], len(again))
        ids = again
        if ids:
            await asyncio.sleep(RETRY_INTERVAL_S)
