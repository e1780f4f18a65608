"""Views of a simul: the snapshot, a board, and what only one viewer sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game_core.leaps import leaps_wire
from lobby.accounts.user import user_wire
from simul.board import clock_wire
from simul.people import person_wire
from simul.score import final_wire, score_wire
from simul.setup import setup_wire

if TYPE_CHECKING:
    from simul.board import BoardState
    from simul.score import Final, Score
    from simul.state import Simul
    from simul.wire import (
        FinalScoreWire,
        HostClockWire,
        ScoreWire,
        SimulBoardWire,
        SimulOwnWire,
        SimulSnapshotWire,
        StandInWire,
    )


def board_wire(state: Simul, board: BoardState) -> SimulBoardWire:
    """Return a board whose game has been observed."""
    facts, person = board.facts, board.person
    assert facts is not None, "a board is shown with its game"
    body: SimulBoardWire = {
        "board": board.number,
        "g": board.game,
        "user": user_wire(person.user),
        "rating": person.rating,
        "color": board.host,
        "ply": facts.ply,
        "position": facts.position,
        "last": facts.last,
        "clock": clock_wire(facts),
        "turn": board.turn,
        "status": facts.status,
        "result": facts.result,
    }
    if facts.leaps is not None:
        body["leaps"] = leaps_wire(facts.leaps)
    if facts.reason is not None:
        body["reason"] = facts.reason
    if person.provisional:
        body["provisional"] = True
    if person.offer != state.setup.offers[0]:
        body["game"], body["variant"] = person.offer.game, person.offer.variant
    if state.is_round:
        body["passes"] = board.passes_left
    if person.player_extra_s:
        body["player_extra_s"] = person.player_extra_s
    if person.host_extra_s:
        body["host_extra_s"] = person.host_extra_s
    if state.is_later(board.number):
        body["later"] = True
    return body


def host_clock_wire(state: Simul) -> HostClockWire | None:
    """Return the host's one clock for all boards; None if there is none."""
    if state.host_ms is None:
        return None
    here = None if state.visited is None else state.boards[state.visited - 1]
    runs = False
    if here is not None and here.is_host_there:
        assert here.facts is not None, "where the host is, the game has been looked at"
        runs = here.facts.run == here.host and here.facts.held is None
    return {"left": state.host_ms + state.bonus_ms, "run": runs, "at": state.host_at_ms}


def scores_wire(state: Simul) -> ScoreWire | FinalScoreWire:
    """Return the score, with the final figures at the end."""
    return scores_wire_of(state.score, state.final)


def scores_wire_of(score: Score, final: Final | None) -> ScoreWire | FinalScoreWire:
    """Return the wire form of a stored ``score``."""
    return score_wire(score) if final is None else final_wire(score, final)


def own_wire(state: Simul, user: str | None) -> SimulOwnWire:
    """Return what only ``user`` sees."""
    role = state.role_of(user)
    number = None if user is None else state.seats.get(user)
    board = None if number is None else state.boards[number - 1]
    body: SimulOwnWire = {
        "you": role,
        "your_board": number,
        "prepared": None,
        "passes_left": board.passes_left if board is not None and state.is_round else None,
    }
    move = None if board is None else board.prepared_move()
    if board is not None and move is not None:
        body["prepared"] = {"ply": board.ply, "move": move}
    if role == "host":
        body["notes"] = {str(state.seats.get(person, person)): note for person, note in state.notes.items()}
        body["invited"] = [user_wire(invited) for invited in state.invited.values()]
    return body


def stand_in_wire(state: Simul) -> StandInWire:
    """Return who may play for the host; empty if nobody may."""
    if state.stand_in is None:
        return {}
    return {
        "stand_in": user_wire(state.stand_in),
        "acting": state.is_stand_in_acting,
        "offered": state.is_offered,
    }


def snapshot_wire(
    state: Simul, boards: list[SimulBoardWire], user: str | None, seq: int, watchers: int
) -> SimulSnapshotWire:
    """Return the ``simul`` message for ``user``.

    Args:
        boards: all boards in order, as kept by ``feed.Feed``.
        user: the viewer's id; None for a spectator without a role.
        seq: the number of the last event.
    """
    countdown = state.countdown
    return {
        "t": "simul",
        "simul": state.id,
        "seq": seq,
        **setup_wire(state.setup),
        **own_wire(state, user),
        **stand_in_wire(state),
        "host": user_wire(state.host),
        "status": state.status,
        "applicants": [person_wire(person, state.setup) for person in state.applicants.values()],
        "players": [person_wire(person, state.setup) for person in state.players.values()],
        "boards": boards,
        "order": list(state.round) if state.is_round else [],
        "at": state.at,
        "score": scores_wire(state),
        "host_online": state.gone_since is None,
        "away_since": state.away_since,
        "break_until": state.break_until,
        "host_clock": host_clock_wire(state),
        "countdown": None if countdown is None else {"board": countdown[0], "until": countdown[1]},
        "watchers": watchers,
        "created": state.created_ms,
        "started": state.started_ms,
        "finished": state.ended_ms if state.status == "finished" else None,
    }
