"""A simul as its robot host follows it."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from robots.playing.behaviour import clock_s, thinking_time
from robots.playing.hosted_simul import Applicant, HostedSimul
from robots.playing.simul_host import announcement, choose

if TYPE_CHECKING:
    from robots.client import Message

DRAUGHTS = {"game": "draughts", "variant": "russian"}


def user(name: str, **fields: str) -> Message:
    return {"id": name, "name": name, "kind": "guest", "title": None, "rating": None, **fields}


def snapshot(**fields: Any) -> Message:
    return {
        "t": "simul", "simul": "s1", "seq": 10, "status": "created", "game": "chess", "variant": "standard",
        "max_boards": 3, "applicants": [], "players": [], "boards": [], **fields,
    }  # fmt: skip


def board(number: int, who: str, **fields: Any) -> Message:
    return {"board": number, "g": f"g{number}", "user": user(who), "status": "created", **fields}


def test_simul_is_followed_from_its_announcement_to_the_end() -> None:
    simul = HostedSimul(snapshot(applicants=[user("ann")]))
    events: list[Message] = [
        {"t": "simul.joined", "user": user("bob", **DRAUGHTS)},
        {"t": "simul.accepted", "user": user("bob", **DRAUGHTS)},
    ]
    take(simul, events)
    assert list(simul.applicants.values()) == [Applicant("ann", "chess", "standard")]
    assert (simul.players, simul.has_room, simul.is_over) == (1, True, False)
    take(simul, [{"t": "simul.started", "status": "running", "boards": [board(1, "bob")]}])
    assert (simul.status, simul.players, simul.boards, list(simul.applicants)) == ("running", 0, {1: "g1"}, ["ann"])
    take(simul, [{"t": "simul.board", **board(2, "ann")}, {"t": "simul.board", "board": 2, "ply": 1}])
    assert (simul.boards, simul.applicants, simul.status) == ({1: "g1", 2: "g2"}, {}, "running")
    take(simul, [{"t": "simul.board", "board": 1, "status": "over"}, {"t": "simul.board", **board(3, "eve")}])
    assert (simul.boards, simul.has_room) == ({2: "g2", 3: "g3"}, False), "boards that are over count"
    take(simul, [{"t": "simul.finished", "status": "finished"}])
    assert simul.is_over


def test_who_leaves_before_the_start_is_not_counted() -> None:
    simul = HostedSimul(snapshot(applicants=[user("ann")], players=[user("bob")]))
    take(simul, [{"t": "simul.left", "user": user("ann")}])
    assert (simul.players, simul.applicants) == (1, {})
    take(simul, [{"t": "simul.left", "user": user("bob")}])
    assert simul.players == 0
    take(simul, [{"t": "simul.cancelled", "status": "cancelled"}])
    assert simul.is_over


def test_boards_of_a_snapshot_are_those_in_progress() -> None:
    simul = HostedSimul(snapshot(status="running", boards=[board(1, "ann", status="over"), board(2, "bob")]))
    assert (simul.boards, simul.has_room) == ({2: "g2"}, True)


def test_own_simul_is_found_again() -> None:
    offer = [{"game": "chess", "variant": "standard"}]
    lines = [
        {"simul": "a", "host": user("robot5"), "status": "created", "variants": offer},
        {"simul": "b", "host": user("robot5"), "status": "created", "variants": [*offer, DRAUGHTS]},
        {"simul": "c", "host": user("ann"), "status": "running", "variants": offer},
    ]
    assert choose(lines, "robot5", offer) == ("a", ["b"])
    assert choose(lines, "robot5", [*offer, DRAUGHTS]) == ("b", ["a"])
    running = {"simul": "d", "host": user("robot5"), "status": "running", "variants": []}
    assert choose([*lines, running], "robot5", offer) == ("d", ["a", "b"])
    assert choose(lines[2:], "robot5", offer) == (None, [])


def test_all_variants_that_are_played_are_offered() -> None:
    said = announcement(5, [("chess", "standard"), ("draughts", "russian")])
    assert said["variants"] == [{"game": "chess", "variant": "standard"}, DRAUGHTS]
    assert len(said["name"]) <= 60


def test_host_with_seconds_for_each_move_has_time() -> None:
    assert clock_s({"move_s": 30}) == 30
    time = thinking_time({"move_s": 30}, 0.0, 20, Random(1))
    assert 0.3 <= time.wanted_s <= 0.9
    assert time.longest_s <= 3.4


def take(simul: HostedSimul, events: list[Message]) -> None:
    for event in events:
        simul.take({"simul": "s1", "seq": simul.seq + 1, **event})
