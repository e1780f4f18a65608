"""Shared snapshot: one for all clients that subscribe between two events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from game_core import commands as c
from realtime.games.shared_snapshot import COUNTED, shared_snapshot
from realtime.protocol.codec import frame_payload
from tests.realtime.games.delay.test_delayed_view import DELAY_MS, OTHER, Board
from tests.realtime.table_harness import BLACK, Ear, Harness

if TYPE_CHECKING:
    from realtime.fanout.message import Message


def shown(h: Harness) -> Message:
    """What a spectator who comes now is sent."""
    return shared_snapshot(h.table, h.table.shown_to(None), h.time, None)


def read(message: Message) -> Any:
    return msgspec.msgpack.decode(frame_payload(message.frame("msgpack")))


def test_subscribers_between_two_moves_share_one_snapshot() -> None:
    h = Harness()
    h.ask(c.PlayMove(by="w", ply=0, move="e2e4"))
    made: list[Message] = []
    for _ in range(10_000):
        h.join(Ear())
        message = shown(h)
        if not made or made[-1] is not message:
            made.append(message)
    assert len(made) <= COUNTED
    assert shown(h).frame("json") is shown(h).frame("json")
    assert h.table.topic.watching == 10_001


def test_small_audience_is_counted_exactly() -> None:
    h = Harness()
    assert read(shown(h))["watchers"] == 1
    h.join(Ear())
    assert read(shown(h))["watchers"] == 2


def test_both_codecs_have_the_same_content() -> None:
    h = Harness()
    message = shown(h)
    text = msgspec.json.decode(frame_payload(message.frame("json")))
    assert text == read(message) == msgspec.json.decode(msgspec.json.encode(h.snapshot(None)))


def test_shared_clock_is_valid_until_the_next_move() -> None:
    h = Harness()
    for by, ply, move in (("w", 0, "e2e4"), ("b", 1, "e7e5"), ("w", 2, "g1f3")):
        h.ask(c.PlayMove(by=by, ply=ply, move=move), user=None)  # type: ignore[arg-type]  # a colour
    first = shown(h)
    h.time.advance(7_000)
    again = shown(h)
    assert again is first
    then, now = read(first)["clock"], h.snapshot(None)["clock"]
    assert now is not None
    assert then["run"] == "b"
    assert then["b"] - (now["at"] - then["at"]) == now["b"]
    assert then["w"] == now["w"]


def test_move_invalidates_the_snapshot() -> None:
    h = Harness()
    first = shown(h)
    h.ask(c.PlayMove(by="w", ply=0, move="e2e4"))
    assert h.table.topic.snapshot is None
    second = shown(h)
    assert (read(first)["seq"], read(second)["seq"]) == (0, 1)


def test_every_change_of_content_invalidates_the_snapshot() -> None:
    h = Harness()
    assert read(shown(h))["players"]["b"]["online"]
    h.table.leave(h.black)  # type: ignore[arg-type]  # a socket to a table
    assert not read(shown(h))["players"]["b"]["online"]
    h.table.seats.rename(msgspec.structs.replace(BLACK, name="Blackwell"))
    assert read(shown(h))["players"]["b"]["user"]["name"] == "Blackwell"
    h.ask(c.PlayMove(by="w", ply=0, move="e2e4"), user=None)
    h.ask(c.PlayMove(by="b", ply=1, move="e7e5"), user=None)
    h.ask(c.PlayMove(by="w", ply=2, move="g1f3"), user=None)
    running = shown(h)
    h.table.hold_for_storage(h.time.now_ms())  # which is no event
    assert (read(running)["clock"].get("held"), read(shown(h))["clock"]["held"]) == (None, "storage")


def test_delayed_audience_has_its_own_snapshot() -> None:
    h = Board()
    h.ask(c.PlayMove(by="w", ply=0, move="e2e4"))
    delayed, now = (shared_snapshot(h.table, h.table.shown_to(user), h.time, user) for user in (None, OTHER.id))
    assert (read(delayed)["seq"], read(now)["seq"]) == (0, 1)
    h.turn(DELAY_MS)
    assert read(shown(h))["seq"] == 1
