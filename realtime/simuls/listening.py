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
    connection, audience = session.connection, hall.audience
    if connection.closed:
        return
    topic, seq = audience.heard_by(None if session.user is None else session.user.id)
    session.ok(request.id, {"seq": seq})
    missed = None if request.from_seq is None else topic.since(request.from_seq, seq)
    audience.join(connection)
    if missed is None:
        audience.show(connection)
    else:
        for message in missed:
            connection.write(message.frame(connection.codec))
        connection.write_droppable(Message(audience.crowd()).frame(connection.codec))
        if session.user is not None:
            audience.tell_own(session.user.id)

    def leave() -> None:
        audience.topic.remove(connection)
        session.catch_ups.pop(request.topic, None)

    session.topics[request.topic] = leave
    session.catch_ups[request.topic] = partial(audience.catch_up, connection)
