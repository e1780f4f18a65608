"""Television and the list of live games, for tables that a test begins, watches and ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from game_core import commands as c
from game_core.registry import registered
from game_core.simul_board import SimulBoard
from lobby.accounts.user import User
from lobby.ratings.at_start import RatingAtStart
from realtime.fanout.subscription import Subscription
from realtime.games.delay.delayed_view import DelayedView
from realtime.games.delay.exemptions import Exempt
from realtime.journal.live_games import LiveGame, LiveGames
from realtime.watching import live_index as live_book_module
from realtime.watching.live_index import LiveFilter, LiveIndex
from realtime.watching.tv.chooser import SEEN_MS, SETTLED_MS
from realtime.watching.tv.director import Director
from realtime.watching.tv.standing import CHANNELS, SHORT_MS, channels_of, is_scramble, strength_of
from tests.realtime.fake_time import FakeTime
from tests.realtime.table_harness import BLACK, WHITE, Ear, Harness, play

if TYPE_CHECKING:
    from realtime.games.table import Table


class Game(Harness):
    """A table with an id of its own, whose players are rated."""

    def __init__(self, name: str, ratings: tuple[int, int] | None = None, **fields: Any) -> None:
        super().__init__(**fields)
        game = self.table.game
        self.table.game = msgspec.structs.replace(game, setup=msgspec.structs.replace(game.setup, id=name))
        if ratings is not None:
            for seat, rating in zip((self.table.seats.white, self.table.seats.black), ratings, strict=True):
                seat.user = User(seat.user.id, seat.user.name, "member")
                seat.rating = RatingAtStart(rating, provisional=False)


class Studio:
    """Everything that keeps lists, and the tables it is told of."""

    def __init__(self) -> None:
        self.time = FakeTime(1_000_000)
        self.live_games = LiveGames()
        self._tables: dict[str, Table] = {}
        self.director = Director(self, self.time)  # type: ignore[arg-type]  # tables as far as needed
        self.book = LiveIndex(self, self.time)  # type: ignore[arg-type]  # tables as far as needed

    def peek(self, game_id: str) -> Table | None:
        return self._tables.get(game_id)

    def begin(self, game: Game) -> Game:
        """Both have moved."""
        seats = game.table.seats
        self._tables[game.table.id] = game.table
        self.live_games.begin(game.table.id, LiveGame(seats.white.user.id, seats.black.user.id, 1))
        self.note(game)
        play(game, "e2e4", "e7e5")
        self.note(game)
        return game

    def note(self, game: Game) -> None:
        for follower in (self.director, self.book):
            follower.note(game.table)

    def crowd(self, game: Game, count: int) -> None:
        for _ in range(count):
            game.table.join(Ear(), Subscription())  # type: ignore[arg-type]  # a socket to a table
        for follower in (self.director, self.book):
            follower.crowd(game.table)

    def end(self, game: Game) -> None:
        game.ask(c.Resign(by="w"))
        self.live_games.end(game.table.id)
        self.note(game)

    def evict(self, game: Game) -> None:
        for follower in (self.director, self.book):
            follower.forget(game.table)
        del self._tables[game.table.id]

    def tick(self, ms: int = 1000) -> dict[str, str]:
        self.time.advance(ms)
        self.director.tick()
        return self.director.shown()

    def live(self, count: int = 100, **fields: Any) -> list[str]:
        self.time.advance(1000)
        return [card["g"] for card in self.book.find(LiveFilter(**fields), count)]


def test_each_family_speed_and_variant_has_a_channel() -> None:
    assert CHANNELS[:5] == ("best", "simul", "chess", "draughts", "chinese-checkers")
    assert CHANNELS[5:9] == ("bullet", "blitz", "rapid", "classical")
    assert set(CHANNELS[9:]) == {variant for _, variant in registered()} - {"standard"}
    assert len(set(CHANNELS)) == len(CHANNELS)


@pytest.mark.parametrize(
    ("tc", "variant", "channels"),
    [
        ({"base_s": 60}, "standard", ("best", "chess", "bullet")),
        ({"base_s": 180, "inc_s": 2}, "standard", ("best", "chess", "blitz")),
        ({"base_s": 900}, "standard", ("best", "chess", "rapid")),
        ({"base_s": 3600}, "standard", ("best", "chess", "classical")),
        ({"base_s": 180}, "chess960", ("best", "chess", "chess960")),
        ({"days": 3}, "standard", ()),
        (None, "chess960", ()),
    ],
)
def test_channels_of_a_game_follow_speed_and_variant(tc: Any, variant: str, channels: tuple[str, ...]) -> None:
    assert channels_of(Harness(tc, variant=variant).table.game.setup) == channels


@pytest.mark.parametrize(
    ("white", "black", "strength"),
    [
        (("member", 1500, False, None), ("member", 1700, False, None), 1600),
        (("guest", None, False, None), ("guest", None, False, None), 800),
        (("guest", None, False, None), ("member", 2000, False, None), 1400),
        (("member", 2000, True, None), ("member", 2000, False, None), 1900),
        (("member", 2400, False, "GM"), ("member", 2400, False, None), 2450),
        (("bot", 3000, False, None), ("member", 1000, False, None), -1100),
        (("bot", None, False, None), ("member", 2900, False, "GM"), -100),
        (("member", 400, False, None), ("member", 400, False, None), 800),
    ],
)
def test_strength_follows_ratings_and_titles(white: Any, black: Any, strength: int) -> None:
    game = Harness()
    for seat, (kind, rating, provisional, title) in zip(
        (game.table.seats.white, game.table.seats.black), (white, black), strict=True
    ):
        seat.user = User(seat.user.id, "Somebody", kind, title)
        seat.rating = None if rating is None else RatingAtStart(rating, provisional=provisional)
    assert strength_of(game.table) == strength


def test_rated_game_comes_before_a_casual_one() -> None:
    game = Harness()
    casual = strength_of(game.table)
    game.table.game = msgspec.structs.replace(
        game.table.game, setup=msgspec.structs.replace(game.table.game.setup, rated=True)
    )
    assert strength_of(game.table) == casual + 100


def test_scramble_requires_running_clock_and_short_time() -> None:
    game = Harness({"base_s": 60})
    assert not is_scramble(game.table, game.time.now_ms())
    play(game, "e2e4", "e7e5")
    assert not is_scramble(game.table, game.time.now_ms())
    game.time.advance(60_000 - SHORT_MS)
    assert not is_scramble(game.table, game.time.now_ms())
    game.time.advance(1)
    assert is_scramble(game.table, game.time.now_ms())
    game.table.hold_for_storage(game.time.now_ms())
    assert not is_scramble(game.table, game.time.now_ms())
    assert not is_scramble(Harness(None).table, 0)


class TestTelevision:
    def test_subscriber_gets_shown_games_and_changes(self) -> None:
        h = Studio()
        ear = Ear()
        assert h.tick() == {}
        first = h.director.topic.seq
        h.director.topic.add(ear, Subscription(ticks=False))  # type: ignore[arg-type]  # a socket to a topic
        h.begin(Game("game1", (1500, 1500)))
        h.tick()
        assert ear.heard == [
            {"t": "tv.game", "seq": first + 1, "channel": "best", "g": "game1"},
            {"t": "tv.game", "seq": first + 2, "channel": "chess", "g": "game1"},
            {"t": "tv.game", "seq": first + 3, "channel": "blitz", "g": "game1"},
        ]
        h.tick()
        assert len(ear.heard) == 3
        told = msgspec.msgpack.decode(h.director.snapshot().binary[2:])
        assert told == {"t": "tv", "seq": first + 3, "channels": dict.fromkeys(("best", "chess", "blitz"), "game1")}
        assert h.director.snapshot() is h.director.snapshot()

    def test_event_numbers_grow_over_restarts(self) -> None:
        h = Studio()
        assert h.director.topic.seq == h.time.wall_ms(h.time.now_ms())

    def test_better_game_waits_for_a_minimum_time_and_scrambles(self) -> None:
        h = Studio()
        h.begin(Game("game1", (1500, 1500)))
        h.tick()
        h.begin(Game("game2", (2500, 2500), tc={"base_s": 60}))
        assert h.tick(SETTLED_MS - 1) == {"best": "game1", "chess": "game1", "blitz": "game1", "bullet": "game2"}
        assert h.tick(1)["best"] == "game2"
        short = h.peek("game2")
        assert short is not None
        h.begin(Game("game3", (2900, 2900), tc={"base_s": 60}))
        # The player to move thinks until nearly no time is left, and the clock is read by the studio's time.
        h.time.advance(60_000)
        assert h.tick() == {"best": "game2", "chess": "game2", "blitz": "game1", "bullet": "game2"}
        short.hold_for_storage(0)
        assert h.tick()["bullet"] == "game3"

    def test_game_with_a_program_is_shown_only_while_there_is_no_other(self) -> None:
        h = Studio()
        robot = Game("robot1", (2900, 2900))
        robot.table.seats.black.user = User("rrrrrrrr", "Robot", "bot")
        h.crowd(h.begin(robot), 600)
        assert h.tick()["best"] == "robot1"
        h.begin(Game("guests"))
        assert h.tick(SETTLED_MS)["best"] == "guests"

    def test_spectators_raise_the_rank_of_a_game(self) -> None:
        h = Studio()
        h.begin(Game("game1", (1500, 1500)))
        h.tick()
        other = h.begin(Game("game2", (1500, 1500)))
        h.crowd(other, 40)
        assert h.tick(SETTLED_MS)["best"] == "game2"

    def test_end_is_shown_before_the_next_game(self) -> None:
        h = Studio()
        first = h.begin(Game("game1", (1500, 1500)))
        h.tick()
        h.begin(Game("game2", (900, 900)))
        h.end(first)
        assert h.tick(SEEN_MS - 1)["best"] == "game1"
        card = h.director.cards()["best"]
        assert (card["g"], card["status"], card["result"]) == ("game1", "over", "0-1")
        assert h.tick(1)["best"] == "game2"

    def test_card_has_the_instant_of_the_end(self) -> None:
        h = Studio()
        game = h.begin(Game("game1"))
        h.tick()
        assert h.director.cards()["best"]["ended"] is None
        ended_ms = h.time.wall_ms(h.time.now_ms())
        h.end(game)
        h.tick(SEEN_MS)
        assert h.director.cards()["best"]["ended"] == ended_ms
        h.evict(game)
        assert h.director.cards()["best"]["ended"] == ended_ms

    def test_game_shown_before_restart_stays_until_replaced(self) -> None:
        before, h, ear = Studio(), Studio(), Ear()
        over, on = before.begin(Game("over1")), Game("on1", tc={"base_s": 60})
        before.end(over)
        h._tables["over1"] = over.table
        h.begin(on)
        h.tick()
        seq = h.director.topic.seq
        h.director.topic.add(ear, Subscription(ticks=False))  # type: ignore[arg-type]  # a socket to a topic
        for channel in ("best", "blitz"):
            h.director.recall(channel, over.table, 1_000, 61_000)
        assert ear.heard == [{"t": "tv.game", "seq": seq + 1, "channel": "blitz", "g": "over1"}]
        assert h.director.shown() == {"best": "on1", "chess": "on1", "bullet": "on1", "blitz": "over1"}
        card = h.director.cards()["blitz"]
        assert (card["status"], card["created"], card["ended"]) == ("over", 1_000, 61_000)
        h.begin(Game("new1"))
        assert h.tick()["blitz"] == "new1"

    def test_last_shown_game_stays_after_eviction(self) -> None:
        h = Studio()
        first = h.begin(Game("game1"))
        h.tick()
        created = h.director.cards()["best"]["created"]
        h.end(first)
        h.evict(first)
        assert h.tick(SEEN_MS * 10) == dict.fromkeys(("best", "chess", "blitz"), "game1")
        card = h.director.cards()["best"]
        assert (card["result"], card["created"]) == ("0-1", created)

    @pytest.mark.parametrize("kind", ["self", "late", "board", "unlimited", "not begun"])
    def test_non_public_game_is_not_shown(self, kind: str) -> None:
        h = Studio()
        board = SimulBoard("simul1", 1, "w")
        game = {
            "self": lambda: Game("game1", black=WHITE),
            "late": lambda: Game("game1"),
            "board": lambda: Game("game1", simul_board=board),
            "unlimited": lambda: Game("game1", tc=None),
            "not begun": lambda: Game("game1"),
        }[kind]()
        if kind == "late":
            game.table.delayed = DelayedView(game.table, Exempt(), game.table._services)
        if kind == "not begun":
            h.note(game)
        else:
            h.begin(game)
        assert h.tick(SETTLED_MS * 2) == {}
        assert h.live() == (["game1"] if kind in ("board", "unlimited") else [])


class TestLive:
    def test_live_list_has_best_first_and_drops_finished_games(self) -> None:
        h = Studio()
        games = [h.begin(Game(f"game{rating}", (rating, rating))) for rating in (1500, 2500, 2000)]
        assert h.live() == ["game2500", "game2000", "game1500"]
        assert h.live(2) == ["game2500", "game2000"]
        h.crowd(games[0], 1000)
        h.end(games[1])
        h.evict(games[1])
        assert h.live() == ["game2000", "game1500"]
        h.crowd(games[0], 40)
        assert len(h.book) == 2

    def test_live_list_is_rebuilt_once_a_second(self) -> None:
        h = Studio()
        h.begin(Game("game1"))
        assert h.book.find(LiveFilter(), 5) is h.book.find(LiveFilter(), 5)
        h.begin(Game("game2"))
        assert len(h.book.find(LiveFilter(), 5)) == 1
        (card,) = h.book.find(LiveFilter(), 5)
        assert any(other is card for other in h.book.find(LiveFilter(speed="blitz"), 5))
        assert len(h.live()) == 2

    def test_games_are_counted_by_pool(self) -> None:
        h = Studio()
        games = [
            h.begin(Game("pool1", tc={"base_s": 180, "inc_s": 2})),
            h.begin(Game("pool2", (1500, 1500), tc={"base_s": 180, "inc_s": 2})),
            h.begin(Game("odd", tc={"base_s": 185, "inc_s": 2})),
            h.begin(Game("days", tc={"days": 3})),
            h.begin(Game("other", tc={"base_s": 300}, variant="chess960")),
            h.begin(Game("handicap", tc={"base_s": 300}, black_tc={"base_s": 60})),
            h.begin(Game("board", tc={"base_s": 300}, simul_board=SimulBoard("s1", 1, "w"))),
        ]
        assert h.book.playing == {"3+2": 2, "chess960 5+0": 1}
        h.note(games[0])
        h.end(games[0])
        h.end(games[4])
        h.evict(games[4])
        assert dict(h.book.playing) == {"3+2": 1}

    def test_live_list_may_be_filtered(self) -> None:
        h = Studio()
        h.begin(Game("blitz1", (1500, 2000)))
        h.begin(Game("bullet", (1600, 1700), tc={"base_s": 60}))
        h.begin(Game("rapid9", (1800, 1800), tc={"base_s": 900}, variant="chess960"))
        h.begin(Game("guests"))
        titled = Game("titled", (2400, 2400))
        titled.table.seats.black.user = User("tttttttt", "Titled", "member", "IM")
        h.begin(titled)
        assert h.live() == ["titled", "rapid9", "blitz1", "bullet", "guests"]
        assert h.live(speed="blitz") == ["titled", "blitz1", "guests"]
        assert h.live(speed="blitz", variant="chess960") == []
        assert h.live(variant="chess960") == ["rapid9"]
        assert h.live(min_rating=1600) == ["titled", "rapid9", "bullet"]
        assert h.live(title=True) == ["titled"]
        assert h.live(title=True, speed="rapid") == []
        assert h.live(speed="classical") == []
        assert h.live(people=frozenset({"tttttttt", "nobody"})) == ["titled"]
        assert h.live(people=frozenset({BLACK.id}), min_rating=1600) == ["rapid9", "bullet"]
        assert h.live(people=frozenset()) == []

    def test_live_list_scans_a_bounded_number_of_games(self, monkeypatch: pytest.MonkeyPatch) -> None:
        h = Studio()
        for number in range(5):
            h.begin(Game(f"game{number}"))
        monkeypatch.setattr(live_book_module, "SCANNED", 3)
        assert len(h.live()) == 3

    def test_live_list_has_one_entry_for_a_simul_and_counts_its_boards(self) -> None:
        h = Studio()
        boards = [
            h.begin(Game(f"game{board}", (1500, 2000), simul_board=SimulBoard("simul1", board, "w")))
            for board in range(1, 5)
        ]
        h.begin(Game("other1"))

        def found(**wanted: Any) -> list[tuple[str | None, int | None]]:
            cards = h.book.find(LiveFilter(**wanted), 9)
            return [(card.get("simul"), card.get("boards")) for card in cards]

        assert found() == [("simul1", 4), (None, None)]
        assert h.book.count(LiveFilter()) == h.book.count(LiveFilter(speed="blitz")) == 5
        assert h.book.count(LiveFilter(speed="bullet")) == 0
        assert h.book.count(LiveFilter(min_rating=1400)) == 4
        assert h.book.count(LiveFilter(speed="blitz", title=True)) == 0
        # Each board of friends is listed.
        assert found(people=frozenset({BLACK.id})) == [("simul1", None)] * 4 + [(None, None)]
        assert h.book.count(LiveFilter(people=frozenset({BLACK.id}))) == 5
        h.end(boards[0])
        h.time.advance(1_000)
        assert found() == [("simul1", 3), (None, None)]
        assert h.book.count(LiveFilter()) == 4

    def test_cached_lists_are_bounded(self, monkeypatch: pytest.MonkeyPatch) -> None:
        h = Studio()
        monkeypatch.setattr(live_book_module, "MOST_ANSWERS", 3)
        for rating in range(10):
            h.book.find(LiveFilter(min_rating=rating), 1)
        assert len(h.book._answers) <= 3
