"""State transitions: how events, games and sockets change a simul.

``apply`` folds stored events; the log of a simul and the facts of its games rebuild the state. ``observe``,
``gift_refused``, ``host_came`` and ``host_left`` apply what is not decided here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from simul import events as e
from simul.board import BoardState
from simul.controls import first_host_ms
from simul.state import Simul

if TYPE_CHECKING:
    from collections.abc import Callable

    from lobby.accounts.user import User
    from simul.board import Facts


def new_simul(created: e.Created) -> Simul:
    """Return the simul that its first event announces."""
    state = Simul(created.id, created.host, created.setup, created.at_ms)
    state.invited = {user.id: user for user in created.invited}
    state.stand_in = created.stand_in
    return state


def apply(state: Simul, event: e.AnySimulEvent) -> None:
    """Apply ``event``, which is stored."""
    _APPLY[type(event)](state, event)


def observe(state: Simul, number: int, facts: Facts, host_spent_ms: int = 0) -> None:
    """Update board ``number`` by the ``facts`` of its game.

    Args:
        host_spent_ms: time of the host's new moves by the game's clock; after a restart, of all their moves.
    """
    board = state.boards[number - 1]
    was_live, was_there = board.is_live, board.is_host_there
    if board.facts is not None and facts.host_moves > board.facts.host_moves:
        state.followed = number
    board.facts = facts
    board.host_ms += host_spent_ms
    state.most_moves = max(state.most_moves, facts.host_moves)
    if was_live and not board.is_live:
        state.round.drop(number)
        if state.status == "running":
            state.score = state.score.ended(facts.result, board.host)
    state.waiting.set(number, waits=board.waits_for_host)
    if board.put_off_ply not in (None, facts.ply):
        board.put_off_ply = None
        state.waiting.take_up(number)
    if number == state.visited and state.host_ms is not None:
        _observe_host_clock(state, board, was_there=was_there)
    _observe_countdown(state, number, facts)


def gift_refused(state: Simul, number: int, player_s: int, host_s: int) -> None:
    """Note that the game at board ``number`` has refused added time: it was over or at its limit."""
    state.refused.append(e.GiftTakenBack(board=number, player_s=player_s, host_s=host_s))


def host_came(state: Simul) -> None:
    """Note that the host has a socket."""
    state.host_gone_since = None


def host_left(state: Simul, now_ms: int) -> None:
    """Note that the host's last socket is closed."""
    if state.host_gone_since is None:
        state.host_gone_since = now_ms


def stand_in_came(state: Simul) -> None:
    """Note that the stand-in has a socket."""
    state.stand_in_gone_since = None


def stand_in_left(state: Simul, now_ms: int) -> None:
    """Note that the stand-in's last socket is closed."""
    if state.stand_in_gone_since is None:
        state.stand_in_gone_since = now_ms


def note_presence(state: Simul, user: str, now_ms: int, *, here: bool) -> None:
    """Note that the host or the stand-in has a socket, or none any more."""
    role = state.role_of(user)
    if role == "host" and here:
        host_came(state)
    elif role == "host":
        host_left(state, now_ms)
    elif role == "stand_in" and here:
        stand_in_came(state)
    elif role == "stand_in":
        stand_in_left(state, now_ms)


def rename(state: Simul, user: User) -> None:
    """Update the name or kind of a person, for instance a guest who has signed up."""
    if state.host.id == user.id:
        state.host = user
    if state.stand_in is not None and state.stand_in.id == user.id:
        state.stand_in = user
    if user.id in state.invited:
        state.invited[user.id] = user
    for people in (state.applicants, state.players):
        if user.id in people:
            people[user.id] = msgspec.structs.replace(people[user.id], user=user)
    if user.id in state.seats:
        board = state.boards[state.seats[user.id] - 1]
        board.person = msgspec.structs.replace(board.person, user=user)


