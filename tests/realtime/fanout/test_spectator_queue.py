"""Spectator queue: slices of a large audience, each event once and in order, few writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from realtime.fanout.message import Message
from realtime.fanout.spectator_queue import MOST_KEPT, FanOut
from realtime.fanout.subscription import Subscription
from realtime.fanout.topics import Topic
from tests.realtime.table_harness import BINARY, Ear

if TYPE_CHECKING:
    from collections.abc import Callable

SOCKETS = 7

AT_ONCE = 2


class Socket(Ear):
    """Counts what is written to it; a write may contain several frames. A slow socket is not sent droppable frames."""

    def __init__(self) -> None:
        super().__init__()
        self.writes = 0
        self.is_slow = False
        self.binary: list[bool] = []

    def write(self, frame: bytes) -> None:
        self.writes += 1
        self.binary.append(frame[0] & 0x0F == BINARY)
        while frame:
            # Short messages only: a length of seven bits.
            end = 2 + frame[1]
            super().write(frame[:end])
            frame = frame[end:]

    def write_droppable(self, frame: bytes) -> None:
        if not self.is_slow:
            self.write(frame)

    def seqs(self) -> list[int]:
        return [message["seq"] for message in self.heard if "seq" in message]


class Loop:
    """An event loop that turns when the test says so."""

    def __init__(self) -> None:
        self.soon: list[Callable[[], None]] = []

    def call_soon(self, call: Callable[[], None]) -> None:
        self.soon.append(call)

    def turn(self) -> None:
        soon, self.soon = self.soon, []
        for call in soon:
            call()

    def run(self) -> None:
        while self.soon:
            self.turn()


class Game:
    """A topic that so many watch, and two sockets of players."""

    def __init__(self, watching: int = 5, at_once: int = AT_ONCE) -> None:
        self.loop = Loop()
        self.fan_out = FanOut(self.loop.call_soon, at_once)
        self.topic = Topic("game:x", 1000, self.fan_out)
        self.watching: list[Any] = [Socket() for _ in range(watching)]
        self.playing: list[Any] = [Socket(), Socket()]
        for socket in self.watching:
            self.topic.add(socket, Subscription())
        for socket in self.playing:
            self.topic.add(socket, Subscription(player=True))
        self.seq = 0

    def publish(self) -> None:
        self.seq += 1
        self.topic.publish(Message({"t": "e", "seq": self.seq}, self.seq))

    def writes(self) -> list[int]:
        return [socket.writes for socket in self.watching]

    def is_first(self, connection: Any, how: Subscription) -> bool:
        return connection is self.watching[0]


class TestSlices:
    def test_small_audience_is_sent_events_at_once(self) -> None:
        game = Game(watching=2)
        game.publish()
        assert game.writes() == [1, 1]
        assert not game.loop.soon

    def test_large_audience_is_sent_events_in_slices_after_players(self) -> None:
        game = Game()
        game.publish()
        assert ([socket.seqs() for socket in game.playing], sum(game.writes())) == ([[1], [1]], 0)
        for sent in (2, 4, 5):
            game.loop.turn()
            assert sum(game.writes()) == sent
        assert not game.loop.soon

    def test_spectator_two_events_behind_gets_both_in_one_write(self) -> None:
        game = Game()
        game.publish()
        game.loop.turn()
        game.publish()
        game.loop.run()
        assert all(socket.seqs() == [1, 2] for socket in game.watching)
        assert game.writes() == [2, 2, 1, 1, 1]

    def test_each_socket_of_a_slice_gets_its_own_codec(self) -> None:
        game = Game()
        for number, socket in enumerate(game.watching):
            socket.codec = "json" if number % 2 else "msgpack"
        game.publish()
        game.loop.run()
        assert [socket.binary for socket in game.watching] == [[True], [False], [True], [False], [True]]
        assert all(socket.seqs() == [1] for socket in game.watching)

    def test_two_topics_take_turns(self) -> None:
        first, second = Game(), Game()
        second.topic = Topic("game:y", 10, first.fan_out)
        for socket in second.watching:
            second.topic.add(socket, Subscription())
        first.publish()
        second.publish()
        first.loop.turn()
        first.loop.turn()
        assert (sum(first.writes()), sum(second.writes())) == (2, 2)
        first.loop.run()
        assert (sum(first.writes()), sum(second.writes())) == (5, 5)

    def test_topic_that_ends_with_a_full_slice_lets_the_other_continue(self) -> None:
        first, second = Game(watching=2 * AT_ONCE), Game(watching=3 * AT_ONCE)
        second.topic = Topic("game:y", 10, first.fan_out)
        for socket in second.watching:
            second.topic.add(socket, Subscription())
        first.publish()
        second.publish()
        first.loop.run()
        assert (set(first.writes()), set(second.writes())) == ({1}, {1})

    def test_no_event_is_kept_after_the_last_slice(self) -> None:
        game = Game()
        game.publish()
        game.loop.run()
        assert game.topic.watchers._kept == []

    def test_no_event_is_kept_after_all_spectators_left(self) -> None:
        game = Game()
        game.publish()
        for socket in game.watching:
            game.topic.remove(socket)
        game.loop.run()
        assert (game.topic.watchers._kept, game.loop.soon) == ([], [])
        game.publish()
        assert game.topic.watchers._kept == []

    def test_messages_do_not_pile_up_while_the_loop_hangs(self) -> None:
        game = Game()
        for _ in range(MOST_KEPT + 1):
            game.publish()
        assert game.topic.watchers._kept == []
        assert all(socket.seqs() == list(range(1, game.seq + 1)) for socket in game.watching)
        game.loop.run()


class TestUnnumbered:
    def test_unnumbered_message_follows_the_event_before_it(self) -> None:
        game = Game()
        game.publish()
        game.topic.send(Message({"t": "crowd"}))
        game.publish()
        game.loop.run()
        assert all(socket.kinds() == ["e", "crowd", "e"] for socket in game.watching)

    def test_slow_reader_gets_events_but_no_unnumbered_messages(self) -> None:
        game = Game()
        game.watching[0].is_slow = True
        game.publish()
        game.topic.send(Message({"t": "crowd"}))
        game.topic.tick(Message({"t": "tick"}))
        game.loop.run()
        assert [socket.kinds() for socket in game.watching[:2]] == [["e"], ["e", "crowd", "tick"]]

    def test_last_tick_goes_to_its_subscribers(self) -> None:
        game = Game()
        game.topic.add(game.watching[0], Subscription(ticks=False))
        game.topic.tick(Message({"t": "tick", "n": 1}))
        game.topic.tick(Message({"t": "tick", "n": 2}))
        game.loop.run()
        assert game.watching[0].heard == []
        assert game.watching[1].heard == [{"t": "tick", "n": 2}]

    def test_unnumbered_message_may_go_to_some_only(self) -> None:
        for watching in (2, 5):
            game = Game(watching)
            game.topic.watchers.word(Message({"t": "chat"}), game.is_first)
            game.loop.run()
            assert [socket.kinds() for socket in game.watching[:2]] == [["chat"], []]


class TestInTheMiddleOfAPour:
    def test_new_spectator_gets_only_later_events(self) -> None:
        game = Game()
        delayed: Any = Socket()
        game.publish()
        game.loop.turn()
        game.topic.add(delayed, Subscription())  # as the snapshot contains the first
        game.publish()
        game.loop.run()
        assert delayed.seqs() == [2]

    def test_requester_gets_all_events_before_the_answer(self) -> None:
        game = Game()
        last = game.watching[-1]
        game.publish()
        game.fan_out.catch_up(last)
        assert last.seqs() == [1]
        game.loop.run()
        assert last.seqs() == [1]

    def test_spectator_closed_by_a_write_does_not_disturb_others(self) -> None:
        game = Game()
        game.watching[0].write = lambda frame: game.topic.remove(game.watching[0])
        game.publish()
        game.loop.run()
        assert all(socket.seqs() == [1] for socket in game.watching[1:])

    def test_follow_up_runs_after_the_last_slice(self) -> None:
        game = Game()
        done: list[int] = []
        game.topic.watchers.when_told(lambda: done.append(sum(game.writes())))
        game.publish()
        game.topic.watchers.when_told(lambda: done.append(sum(game.writes())))
        game.loop.run()
        assert done == [0, 5]


class Crowd(RuleBasedStateMachine):
    """Sockets subscribe, leave, return, read slowly, change between the topics, and request answers at any time."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = Loop()
        self.fan_out = FanOut(self.loop.call_soon, AT_ONCE)
        self.topic = Topic("game:x", 10_000, self.fan_out)
        self.sockets: list[Any] = [Socket() for _ in range(SOCKETS)]
        self.since: dict[int, int] = {}
        self.seq = 0

    @rule(count=st.integers(1, 3))
    def happen(self, count: int) -> None:
        for _ in range(count):
            self.seq += 1
            self.topic.publish(Message({"t": "e", "seq": self.seq}, self.seq))

    @rule()
    def say(self) -> None:
        """Something without a number, that tells after which event it was said."""
        self.topic.send(Message({"t": "w", "after": self.seq}))

    @rule()
    def tick(self) -> None:
        self.topic.tick(Message({"t": "tick", "after": self.seq}))

    @rule()
    def turn(self) -> None:
        self.loop.turn()

    @rule(which=st.integers(0, SOCKETS - 1), player=st.booleans(), slow=st.booleans(), ticks=st.booleans())
    def come(self, which: int, player: bool, slow: bool, ticks: bool) -> None:
        """Join: the snapshot contains everything up to now."""
        socket = self.sockets[which]
        socket.heard, socket.is_slow = [], slow
        self.since[which] = self.seq
        self.topic.add(socket, Subscription(player=player, ticks=ticks))

    @precondition(lambda self: self.since)
    @rule(data=st.data())
    def come_back(self, data: st.DataObject) -> None:
        """Resume with ``from``, on the same socket or another: the ring has what was missed."""
        which = data.draw(st.sampled_from(sorted(self.since)))
        socket = self.sockets[which]
        seen = (socket.seqs() or [self.since[which]])[-1]
        missed = self.topic.since(seen, self.seq)
        assert missed is not None
        self.topic.add(socket, Subscription())
        for message in missed:
            socket.write(message.frame("json"))

    @rule(which=st.integers(0, SOCKETS - 1))
    def go(self, which: int) -> None:
        if self.since.pop(which, None) is not None:
            self.topic.remove(self.sockets[which])

    @rule(which=st.integers(0, SOCKETS - 1))
    def ask(self, which: int) -> None:
        """The answer comes after everything that happened before it."""
        if which in self.since:
            self.fan_out.catch_up(self.sockets[which])
            assert self.sockets[which].seqs() == list(range(self.since[which] + 1, self.seq + 1))

    @rule()
    def come_to_rest(self) -> None:
        self.loop.run()
        for which, since in self.since.items():
            assert self.sockets[which].seqs() == list(range(since + 1, self.seq + 1))
        assert self.topic.watchers._kept == []

    @invariant()
    def nobody_misses_or_repeats_or_hears_too_early(self) -> None:
        for which, since in self.since.items():
            seen = since
            for message in self.sockets[which].heard:
                if "seq" in message:
                    seen += 1
                    assert message["seq"] == seen
                else:
                    assert message["after"] == seen

    @invariant()
    def players_have_heard_all(self) -> None:
        for socket in self.topic.players:
            heard: Any = socket
            assert not heard.seqs() or heard.seqs()[-1] == self.seq

    @invariant()
    def who_has_missed_most_is_first(self) -> None:
        cursors = [subscription.cursor for subscription in self.topic.watchers.values()]
        assert cursors == sorted(cursors)


TestCrowd = Crowd.TestCase
