"""Messages for events: one function for each kind of event. An event without one is not announced, or only to one
person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from msgspec import UNSET

from lobby.accounts.user import user_wire
from simul import events as e
from simul.people import person_wire
from simul.score import final_wire, score_wire
from simul.setup import setup_wire

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from simul.people import Person
    from simul.state import Simul
    from simul.wire import HostClockWire, SimulBoardWire
    from simul.wire_events import (
        SimulAcceptedWire,
        SimulAtWire,
        SimulAwayWire,
        SimulBoardEventWire,
        SimulBreakWire,
        SimulCancelledWire,
        SimulEditedWire,
        SimulEventWire,
        SimulFinishedWire,
        SimulJoinedWire,
        SimulKickedWire,
        SimulLaterWire,
        SimulLeftWire,
        SimulPassedWire,
        SimulRejectedWire,
        SimulStartedWire,
    )

    Announce = Callable[["MessageContext", Any, Person | None], SimulEventWire]


class MessageContext(Protocol):
    """The part of ``simul.feed.Feed`` that messages need."""

    @property
    def state(self) -> Simul:
        """The state after the event."""

    @property
    def boards(self) -> Sequence[SimulBoardWire]:
        """All boards."""

    @property
    def host_clock(self) -> HostClockWire | None:
        """The host's one clock in ``round`` mode."""

    def next_seq(self) -> int:
        """Return the sequence number of the message."""

    def changes(self, number: int) -> dict[str, Any]:
        """Return the changed fields of a board."""

    def board_message(self, number: int) -> SimulBoardEventWire:
        """Return a message about a board."""


def _edited(feed: MessageContext, event: e.Edited, gone: Person | None) -> SimulEditedWire:
    state = feed.state
    body: SimulEditedWire = {"t": "simul.edited", "simul": state.id, "seq": feed.next_seq()}
    body["terms"] = setup_wire(state.setup)
    if event.stand_in is not UNSET:
        body["stand_in"] = None if event.stand_in is None else user_wire(event.stand_in)
    return body


def _arranged(feed: MessageContext, event: e.Arranged, gone: Person | None) -> SimulEditedWire | SimulBoardEventWire:
    number, person = feed.state.seats.get(event.user), feed.state.person_of(event.user)
    if number is not None:
        return feed.board_message(number)
    assert person is not None, "a person of this simul"
    return {
        "t": "simul.edited",
        "simul": feed.state.id,
        "seq": feed.next_seq(),
        "person": person_wire(person, feed.state.setup),
    }


def _gift_taken_back(feed: MessageContext, event: e.GiftTakenBack, gone: Person | None) -> SimulBoardEventWire:
    """A field that is zero again is absent from a board's map, so its reset is sent explicitly."""
    body, person = feed.board_message(event.board), feed.state.boards[event.board - 1].person
    if event.player_s:
        body["player_extra_s"] = person.player_extra_s
    if event.host_s:
        body["host_extra_s"] = person.host_extra_s
    return body


def _joined(feed: MessageContext, event: e.Joined, gone: Person | None) -> SimulJoinedWire:
    return {
        "t": "simul.joined",
        "simul": feed.state.id,
        "seq": feed.next_seq(),
        "user": person_wire(event.person, feed.state.setup),
    }


def _accepted(feed: MessageContext, event: e.Accepted, gone: Person | None) -> SimulAcceptedWire:
    person = feed.state.players[event.user]
    return {
        "t": "simul.accepted",
        "simul": feed.state.id,
        "seq": feed.next_seq(),
        "user": person_wire(person, feed.state.setup),
    }


def _left(feed: MessageContext, event: e.Left, gone: Person | None) -> SimulLeftWire:
    assert gone is not None, "a person who was in this simul"
    return {"t": "simul.left", "simul": feed.state.id, "seq": feed.next_seq(), "user": user_wire(gone.user)}


def _rejected(feed: MessageContext, event: e.Rejected, gone: Person | None) -> SimulRejectedWire:
    assert gone is not None, "a person who was in this simul"
    return {"t": "simul.rejected", "simul": feed.state.id, "seq": feed.next_seq(), "user": user_wire(gone.user)}


def _kicked(feed: MessageContext, event: e.Kicked, gone: Person | None) -> SimulKickedWire:
    assert gone is not None, "a person who was in this simul"
    return {"t": "simul.kicked", "simul": feed.state.id, "seq": feed.next_seq(), "user": user_wire(gone.user)}


