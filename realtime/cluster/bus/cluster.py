"""Cluster membership, as recorded in the database, and request-reply between nodes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from game_core.errors import Refusal
from lobby.errors import BadMessage, Unavailable
from realtime.cluster.bus.links import ANSWER, MESSAGE, REFUSAL, REQUEST, Item, Links
from realtime.cluster.bus.open_requests import OpenRequests, Reason, Unreachable
from realtime.postgres.database import FAILURES, classify

if TYPE_CHECKING:
    from collections.abc import Awaitable, Collection

    from realtime.cluster.bus.bus import Bus
    from realtime.postgres.database import Pool

    Answer = Callable[[Any], None]
    """Callback for the answer to a question: a struct, None, or a ``Refusal`` for the asker."""

REQUEST_TIMEOUT_S = 5.0
"""Default timeout of a question."""

POLL_INTERVAL_S = 1.0
"""Interval between two reads of the list of live nodes."""

HEARTBEAT_S = 0.5

IDLE_S = 0.4
"""A node that was sent nothing for this long gets an empty parcel at the next tick, so each gets one every half second.
"""

T = TypeVar("T")

_encode = msgspec.msgpack.Encoder().encode

log = logging.getLogger(__name__)


class _Handler(msgspec.Struct, frozen=True):
    decode: Callable[[msgspec.Raw], Any]
    handle: Callable[..., None]


class Cluster:
    """This node and its view of the other live nodes.

    A node is alive if its row in ``node`` has an unexpired lease. Whether it is reachable is reported by the links.

    Attributes:
        node: the id of this node.
        others: the ids of all other live nodes.
        draining: those of them that are about to stop.
        is_lone: this node has no bus to others; during its own replacement another node may still be alive briefly.
        on_came, on_gone: called with the id of a node that has become alive, or is no longer alive.
        on_gap: called with the id of a node some of whose messages were lost.
    """

    def __init__(self, node: str, bus: Bus, pool: Pool, *, is_lone: bool = False) -> None:
        self.node = node
        self.is_lone = is_lone
        self.others: frozenset[str] = frozenset()
        self.draining: frozenset[str] = frozenset()
        self.on_came: list[Callable[[str], None]] = []
        self.on_gone: list[Callable[[str], None]] = []
        self.on_gap: list[Callable[[str], None]] = []
        self._bus = bus
        self._pool = pool
        self._links = Links(node, bus, on_item=self._dispatch, on_gap=self._missed, on_new=self._met)
        self._handlers: dict[str, _Handler] = {}
        self._requests = OpenRequests()
        self._work: set[asyncio.Task[None]] = set()
        self._tasks: list[asyncio.Task[None]] = []
        self._unheard: set[str] | None = set()
        """While this node starts: nodes whose messages no handler has received yet. None: start-up is complete."""
        self._looked_at = 0.0
        """Loop time of the last successful read of the node list."""
        self._looks = self._looked = 0
        """Number of reads started, and number of the newest read whose result was applied."""

    # -- life ---------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Open the bus and read the list of live nodes."""
        await self._bus.open(self.node, self._links.receive)
        await self.look()
        self._links.beat(self.others, 0.0)
        # Both run concurrently: a node whose database is slow still announces itself.
        self._tasks = [
            asyncio.create_task(self._heartbeat(), name="be heard in the cluster"),
            asyncio.create_task(self._run(), name="look at the cluster"),
        ]

    def complete(self) -> None:
        """Finish start-up: all handlers are registered. Messages that arrived earlier count as lost."""
        unheard, self._unheard = self._unheard or set(), None
        for node in unheard & self.others:
            _call(self.on_gap, node)

    async def close(self) -> None:
        """Leave the cluster. Open questions end with ``Unreachable``."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for task in self._work:
            task.cancel()
        await asyncio.gather(*self._work, return_exceptions=True)
        await self._bus.close()
        self._requests.fail_all()

    async def _heartbeat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_S)
            try:
                self._links.beat(self.others, IDLE_S)
            except Exception:  # the top of a task
                log.exception("a node could not be told that this node is here")

    async def _run(self) -> None:
        blind = False
        while True:
            await asyncio.sleep(POLL_INTERVAL_S)
            try:
                await self.look()
            except Exception as error:  # the top of a task
                if not isinstance(error, FAILURES) or classify(error) is None:
                    log.exception("the live nodes could not be looked up")
                elif not blind:
                    blind = True
                    log.warning("the live nodes are unknown, the database is in trouble: %r", error)
            else:
                blind = False

    async def look(self) -> None:
        """Read the live nodes from the database. Raises any query error."""
        self._looks += 1
        number, started_at = self._looks, asyncio.get_running_loop().time()
        rows = await self._pool.fetch("SELECT id, is_draining FROM node WHERE expires_at > now()")
        if number < self._looked:
            return  # a later read has already been applied
        self._looked, self._looked_at = number, started_at
        found = frozenset(row["id"] for row in rows) - {self.node}
        leaving = self.draining
        # A node that announced its drain stays draining: the database records it only once its balancers know.
        self.draining = (leaving & found) | frozenset(row["id"] for row in rows if row["is_draining"]) - {self.node}
        # A node whose lease has expired may still send, and become known to the links again: it then goes twice.
        came, gone = found - self.others, (self.others | self._links.silent()) - found
        self.others = found
        for node in came:
            log.info("node %s has joined", node)
            _call(self.on_came, node)
        for node in gone:
            if node in leaving:
                log.info("node %s has left", node)
            else:
                log.warning("node %s is gone", node)
            self._links.forget(node)
            self._requests.fail(node)
            _call(self.on_gone, node)

    def note_draining(self, node: str) -> None:
        """Mark ``node`` as draining. Its message arrives before the database says so."""
        if node in self.others:
            self.draining |= {node}

    @property
    def is_alone(self) -> bool:
        """Return whether no other node is alive."""
        return not self.others

    def unlooked_s(self) -> float:
        """Return the seconds since the last successful read of the node list."""
        return asyncio.get_running_loop().time() - self._looked_at

    @property
    def is_up(self) -> bool:
        """Return whether the bus can reach other nodes."""
        return self._bus.is_up

    def is_reached(self, node: str) -> bool:
        """Return whether ``node`` was heard lately. Always true of this node."""
        return node == self.node or self._links.is_reached(node)

    # -- saying -------------------------------------------------------------------------------------------

    def send(self, node: str, topic: str, body: Any) -> None:
        """Send ``node`` a one-way message, which may be lost.

        Raises ``ValueError`` if it exceeds the size limit.
        """
        self._links.send(node, MESSAGE, 0, topic, _encode(body))

    def send_to(self, nodes: Collection[str], topic: str, body: Any) -> None:
        """Send a one-way message to each of ``nodes``."""
        if nodes:
            encoded = _encode(body)
            for node in nodes:
                self._links.send(node, MESSAGE, 0, topic, encoded)

    def broadcast(self, topic: str, body: Any) -> None:
        """Send a one-way message to every other node."""
        self.send_to(self.others, topic, body)

    async def request(
        self,
        node: str,
        topic: str,
        body: Any,
        answer: type[T],
        timeout_s: float = REQUEST_TIMEOUT_S,
        *,
        may_repeat: bool = False,
    ) -> T:
        """Ask ``node`` a question and wait for its answer.

        Args:
            may_repeat: the request is idempotent, so it is safe to ask again.

        Raises:
            Refusal: ``node`` refused.
            Unreachable: no answer came; the request may have been carried out.
            Lost: the same, for a repeatable question, as soon as a lost message is detected.
        """
        if not self._links.is_reached(node):
            raise Unreachable

        def send(number: int) -> None:
            self._links.send(node, REQUEST, number, topic, _encode(body))

        try:
            encoded = await self._requests.ask(node, send, timeout_s, may_repeat=may_repeat)
        except ValueError as error:
            raise BadMessage("the request is too large to forward") from error
        return msgspec.msgpack.decode(encoded, type=answer)

    # -- hearing ------------------------------------------------------------------------------------------

    def subscribe(self, topic: str, kind: type[T], handle: Callable[[str, T], None]) -> None:
        """Register ``handle`` for messages on ``topic``. It gets the sender and the body, in the order of sending."""
        self._handlers[topic] = _Handler(msgspec.msgpack.Decoder(kind).decode, handle)

    def on_request(self, topic: str, kind: type[T], handle: Callable[[str, T, Answer], None]) -> None:
        """Register ``handle`` for questions on ``topic``: it gets the sender, the body and the answer callback."""
        self._handlers[topic] = _Handler(msgspec.msgpack.Decoder(kind).decode, handle)

    def serve(self, topic: str, kind: type[T], work: Callable[[str, T], Awaitable[Any]]) -> None:
        """Register a coroutine for questions on ``topic``. It returns the answer or raises the refusal."""

        def handle(sender: str, body: T, answer: Answer) -> None:
            task = asyncio.create_task(self._work_on(work(sender, body), answer), name=f"{topic} for {sender}")
            self._work.add(task)
            task.add_done_callback(self._work.discard)

        self.on_request(topic, kind, handle)

    async def _work_on(self, work: Awaitable[Any], answer: Answer) -> None:
        try:
            done = await work
        except Refusal as error:
            answer(error)
        except Exception as error:  # the top of a task
            if not isinstance(error, FAILURES) or classify(error) is None:
                log.exception("a request from another node failed")
            answer(Unavailable("the server responsible for this failed; try again"))
        else:
            answer(done)

    def _dispatch(self, sender: str, item: Item) -> None:
        handler = self._handlers.get(item.topic)
        try:
            if item.kind in (ANSWER, REFUSAL):
                self._requests.resolve(sender, item)
                return
            if handler is None and self._unheard is not None:
                self._unheard.add(sender)
                if item.kind == REQUEST:
                    self._answer_to(sender, item.number)(Unavailable("the server responsible for this is starting"))
                return
            if handler is None:
                raise Unavailable(f"this version of the server knows nothing of {item.topic}")  # noqa: TRY301
            body = handler.decode(item.body)
            if item.kind == MESSAGE:
                handler.handle(sender, body)
            else:
                handler.handle(sender, body, self._answer_to(sender, item.number))
        except Refusal as error:
            log.warning("node %s: %s", sender, error)
            if item.kind == REQUEST:
                self._answer_to(sender, item.number)(error)
        except Exception:  # one bad message must not stop the others
            log.exception("a message of node %s on %s could not be processed", sender, item.topic)
            if item.kind == REQUEST:
                self._answer_to(sender, item.number)(Unavailable("the server responsible for this failed"))

    def _answer_to(self, sender: str, number: int) -> Answer:
        def answer(outcome: Any) -> None:
            if isinstance(outcome, Refusal):
                self._links.send(sender, REFUSAL, number, outcome.code, _encode(Reason(outcome.message)))
                return
            encoded = _encode(outcome)
            try:
                self._links.send(sender, ANSWER, number, "", encoded)
            except ValueError as error:
                log.error("a response is too large: %s", error)  # noqa: TRY400  it says all
                answer(Unavailable("the response is too large to forward"))

        return answer

    def _met(self, sender: str) -> None:
        """Handle a new or returning node: broadcasts must reach ``sender`` from now on."""
        if sender not in self.others:
            task = asyncio.create_task(self._look_once(), name=f"look for {sender}")
            self._work.add(task)
            task.add_done_callback(self._work.discard)

    async def _look_once(self) -> None:
        try:
            await self.look()
        except FAILURES as error:
            log.debug("joined nodes are looked up again in a second: %r", error)
        except Exception:  # the top of a task
            log.exception("joined nodes could not be looked up")

    def ask_again(self, node: str) -> None:
        """Fail the repeatable questions to ``node`` at once, because messages to or from it were lost."""
        self._requests.lose(node)

    def _missed(self, sender: str) -> None:
        log.info("messages of node %s were lost; reading their state again", sender)
        self.ask_again(sender)
        _call(self.on_gap, sender)


def _call(handlers: list[Callable[[str], None]], node: str) -> None:
    """Call each of ``handlers`` with ``node``. An error in one handler does not keep the others from being called."""
    for handle in handlers:
        try:
            handle(node)
        except Exception:  # of one part of many
            log.exception("a change of node %s could not be processed", node)
