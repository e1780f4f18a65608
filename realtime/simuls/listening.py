"""``sub`` to ``simul:ID``."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from realtime.topics import Message

if TYPE_CHECKING:
    from realtime.requests import Sub
    from realtime.session import Session
    from realtime.simuls.hall import Hall


def listen(hall: Hall, session: Session, request: Sub) -> None:
    """Subscribe: ``ok`` with the present ``seq``, then the events after ``from``, or the snapshot."""
    connection, topic, seq = session.connection, hall.topic, hall.feed.seq
    if connection.closed:
        return
    session.ok(request.id, {"seq": seq})
    missed = None if request.from_seq is None else topic.since(request.from_seq, seq)
    hall.audience.join(connection)
    if missed is None:
        hall.audience.show(connection)
    else:
        for message in missed:
            connection.write(message.frame(connection.codec))
        connection.write_droppable(Message(hall.audience.crowd()).frame(connection.codec))
        if session.user is not None:
            hall.audience.tell_own(session.user.id)

    def leave() -> None:
        hall.topic.remove(connection)
        session.catch_ups.pop(request.topic, None)

    session.topics[request.topic] = leave
    session.catch_ups[request.topic] = partial(topic.catch_up, connection)
