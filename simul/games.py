"""Creation of the boards' games."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from game_core.simul_board import SimulBoard as Place
from lobby.pairing import NewGame, new_game
from lobby.proposals import Terms
from simul.controls import host_control, is_host_timed, player_control
from simul.events import BoardAdded, Joined, Started

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lobby.pairing import RandomBelow
    from simul.events import AnySimulEvent, BoardSeat
    from simul.people import Person
    from simul.state import Simul


def new_games(state: Simul, events: Iterable[AnySimulEvent], randbelow: RandomBelow) -> list[NewGame]:
    """Create the games for the unapplied ``events`` of a decision, in the order of the boards.

    They are written in the same transaction. Start positions are drawn here if a variant has several.
    """
    seats: list[BoardSeat] = []
    people = {**state.applicants, **state.players}
    for event in events:
        if isinstance(event, Started):
            seats += event.seats
        elif isinstance(event, BoardAdded):
            seats.append(event.seat)
        elif isinstance(event, Joined):
            people[event.person.user.id] = event.person
    boards = len(state.boards) + len(seats)
    return [_new_game(state, seat, people[seat.user], boards, randbelow) for seat in seats]


def _new_game(state: Simul, seat: BoardSeat, person: Person, boards: int, randbelow: RandomBelow) -> NewGame:
    setup = state.setup
    own, others = host_control(setup, boards, person.host_extra_s), player_control(setup, person.player_extra_s)
    terms = Terms(
        game=person.offer.game,
        variant=person.offer.variant,
        tc=own,
        rated=setup.rated,
        rules="online",
        fen=setup.fen,
        opponent_tc=None if others == own else others,
    )
    as_black = seat.host == "b"
    white, black = (person.user, state.host) if as_black else (state.host, person.user)
    new = new_game(seat.game, terms, white, black, randbelow, as_black=as_black)
    place = Place(
        id=state.id,
        board=seat.board,
        host=seat.host,
        mode=setup.mode,
        draw_from=setup.draw_from,
        host_timed=is_host_timed(setup),
        countdown_ms=setup.countdown_s * 1000,
        delay_s=setup.delay_s,
    )
    return msgspec.structs.replace(new, simul_board=place)
