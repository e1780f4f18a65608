"""Live games and their order in lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from lobby.robots.robot_accounts import robot_id
from realtime.journal.live_games import LiveGame, LiveGames
from realtime.watching.listed_games import FRESH_MS, MOST, LiveList
from tests.realtime.fake_time import FakeTime
from tests.realtime.table_harness import WHITE, Ear, Harness, play

if TYPE_CHECKING:
    from realtime.games.table import Table


class Hall:
    """Tables by id, as far as the list needs them."""

    def __init__(self) -> None:
        self.time = FakeTime()
        self.live_games = LiveGames()
        self.tables: dict[str, Table] = {}
        self.list = LiveList(self, self.time)  # type: ignore[arg-type]  # tables as far as the list needs them

    def peek(self, game_id: str) -> Table | None:
        return self.tables.get(game_id)

    def open(self, game_id: str, watchers: int = 0, *, moves: tuple[str, ...] = ("e2e4", "e7e5"), **more: Any) -> Table:
        """One more game; the next is a second younger."""
        harness = Harness(**more)
        table = harness.table
        table.leave(harness.watcher)  # type: ignore[arg-type]  # a socket to a table
        play(harness, *moves)
        for _ in range(watchers):
            harness.join(Ear())
        self.tables[game_id] = table
        self.live_games.begin(game_id, LiveGame("anna", "ben", len(self.tables) * 1000))
        if watchers:
            self.live_games.watched.add(game_id)
        return table

    def shown(self, count: int = MOST) -> list[tuple[int, int]]:
        """Watchers and age of the games as they are listed now."""
        self.time.advance(FRESH_MS)
        return [(game["watchers"], game["created"]) for game in self.list.first(count)]


class TestList:
    def test_most_watched_games_come_first_then_newest(self) -> None:
        hall = Hall()
        for number, watchers in enumerate((0, 2, 0, 7, 2)):
            hall.open(str(number), watchers)
        assert hall.shown() == [(7, 4000), (2, 5000), (2, 2000), (0, 3000), (0, 1000)]
        assert hall.shown(2) == [(7, 4000), (2, 5000)]

    def test_list_has_only_started_games_of_two_people(self) -> None:
        hall = Hall()
        hall.open("created", moves=("e2e4",))
        hall.open("one screen", 3, black=WHITE)
        hall.open("elsewhere")
        del hall.tables["elsewhere"]
        assert hall.shown() == []

    def test_game_watched_before_its_start_is_remembered(self) -> None:
        hall = Hall()
        hall.open("watched", 2, moves=("e2e4",))
        assert hall.shown() == []
        assert hall.live_games.watched == {"watched"}

    def test_game_without_watchers_loses_its_rank(self) -> None:
        hall = Hall()
        table = hall.open("0", 1)
        hall.open("1")
        for watcher in tuple(table.topic.watchers):
            table.leave(watcher)
        assert hall.shown() == [(0, 2000), (0, 1000)]
        assert hall.live_games.watched == set()

    def test_list_is_rebuilt_once_a_second(self) -> None:
        hall = Hall()
        hall.open("0")
        first = hall.list.first(MOST)
        hall.open("1")
        hall.time.advance(FRESH_MS - 1)
        assert hall.list.first(MOST) == first
        hall.time.advance(1)
        assert len(hall.list.first(MOST)) == 2

    def test_line_shows_board_and_clock(self) -> None:
        hall = Hall()
        hall.open("0", 1)
        (line,) = hall.list.first(1)
        assert (line["g"], line["status"], line["result"], line["reason"]) == ("game1", "live", "*", None)
        assert (line["last"], line["turn"], line["plies"], line["ended"]) == ("e7e5", "w", 2, None)
        assert line["position"].startswith("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq")
        assert line["players"]["b"]["user"]["name"] == "Black"
        assert line["clock"] is not None
        assert line["clock"]["run"] == "w"
        assert (line["speed"], line["tc"]) == ("blitz", {"base_s": 180, "inc_s": 2})


class TestGames:
    def test_games_are_found_by_player(self) -> None:
        games = LiveGames()
        games.begin("g2", LiveGame("anna", "ben", 1))
        games.begin("g1", LiveGame("anna", "anna", 2))
        assert (games.of("anna"), games.of("ben"), games.of("carl")) == (["g1", "g2"], ["g2"], [])
        assert (len(games), list(games.newest())) == (2, ["g1", "g2"])

    def test_boards_of_a_simul_do_not_count_as_games_of_its_host(self) -> None:
        games = LiveGames()
        games.begin("g1", LiveGame("anna", "ben", 1, host="anna"))
        games.begin("g2", LiveGame("carl", "anna", 2))
        assert (games.of("anna"), games.of("ben")) == (["g2"], ["g1"])
        assert (games.count("anna"), games.count("ben")) == (1, 0)
        games.end("g1")
        assert (games.of("ben"), len(games)) == ([], 1)

    @pytest.mark.parametrize(
        ("game", "players"),
        [
            (LiveGame("anna", "ben", 1, is_real_time=True), {"anna", "ben"}),
            (LiveGame("anna", "ben", 1, host="anna", is_real_time=True), {"anna", "ben"}),
            (LiveGame("anna", "ben", 1), set()),
            (LiveGame("anna", "anna", 1, is_real_time=True), set()),
            (LiveGame("anna", robot_id(3), 1, is_real_time=True), set()),
        ],
    )
    def test_players_of_each_other_with_a_clock_are_known(self, game: LiveGame, players: set[str]) -> None:
        games = LiveGames()
        games.begin("g1", game)
        games.begin("g1", game)
        assert {user for user in (game.white, game.black) if games.plays_person(user)} == players
        games.end("g1")
        assert not any(games.plays_person(user) for user in ("anna", "ben"))

    def test_ended_game_is_removed_once(self) -> None:
        games = LiveGames()
        games.begin("g1", LiveGame("anna", "ben", 1))
        games.watched.add("g1")
        games.end("g1")
        games.end("g1")
        assert (len(games), games.of("anna"), games.watched, games.get("g1")) == (0, [], set(), None)
