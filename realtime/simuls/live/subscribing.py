"""``sub`` to ``simul:ID``."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from realtime.fanout.message import Message
from realtime.simuls.replica.simul_replica import RemoteSimul

if TYPE_CHECKING:
    from collections.abc import Mapping

    from realtime.fanout.session import Session
    from realtime.net.connection import Connection
    from realtime.protocol.requests import Sub
    from realtime.simuls.live.simuls import Simuls
    from realtime.simuls.live.topic import SimulTopic


class Subscribable(Protocol):
    """Something to listen to: ``Audience`` on the leader, otherwise ``RemoteSimul``."""

    topic: SimulTopic

    def topic_for(self, user: str | None) -> tuple[SimulTopic, int]:
        """Return the topic that ``user`` hears, and the number of its last event."""

    def join(self, connection: Connection) -> None:
        """Add ``connection`` as a listener. It has been sent everything up to now."""

    def show(self, connection: Connection) -> None:
        """Send the snapshot that the user of ``connection`` may see."""

    def crowd(self) -> Mapping[str, Any]:
        """Return the current ``simul.crowd``."""

    def send_own(self, user: str) -> None:
        """Send ``user`` their private part."""


async def listen(simuls: Simuls, simul_id: str, session: Session, request: Sub) -> None:
    """Subscribe to a simul, whichever node leads it. Raises ``Refusal``."""
    while True:
        place = await simuls.find(simul_id, request.from_seq)
        if not isinstance(place, RemoteSimul):
            _listen(place.audience, session, request)
            return
        if await place.until_known(None if session.user is None else session.user.id, request.from_seq):
            _listen(place, session, request)
            return


def _listen(source: Subscribable, session: Session, request: Sub) -> None:
    """Send ``ok`` with the current ``seq``, then the events after ``from``, or the snapshot."""
    connection = session.connection
    if connection.closed:
        return
    topic, seq = source.topic_for(None if session.user is None else session.user.id)
    session.ok(request.id, {"seq": seq})
    missed = None if request.from_seq is None else topic.since(request.from_seq, seq)
    source.join(connection)
    if missed is None:
        source.show(connection)
    else:
        for message in missed:
            connection.write(message.frame(connection.codec))
        connection.write_droppable(Message(source.crowd()).frame(connection.codec))
        if session.user is not None:
            source.send_own(session.user.id)
    listened = source.topic  # unchanged when another node takes over

    def leave() -> None:
        listened.remove(connection)
        session.catch_ups.pop(request.topic, None)

    session.topics[request.topic] = leave
    session.catch_ups[request.topic] = partial(listened.catch_up, connection)
