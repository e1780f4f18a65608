"""Requests of this node to others that are not answered yet."""

from __future__ import annotations

import asyncio
import itertools
from typing import TYPE_CHECKING

import msgspec

from lobby.errors import Unavailable, refusal_of
from realtime.cluster.bus.links import ANSWER

if TYPE_CHECKING:
    from collections.abc import Callable

    from realtime.cluster.bus.links import Item

UNANSWERED = 20_000
"""Maximum number of unanswered requests."""


class Unreachable(Unavailable):
    """Another node did not answer, so it is unknown whether it carried out the request."""

    def __init__(self, message: str = "the server responsible for this cannot be reached; try again") -> None:
        super().__init__(message)


class Lost(Unreachable):
    """Messages between both nodes were lost, perhaps the question or its answer. Repeatable questions are retried."""


class Reason(msgspec.Struct, array_like=True, frozen=True):
    """Why another node refuses."""

    message: str


class OpenRequests:
    """Requests of one node, each until it is answered or fails."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._open: dict[int, tuple[str, asyncio.Future[msgspec.Raw]]] = {}
        self._repeatable: dict[str, set[int]] = {}
        """By node: those that may be repeated."""

    def __len__(self) -> int:
        return len(self._open)

    async def ask(self, node: str, send: Callable[[int], None], timeout_s: float, *, may_repeat: bool) -> msgspec.Raw:
        """Send a request to ``node`` and wait for its answer.

        Args:
            send: sends the request with this number.
            may_repeat: the request is idempotent, so it is safe to ask again.

        Raises:
            Refusal: ``node`` refused.
            Unreachable: no answer came; the request may have been carried out.
            Lost: the same, for a repeatable request, as soon as a lost message is detected.
        """
        if len(self._open) >= UNANSWERED:
            raise Unreachable
        number, loop = next(self._numbers), asyncio.get_running_loop()
        future: asyncio.Future[msgspec.Raw] = loop.create_future()
        self._open[number] = (node, future)
        if may_repeat:
            self._repeatable.setdefault(node, set()).add(number)
        timer = loop.call_later(timeout_s, self._fail, number)  # half the cost of asyncio.timeout
        try:
            send(number)
            return await future
        finally:
            timer.cancel()
            self._open.pop(number, None)
            if may_repeat and (open_there := self._repeatable.get(node)) is not None:
                open_there.discard(number)

    def resolve(self, sender: str, item: Item) -> None:
        """Handle the answer or refusal ``item`` of ``sender``."""
        node, future = self._open.get(item.number, (None, None))
        if node != sender or future is None or future.done():
            return  # too late
        if item.kind == ANSWER:
            future.set_result(item.body)
        else:
            reason = msgspec.msgpack.decode(item.body, type=Reason)
            future.set_exception(refusal_of(item.topic, reason.message))  # type: ignore[arg-type]  # a code of ours

    def lose(self, node: str) -> None:
        """Fail the repeatable requests to ``node`` at once, because messages to or from it were lost."""
        for number in self._repeatable.pop(node, ()):
            self._fail(number, Lost())

    def fail(self, node: str) -> None:
        """Fail the requests to ``node``, which is gone."""
        self._repeatable.pop(node, None)
        for number in [number for number, (whom, _) in self._open.items() if whom == node]:
            self._fail(number)

    def fail_all(self) -> None:
        """Fail all requests."""
        for number in tuple(self._open):
            self._fail(number)

    def _fail(self, number: int, error: Unreachable | None = None) -> None:
        _, future = self._open.pop(number, (None, None))
        if future is not None and not future.done():
            future.set_exception(error or Unreachable())
