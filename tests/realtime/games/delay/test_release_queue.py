"""Release queue of delayed events: in order, nothing early, bounded."""

from __future__ import annotations

from game_core.public_delay import PublicDelay, Stamp
from realtime.games.delay.release_queue import ReleaseQueue


def popped(queue: ReleaseQueue[str], now: Stamp) -> list[str]:
    return [waiting.what for waiting in queue.pop_released(now)]


def test_entries_are_released_in_order() -> None:
    queue: ReleaseQueue[str] = ReleaseQueue(PublicDelay(2), 10)
    assert queue.due_ms() is None
    for at_ms, what in ((0, "a"), (500, "b"), (100, "c")):
        queue.push(Stamp(at_ms, 0), what, str)
    assert queue.due_ms() == 2000
    assert popped(queue, Stamp(1999, 0)) == []
    assert popped(queue, Stamp(2200, 0)) == ["a"]
    assert popped(queue, Stamp(2500, 0)) == ["b", "c"]


def test_time_does_not_release_entries_delayed_by_moves() -> None:
    queue: ReleaseQueue[str] = ReleaseQueue(PublicDelay(moves=1), 10)
    queue.push(Stamp(0, 1), "a", str)
    assert queue.due_ms() is None
    assert popped(queue, Stamp(10**9, 2)) == []
    assert popped(queue, Stamp(0, 3)) == ["a"]


def test_full_queue_becomes_one_snapshot() -> None:
    queue: ReleaseQueue[str] = ReleaseQueue(PublicDelay(2), 2)
    for at_ms in (0, 1, 2):
        queue.push(Stamp(at_ms, 0), "entry", lambda: "snapshot")
    assert (len(queue), queue.due_ms()) == (1, 2002)
    assert popped(queue, Stamp(2002, 0)) == ["snapshot"]


def test_cleared_queue_releases_nothing() -> None:
    queue: ReleaseQueue[str] = ReleaseQueue(PublicDelay(2), 2)
    queue.push(Stamp(0, 0), "entry", str)
    queue.clear()
    assert popped(queue, Stamp(9999, 0)) == []
