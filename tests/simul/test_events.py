"""Stored events of a simul: round trips and refusals."""

from __future__ import annotations

import json
from typing import Any, get_args

import msgspec
import pytest

from game_core.host_control import move_control
from game_core.time_control import Period, TimeControl
from lobby.accounts.user import User
from lobby.proposals import Range
from simul import events as e
from simul.draft import LateJoin, Offer
from simul.evolve import apply, new_simul
from simul.people import Person
from simul.score import Final, Score
from simul.setup import Conditions, SimulSetup
from tests.simul.simul_model import HOST, NOW_MS, person

SETUP = SimulSetup(
    name="Club night",
    text="Two\nlines",
    offers=(Offer("chess", "standard"), Offer("chess", "chess960")),
    tc=TimeControl((Period(40, 5_400_000), Period(None, 900_000, 30_000))),
    mode="round",
    host_tc=move_control(30_000),
    draws=20,
    conditions=Conditions(Range(1200, None), guests=False, members=True, invited=True),
    late_join=LateJoin(minutes=9),
    start_at=NOW_MS,
)
PERSON = Person(
    user=User("p1", "Player1", "bot", "GM"),
    offer=Offer("chess", "chess960"),
    rating=1500,
    provisional=True,
    player_extra_s=60,
    host_extra_s=30,
    color="b",
)
SEAT = e.BoardSeat(1, "game1", "p1", "b")

EVENTS: list[Any] = [
    e.Created(id="simul1", host=HOST, setup=SETUP, invited=(person(1),), at_ms=NOW_MS),
    e.Edited(setup=msgspec.structs.replace(SETUP, host_tc="none", draws="none", tc=None, late_join=LateJoin(move=9))),
    e.Edited(setup=msgspec.structs.replace(SETUP, host_tc=None), invited=(person(1), person(2))),
    e.Invited(user=person(3)),
    e.Arranged(user="p1", player_extra_s=60, host_extra_s=30, color="b"),
    e.GiftTakenBack(board=1, player_s=60, host_s=30),
    e.Noted(user="p1", note="strong"),
    e.Joined(person=PERSON),
    e.Left(user="p1"),
    e.Accepted(user="p1"),
    e.Rejected(user="p1"),
    e.Kicked(user="p1"),
    e.Started(seats=(SEAT, e.BoardSeat(2, "game2", "p2", "w")), at_ms=NOW_MS),
    e.BoardAdded(seat=SEAT),
    e.At(board=3, seq=17, ply=9, host_ms=600_000),
    e.At(board=None, to=4),
    e.PutOff(board=2, ply=4),
    e.Break(until=NOW_MS),
    e.Break(until=None),
    e.Away(since=NOW_MS),
    e.TurnPassed(board=1),
    e.Adjudicated(board=1, result="1/2-1/2"),
    e.Ending(rest="resign", boards={2: "abort", 10: "draw"}),
    e.Cancelled(at_ms=NOW_MS),
    e.Finished(at_ms=NOW_MS, score=Score(wins=2, draws=1), final=Final(moves=3, host_ms=4, duration_ms=5)),
    e.Prepared(board=1, ply=3, move="e7e5"),
    e.CountdownOver(board=1),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_event_round_trips(event: Any) -> None:
    kind, payload = e.encode_event(event)
    assert e.decode_event(kind, json.loads(json.dumps(payload))) == event


def test_every_event_type_is_tested() -> None:
    assert {type(event) for event in EVENTS} == set(get_args(e.AnySimulEvent))


@pytest.mark.parametrize(("kind", "payload"), [("wedding", {}), ("at", {}), ("break", {"until": "noon"})])
def test_malformed_event_is_refused(kind: str, payload: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        e.decode_event(kind, payload)


def test_first_event_creates_the_simul() -> None:
    created = EVENTS[0]
    state = new_simul(created)
    apply(state, created)
    assert (state.id, state.host, state.setup, list(state.invited)) == ("simul1", HOST, SETUP, ["p1"])
