"""Applicants and players: joining, leaving, and the host's decisions about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core import commands as g
from lobby.errors import BadMessage, Conflict, Forbidden, NotFound
from simul import events as e
from simul.decide.decision import (
    NOTHING,
    Decision,
    Send,
    require_board,
    require_created,
    require_host,
    require_live,
    require_running,
)
from simul.decide.stand_in import step_down
from simul.draft import MAX_BOARDS, MAX_EXTRA_S
from simul.names import clean_note
from simul.people import Person

if TYPE_CHECKING:
    from simul import commands as c
    from simul.ports import Chance
    from simul.state import Simul

MAX_WAITING = 2 * MAX_BOARDS
"""Applicants and players of one simul: twice as many as can play."""

MAX_INVITED = 2 * MAX_BOARDS


def invite(state: Simul, command: c.Invite, now_ms: int, chance: Chance) -> Decision:
    """Add a person to the list of invited people."""
    require_host(state, command.by)
    _require_open(state, now_ms)
    if command.user.id == state.host.id:
        raise Conflict("you are the host; invite others")
    if command.user.id in state.invited and command.user.id not in state.barred:
        return NOTHING
    if len(state.invited) >= MAX_INVITED:
        raise Conflict(f"you can invite at most {MAX_INVITED} users")
    return Decision((e.Invited(user=command.user),))


def join(state: Simul, command: c.Join, now_ms: int, chance: Chance) -> Decision:
    """Add an applicant. A person who is in already keeps their place."""
    user = command.user
    role = state.role_of(user.id)
    if role == "host":
        raise Forbidden("you are the host and cannot play against yourself")
    if role == "stand_in":
        raise Forbidden("you are the host's stand-in and cannot play against them")
    if role is not None:
        return NOTHING
    if user.id in state.barred:
        raise Forbidden("the host has removed you")
    conditions = state.setup.conditions
    if conditions.invited and user.id not in state.invited:
        raise Forbidden("only invited users can play")
    if user.kind == "guest" and not conditions.guests:
        raise Forbidden("guests cannot play in this simul; sign in first")
    if conditions.members and user.kind != "member":
        raise Forbidden("only members can play in this simul")
    offer = state.setup.offer_named(command.game, command.variant)
    if offer is None:
        raise Conflict("variant: not offered in this simul")
    # A guest has no ratings.
    rating, provisional = dict(zip(state.setup.offers, command.ratings, strict=False)).get(offer, (None, False))
    if rating not in conditions.ratings:
        raise Forbidden("your rating is outside the range of this simul")
    _require_open(state, now_ms)
    _require_room(state)
    if len(state.applicants) + len(state.players) >= MAX_WAITING:
        raise Conflict("too many users have applied")
    joined = e.Joined(person=Person(user=user, offer=offer, rating=rating, provisional=provisional))
    if not state.setup.auto_accept:
        return Decision((joined,))
    if state.status == "running":
        # Make them an applicant for a moment, because the board is created from applicants.
        added = _added(state, joined.person, chance)
        return Decision((joined, *added.events), added.effects)
    return Decision((joined, e.Accepted(user=user.id)))


def leave(state: Simul, command: c.Leave, now_ms: int, chance: Chance) -> Decision:
    """Remove an applicant, player or stand-in. No effect on others."""
    if state.role_of(command.by) == "stand_in":
        return step_down(state)
    if command.by in state.seats and state.status == "running":
        raise Conflict("you have a board; resign to leave")
    if state.person_of(command.by) is None:
        return NOTHING
    return Decision((e.Left(user=command.by),))


def accept(state: Simul, command: c.Accept, now_ms: int, chance: Chance) -> Decision:
    """Accept an applicant, as a player before the start, with a board at once after it."""
    require_host(state, command.by)
    if state.role_of(command.user) == "player":
        return NOTHING
    person = state.applicants.get(command.user)
    if person is None:
        raise NotFound("user: no such applicant")
    _require_open(state, now_ms)
    _require_room(state)
    if state.status == "running":
        return _added(state, person, chance)
    return Decision((e.Accepted(user=command.user),))


def accept_all(state: Simul, command: c.AcceptAll, now_ms: int, chance: Chance) -> Decision:
    """Accept as many applicants as there is room for, in the order in which they joined."""
    require_host(state, command.by)
    _require_open(state, now_ms)
    chosen = list(state.applicants.values())[: _room(state)]
    if state.status == "created":
        return Decision(tuple(e.Accepted(user=person.user.id) for person in chosen))
    added = [_added(state, person, chance, later=later) for later, person in enumerate(chosen)]
    return Decision(
        tuple(event for one in added for event in one.events),
        tuple(effect for one in added for effect in one.effects),
    )


def reject(state: Simul, command: c.Reject, now_ms: int, chance: Chance) -> Decision:
    """Reject an applicant, who may apply again."""
    require_host(state, command.by)
    if command.user not in state.applicants:
        raise NotFound("user: no such applicant")
    return Decision((e.Rejected(user=command.user),))


def kick(state: Simul, command: c.Kick, now_ms: int, chance: Chance) -> Decision:
    """Remove a person, who may not apply again. A person who is playing cannot be removed; their board can be
    adjudicated."""
    require_host(state, command.by)
    if command.user in state.seats:
        raise Conflict("user: they have a board; adjudicate it to remove them")
    if command.user in state.barred:
        return NOTHING
    if state.person_of(command.user) is None:
        raise NotFound("user: no such applicant or player")
    return Decision((e.Kicked(user=command.user),))


def arrange(state: Simul, command: c.Arrange, now_ms: int, chance: Chance) -> Decision:
    """Set handicaps, colour and note of one person. After the start only more time and notes are possible."""
    require_host(state, command.by)
    _require_seconds(command)
    if command.board is None:
        person = None if command.user is None else state.person_of(command.user)
        if person is None:
            raise NotFound("user: no such applicant")
        if state.setup.rated and (command.player_extra_s or command.host_extra_s):
            raise Forbidden("rated: a game with a handicap cannot be rated")
        if command.host_extra_s and (state.is_round or state.setup.tc is None):
            raise Conflict("host_extra_s: the host has no clock for this board alone")
        return Decision(_arranged(command, person))
    board = require_board(state, command.board)
    if command.color not in (None, "announced", board.host):
        raise Conflict("color: the game has started")
    person = board.person
    player_s = _given_s(state, "player_extra_s", person.player_extra_s, command.player_extra_s)
    host_s = _given_s(state, "host_extra_s", person.host_extra_s, command.host_extra_s)
    if not player_s and not host_s:
        return Decision(_noted(command, person))
    require_running(state)
    require_live(board)
    if host_s and state.is_round:
        raise Conflict("host_extra_s: the host has no clock for this board alone")
    events = _arranged(command, person, 0 if board.facts is None else board.facts.seq)
    return Decision(events, (Send(board.number, g.GiveTime(by=board.host, seconds=player_s, own_s=host_s)),))


def _given_s(state: Simul, name: str, had_s: int, wanted_s: int | None) -> int:
    """Return the seconds to add during a game so that a bonus of ``had_s`` becomes ``wanted_s``."""
    if wanted_s is None or wanted_s == had_s:
        return 0
    if state.setup.rated or state.setup.tc is None:
        raise Conflict(f"{name}: no time can be given in a rated game or without a clock")
    if wanted_s < had_s:
        raise Conflict(f"{name}: the game has started; time can be added, not removed")
    return wanted_s - had_s


def _arranged(command: c.Arrange, person: Person, seq: int = 0) -> tuple[e.AnySimulEvent, ...]:
    player_s = person.player_extra_s if command.player_extra_s is None else command.player_extra_s
    host_s = person.host_extra_s if command.host_extra_s is None else command.host_extra_s
    color = None if command.color == "announced" else command.color or person.color
    notes = _noted(command, person)
    if (player_s, host_s, color) == (person.player_extra_s, person.host_extra_s, person.color):
        return notes
    arranged = e.Arranged(user=person.user.id, player_extra_s=player_s, host_extra_s=host_s, color=color, seq=seq)
    return (arranged, *notes)


def _noted(command: c.Arrange, person: Person) -> tuple[e.AnySimulEvent, ...]:
    return () if command.note is None else (e.Noted(user=person.user.id, note=clean_note(command.note)),)


def _require_seconds(command: c.Arrange) -> None:
    for name, seconds in (("player_extra_s", command.player_extra_s), ("host_extra_s", command.host_extra_s)):
        if seconds is not None and not 0 <= seconds <= MAX_EXTRA_S:
            raise BadMessage(f"{name}: expected 0 to {MAX_EXTRA_S} seconds")


def _added(state: Simul, person: Person, chance: Chance, later: int = 0) -> Decision:
    """Add a board for a late joiner. ``later`` is the number of boards added before it by the same command."""
    number = len(state.boards) + 1 + later
    host = state.color_at(number, person.color, chance)
    seat = e.BoardSeat(number, chance.new_id(), person.user.id, host)
    events = (e.BoardAdded(seat=seat),)
    if state.stop is None or state.is_round:
        return Decision(events)
    return Decision(events, (Send(number, g.Hold(state.stop)),))


def _room(state: Simul) -> int:
    """Return how many more people may be accepted."""
    return state.setup.max_boards - len(state.players) - len(state.boards)


def _require_room(state: Simul) -> None:
    if _room(state) < 1:
        raise Conflict(f"the simul is full: it has {state.setup.max_boards} boards")


def _require_open(state: Simul, now_ms: int) -> None:
    """Raise ``Conflict`` if nobody can get a board any more."""
    if state.status == "running" and not state.is_late_join_open(now_ms):
        raise Conflict("the simul is running and late joining is closed")
    if state.status not in ("created", "running"):
        require_created(state)