def _observe_host_clock(state: Simul, board: BoardState, *, was_there: bool) -> None:
    """Update the host's one clock from the board they last went to, once they have arrived.

    Until then the game still has the value of the previous visit.
    """
    facts = board.facts
    assert facts is not None, "it has just been looked at"
    assert state.host_ms is not None, "the caller has asked"
    left_ms = facts.left_ms(board.host)
    if was_there or board.is_host_there or facts.ply > state.visit_ply or state.at is None:
        state.host_ms, state.host_at_ms = left_ms, facts.at_ms
    elif not board.is_live:
        # The game ended, in a crash, at the moment of the arrival. Either way the host's clock has not gained.
        state.host_ms, state.host_at_ms = min(state.host_ms, left_ms), facts.at_ms


def _observe_countdown(state: Simul, number: int, facts: Facts) -> None:
    if number == state.at and facts.is_counting_down:
        if state.countdown is None:
            state.countdown = number, facts.at_ms + state.setup.countdown_s * 1000
    elif state.countdown is not None and state.countdown[0] == number:
        state.countdown = None


# --- before the start ------------------------------------------------------------------------------------


def _edited(state: Simul, event: e.Edited) -> None:
    state.setup = event.setup
    if event.invited is not None:
        state.invited = {user.id: user for user in event.invited}
    if event.stand_in is not msgspec.UNSET:
        state.stand_in = event.stand_in
        state.stand_in_gone_since = None


def _invited(state: Simul, event: e.Invited) -> None:
    state.invited[event.user.id] = event.user
    state.barred.discard(event.user.id)


def _arranged(state: Simul, event: e.Arranged) -> None:
    changes: dict[str, Any] = {
        "player_extra_s": event.player_extra_s,
        "host_extra_s": event.host_extra_s,
        "color": event.color,
    }
    for people in (state.applicants, state.players):
        if event.user in people:
            people[event.user] = msgspec.structs.replace(people[event.user], **changes)
    if event.user in state.seats:
        board = state.boards[state.seats[event.user] - 1]
        player_s = event.player_extra_s - board.person.player_extra_s
        host_s = event.host_extra_s - board.person.host_extra_s
        if board.given is not None and board.given[2] == event.seq:
            player_s, host_s = player_s + board.given[0], host_s + board.given[1]
        board.given = player_s, host_s, event.seq
        board.person = msgspec.structs.replace(board.person, **changes)


def _gift_taken_back(state: Simul, event: e.GiftTakenBack) -> None:
    board = state.boards[event.board - 1]
    if event in state.refused:
        state.refused.remove(event)
    if board.given is not None:
        player_s, host_s, seq = board.given
        # Of several gifts to the same person the others are still on their way.
        player_s, host_s = max(0, player_s - event.player_s), max(0, host_s - event.host_s)
        board.given = (player_s, host_s, seq) if player_s or host_s else None
    board.person = msgspec.structs.replace(
        board.person,
        player_extra_s=board.person.player_extra_s - event.player_s,
        host_extra_s=board.person.host_extra_s - event.host_s,
    )


def _noted(state: Simul, event: e.Noted) -> None:
    if event.note:
        state.notes[event.user] = event.note
    else:
        state.notes.pop(event.user, None)


def _joined(state: Simul, event: e.Joined) -> None:
    state.applicants[event.person.user.id] = event.person


def _left(state: Simul, event: e.Left | e.Rejected) -> None:
    state.applicants.pop(event.user, None)
    state.players.pop(event.user, None)


def _accepted(state: Simul, event: e.Accepted) -> None:
    state.players[event.user] = state.applicants.pop(event.user)


def _kicked(state: Simul, event: e.Kicked) -> None:
    state.applicants.pop(event.user, None)
    state.players.pop(event.user, None)
    state.barred.add(event.user)


def _cancelled(state: Simul, event: e.Cancelled) -> None:
    state.status = "cancelled"
    state.ended_ms = event.at_ms


# --- while it runs ---------------------------------------------------------------------------------------


def _started(state: Simul, event: e.Started) -> None:
    state.status = "running"
    state.started_ms = state.host_at_ms = event.at_ms
    for seat in event.seats:
        _sit(state, seat)
    state.host_ms = first_host_ms(state.setup, len(event.seats))
    if state.is_round:
        state.to = state.round.first
    if state.setup.late_join is None:
        state.applicants.clear()


