"""Background queue of outgoing mail. A request returns before its mail is sent, so its duration reveals nothing."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from lobby.errors import MailFailed, Unavailable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from lobby.ports import Mailer

MOST_WAITING = 50
"""Mails in the queue. Bounds the memory while a mail server hangs."""

log = logging.getLogger(__name__)


class MailQueue:
    """A queue of mail tasks.

    Args:
        mailer: None if the server sends no mail.
    """

    def __init__(self, mailer: Mailer | None) -> None:
        self._mailer = mailer
        self._tasks: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._tasks)

    @property
    def is_there(self) -> bool:
        """Whether the server sends mail."""
        return self._mailer is not None

    def post(self, write: Callable[[Mailer], Awaitable[None]]) -> None:
        """Schedule ``write`` with the mailer. Its errors are logged.

        Raises:
            Unavailable: the queue is full.
        """
        if len(self._tasks) >= MOST_WAITING:
            raise Unavailable("too many emails are being sent; try again later")
        task = asyncio.create_task(self._run(write), name="send a mail")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def settle(self) -> None:
        """Wait until the queue is empty."""
        await asyncio.gather(*self._tasks)

    async def close(self) -> None:
        """Cancel all queued mail."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _run(self, write: Callable[[Mailer], Awaitable[None]]) -> None:
        try:
            if self._mailer is None:
                log.warning("an email was requested, but no mail server is configured (--smtp)")
            else:
                await write(self._mailer)
        except MailFailed as error:
            log.warning("an email could not be sent: %s", error)
        except Exception:  # the top of a task
            log.exception("an email could not be composed")
