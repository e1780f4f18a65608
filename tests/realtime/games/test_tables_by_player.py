"""Index of tables by player, without evicted tables."""

from __future__ import annotations

from lobby.accounts.user import User
from realtime.games.seats import Seats
from realtime.games.tables_by_player import TablesByPlayer


def person(name: str) -> User:
    return User(id=name, name=name, kind="guest")


def test_games_are_found_by_player() -> None:
    seated = TablesByPlayer()
    seated.add("one", Seats(person("anna"), person("bert"), 0))
    seated.add("two", Seats(person("carl"), person("anna"), 0))
    assert sorted(seated.games_of("anna")) == ["one", "two"]
    assert seated.games_of("bert") == ("one",)
    assert seated.games_of("dora") == ()


def test_game_against_oneself_counts_once() -> None:
    seated = TablesByPlayer()
    seats = Seats(person("anna"), person("anna"), 0)
    seated.add("one", seats)
    assert seated.games_of("anna") == ("one",)
    seated.remove("one", seats)
    assert len(seated) == 0


def test_index_is_empty_after_all_tables_are_removed() -> None:
    seated = TablesByPlayer()
    tables = {f"game{n}": Seats(person("anna"), person(f"other{n}"), 0) for n in range(5)}
    for game, seats in tables.items():
        seated.add(game, seats)
    for game, seats in tables.items():
        seated.remove(game, seats)
        seated.remove(game, seats)
    assert len(seated) == 0
