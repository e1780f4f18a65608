"""Messages to the subscribers of a simul: each change once, numbered, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET

from simul import events as e
from simul import evolve
from simul.messages import ANNOUNCE
from simul.people import person_wire
from simul.score import score_wire
from simul.view import board_wire, host_clock_wire, snapshot_wire
from simul.wire_events import SimulEventWire

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lobby.accounts.user import User
    from simul.board import Facts
    from simul.state import Simul
    from simul.wire import HostClockWire, SimulBoardWire, SimulSnapshotWire
    from simul.wire_events import SimulBoardEventWire, SimulCountdownWire


class FeedUpdate(msgspec.Struct, frozen=True):
    """The messages of a change."""

    messages: tuple[SimulEventWire, ...] = ()
    """Numbered, for all subscribers, in order."""
    to: tuple[str, ...] = ()
    """Ids of people whose own part (``view.own_wire``) has changed."""


class Feed:
    """A simul and what its subscribers have been sent. While it has subscribers all changes go through here.

    Attributes:
        state: the simul; all its games have been observed.
        seq: number of the last message. It begins with the start time (Unix ms), which grows from one start of the
            server to the next, so a client's ``from`` of an earlier run is recognised as old.
        boards: all boards as last sent.
        host_clock: the host's one clock as last sent; None if there is none.
    """

    def __init__(self, state: Simul, seq: int) -> None:
        self.state = state
        self.seq = seq
        self.boards: list[SimulBoardWire] = [board_wire(state, board) for board in state.boards]
        self.host_clock: HostClockWire | None = host_clock_wire(state)
        self._countdown = state.countdown

    @property
    def is_host_here(self) -> bool:
        """Whether the host is connected."""
        return self.state.gone_since is None

    def snapshot(self, user: str | None, watchers: int) -> SimulSnapshotWire:
        """Return the ``simul`` message for ``user``; None for a spectator without a role."""
        return snapshot_wire(self.state, self.boards, user, self.seq, watchers)

    def apply(self, event: e.AnySimulEvent, opened: Mapping[int, Facts] | None = None) -> FeedUpdate:
        """Apply ``event``, which is stored.

        Args:
            opened: facts of the games that the event creates, by board.
        """
        state = self.state
        dismissed = state.stand_in if isinstance(event, e.Edited) and event.stand_in is not UNSET else None
        gone = state.person_of(event.user) if isinstance(event, e.Left | e.Rejected | e.Kicked) else None
        applicants = set(state.applicants) if isinstance(event, e.Started) else set()
        evolve.apply(state, event)
        for number, facts in (opened or {}).items():
            evolve.observe(state, number, facts)
        if isinstance(event, e.Started):
            self.boards = [board_wire(state, board) for board in state.boards]
        self.host_clock = host_clock_wire(state)
        announce = ANNOUNCE.get(type(event))
        messages = [] if announce is None else [announce(self, event, gone)]
        messages += self._countdown_changed()
        concerned = _concerned(state, event, applicants - set(state.applicants))
        return FeedUpdate(tuple(messages), concerned if dismissed is None else (*concerned, dismissed.id))

    def observe(self, number: int, facts: Facts, host_spent_ms: int = 0) -> FeedUpdate:
        """Update board ``number`` by the ``facts`` of its game; see ``evolve.observe``."""
        state = self.state
        board = state.boards[number - 1]
        had_prepared, was_live, was_later = board.prepared_move(), board.is_live, state.is_later(number)
        evolve.observe(state, number, facts, host_spent_ms)
        message = self.board_message(number)
        if was_live and not board.is_live:
            message["score"] = score_wire(state.score)
            if was_later:
                message["later"] = False
        clock = host_clock_wire(state)
        if clock != self.host_clock:
            message["host_clock"] = self.host_clock = clock
        messages: list[SimulEventWire] = [message]
        if was_later and board.is_live and not state.is_later(number):
            messages.append(
                {"t": "simul.later", "simul": state.id, "seq": self.next_seq(), "board": number, "on": False}
            )
        messages += self._countdown_changed()
        return FeedUpdate(tuple(messages), (board.person.user.id,) if had_prepared != board.prepared_move() else ())

    def rename(self, user: User) -> FeedUpdate:
        """Update the name or kind of a person; see ``evolve.rename``."""
        state = self.state
        evolve.rename(state, user)
        number, person = state.seats.get(user.id), state.person_of(user.id)
        if number is not None:
            return FeedUpdate((self.board_message(number),))
        if person is None:
            return FeedUpdate()
        wire = person_wire(person, state.setup)
        return FeedUpdate(({"t": "simul.edited", "simul": state.id, "seq": self.next_seq(), "person": wire},))

    def next_seq(self) -> int:
        """Return the number of the next message and advance it."""
        self.seq += 1
        return self.seq

    def changes(self, number: int) -> dict[str, Any]:
        """Return the fields of a board that have changed since they were last sent. ``later`` is sent separately."""
        old: Mapping[str, Any] = self.boards[number - 1] if number <= len(self.boards) else {}
        new = board_wire(self.state, self.state.boards[number - 1])
        self.boards[number - 1 : number] = [new]
        found = {name: value for name, value in new.items() if name != "later" and old.get(name, _ABSENT) != value}
        if "leaps" in old and "leaps" not in new:
            found["leaps"] = None
        return found

    def board_message(self, number: int) -> SimulBoardEventWire:
        """Return ``simul.board`` with the changed fields."""
        seq = self.next_seq()
        body: SimulBoardEventWire = {"t": "simul.board", "simul": self.state.id, "seq": seq, "board": number}
        body.update(self.changes(number))  # type: ignore[typeddict-item]  # parts of the map of a board
        return body

    def _countdown_changed(self) -> tuple[SimulCountdownWire, ...]:
        state = self.state
        before, now = self._countdown, state.countdown
        if before == now:
            return ()
        self._countdown = now
        if now is not None:
            return (
                {"t": "simul.countdown", "simul": state.id, "seq": self.next_seq(), "board": now[0], "until": now[1]},
            )
        assert before is not None, "they differ"
        return ({"t": "simul.countdown", "simul": state.id, "seq": self.next_seq(), "board": before[0], "until": None},)


_ABSENT = object()


def _concerned(state: Simul, event: e.AnySimulEvent, sent_away: set[str]) -> tuple[str, ...]:
    """Return the people whose own part has changed by ``event``. ``sent_away`` are former applicants."""
    if isinstance(event, e.Joined):
        return (event.person.user.id,)
    if isinstance(event, e.Left | e.Accepted | e.Rejected | e.Kicked):
        return (event.user,)
    if isinstance(event, e.Started):
        return (*(seat.user for seat in event.seats), *sorted(sent_away), state.host.id)
    if isinstance(event, e.BoardAdded):
        return (event.seat.user, state.host.id)
    if isinstance(event, e.Prepared | e.TurnPassed):
        return (state.boards[event.board - 1].person.user.id,)
    if isinstance(event, e.Edited) and state.stand_in is not None and event.stand_in is not UNSET:
        return (state.host.id, state.stand_in.id)
    return (state.host.id,) if isinstance(event, e.Noted | e.Invited | e.Edited) else ()
