"""Fold of events: the log determines the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from hypothesis import given

from game_core import commands as c
from game_core.color import COLORS, of
from game_core.decide import decide
from game_core.events import AnyEvent, ClockReading, ClockSet, Ended, Moved, Offered, TakenBack
from game_core.evolve import evolve
from game_core.lag import CAP_GAINS, gain_ms
from game_core.replay import replay_events
from game_core.start import new_game
from tests.game_core.courses import Course, courses, run, setups, state
from tests.game_core.scene import BLITZ, Scene

if TYPE_CHECKING:
    from game_core.game import Setup

DECODER = msgspec.json.Decoder(AnyEvent)


def stored(event: AnyEvent) -> AnyEvent:
    """``event`` as it comes back from the journal."""
    back: AnyEvent = DECODER.decode(msgspec.json.encode(event))
    return back


@given(setups, courses())
def test_stored_log_replays_to_the_live_game(setup: Setup, course: Course) -> None:
    stages = run(setup, course)
    log = [event for stage in stages for event in stage.events]
    replayed = replay_events(new_game(setup, 0), [stored(event) for event in log], 5)
    live = stages[-1].after if stages else new_game(setup, 0)
    assert state(replayed) == state(live)


@given(setups, courses())
def test_each_event_increments_seq_and_the_end_is_last(setup: Setup, course: Course) -> None:
    over = False
    for stage in run(setup, course):
        assert stage.after.seq == stage.before.seq + len(stage.events)
        for event in stage.events:
            assert not over or (isinstance(event, Offered) and event.what == "rematch")
            over = over or isinstance(event, Ended)
        assert (stage.after.status == "over") == over


@given(setups, courses())
def test_state_is_consistent(setup: Setup, course: Course) -> None:
    for stage in run(setup, course):
        game = stage.after
        assert game.ply == len(game.notation) == len(game.move_seqs)
        assert len(game.times) == (0 if setup.tc is None else game.ply)
        assert game.turn == game.mover_of(game.ply) == game.rules.turn(game.position)
        assert list(game.move_seqs) == sorted(set(game.move_seqs))
        assert (game.offers.rematch is None) or game.status == "over"
        for color in COLORS:
            assert 0 <= of(game.quota, color) <= CAP_GAINS * gain_ms(setup.tc)
        if game.clock is not None:
            assert game.clock.run == (game.turn if game.status == "live" else None)
            assert min(game.clock.left) >= 0
        if stage.before.status == "live":
            assert game.status != "created"


def test_clock_runs_from_when_its_event_was_sent() -> None:
    # Design: "journal, queue and garbage-collection time is ours, not the player's."
    scene = Scene(moves="e2e4 e7e5")
    (moved,) = decide(scene.game, scene.move("g1f3"), scene.now_ms + 1_000)
    game = evolve(scene.game, moved, scene.now_ms + 1_400)
    assert game.clock is not None
    assert game.clock.reading(scene.now_ms + 2_400) == ClockReading(181_000, 179_000, "b")


def test_limit_for_a_first_move_runs_from_when_the_other_was_sent() -> None:
    scene = Scene()
    (moved,) = decide(scene.game, scene.move("e2e4"), scene.now_ms + 1_000)
    assert evolve(scene.game, moved, scene.now_ms + 1_400).turn_since_ms == scene.now_ms + 1_400


def test_replay_starts_the_clock_at_its_last_reading() -> None:
    scene = Scene(moves="e2e4 e7e5")
    scene.play("g1f3 b8c6", 10_000)
    game = replay_events(scene.fresh, scene.log, 77)
    assert game.clock is not None
    assert game.clock.reading(77) == ClockReading(172_000, 172_000, "w")


def test_untimed_game_ignores_clock_readings() -> None:
    scene = Scene(None)
    reading = ClockReading(1, 2, "w")
    for event in (ClockSet(clock=reading, why="arbiter"), Ended(result="*", reason="aborted", clock=reading)):
        assert evolve(scene.game, event, 0).clock is None


def test_event_without_a_reading_keeps_the_clock() -> None:
    scene = Scene(moves="e2e4 e7e5")
    assert evolve(scene.game, Ended(result="*", reason="aborted"), 0).clock == scene.game.clock


def test_given_time_does_not_extend_the_first_move_limit() -> None:
    scene = Scene()
    scene.do(c.GiveTime(by="b", seconds=15), 5_000)
    assert scene.game.turn_since_ms == scene.now_ms - 5_000


# One event of each kind, as the journal stores it. Defaults take no room.
STORED: dict[str, tuple[AnyEvent, str]] = {
    "move": (
        Moved(
            ply=2, by="w", move="g1f3", san="Nf3", position="fen", clock=ClockReading(1, 2, "b"), spent_ms=3, lag_ms=4
        ),
        (
            '{"kind":"move","ply":2,"by":"w","move":"g1f3","san":"Nf3","position":"fen",'
            '"clock":{"w":1,"b":2,"run":"b"},"spent_ms":3,"lag_ms":4}'
        ),
    ),
    "offer": (
        Offered(what="rematch", do="accept", by="b", next="h"),
        '{"kind":"offer","what":"rematch","do":"accept","by":"b","next":"h"}',
    ),
    "takeback": (TakenBack(plies=2, position="fen"), '{"kind":"takeback","plies":2,"position":"fen"}'),
    "clock": (
        ClockSet(clock=ClockReading(1, 2, "w", (0, 1), (3, 4), "pause", 5), why="pause", by="w"),
        (
            '{"kind":"clock","clock":{"w":1,"b":2,"run":"w","period":[0,1],"moves":[3,4],"held":"pause","spent":5},'
            '"why":"pause","by":"w"}'
        ),
    ),
    "end": (
        Ended(result="1-0", reason="timeout", clock=ClockReading(1, 0)),
        '{"kind":"end","result":"1-0","reason":"timeout","clock":{"w":1,"b":0}}',
    ),
}


def test_stored_form_of_events_is_stable() -> None:
    for event, text in STORED.values():
        assert msgspec.json.encode(event).decode() == text
        assert stored(event) == event


def test_draw_offer_declined_by_a_move_is_remembered() -> None:
    scene = Scene(BLITZ, moves="e2e4 e7e5 g1f3")
    scene.do(c.Draw(by="w", do="offer"))
    scene.play("b8c6")
    assert scene.game.draw_refused_at == (2, None)


def test_end_of_a_rated_game_has_the_new_ratings() -> None:
    scene = Scene(BLITZ)
    end = stored(Ended(result="1-0", reason="resignation", ratings={"w": 1510, "b": 1490}))
    assert evolve(scene.game, end, 0).ratings == {"w": 1510, "b": 1490}
    assert evolve(scene.game, Ended(result="*", reason="aborted"), 0).ratings is None
