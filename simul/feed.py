"""What the subscribers of an exhibition are told: each change once, numbered, in the order in which it happened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from simul import events as e
from simul import evolve
from simul.announce import ANNOUNCE
from simul.people import person_wire
from simul.score import score_wire
from simul.view import board_wire, host_clock_wire, snapshot_wire
from simul.wire_events import SimulEventWire

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lobby.accounts.user import User
    from simul.board import Facts
    from simul.state import Exhibition
    from simul.wire import HostClockWire, SimulBoardWire, SimulSnapshotWire
    from simul.wire_events import SimulBoardEventWire, SimulCountdownWire


class News(msgspec.Struct, frozen=True):
    """What a change is told by."""

    messages: tuple[SimulEventWire, ...] = ()
    """Numbered, for all subscribers, in this order."""
    to: tuple[str, ...] = ()
    """Whose own part (``view.own_wire``) is another now: ids of people."""


class Feed:
    """An exhibition and what has been told of it. While it is shown all that happens to it comes through here.

    Attributes:
        state: the exhibition; every game of it has been looked at.
        seq: number of the last message. It begins at a number that grows from one start of the server to the next
            (Unix ms), so that a ``from`` of an earlier life is never taken for one of this.
        boards: the maps of all boards as they were told last.
        host_clock: the host's one clock as it was told last; None where there is none.
    """

    def __init__(self, state: Exhibition, seq: int) -> None:
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
        """The ``simul`` message for ``user``; None for a stranger."""
        return snapshot_wire(self.state, self.boards, user, self.seq, watchers)

    def apply(self, event: e.AnyEvent, opened: Mapping[int, Facts] | None = None) -> News:
        """``event``, which is stored, has happened.

        Args:
            opened: of an event that makes games, how these stand, by board.
        """
        state = self.state
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
        return News(tuple(messages), _concerned(state, event, applicants - set(state.applicants)))

    def observe(self, number: int, facts: Facts, host_spent_ms: int = 0) -> News:
        """The game at board ``number`` stands as ``facts`` say; see ``evolve.observe``."""
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
        return News(tuple(messages), (board.person.user.id,) if had_prepared != board.prepared_move() else ())

    def rename(self, user: User) -> News:
        """Somebody is called something else now; see ``evolve.rename``."""
        state = self.state
        evolve.rename(state, user)
        number, person = state.seats.get(user.id), state.person_of(user.id)
        if number is not None:
            return News((self.board_message(number),))
        if person is None:
            return News()
        wire = person_wire(person, state.setup)
        return News(({"t": "simul.edited", "simul": state.id, "seq": self.next_seq(), "person": wire},))

    def next_seq(self) -> int:
        """The number of the next message, which it takes."""
        self.seq += 1
        return self.seq

    def changes(self, number: int) -> dict[str, Any]:
        """What is new in the map of a board since it was told last; that it is not ``later`` is told by itself."""
        old: Mapping[str, Any] = self.boards[number - 1] if number <= len(self.boards) else {}
        new = board_wire(self.state, self.state.boards[number - 1])
        self.boards[number - 1 : number] = [new]
        found = {name: value for name, value in new.items() if name != "later" and old.get(name, _ABSENT) != value}
        if "leaps" in old and "leaps" not in new:
            found["leaps"] = None
        return found

    def board_message(self, number: int) -> SimulBoardEventWire:
        """``simul.board`` with what is new of it."""
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


def _concerned(state: Exhibition, event: e.AnyEvent, sent_away: set[str]) -> tuple[str, ...]:
    """Whose own part ``event`` has changed; ``sent_away`` are applicants no more by it."""
    if isinstance(event, e.Joined):
        return (event.person.user.id,)
    if isinstance(event, e.Left | e.Accepted | e.Rejected | e.Kicked):
        return (event.user,)
    if isinstance(event, e.Started):
        return (*(seat.user for seat in event.seats), *sorted(sent_away), state.host.id)
    if isinstance(event, e.BoardAdded):
        return (event.seat.user, state.host.id)
    if isinstance(event, e.Prepared | e.Passed):
        return (state.boards[event.board - 1].person.user.id,)
    return (state.host.id,) if isinstance(event, e.Noted | e.Invited | e.Edited) else ()
