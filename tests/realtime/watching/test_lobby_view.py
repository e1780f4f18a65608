"""View of the lobby for its subscribers, and its cost."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from lobby.accounts.user import User
from lobby.pools.pool_book import PoolBook, waiter_wire
from lobby.pools.pools import PoolKey, Waiter
from lobby.proposals import Proposal
from lobby.ratings.at_start import RatingAtStart
from lobby.robots.robot_lease import RobotLease
from lobby.seeks.seeks import SeekBook, new_seek
from realtime.fanout.message import Message
from realtime.fanout.subscription import Subscription
from realtime.fanout.topics import Topic
from realtime.games.seats import Seats
from realtime.journal.live_games import LiveGame, LiveGames
from realtime.people.presence import Presence
from realtime.watching.lobby_view import REFRESHED, TOP, LobbyGames, LobbyView
from realtime.watching.top_games import TopGames
from tests.realtime.fake_time import FakeTime
from tests.realtime.table_harness import BLACK, WHITE, Ear, Harness, play

if TYPE_CHECKING:
    from collections.abc import Callable

    from lobby.wire.lobby import OpenSeeksWire, WaiterWire
    from simul.wire_lists import SimulCardWire

OPENING = ("e2e4", "e7e5")


class Lobby:
    """As much of a lobby as is shown."""

    def __init__(self, people: Presence) -> None:
        self.people = people
        self.book = SeekBook(seq=100)
        self.book.came(WHITE.id)
        self.snapshots = 0
        self.pools = PoolBook()
        self.robots = RobotLease(self.book.is_here, lambda: 0)

    @property
    def seq(self) -> int:
        return self.book.seq

    def next_seq(self) -> int:
        self.book.seq += 1
        return self.book.seq

    def snapshot(self, *, games: int, online: int) -> OpenSeeksWire:
        self.snapshots += 1
        return self.book.snapshot(games=games, online=online)

    def casual_waiters(self, most: int, is_shown: Callable[[str], bool]) -> list[WaiterWire]:
        return [waiter_wire(waiter) for waiter in self.pools.casual(most, 0, is_shown)]

    def waiting_counts(self, is_shown: Callable[[str], bool]) -> dict[PoolKey, int]:
        return self.pools.counts(0, is_shown)

    def join(self, name: str, place: PoolKey, *, n: int = 1) -> None:
        """Let a person wait."""
        if not self.people.is_here(name):
            self.people.came_remotely(name)
        self.pools.came(name)
        self.pools.add(Waiter(user=User(name, name, "member"), place=place, since_ms=n, n=n, rating=1500), 0)


class Hall:
    """A lobby, its watchers, and the games that are played."""

    def __init__(self, watchers: int = 1) -> None:
        self.time = FakeTime(1_000_000)
        self.people = Presence(lambda user, here: None)
        self.lobby = Lobby(self.people)
        self.live_games = LiveGames()
        self.top = TopGames()
        self.games: dict[str, Harness] = {}
        self.topic = Topic("lobby", 256)
        self.playing: Counter[str] = Counter()
        wall = LobbyGames(self, self.top, self.time, self.open_simuls, None, self.playing)  # type: ignore[arg-type]  # as far as the view needs them
        self.view = LobbyView(self.lobby, self.topic, wall, self.people)  # type: ignore[arg-type]  # the same
        self.ears = [Ear() for _ in range(watchers)]
        for ear in self.ears:
            self.topic.add(ear, Subscription(ticks=False))  # type: ignore[arg-type]  # a socket to a topic

    def open_simuls(self) -> list[SimulCardWire]:
        """The simuls that one may join."""
        return []

    def peek(self, game_id: str) -> Any:
        """As tables do."""
        return self.games[game_id].table if game_id in self.games else None

    def open(self, game_id: str, *ratings: int, moves: tuple[str, ...] = OPENING, **more: Any) -> Harness:
        """A game of two who have ``ratings``, in which ``moves`` were played."""
        harness = Harness(**more)
        table = harness.table
        rated = tuple(RatingAtStart(rating, provisional=False) for rating in ratings) or (None, None)
        assert len(rated) == 2
        table.seats = Seats(WHITE, more.get("black", BLACK), 0, rated)
        table.game = _renamed(table.game, game_id)
        play(harness, *moves)
        self.games[game_id] = harness
        self.live_games.begin(game_id, LiveGame("a", "b", 7))
        self.top.note(table)
        return harness

    def end(self, game_id: str) -> None:
        """It is over."""
        self.live_games.end(game_id)
        self.top.forget(game_id)
        del self.games[game_id]

    def heard(self, ear: int = 0) -> list[tuple[str, str]]:
        """What a watcher heard of games since the last call: the type of each message, and the game."""
        messages = [message for message in self.ears[ear].heard if message["t"].startswith("lobby.game")]
        self.ears[ear].heard = []
        return [(message["t"], message.get("g") or message["card"]["g"]) for message in messages]

    def shown(self) -> dict[str, Any]:
        """The snapshot, as a socket gets it."""
        ear = Ear()
        ear.write(self.view.snapshot().frame("json"))
        body: dict[str, Any] = ear.heard[0]
        return body

    def top_ids(self) -> list[str]:
        """The games in it."""
        return [card["g"] for card in self.shown()["top"]]


def _renamed(game: Any, game_id: str) -> Any:
    return msgspec.structs.replace(game, setup=msgspec.structs.replace(game.setup, id=game_id))


class TestTop:
    def test_best_rated_games_come_first_then_newest(self) -> None:
        hall = Hall()
        for game_id, ratings in (("low", (1400, 1500)), ("guests", ()), ("high", (1900, 1800)), ("late", (1500, 1400))):
            hall.open(game_id, *ratings)
        hall.view.tick()
        assert hall.top_ids() == ["high", "late", "low", "guests"]
        assert hall.heard() == [("lobby.game", game_id) for game_id in ("high", "late", "low", "guests")]

    def test_lobby_shows_only_started_games_of_two_people(self) -> None:
        hall = Hall()
        hall.open("created", moves=("e2e4",))
        hall.open("one screen", black=WHITE)
        hall.view.tick()
        assert (hall.top_ids(), hall.heard()) == ([], [])

    def test_new_top_game_replaces_the_last(self) -> None:
        hall = Hall()
        for number in range(TOP):
            hall.open(f"g{number}", 1500, 1500 + number)
        hall.view.tick()
        hall.heard()
        hall.open("best", 2500, 2500)
        hall.open("worst", 1000, 1000)
        hall.view.tick()
        assert hall.heard() == [("lobby.game_gone", "g0"), ("lobby.game", "best")]
        hall.end("best")
        hall.view.tick()
        assert hall.heard() == [("lobby.game_gone", "best"), ("lobby.game", "g0")]

    def test_changed_game_is_sent_again(self) -> None:
        hall = Hall()
        harness = hall.open("g")
        hall.view.tick()
        hall.view.tick()
        assert len(hall.heard()) == 1
        play(harness, "g1f3")
        hall.view.tick()
        assert hall.heard() == [("lobby.game", "g")]
        (card,) = hall.shown()["top"]
        assert (card["last"], card["turn"], card["plies"], card["created"]) == ("g1f3", "b", 3, 7)

    def test_many_changed_games_are_sent_in_turn(self) -> None:
        hall = Hall()
        games = [hall.open(f"g{number}") for number in range(TOP)]
        hall.view.tick()
        hall.heard()
        told = []
        moves = iter([("g1f3",), ("g8f6",), ("f3g1",), ("f6g8",)])
        for _ in range(TOP // REFRESHED):
            for move in next(moves):
                for harness in games:
                    play(harness, move)
            hall.view.tick()
            heard = hall.heard()
            assert len(heard) == REFRESHED
            told += heard
        assert len(set(told)) == TOP


class TestSnapshot:
    def test_snapshot_is_encoded_once_for_all(self) -> None:
        hall = Hall()
        hall.view.tick()
        assert len({id(hall.view.snapshot()) for _ in range(5)}) == 1
        assert hall.lobby.snapshots == 1
        event = hall.lobby.book.add(new_seek("s1", WHITE, Proposal(tc=None), 0), 0)
        hall.topic.publish(Message(event, event["seq"]))
        assert [seek["seek"] for seek in hall.shown()["seeks"]] == ["s1"]
        assert hall.lobby.snapshots == 2

    def test_snapshot_has_the_last_sent_counts(self) -> None:
        hall = Hall()
        assert (hall.shown()["games"], hall.shown()["online"]) == (0, 0)
        hall.view.tick()
        hall.open("g")
        assert hall.shown()["games"] == 0
        hall.view.tick()
        assert hall.shown()["games"] == 1
        counts = [message for message in hall.ears[0].heard if message["t"] == "lobby.count"]
        assert [(count["games"], count["online"]) for count in counts] == [(0, 0), (1, 0)]

    def test_events_lead_to_the_same_state_as_the_snapshot(self) -> None:
        hall = Hall()
        before = hall.shown()
        hall.open("a", 1500, 1500)
        hall.view.tick()
        play(hall.open("b", 1600, 1600), "g1f3")
        hall.end("a")
        hall.view.tick()
        cards: dict[str, Any] = {}
        seq = before["seq"]
        for message in hall.ears[0].heard:
            if "seq" in message:
                seq += 1
                assert message["seq"] == seq
            if message["t"] == "lobby.game":
                cards[message["card"]["g"]] = message["card"]
            elif message["t"] == "lobby.game_gone":
                del cards[message["g"]]
        after = hall.shown()
        assert after["seq"] == seq
        assert after["top"] == list(cards.values())


@given(st.lists(st.tuples(st.integers(0, 5), st.sampled_from([None, 1000, 1500, 2000])), max_size=30))
def test_ranks_are_right_for_any_sequence_of_games(steps: list[tuple[int, int | None]]) -> None:
    top = TopGames()
    games: dict[str, tuple[int, int]] = {}
    harness = Harness()
    play(harness, *OPENING)
    begun = harness.table.game
    for number, (game, rating) in enumerate(steps):
        game_id = f"g{game}"
        if game_id in games:
            top.forget(game_id)
            del games[game_id]
        else:
            table = harness.table
            table.game = _renamed(begun, game_id)
            start = None if rating is None else RatingAtStart(rating, provisional=False)
            table.seats = Seats(WHITE, BLACK, 0, (start, start))
            top.note(table)
            top.note(table)
            games[game_id] = (-2 * (rating or 0), -number)
    assert top.first(99) == sorted(games, key=games.__getitem__)
    assert top.first(2) == top.first(99)[:2]
    assert len(top) == len(games)