def _board_added(state: Simul, event: e.BoardAdded) -> None:
    _sit(state, event.seat)
    # The host's clock may be running at a board whose game does not know of the bonus.
    state.bonus_ms += state.setup.host_extra_per_board_s * 1000


def _sit(state: Simul, seat: e.BoardSeat) -> None:
    person = state.players.pop(seat.user, None) or state.applicants.pop(seat.user)
    board = BoardState(
        number=seat.board,
        game=seat.game,
        person=msgspec.structs.replace(person, color=None),
        host=seat.host,
        passes_left=state.setup.passes,
    )
    state.boards.append(board)
    state.seats[seat.user] = state.games[seat.game] = seat.board
    state.round.add(seat.board)
    state.score = state.score.opened()


def _at(state: Simul, event: e.At) -> None:
    state.at, state.to, state.countdown = event.board, event.to, None
    if event.board is None:
        return
    state.followed = event.board
    state.visited, state.visit_seq, state.visit_ply = event.board, event.seq, event.ply
    state.host_ms, state.bonus_ms = event.host_ms, 0
    if event.board in state.round:
        state.round.visit(event.board)
    state.waiting.take_up(event.board)


def _put_off(state: Simul, event: e.PutOff) -> None:
    """The game may have continued or ended while this was stored. While a log is replayed the games are not known yet:
    a board that has continued or ended is dropped from the put-off ones when its game is observed."""
    board = state.boards[event.board - 1]
    if state.is_round:
        if event.board in state.round:
            state.round.put_off(event.board)
    elif board.facts is None or (board.waits_for_host and board.ply == event.ply):
        state.waiting.put_off(event.board)
        board.put_off_ply = event.ply


def _break(state: Simul, event: e.Break) -> None:
    if state.break_until is not None:
        # In a break nobody is missed: an absence counts from its end.
        if state.host_gone_since is not None:
            state.host_gone_since = max(state.host_gone_since, state.break_until)
        if state.stand_in_gone_since is not None:
            state.stand_in_gone_since = max(state.stand_in_gone_since, state.break_until)
    state.break_until = event.until


def _away(state: Simul, event: e.Away) -> None:
    state.away_since = event.since
    state.is_stand_in_acting, state.is_offered = event.by_stand_in, event.offered


def _passed(state: Simul, event: e.TurnPassed) -> None:
    state.boards[event.board - 1].passes_left -= 1


def _adjudicated(state: Simul, event: e.Adjudicated) -> None:
    state.boards[event.board - 1].adjudged = event.result


def _ending(state: Simul, event: e.Ending) -> None:
    state.ending = event


def _finished(state: Simul, event: e.Finished) -> None:
    state.status = "finished"
    state.ended_ms, state.score, state.final = event.at_ms, event.score, event.final
    state.to = state.countdown = state.break_until = state.away_since = None
    state.is_stand_in_acting = state.is_offered = False


def _prepared(state: Simul, event: e.Prepared) -> None:
    state.boards[event.board - 1].prepared = None if event.move is None else (event.ply, event.move)


def _countdown_over(state: Simul, event: e.CountdownOver) -> None:
    state.countdown = None


_APPLY: dict[type[e.AnySimulEvent], Callable[[Simul, Any], None]] = {
    e.Created: lambda state, event: None,  # handled by ``simul``
    e.Edited: _edited,
    e.Invited: _invited,
    e.Arranged: _arranged,
    e.GiftTakenBack: _gift_taken_back,
    e.Noted: _noted,
    e.Joined: _joined,
    e.Left: _left,
    e.Accepted: _accepted,
    e.Rejected: _left,
    e.Kicked: _kicked,
    e.Started: _started,
    e.BoardAdded: _board_added,
    e.At: _at,
    e.PutOff: _put_off,
    e.Break: _break,
    e.Away: _away,
    e.TurnPassed: _passed,
    e.Adjudicated: _adjudicated,
    e.Ending: _ending,
    e.Cancelled: _cancelled,
    e.Finished: _finished,
    e.Prepared: _prepared,
    e.CountdownOver: _countdown_over,
}
