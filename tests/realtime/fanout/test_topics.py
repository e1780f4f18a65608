"""Topics: one frame for each codec, players first, ticks, and missed events."""

from __future__ import annotations

from typing import Any

import msgpack  # type: ignore[import-untyped]  # it ships no annotations
import msgspec
import pytest

from realtime.fanout.message import Message
from realtime.fanout.subscription import Subscription
from realtime.fanout.topics import RING_EVENTS, Topic


class Ear:
    """A connection as far as topics need one; remembers what it was sent, in a log that all ears share."""

    def __init__(self, codec: str, log: list[tuple[Ear, bytes]]) -> None:
        self.codec = codec
        self.heard: list[bytes] = []
        self._log = log

    def write(self, frame: bytes) -> None:
        self.heard.append(frame)
        self._log.append((self, frame))

    write_droppable = write


def _ears(*codecs: str) -> tuple[list[Any], list[tuple[Any, bytes]]]:
    log: list[tuple[Any, bytes]] = []
    return [Ear(codec, log) for codec in codecs], log


def test_message_is_framed_once_per_codec() -> None:
    (first, second, third, fourth), _ = _ears("msgpack", "msgpack", "json", "json")
    topic = Topic("game:x")
    for ear in (first, second, third, fourth):
        topic.add(ear, Subscription())
    topic.publish(Message({"t": "move", "seq": 1}, 1))
    assert first.heard[0] is second.heard[0]
    assert third.heard[0] is fourth.heard[0]
    assert msgpack.unpackb(first.heard[0][2:]) == msgspec.json.decode(third.heard[0][2:]) == {"t": "move", "seq": 1}


def test_players_are_written_to_first() -> None:
    (watcher, player), log = _ears("msgpack", "msgpack")
    topic = Topic("game:x")
    topic.add(watcher, Subscription())
    topic.add(player, Subscription(player=True))
    topic.publish(Message({"t": "move"}, 1))
    assert [ear for ear, _ in log] == [player, watcher]


def test_ticks_go_to_their_subscribers() -> None:
    (one, other), _ = _ears("msgpack", "msgpack")
    topic = Topic("game:x")
    topic.add(one, Subscription(ticks=False))
    assert topic.ticking == 0
    topic.add(other, Subscription())
    topic.tick(Message({"t": "tick"}))
    assert (len(one.heard), len(other.heard), topic.ticking) == (0, 1, 1)


def test_subscribing_twice_counts_once() -> None:
    (ear,), _ = _ears("msgpack")
    topic = Topic("game:x")
    topic.add(ear, Subscription())
    topic.add(ear, Subscription(ticks=False, player=True))
    assert (len(topic), topic.ticking, ear in topic) == (1, 0, True)
    topic.remove(ear)
    topic.remove(ear)
    assert (len(topic), ear in topic) == (0, False)


@pytest.mark.parametrize(
    ("seq", "expected"),
    [
        pytest.param(40, [], id="nothing missed"),
        pytest.param(38, [39, 40], id="two missed"),
        pytest.param(40 - RING_EVENTS, list(range(41 - RING_EVENTS, 41)), id="the whole ring"),
        pytest.param(39 - RING_EVENTS, None, id="one more than the ring holds"),
        pytest.param(41, None, id="ahead: another life of the server"),
    ],
)
def test_subscription_from_a_number_gets_later_events_or_snapshot(seq: int, expected: list[int] | None) -> None:
    topic = Topic("game:x")
    for number in range(1, 41):
        topic.publish(Message({"seq": number}, number))
    events = topic.since(seq, 40)
    assert (None if events is None else [event.seq for event in events]) == expected


def test_socket_that_leaves_during_write_does_not_disturb_others() -> None:
    (first, second), _ = _ears("msgpack", "msgpack")
    topic = Topic("game:x")
    topic.add(first, Subscription())
    topic.add(second, Subscription())
    first.write = lambda frame: topic.remove(first)
    topic.publish(Message({"t": "move"}, 1))
    assert len(second.heard) == 1