def _started(feed: MessageContext, event: e.Started, gone: Person | None) -> SimulStartedWire:
    state = feed.state
    body: SimulStartedWire = {
        "t": "simul.started",
        "simul": state.id,
        "seq": feed.next_seq(),
        "status": state.status,
        "players": [],
        "boards": list(feed.boards),
        "order": list(state.round) if state.is_round else [],
        "score": score_wire(state.score),
        "at": state.at,
        "started": event.at_ms,
        "host_clock": feed.host_clock,
    }
    if not state.applicants:
        body["applicants"] = []
    return body


def _board_added(feed: MessageContext, event: e.BoardAdded, gone: Person | None) -> SimulBoardEventWire:
    body = feed.board_message(event.seat.board)
    body["score"] = score_wire(feed.state.score)
    if feed.host_clock is not None:
        body["host_clock"] = feed.host_clock
    return body


def _at(feed: MessageContext, event: e.At, gone: Person | None) -> SimulAtWire:
    if event.board is not None:
        feed.changes(event.board)  # it is not put off any more
    body: SimulAtWire = {"t": "simul.at", "simul": feed.state.id, "seq": feed.next_seq(), "board": event.board}
    if feed.host_clock is not None:
        body["host_clock"] = feed.host_clock
    return body


def _put_off(feed: MessageContext, event: e.PutOff, gone: Person | None) -> SimulLaterWire:
    feed.changes(event.board)
    on = feed.state.is_later(event.board)  # its game may have continued meanwhile
    return {"t": "simul.later", "simul": feed.state.id, "seq": feed.next_seq(), "board": event.board, "on": on}


def _break(feed: MessageContext, event: e.Break, gone: Person | None) -> SimulBreakWire:
    body: SimulBreakWire = {"t": "simul.break", "simul": feed.state.id, "seq": feed.next_seq(), "until": event.until}
    if feed.host_clock is not None:
        body["host_clock"] = feed.host_clock
    return body


def _away(feed: MessageContext, event: e.Away, gone: Person | None) -> SimulAwayWire:
    body: SimulAwayWire = {"t": "simul.away", "simul": feed.state.id, "seq": feed.next_seq(), "since": event.since}
    if feed.state.stand_in is not None:
        body["acting"], body["offered"] = event.by_stand_in, event.offered
    if feed.host_clock is not None:
        body["host_clock"] = feed.host_clock
    return body


def _passed(feed: MessageContext, event: e.TurnPassed, gone: Person | None) -> SimulPassedWire:
    feed.changes(event.board)
    passes = feed.state.boards[event.board - 1].passes_left
    return {"t": "simul.passed", "simul": feed.state.id, "seq": feed.next_seq(), "board": event.board, "passes": passes}


def _cancelled(feed: MessageContext, event: e.Cancelled, gone: Person | None) -> SimulCancelledWire:
    return {
        "t": "simul.cancelled",
        "simul": feed.state.id,
        "seq": feed.next_seq(),
        "status": feed.state.status,
        "applicants": [],
        "players": [],
    }


def _finished(feed: MessageContext, event: e.Finished, gone: Person | None) -> SimulFinishedWire:
    score = final_wire(event.score, event.final)
    body: SimulFinishedWire = {
        "t": "simul.finished",
        "simul": feed.state.id,
        "seq": feed.next_seq(),
        "status": feed.state.status,
        "break_until": None,
        "away_since": None,
        "score": score,
        "finished": event.at_ms,
    }
    if feed.state.stand_in is not None:
        body["acting"] = body["offered"] = False
    return body


ANNOUNCE: dict[type[e.AnySimulEvent], Announce] = {
    e.Edited: _edited,
    e.Arranged: _arranged,
    e.GiftTakenBack: _gift_taken_back,
    e.Joined: _joined,
    e.Left: _left,
    e.Accepted: _accepted,
    e.Rejected: _rejected,
    e.Kicked: _kicked,
    e.Started: _started,
    e.BoardAdded: _board_added,
    e.At: _at,
    e.PutOff: _put_off,
    e.Break: _break,
    e.Away: _away,
    e.TurnPassed: _passed,
    e.Cancelled: _cancelled,
    e.Finished: _finished,
}
"""Message functions by event type. The last argument is the person who has left by the event."""
