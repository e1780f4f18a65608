"""Simuls in the lobby: the open ones, and a bounded number of their boards among live games."""

from __future__ import annotations

from typing import Any

from game_core.simul_board import SimulBoard
from realtime.watching.listed_games import LiveList
from realtime.watching.lobby_view import SIMULS
from tests.realtime.watching.test_lobby_view import Hall


class Announced(Hall):
    """A lobby whose simuls are ``cards``."""

    def __init__(self) -> None:
        self.cards: list[Any] = []
        super().__init__()

    def open_simuls(self) -> list[Any]:
        return self.cards

    def told(self) -> list[Any]:
        """What a watcher heard of simuls since the last call."""
        messages = [message for message in self.ears[0].heard if message["t"].startswith("lobby.simul")]
        self.ears[0].heard = []
        return [message.get("simul") or message["card"] for message in messages]


def card(number: int, **fields: Any) -> dict[str, Any]:
    return {"simul": f"s{number}", "created": number, "players": 0, **fields}


def test_each_simul_change_is_sent_once() -> None:
    hall = Announced()
    hall.cards = [card(2), card(1)]
    hall.view.tick()
    assert hall.told() == [card(2), card(1)]
    hall.view.tick()
    assert hall.told() == []
    hall.cards = [card(2, players=1)]
    hall.view.tick()
    assert hall.told() == ["s1", card(2, players=1)]
    assert hall.shown()["simuls"] == [card(2, players=1)]


def test_number_of_listed_simuls_is_bounded() -> None:
    hall = Announced()
    hall.cards = [card(number) for number in reversed(range(SIMULS + 5))]
    hall.view.tick()
    assert len(hall.told()) == len(hall.shown()["simuls"]) == SIMULS


def test_one_board_of_a_simul_is_shown_with_the_number_of_all() -> None:
    hall = Announced()
    for number in range(5):
        hall.open(f"board{number}", 2500, 2500, simul_board=SimulBoard("s1", number + 1, "w"))
    hall.open("other", 1500, 1500)
    hall.view.tick()
    assert hall.top_ids() == ["board4", "other"]
    assert [(game.get("simul"), game.get("boards")) for game in hall.shown()["top"]] == [("s1", 5), (None, None)]
    assert hall.shown()["games"] == 6
    hall.end("board4")
    hall.view.tick()
    assert hall.top_ids() == ["board3", "other"]
    assert hall.shown()["top"][0]["boards"] == 4
    assert hall.shown()["games"] == 5


def test_simul_boards_do_not_hide_other_live_games(monkeypatch: Any) -> None:
    hall = Announced()
    monkeypatch.setattr("realtime.watching.listed_games.SCANNED", 3)
    hall.open("other", 1500, 1500)
    for number in range(5):
        hall.open(f"board{number}", 2500, 2500, simul_board=SimulBoard("s1", number + 1, "w"))
    shown = LiveList(hall, hall.time).first(10)  # type: ignore[arg-type]  # tables as far as the list needs them
    assert "other" in [line["g"] for line in shown]
